//! Tests that every usual mistake is recognised and gets its hint.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::check::bad::{GOOD, Script};
use crate::check::{CheckRun, check, python};

/// Checks that an engine fails a check and that its hint contains a text.
fn fails(pieces: &[(&str, &str)], number: u64, advice: &str) -> CheckRun {
    run(&Script::with(pieces), number, advice)
}

fn run(script: &Script, number: u64, advice: &str) -> CheckRun {
    let run = CheckRun::of(&script.command(), &["--timeout", "2s", "--only", &number.to_string()]);
    let check = run.check(number);
    assert_eq!(check["verdict"], "failed", "{advice}: {check:#}");
    let fix = check["finding"]["fix"].as_array().expect("advice");
    let found = fix.iter().any(|line| line.as_str().expect("a text").contains(advice));
    assert!(found, "{advice}: {check:#}");
    run
}

#[test]
fn the_correct_engine_passes_the_basic_level() {
    let script = Script::new(GOOD);
    let run = CheckRun::of(
        &script.command(),
        &["--level", "basic", "--timeout", "60s", "--margin", "5s", "--positions", "4"],
    );
    assert_eq!((run.numbers("failed"), run.code), (vec![], Some(0)), "{:#}", run.report);
}

#[test]
fn a_buffering_engine_is_told_to_flush() {
    let buffered = [
        ("say() { printf '%s\\n' \"$1\"; }", "said=''\nsay() { said=\"$said$1\n\"; }"),
        ("exit 0", "printf '%s' \"$said\"; exit 0"),
    ];
    let run = fails(&buffered, 101, "flush after every line");
    assert_eq!((run.code, run.report["engine"]["started"].as_bool()), (Some(6), Some(false)));
}

#[test]
fn a_buffering_python_engine_is_told_of_flush_true() {
    let Some(command) = python("first_bot.py") else { return };
    let path = command.split('\'').nth(1).expect("a quoted path");
    let text = fs::read_to_string(path).expect("the example is there");
    let script = Script::new(&text.replace(", flush=True", ""));
    let engine = format!("python3 {}", script.path());
    let run = CheckRun::of(&engine, &["--timeout", "5s", "--level", "basic"]);
    let fix = run.check(101)["finding"]["fix"][0].as_str().expect("advice");
    assert!(fix.contains("flush=True") && fix.contains("python3 -u"), "{fix}");
    // The first failure is explained, and no other check is attempted.
    assert_eq!((run.code, run.numbers("failed")), (Some(6), vec![101]));
    assert!(run.checks().len() > 30);
}

#[test]
fn reading_all_input_first_is_told_to_answer_line_by_line() {
    let script = Script::new("input=$(cat)\nprintf 'ugiok\\n'\n");
    run(&script, 101, "answer line by line");
}

/// The lines of a move come in one write. This engine waits for system input that is already in its
/// own buffer.
#[test]
fn select_on_a_buffered_stream_is_named_as_the_cause() {
    let Some(command) = python("first_bot.py") else { return };
    let path = command.split('\'').nth(1).expect("a quoted path");
    let text = fs::read_to_string(path).expect("the example is there");
    let lines = "def lines():\n    while True:\n        select.select([sys.stdin], [], [])\n        \
                 line = sys.stdin.readline()\n        if not line:\n            return\n        \
                 yield line\n\n\nfor line in lines():";
    let text = text.replace("import sys", "import select\nimport sys");
    let script = Script::new(&text.replace("for line in sys.stdin:", lines));
    let engine = format!("python3 {}", script.path());
    let run = CheckRun::of(&engine, &["--timeout", "2s", "--only", "711"]);
    let finding = &run.check(711)["finding"];
    let advice = finding["fix"].as_array().expect("advice");
    let named = advice.iter().any(|line| line.as_str().is_some_and(|line| line.contains("select")));
    assert!(named, "{finding:#}");
}

