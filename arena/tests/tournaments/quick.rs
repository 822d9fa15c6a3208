//! `arena quick`: tournaments without a config.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::common::{SCRIPT, scripted_engine};
use crate::tournaments::place::Place;

/// Makes a program in the place that is an engine with a script.
fn program(place: &Place, name: &str, script: &str) {
    let text = format!("#!/bin/sh\nexec env {}='{script}' '{}'\n", SCRIPT, scripted_engine());
    place.write(name, &text);
    fs::set_permissions(place.path(name), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn engines_meet_without_a_config() {
    let place = Place::new();
    program(&place, "ann", "");
    program(&place, "bob", "first");
    let args = ["quick", "./ann", "sh ./bob", "./ann", "--games", "3", "--limit", "depth=1"];
    let done = place.arena_ends(0, &args);
    let dir = done.last_line().strip_prefix("results: ").unwrap();
    assert!(dir.starts_with("results/quick-2"), "{dir}");
    assert!(done.stdout.contains(&format!("report: {dir}/report.html")), "{}", done.stdout);
    // Three pairings in two kinds, one pair each: three games become four, and a note says so.
    let note =
        "note: every two engines play 4 games, not 3: games come in pairs in each of 2 kinds";
    assert!(done.stderr.starts_with(note), "{}", done.stderr);
    let games = place.games(dir, "");
    assert_eq!(games.len(), 3 * 2 * 2);
    let names: BTreeSet<&str> = games.iter().map(|game| &*game["white"]).collect();
    assert_eq!(names, BTreeSet::from(["ann", "ann-2", "bob"]));
    // The sentences after the tables: both neighbours over all kinds, of which the first is the
    // result, and the first place in each kind.
    let said = |line: &&str| {
        let line = line.trim_start_matches("result: ");
        line.contains("is stronger than ") || line.starts_with("undecided ")
    };
    assert_eq!(done.stdout.lines().filter(said).count(), 4, "{}", done.stdout);
    // The tournament can be resumed, and played again.
    place.arena_ends(0, &["resume", dir]);
    place.arena_ends(0, &["run", &format!("{dir}/config.toml"), "--out", "again"]);
    assert_eq!(place.timeless("again"), place.timeless(dir));
}

#[test]
fn played_games_are_written_in_other_notations() {
    let place = Place::new();
    program(&place, "ann", "");
    let args = ["quick", "./ann", "./ann", "--games", "2", "--kind", "vela", "--limit", "nodes=1"];
    let more = ["--out", "out", "--seed", "7", "--concurrency", "1"];
    place.arena_ends(0, &[&args[..], &more].concat());
    let games = place.games("out", "");
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game["kind"] == "vela"));
    let config = fs::read_to_string(place.path("out/config.toml")).unwrap();
    for line in ["seed = 7", "concurrency = 1", "limit = \"nodes=1\"", "name = \"ann-2\""] {
        assert!(config.lines().any(|written| written == line), "{line}\n{config}");
    }
    let again = place.arena_ends(2, &[&args[..], &more].concat());
    again.complains(&["out already holds a tournament", "arena resume out"]);
}

#[test]
fn wrong_arguments_of_quick_are_refused() {
    let place = Place::new();
    program(&place, "ann", "");
    for args in [
        &["./ann"][..],
        &["./ann", "./ann", "--kind", "chess"],
        &["./ann", "./ann", "--limit", "fast"],
        &["./ann", "./ann", "--games", "0"],
    ] {
        assert_eq!(place.arena(&[&["quick"], args].concat()).code, Some(2), "{args:?}");
    }
    for option in ["--games", "--concurrency"] {
        let done = place.arena_ends(2, &["quick", "./ann", "./ann", option, "0"]);
        done.complains(&["'0'", option, "expected a whole number from 1 to 4294967295"]);
    }
    let unclosed = place.arena_ends(2, &["quick", "./ann", "./ann 'x"]);
    unclosed.complains(&["engine `./ann 'x`", "not closed"]);
    place.arena_ends(6, &["quick", "./ann", "./nobody"]).complains(&["program `./nobody`"]);
    assert!(!place.path("results").exists());
}

/// Board, rules, openings and kinds as a config has them.
#[test]
fn the_kind_of_a_quick_tournament_can_be_chosen() {
    let place = Place::new();
    program(&place, "ann", "");
    program(&place, "bob", "first");
    let play = |out: &str, args: &[&str]| {
        let quick = ["quick", "./ann", "./bob", "--games", "2", "--limit", "depth=1", "--out", out];
        place.arena_ends(0, &[&quick[..], args].concat());
    };
    play("small", &["--board", "5x5", "--rules", "max-plies=12", "--openings", "start"]);
    let games = place.games("small", "max-plies=12");
    assert_eq!(games.len(), 4, "two kinds");
    for game in &games {
        assert_eq!(game["start"].split(' ').next().unwrap().matches('/').count(), 4);
        assert_eq!(game["book"], "0");
        assert!(game["plies"].parse::<u32>().unwrap() <= 12);
    }
    play("named", &["--kinds", "riatra", "--openings", "named"]);
    assert!(place.games("named", "").iter().all(|game| !game["opening"].is_empty()));
    play("random", &["--kinds", "riatra,vela", "--openings", "random=3"]);
    assert!(place.games("random", "").iter().all(|game| game["book"] == "3"));
    place.write("lines.txt", "startpos e2e3A\n");
    play("file", &["--kind", "riatra", "--openings", "lines.txt"]);
    assert!(place.games("file", "").iter().all(|game| game["moves"].starts_with("e2e3A ")));
    for (args, part) in [
        (["--openings", "nowhere.txt"], "expected random, random=N, named, start, or the path"),
        (["--openings", "random=99"], "expected random=N"),
        (["--board", "4x4"], "4x4"),
        (["--rules", "quick"], "quick"),
    ] {
        let quick = ["quick", "./ann", "./bob"];
        place.arena_ends(2, &[&quick[..], &args].concat()).complains(&[part]);
    }
}
