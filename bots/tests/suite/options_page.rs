//! `bots/OPTIONS.md` lists the options that the bots declare.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use fanorona_protocol::messages::{OptionKind, OptionSpec, Reply};

const PAGE: &str = "OPTIONS.md";

const BOTS: [(&str, &str); 4] = [
    ("bot-random", env!("CARGO_BIN_EXE_bot-random")),
    ("bot-greedy", env!("CARGO_BIN_EXE_bot-greedy")),
    ("bot-mcts", env!("CARGO_BIN_EXE_bot-mcts")),
    ("bot-alphabeta", env!("CARGO_BIN_EXE_bot-alphabeta")),
];

/// The options that a bot declares in its handshake, in their order.
fn declared(program: &str) -> Vec<OptionSpec> {
    let mut bot =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    bot.stdin.take().unwrap().write_all(b"ugi\nquit\n").unwrap();
    let output = String::from_utf8(bot.wait_with_output().unwrap().stdout).unwrap();
    let option = |line: &str| match line.parse() {
        Ok(Reply::Option(spec)) => Some(spec),
        _ => None,
    };
    output.lines().filter_map(option).collect()
}

/// The first four cells of an option's row: name, type, default and range.
fn cells(OptionSpec { name, kind }: &OptionSpec) -> [String; 4] {
    let code = |text: &dyn std::fmt::Display| format!("`{text}`");
    let (kind, default, range) = match kind {
        OptionKind::Check { default } => ("check", code(default), "`true`, `false`".to_owned()),
        OptionKind::Spin { default, min, max } => {
            ("spin", code(default), format!("{min} to {max}"))
        }
        OptionKind::Combo { default, choices } => {
            let choices: Vec<String> = choices.iter().map(|choice| code(choice)).collect();
            ("combo", code(default), choices.join(", "))
        }
        OptionKind::String { default } if default.is_empty() => {
            ("string", "empty".to_owned(), "any text".to_owned())
        }
        OptionKind::String { default } => ("string", code(default), "any text".to_owned()),
        OptionKind::Button => ("button", String::new(), String::new()),
    };
    [code(name), kind.to_owned(), default, range]
}

/// The first four cells of each row in the table of a bot's section.
fn rows(page: &str, bot: &str) -> Vec<[String; 4]> {
    let section = page.split("\n## ").find(|section| section.lines().next() == Some(bot));
    let section = section.unwrap_or_else(|| panic!("{PAGE} has no section `{bot}`"));
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| ")?.split(" | ").map(str::to_owned);
        Some(std::array::from_fn(|_| cells.next().unwrap_or_default()))
    };
    let rows = section.lines().filter_map(row);
    rows.filter(|[name, ..]: &[String; 4]| name.starts_with('`')).collect()
}

#[test]
fn the_page_lists_the_options_that_each_bot_declares() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(path).unwrap();
    for (name, program) in BOTS {
        let declared: Vec<_> = declared(program).iter().map(cells).collect();
        assert!(declared.len() > 1, "{name}");
        assert_eq!(rows(&page, name), declared, "{PAGE}, {name}");
    }
}
