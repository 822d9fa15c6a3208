//! The real bots and an engine in Python against each other, as processes, in everything there is
//! to play; every game replayed by the rules.

use crate::common;
use crate::programs;

use std::fs;
use std::path::Path;

use fanorona_protocol::rules::Ruleset;

/// A tournament of all four bots by nodes, with more of a config given.
fn config(more: &str) -> String {
    let engine = |name: &str, nodes: u32| {
        format!(
            "[[engine]]\nname = \"{name}\"\ncommand = \"bot-{name}\"\nlimit = \"nodes={nodes}\"\n"
        )
    };
    let engines = [("random", 1), ("greedy", 1), ("mcts", 60), ("alphabeta", 1500)];
    let engines = engines.map(|(name, nodes)| engine(name, nodes)).join("\n");
    format!("seed = 3\nrounds = 1\nconcurrency = 2\n{more}\n{engines}")
}

/// Plays a config and replays its games; gives how many there were.
fn play(config: &str, rules: &str) -> usize {
    common::build_bots();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("smoke.toml");
    fs::write(&path, config).unwrap();
    let out = dir.path().join("out");
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let run = common::arena(&["run", &text(&path), "--out", &text(&out), "--strict"]);
    let printed = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{:?}: {printed}", run.status);
    let rules: Ruleset = rules.parse().unwrap();
    for row in common::rows(&out.join("games.csv")) {
        assert_eq!(row.get("offender"), "", "game {}: {printed}", row.get("game"));
    }
    common::replay_all(&out.join("games.csv"), &rules)
}

#[test]
fn the_bots_and_a_python_engine_play_everything_without_a_fault() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("guides/examples/first_bot.py");
    let python = format!(
        "[[engine]]\nname = \"python\"\ncommand = \"python3\"\nargs = [{:?}]\nlegal_moves = true\n\
         limit = \"nodes=1\"\n",
        example.to_str().unwrap()
    );
    let has_python = programs::are_there(&["python3"], "the engine in Python");
    let (python, pairings) = if has_python { (&*python, 10) } else { ("", 6) };
    let kinds = "kinds = [\"riatra\", \"vela\", \"session\"]";
    let games = play(&format!("{}{python}", config(kinds)), "");
    // Every pairing has two games in riatra and in vela; a session has at least three games.
    assert!(games >= pairings * (2 + 2 + 2 * 3), "{games}");
}

#[test]
fn the_bots_play_other_boards_by_other_rules() {
    for (board, rules) in [
        ("dimy", "forced-continuation blocked-is-draw vela-starved=paika quiet=40"),
        ("left-right", "single-first-capture vela-must-offer vela-starter=creditor max-plies=60"),
        ("3x7", "vela-starved=debtor-loses repetition=2"),
    ] {
        let words = rules.split(' ').map(|word| match word.split_once('=') {
            None => format!("{word} = true\n"),
            Some((name, value)) if value.parse::<u32>().is_ok() => format!("{name} = {value}\n"),
            Some((name, value)) => format!("{name} = \"{value}\"\n"),
        });
        let table = format!("[rules]\n{}", words.collect::<String>());
        let more = format!("board = \"{board}\"\nkinds = [\"riatra\", \"vela\"]\n\n{table}");
        assert_eq!(play(&config(&more), rules), 6 * 2 * 2, "{board} {rules}");
    }
}

/// Their own management of time, as in most of the configs: no move of theirs is late.
#[test]
fn the_bots_play_by_time_without_a_fault() {
    let config = config("kinds = [\"riatra\", \"vela\"]\nmargin = \"10s\"\n");
    let timed = config.lines().map(|line| match line.strip_prefix("limit = ") {
        Some(_) => "limit = \"3ms\"\n".to_owned(),
        None => format!("{line}\n"),
    });
    assert_eq!(play(&timed.collect::<String>(), ""), 6 * 2 * 2);
}
