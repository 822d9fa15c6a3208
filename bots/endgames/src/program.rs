//! The frame of the programs `endgames`, `solve`, `training` and `book`: how they read their
//! arguments, print, show their progress and exit. What could not be written is never a success:
//! standard output is checked at the end.

use std::error::Error;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::{ExitCode, Termination};
use std::sync::OnceLock;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

/// The exit code of a program that could not write its output (`EX_IOERR`).
pub const STORAGE: u8 = 74;

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

    /// A file that could not be written: exit code 74.
    pub fn unwritten(path: &std::path::Path, why: &io::Error) -> CliError {
        CliError { why: format!("cannot write {}: {why}", path.display()), exit: STORAGE }
    }
}

impl<E: Error + 'static> From<E> for CliError {
    fn from(error: E) -> CliError {
        let exit = if is_of_storage(&error) { STORAGE } else { 2 };
        CliError { why: error.to_string(), exit }
    }
}

/// Whether an error comes from a disk that takes no more, or that fails.
fn is_of_storage(error: &(dyn Error + 'static)) -> bool {
    /// An error of the device (`EIO`), which has no kind of its own.
    const DEVICE: i32 = 5;
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            let full = matches!(
                error.kind(),
                ErrorKind::StorageFull
                    | ErrorKind::QuotaExceeded
                    | ErrorKind::FileTooLarge
                    | ErrorKind::ReadOnlyFilesystem
                    | ErrorKind::WriteZero
            );
            return full || error.raw_os_error() == Some(DEVICE);
        }
        next = error.source();
    }
    false
}

/// Runs a program with its arguments, and returns its exit code. If there is nothing to do, because they
/// ask for help or are wrong, the answer is printed.
pub fn run<P: Parser, T: Termination>(
    program: &str,
    command: impl FnOnce(P) -> Result<T, CliError>,
) -> ExitCode {
    match P::try_parse() {
        Ok(arguments) => exit(program, command(arguments)),
        Err(answer) => explain(program, &answer),
    }
}

/// The exit code of a program. Prints an error to standard error, and so says when standard output
/// could not be written.
fn exit<T: Termination>(program: &str, done: Result<T, CliError>) -> ExitCode {
    remember(io::stdout().flush());
    let done = match (done, UNWRITTEN.get()) {
        (Ok(_), Some(why)) => {
            Err(CliError { why: format!("cannot write standard output: {why}"), exit: STORAGE })
        }
        (done, _) => done,
    };
    match done {
        Ok(done) => done.report(),
        Err(error) => {
            eprint_line(format_args!("{program}: {}", error.why));
            ExitCode::from(error.exit)
        }
    }
}

/// Prints help, the version or what is wrong with the arguments, and returns the exit code.
pub fn explain(program: &str, answer: &clap::Error) -> ExitCode {
    let printed = answer.print();
    if !answer.use_stderr() {
        remember(printed);
    }
    let code = u8::try_from(answer.exit_code()).unwrap_or(2);
    exit(program, Ok(ExitCode::from(code)))
}

/// The first error in writing standard output.
static UNWRITTEN: OnceLock<io::Error> = OnceLock::new();

/// Keeps the error of a write to standard output for the end. A reader that is gone, as behind
/// `| head`, has seen enough: that is no error.
fn remember(written: io::Result<()>) {
    if let Err(why) = written
        && why.kind() != ErrorKind::BrokenPipe
    {
        // The first one stays.
        let _ = UNWRITTEN.set(why);
    }
}

/// Prints a line to standard output. If it cannot be written, [`run`] says so.
pub fn print_line(text: impl std::fmt::Display) {
    remember(writeln!(io::stdout(), "{text}"));
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
