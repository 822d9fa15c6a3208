//! `arena resume --salvage`: copies the undamaged games of a results directory with a damaged journal.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::directory::{Unfinished, load_results, resume_command};
use super::error::CliError;
use super::exit::Exit;
use super::verify::Verifier;
use crate::terminal::output::eprint_line;
use crate::terminal::patience::Patience;
use fanorona_report::statistics::accuracy;
use fanorona_report::write;
use fanorona_runner::session::{SessionError, check_config_unchanged, check_vacant};
use fanorona_tournament::analysis;
use fanorona_tournament::config::Overrides;
use fanorona_tournament::machine::Machine;
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::progress::Progress;
use fanorona_tournament::record::storage::{storage, write_file};
use fanorona_tournament::record::{
    Contents, Header, Journal, JournalBuilder, Lock, Loss, Salvage, effective_config,
};

/// The number of losses that are listed one by one.
const MAX_LISTED: usize = 100;

/// Copies the undamaged games of `dir`, which is not changed, to the new results directory `out`, and
/// says what is lost and kept. The report of the kept games is written, too: it is there even if the
/// engines are not.
pub(super) fn salvage(dir: &Path, out: &Path, force: bool) -> Result<(), CliError> {
    check_vacant(out).map_err(|why| match why {
        SessionError::Occupied(_) => {
            let resume = resume_command(out);
            let help = format!("continue it: {resume}\nor choose another directory with --salvage");
            CliError::with_help(Exit::Usage, why, help)
        }
        why => why.into(),
    })?;
    let tournament = load_results(dir, &Overrides::default())?;
    let verifier = Verifier::new(&tournament);
    let salvage = Salvage::read(dir, |game| verifier.check(game))?;
    let header = match &salvage.header {
        Some(header) => {
            check_config_unchanged(dir, &tournament, header, force)?;
            header.clone()
        }
        None => {
            let new = Header::new(&tournament.name, effective_config::checksum(&tournament));
            let header = new.for_shard(salvage.shard.unwrap_or(Shard::WHOLE));
            eprint_line(format_args!(
                "note: the journal's header is damaged; the new one is derived from {}, shard {} \
                 of the tournament: make sure that this is the config of these games",
                dir.join(effective_config::CONFIG).display(),
                header.shard
            ));
            header
        }
    };
    list(&salvage.losses);

    fs::create_dir_all(out).map_err(|why| storage("create", out, why))?;
    let lock = Lock::take(out)?;
    check_vacant(out)?;
    let unfinished = Unfinished::begin(out)?;
    effective_config::write_config(out, &tournament)?;
    if let Some(machine) = Machine::read(dir) {
        machine.write(out)?;
    }
    copy_values(dir, out)?;
    let mut journal = JournalBuilder::begin(lock.clone(), &header)?;
    salvage.write(&mut journal)?;
    journal.finish()?;
    unfinished.finish();

    let Contents { header, index, .. } = Journal::read(out, tournament.names())?;
    let mut progress = Progress::from_journal(&tournament, &header);
    progress.advance(&tournament, &index);
    let patience = Patience::on_stderr();
    write::write_all_files(out, &tournament, &index, &progress, None, &|at| patience.see(at))?;
    let games = salvage.games;
    let kept = if games == 1 { "1 game is".to_owned() } else { format!("{games} games are") };
    let (total, out) = (progress.schedule().len(), out.display());
    match progress.missing(&tournament, &index) {
        0 => eprint_line(format_args!("{kept} kept in {out}; none are missing")),
        missing => eprint_line(format_args!(
            "{kept} kept in {out}; {missing} of {total} games and sessions are missing, and played now"
        )),
    }
    Ok(())
}

/// Prints the losses.
fn list(losses: &[Loss]) {
    for Loss { line, game, why } in losses.iter().take(MAX_LISTED) {
        let game = game.as_ref().map_or(String::new(), |game| format!(" (game {game})"));
        eprint_line(format_args!("lost: line {line}{game}: {why}"));
    }
    if let more @ 1.. = losses.len().saturating_sub(MAX_LISTED) {
        eprint_line(format_args!("lost: {more} more"));
    }
}

/// Copies what engines said about the games: each row identifies its game by a checksum.
fn copy_values(from: &Path, to: &Path) -> Result<(), CliError> {
    for name in [accuracy::file::FILE, analysis::file::FILE] {
        let path = from.join(name);
        match fs::read(&path) {
            Ok(bytes) => write_file(&to.join(name), &bytes)?,
            Err(why) if why.kind() == ErrorKind::NotFound => {}
            Err(why) => return Err(storage("read", &path, why).into()),
        }
    }
    Ok(())
}
