//! The program at the command line: what it prints where, and how it ends.

use std::process::{Command, Stdio};

use crate::place::{HEAD, Place};

#[test]
fn every_game_is_a_line_where_nobody_watches() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    let done = place.play(&config, "out");
    let mut lines: Vec<&str> = done.stderr.lines().collect();
    assert!(lines.remove(0).starts_with("note: sandbox: engines are kept from "));
    assert_eq!(lines.len(), 4, "{}", done.stderr);
    assert!(lines[0].contains("game 1 riatra: a - b "), "{}", lines[0]);
    assert!(lines[3].starts_with("[3/4]"), "{}", lines[3]);
    assert!(done.stdout.contains("riatra: 4 games in 2 pairs"), "{}", done.stdout);
}

#[test]
fn results_go_where_they_are_told() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    let done = place.arena_ends(0, &["run", &config, "--rounds", "1"]);
    // Named after the config and the time.
    let dir = done.last_line().strip_prefix("results: ").unwrap();
    assert!(dir.starts_with("results/t-2"), "{dir}");
    assert_eq!(place.games(dir, "max-plies=40").len(), 2);
}

#[test]
fn nobody_has_to_listen() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["run", &config, "--out", "out"])
        .current_dir(place.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop((arena.stdout.take(), arena.stderr.take()));
    assert_eq!(arena.wait().unwrap().code(), Some(0));
    assert_eq!(place.games("out", "max-plies=40").len(), 4);
}

#[test]
fn wrong_command_lines_are_usage() {
    let place = Place::new();
    for args in [
        &["run"][..],
        &["run", "t.toml", "--rounds", "0"],
        &["run", "t.toml", "--concurrency", "x"],
        &["rate"],
        &["rate", "games.csv", "--prior", "much"],
        &["walk"],
        &[],
    ] {
        assert_eq!(place.arena(args).code, Some(2), "{args:?}");
    }
    for args in [["--help"], ["--version"]] {
        assert_eq!(place.arena(&args).code, Some(0), "{args:?}");
    }
}
