//! Asks an oracle for the values of the positions of a tournament.

use std::path::Path;

use indicatif::ProgressBar;

use super::super::analyst::option;
use super::super::arguments::{engine_name, found};
use super::super::error::CliError;
use super::super::exit::Exit;
use super::super::prepare::{runtime, supervisors};
use super::super::recorded::RecordedTournament;
use crate::terminal::output::{eprint_line, warn_about_remarks};
use fanorona_engine::{Digests, Launch, LaunchOptions};
use fanorona_report::statistics::accuracy::file::{Entry, FILE, Reader, Values};
use fanorona_runner::oracle::{Oracle, OracleAnswer};
use fanorona_tournament::config;
use fanorona_tournament::record::{self, GameRecord, JournalError};
use fanorona_tournament::text::plural::counted;

/// Asks the oracle about every game that it has not valued yet, and saves the values. Values that
/// are known already stay, even after a failure.
pub(super) fn ask(
    dir: &Path,
    recorded: &RecordedTournament,
    command: &str,
    options: &[String],
) -> Result<(), CliError> {
    let mut engine =
        config::command_line(command).map_err(|why| CliError::new(Exit::Usage, why))?;
    engine.name = engine_name(&engine);
    engine.options = options.iter().map(|text| option(text)).collect::<Result<_, _>>()?;
    let here = std::env::current_dir().map_err(|why| CliError::new(Exit::Usage, why))?;
    let found = found(&engine, &here)?;
    // The oracle starts in the current directory, so that relative paths in its options mean what
    // the user expects.
    let launch_options = LaunchOptions::alone(&engine, recorded.tournament.rules);
    let patience = launch_options.quit_timeout;
    let supervisors = supervisors()?;
    let launch = Launch::new(&engine, found, launch_options, &supervisors, &Digests::default());
    let runtime = runtime()?;
    let asked = runtime.block_on(async {
        let started = Oracle::start(launch).await;
        let mut oracle = started.map_err(|why| CliError::from_start(&why, &why))?;
        warn_about_remarks(&engine.name, oracle.remarks());
        let asked = ask_all(dir, recorded, &mut oracle).await;
        oracle.quit().await;
        supervisors.gone(patience).await;
        Ok::<_, CliError>(asked)
    })?;
    asked.map_err(CliError::from)
}

async fn ask_all(
    dir: &Path,
    recorded: &RecordedTournament,
    oracle: &mut Oracle,
) -> Result<(), JournalError> {
    let mut journal = record::Reader::open(dir)?;
    let mut known = Reader::open(dir)?;
    let mut values = Values::begin(dir)?;
    let games = recorded.games();
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
        let answer = match oracle.ask(&game, &recorded.tournament.rules).await {
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
