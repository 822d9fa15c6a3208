//! What tests of whole tournaments share.

mod bots;

use std::path::Path;
use std::process::{Command, Output};

use fanorona_protocol::rules::Ruleset;
use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::record::replay;

pub(crate) use bots::{SCRIPT, build_bots, scripted_engine};

/// Runs the arena with its output captured.
pub(crate) fn arena(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena")).args(args).output().expect("the arena runs")
}

/// The groups of the commands with their names, as the help lists them.
pub(crate) fn command_groups(help: &str) -> Vec<(String, Vec<String>)> {
    let (_, after) = help.split_once("\nPlay:\n").unwrap();
    let (listed, _) = after.split_once("\nOptions:\n").unwrap();
    let name = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let group = |section: &str| {
        let (heading, lines) = section.split_once(":\n").unwrap();
        (heading.to_owned(), lines.lines().filter(is_name).filter_map(name).collect())
    };
    format!("Play:\n{listed}").split("\n\n").map(group).collect()
}

/// One line of `games.csv` by its columns.
pub(crate) struct Row {
    columns: csv::StringRecord,
    fields: csv::StringRecord,
}

impl Row {
    /// The field of a column.
    pub(crate) fn get(&self, name: &str) -> &str {
        let column = self.columns.iter().position(|column| column == name);
        &self.fields[column.unwrap_or_else(|| panic!("there is a column {name}"))]
    }
}

/// The rows of a CSV file.
pub(crate) fn rows(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).expect("the file is there");
    let columns = reader.headers().expect("it has a first line").clone();
    let row = |fields: csv::Result<_>| Row { columns: columns.clone(), fields: fields.unwrap() };
    reader.records().map(row).collect()
}

/// Replays every game of a `games.csv` by the rules; gives how many there are.
pub(crate) fn replay_all(path: &Path, rules: &Ruleset) -> usize {
    let rows = rows(path);
    for row in &rows {
        let result: GameResult = row.get("result").parse().expect("a result");
        let reason = row.get("reason").parse().expect("a reason");
        let replayed = replay(rules, row.get("start"), row.get("moves"), result, reason);
        assert_eq!(replayed, Ok(()), "game {}", row.get("game"));
        let plies = row.get("moves").split(' ').filter(|mv| !mv.is_empty()).count();
        assert_eq!(row.get("plies"), plies.to_string(), "game {}", row.get("game"));
    }
    rows.len()
}
