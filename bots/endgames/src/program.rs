//! How the programs `endgames`, `solve` and `training` end, print, and show their progress.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};

/// Why a command could not do its work, and how to exit.
#[derive(Debug)]
pub struct CliError {
    why: String,
    exit: u8,
}

impl CliError {
    /// What was asked for is wrong, or a file cannot be used: exit code 2.
    pub fn usage(why: impl Into<String>) -> CliError {
        CliError { why: why.into(), exit: 2 }
    }

    /// What was to be checked does not hold: exit code 1.
    pub fn wrong(why: impl Into<String>) -> CliError {
        CliError { why: why.into(), exit: 1 }
    }
}

impl<E: std::error::Error> From<E> for CliError {
    fn from(error: E) -> CliError {
        CliError::usage(error.to_string())
    }
}

/// The exit code of a program; tells on standard error why it could not do its work.
pub fn exit(program: &str, done: Result<ExitCode, CliError>) -> ExitCode {
    done.unwrap_or_else(|error| {
        eprint_line(format_args!("{program}: {}", error.why));
        ExitCode::from(error.exit)
    })
}

/// Prints a line to standard output. That it has been closed changes nothing: results are in files.
pub fn print_line(text: impl std::fmt::Display) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Prints a line to standard error. That it has been closed changes nothing either.
pub fn eprint_line(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A bar of a [form](ProgressStyle::with_template), of so many steps if they are known; hidden where
/// nobody watches.
///
/// # Panics
/// When the form is none.
pub fn bar(form: &str, steps: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = steps.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    bar.with_style(ProgressStyle::with_template(form).expect("the form is one"))
}
