//! How the programs `endgames`, `solve` and `training` exit, print, and show their progress.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};

/// An error that ends a command, with its exit code.
#[derive(Debug)]
pub struct CliError {
    why: String,
    exit: u8,
}

impl CliError {
    /// Wrong usage, or a file that cannot be used: exit code 2.
    pub fn usage(why: impl Into<String>) -> CliError {
        CliError { why: why.into(), exit: 2 }
    }

    /// A failed check: exit code 1.
    pub fn wrong(why: impl Into<String>) -> CliError {
        CliError { why: why.into(), exit: 1 }
    }
}

impl<E: std::error::Error> From<E> for CliError {
    fn from(error: E) -> CliError {
        CliError::usage(error.to_string())
    }
}

/// The exit code of a program. Prints an error to standard error.
pub fn exit(program: &str, done: Result<ExitCode, CliError>) -> ExitCode {
    done.unwrap_or_else(|error| {
        eprint_line(format_args!("{program}: {}", error.why));
        ExitCode::from(error.exit)
    })
}

/// Prints a line to standard output. A closed output is not an error, because the results are in
/// files.
pub fn print_line(text: impl std::fmt::Display) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Prints a line to standard error. A closed output is not an error.
pub fn eprint_line(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A progress bar with a [template](ProgressStyle::with_template), and with a number of steps if it
/// is known. Hidden if standard error is not a terminal.
///
/// # Panics
/// Panics when the template is invalid.
pub fn bar(template: &str, steps: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = steps.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    bar.with_style(ProgressStyle::with_template(template).expect("a valid template"))
}