/// The example bot declares that it ponders, but answers `go ponder` like any other `go`.
#[test]
fn a_bestmove_before_ponderhit_must_be_held_back() {
    let Some(command) = python("position_bot.py") else { return };
    let path = command.split('\'').nth(1).expect("a quoted path");
    let text = fs::read_to_string(path).expect("the example is there");
    let rules = "say(\"option name Rules type string default\")";
    assert!(text.contains(rules));
    let ponder = "say(\"option name Ponder type check default false\")";
    let script = Script::new(&text.replace(rules, &format!("{rules}\n        {ponder}")));
    let engine = format!("python3 '{}'", script.path());
    let run = CheckRun::of(&engine, &["--timeout", "5s", "--only", "714"]);
    assert_eq!(run.numbers("failed"), [714], "{:#}", run.report);
    let finding = &run.check(714)["finding"];
    let fix = finding["fix"].as_array().expect("advice");
    assert!(fix.iter().any(|line| line.as_str().unwrap().contains("hold back")), "{finding:#}");
    let run = CheckRun::of(&command, &["--timeout", "5s", "--only", "714"]);
    assert_eq!(run.numbers("skipped"), [714], "it declares no Ponder");
}

#[test]
fn a_bestmove_before_readyok_is_told_to_follow_it() {
    let reversed = [
        ("isready) say readyok ;;", "isready) owed=readyok; [ $played ] || say readyok ;;"),
        ("ugi)", "position) played=1 ;;\n        ugi)"),
        ("answer \"$2\" ;;", "answer \"$2\"; say $owed ;;"),
    ];
    fails(&reversed, 711, "answer `isready` before the `go`");
}

#[test]
fn answers_on_standard_error_are_recognised() {
    let run =
        fails(&[("printf '%s\\n' \"$1\";", "printf '%s\\n' \"$1\" >&2;")], 101, "standard error");
    assert!(run.check(101)["finding"]["stderr"].as_str().unwrap().contains("ugiok"));
}

#[test]
fn an_answer_without_a_line_end_is_recognised() {
    fails(&[("say ugiok", "printf ugiok")], 101, "its line has no end");
}

#[test]
fn a_prompt_is_named_as_the_cause() {
    fails(&[("say readyok", "printf '> '; say readyok")], 103, "a prompt or a banner");
}

#[test]
fn a_banner_before_the_handshake_gets_its_hint() {
    let banner = [("while read", "say 'Welcome to Shell 1.0'\nwhile read")];
    fails(&banner, 105, "no banner");
    fails(&[("while read", "printf 'Shell> '\nwhile read")], 102, "id name");
}

/// The arena writes `isready` with every `go`, and the clock runs.
#[test]
fn a_slow_isready_counts_as_thinking() {
    fails(&[("isready) say", "isready) sleep 0.4; say")], 601, "check the clock");
}

#[test]
fn a_slow_start_is_no_unflushed_buffer() {
    let passes = Script::with(&[("while read", "sleep 2\nwhile read")]);
    let run = CheckRun::of(&passes.command(), &["--timeout", "1s", "--only", "101"]);
    assert_eq!(run.code, Some(0), "{:#}", run.report);
    let run = fails(&[("while read", "sleep 11\nwhile read")], 101, "start_timeout");
    let fix = run.check(101)["finding"]["fix"].to_string();
    assert!(!fix.contains("flush"), "{fix}");
}

#[test]
fn a_handshake_that_no_tournament_accepts_is_a_mistake() {
    let flood = "head -c 5000000 /dev/zero | tr '\\0' x | fold -w 1000; say; say ugiok";
    let run = fails(&[("say ugiok", flood)], 101, "print less");
    let finding = &run.check(101)["finding"];
    assert_eq!(finding["got"][0], "it printed more than 4 MiB before ugiok", "{finding:#}");
    assert_eq!(run.code, Some(6));
}

#[test]
fn many_lines_and_leading_blanks_are_no_mistake() {
    let many = "answer() { n=0; while [ $n -lt 1000 ]; do n=$((n+1)); say 'info depth 1'; done; \
                say \"  bestmove $1\"; }";
    let script = Script::with(&[("answer() { say \"bestmove $1\"; }", many)]);
    let run = CheckRun::of(&script.command(), &["--timeout", "20s", "--only", "1104"]);
    assert_eq!(run.code, Some(0), "{:#}", run.report);
}

#[test]
fn words_in_the_wrong_case_are_recognised() {
    fails(&[("say ugiok", "say UGIOK")], 101, "case-sensitive");
    fails(&[("say readyok", "say ReadyOK")], 103, "case-sensitive");
    fails(&[("bestmove $1", "BestMove $1")], 405, "case-sensitive");
}

