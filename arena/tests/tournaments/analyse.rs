//! Games analysed by an engine, and what the report says about it.

use std::fs;

use crate::common::{SCRIPT, scripted_engine};
use crate::tournaments::place::{HEAD, Place};

/// The command line of an analysing engine that does what a script says.
pub(crate) fn analyst(script: &str) -> String {
    format!("env '{}={script}' '{}'", SCRIPT, scripted_engine())
}

/// A game in which White moves a fifth stone into the row that Black can take: after `c2c3` Black
/// captures five stones by `a3b3A`. Before, White is four stones ahead and nothing hangs. Black's
/// other capture takes less.
pub(crate) const BLUNDER: &str = "\
[Game \"4\"]
[White \"hasty\"]
[Black \"patient\"]
[FEN \"b8/9/b2WWWW2/2W6/8W w - 0 1\"]
[Termination \"resign\"]

1. c2c3 {7ms cp 400} a3b3A {9ms} 0-1

";

#[test]
fn a_blunder_is_found_with_what_was_better() {
    let place = Place::new();
    place.write("games.fgn", BLUNDER);
    let greedy = analyst("greedy");
    let args = ["analyse", "games.fgn", "--engine", &greedy, "--nodes", "9", "--out", "out.fgn"];
    let done = place.arena_ends(0, &args);
    assert!(done.stdout.contains("game 4 riatra: hasty – patient 0-1 resign, 2 plies"));
    let marked: Vec<&str> = done.stdout.lines().filter(|line| line.contains("??")).collect();
    let [line] = &marked[..] else { panic!("{}", done.stdout) };
    assert!(line.contains("1. c2c3??") && line.contains("+4.00"), "{line}");
    assert!(done.stdout.contains("White hasty: accuracy"), "{}", done.stdout);
    assert!(done.stdout.contains("1 blunder in 1 judged move"), "{}", done.stdout);
    assert!(done.stdout.contains("Black patient: accuracy 100.0;"), "{}", done.stdout);

    let annotated = fs::read_to_string(place.path("out.fgn")).unwrap();
    assert!(annotated.contains("[Annotator \"scripted engine\"]"), "{annotated}");
    assert!(annotated.contains("1. c2c3?? {7ms cp 400}"), "{annotated}");
    assert!(annotated.contains("blunder, loses"), "{annotated}");
    // The same engine says the same again.
    place.arena_ends(0, &args);
    assert_eq!(fs::read_to_string(place.path("out.fgn")).unwrap(), annotated);
    // What is annotated is read back without a difference.
    for name in ["games", "out"] {
        let (from, to) = (format!("{name}.fgn"), format!("{name}.csv"));
        place.arena_ends(0, &["convert", &from, "-o", &to]);
    }
    let read = |name: &str| fs::read_to_string(place.path(name)).unwrap();
    assert_eq!(read("out.csv"), read("games.csv"));
    let again = place.arena_ends(0, &["convert", "out.fgn", "--to", "fgn"]).stdout;
    assert!(again.contains("c2c3 {7ms cp 400} a3b3A {9ms} 0-1"), "{again}");
}

#[test]
fn analyses_are_printed_as_json() {
    let place = Place::new();
    place.write("games.fgn", BLUNDER);
    let greedy = analyst("greedy");
    let done = place.arena_ends(0, &["analyse", "games.fgn", "--engine", &greedy, "--json"]);
    let game: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&game["game"], &game["limit"]), (&"4".into(), &"nodes=100000".into()));
    let first = &game["analysis"]["plies"][0];
    assert_eq!((&first["played"], &first["mark"]), (&"c2c3".into(), &"??".into()));
    assert_eq!(first["before"]["score"], "cp 400");
    // One stone against two at the end.
    assert_eq!(game["analysis"]["white"]["blunders"], 1);
    let best = first["before"]["best"].as_str().unwrap();
    assert_eq!(first["before"]["lines"][0]["moves"][0], best);
    assert_ne!(best, "c2c3");
}

#[test]
fn games_that_cannot_be_analysed_are_refused() {
    let place = Place::new();
    place.write("games.fgn", BLUNDER);
    place.write("wrong.fgn", &BLUNDER.replace("a3b3A {9ms}", "a3b3W"));
    place.write("empty.fgn", "");
    let greedy = analyst("greedy");
    let refused = |code: i32, args: &[&str], words: &[&str]| {
        place.arena_ends(code, &[&["analyse"], args].concat()).complains(words);
    };
    refused(2, &["wrong.fgn", "--engine", &greedy], &["game 4: move 2: ", "a3b3W"]);
    refused(2, &["empty.fgn", "--engine", &greedy], &["no games"]);
    refused(2, &["games.fgn", "--game", "5", "--engine", &greedy], &["there is no game 5"]);
    refused(6, &["games.fgn", "--engine", "no-such-engine"], &["no-such-engine"]);
    refused(
        2,
        &["games.fgn", "--engine", &greedy, "--limit", "9s+1s"],
        &["a clock is for a whole"],
    );
    refused(2, &["games.fgn", "--engine", &analyst("scores=none")], &["reports no scores"]);
    refused(6, &["games.fgn", "--engine", &analyst("exit=3")], &["game 4: the engine failed"]);
}

#[test]
fn the_report_judges_every_engine_once() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "out");
    let greedy = analyst("greedy");
    let args = ["analyse", "out", "--engine", &greedy, "--nodes", "9"];
    for more in [&["--json"][..], &["--lines", "2"], &["--out", "a.fgn"]] {
        place
            .arena_ends(2, &[&args, more].concat())
            .complains(&["all games of the tournament in out", "out/games.csv"]);
    }
    // Single games are printed, and nothing is saved.
    let done = place.arena_ends(0, &[&args[..], &["--game", "1"]].concat());
    assert!(done.stdout.starts_with("game 1 riatra: "), "{}", done.stdout);
    assert!(!place.path("out/analysis.csv").exists());
    place.arena_ends(2, &[&args[..], &["--game", "1", "--force"]].concat()).complains(&["--force"]);
    let done = place.arena_ends(0, &args);
    assert!(done.stdout.contains("accuracy by scripted engine (nodes=9)"), "{}", done.stdout);
    let rows = place.table("out/analysis.csv");
    let games = place.games("out", "max-plies=40");
    let moves: usize = games.iter().map(|game| game["plies"].parse::<usize>().unwrap() - 2).sum();
    assert_eq!(rows.len(), moves);
    assert!(rows.iter().any(|row| &row["mark"] == "??" && row["best"] != row["move"]));
    let page = fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("id=\"engine-accuracy\""));

    // Later reports need no engine, and the same one with the same limit is not asked again: it would
    // fail.
    let read = |name: &str| fs::read_to_string(place.path("out").join(name)).unwrap();
    let before = read("analysis.csv");
    place.arena_ends(0, &["report", "out"]);
    let failing = analyst("exit=3");
    let fails =
        |nodes| place.arena_ends(0, &["analyse", "out", "--engine", &failing, "--nodes", nodes]);
    assert!(!fails("9").stderr.contains("failed"));
    assert_eq!((read("analysis.csv"), read("report.html")), (before.clone(), page));
    // Another limit is another analysis, and a failure costs nothing that is known.
    fails("10").complains(&["the engine failed", "to retry"]);
    assert_eq!(read("analysis.csv"), before);
    place.arena_ends(0, &["analyse", "out", "--engine", &greedy, "--nodes", "10"]);
    assert_eq!(read("analysis.csv"), before.replace("nodes=9", "nodes=10"));
    // A config that has changed is an obstacle, as for other reports.
    let config = read("config.toml");
    fs::write(place.path("out/config.toml"), config.replace("rounds = 2", "rounds = 3")).unwrap();
    place.arena_ends(2, &args).complains(&["has changed since this tournament began", "--force"]);
    place.arena_ends(0, &[&args[..], &["--force"]].concat());
}
