//! `arena salvage`: a results directory whose journal is damaged, without the damage.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;

use super::exit::Exit;
use super::refusal::CliError;
use super::run::{began_with, load_results, resume_command, vacant};
use crate::config::Overrides;
use crate::pairing::shard::Shard;
use crate::record::storage::{storage, write_file};
use crate::record::{
    Contents, Header, Journal, JournalBuilder, Lock, Loss, Salvage, effective_config,
};
use crate::report::{html, terminal, write};
use crate::statistics::accuracy;
use crate::terminal::output::{prose, say, tell};
use crate::terminal::screen;
use crate::tournament::environment::Machine;
use crate::tournament::progress::Progress;

pub(super) const HELP: &str = "\
Example, when `arena resume results/full` says that the journal is damaged:
  arena salvage results/full --out results/full-2
  arena resume results/full-2

DIR is not changed. The new directory has its config, and every game whose line in the journal is \
undamaged; what is lost is listed with the line. `arena resume` plays the lost games again.";

#[derive(Args, Debug)]
pub(super) struct SalvageArgs {
    /// The results directory whose journal is damaged
    dir: PathBuf,
    /// The new results directory
    #[arg(long, value_name = "NEW")]
    out: PathBuf,
    /// Go on although the config is not the one the tournament began with
    #[arg(long)]
    force: bool,
}

/// The most losses that are listed one by one.
const MOST_LISTED: usize = 100;

pub(super) fn salvage(args: &SalvageArgs) -> Result<Exit, CliError> {
    let (dir, out) = (&args.dir, &args.out);
    vacant(out)?;
    let tournament = load_results(dir, &Overrides::default())?;
    let salvage = Salvage::read(dir)?;
    let header = match &salvage.header {
        Some(header) => {
            began_with(dir, &tournament, header, args.force)?;
            header.clone()
        }
        None => {
            let new = Header::new(&tournament.name, effective_config::checksum(&tournament));
            let header = new.for_shard(salvage.shard.unwrap_or(Shard::WHOLE));
            tell(format_args!(
                "note: the journal's header is damaged; the new one follows from {}, part {} of the \
                 tournament: check that this is the config of these games",
                dir.join(effective_config::CONFIG).display(),
                header.shard
            ));
            header
        }
    };
    list(&salvage.losses);

    fs::create_dir_all(out).map_err(|why| storage("create", out, why))?;
    let lock = Lock::take(out)?;
    vacant(out)?;
    effective_config::write_config(out, &tournament)?;
    if let Some(machine) = Machine::read(dir) {
        machine.write(out)?;
    }
    copy_values(dir, out)?;
    let mut journal = JournalBuilder::begin(lock.clone(), &header)?;
    salvage.write(&mut journal)?;
    journal.finish()?;

    let Contents { header, index, .. } = Journal::read(out, tournament.names())?;
    let mut course = Progress::of_journal(&tournament, &header);
    course.advance(&tournament, &index);
    let results = write::write(out, &tournament, &index, &course)?;
    prose(terminal::results(&results, screen::width()).trim_start());
    say(format_args!("report: {}", out.join(html::FILE).display()));
    say(format_args!("results: {}", out.display()));
    let games = salvage.games;
    let kept = if games == 1 { "1 game is".to_owned() } else { format!("{games} games are") };
    match course.missing(&tournament, &index) {
        0 => say(format_args!("{kept} kept, and none is missing")),
        missing => say(format_args!(
            "{kept} kept; {missing} of {} games and sessions are missing; play them: {}",
            course.schedule().len(),
            resume_command(out)
        )),
    }
    Ok(Exit::Done)
}

/// Says what cannot be saved.
fn list(losses: &[Loss]) {
    for Loss { line, game, why } in losses.iter().take(MOST_LISTED) {
        let game = game.as_ref().map_or(String::new(), |game| format!(" (game {game})"));
        tell(format_args!("lost: line {line}{game}: {why}"));
    }
    if let more @ 1.. = losses.len().saturating_sub(MOST_LISTED) {
        tell(format_args!("lost: {more} more"));
    }
}

/// Copies what an oracle has said: every row of it names the game it belongs to by a checksum.
fn copy_values(from: &Path, to: &Path) -> Result<(), CliError> {
    let path = from.join(accuracy::file::FILE);
    match fs::read(&path) {
        Ok(bytes) => Ok(write_file(&to.join(accuracy::file::FILE), &bytes)?),
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(()),
        Err(why) => Err(storage("read", &path, why).into()),
    }
}
