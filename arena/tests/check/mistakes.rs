//! Every usual mistake is recognised, and its words come out.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::bad::{GOOD, Script};
use crate::{Told, check, python};

/// Has an engine fail a check, and looks for a part in the advice it gets.
fn fails(pieces: &[(&str, &str)], number: u64, advice: &str) -> Told {
    told(&Script::with(pieces), number, advice)
}

fn told(script: &Script, number: u64, advice: &str) -> Told {
    let told = Told::of(&script.command(), &["--timeout", "2s", "--only", &number.to_string()]);
    let check = told.check(number);
    assert_eq!(check["verdict"], "failed", "{advice}: {check:#}");
    let mend = check["finding"]["mend"].as_array().expect("advice");
    let found = mend.iter().any(|line| line.as_str().expect("a text").contains(advice));
    assert!(found, "{advice}: {check:#}");
    told
}

#[test]
fn the_good_one_passes_the_basic_level() {
    let script = Script::new(GOOD);
    let told = Told::of(
        &script.command(),
        &["--level", "basic", "--timeout", "60s", "--margin", "5s", "--positions", "4"],
    );
    assert_eq!((told.numbers("failed"), told.code), (vec![], Some(0)), "{:#}", told.report);
}

#[test]
fn answers_that_wait_in_a_buffer() {
    let buffered = [
        ("say() { printf '%s\\n' \"$1\"; }", "said=''\nsay() { said=\"$said$1\n\"; }"),
        ("exit 0", "printf '%s' \"$said\"; exit 0"),
    ];
    let told = fails(&buffered, 101, "flush after every line");
    assert_eq!((told.code, told.report["engine"]["started"].as_bool()), (Some(6), Some(false)));
}

#[test]
fn answers_that_wait_in_a_buffer_in_python() {
    let Some(command) = python("first_bot.py") else { return };
    let path = command.split('\'').nth(1).expect("a quoted path");
    let text = fs::read_to_string(path).expect("the example is there");
    let script = Script::new(&text.replace(", flush=True", ""));
    let engine = format!("python3 {}", script.path());
    let told = Told::of(&engine, &["--timeout", "5s", "--level", "basic"]);
    let mend = told.check(101)["finding"]["mend"][0].as_str().expect("advice");
    assert!(mend.contains("flush=True") && mend.contains("python3 -u"), "{mend}");
    // The first failure is explained, and nothing else is tried in vain.
    assert_eq!((told.code, told.numbers("failed")), (Some(6), vec![101]));
    assert!(told.checks().len() > 30);
}

#[test]
fn all_input_is_read_before_the_first_answer() {
    let script = Script::new("input=$(cat)\nprintf 'ugiok\\n'\n");
    told(&script, 101, "answer line by line");
}

/// The lines of a move come in one write; this engine asks the system for input that its own buffer
/// has taken already.
#[test]
fn waiting_with_select_on_a_buffered_stream() {
    let Some(command) = python("first_bot.py") else { return };
    let path = command.split('\'').nth(1).expect("a quoted path");
    let text = fs::read_to_string(path).expect("the example is there");
    let lines = "def lines():\n    while True:\n        select.select([sys.stdin], [], [])\n        \
                 line = sys.stdin.readline()\n        if not line:\n            return\n        \
                 yield line\n\n\nfor line in lines():";
    let text = text.replace("import sys", "import select\nimport sys");
    let script = Script::new(&text.replace("for line in sys.stdin:", lines));
    let engine = format!("python3 {}", script.path());
    let told = Told::of(&engine, &["--timeout", "2s", "--only", "711"]);
    let finding = &told.check(711)["finding"];
    let advice = finding["mend"].as_array().expect("advice");
    let named = advice.iter().any(|line| line.as_str().is_some_and(|line| line.contains("select")));
    assert!(named, "{finding:#}");
}

