//! `arena report`: writes the page and the tables of a results directory again, from its journal.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::error::CliError;
use super::exit::Exit;
use super::recorded::RecordedTournament;
use super::verify::Verifier;
use super::web;
use crate::terminal::output::{eprint_line, print_line};
use fanorona_pages::workspace;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::pairing::openings::Openings;
use fanorona_tournament::progress::Progress;
use fanorona_tournament::record::{Journal, Loss, Salvage};
use fanorona_tournament::text::plural::counted;

pub(super) const HELP: &str = "\
Examples:
  arena report results/full
  arena report results/full --verify
  arena report results/full --with-engine

The files that `arena run` wrote are written again, from the journal. With --verify, every game is first \
replayed by the rules: legal moves, the end and its reason, players and opening. A game that was changed \
is named with its line, even if its checksum is right. `arena analyse` finds the mistakes in the games.

With --with-engine, the report carries the engines: a browser that opens it can analyse its games, without a \
network or an installation. This adds about 1.7 MB. The next `arena run` or `arena report` without the \
option writes a report without them. `arena site --help` says where their modules of WebAssembly come from.";

#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// The results directory of the tournament
    dir: PathBuf,
    /// First replay every game by the rules and compare it with its record and the schedule
    #[arg(long)]
    verify: bool,
    /// Put the engines into the report, which then analyses its games in the browser
    #[arg(long)]
    with_engine: bool,
    /// The directory with the modules of WebAssembly [default: beside the arena, or target/web]
    #[arg(long, value_name = "DIR", requires = "with_engine")]
    modules: Option<PathBuf>,
    /// Write the report even if the config has changed since the tournament began
    #[arg(long)]
    force: bool,
}

pub(super) fn report(args: &ReportArgs) -> Result<Exit, CliError> {
    let ReportArgs { dir, verify: is_verified, with_engine, modules, force } = args;
    let files = with_engine.then(|| web::files(modules.as_deref(), &[])).transpose()?;
    let workspace = files.map(|files| workspace(files, packed));
    let recorded = RecordedTournament::read(dir, *force)?;
    if *is_verified {
        verify(dir, &recorded.tournament, &recorded.progress)?;
    }
    recorded.report(dir, workspace.as_ref())?;
    Ok(Exit::Done)
}

/// Bytes packed by gzip.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes).and_then(|()| out.finish()).expect("memory takes every byte")
}

/// Checks every game, and names the lines of those that are wrong.
fn verify(dir: &Path, tournament: &Tournament, progress: &Progress) -> Result<(), CliError> {
    let verifier = match Openings::load(tournament) {
        Ok(openings) => Verifier::with_schedule(tournament, progress, openings),
        Err(why) => {
            eprint_line(format_args!("note: openings and players are not verified: {why}"));
            Verifier::new(tournament)
        }
    };
    let Salvage { losses, games, .. } = Salvage::read(dir, |game| verifier.check(game))?;
    if losses.is_empty() {
        let games = counted(games as u64, "game", "games");
        print_line(format_args!("verified: {games}, by their moves, ends, players and openings"));
        return Ok(());
    }
    let path = Journal::path_in(dir);
    let line = |loss: &Loss| {
        let game = loss.game.as_ref().map_or(String::new(), |game| format!(" (game {game})"));
        format!("{}:{}{game}: {}", path.display(), loss.line, loss.why)
    };
    let mut lines: Vec<String> = losses.iter().take(MAX_LISTED).map(line).collect();
    if let more @ 1.. = losses.len().saturating_sub(MAX_LISTED) {
        lines.push(format!("and {more} more"));
    }
    let help = format!(
        "restore the journal from a backup, or copy the other games to a new directory and play \
         these again there: arena resume {} --salvage NEW",
        dir.display()
    );
    Err(CliError::with_help(Exit::Usage, lines.join("\n"), help))
}

/// The number of wrong games that are listed one by one.
const MAX_LISTED: usize = 100;
