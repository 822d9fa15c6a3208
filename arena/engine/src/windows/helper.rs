//! The processes that a program which plays starts of itself for every engine: none on this system.

use std::env;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs this process as a helper if its arguments say so: never. Its `main` calls this before anything
/// else, as on every system.
pub fn run() -> Option<ExitCode> {
    None
}

/// This program.
///
/// # Errors
/// Returns an error if the system does not tell where it is.
pub fn own_program() -> io::Result<PathBuf> {
    env::current_exe()
}
