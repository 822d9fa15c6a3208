//! Every command at a terminal: a pseudo-terminal of 80 columns and 40 lines, with colours.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::Command;
use std::thread;

use nix::pty::{Winsize, openpty};

use crate::tournaments::every_command::{lines, names, place};
use crate::tournaments::place::Place;

const COLUMNS: u16 = 80;

/// Runs a command at a terminal, types `input`, and returns the exit code and everything that the
/// terminal received.
fn at_a_terminal(
    place: &Place,
    args: &[String],
    input: &str,
    variables: &[(&str, &str)],
) -> (Option<i32>, String) {
    let size = Winsize { ws_row: 40, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = openpty(&size, None).unwrap();
    let end = |fd: &OwnedFd| File::from(fd.try_clone().unwrap());
    let (stdin, stdout, stderr) = (end(&pty.slave), end(&pty.slave), end(&pty.slave));
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(args);
    let running = place.spawn_with(command, |command| {
        command.stdin(stdin).stdout(stdout).stderr(stderr);
        command.env_remove("NO_COLOR").env("TERM", "xterm-256color").env("LC_ALL", "C.UTF-8");
        command.envs(variables.iter().copied())
    });
    drop(pty.slave);
    let mut screen = File::from(pty.master);
    let mut keyboard = screen.try_clone().unwrap();
    let seen = thread::spawn(move || {
        let (mut bytes, mut some) = (Vec::new(), [0; 4096]);
        // When the last program at the terminal ends, reading fails.
        while let Ok(count @ 1..) = screen.read(&mut some) {
            bytes.extend_from_slice(&some[..count]);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    });
    keyboard.write_all(input.as_bytes()).unwrap();
    let code = running.wait().code;
    drop(keyboard);
    (code, seen.join().unwrap())
}

/// What the terminal shows, line by line, without the sequences that control it. All of them are
/// of the form that begins with ESC and `[`.
fn shown(received: &str) -> Vec<String> {
    let mut text = String::new();
    let mut letters = received.chars();
    while let Some(letter) = letters.next() {
        if letter == '\x1b' {
            assert_eq!(letters.next(), Some('['), "{received:?}");
            letters.find(|letter| letter.is_ascii_alphabetic()).unwrap();
        } else {
            text.push(letter);
        }
    }
    // A bar is drawn over and over.
    text.split(['\r', '\n']).map(str::to_owned).collect()
}

/// Escape sequences that became text.
const AS_TEXT: [&str; 5] = ["u{1b}", "x1b", "[0m", "[1;3", "[2m"];

/// Whether the edge of the terminal cuts a line between two letters. A bar is filled up with blanks
/// to the edge, and what is below it follows at once.
fn is_cut(line: &str) -> bool {
    let letters: Vec<char> = line.chars().collect();
    letters
        .chunks(COLUMNS.into())
        .zip(letters.chunks(COLUMNS.into()).skip(1))
        .any(|(before, after)| !before.ends_with(&[' ']) && !after.starts_with(&[' ']))
}

/// Commands whose output is data, which keeps its lines.
fn is_data(args: &[String]) -> bool {
    let has = |word: &str| args.iter().any(|arg| arg == word);
    let is_converter = ["generate", "convert"].contains(&&*args[0]) && !has("--help");
    is_converter || has("--dialogue") || has("--json")
}

#[test]
fn every_command_suits_a_terminal() {
    let place = place();
    let help = |name: String| (vec![name, "--help".to_owned()], "");
    let mut all: Vec<(Vec<String>, &str)> = lines();
    all.extend(names(&place).into_iter().map(help));
    all.push((vec!["--help".to_owned()], ""));
    all.push(help("generate".to_owned()));
    let mut wide = Vec::new();
    for (args, input) in all {
        let (code, received) = at_a_terminal(&place, &args, input, &[]);
        assert_eq!(code, Some(0), "{args:?}: {received}");
        for part in AS_TEXT {
            let found = shown(&received).into_iter().find(|line| line.contains(part));
            assert_eq!(found, None, "{args:?}");
        }
        let cut = shown(&received).into_iter().filter(|line| !is_data(&args) && is_cut(line));
        wide.extend(cut.map(|line| (args[0].clone(), line)));
        let coloured = ["show", "play", "diff"].contains(&&*args[0]) && !is_data(&args);
        let coloured = coloured || args.iter().any(|arg| arg == "--help");
        assert!(!coloured || received.contains("\x1b[1"), "{args:?}: {received:?}");
        // Work that takes long says how far it is.
        let says = |words: &str| assert!(received.contains(words), "{args:?}: {received:?}");
        match &*args[0] {
            "run" if !args.iter().any(|arg| arg == "--help") => says("/2 00:"),
            "puzzles" if !args.iter().any(|arg| arg == "--help") => says("game 1 of 1"),
            _ => {}
        }
    }
    assert!(wide.is_empty(), "lines are cut by the edge of the terminal: {wide:#?}");
}

#[test]
fn a_terminal_without_colours_gets_none() {
    let place = place();
    for (args, input) in lines() {
        if !["show", "play", "diff"].contains(&&*args[0]) {
            continue;
        }
        let (code, received) = at_a_terminal(&place, &args, input, &[("NO_COLOR", "1")]);
        assert_eq!(code, Some(0), "{args:?}: {received}");
        assert!(!received.contains("\x1b[1;3") && !received.contains("\x1b[2m"), "{received:?}");
    }
}

/// Names and comments of games may hold anything, at a terminal too.
#[test]
fn foreign_text_controls_no_terminal() {
    let place = place();
    let games = std::fs::read_to_string(place.path("out/games.csv")).unwrap();
    let odd = "a\x1b]0;owned\x07\u{9b}2J";
    place.write("out/odd.csv", &games.replace(",a,", &format!(",{odd},")));
    for args in [&["show", "out/odd.csv", "1"][..], &["rate", "out/odd.csv"]] {
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        let (code, received) = at_a_terminal(&place, &args, "q", &[]);
        assert_eq!(code, Some(0), "{received}");
        assert!(!received.contains("\x1b]") && !received.contains('\u{9b}'), "{received:?}");
    }
}
