//! The processes that a program which plays starts of itself for every engine: none on this system.

use std::process::ExitCode;

/// Runs this process as a helper if its arguments say so: never. Its `main` calls this before anything
/// else, as on every system.
pub fn run() -> Option<ExitCode> {
    None
}
