//! The platform services of the standard library.

use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

pub use std::time::Instant;

/// The stack size of a helper thread. Searches recurse once for every ply.
const STACK: usize = 8 << 20;

/// Reads a file.
pub(crate) fn read_file(path: &str) -> io::Result<Vec<u8>> {
    std::fs::read(path)
}

/// The available memory in bytes; `None` where the system does not report it.
pub(crate) fn available_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.split_ascii_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1024)
}

/// Runs some work in its own thread; drops the work if the system has no more threads.
pub(crate) fn in_background(name: &str, work: impl FnOnce() + Send + 'static) {
    let _ = Builder::new().name(name.to_owned()).spawn(work);
}

/// Starts a helper thread of a search; `None` if the system has no more threads.
pub(crate) fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()
}
