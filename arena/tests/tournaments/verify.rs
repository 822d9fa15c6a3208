//! Journals whose checksums are right and whose games are not.

use std::fs;

use serde_json::{Value, json};

use crate::tournaments::place::{HEAD, Place};

/// A directory with games of every kind and with many ends.
fn played() -> Place {
    let place = Place::new();
    let head = HEAD
        .replace("\"match\"", "\"round-robin\"")
        .replace("[\"riatra\"]", "[\"riatra\", \"vela\", \"session\"]")
        .replace("max-plies = 40", "max-plies = 12")
        .replace("rounds = 2", "rounds = 1");
    let head = head + "adjudication.draw = { score = 100, moves = 3, after = 5 }\n";
    let once = format!("illegal at=3 once={}", place.text("once"));
    let quits = format!("resign at=6 once={}", place.text("resigned"));
    let config = place.config(&head, &[("a", &once), ("b", "first scores=none"), ("c", &quits)]);
    place.play(&config, "out");
    place
}

/// The lines of the journal.
fn journal(place: &Place) -> Vec<String> {
    let text = fs::read_to_string(place.path("out/journal.jsonl")).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The game of a line of the journal; `None` for the header.
fn game(line: &str) -> Option<Value> {
    let line: Value = line.parse().unwrap();
    line["entry"].get("game").cloned()
}

/// A line of the journal with a right checksum.
fn line(game: Value) -> String {
    let entry = json!({ "game": game }).to_string();
    format!("{{\"crc32\":\"{:08x}\",\"entry\":{entry}}}", crc32fast::hash(entry.as_bytes()))
}

/// A change of a game.
type Change = fn(&mut Value);

/// Changes, each with the end of the games that it is made to, and what is said about it.
const CHANGES: [(&str, &str, Change); 14] = [
    ("", "wrong", |game| {
        let other = if game["result"] == "1-0" { "0-1" } else { "1-0" };
        game["result"] = json!(other);
        // Adjudications follow from what engines said: another field tells.
        game["times"].as_array_mut().unwrap().push(json!(1));
    }),
    ("illegal", "the field `result`", |game| {
        game["result"] = json!(if game["result"] == "1-0" { "0-1" } else { "1-0" });
    }),
    ("resign", "the field `result`", |game| {
        game["result"] = json!(if game["result"] == "1-0" { "0-1" } else { "1-0" });
    }),
    ("max-plies", "recorded as 1-0 by max-plies", |game| game["result"] = json!("1-0")),
    ("max-plies", "by the rules it is", |game| game["reason"] = json!("repetition")),
    ("illegal", "the field `offender`", |game| game["offender"] = Value::Null),
    ("resign", "the field `offender`", |game| game["offender"] = json!("w")),
    ("", "the field `kind`", |game| {
        game["kind"] = json!(if game["kind"] == "vela" { "riatra" } else { "vela" });
    }),
    ("", "move 1", |game| {
        let moves = game["moves"].as_str().unwrap();
        game["moves"] = json!(format!("a1a2A {}", moves.split_once(' ').unwrap().1));
    }),
    ("", "the field `scores`", |game| drop(game["scores"].as_array_mut().unwrap().pop())),
    ("", "the field `white_ms`", |game| {
        let times = game["times"].as_array_mut().unwrap();
        times.iter_mut().for_each(|time| *time = json!(1000));
        game["white_ms"] = json!(1);
    }),
    ("", "no engine `nobody`", |game| game["white"] = json!("nobody")),
    ("", "another pair", |game| game["pair"] = json!(77)),
    ("", "opening", |game| {
        game["book"] = json!(1);
        let own = game["moves"].as_str().unwrap().split(' ').count() - 1;
        game["times"] = json!(vec![0; own]);
        game["scores"] = json!(vec![""; own]);
        game["searches"] = json!([]);
    }),
];

#[test]
fn a_changed_game_is_named_with_its_line() {
    let place = played();
    let lines = journal(&place);
    let games = lines.len() - 1;
    let done = place.arena_ends(0, &["report", "out", "--verify"]);
    let verified = format!("verified: {games} games, by their moves, ends, players and openings");
    assert!(done.stdout.starts_with(&verified), "{}", done.stdout);
    for (number, (reason, part, change)) in CHANGES.into_iter().enumerate() {
        let suits = |text: &String| {
            game(text).is_some_and(|game| {
                game["pair"] != Value::Null && (reason.is_empty() || game["reason"] == reason)
            })
        };
        let at = lines.iter().position(suits).unwrap_or_else(|| panic!("no game by {reason}"));
        let mut changed = game(&lines[at]).unwrap();
        change(&mut changed);
        let id = changed["id"].as_str().unwrap().to_owned();
        let mut all = lines.clone();
        all[at] = line(changed);
        fs::write(place.path("out/journal.jsonl"), all.join("\n") + "\n").unwrap();
        let done = place.arena_ends(2, &["report", "out", "--verify"]);
        let named = format!("out/journal.jsonl:{} (game {id}): ", at + 1);
        done.complains(&[&named, "its checksum is right", part]);
        assert!(!done.complaint().contains("journal.jsonl:1 "), "change {number}");
    }
}

#[test]
fn salvage_leaves_out_wrong_games_and_resume_replays_them() {
    let place = played();
    let lines = journal(&place);
    let right = place.timeless("out");
    let at = lines.iter().position(|line| {
        game(line).is_some_and(|game| game["reason"] == "max-plies" && game["pair"] != Value::Null)
    });
    let at = at.unwrap();
    let mut changed = game(&lines[at]).unwrap();
    changed["result"] = json!("1-0");
    let id = changed["id"].as_str().unwrap().to_owned();
    let mut all = lines.clone();
    all[at] = line(changed);
    fs::write(place.path("out/journal.jsonl"), all.join("\n") + "\n").unwrap();
    let done = place.arena_ends(0, &["resume", "out", "--salvage", "new"]);
    let lost =
        format!("lost: line {} (game {id}): its checksum is right, but it is wrong: ", at + 1);
    assert!(done.stderr.contains(&lost), "{}", done.stderr);
    assert_eq!(done.stderr.matches("lost: ").count(), 1, "{}", done.stderr);
    place.arena_ends(0, &["report", "new", "--verify"]);
    assert_eq!(place.timeless("new"), right);
}

/// A merge or a salvage that was killed, here by a limit on the size of files, says what to do.
#[test]
fn a_directory_that_was_not_completed_says_so() {
    let place = played();
    let limited = |args: &[&str]| {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "ulimit -f 8; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_arena")]);
        command.args(args);
        let done = place.spawn(command).wait();
        assert_eq!(done.code, Some(74), "{args:?}: {}", done.stderr);
    };
    for (what, args) in [
        ("merge", &["merge", "out", "--out", "it's half"][..]),
        ("salvage", &["resume", "out", "--salvage", "it's half"]),
    ] {
        limited(args);
        let again = format!("{what} again: arena {} 'it'\\''s half'", args[..3].join(" "));
        let interrupted = format!("it's half is not complete: a {what} into it was interrupted");
        let half = "it's half";
        for reader in [
            &["resume", half][..],
            &["report", half],
            &["show", half, "1"],
            &["replay", half, "1"],
            &["analyse", half, "--game", "1", "--engine", "true"],
            &["convert", half],
            &["compare", half, "out"],
            &["sprt", half, "--elo0", "0", "--elo1", "5"],
            &["diff", half, "a", "b"],
            &["extend", half, "t.toml"],
            &["merge", half, "--out", "other"],
            &["resume", half, "--salvage", "other"],
        ] {
            let done = place.arena_ends(2, reader);
            assert!(done.complaint().contains(&interrupted), "{reader:?}: {}", done.complaint());
            assert!(done.complaint().contains(&again), "{reader:?}: {}", done.complaint());
        }
        place.arena_ends(0, args);
        assert_eq!(place.timeless("it's half"), place.timeless("out"));
        fs::remove_dir_all(place.path("it's half")).unwrap();
    }
}
