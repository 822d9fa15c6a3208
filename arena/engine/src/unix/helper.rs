//! The processes that a program which plays starts of itself for every engine. Its `main` calls
//! [`run`] before anything else.

use std::env::args_os;
use std::ffi::OsString;
use std::process::ExitCode;

pub use crate::posix::own_program::own_program;

use super::supervisor;

/// Runs this process as a helper if its arguments say so, and returns its exit code; `None` if it is no
/// helper. A helper reports to the process that started it, and never prints.
///
/// There is one, named by the first argument: `supervisor` starts an engine and ends it with all its
/// processes.
///
/// ```no_run
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     if let Some(code) = fanorona_engine::helper::run() {
///         return code;
///     }
///     // The program itself.
///     ExitCode::SUCCESS
/// }
/// ```
pub fn run() -> Option<ExitCode> {
    let words: Vec<OsString> = args_os().skip(1).collect();
    let words: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
    let done = match words?[..] {
        ["supervisor"] => supervisor::run(),
        _ => return None,
    };
    Some(if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
