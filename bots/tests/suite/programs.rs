//! The command line of the programs.

use std::process::{Command, Output, Stdio};

const BOTS: [&str; 4] = [
    env!("CARGO_BIN_EXE_bot-random"),
    env!("CARGO_BIN_EXE_bot-greedy"),
    env!("CARGO_BIN_EXE_bot-mcts"),
    env!("CARGO_BIN_EXE_bot-alphabeta"),
];

fn run(program: &str, args: &[&str]) -> Output {
    Command::new(program).args(args).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The options of a handshake, and the name of the engine.
fn handshake(program: &str) -> (Vec<String>, String) {
    use std::io::Write;
    let mut bot =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    bot.stdin.take().unwrap().write_all(b"ugi\nquit\n").unwrap();
    let output = text(&bot.wait_with_output().unwrap().stdout);
    let option = |line: &str| {
        let rest = line.strip_prefix("option name ")?;
        Some(rest.split(" type ").next()?.to_owned())
    };
    let name = output.lines().find_map(|line| line.strip_prefix("id name ")).unwrap();
    (output.lines().filter_map(option).collect(), name.to_owned())
}

#[test]
fn a_bot_prints_its_name_and_options() {
    for program in BOTS {
        let (options, name) = handshake(program);
        assert!(options.len() >= 2, "{program}: {options:?}");
        let done = run(program, &["--help"]);
        let help = text(&done.stdout);
        assert!(done.status.success() && done.stderr.is_empty(), "{program}: {help}");
        assert!(help.starts_with("An engine for Fanorona. "), "{help}");
        assert!(help.contains("UGI") && help.contains("protocol/UGI.md"), "{help}");
        for option in options {
            assert!(help.contains(&format!("\n  {option} ")), "{program}: {option} in {help}");
        }
        let done = run(program, &["--version"]);
        assert_eq!((done.status.code(), text(&done.stdout)), (Some(0), format!("{name}\n")));
    }
}

#[test]
fn a_bot_rejects_other_arguments() {
    for program in BOTS {
        let done = run(program, &["--depth", "4"]);
        let why = text(&done.stderr);
        assert_eq!((done.status.code(), &*done.stdout), (Some(2), &b""[..]), "{why}");
        assert!(why.contains("--depth") && why.contains("--help"), "{why}");
    }
}
