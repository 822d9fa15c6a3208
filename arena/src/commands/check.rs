//! `arena check`: tests whether an engine follows the protocol.

use std::path::Path;
use std::time::Duration;

use super::error::{CliError, NO_DIRECTORY};
use super::exit::Exit;
use super::prepare::{runtime, supervisors};
use crate::terminal::output;
use clap::Args;
use fanorona_check::catalogue::CheckFilter;
use fanorona_check::{self, Level, Selection, Settings, Subject, json, show};
use fanorona_engine::LaunchOptions;
use fanorona_engine::raw_process::LaunchConfig;
use fanorona_protocol::rules::Ruleset;
use fanorona_tournament::config::{self, Places, Tournament};

pub(super) const HELP: &str = "\
Examples:
  arena check bot-greedy
  arena check \"python3 my_bot.py\"
  arena check \"python3 my_bot.py\" --level full
  arena check ./my-bot --only moves --only 601 --json
  arena check --list

ENGINE is looked up beside the arena, in the current directory and on PATH; put it in quotes if it \
has arguments. Level basic is the subset that a tournament needs of a bot with legal_moves = true; \
level full is all of protocol/UGI.md. A check that does not apply is skipped and does not affect \
the result. Exit codes: 0 passed at the requested level (default: basic); 5 failed; 6 the engine \
did not start.";

#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    /// The engine: a bot's name, or a command line in quotes
    #[arg(required_unless_present = "list")]
    engine: Option<String>,
    /// Run the checks of this level: basic or full [default: basic; with --only: full]
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Run only one group, or one check by its number; may be given several times
    #[arg(long, value_name = "GROUP|NUMBER")]
    only: Vec<CheckFilter>,
    /// Timeout for a response, at least 10s for the handshake
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = time)]
    timeout: Duration,
    /// How much a response may exceed its time limit
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = time)]
    margin: Duration,
    /// Number of positions of each kind for which legal moves are compared
    #[arg(long, value_name = "N", default_value_t = 40)]
    positions: u32,
    /// Seed for generating the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Let the engine use the network, as `sandbox_network = true` does: for an engine elsewhere
    #[arg(long)]
    network: bool,
    /// Print one JSON object instead of lines
    #[arg(long)]
    json: bool,
    /// List the checks without running any
    #[arg(long)]
    list: bool,
}

pub(super) fn check(args: &CheckArgs) -> Result<Exit, CliError> {
    let Some(command) = args.engine.as_deref().filter(|_| !args.list) else {
        output::print_wrapped(show::list());
        return Ok(Exit::Done);
    };
    let settings = Settings {
        timeout: args.timeout,
        start_timeout: args.timeout.max(Tournament::START_TIMEOUT),
        margin: args.margin,
        positions: args.positions,
        seed: args.seed,
    };
    tempfile::tempdir().map_err(|why| {
        let what = format!("cannot create a private directory for the engine: {why}");
        CliError::with_help(Exit::Storage, what, NO_DIRECTORY)
    })?;
    // Checks that are chosen one by one are of any level.
    let level = args.level.or(args.only.is_empty().then_some(Level::Basic));
    let selection = Selection { level, only: args.only.clone() };
    let subject = Subject::new(launch_config(command, args.network)?, command, settings);
    let shown = |entry: &fanorona_check::run::Entry| {
        if !args.json {
            output::print_wrapped(show::entry(entry));
        }
    };
    let report = runtime()?.block_on(fanorona_check::run(subject, &selection, shown));
    match args.json {
        true => output::print_line(json::report(&report)),
        false => output::print_wrapped(show::summary(&report)),
    }
    Ok(match report.passed() {
        true => Exit::Done,
        false if !report.started => Exit::EngineStart,
        false => Exit::CheckFailed,
    })
}

/// Resolves the command of an engine from the command line, for its launch.
fn launch_config(command: &str, network: bool) -> Result<LaunchConfig, CliError> {
    let usage = |why: &dyn std::fmt::Display| CliError::new(Exit::Usage, why);
    let mut engine = config::command_line(command).map_err(|why| usage(&why))?;
    engine.sandbox_network = Some(network);
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
    let options = LaunchOptions::alone(&engine, Ruleset::default());
    Ok(LaunchConfig::new(&engine, found, &options, &supervisors()?))
}

/// Parses a duration from the command line.
pub(super) fn time(text: &str) -> Result<Duration, config::ParseDurationError> {
    config::duration(text)
}
