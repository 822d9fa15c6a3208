//! `arena report`: regenerates the page and the CSV files from the journal, and asks an oracle for
//! blunders.

use std::path::Path;

use indicatif::ProgressBar;

use super::arguments::engine_name;
use super::error::CliError;
use super::exit::Exit;
use super::prepare::{runtime, supervisors};
use super::run;
use crate::config::{self, EngineConfig, Overrides, Places, Tournament};
use crate::engine::{Digests, Launch};
use crate::record::{self, Contents, GameRecord, Index, Journal, JournalError};
use crate::report::{html, terminal, write};
use crate::statistics::accuracy::file::{Entry, FILE, Reader, Values};
use crate::terminal::output::{eprint_line, print_line, warn_about_remarks};
use crate::terminal::screen;
use crate::text::plural::counted;
use crate::tournament::oracle::{Oracle, OracleAnswer};
use crate::tournament::progress::Progress;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// The results directory of the tournament
    dir: PathBuf,
    /// Find blunders with an engine that knows endgames: a bot's name, or a command line in quotes
    #[arg(long, value_name = "ENGINE")]
    oracle: Option<String>,
    /// Set an option of the oracle; may be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "oracle")]
    option: Vec<String>,
    /// Regenerate the report even if the config has changed since the tournament began
    #[arg(long)]
    force: bool,
}

pub(super) const HELP: &str = "\
Examples:
  arena report results/full
  arena report results/full --oracle bot-alphabeta --option EndgameTables=tables

Both examples regenerate the files that `arena run` wrote, from the journal. With --oracle, the \
engine is first asked for the value of every position that a player had to move in (`query \
value`). The values are saved in values.csv. From then on standings.csv, report.html and the last \
table show which engine gave away a win or a draw. Games with saved values are not asked again. \
ENGINE is looked up beside the arena, in the current directory and on PATH; put it in quotes if it \
has arguments.";

pub(super) fn report(args: &ReportArgs) -> Result<Exit, CliError> {
    let dir = &args.dir;
    let tournament = run::load_results(dir, &Overrides::default())?;
    let contents = Journal::read(dir, tournament.names())?;
    run::check_config_unchanged(dir, &tournament, &contents.header, args.force)?;
    run::note_damaged_end(dir, &contents);
    let Contents { header, index, .. } = contents;
    let mut progress = Progress::of_journal(&tournament, &header);
    progress.advance(&tournament, &index);
    if let Some(command) = &args.oracle {
        let mut engine = oracle(command)?;
        engine.options = args.option.iter().map(|text| option(text)).collect::<Result<_, _>>()?;
        ask(dir, &tournament, &engine, &index, &progress)?;
    }
    let results = write::write_all_files(dir, &tournament, &index, &progress)?;
    if let Some(accuracy) = terminal::accuracy(&results.standings, screen::width()) {
        print_line(accuracy);
    }
    print_line(format_args!("report: {}", dir.join(html::FILE).display()));
    Ok(Exit::Done)
}

fn oracle(command: &str) -> Result<EngineConfig, CliError> {
    let mut engine =
        config::command_line(command).map_err(|why| CliError::new(Exit::Usage, why))?;
    engine.name = engine_name(&engine);
    Ok(engine)
}

/// Parses an option of the oracle from the command line.
fn option(text: &str) -> Result<(String, String), CliError> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => {
            let why = format!("`--option {text}`: expected NAME=VALUE, like EndgameTables=tables");
            Err(CliError::new(Exit::Usage, why))
        }
    }
}

