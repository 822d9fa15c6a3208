//! A person against an engine, the person's part coming from a script.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use fanorona_tournament::notation::fgn::Reader;

use crate::common::{SCRIPT, scripted_engine};
use crate::tournaments::place::Place;

/// What a game has come to.
struct Sitting {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Place {
    /// Begins to play against an engine that follows a script.
    fn begin(&self, script: &str, args: &[&str]) -> Child {
        let mark = self.text("");
        let command = format!(
            "env '{}={script}' 'MARK={}' '{}'",
            SCRIPT,
            mark.trim_end_matches('/'),
            scripted_engine()
        );
        let common = ["--ascii", "--limit", "depth=1", "--seed", "1"];
        self.begin_against(&command, &[&common, args].concat())
    }

    fn begin_against(&self, command: &str, args: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_arena"))
            .args(["play", command])
            .args(args)
            .current_dir(self.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Plays against an engine that follows a script; `lines` is the input.
    fn sit_down(&self, script: &str, args: &[&str], lines: impl AsRef<[u8]>) -> Sitting {
        self.sit(self.begin(script, args), lines.as_ref())
    }

    fn sit(&self, mut arena: Child, lines: &[u8]) -> Sitting {
        // The program may end before it reads all input.
        let _ = arena.stdin.take().unwrap().write_all(lines);
        let output = arena.wait_with_output().unwrap();
        assert!(self.processes().is_empty(), "{:?}", self.processes());
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let sitting = Sitting {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        };
        assert_eq!(sitting.code, Some(0), "{}\n{}", sitting.stdout, sitting.stderr);
        sitting
    }

    /// The moves and results of saved games.
    fn saved(&self, file: &str) -> Vec<(String, String)> {
        // Every game is replayed.
        self.arena_ends(0, &["convert", file]);
        let bytes = fs::read(self.path(file)).unwrap();
        let game = |game: Result<fanorona_tournament::notation::fgn::Game, _>| {
            let record = game
                .unwrap_or_else(|why: fanorona_tournament::notation::fgn::FgnError| panic!("{why}"))
                .record;
            let ending =
                format!("{} {}-{} {}", record.result, record.white, &record.black, record.reason);
            (record.moves, ending)
        };
        Reader::new(&bytes[..]).map(game).collect()
    }
}

#[track_caller]
fn assert_said(text: &str, words: &[&str]) {
    let mut rest = text;
    for word in words {
        match rest.find(word) {
            Some(at) => rest = &rest[at + word.len()..],
            None => panic!("`{word}` is not said, or not in this order:\n{text}"),
        }
    }
}

#[test]
fn a_game_is_played_to_its_end_and_saved() {
    let place = Place::new();
    let args = ["--rules", "max-plies=4", "--save", "game.fgn", "--name", "Soa"];
    let sitting = place.sit_down("first", &args, "e2\n1\n");
    assert_said(
        &sitting.stdout,
        &[
            "W Soa 22 - b scripted_engine",
            "5 b---b---b",
            "  1 d2e3A  2 d3e3A  3 d3e3W  4 e2e3A  5 f2e3A",
            "White to move> ",
            "1. e2e3A takes 2 stones",
            "1... ",
            "score cp 25)",
            "White to move> ",
            "1/2-1/2: draw; the game reached 4 plies",
            "1 game in game.fgn",
        ],
    );
    let games = place.saved("game.fgn");
    assert_eq!(games.len(), 1);
    assert!(games[0].0.starts_with("e2e3A "), "{}", games[0].0);
    assert_eq!(games[0].0.split(' ').count(), 4);
    assert!(
        games[0].1.starts_with("1/2-1/2 Soa-scripted_engine") && games[0].1.ends_with("max-plies")
    );
    let text = fs::read_to_string(place.path("game.fgn")).unwrap();
    assert!(text.contains("[Rules \"max-plies=4\"]") && text.contains("cp 25}"), "{text}");
}

#[test]
fn an_illegal_move_is_answered_by_the_legal_ones() {
    let place = Place::new();
    let lines = "d3e3\nh1\ne2f2A\n9\n\nd3e3w\nquit\n";
    let sitting = place.sit_down("first", &[], lines);
    assert_said(
        &sitting.stdout,
        &[
            "`d3e3` is ambiguous: d3e3A, d3e3W\nWhite to move> ",
            "`h1` is not a legal move here; the stones on these points can move: d2 d3 e2 f2",
            "`e2f2A` is not a legal move here; legal moves from e2: e2e3A",
            "move 9 does not exist: choose a number from 1 to 5",
            "type a move, its number, or `help`",
            "1. d3e3W takes 1 stone",
        ],
    );
}

#[test]
fn there_is_more_to_type_than_moves() {
    let place = Place::new();
    let lines = "undo\nhelp\nhint\nfen\nflip\nsave now.fgn\n4\nundo\nmoves\n5\nresign\n";
    let sitting = place.sit_down("first", &["--save", "end.fgn"], lines);
    let start = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1";
    assert_said(
        &sitting.stdout,
        &[
            "you have not played a move yet",
            "take back your last move",
            " would play ",
            start,
            "1 W---W",
            "  i   h   g",
            "1 game in now.fgn",
            "1. e2e3A",
            "1... ",
            // After undo the same moves are listed.
            "  1 d2e3A  2 d3e3A",
            "  1 d2e3A  2 d3e3A",
            "1. f2e3A",
            "0-1: scripted_engine",
            "won; you resigned",
        ],
    );
    let games = place.saved("end.fgn");
    assert!(games[0].0.starts_with("f2e3A ") && games[0].1.ends_with("resign"), "{games:?}");
    assert_eq!(place.saved("now.fgn")[0].0, "");
}

#[test]
fn a_player_with_black_moves_second_and_sees_the_board_from_there() {
    let place = Place::new();
    let sitting = place.sit_down("first", &["--side", "black"], "");
    assert_said(&sitting.stdout, &["1 W---W", "  i   h   g", "1. ", "Black to move> "]);
}

#[test]
fn an_engine_at_fault_loses() {
    let place = Place::new();
    for (script, told) in [
        ("illegal", "you won; "),
        ("abort", "was at fault, crash"),
        ("zero", "answered 0000 although there are legal moves"),
        ("resign", " resigned"),
    ] {
        let file = format!("{script}.fgn");
        let sitting = place.sit_down(script, &["--save", &file], "1\n");
        assert_said(&sitting.stdout, &["1-0: you won; ", told.trim_start_matches("you won; ")]);
        assert_eq!(place.saved(&file).len(), 1, "{script}");
    }
}

#[test]
fn a_hint_that_fails_ends_no_game() {
    let place = Place::new();
    let sitting = place.sit_down("abort", &[], "hint\nhint\nfen\n");
    // The engine is restarted each time.
    assert_said(&sitting.stdout, &["no hint: ", "no hint: ", " w - 0 1\n"]);
}

#[test]
fn a_session_goes_on_until_it_is_decided() {
    let place = Place::new();
    let args =
        ["--kind", "session", "--board", "telo", "--rules", "max-plies=2", "--save", "all.fgn"];
    let sitting = place.sit_down("first", &args, "1\n".repeat(40));
    assert_said(
        &sitting.stdout,
        &[
            "game 1 of the session: riatra; sets 0 for you, 0 against",
            "game 4 of the session: riatra; sets 0.5 for you, 0.5 against",
            "the session is over: a draw, sets 1.5 for you, 1.5 against, velas 0",
            "9 games in all.fgn",
        ],
    );
    assert_eq!(place.saved("all.fgn").len(), 9);
}

#[test]
fn a_killed_game_is_saved_as_far_as_it_was_played() {
    let place = Place::new();
    let mut arena = place.begin("first", &["--kind", "session", "--save", "game.fgn"]);
    let input = arena.stdin.as_mut().unwrap();
    input.write_all(b"1\nresign\n1\n").unwrap();
    let is_saved = || {
        let text = fs::read_to_string(place.path("game.fgn")).unwrap_or_default();
        text.matches("d2e3A").count() == 2
    };
    let begin = Instant::now();
    while !is_saved() {
        assert!(begin.elapsed() < Duration::from_secs(60), "it is not saved");
        sleep(Duration::from_millis(20));
    }
    arena.kill().unwrap();
    arena.wait().unwrap();
    let games = place.saved("game.fgn");
    assert_eq!(games.len(), 2, "{games:?}");
    assert!(games[0].1.ends_with("resign") && games[1].1.starts_with("* "), "{games:?}");
}

#[test]
fn a_file_that_exists_is_not_saved_to() {
    let place = Place::new();
    fs::write(place.path("old.fgn"), "precious").unwrap();
    for (args, code, told) in [
        (&["--save", "old.fgn"][..], 2, "cannot write old.fgn: it exists"),
        (&["--save", "missing/new.fgn"], 74, "cannot write missing/new.fgn"),
    ] {
        let output = place.begin("first", args).wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains(told), "{stderr}");
    }
    let sitting = place.sit_down("first", &[], "save old.fgn\nsave new.fgn\n1\nsave new.fgn\n");
    assert_said(
        &sitting.stdout,
        &["cannot write old.fgn: it exists", "1 game in new.fgn", "1 game in new.fgn"],
    );
    assert_eq!(fs::read_to_string(place.path("old.fgn")).unwrap(), "precious");
    assert!(!place.saved("new.fgn")[0].0.is_empty());
}

#[test]
fn input_that_is_no_text_ends_no_game() {
    let place = Place::new();
    let sitting = place.sit_down("first", &[], b"\xe9\nfen\n");
    assert_said(&sitting.stdout, &["is not a legal move here", " w - 0 1\n"]);
}

#[test]
fn undo_gives_the_engine_its_time_back() {
    let place = Place::new();
    // It repeats what it was asked as an error, which the arena prints.
    let engine = r#"while read -r word rest; do case $word in
        ugi) echo id name clock; echo ugiok ;;
        isready) echo readyok ;;
        go) echo "info error $rest"; sleep 0.3; echo bestmove "${rest##* }" ;;
        quit) exit ;;
    esac; done"#;
    fs::write(place.path("clock.sh"), engine).unwrap();
    let arena = place.begin_against("sh clock.sh", &["--limit", "3/9s", "--ascii"]);
    let sitting = place.sit(arena, b"1\nundo\n1\nundo\n1\n1\n");
    let times: Vec<&str> = sitting
        .stdout
        .lines()
        .filter_map(|line| line.split_once("p2time ")?.1.split(' ').next())
        .collect();
    assert_eq!(times[..3], ["9000"; 3], "{}", sitting.stdout);
    assert!(times[3].parse::<u32>().is_ok_and(|left| left < 8800), "{times:?}");
    assert_eq!(sitting.stdout.matches("movestogo 3").count(), 3, "{}", sitting.stdout);
}

#[test]
fn a_vela_begins_with_the_debtor() {
    let place = Place::new();
    let sitting = place.sit_down("first", &["--kind", "vela", "--rules", "quiet=1"], "e2\n1\n");
    assert_said(
        &sitting.stdout,
        &["W person 22 (debtor) - b scripted_engine", "1/2-1/2: draw; 1 ply without a capture"],
    );
}

#[test]
fn arguments_without_a_game_are_refused() {
    let place = Place::new();
    for (args, code, told) in [
        (&["play", "no-such-engine"][..], 6, "program `no-such-engine`"),
        (&["play", "'"], 2, "not closed"),
        (&["play", "true"], 6, "ugiok"),
        (&["play", "true", "--fen", "9/9 w"], 2, "not a board"),
        (&["play", "true", "--limit", "soon"], 2, "soon"),
        (&["play", "true", "--fen", "b2/3/2W w", "--kind", "vela"], 2, "cannot be used with"),
    ] {
        let done = place.arena_ends(code, args);
        assert!(done.stderr.contains(told), "{args:?}: {}", done.stderr);
    }
}
