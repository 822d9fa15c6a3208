//! `arena report`: the page and the CSV files of a results directory, from its journal, and what an
//! oracle says of its games.

use std::path::Path;

use indicatif::ProgressBar;

use super::arguments::engine_name;
use super::exit::Exit;
use super::prepare::{guards, runtime};
use super::refusal::CliError;
use super::run;
use crate::config::{self, EngineConfig, Overrides, Places, Tournament};
use crate::engine::{Digests, Launch};
use crate::record::{self, Contents, GameRecord, Index, Journal, JournalError};
use crate::report::{html, terminal, write};
use crate::statistics::accuracy::ask::{Answer, Oracle};
use crate::statistics::accuracy::file::{Entry, FILE, Reader, Values};
use crate::terminal::output::{say, tell, warn_of_remarks};
use crate::terminal::screen;
use crate::text::plural::counted;
use crate::tournament::progress::Progress;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// The results directory of the tournament
    dir: PathBuf,
    /// Ask an engine that knows endings who threw away a win or a draw: a bot's name, or a command
    /// line
    #[arg(long, value_name = "ENGINE")]
    oracle: Option<String>,
    /// Set an option of that engine; may be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "oracle")]
    option: Vec<String>,
    /// Report although the config is not the one the tournament began with
    #[arg(long)]
    force: bool,
}

pub(super) const HELP: &str = "\
Examples:
  arena report results/full
  arena report results/full --oracle bot-alphabeta --option EndgameTables=tables

Both write again what `arena run` has written, from the journal. With --oracle an engine is first asked \
for the value of every position the players had to play in (`query value`): what it knows is kept in \
values.csv, and standings.csv, report.html and the last table tell from then on who threw away a win \
or a draw. Games it has been asked about are not asked about again. ENGINE is looked for beside the \
arena, in the current directory and on PATH; with arguments it goes in quotes.";

pub(super) fn report(args: &ReportArgs) -> Result<Exit, CliError> {
    let dir = &args.dir;
    let tournament = run::load_results(dir, &Overrides::default())?;
    let contents = Journal::read(dir, tournament.names())?;
    run::began_with(dir, &tournament, &contents.header, args.force)?;
    run::note_the_end(dir, &contents);
    let Contents { header, index, .. } = contents;
    let mut course = Progress::of_journal(&tournament, &header);
    course.advance(&tournament, &index);
    if let Some(command) = &args.oracle {
        let mut engine = oracle(command)?;
        engine.options = args.option.iter().map(|text| option(text)).collect::<Result<_, _>>()?;
        ask(dir, &tournament, &engine, &index, &course)?;
    }
    let results = write::write(dir, &tournament, &index, &course)?;
    if let Some(accuracy) = terminal::accuracy(&results.standings, screen::width()) {
        say(accuracy);
    }
    say(format_args!("report: {}", dir.join(html::FILE).display()));
    Ok(Exit::Done)
}

fn oracle(command: &str) -> Result<EngineConfig, CliError> {
    let mut engine =
        config::command_line(command).map_err(|why| CliError::new(Exit::Usage, why))?;
    engine.name = engine_name(&engine);
    Ok(engine)
}

/// An option of the oracle as the command line has it.
fn option(text: &str) -> Result<(String, String), CliError> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => {
            let why = format!("`--option {text}`: expected NAME=VALUE, like EndgameTables=tables");
            Err(CliError::new(Exit::Usage, why))
        }
    }
}

/// Asks an engine about every game it has not been asked about, and keeps what it says. Whatever
/// becomes of it, what is known already stays known.
fn ask(
    dir: &Path,
    tournament: &Tournament,
    engine: &EngineConfig,
    index: &Index,
    course: &Progress,
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
    // It works here and not where the config lies, so that paths mean what they mean to the user.
    let mut surroundings = Tournament::new("report", here, vec![engine.clone()]);
    surroundings.rules = tournament.rules;
    let guards = guards()?;
    let variable = |name: &str| std::env::var_os(name);
    let launch = Launch::new(&surroundings, engine, found, &guards, &Digests::default(), variable);
    let runtime = runtime()?;
    let asked = runtime.block_on(async {
        let started = Oracle::start(launch).await;
        let mut oracle = started.map_err(|why| CliError::new(Exit::EngineStart, why))?;
        warn_of_remarks(&engine.name, oracle.remarks());
        let asked = ask_all(dir, tournament, &mut oracle, index, course).await;
        oracle.quit().await;
        guards.gone(surroundings.quit_timeout).await;
        Ok::<_, CliError>(asked)
    })?;
    asked.map_err(CliError::from)
}

async fn ask_all(
    dir: &Path,
    tournament: &Tournament,
    oracle: &mut Oracle,
    index: &Index,
    course: &Progress,
) -> Result<(), JournalError> {
    let mut journal = record::Reader::open(dir)?;
    let mut known = Reader::open(dir)?;
    let mut values = Values::begin(dir)?;
    let games: Vec<_> = index.games().iter().filter(|game| course.counts(game)).collect();
    let bar = ProgressBar::new(games.len() as u64);
    let mut unanswered = 0_u64;
    // Positions it was asked about, and games in which it knew the value of one.
    let (mut positions, mut known_games) = (0, 0_u64);
    let asked = |game: &GameRecord| game.plies().saturating_sub(game.book as usize);
    for game in games {
        bar.inc(1);
        let game = journal.game(game.offset)?;
        let before = known.of(&game)?;
        // How a game ends by the rules is known without an oracle.
        let knows = |entry: &Entry| (0..game.plies()).any(|ply| entry.values.after(ply).is_some());
        if let Some(entry) = before.as_ref().filter(|entry| entry.oracle == oracle.identity()) {
            positions += asked(&game);
            known_games += u64::from(knows(entry));
            values.add(&game, entry)?;
            continue;
        }
        let answer = match oracle.ask(&game, &tournament.rules).await {
            Answer::Values(values) => {
                let entry = Entry { oracle: oracle.identity().to_owned(), values };
                positions += asked(&game);
                known_games += u64::from(knows(&entry));
                Some(entry)
            }
            Answer::Failed(failure) => {
                bar.suspend(|| {
                    tell(format_args!("game {}: the oracle failed: {failure}", game.id))
                });
                before
            }
            Answer::GivenUp => before,
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
        tell(format_args!(
            "warning: {} knows the value of none of the {asked} it was asked about, so nothing can be \
             said about accuracy; ask an engine that answers `query value` with exact values, such as \
             bot-alphabeta with --option EndgameTables=DIR (to ask the same engine with other options, \
             remove {} first)",
            oracle.identity(),
            dir.join(FILE).display()
        ));
    }
    if unanswered > 0 {
        let games = counted(unanswered, "game", "games");
        tell(format_args!(
            "nothing is known of {games}, in which the oracle failed: the same command asks again"
        ));
    }
    Ok(())
}