/// Asks the oracle about every game that it has not valued yet, and saves the values. Values that
/// are known already stay, even after a failure.
fn ask(
    dir: &Path,
    tournament: &Tournament,
    engine: &EngineConfig,
    index: &Index,
    progress: &Progress,
) -> Result<(), CliError> {
    let here = std::env::current_dir().map_err(|why| CliError::new(Exit::Usage, why))?;
    let (beside, path) = (std::env::current_exe().ok(), std::env::var_os("PATH"));
    let places = Places {
        arena: beside.as_deref().and_then(Path::parent),
        base: &here,
        path: path.as_deref(),
    };
    let found = config::resolve(engine, &places).map_err(|why| {
        let help = why.help();
        CliError::with_help(Exit::EngineStart, why, help)
    })?;
    // The oracle starts in the current directory, so that relative paths in its options mean what
    // the user expects.
    let mut surroundings = Tournament::new("report", here, vec![engine.clone()]);
    surroundings.rules = tournament.rules;
    let supervisors = supervisors()?;
    let variable = |name: &str| std::env::var_os(name);
    let launch =
        Launch::new(&surroundings, engine, found, &supervisors, &Digests::default(), variable);
    let runtime = runtime()?;
    let asked = runtime.block_on(async {
        let started = Oracle::start(launch).await;
        let mut oracle = started.map_err(|why| CliError::new(Exit::EngineStart, why))?;
        warn_about_remarks(&engine.name, oracle.remarks());
        let asked = ask_all(dir, tournament, &mut oracle, index, progress).await;
        oracle.quit().await;
        supervisors.gone(surroundings.quit_timeout).await;
        Ok::<_, CliError>(asked)
    })?;
    asked.map_err(CliError::from)
}

async fn ask_all(
    dir: &Path,
    tournament: &Tournament,
    oracle: &mut Oracle,
    index: &Index,
    progress: &Progress,
) -> Result<(), JournalError> {
    let mut journal = record::Reader::open(dir)?;
    let mut known = Reader::open(dir)?;
    let mut values = Values::begin(dir)?;
    let games: Vec<_> = index.games().iter().filter(|game| progress.counts(game)).collect();
    let bar = ProgressBar::new(games.len() as u64);
    let mut unanswered = 0_u64;
    // Positions the oracle was asked about, and games in which it knew at least one value.
    let (mut positions, mut known_games) = (0, 0_u64);
    let asked = |game: &GameRecord| game.plies().saturating_sub(game.book as usize);
    for game in games {
        bar.inc(1);
        let game = journal.game(game.offset)?;
        let before = known.of(&game)?;
        // The value of a game's end follows from the rules alone and does not count.
        let knows = |entry: &Entry| (0..game.plies()).any(|ply| entry.values.after(ply).is_some());
        if let Some(entry) = before.as_ref().filter(|entry| entry.oracle == oracle.identity()) {
            positions += asked(&game);
            known_games += u64::from(knows(entry));
            values.add(&game, entry)?;
            continue;
        }
        let answer = match oracle.ask(&game, &tournament.rules).await {
            OracleAnswer::Values(values) => {
                let entry = Entry { oracle: oracle.identity().to_owned(), values };
                positions += asked(&game);
                known_games += u64::from(knows(&entry));
                Some(entry)
            }
            OracleAnswer::Failed(failure) => {
                bar.suspend(|| {
                    eprint_line(format_args!("game {}: the oracle failed: {failure}", game.id))
                });
                before
            }
            OracleAnswer::GivenUp => before,
        };
        match &answer {
            Some(entry) => values.add(&game, entry)?,
            None => unanswered += 1,
        }
    }
    bar.finish_and_clear();
    values.finish()?;
    if positions > 0 && known_games == 0 {
        let asked = counted(positions, "position", "positions");
        eprint_line(format_args!(
            "warning: {} knew the value of none of the {asked} it was asked about, so there are \
             no accuracy figures; use an engine that answers `query value` with exact values, \
             such as bot-alphabeta with --option EndgameTables=DIR (to ask the same engine with \
             other options, first delete {})",
            oracle.identity(),
            dir.join(FILE).display()
        ));
    }
    if unanswered > 0 {
        let games = counted(unanswered, "game", "games");
        eprint_line(format_args!(
            "no values for {games} in which the oracle failed; run the command again to retry"
        ));
    }
    Ok(())
}
