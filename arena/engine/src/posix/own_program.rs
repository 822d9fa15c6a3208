//! The file of the program that this process runs.

use std::io;
use std::path::PathBuf;

/// This program: on Linux the very one, even if its file has been replaced meanwhile.
///
/// # Errors
/// Returns an error if the system does not tell where it is.
pub fn own_program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() }
}