#[test]
fn an_engine_with_only_uci_is_told_the_dialect() {
    let uci = [("ugi)", "uci)"), ("say ugiok", "say uciok")];
    let run = fails(&uci, 101, "dialect = \"uci\"");
    assert_eq!(run.code, Some(6));
}

#[test]
fn a_missing_readyok_skips_the_other_checks() {
    let pieces = [("isready) say readyok ;;", "")];
    let run = fails(&pieces, 103, "answer every line `isready`");
    assert_eq!(run.code, Some(5));
    // Without `readyok` the other checks are skipped, so that they do not wait for it again.
    let script = Script::with(&pieces);
    let run = CheckRun::of(&script.command(), &["--timeout", "2s", "--level", "basic"]);
    assert_eq!(run.numbers("failed"), [103]);
}

/// A traceback of Python on standard error.
const TRACEBACK: &str = "printf 'Traceback (most recent call last):\\n  File \"/a/bot.py\", line 4, in f\\n\
                         KeyError: 3\\n' >&2";

#[test]
fn errors_reported_with_moves_fail_and_name_the_exception() {
    let always =
        format!("answer() {{ {TRACEBACK}; say 'info error KeyError: 3'; say \"bestmove $1\"; }}");
    let seldom = format!(
        "n=0; answer() {{ n=$((n+1)); [ $((n % 10)) = 0 ] && {{ {TRACEBACK}; say 'info error KeyError: \
         3'; }}; say \"bestmove $1\"; }}"
    );
    for answer in [&*always, &*seldom] {
        let replaced = [("answer() { say \"bestmove $1\"; }", answer)];
        let run = fails(&replaced, 804, "correct `KeyError: 3` (bot.py, line 4)");
        let finding = &run.check(804)["finding"];
        assert!(finding["stderr"].as_str().unwrap().contains("line 4, in f"), "{finding:#}");
        assert!(finding["got"][0].as_str().unwrap().starts_with("an error in "), "{finding:#}");
        assert_eq!(run.code, Some(5));
    }
    // All moves of a run count, not only those of the check.
    let script = Script::with(&[("answer() { say \"bestmove $1\"; }", &*seldom)]);
    let run = CheckRun::of(
        &script.command(),
        &["--timeout", "20s", "--level", "basic", "--positions", "4"],
    );
    assert_eq!(run.numbers("failed"), [804], "{:#}", run.report);
}

#[test]
fn output_on_standard_error_is_no_mistake() {
    let answer =
        format!("answer() {{ {TRACEBACK}; say 'info string error'; say \"bestmove $1\"; }}");
    let script = Script::with(&[("answer() { say \"bestmove $1\"; }", &*answer)]);
    let run = CheckRun::of(&script.command(), &["--timeout", "20s", "--only", "804"]);
    let check = run.check(804);
    assert_eq!((run.code, &check["verdict"]), (Some(0), &"passed".into()), "{check:#}");
    let seen = check["seen"].as_str().unwrap();
    assert!(seen.starts_with("standard error in ") && seen.ends_with(" moves"), "{seen}");
}

#[test]
fn an_exception_that_ends_the_engine_is_named() {
    let crash = format!("answer() {{ {TRACEBACK}; exit 1; }}");
    let replaced = [("answer() { say \"bestmove $1\"; }", &*crash)];
    let run = fails(&replaced, 401, "it crashed with `KeyError: 3` (bot.py, line 4): correct that");
    let fix = run.check(401)["finding"]["fix"].to_string();
    assert!(!fix.contains("ignore what it does not know"), "{fix}");
}

#[test]
fn an_end_before_any_answer_is_shown_with_the_output() {
    for (text, got) in [
        ("read -r ugi; echo 'Error: no weights.bin'; exit 0", "`Error: no weights.bin`"),
        ("echo 'Error: no weights.bin'; exit 0", "`Error: no weights.bin`"),
        ("read -r ugi; printf 'Error: no weights.bin'; exit 0", "`Error: no weights.bin`"),
    ] {
        let run = run(&Script::new(text), 101, "before it answered anything");
        let finding = &run.check(101)["finding"];
        assert_eq!(finding["got"][0], got, "{finding:#}");
        assert_eq!(finding["got"][1], "it exited with code 0", "{finding:#}");
    }
    let both = Script::new("echo out; echo err >&2; exit 0");
    let run = run(&both, 101, "before it answered anything");
    let finding = &run.check(101)["finding"];
    assert_eq!((&finding["got"][0], &finding["stderr"]), (&"`out`".into(), &"err\n".into()));
}

