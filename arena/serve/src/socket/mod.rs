//! Connections between processes of one user about a results directory. Each system has a module with
//! the same items. No file is left in the results, and nobody but the user's own processes gets
//! through, and of these none that the process at the other end started: an engine must not see what its
//! opponent expects.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(super) use unix::*;
#[cfg(windows)]
pub(super) use windows::*;
