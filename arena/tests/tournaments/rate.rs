//! `arena rate` on games from anywhere.

use std::process::Command;

use serde_json::Value;

use crate::tournaments::place::{Done, HEAD, Place};

/// Ann beats Bob in both games, and Cat wins one of two against each; one more pair is drawn.
const GAMES: &str = "\
white,black,result
ann,bob,1-0
bob,ann,0-1
ann,cat,1-0
cat,ann,1-0
bob,cat,0-1
cat,bob,0-1
ann,bob,1/2-1/2
bob,ann,1/2-1/2
";

fn json(done: &Done) -> Value {
    serde_json::from_str(&done.stdout).unwrap()
}

/// An engine's entry among ratings.
fn entry<'j>(ratings: &'j Value, name: &str) -> &'j Value {
    let mut entries = ratings.as_array().unwrap().iter();
    entries.find(|entry| entry["engine"] == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn three_columns_are_enough() {
    let place = Place::new();
    let file = place.write("games.csv", GAMES);
    let done = place.arena_ends(0, &["rate", &file]);
    assert!(done.stdout.contains("riatra: 8 games in 4 pairs"), "{}", done.stdout);
    let ann = done.stdout.lines().find(|line| line.contains("ann")).unwrap();
    assert!(ann.contains(" 1 ") && ann.contains("66.7"), "{ann}");
}

#[test]
fn json_has_every_engine_with_its_interval() {
    let place = Place::new();
    let file = place.write("games.csv", GAMES);
    let report = json(&place.arena_ends(0, &["rate", &file, "--json"]));
    let ratings = &report["ratings"];
    assert_eq!(ratings.as_array().unwrap().len(), 3);
    let elo = |name| entry(ratings, name)["elo"].as_f64().unwrap();
    assert!(elo("ann") > elo("cat") && elo("cat") > elo("bob"), "{ratings}");
    assert!((elo("ann") + elo("bob") + elo("cat")).abs() < 1e-6);
    for name in ["ann", "bob", "cat"] {
        let entry = entry(ratings, name);
        let (low, high) = (entry["elo_low"].as_f64().unwrap(), entry["elo_high"].as_f64().unwrap());
        assert!(low < elo(name) && elo(name) < high, "{entry}");
    }
    assert_eq!(entry(ratings, "ann")["games"], 6);
    // The likelihood of superiority for every two engines, by rank.
    let fit = &report["fits"][0];
    let names: Vec<&str> = fit["ratings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["engine"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["ann", "cat", "bob"]);
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        let los = |row: usize, column: usize| fit["los"][row][column].as_f64().unwrap();
        assert!(los(one, other) > 0.5, "{fit}");
        assert!((los(one, other) + los(other, one) - 1.0).abs() < 1e-9, "{fit}");
    }
    assert!(fit["los"][1][1].is_null());
}

#[test]
fn without_a_prior_what_is_unbounded_is_null() {
    let place = Place::new();
    let sweep = "white,black,result\na,b,1-0\nb,a,0-1\na,b,1-0\nb,a,0-1\n";
    let file = place.write("games.csv", sweep);
    let with = json(&place.arena_ends(0, &["rate", &file, "--json"]));
    let bounded = entry(&with["ratings"], "a");
    assert!(bounded["elo"].is_number() && bounded["elo_high"].is_number(), "{bounded}");
    let without = json(&place.arena_ends(0, &["rate", &file, "--json", "--prior", "0"]));
    let winner = entry(&without["ratings"], "a");
    assert!(winner["elo_high"].is_null(), "{winner}");
    assert!(entry(&without["ratings"], "b")["elo_low"].is_null());
    let table = place.arena_ends(0, &["rate", &file, "--prior", "0"]);
    assert!(table.stdout.contains("unbounded"), "{}", table.stdout);
}

#[test]
fn an_anchor_has_its_rating_and_keeps_the_gaps() {
    let place = Place::new();
    let file = place.write("games.csv", GAMES);
    let free = json(&place.arena_ends(0, &["rate", &file, "--json", "--prior", "0"]));
    let args = ["rate", &file, "--json", "--prior", "0", "--anchor", "bob=1500"];
    let anchored = json(&place.arena_ends(0, &args));
    let elo = |report: &Value, name| entry(&report["ratings"], name)["elo"].as_f64().unwrap();
    assert!((elo(&anchored, "bob") - 1500.0).abs() < 1e-9);
    let gap = |report| elo(report, "ann") - elo(report, "bob");
    assert!((gap(&free) - gap(&anchored)).abs() < 1e-3);
    // Their games do not decide which of two given ratings is larger.
    let two = place.write("two.csv", "white,black,result\na,b,1-0\nb,a,1-0\n");
    let given = place.arena_ends(0, &["rate", &two, "--anchor", "a=100", "--anchor", "b=0"]).stdout;
    assert!(!given.contains("stronger"), "{given}");
    for anchor in ["bob", "bob=high", "dan=0"] {
        place.arena_ends(2, &["rate", &file, "--anchor", anchor]);
    }
}

/// A thousand rounds of engines that leave nothing to chance are as good as one.
#[test]
fn repeated_games_are_one_observation() {
    let place = Place::new();
    let head = "pair,kind,white,black,result,start,moves\n";
    let start = "bbb/b1W/WWW w - 0 1";
    // Of five openings `a` wins both games of one, and one game of every other.
    let round = |round: usize| -> String {
        let pair = |opening: usize| {
            let number = 5 * round + opening;
            let second = if opening == 0 { "0-1" } else { "1-0" };
            format!(
                "{number},riatra,a,b,1-0,{start},c1b2A {opening}\n\
                 {number},riatra,b,a,{second},{start},c1b2A {opening}\n"
            )
        };
        (0..5).map(pair).collect()
    };
    let file = |name: &str, rounds: usize| {
        place.write(name, &(head.to_owned() + &(0..rounds).map(round).collect::<String>()))
    };
    let (once, often) = (file("once.csv", 1), file("often.csv", 32));
    let of = |file: &str| json(&place.arena_ends(0, &["rate", file, "--json"]));
    let (one, all) = (of(&once), of(&often));
    for name in ["elo", "elo_low", "elo_high", "los"] {
        assert_eq!(entry(&one["ratings"], "a")[name], entry(&all["ratings"], "a")[name], "{name}");
    }
    assert_eq!(entry(&all["ratings"], "a")["games"], 320);
    let fit = &all["fits"][0];
    assert_eq!((&fit["pairs"], &fit["repeated_pairs"]), (&160.into(), &155.into()));
    let difference = &fit["differences"][0];
    assert_eq!((&difference["engine"], &difference["opponent"]), (&"a".into(), &"b".into()));
    assert_eq!(difference["pentanomial"]["ww"], 1);
    assert_eq!(difference["pentanomial"]["wl"], 4);
    assert!(difference["elo_low"].as_f64().unwrap() < 0.0, "{difference}");
    let told = place.arena_ends(0, &["rate", &often]).stdout;
    assert!(told.contains("note: 310 of 320 games repeat an earlier one"), "{told}");
    assert!(told.contains("more rounds would repeat games"), "{told}");
    assert_eq!(one["notes"], serde_json::json!([]));
    // A file that is given twice is detected with and without moves.
    let twice = place.arena_ends(0, &["rate", &once, &once]);
    assert!(twice.stdout.contains("note: 10 of 20 games repeat"), "{}", twice.stdout);
    let bare = place.write("games.csv", GAMES);
    place.arena_ends(0, &["rate", &bare, &bare]).complains(&["games.csv is given more than once"]);
}

#[test]
fn groups_that_never_met_are_named() {
    let place = Place::new();
    let games = "white,black,result\na,b,1-0\nb,a,1-0\nc,d,1-0\nd,c,1/2-1/2\n";
    let file = place.write("games.csv", games);
    let told = place.arena_ends(0, &["rate", &file]).stdout;
    assert!(told.contains("2 groups of engines never met: (a, b), (c, d)"), "{told}");
    let report = json(&place.arena_ends(0, &["rate", &file, "--json"]));
    assert!(report["notes"][0].as_str().unwrap().contains("only within a group"), "{report}");
}

#[test]
fn several_files_are_one_sample() {
    let place = Place::new();
    let (head, rows) = GAMES.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    let part = |rows: &[&str]| format!("{head}\n{}\n", rows.join("\n"));
    let whole = place.write("whole.csv", GAMES);
    let one = place.write("one.csv", &part(&rows[..4]));
    let two = place.write("two.csv", &part(&rows[4..]));
    let rated = |files: &[&str]| {
        let mut args = vec!["rate", "--json"];
        args.extend(files);
        let report = json(&place.arena_ends(0, &args));
        ["ann", "bob", "cat"]
            .map(|name| entry(&report["ratings"], name)["elo_low"].as_f64().unwrap())
    };
    let (together, apart) = (rated(&[&whole]), rated(&[&one, &two]));
    for (a, b) in together.iter().zip(apart) {
        assert!((a - b).abs() < 1e-6, "{together:?} {apart:?}");
    }
}

#[test]
fn files_that_cannot_be_rated_are_refused() {
    let place = Place::new();
    place.arena_ends(2, &["rate", "nowhere.csv"]).complains(&["failed to read nowhere.csv"]);
    let file = place.write("games.csv", "white,black\na,b\n");
    place.arena_ends(2, &["rate", &file]).complains(&["no column `result`", "white, black"]);
    let file = place.write("games.csv", "white,black,result\na,b,won\n");
    place
        .arena_ends(2, &["rate", &file])
        .complains(&["games.csv: line 2: the column `result`", "`won` is not a result"]);
    place.arena_ends(2, &["rate", &file, "--prior", "-1"]);
}

/// The standings of a tournament are the ratings of its files.
#[test]
fn rating_a_run_again_changes_nothing() {
    let place = Place::new();
    let head = HEAD.replace("[\"riatra\"]", "[\"riatra\", \"vela\", \"session\"]");
    let script = format!("abort at=8 once={}", place.text("once"));
    let config = place.config(&head, &[("a", &script), ("b", "first")]);
    place.play(&config, "out");
    let report = json(&place.arena_ends(0, &["rate", "out/games.csv", "--json"]));
    let standings = place.table("out/standings.csv");
    let fits = report["fits"].as_array().unwrap();
    assert_eq!(standings.len(), 2 * fits.len());
    for row in &standings {
        let fit = fits.iter().find(|fit| fit["kind"] == *row["kind"]).unwrap();
        let rating = entry(&fit["ratings"], &row["engine"]);
        for column in ["elo", "elo_low", "elo_high"] {
            let again = rating[column].as_f64().map_or("unbounded".into(), |elo| {
                format!("{:.1}", (elo * 10.0).round() / 10.0 + 0.0)
            });
            assert_eq!(again, row[column], "{row:?}");
        }
        assert_eq!(rating["games"].to_string(), row["games"]);
    }
    // Without sessions.csv the sessions are missing, and a note says so.
    std::fs::remove_file(place.path("out/sessions.csv")).unwrap();
    let report = json(&place.arena_ends(0, &["rate", "out/games.csv", "--json"]));
    assert!(report["notes"][0].as_str().unwrap().contains("sessions.csv"), "{report}");
}

/// Letters that would write a title, clear the screen, move words round or hide.
const ODD: &str = "\x1b]0;owned\x07\u{9b}2J\u{202e}x\u{200b}";

#[test]
fn names_do_nothing_to_a_terminal() {
    let place = Place::new();
    let games = GAMES.replace("ann", &format!("ann{ODD}"));
    let file = place.write("games.csv", &games);
    for args in [&["rate", &file][..], &["compare", &file, &file]] {
        let done = place.arena_ends(0, args);
        let shown = done.stdout + &done.stderr;
        let raw = |letter: char| {
            letter != '\n' && fanorona_tournament::text::safe_text::is_unsafe(letter)
        };
        assert!(!shown.contains(raw), "{shown:?}");
        assert!(shown.contains("ann\\u{1b}]0;owned\\u{7}\\u{9b}2J\\u{202e}x\\u{200b}"), "{shown}");
    }
    // Error messages and configs do not contain them either.
    let file = place.write("wrong.csv", &format!("white,black,result\na,b,{ODD}\n"));
    let config =
        HEAD.replace("match", &format!("ma{ODD}tch").replace('\x1b', "").replace('\x07', ""));
    let config = place.config(&config, &[("a\u{202e}", ""), ("b", "")]);
    for args in [["rate", &file], ["plan", &config]] {
        let done = place.arena_ends(2, &args);
        let raw = |letter: char| {
            letter != '\n' && fanorona_tournament::text::safe_text::is_unsafe(letter)
        };
        assert!(!done.stderr.contains(raw), "{:?}", done.stderr);
    }
    place
        .arena_ends(2, &["plan", &config])
        .complains(&["control characters or invisible characters"]);
}

/// Memory is bounded, whatever is given for a file.
#[test]
fn endless_input_is_refused() {
    let place = Place::new();
    place.write("games.csv", GAMES);
    for args in [
        &["rate", "/dev/zero"][..],
        &["compare", "/dev/zero", "/dev/zero"],
        &["convert", "/dev/zero"],
        &["show", "/dev/zero", "1"],
        &["run", "/dev/zero"],
    ] {
        place.arena_ends(2, args).complains(&["/dev/zero", "it is a device; expected a file"]);
    }
    let arena = env!("CARGO_BIN_EXE_arena");
    let shell = |script: String| {
        let mut command = Command::new("bash");
        command.args(["-c", &script]);
        place.spawn(command).wait()
    };
    let endless = |head: &str, command: &str| {
        let done = shell(format!("(printf '{head}'; yes x | tr -d '\\n') | '{arena}' {command}"));
        assert_eq!(done.code, Some(2), "{}", done.stderr);
        done.complains(&["is longer than"]);
    };
    endless("white,black,result\n", "rate /dev/stdin");
    endless("white,black,result\n\"", "rate /dev/stdin");
    endless("white,", "show /dev/stdin 1");
    endless("", "convert /dev/stdin");
    // A pipe that ends is read like a file.
    let done = shell(format!("'{arena}' rate <(cat games.csv)"));
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stdout.contains("riatra: 8 games in 4 pairs"), "{}", done.stdout);
}
