//! What engines are told: the lines a scripted engine reads, as it wrote them down.

use std::fs;

use crate::tournaments::place::{HEAD, Place};

fn log(place: &Place, name: &str) -> Vec<String> {
    let text = fs::read_to_string(place.path(name)).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Plays `head` between two engines of which the first, with these lines, writes down what it
/// reads; gives that.
fn heard(place: &Place, head: &str, script: &str, lines: &str) -> Vec<String> {
    let log_file = place.text("log");
    let _ = fs::remove_file(&log_file);
    let listener = place.engine("listener", &format!("{script} log={log_file}"), lines);
    let other = place.engine("other", "", "");
    let config = place.write("t.toml", &format!("{head}{listener}{other}"));
    let _ = fs::remove_dir_all(place.path("out"));
    place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
    log(place, "log")
}

/// The lines that begin like this.
fn only<'l>(lines: &'l [String], beginning: &str) -> Vec<&'l str> {
    lines.iter().map(|line| &**line).filter(|line| line.starts_with(beginning)).collect()
}

#[test]
fn an_engine_hears_a_game_from_handshake_to_quit() {
    let place = Place::new();
    let head = HEAD.replace("rounds = 2", "rounds = 1");
    let lines = heard(&place, &head, "", "options = { hash = 8 }");
    assert_eq!(
        lines[..4],
        [
            "ugi",
            "setoption name Hash value 8",
            "setoption name Rules value max-plies=40",
            "isready"
        ]
    );
    assert!(lines[4].starts_with("setoption name Seed value "), "{}", lines[4]);
    assert_eq!(lines[5..7], ["uginewgame", "isready"]);
    assert!(lines[7].starts_with("position startpos moves "), "{}", lines[7]);
    assert_eq!(lines[8..10], ["isready", "go depth 1"]);
    assert_eq!(lines.last().unwrap(), "quit");
    let games = place.games("out", "max-plies=40");
    // The opening is sent as moves; later questions include every move so far.
    let moves: Vec<&str> = games[0]["moves"].split(' ').collect();
    let asked: Vec<&str> = only(&lines, "position ");
    for (line, plies) in asked.iter().zip((2..moves.len()).step_by(2)) {
        assert_eq!(*line, format!("position startpos moves {}", moves[..plies].join(" ")));
    }
    // One process plays both games, with a message before each.
    assert_eq!(only(&lines, "ugi").len(), 1 + games.len());
    assert_eq!(only(&lines, "uginewgame").len(), games.len());
    assert_eq!(only(&lines, "go ").len(), asked.len());
}

#[test]
fn seeds_are_of_the_game_and_the_engine() {
    let place = Place::new();
    let seeds = |head: &str| -> Vec<String> {
        let lines = heard(&place, head, "", "");
        only(&lines, "setoption name Seed").iter().map(|line| (*line).to_owned()).collect()
    };
    let first = seeds(HEAD);
    assert_eq!(first, seeds(HEAD));
    assert_eq!(first.len(), 4);
    for seed in &first {
        let number: u64 = seed.rsplit(' ').next().unwrap().parse().unwrap();
        assert!(number <= i64::MAX as u64);
        assert_eq!(first.iter().filter(|other| *other == seed).count(), 1);
    }
    assert_ne!(first, seeds(&format!("seed = 2\n{HEAD}")));
}

#[test]
fn only_the_standard_riatra_is_startpos() {
    let place = Place::new();
    let positions = |head: &str| -> Vec<String> {
        let lines = heard(&place, head, "", "");
        only(&lines, "position ").iter().map(|line| (*line).to_owned()).collect()
    };
    let all_begin = |lines: Vec<String>, beginning: &str| {
        assert!(
            !lines.is_empty() && lines.iter().all(|line| line.starts_with(beginning)),
            "{lines:?}"
        );
    };
    all_begin(positions(HEAD), "position startpos moves ");
    let vela = "position fen bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1 moves ";
    all_begin(positions(&HEAD.replace("riatra", "vela")), vela);
    let small = "position fen bbbbb/bbbbb/bW1bW/WWWWW/WWWWW w - 0 1 moves ";
    all_begin(positions(&format!("board = \"dimy\"\n{HEAD}")), small);
    let bare = positions(&HEAD.replace("source = \"random\", plies = 2", "source = \"start\""));
    assert_eq!(bare[0], "position startpos");
}

#[test]
fn the_usual_rules_are_not_spoken_of() {
    let place = Place::new();
    let head = HEAD.replace("rules = { max-plies = 40 }\n", "");
    let lines = heard(&place, &head.replace("rounds = 2", "rounds = 1"), "", "");
    assert!(only(&lines, "setoption name Rules").is_empty());
}

#[test]
fn openings_turn_an_engines_book_off() {
    let place = Place::new();
    let told = |head: &str, options: &str| -> Vec<String> {
        let lines = heard(&place, head, "book", options);
        only(&lines, "setoption name Book").iter().map(|line| (*line).to_owned()).collect()
    };
    let starts = HEAD.replace("source = \"random\", plies = 2", "source = \"start\"");
    let none = HEAD.replace("plies = 2", "plies = 0");
    assert!(starts != HEAD && none != HEAD);
    assert_eq!(told(HEAD, ""), ["setoption name Book value none"]);
    assert!(told(&starts, "").is_empty());
    assert!(told(&none, "").is_empty());
    let own = "options = { book = \"my.book\" }";
    assert_eq!(told(HEAD, own), ["setoption name Book value my.book"], "the config decides");
}

#[test]
fn an_engine_without_rules_is_told_the_legal_moves() {
    let place = Place::new();
    let lines = heard(&place, HEAD, "blind bare", "legal_moves = true");
    assert!(only(&lines, "setoption").is_empty(), "it has no options");
    let asked = only(&lines, "go depth 1 searchmoves ");
    assert_eq!(asked.len(), only(&lines, "go").len());
    for game in place.games("out", "max-plies=40") {
        assert_eq!(game["offender"], "");
    }
}

#[test]
fn a_reply_that_is_expected_is_accepted_from_uci_engines_alone() {
    let place = Place::new();
    for (dialect, script, reason) in [
        ("uci", "uci expects", ""),
        ("ugi", "expects", "protocol"),
        ("uci", "uci words", "illegal"),
    ] {
        let told = place.engine("told", script, &format!("dialect = \"{dialect}\""));
        let other = place.engine("other", "first", "");
        let config = place.write("t.toml", &format!("{HEAD}{told}{other}"));
        place.play(&config, &format!("{dialect} {script}"));
        for game in place.games(&format!("{dialect} {script}"), "max-plies=40") {
            let offender = if reason.is_empty() { "" } else { "told" };
            assert_eq!(game["offender"], offender, "{dialect} {script}: {game:?}");
            assert!(reason.is_empty() || game["reason"] == reason, "{dialect} {script}: {game:?}");
        }
    }
}

#[test]
fn uci_is_a_matter_of_words() {
    let place = Place::new();
    let head = HEAD.replace("depth=1", "5s+0.1s");
    let lines = heard(&place, &head, "uci", "dialect = \"uci\"");
    assert_eq!((&*lines[0], only(&lines, "ugi").len()), ("uci", 0));
    assert_eq!(only(&lines, "ucinewgame").len(), 4);
    assert_eq!(only(&lines, "go ").len(), only(&lines, "go wtime ").len());
}
