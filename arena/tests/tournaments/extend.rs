//! Tournaments that are extended to more rounds, or to more rounds and engines at once.

use std::fs;

use crate::tournaments::place::{HEAD, Place};

fn config(place: &Place) -> String {
    place.config(HEAD, &[("a", ""), ("b", "first")])
}

#[test]
fn an_extended_tournament_equals_one_with_all_its_rounds() {
    let place = Place::new();
    let config = config(&place);
    place.play(&config, "whole");
    place.arena_ends(0, &["run", &config, "--rounds", "1", "--out", "out"]);
    assert!(place.journalled("out") < place.journalled("whole"));
    place.arena_ends(0, &["extend", "out", "--rounds", "2"]);
    assert_eq!(place.timeless("out"), place.timeless("whole"));
    let read = |dir: &str| place.timeless_file(&format!("{dir}/standings.csv"));
    assert_eq!(read("out"), read("whole"));
    // The directory is one of two rounds from now on.
    place.arena_ends(0, &["resume", "out", "--strict"]);
    place.arena_ends(0, &["extend", "out", "--rounds", "2"]);
    place
        .arena_ends(2, &["extend", "out", "--rounds", "1000001"])
        .complains(&["--rounds 1000001 is too large", "at most 1000000 rounds"]);
    let done = place.arena_ends(2, &["extend", "out", "--rounds", "1"]);
    assert!(done.stderr.contains("2 rounds already"), "{}", done.stderr);
}

#[test]
fn an_extension_that_was_killed_is_completed() {
    let place = Place::new();
    let config = config(&place);
    place.arena_ends(0, &["run", &config, "--rounds", "1", "--out", "out"]);
    let before = fs::read_to_string(place.path("out/config.toml")).unwrap();
    place.arena_ends(0, &["extend", "out", "--rounds", "2"]);
    // As if the config had not been written any more.
    fs::write(place.path("out/config.toml"), before).unwrap();
    let done = place.arena_ends(2, &["resume", "out"]);
    assert!(done.stderr.contains("has changed"), "{}", done.stderr);
    place.arena_ends(0, &["extend", "out", "--rounds", "2"]);
    place.arena_ends(0, &["resume", "out"]);
}

#[test]
fn stages_and_shards_are_not_extended() {
    let place = Place::new();
    let head = HEAD.replace("\"match\"", "\"knockout\"");
    let config = place.config(&head, &[("a", ""), ("b", "first")]);
    place.arena_ends(0, &["run", &config, "--out", "cup"]);
    let done = place.arena_ends(2, &["extend", "cup", "--rounds", "2"]);
    assert!(done.stderr.contains("a knockout cannot be extended"), "{}", done.stderr);
}

/// Rounds come first, then engines join the tournament of that many rounds.
#[test]
fn rounds_and_engines_are_given_together() {
    let place = Place::new();
    let head = HEAD.replace("\"match\"", "\"round-robin\"");
    let two = [place.engine("a", "", ""), place.engine("b", "first", "")].concat();
    let config = place.write("t.toml", &format!("{head}{two}"));
    place.arena_ends(0, &["run", &config, "--rounds", "1", "--out", "out"]);
    let before = fs::read_to_string(place.path("out/config.toml")).unwrap();
    place.write("more.toml", &place.engine("c", "greedy", ""));
    let both = ["extend", "out", "more.toml", "--rounds", "2"];
    place.arena_ends(0, &both);
    let joined = place.engine("c", "greedy", "joined = 1");
    place.write("whole.toml", &format!("{head}{two}{joined}"));
    place.play("whole.toml", "whole");
    assert_eq!(place.timeless("out"), place.timeless("whole"));
    // As if the arena had been killed before it wrote the config.
    fs::write(place.path("out/config.toml"), before).unwrap();
    place.arena_ends(2, &["resume", "out"]).complains(&["has changed"]);
    place.arena_ends(0, &both);
    assert_eq!(place.timeless("out"), place.timeless("whole"));
    // Once engines have joined, there are no more rounds, with or without other engines.
    place.write("last.toml", &place.engine("d", "first", ""));
    place
        .arena_ends(2, &["extend", "out", "last.toml", "--rounds", "3"])
        .complains(&["engines have joined cannot have more rounds"]);
    let again = place.arena_ends(2, &both);
    again.complains(&["engines have joined cannot have more rounds", "play on: arena resume out"]);
    place.arena_ends(2, &["extend", "out"]).complains(&["ENGINE", "--rounds"]);
}