#[test]
fn an_unreadable_option_is_quoted_and_not_called_missing() {
    let option = "say 'option name Seed type spin default 0.5'; say ugiok";
    let script = Script::with(&[("say ugiok", option)]);
    let line = "`option name Seed type spin default 0.5`";
    let run = CheckRun::of(&script.command(), &["--timeout", "5s", "--only", "options"]);
    let named = |check: &serde_json::Value| check.to_string().contains(line);
    assert!(named(run.check(201)), "{:#}", run.report);
    let skipped = run.checks().iter().filter(|it| it["verdict"] == "skipped" && named(it)).count();
    assert!(skipped > 0, "{:#}", run.report);
    let missing = "it does not declare the option Seed";
    assert!(!run.report.to_string().contains(missing), "{:#}", run.report);
}

#[test]
fn skipped_checks_do_not_hide_the_cause() {
    for (piece, number, why) in [
        ("say ugiok", 101, "handshake failed; the remaining checks were skipped"),
        ("say readyok", 103, "no response to `isready`; the remaining"),
    ] {
        let script = Script::with(&[(piece, ":")]);
        let output = check(&[&script.command(), "--timeout", "2s"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(&format!("{number}  FAILED")), "{text}");
        assert!(text.lines().last().unwrap().contains(why), "{text}");
        assert!(text.lines().count() < 25, "{text}");
    }
}

/// An engine that falls silent lets every further check wait for its whole timeout.
#[test]
fn three_time_outs_in_a_row_end_the_check() {
    // It answers no `go` at all; what does not ask for a move comes in between.
    let script = Script::with(&[("answer \"$2\" ;;", ": ;;")]);
    let args = ["--timeout", "300ms", "--only", "moves", "--only", "limits", "--only", "repeat"];
    let run = CheckRun::of(&script.command(), &args);
    assert_eq!(run.code, Some(5));
    assert_eq!(run.numbers("failed").len(), 3, "{:?}", run.numbers("failed"));
    let command = script.command();
    let output = check(&[&[&*command], &args[..]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let last = text.lines().last().unwrap();
    let skipped = run.numbers("skipped");
    let last_number = skipped.last().unwrap().to_string();
    assert!(last.starts_with("three time-outs in a row; the remaining checks were"), "{text}");
    assert!(last.contains(&format!(" to {last_number})")), "{text}");
}

#[test]
fn an_exit_after_one_command_is_told_to_loop() {
    fails(&[("say ugiok", "say ugiok; exit 0")], 103, "read commands in a loop");
}

#[test]
fn a_crash_at_an_unknown_command_shows_its_traceback() {
    let dies = [(
        "    esac",
        "        uginewgame|position|stop|setoption) ;;\n        *) echo 'Traceback: unknown' >&2; exit 1 ;;\n    esac",
    )];
    let run = fails(&dies, 1001, "it crashed");
    let finding = &run.check(1001)["finding"];
    assert!(finding["stderr"].as_str().unwrap().contains("Traceback"), "{finding:#}");
    assert!(finding["got"].to_string().contains("exited with code 1"), "{finding:#}");
    assert!(finding["sent"].to_string().contains("banana"), "{finding:#}");
}

#[test]
fn a_crash_at_an_empty_line_is_recognised() {
    fails(&[("    set -f", "    [ \"$line\" ] || exit 3\n    set -f")], 1002, "it crashed");
}

#[test]
fn carriage_returns_kept_or_printed_are_recognised() {
    fails(&[("IFS=$(printf ' \\t\\r')", "IFS=' '")], 1003, "remove spaces and `\\r`");
    fails(&[("'%s\\n'", "'%s\\r\\n'")], 110, "`\\n`, not `\\r\\n`");
}

#[test]
fn each_invalid_bestmove_line_gets_its_own_hint() {
    for (odd, advice) in [
        ("1. $1", "remove the move number"),
        ("$1 ponder e5e4", "remove `ponder`"),
        ("", "after `bestmove`"),
        ("(none)", "bestmove 0000"),
    ] {
        fails(&[("bestmove $1", &format!("bestmove {odd}"))], 405, advice);
    }
    let upper = ("bestmove $1\"", "bestmove $(printf %s \"$1\" | tr a-z A-Z)\"");
    fails(&[upper], 405, "moves are case-sensitive: write `");
}

#[test]
fn each_kind_of_illegal_move_gets_its_own_hint() {
    fails(&[("answer \"$2\"", "answer 0000")], 401, "bestmove resign");
    fails(&[("answer \"$2\"", "answer a1a2")], 401, "captures are mandatory");
    let unmarked = ("bestmove $1\"", "bestmove $(printf %s \"$1\" | tr -d AW)\"");
    fails(&[unmarked], 401, "a capture needs its mark");
}

#[test]
fn two_bestmoves_for_one_go_are_recognised() {
    fails(
        &[("say \"bestmove $1\";", "say \"bestmove $1\"; say \"bestmove $1\";")],
        605,
        "`bestmove` once",
    );
}

#[test]
fn a_late_answer_is_shown_with_the_margin() {
    let script = Script::with(&[("bestmove $1\"", "bestmove $1$(sleep 1)\"")]);
    let run = CheckRun::of(&script.command(), &["--only", "601", "--timeout", "20s"]);
    let finding = &run.check(601)["finding"];
    assert!(finding["expected"].as_str().unwrap().contains("margin of 100ms"), "{finding:#}");
}

#[test]
fn silence_after_go_gets_its_hint() {
    fails(&[("answer \"$2\"", ":")], 401, "answer with one of the words");
}

#[test]
fn an_engine_that_does_not_exit_is_told_when_to() {
    fails(
        &[
            ("quit) exit 0 ;;", "quit) ;;"),
            ("while read -r line; do", "while :; do read -r line || sleep 1"),
        ],
        1101,
        "leave the loop",
    );
    fails(
        &[("while read -r line; do", "while :; do read -r line || sleep 1")],
        1102,
        "exit when there are no more lines",
    );
}

#[test]
fn a_wrong_exit_code_is_named() {
    let run = fails(&[("exit 0", "exit 7")], 1101, "exit with code 0");
    let finding = &run.check(1101)["finding"];
    assert!(finding["got"].to_string().contains("exited with code 7"), "{finding:#}");
}

#[test]
fn a_line_over_one_mebibyte_is_reported_as_such() {
    let endless = [("say ugiok", "head -c 3000000 /dev/zero | tr '\\0' x")];
    let run = fails(&endless, 101, "answer the line `ugi`");
    assert!(run.check(101)["finding"]["got"].to_string().contains("over 1 MiB"));
}

#[test]
fn a_script_that_cannot_run_is_told_chmod_or_shebang() {
    let script = Script::new(GOOD);
    let mode = |mode| fs::set_permissions(script.path(), fs::Permissions::from_mode(mode)).unwrap();
    mode(0o644);
    let output = check(&[&format!("'{}'", script.path())]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{text}");
    assert!(text.contains("chmod +x"), "{text}");
    // The script does not have an interpreter line.
    mode(0o755);
    let run = CheckRun::of(&format!("'{}'", script.path()), &["--level", "basic"]);
    assert_eq!((run.code, run.numbers("failed")), (Some(6), vec![101]));
    let fix = run.check(101)["finding"]["fix"][0].as_str().unwrap();
    assert!(fix.contains("#!/usr/bin/env python3"), "{fix}");
}

#[test]
fn a_missing_program_is_named() {
    let output = check(&["no-such-bot --fast"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{text}");
    assert!(text.contains("program `no-such-bot`") && text.contains("quote a"), "{text}");
}

#[test]
fn the_text_report_shows_the_details_of_a_failure() {
    let script = Script::with(&[("answer \"$2\"", "answer 0000")]);
    let output = check(&[&script.command(), "--only", "405", "--timeout", "20s"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(5), "{text}");
    for part in [
        "405  FAILED",
        "sent      position startpos",
        "go nodes 100 searchmoves d3e3A",
        "expected  one of ",
        "got       `bestmove 0000`",
        "fix       print 0000 only if",
        "see       protocol/UGI.md, `go`, `stop` and `bestmove`",
        "basic  failed: 1 of 1 check: 405",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
