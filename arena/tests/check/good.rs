//! Engines that pass, and how the program is used.

use std::fs;

use serde_json::{Value, json};

use crate::bad::Script;
use crate::bots::build_bots;
use crate::{ROOMY, Told, check, python};

#[test]
fn the_bots_pass_the_whole_page() {
    build_bots();
    for bot in ["bot-random", "bot-greedy", "bot-mcts", "bot-alphabeta"] {
        let told = Told::of(bot, &ROOMY);
        assert_eq!(told.numbers("failed"), [0_u64; 0], "{bot}: {:#}", told.report);
        assert_eq!((told.code, &told.report["passed"]), (Some(0), &json!(true)), "{bot}");
        // Nobody says `wdl` who has nothing to say; all else applies.
        assert!(told.numbers("skipped").len() <= 1, "{bot}: {:?}", told.numbers("skipped"));
    }
}

/// The same bot with one rule wrong.
#[test]
fn a_wrong_rule_is_found_out() {
    let Some(position) = python("position_bot.py") else { return };
    let text = fs::read_to_string(position.split('\'').nth(1).expect("a quoted path")).unwrap();
    for (right, wrong, check) in [
        ("there in visited or direction == last", "there in visited", 409),
        ("there in visited or direction == last", "direction == last", 409),
        ("for mark in \"AW\"", "for mark in \"A\"", 408),
        ("> 5", "> 6", 411),
        ("> 5", "> 4", 412),
        ("== \"true\":\n        # Who has", "== \"never\":\n        # Who has", 416),
        ("moves = offers or moves", "pass", 419),
    ] {
        let broken = text.replace(right, wrong);
        assert_ne!(broken, text, "{right}");
        let script = Script::new(&broken);
        let engine = format!("python3 '{}'", script.path());
        let only = check.to_string();
        let told = Told::of(&engine, &["--timeout", "60s", "--only", &only]);
        assert_eq!(told.numbers("failed"), [check], "{right}: {:#}", told.report);
    }
}

#[test]
fn one_json_object_says_it_all() {
    build_bots();
    let told = Told::of("bot-random", &["--only", "handshake", "--only", "803"]);
    let report = &told.report;
    assert_eq!((&report["version"], &report["level"]), (&json!(1), &json!("full")));
    let engine = &report["engine"];
    assert_eq!((&engine["command"], &engine["started"]), (&json!("bot-random"), &json!(true)));
    assert!(engine["name"].as_str().unwrap().starts_with("bot-random "));
    let first = told.check(101);
    assert_eq!((&first["group"], &first["level"]), (&json!("handshake"), &json!("basic")));
    assert_eq!(
        (&first["section"], &first["verdict"]),
        (&json!("Handshake and options"), &json!("passed"))
    );
    assert!(first["title"].is_string() && first["ms"].is_u64() && first["seen"].is_string());
    assert!(told.check(803)["why"].as_str().unwrap().contains("wdl"));
    let levels = report["levels"].as_array().unwrap();
    let words: Vec<&Value> = levels.iter().map(|level| &level["level"]).collect();
    assert_eq!(words, [&json!("basic"), &json!("full")]);
    let counted: u64 = ["passed", "failed", "skipped"]
        .map(|count| levels[1][count].as_u64().unwrap())
        .iter()
        .sum();
    assert_eq!(counted as usize, told.checks().len());
}

#[test]
fn people_get_a_line_for_every_check_and_the_sum_last() {
    build_bots();
    let output =
        check(&["bot-random", "--level", "basic", "--only", "handshake", "--timeout", "60s"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("  101  ok       handshake"), "{text}");
    let last = lines.last().unwrap();
    assert!(last.starts_with("basic  passed: all "), "{text}");
    assert_eq!(lines.iter().filter(|line| line.contains("  ok  ")).count(), 5, "{text}");
}

#[test]
fn the_list_needs_no_engine() {
    let output = check(&["--list"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.lines().count() >= 60
            && text.lines().all(|line| { line.contains(" basic ") || line.contains(" full ") })
    );
}

#[test]
fn wrong_command_lines_are_usage() {
    for (args, part) in [
        (&[][..], "required"),
        (&["bot", "--level", "middling"], "basic or full"),
        (&["bot", "--only", "everything"], "expected handshake, options"),
        (&["bot", "--only", "4711"], "no check 4711"),
        (&["bot", "--timeout", "soon"], "no time"),
        (&["'bot"], "never closed"),
    ] {
        let output = check(args);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(part), "{args:?}: {text}");
    }
}
