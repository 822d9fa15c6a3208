//! Engines that report errors and play on, and engines that write to standard error: what is kept of
//! it, and who is told.

use fanorona_report::phrase::plain;
use std::fs;

use serde_json::Value;

use crate::tournaments::place::{HEAD, Place};

/// An engine that plays the first given move. Before each answer it does what `$1` says, with the
/// number of the move in `$n`.
const ENGINE: &str = r#"
n=0
while read -r line; do
    case "$line" in
        ugi) echo 'id name shell'; echo ugiok;;
        isready) echo readyok;;
        go*) n=$((n + 1)); eval "$1"; set -- "$1" ${line##*searchmoves }; echo "bestmove $2"; set -- "$1";;
        quit) exit 0;;
    esac
done
"#;

/// What an engine does that catches an exception in every move.
const THROWS: &str = "printf 'Traceback (most recent call last):\\n  File \"/a/bot.py\", line 4, in choose\\n\
                      AttributeError: valeu\\n' >&2; echo 'info error AttributeError: valeu (bot.py, line 4)'";

/// The table of an engine that does this before each answer.
fn engine(place: &Place, name: &str, does: &str) -> String {
    let script = place.write("engine.sh", ENGINE);
    let args = toml::Value::from(vec![script, does.to_owned()]);
    format!(
        "\n[[engine]]\nname = \"{name}\"\ncommand = \"sh\"\nargs = {args}\nlegal_moves = true\n"
    )
}

/// Plays a tournament between an engine that does this and one that does nothing. Gives the output.
fn played(place: &Place, head: &str, does: &str) -> (String, String) {
    let text = format!("{head}{}{}", engine(place, "buggy", does), engine(place, "calm", ":"));
    let config = place.write("t.toml", &text);
    let _ = fs::remove_dir_all(place.path("out"));
    // An error is no fault.
    let done = place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
    (done.stdout, done.stderr)
}

/// The journal's games.
fn records(place: &Place) -> Vec<Value> {
    let journal = fs::read_to_string(place.path("out/journal.jsonl")).unwrap();
    let game = |line| serde_json::from_str::<Value>(line).unwrap()["entry"]["game"].clone();
    journal.lines().skip(1).map(game).collect()
}

/// The part of a game that is about an engine.
fn reported<'g>(game: &'g Value, engine: &str) -> &'g Value {
    &game["reported"][usize::from(game["white"] != engine)]
}

#[test]
fn an_engine_that_reports_errors_and_plays_on_does_not_look_healthy() {
    let place = Place::new();
    let head = HEAD.replace("[\"riatra\"]", "[\"riatra\", \"vela\", \"session\"]");
    let head = format!("log = \"all\"\n{}", head.replace("rounds = 2", "rounds = 1"));
    let (stdout, stderr) = played(&place, &head, THROWS);
    let games = records(&place);
    let asked: u64 = games.iter().map(|it| reported(it, "buggy")["asked"].as_u64().unwrap()).sum();
    assert!(games.len() > 4 && asked > 20, "{asked} moves in {} games", games.len());
    for game in &games {
        let buggy = reported(game, "buggy");
        assert_eq!(buggy["asked"], buggy["error_moves"], "{game}");
        assert_eq!(buggy["asked"], buggy["stderr_moves"], "{game}");
        assert_eq!(buggy["trace"].as_array().unwrap().len(), 3, "{game}");
        assert_eq!(buggy["stderr"][2], "AttributeError: valeu", "{game}");
        assert!(reported(game, "calm").get("error").is_none(), "{game}");
    }
    let sentence = format!(
        "buggy reported an error in {asked} of {asked} moves, first in game 1: AttributeError: valeu \
         (bot.py, line 4)"
    );
    let trace =
        "    Traceback (most recent call last):\n      File \"/a/bot.py\", line 4, in choose\n";
    assert!(stdout.contains(&sentence) && stdout.contains(trace), "{stdout}");
    assert!(
        !stdout.contains("calm reported") && !stdout.contains("wrote to standard error"),
        "{stdout}"
    );
    let warning = "warning: buggy reported an error in game 1 and played on: AttributeError";
    assert_eq!(stderr.matches(warning).count(), 1, "{stderr}");
    // The report says it at the top and among the faults, and so does its command.
    let page = plain(&fs::read_to_string(place.path("out/report.html")).unwrap());
    let page = page.replace("<bdi>", "").replace("</bdi>", "");
    assert_eq!(page.matches(&sentence).count(), 2);
    assert!(page.contains("line 4, in choose\nAttributeError: valeu</pre>"));
    let again = place.arena_ends(0, &["report", "out"]).stdout;
    assert!(again.contains(&sentence) && again.contains(trace), "{again}");
    // The dialogue has the lines where they belong, with a mark of their own.
    let number = games[0]["id"].as_str().unwrap();
    let dialogue = place.arena_ends(0, &["show", "out", number, "--dialogue"]).stdout;
    let side = if games[0]["white"] == "buggy" { 'W' } else { 'B' };
    let lines: Vec<&str> = dialogue.lines().map(|line| &line[11..]).collect();
    let at = lines.iter().position(|line| line.contains("! AttributeError")).expect("a line");
    assert_eq!(lines[at], format!("{side}! AttributeError: valeu"));
    assert!(lines[at - 3].starts_with(&format!("{side}")), "{dialogue}");
    let shown = place.arena_ends(0, &["show", "out", number]).stdout;
    assert!(shown.contains("buggy reported an error in "), "{shown}");
}

