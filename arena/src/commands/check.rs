//! `arena check`: whether an engine does what the protocol page asks of it.

use std::path::Path;
use std::time::Duration;

use super::exit::Exit;
use super::prepare::{guards, runtime};
use super::refusal::CliError;
use crate::check::catalogue::Only;
use crate::check::{self, Level, Selection, Settings, Subject, json, show};
use crate::config::{self, Places, Tournament};
use crate::engine::raw_process::LaunchConfig;
use crate::terminal::output;
use clap::Args;

#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    /// A bot's name, or a command line
    #[arg(required_unless_present = "list")]
    engine: Option<String>,
    /// Run the checks of one level alone: basic or full
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Run one group, or one check by its number, alone; may be given several times
    #[arg(long, value_name = "GROUP|NUMBER")]
    only: Vec<Only>,
    /// How long an answer is waited for
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = time)]
    timeout: Duration,
    /// How far a time may be overstepped
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = time)]
    margin: Duration,
    /// Positions of every kind in which moves are compared
    #[arg(long, value_name = "N", default_value_t = 40)]
    positions: u32,
    /// The seed of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object instead of lines
    #[arg(long)]
    json: bool,
    /// Print the checks there are, and run none
    #[arg(long)]
    list: bool,
}

pub(super) fn check(args: &CheckArgs) -> Result<Exit, CliError> {
    let Some(command) = args.engine.as_deref().filter(|_| !args.list) else {
        output::prose(show::list());
        return Ok(Exit::Done);
    };
    let settings = Settings {
        timeout: args.timeout,
        margin: args.margin,
        positions: args.positions,
        seed: args.seed,
    };
    let selection = Selection { level: args.level, only: args.only.clone() };
    let subject = Subject::new(plug(command)?, command, settings);
    let shown = |entry: &check::run::Entry| {
        if !args.json {
            output::prose(show::entry(entry));
        }
    };
    let report = runtime()?.block_on(check::run(subject, &selection, shown));
    match args.json {
        true => output::say(json::report(&report)),
        false => output::prose(show::summary(&report)),
    }
    Ok(match report.passed() {
        true => Exit::Done,
        false if !report.started => Exit::EngineStart,
        false => Exit::CheckFailed,
    })
}

/// The program an engine on the command line means.
fn plug(command: &str) -> Result<LaunchConfig, CliError> {
    let usage = |why: &dyn std::fmt::Display| CliError::new(Exit::Usage, why);
    let engine = config::command_line(command).map_err(|why| usage(&why))?;
    let here = std::env::current_dir().map_err(|why| usage(&why))?;
    let (beside, path) = (std::env::current_exe().ok(), std::env::var_os("PATH"));
    let places = Places {
        arena: beside.as_deref().and_then(Path::parent),
        base: &here,
        path: path.as_deref(),
    };
    let found = config::resolve(&engine, &places).map_err(|why| {
        let help = why.help();
        CliError::with_help(Exit::EngineStart, why, help)
    })?;
    let surroundings = Tournament::new("check", here, Vec::new());
    Ok(LaunchConfig::new(&surroundings, &engine, found, &guards()?, |name| std::env::var_os(name)))
}

/// Reads a span of time of the command line.
pub(super) fn time(text: &str) -> Result<Duration, config::ParseDurationError> {
    config::duration(text)
}
