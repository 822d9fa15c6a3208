//! Why a command could not do its work.

use super::exit::Exit;
use crate::config::ConfigReport;
use crate::text::safe_text;

/// Why a command could not do its work: what to print and how to exit. It may quote files and
/// engines: what it says is made safe to show.
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

    /// With what to do about it.
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

    pub(super) fn of_config(errors: crate::config::ConfigErrors) -> CliError {
        CliError { exit: Exit::Usage, report: miette::Report::new(ConfigReport(errors)) }
    }
}
