//! Tests of engines that pass, and of the command line.

use std::fs;

use serde_json::{Value, json};

use crate::check::bad::Script;
use crate::check::{CheckRun, ROOMY, check, python};
use crate::common::build_bots;

#[test]
fn the_bots_pass_the_full_level() {
    build_bots();
    for bot in ["bot-random", "bot-greedy", "bot-mcts", "bot-alphabeta"] {
        let run = CheckRun::of(bot, &[&ROOMY[..], &["--level", "full"]].concat());
        assert_eq!(run.numbers("failed"), [0_u64; 0], "{bot}: {:#}", run.report);
        assert_eq!((run.code, &run.report["passed"]), (Some(0), &json!(true)), "{bot}");
        // Engines without win probabilities do not print `wdl`, those without a search do not
        // ponder; everything else applies.
        let searches = ["bot-mcts", "bot-alphabeta"].contains(&bot);
        let may_be_skipped = |number: &u64| *number == 803 || *number == 714 && !searches;
        let skipped = run.numbers("skipped");
        assert!(skipped.iter().all(may_be_skipped), "{bot}: {skipped:?}");
    }
}

/// The example bot with one wrong rule.
#[test]
fn a_wrong_rule_is_detected() {
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
        let run = CheckRun::of(&engine, &["--timeout", "60s", "--only", &only]);
        assert_eq!(run.numbers("failed"), [check], "{right}: {:#}", run.report);
    }
}

#[test]
fn the_json_report_is_one_object() {
    build_bots();
    let run = CheckRun::of("bot-random", &["--only", "handshake", "--only", "803"]);
    let report = &run.report;
    assert_eq!((&report["version"], &report["level"]), (&json!(1), &json!("full")));
    let engine = &report["engine"];
    assert_eq!((&engine["command"], &engine["started"]), (&json!("bot-random"), &json!(true)));
    assert!(engine["name"].as_str().unwrap().starts_with("bot-random "));
    let first = run.check(101);
    assert_eq!((&first["group"], &first["level"]), (&json!("handshake"), &json!("basic")));
    assert_eq!(
        (&first["section"], &first["verdict"]),
        (&json!("Handshake and options"), &json!("passed"))
    );
    assert!(first["title"].is_string() && first["ms"].is_u64() && first["seen"].is_string());
    assert!(run.check(803)["why"].as_str().unwrap().contains("wdl"));
    let levels = report["levels"].as_array().unwrap();
    let words: Vec<&Value> = levels.iter().map(|level| &level["level"]).collect();
    assert_eq!(words, [&json!("basic"), &json!("full")]);
    let counted: u64 = ["passed", "failed", "skipped"]
        .map(|count| levels[1][count].as_u64().unwrap())
        .iter()
        .sum();
    assert_eq!(counted as usize, run.checks().len());
}

#[test]
fn the_text_report_has_one_line_per_check_and_a_summary() {
    build_bots();
    let output =
        check(&["bot-random", "--level", "basic", "--only", "handshake", "--timeout", "60s"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("  101  ok       handshake"), "{text}");
    let [.., level, further, last] = &lines[..] else { panic!("{text}") };
    assert!(level.starts_with("basic  passed: all "), "{text}");
    assert!(further.starts_with("full   asks ") && further.ends_with(": --level full"), "{text}");
    assert!(last.starts_with("round trip ") && last.contains("margin"), "{text}");
    assert_eq!(lines.iter().filter(|line| line.contains("  ok  ")).count(), 4, "{text}");
}

/// A tournament needs no more; how much more there is is said.
#[test]
fn the_default_level_is_what_a_tournament_needs() {
    build_bots();
    let listed = String::from_utf8(check(&["--list"]).stdout).unwrap();
    let further = listed.lines().filter(|line| line.contains(" full ")).count();
    let output = check(&[&["bot-random"], &ROOMY[..]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("\nbasic  passed: all "), "{text}");
    assert!(
        text.contains(&format!("\nfull   asks {further} more checks: --level full\n")),
        "{text}"
    );
    assert_eq!(CheckRun::of("bot-random", &ROOMY).report["level"], "basic");
}

#[test]
fn the_list_does_not_need_an_engine() {
    let output = check(&["--list"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.lines().count() >= 60
            && text.lines().all(|line| { line.contains(" basic ") || line.contains(" full ") })
    );
}

#[test]
fn an_open_quote_in_the_command_is_a_usage_error() {
    let output = check(&["'bot"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("not closed"), "{text}");
}