#[test]
fn errors_are_counted_by_moves() {
    let place = Place::new();
    // In every third move, and two lines of the kind are one error.
    let does = "if [ $((n % 3)) = 0 ]; then echo 'info error one'; echo 'info error two'; fi";
    let (stdout, _) = played(&place, HEAD, does);
    let sum = |field: &str| -> u64 {
        records(&place).iter().filter_map(|it| reported(it, "buggy")[field].as_u64()).sum()
    };
    let (asked, errors) = (sum("asked"), sum("error_moves"));
    assert_eq!(errors, asked / 3);
    let sentence =
        format!("buggy reported an error in {errors} of {asked} moves, first in game 1: one");
    assert!(stdout.contains(&sentence), "{stdout}");
    assert_eq!(sum("stderr_moves"), 0);
}

#[test]
fn an_engine_that_logs_is_not_accused() {
    let place = Place::new();
    let does =
        "echo \"depth $n\" >&2; echo 'info string error: no book'; echo 'info depth 1 error 3'";
    let (stdout, stderr) = played(&place, HEAD, does);
    let asked: u64 =
        records(&place).iter().map(|it| reported(it, "buggy")["asked"].as_u64().unwrap()).sum();
    let sentence = format!(
        "note: buggy wrote to standard error in {asked} of {asked} moves, first in game 1: depth 1"
    );
    assert!(stdout.contains(&sentence), "{stdout}");
    for text in [&stdout, &stderr] {
        assert!(!text.contains("reported an error") && !text.contains("warning"), "{text}");
    }
    let page = plain(&fs::read_to_string(place.path("out/report.html")).unwrap());
    let page = page.replace("<bdi>", "").replace("</bdi>", "");
    assert!(
        page.contains(&sentence["note: ".len()..])
            && !page.contains("Errors that engines reported</h3>")
    );
    // A silent engine is not spoken of, and takes no space.
    let (stdout, _) = played(&place, HEAD, ":");
    assert!(!stdout.contains("standard error"), "{stdout}");
    assert!(!fs::read_to_string(place.path("out/journal.jsonl")).unwrap().contains("reported"));
}

#[test]
fn standard_error_is_bounded_and_safe() {
    let place = Place::new();
    let does = "head -c 200000 /dev/zero | tr '\\0' 'x' >&2; printf '\\033[31m\\377\\n' >&2; \
                for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do echo \"line $i\" >&2; done";
    let head = format!("log = \"all\"\n{}", HEAD.replace("rounds = 2", "rounds = 1"));
    let (stdout, _) = played(&place, &head, does);
    assert!(!stdout.contains('\x1b'), "{stdout}");
    for game in records(&place) {
        let lines = reported(&game, "buggy")["stderr"].as_array().unwrap();
        let bytes: usize = lines.iter().map(|line| line.as_str().unwrap().len()).sum();
        assert!(lines.len() <= 11 && bytes < 2000, "{game}");
    }
    let dialogue = place.arena_ends(0, &["show", "out", "1", "--dialogue"]).stdout;
    assert!(dialogue.contains("! line 15") && dialogue.lines().all(|line| line.len() < 2000));
}

#[test]
fn events_carry_what_engines_reported() {
    let place = Place::new();
    let text = format!("{HEAD}{}{}", engine(&place, "buggy", THROWS), engine(&place, "calm", ":"));
    let config = place.write("t.toml", &text);
    let done = place.arena_ends(0, &["run", &config, "--out", "out", "--json"]);
    let events: Vec<Value> =
        done.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| events.iter().filter(|it| it["event"] == kind).collect::<Vec<_>>();
    for game in of("game") {
        let (own, other) = if game["white"] == "buggy" { (0, 1) } else { (1, 0) };
        assert_eq!(game["reported"][own]["error"], "AttributeError: valeu (bot.py, line 4)");
        assert_eq!(game["reported"][other], Value::Null);
    }
    let warned =
        of("warning").into_iter().filter(|it| it["text"].as_str().unwrap().contains("buggy"));
    assert_eq!(warned.count(), 1);
    let [standings] = of("standings")[..] else { panic!("{events:?}") };
    let [buggy] = &standings["reported"].as_array().unwrap()[..] else { panic!("{standings}") };
    assert_eq!((&buggy["engine"], &buggy["moves"]), (&"buggy".into(), &buggy["error_moves"]));
    assert_eq!(buggy["first_error"]["game"], "1");
}

#[test]
fn a_game_lost_by_a_fault_keeps_what_was_reported_before() {
    let place = Place::new();
    let does = format!("{THROWS}; [ $n -lt 3 ] || exit 7");
    let head = HEAD.replace("rounds = 2", "rounds = 1");
    let text = format!("{head}{}{}", engine(&place, "buggy", &does), engine(&place, "calm", ":"));
    let config = place.write("t.toml", &text);
    place.arena_ends(0, &["run", &config, "--out", "out"]);
    for game in records(&place) {
        let buggy = reported(&game, "buggy");
        assert_eq!((&game["reason"], &buggy["asked"]), (&"crash".into(), &3.into()), "{game}");
        assert_eq!(buggy["error_moves"], 3, "{game}");
    }
}
