//! The dialogues on the protocol's page, replayed with the engine they describe.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const PAGE: &str = "protocol/UGI.md";

/// A line of a dialogue, with its number on the page.
#[derive(Debug, PartialEq)]
enum Line<'p> {
    Manager(usize, &'p str),
    Engine(usize, &'p str),
}

/// The dialogues of a page: its fenced blocks of that name, without their notes.
fn dialogues(page: &str) -> Vec<Vec<Line<'_>>> {
    let mut dialogues: Vec<Vec<Line>> = Vec::new();
    let mut inside = false;
    for (index, line) in page.lines().enumerate() {
        let text = line.split("  #").next().unwrap_or_default().trim_end();
        let number = index + 1;
        if line == "```dialogue" {
            dialogues.push(Vec::new());
            inside = true;
        } else if line.starts_with("```") {
            inside = false;
        } else if let (true, Some(dialogue)) = (inside, dialogues.last_mut()) {
            match text.split_at_checked(2) {
                Some(("> ", command)) => dialogue.push(Line::Manager(number, command)),
                Some(("< ", reply)) => dialogue.push(Line::Engine(number, reply)),
                _ => assert!(line.starts_with('#'), "{PAGE}:{number} has no speaker: {line}"),
            }
        }
    }
    dialogues
}

/// Whether a line matches a pattern, in which `…` stands for any text.
fn matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            let mut tails = rest.char_indices().map(|(at, _)| &rest[at..]).chain([""]);
            tails.any(|tail| matches(after, tail))
        }),
    }
}

/// Sends the manager's lines and compares every line of the engine.
fn hold(dialogue: &[Line]) {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_bot-greedy"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the bot starts");
    let mut input = engine.stdin.take().expect("piped");
    let mut output = BufReader::new(engine.stdout.take().expect("piped"));
    for line in dialogue {
        match line {
            Line::Manager(_, command) => {
                input.write_all(format!("{command}\n").as_bytes()).expect("the bot reads");
            }
            Line::Engine(number, expected) => {
                let mut text = String::new();
                output.read_line(&mut text).expect("the bot speaks");
                let text = text.trim_end_matches('\n');
                assert!(matches(expected, text), "{PAGE}:{number}: `{expected}`, not `{text}`");
            }
        }
    }
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("the bot ends");
    assert_eq!(rest, "", "more than {PAGE} says");
    assert!(engine.wait().expect("the bot ends").success());
}

#[test]
fn the_bot_prints_the_dialogues_of_the_page() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(PAGE);
    let page = std::fs::read_to_string(path).expect("the page is there");
    let dialogues = dialogues(&page);
    assert_eq!(dialogues.len(), 2, "one of riatra, one of vela");
    for dialogue in &dialogues {
        assert!(matches!(dialogue.last(), Some(Line::Manager(_, "quit"))));
        hold(dialogue);
    }
}

#[test]
fn notes_are_not_part_of_a_line() {
    let page = "text\n```dialogue\n# a note\n> go nodes 5   # another\n< bestmove …\n```\n> no\n";
    let lines = vec![Line::Manager(4, "go nodes 5"), Line::Engine(5, "bestmove …")];
    assert_eq!(dialogues(page), [lines]);
}

#[test]
fn dots_match_any_text() {
    assert!(matches("info … pv e2e3A", "info depth 2 pv e2e3A"));
    assert!(matches("a…b…", "a b b c"));
    assert!(matches("…", ""));
    assert!(!matches("bestmove …", "bestmove"));
    assert!(!matches("nodes 5", "nodes 57"));
}
