//! Errors of commands.

use super::exit::Exit;
use fanorona_engine::{Stage, StartError};
use fanorona_tournament::config::ConfigReport;
use fanorona_tournament::record::{JournalError, StorageError};
use fanorona_tournament::text::safe_text;

/// The remedy where engines get no private directories.
pub(super) const NO_DIRECTORY: &str =
    "set TMPDIR to a directory that you can write and that has space, or make this one so";

/// Why a command failed: the report to print and the exit code. Messages may quote files and
/// engines, so they are made safe to print.
#[derive(Debug)]
pub(super) struct CliError {
    pub(super) exit: Exit,
    pub(super) report: miette::Report,
}

impl CliError {
    pub(super) fn new(exit: Exit, why: impl std::fmt::Display) -> CliError {
        let why = safe_text::lines(&why.to_string()).into_owned();
        CliError { exit, report: miette::Report::msg(why) }
    }

    /// An error with advice on how to fix it.
    pub(super) fn with_help(
        exit: Exit,
        why: impl std::fmt::Display,
        help: impl Into<String>,
    ) -> CliError {
        let why = safe_text::lines(&why.to_string()).into_owned();
        let help = safe_text::lines(&help.into()).into_owned();
        let diagnostic = miette::MietteDiagnostic::new(why).with_help(help);
        CliError { exit, report: miette::Report::new(diagnostic) }
    }

    /// An engine that did not start, with this message. Either the engine or the machine is at
    /// fault.
    pub(super) fn from_start(what: impl std::fmt::Display, why: &StartError) -> CliError {
        match why.stage() {
            _ if !why.is_ours() => CliError::new(Exit::EngineStart, what),
            Some(Stage::PrivateDirectory) => CliError::with_help(Exit::Storage, what, NO_DIRECTORY),
            _ => CliError::with_help(Exit::Storage, what, "free the resource named above"),
        }
    }

    pub(super) fn from_config(errors: fanorona_tournament::config::ConfigErrors) -> CliError {
        CliError { exit: Exit::Usage, report: miette::Report::new(ConfigReport(errors)) }
    }
}

impl From<JournalError> for CliError {
    fn from(error: JournalError) -> CliError {
        let exit = match error {
            JournalError::Storage(_) => Exit::Storage,
            _ => Exit::Usage,
        };
        CliError::new(exit, error)
    }
}

impl From<StorageError> for CliError {
    fn from(error: StorageError) -> CliError {
        CliError::new(Exit::Storage, error)
    }
}
