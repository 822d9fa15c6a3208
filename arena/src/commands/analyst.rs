//! The engine of commands that analyse games, and its arguments. All requests to it go through here.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use fanorona_protocol::rules::{Move, Position, Ruleset};
use tokio::runtime::Runtime;

use super::arguments::{engine, engine_name, found};
use super::error::CliError;
use super::exit::Exit;
use super::prepare::{runtime, supervisors};
use crate::terminal::output::warn_about_remarks;
use fanorona_engine::{Digests, Engine, Launch, LaunchOptions, Supervisors};
use fanorona_runner::analysis::AnalysisError;
use fanorona_tournament::config::{EngineConfig, Limit, Tournament};
use fanorona_tournament::game::referee::not_legal;
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::text::table::plain_cell;

/// The time for which an engine without a time limit may search one position.
const STALL: Duration = Duration::from_secs(600);

/// The limit of an analysing engine.
#[derive(Args, Debug)]
pub(super) struct LimitArgs {
    /// Nodes that the engine searches per position; with one thread the result is the same every
    /// time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Another limit per position: 100ms, depth=8
    #[arg(long, value_name = "LIMIT", conflicts_with = "nodes")]
    limit: Option<Limit>,
}

impl LimitArgs {
    /// The limit, or this number of nodes if none is set.
    pub(super) fn limit(&self, nodes: u64) -> Result<Limit, CliError> {
        match self.limit {
            Some(Limit::Clock(_)) => Err(CliError::with_help(
                Exit::Usage,
                "--limit: a clock is for a whole game, and positions are analysed one by one",
                "set a time per position, like --limit 100ms, or --nodes 100000",
            )),
            Some(limit) => Ok(limit),
            None => Ok(Limit::Nodes(self.nodes.unwrap_or(nodes))),
        }
    }

    /// Whether the user has set a limit.
    pub(super) fn is_set(&self) -> bool {
        self.nodes.is_some() || self.limit.is_some()
    }
}

/// Parses `NAME=VALUE`.
pub(super) fn option(text: &str) -> Result<(String, String), CliError> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => {
            let why = format!("`--option {text}`: expected NAME=VALUE, like EndgameTables=tables");
            Err(CliError::new(Exit::Usage, why))
        }
    }
}

/// An engine that analyses. It starts in the current directory, so that relative paths in its
/// options mean what the user expects.
pub(super) struct Analyst {
    config: EngineConfig,
    here: PathBuf,
    runtime: Runtime,
    supervisors: Arc<Supervisors>,
    /// The running engine and the rules it was started with.
    running: Option<(Ruleset, Engine)>,
    name: String,
}

impl Analyst {
    /// Starts an engine from the command line.
    pub(super) fn start(
        command: &str,
        options: &[String],
        rules: Ruleset,
    ) -> Result<Analyst, CliError> {
        Analyst::start_beside(command, options, rules, supervisors()?)
    }

    /// The same in a process that has supervisors already.
    pub(super) fn start_beside(
        command: &str,
        options: &[String],
        rules: Ruleset,
        supervisors: Arc<Supervisors>,
    ) -> Result<Analyst, CliError> {
        let usage = |why: &dyn std::fmt::Display| CliError::new(Exit::Usage, why);
        let mut config = engine(command).map_err(|why| usage(&why))?;
        config.name = engine_name(&config);
        config.options = options.iter().map(|text| option(text)).collect::<Result<_, _>>()?;
        let here = std::env::current_dir().map_err(|why| usage(&why))?;
        let runtime = runtime()?;
        let name = config.name.clone();
        let mut analyst = Analyst { config, here, runtime, supervisors, running: None, name };
        analyst.run(rules)?;
        let (_, engine) = analyst.running.as_ref().expect("it was started");
        warn_about_remarks(&analyst.config.name, engine.remarks());
        if !engine.identity().is_empty() {
            analyst.name = plain_cell(engine.identity()).into_owned();
        }
        Ok(analyst)
    }

    /// The name the engine gives itself, or that of its program.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Makes sure that the engine runs with these rules.
    fn run(&mut self, rules: Ruleset) -> Result<(), CliError> {
        if self.running.as_ref().is_some_and(|(running, _)| *running == rules) {
            return Ok(());
        }
        self.end();
        let options = LaunchOptions { stall: STALL, ..LaunchOptions::alone(&self.config, rules) };
        let found = found(&self.config, &self.here)?;
        let digests = Digests::default();
        let launch = Launch::new(&self.config, found, options, &self.supervisors, &digests);
        let started = self.runtime.block_on(Engine::start(&launch));
        let engine = started.map_err(|why| CliError::from_start(&why, &why))?;
        self.running = Some((rules, engine));
        Ok(())
    }

    /// Sends the engine a request, after starting it if it failed before or knows other rules. An
    /// engine that fails is ended.
    pub(super) fn with<T>(
        &mut self,
        rules: Ruleset,
        ask: impl AsyncFnOnce(&mut Engine) -> Result<T, AnalysisError>,
    ) -> Result<Result<T, AnalysisError>, CliError> {
        self.run(rules)?;
        let (_, engine) = self.running.as_mut().expect("it runs now");
        let answer = self.runtime.block_on(ask(engine));
        if matches!(answer, Err(AnalysisError::Engine(_)))
            && let Some((_, engine)) = self.running.take()
        {
            self.runtime.block_on(engine.kill());
        }
        Ok(answer)
    }

    /// Ends the running engine.
    fn end(&mut self) {
        if let Some((_, engine)) = self.running.take() {
            self.runtime.block_on(engine.quit());
        }
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        self.end();
        let patience = Tournament::new("analyse", PathBuf::new(), Vec::new()).quit_timeout;
        self.runtime.block_on(self.supervisors.gone(patience));
    }
}

/// The start and the moves of a recorded game, checked by the rules.
pub(super) fn replayed(
    game: &GameRecord,
    rules: &Ruleset,
) -> Result<(Position, Vec<Move>), CliError> {
    let wrong = |why: &dyn std::fmt::Display| {
        CliError::new(Exit::Usage, format!("game {}: {why}", game.id))
    };
    let start: Position = game.start.parse().map_err(|why| wrong(&why))?;
    let (mut position, mut moves) = (start, Vec::new());
    for (index, word) in game.moves.split_ascii_whitespace().enumerate() {
        let number = index + 1;
        let mv: Move = word.parse().map_err(|why| wrong(&format_args!("move {number}: {why}")))?;
        position = position.play(rules, &mv).map_err(|why| {
            let why = not_legal(&position, rules, &mv, &why);
            wrong(&format_args!("move {number}: {why}"))
        })?;
        moves.push(mv);
    }
    Ok((start, moves))
}

/// The error for an engine whose replies hold no scores.
pub(super) fn no_scores(name: &str) -> CliError {
    CliError::with_help(
        Exit::Usage,
        format!("{name} reports no scores, so it cannot judge moves"),
        "use an engine that prints `info … score …` before `bestmove`, such as bot-alphabeta",
    )
}