#[test]
fn a_bestmove_before_readyok() {
    let reversed = [
        ("isready) say readyok ;;", "isready) owed=readyok; [ $played ] || say readyok ;;"),
        ("ugi)", "position) played=1 ;;\n        ugi)"),
        ("answer \"$2\" ;;", "answer \"$2\"; say $owed ;;"),
    ];
    fails(&reversed, 711, "answer `isready` before the `go`");
}

#[test]
fn answers_on_standard_error() {
    let told =
        fails(&[("printf '%s\\n' \"$1\";", "printf '%s\\n' \"$1\" >&2;")], 101, "standard error");
    assert!(told.check(101)["finding"]["stderr"].as_str().unwrap().contains("ugiok"));
}

#[test]
fn answers_without_the_end_of_the_line() {
    fails(&[("say ugiok", "printf ugiok")], 101, "its line has no end");
}

#[test]
fn a_prompt() {
    fails(&[("say readyok", "printf '> '; say readyok")], 103, "a prompt or a banner");
}

#[test]
fn a_banner() {
    let banner = [("while read", "say 'Welcome to Shell 1.0'\nwhile read")];
    fails(&banner, 105, "no banner");
    fails(&[("while read", "printf 'Shell> '\nwhile read")], 102, "id name");
}

#[test]
fn the_wrong_case() {
    fails(&[("say ugiok", "say UGIOK")], 101, "upper and lower case differ");
    fails(&[("say readyok", "say ReadyOK")], 103, "upper and lower case differ");
    fails(&[("bestmove $1", "BestMove $1")], 405, "upper and lower case differ");
}

#[test]
fn words_of_uci_alone() {
    let uci = [("ugi)", "uci)"), ("say ugiok", "say uciok")];
    let told = fails(&uci, 101, "dialect = \"uci\"");
    assert_eq!(told.code, Some(6));
}

#[test]
fn no_readyok() {
    let pieces = [("isready) say readyok ;;", "")];
    let told = fails(&pieces, 103, "answer every line `isready`");
    assert_eq!(told.code, Some(5));
    // Without it nothing else can be learned, and nobody waits for it again and again.
    let script = Script::with(&pieces);
    let told = Told::of(&script.command(), &["--timeout", "2s", "--level", "basic"]);
    assert_eq!(told.numbers("failed"), [103]);
}

