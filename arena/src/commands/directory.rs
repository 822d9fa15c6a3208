//! Results directories, as commands find them: what they hold, whether it is unchanged, and how to
//! resume.

use std::path::Path;

use super::error::CliError;
use super::exit::Exit;
use crate::config::{self, LoadError, Overrides, Tournament};
use crate::record::{Contents, Header, Journal, JournalBuilder, Lock, effective_config};
use crate::report::events;
use crate::terminal::output::eprint_line;
use crate::tournament::environment::Machine;

/// Loads the config of a tournament.
pub(super) fn load(path: &Path, overrides: &Overrides) -> Result<Tournament, CliError> {
    config::load(path, overrides).map_err(not_loaded)
}

/// Loads the config of a tournament, if it belongs to the user of this process.
pub(super) fn load_own(path: &Path, overrides: &Overrides) -> Result<Tournament, CliError> {
    config::load_own(path, overrides).map_err(not_loaded)
}

fn not_loaded(error: LoadError) -> CliError {
    match error {
        LoadError::Wrong(errors) => CliError::of_config(errors),
        other => CliError::new(Exit::Usage, other),
    }
}

/// Loads the config of a results directory.
pub(super) fn load_results(dir: &Path, overrides: &Overrides) -> Result<Tournament, CliError> {
    let config = dir.join(effective_config::CONFIG);
    if !config.exists() {
        let (dir, config) = (dir.display(), config.display());
        return Err(CliError::with_help(
            Exit::Usage,
            format!("{dir} is not a results directory: there is no {config}"),
            "name a directory that `arena run`, `arena quick` or `arena merge` has written",
        ));
    }
    load(&config, overrides)
}

/// Gives a results directory the config of an extended tournament.
pub(super) fn replace_config(
    dir: &Path,
    lock: &Lock,
    header: Header,
    tournament: &mut Tournament,
    extended: Tournament,
    force: bool,
) -> Result<(), CliError> {
    let checksum = effective_config::checksum(&extended);
    // An extension that was killed between its two files is completed.
    if header.config != checksum {
        check_config_unchanged(dir, tournament, &header, force)?;
        let header = Header { config: checksum, ..header };
        JournalBuilder::renew(lock.clone(), &header)?;
    }
    *tournament = extended;
    effective_config::write_config(dir, tournament)?;
    Ok(())
}

/// Fails if a directory already holds a tournament.
pub(super) fn check_vacant(dir: &Path) -> Result<(), CliError> {
    if !Journal::path_in(dir).exists() {
        return Ok(());
    }
    Err(CliError::with_help(
        Exit::Usage,
        format!("{} already holds a tournament", dir.display()),
        format!("continue it: {}\nor choose another directory with --out", resume_command(dir)),
    ))
}

/// Fails if the config differs from the journal's, unless `force` is set.
pub(super) fn check_config_unchanged(
    dir: &Path,
    tournament: &Tournament,
    header: &Header,
    force: bool,
) -> Result<(), CliError> {
    let found = effective_config::checksum(tournament);
    if header.config == found || force {
        return Ok(());
    }
    Err(CliError::with_help(
        Exit::Usage,
        format!(
            "{} has changed since this tournament began (checksum {found}, expected {})",
            dir.join(effective_config::CONFIG).display(),
            header.config
        ),
        "restore the file, or continue with the changed config: --force",
    ))
}

/// Prints notes about a damaged end of the journal.
pub(super) fn note_damaged_end(dir: &Path, contents: &Contents) {
    let path = Journal::path_in(dir);
    let path = path.display();
    if contents.torn > 0 {
        eprint_line(format_args!(
            "note: the last line of {path} is incomplete: its game does not count, and `arena \
             resume` plays it again"
        ));
    }
    if contents.unended.is_some() {
        eprint_line(format_args!(
            "note: the newline at the end of {path} is missing or damaged; the line still counts \
             because its checksum is correct"
        ));
    }
}

/// Fails if engines or the openings file have changed since the tournament began, unless `force` is
/// set; then the changed state is recorded. The time and the computer of this run are recorded
/// either way.
pub(super) fn check_same_machine(dir: &Path, now: Machine, force: bool) -> Result<(), CliError> {
    let before = Machine::read(dir);
    let differences = before.as_ref().map_or(Vec::new(), |before| now.differences(before));
    if differences.is_empty() || force {
        differences.iter().for_each(|difference| eprint_line(format_args!("note: {difference}")));
        let now = before.iter().fold(now, |now, before| now.after(before));
        return Ok(now.write(dir)?);
    }
    Err(CliError::with_help(
        Exit::Usage,
        differences.join("\n"),
        "restore the original, or continue with the change: --force",
    ))
}

/// The command that resumes a tournament, quoted for a shell.
pub(super) fn resume_command(dir: &Path) -> String {
    let text = dir.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        format!("arena resume {text}")
    } else {
        format!("arena resume '{}'", text.replace('\'', "'\\''"))
    }
}

/// The line that says how to resume after an interruption.
pub(super) fn resume_line(dir: &Path, json: bool) -> String {
    let (resume, results) = (resume_command(dir), dir.display().to_string());
    match json {
        true => events::Event::Stopped { resume, results }.line(),
        false => format!("stopped; resume with: {resume}"),
    }
}
