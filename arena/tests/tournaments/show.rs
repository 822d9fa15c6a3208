//! Games replayed for people.

use std::fs;

use crate::tournaments::place::{HEAD, Place};

/// A directory with riatras 1 and 2, and session 3.
fn played() -> Place {
    let place = Place::new();
    let head = HEAD
        .replace("[\"riatra\"]", "[\"riatra\", \"session\"]")
        .replace("rounds = 2", "rounds = 1");
    let config = place.config(&head, &[("a", ""), ("b", "first")]);
    place.play(&config, "out");
    place
}

#[test]
fn where_nobody_presses_keys_the_whole_game_is_printed() {
    let place = played();
    let games = place.games("out", "max-plies=40");
    let plies: usize = games[0]["plies"].parse().unwrap();
    let shown = place.arena_ends(0, &["show", "out", "1", "--ascii"]).stdout;
    assert_eq!(shown.matches("game 1 riatra, ply ").count(), plies + 1);
    assert!(
        shown.starts_with(&format!("game 1 riatra, ply 0 of {plies}\nW a 22 - b b 22\n5 b---b"))
    );
    assert!(shown.contains(&format!("{}: ", games[0]["result"])), "{shown}");
    // No colours without a terminal.
    assert!(shown.is_ascii() && !shown.contains('\x1b'));
    // Only the journal has the times.
    assert!(shown.contains(" ms, score cp 25)"), "{shown}");
    let one = place.arena_ends(0, &["show", "out", "1", "--ply", "3"]).stdout;
    assert_eq!(one.matches("game 1").count(), 1);
    let third = games[0]["moves"].split(' ').nth(2).unwrap();
    assert!(one.contains(&format!(". {third}")), "{one}");
}

#[test]
fn games_are_shown_without_a_journal_too() {
    let place = played();
    place.arena_ends(0, &["convert", "out/games.csv", "-o", "games.fgn"]);
    let by_journal = place.arena_ends(0, &["show", "out", "3.1", "--ply", "2"]).stdout;
    fs::remove_file(place.path("out/journal.jsonl")).unwrap();
    for source in ["out", "out/games.csv", "games.fgn"] {
        let shown = place.arena_ends(0, &["show", source, "3.1", "--ply", "2"]).stdout;
        assert_eq!(shown, by_journal, "{source}");
    }
}

#[test]
fn a_game_that_is_not_there_is_told_which_are() {
    let place = played();
    for (args, expected) in [
        (&["out", "9"][..], "there is no game 9"),
        (&["out", "9"], "there is 1, 2, 3.1"),
        (&["out", "3"], "there is 3.1, 3.2"),
        (&["out", "0"], "`0` is not a game number"),
        (&["out", "1", "--ply", "900"], "has no ply 900"),
        (&["nowhere", "1"], "nowhere"),
        (&[".", "1"], "neither a journal nor a games.csv"),
    ] {
        let done = place.arena_ends(2, &[&["show"], args].concat());
        assert!(done.stderr.contains(expected), "{args:?}: {}", done.stderr);
    }
}

/// Names of a file may hold anything; neither a terminal nor a reader of the text sees more than
/// letters.
#[test]
fn names_in_files_are_only_letters() {
    let place = played();
    let odd = "a\x1b]0;owned\x07\u{9b}2J\u{202e}x\u{200b}";
    let path = place.path("out/games.csv");
    let text = fs::read_to_string(&path).unwrap();
    let games = place.write("out/odd.csv", &text.replace(",a,", &format!(",{odd},")));
    let safe = |text: &str| {
        let raw = |letter: char| {
            letter != '\n' && fanorona_tournament::text::safe_text::is_unsafe(letter)
        };
        assert!(!text.contains(raw), "{text:?}");
    };
    let done = place.arena_ends(0, &["show", &games, "1", "--ascii"]);
    safe(&done.stdout);
    assert!(done.stdout.contains("W a\\u{1b}]0;owned"), "{}", done.stdout);
    let fgn = place.arena_ends(0, &["convert", &games]).stdout;
    safe(&fgn);
    // FGN unescapes the values it reads, and writes the same file again.
    let fgn_path = place.write("out/odd.fgn", &fgn);
    assert_eq!(place.arena_ends(0, &["convert", &fgn_path, "--to", "fgn"]).stdout, fgn);
    safe(&place.arena_ends(0, &["convert", &fgn_path]).stdout);
    safe(&place.arena_ends(0, &["show", &fgn_path, "1", "--ascii"]).stdout);
}