#[test]
fn what_cannot_be_checked_does_not_hide_why() {
    for (piece, number, why) in [
        ("say ugiok", 101, "as it does not complete the handshake"),
        ("say readyok", 103, "as it does not answer `isready`"),
    ] {
        let script = Script::with(&[(piece, ":")]);
        let output = check(&[&script.command(), "--timeout", "2s"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(&format!("{number}  FAILED")), "{text}");
        assert!(text.lines().last().unwrap().contains(why), "{text}");
        assert!(text.lines().count() < 25, "{text}");
    }
}

#[test]
fn one_command_and_gone() {
    fails(&[("say ugiok", "say ugiok; exit 0")], 103, "read commands in a loop");
}

#[test]
fn death_by_what_is_unknown() {
    let dies = [(
        "    esac",
        "        uginewgame|position|stop|setoption) ;;\n        *) echo 'Traceback: unknown' >&2; exit 1 ;;\n    esac",
    )];
    let told = fails(&dies, 1001, "died of an error of its own");
    let finding = &told.check(1001)["finding"];
    assert!(finding["stderr"].as_str().unwrap().contains("Traceback"), "{finding:#}");
    assert!(finding["got"].to_string().contains("exited with code 1"), "{finding:#}");
    assert!(finding["sent"].to_string().contains("banana"), "{finding:#}");
}

#[test]
fn death_by_an_empty_line() {
    fails(&[("    set -f", "    [ \"$line\" ] || exit 3\n    set -f")], 1002, "died of an error");
}

#[test]
fn lines_that_end_in_carriage_returns() {
    fails(&[("IFS=$(printf ' \\t\\r')", "IFS=' '")], 1003, "cut off blanks and `\\r`");
    fails(&[("'%s\\n'", "'%s\\r\\n'")], 110, "`\\n`, not `\\r\\n`");
}

#[test]
fn odd_bestmove_lines() {
    for (odd, advice) in [
        ("1. $1", "leave the number of the move out"),
        ("$1 ponder e5e4", "leave `ponder` out"),
        ("", "after `bestmove`"),
        ("(none)", "bestmove 0000"),
    ] {
        fails(&[("bestmove $1", &format!("bestmove {odd}"))], 405, advice);
    }
    let upper = ("bestmove $1\"", "bestmove $(printf %s \"$1\" | tr a-z A-Z)\"");
    fails(&[upper], 405, "upper and lower case differ: write it `");
}

#[test]
fn moves_that_may_not_be_played() {
    fails(&[("answer \"$2\"", "answer 0000")], 401, "bestmove resign");
    fails(&[("answer \"$2\"", "answer a1a2")], 401, "a capture has to be played");
    let unmarked = ("bestmove $1\"", "bestmove $(printf %s \"$1\" | tr -d AW)\"");
    fails(&[unmarked], 401, "a capture carries its mark");
}

#[test]
fn two_answers_to_one_question() {
    fails(
        &[("say \"bestmove $1\";", "say \"bestmove $1\"; say \"bestmove $1\";")],
        605,
        "`bestmove` once",
    );
}

#[test]
fn late_answers() {
    let script = Script::with(&[("bestmove $1\"", "bestmove $1$(sleep 1)\"")]);
    let told = Told::of(&script.command(), &["--only", "601", "--timeout", "20s"]);
    let finding = &told.check(601)["finding"];
    assert!(finding["expected"].as_str().unwrap().contains("margin of 100ms"), "{finding:#}");
}

#[test]
fn silence_after_go() {
    fails(&[("answer \"$2\"", ":")], 401, "answer with one of the words");
}

#[test]
fn living_on() {
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
        "when there is no more line",
    );
}

#[test]
fn the_wrong_exit_code() {
    let told = fails(&[("exit 0", "exit 7")], 1101, "exit with code 0");
    let finding = &told.check(1101)["finding"];
    assert!(finding["got"].to_string().contains("exited with code 7"), "{finding:#}");
}

#[test]
fn more_than_anybody_reads() {
    let endless = [("say ugiok", "head -c 3000000 /dev/zero | tr '\\0' x")];
    let told = fails(&endless, 101, "answer the line `ugi`");
    assert!(told.check(101)["finding"]["got"].to_string().contains("over 1 MiB"));
}

#[test]
fn a_script_that_nothing_runs() {
    let script = Script::new(GOOD);
    let mode = |mode| fs::set_permissions(script.path(), fs::Permissions::from_mode(mode)).unwrap();
    mode(0o644);
    let output = check(&[&format!("'{}'", script.path())]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{text}");
    assert!(text.contains("chmod +x"), "{text}");
    // Its first line is empty.
    mode(0o755);
    let told = Told::of(&format!("'{}'", script.path()), &["--level", "basic"]);
    assert_eq!((told.code, told.numbers("failed")), (Some(6), vec![101]));
    let mend = told.check(101)["finding"]["mend"][0].as_str().unwrap();
    assert!(mend.contains("#!/usr/bin/env python3"), "{mend}");
}

#[test]
fn a_program_that_is_not_there() {
    let output = check(&["no-such-bot --fast"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{text}");
    assert!(text.contains("no program `no-such-bot`") && text.contains("in quotes"), "{text}");
}

#[test]
fn the_story_of_a_failure_is_told_to_people() {
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
        "mend      say 0000 only where",
        "see       protocol/UGI.md, `go`, `stop` and `bestmove`",
        "basic  failed: 1 of 1 check: 405",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
