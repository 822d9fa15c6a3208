//! Engines that join a tournament.

use std::fs;

use crate::tournaments::place::{HEAD, Place};

/// A round-robin of riatras.
fn head() -> String {
    HEAD.replace("\"match\"", "\"round-robin\"")
}

fn config(place: &Place, name: &str, engines: &[(&str, &str, &str)]) -> String {
    let engines: String =
        engines.iter().map(|(name, script, lines)| place.engine(name, script, lines)).collect();
    place.write(name, &format!("{}{engines}", head()))
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path(name)).unwrap()
}

/// The games of a tournament apart from their numbers, in order.
fn unnumbered(place: &Place, dir: &str) -> Vec<[String; 5]> {
    let columns = ["white", "black", "start", "moves", "result"];
    let mut games: Vec<_> = place
        .table(&format!("{dir}/games.csv"))
        .iter()
        .map(|row| columns.map(|column| row[column].clone()))
        .collect();
    games.sort();
    games
}

#[test]
fn engines_that_join_play_all_others() {
    let place = Place::new();
    let two = [("a", "", ""), ("b", "first", "")];
    let base = config(&place, "t.toml", &two);
    place.play(&base, "out");
    let before = place.table("out/games.csv").len();
    let journal = read(&place, "out/journal.jsonl");
    let more = place.engine("c", "greedy", "") + &place.engine("d", "", "");
    place.write("more.toml", &more);
    let done = place.arena_ends(0, &["extend", "out", "more.toml"]);
    assert!(done.stdout.contains("round-robin") || done.stdout.contains("24"), "{}", done.stdout);
    assert_eq!((before, place.table("out/games.csv").len()), (4, 6 * 4));
    // Old games stay as they are, line by line.
    let now = read(&place, "out/journal.jsonl");
    for line in journal.lines().skip(1) {
        assert!(now.contains(line));
    }
    place.write("last.toml", &place.engine("e", "first", "only = [\"a\"]"));
    place.arena_ends(0, &["extend", "out", "last.toml", "--concurrency", "3"]);
    assert_eq!(place.table("out/games.csv").len(), 7 * 4);
    // A tournament that has these engines from the start is the same to the byte.
    let five = [
        ("a", "", ""),
        ("b", "first", ""),
        ("c", "greedy", "joined = 1"),
        ("d", "", "joined = 1"),
        ("e", "first", "only = [\"a\"]\njoined = 2"),
    ];
    let whole = config(&place, "t.toml", &five);
    place.play(&whole, "whole");
    assert_eq!(place.timeless("out"), place.timeless("whole"));
    for file in ["standings.csv", "fit.csv"] {
        let read = |dir| place.timeless_file(&format!("{dir}/{file}"));
        assert_eq!(read("out"), read("whole"), "{file}");
    }
    place.arena_ends(0, &["resume", "out", "--strict"]);
}

/// Without `joined`, games have other numbers and engines other seeds. Openings are the same, and so
/// are the games of engines without randomness.
#[test]
fn without_randomness_the_games_are_those_of_any_order() {
    let place = Place::new();
    let engines = [("a", "greedy", ""), ("b", "first", ""), ("c", "first", "")];
    let base = config(&place, "t.toml", &engines[..2]);
    place.play(&base, "out");
    place.write("more.toml", &place.engine("c", "first", ""));
    place.arena_ends(0, &["extend", "out", "more.toml"]);
    let plain = config(&place, "t.toml", &engines);
    place.play(&plain, "plain");
    assert_eq!(unnumbered(&place, "out"), unnumbered(&place, "plain"));
    assert_ne!(place.timeless("out"), place.timeless("plain"));
}

#[test]
fn an_addition_that_was_killed_is_completed() {
    let place = Place::new();
    let base = config(&place, "t.toml", &[("a", "", ""), ("b", "first", "")]);
    place.play(&base, "out");
    let before = read(&place, "out/config.toml");
    place.write("more.toml", &place.engine("c", "first", ""));
    place.arena_ends(0, &["extend", "out", "more.toml"]);
    // As if the config had not been written any more.
    fs::write(place.path("out/config.toml"), before).unwrap();
    place.arena_ends(2, &["resume", "out"]).complains(&["has changed"]);
    place.arena_ends(0, &["extend", "out", "more.toml"]);
    place.arena_ends(0, &["resume", "out"]);
    assert_eq!(place.table("out/games.csv").len(), 12);
}

#[test]
fn engines_that_cannot_join_are_refused() {
    let place = Place::new();
    let base = config(&place, "t.toml", &[("a", "", ""), ("b", "first", "")]);
    place.arena_ends(0, &["run", &base, "--out", "out", "--rounds", "1"]);
    place.write("twice.toml", &place.engine("b", "", ""));
    place
        .arena_ends(2, &["extend", "out", "twice.toml"])
        .complains(&["two engines are named \"b\""]);
    place.write("odd.toml", "rounds = 3\n[[engine]]\nname = \"c\"\ncommand = \"x\"\n");
    place.arena_ends(2, &["extend", "out", "odd.toml"]).complains(&["unknown key `rounds`"]);
    place.arena_ends(2, &["extend", "out", "nothing.toml"]).complains(&["nothing.toml"]);
    place.arena_ends(2, &["extend", "out"]).complains(&["ENGINE", "--rounds"]);
    // Nothing has changed so far.
    place.arena_ends(0, &["extend", "out", "--rounds", "2"]);
    place.write("more.toml", &place.engine("c", "first", ""));
    place.arena_ends(0, &["extend", "out", "more.toml"]);
    assert_eq!(place.table("out/games.csv").len(), 12);
    place
        .arena_ends(2, &["extend", "out", "--rounds", "3"])
        .complains(&["a tournament that engines have joined cannot have more rounds"]);
    let cup = place.config(&HEAD.replace("\"match\"", "\"knockout\""), &[("a", ""), ("b", "")]);
    place.play(&cup, "cup");
    place
        .arena_ends(2, &["extend", "cup", "more.toml"])
        .complains(&["engines cannot join a knockout"]);
    let lines = [("a", "", "joined = 1"), ("b", "", "")];
    let wrong = config(&place, "t.toml", &lines);
    place.arena_ends(2, &["run", &wrong]).complains(&["order the engines by it from 0"]);
}
