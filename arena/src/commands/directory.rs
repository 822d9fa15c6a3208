//! Results directories, as commands find them: what they hold, whether it is unchanged, and how to
//! resume.

use std::path::{Path, PathBuf};

use super::error::CliError;
use super::exit::Exit;
use super::machines::ClusterArgs;
use crate::terminal::output::eprint_line;
use fanorona_report::events;
use fanorona_runner::session::{SessionError, check_config_unchanged};
use fanorona_tournament::config::{self, LoadError, Overrides, Tournament};
use fanorona_tournament::record::own_file;
use fanorona_tournament::record::storage::{storage, write_file};
use fanorona_tournament::record::{Header, Journal, JournalBuilder, Lock, effective_config};
use fanorona_tournament::text::input_file;

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
        LoadError::Wrong(errors) => CliError::from_config(errors),
        other => CliError::new(Exit::Usage, other),
    }
}

/// The mark of a directory that `arena merge` or `arena resume --salvage` fills, while its journal is not
/// there yet. A directory whose command was killed keeps it.
pub(super) struct Unfinished(PathBuf);

/// The file of the mark. It holds the command line.
const UNFINISHED: &str = "unfinished.txt";

impl Unfinished {
    /// Marks a directory with the command line of this process.
    pub(super) fn begin(dir: &Path) -> Result<Unfinished, CliError> {
        let path = dir.join(UNFINISHED);
        let arguments = std::env::args_os().skip(1);
        let words = arguments.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>();
        write_file(&path, format!("arena {}\n", words.join(" ")).as_bytes())?;
        Ok(Unfinished(path))
    }

    /// Removes the mark: the journal is complete.
    pub(super) fn finish(self) {
        // Beside a journal the mark means nothing.
        let _ = std::fs::remove_file(self.0);
    }

    /// Fails if the command that fills a directory was interrupted.
    pub(super) fn check(dir: &Path) -> Result<(), CliError> {
        if Journal::path_in(dir).exists() {
            return Ok(());
        }
        let Ok(command) = input_file::read_to_string(&dir.join(UNFINISHED)) else { return Ok(()) };
        let what = match command.split(' ').nth(1) {
            Some("resume") => "salvage",
            _ => "merge",
        };
        Err(CliError::with_help(
            Exit::Usage,
            format!("{} is not complete: a {what} into it was interrupted", dir.display()),
            format!("{what} again: {}", command.trim()),
        ))
    }
}

/// Fails if an output file would replace the input, or what a tournament cannot write again: its journal
/// or its config.
pub(super) fn check_output(out: &Path, input: &Path) -> Result<(), CliError> {
    let Ok(there) = out.canonicalize() else { return Ok(()) };
    let is_input = input.canonicalize().is_ok_and(|input| input == there);
    let of_tournament = there.parent().is_some_and(|dir| {
        let journal = Journal::path_in(dir);
        journal.exists() && [journal, dir.join(effective_config::CONFIG)].contains(&there)
    });
    if !is_input && !of_tournament {
        return Ok(());
    }
    let what = if is_input { "is the file that is read" } else { "belongs to a tournament" };
    let why = format!("{} {what}: it is not replaced", out.display());
    Err(CliError::with_help(Exit::Usage, why, "name another file"))
}

/// Loads the config of a results directory.
pub(super) fn load_results(dir: &Path, overrides: &Overrides) -> Result<Tournament, CliError> {
    Unfinished::check(dir)?;
    let config = dir.join(effective_config::CONFIG);
    if !config.exists() {
        let (dir, config) = (dir.display(), config.display());
        return Err(CliError::with_help(
            Exit::Usage,
            format!("{dir} is not a results directory: there is no {config}"),
            "name a directory that `arena run`, `arena quick` or `arena merge` has written",
        ));
    }
    own_file::check(&config).map_err(|why| storage("open", &config, why))?;
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

/// Prints notes about a damaged end of the journal.
pub(super) fn note_damaged_end(dir: &Path, torn: u64, is_unended: bool) {
    let path = Journal::path_in(dir);
    let path = path.display();
    if torn > 0 {
        eprint_line(format_args!(
            "note: the last line of {path} is incomplete: its game does not count, and `arena \
             resume` plays it again"
        ));
    }
    if is_unended {
        eprint_line(format_args!(
            "note: the newline at the end of {path} is missing or damaged; the line still counts \
             because its checksum is correct"
        ));
    }
}

/// The command that resumes a tournament, quoted for a shell.
pub(super) fn resume_command(dir: &Path) -> String {
    format!("arena resume {}", quoted(&dir.display().to_string()))
}

/// The same on the machines of a cluster, if these options name one.
pub(super) fn resume_command_with(dir: &Path, cluster: Option<&ClusterArgs>) -> String {
    let words = cluster.map(ClusterArgs::words).unwrap_or_default();
    words.iter().fold(resume_command(dir), |command, word| command + " " + &quoted(word))
}

/// A word, quoted for a shell if necessary.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The line that says how to resume after an interruption.
pub(super) fn resume_line(resume: String, dir: &Path, json: bool) -> String {
    let results = dir.display().to_string();
    match json {
        true => events::Event::Stopped { resume, results }.line(),
        false => format!("stopped; resume with: {resume}"),
    }
}

impl From<SessionError> for CliError {
    fn from(error: SessionError) -> CliError {
        let help = match &error {
            SessionError::Journal(_) | SessionError::Storage(_) => None,
            SessionError::Occupied(dir) => Some(format!(
                "continue it: {}\nor choose another directory with --out",
                resume_command(dir)
            )),
            SessionError::ConfigChanged { .. } => {
                Some("restore the file, or continue with the changed config: --force".to_owned())
            }
            SessionError::MachineChanged(_) => {
                Some("restore the original, or continue with the change: --force".to_owned())
            }
        };
        match (error, help) {
            (SessionError::Journal(why), _) => why.into(),
            (SessionError::Storage(why), _) => why.into(),
            (error, Some(help)) => CliError::with_help(Exit::Usage, error, help),
            (error, None) => CliError::new(Exit::Usage, error),
        }
    }
}
