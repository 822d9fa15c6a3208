//! A machine that has no threads and no files, and a clock only if the program brings one.

use std::io;
use std::sync::OnceLock;
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

/// The clock that the program has set.
static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Sets what tells the time, counted from any fixed moment; only the first call counts. Without a
/// clock no time passes, so a search needs another limit.
pub fn set_clock(clock: fn() -> Duration) {
    let _ = CLOCK.set(clock);
}

/// A moment, by the clock that was set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    /// The present.
    pub fn now() -> Instant {
        Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
    }

    /// The time since then.
    pub fn elapsed(&self) -> Duration {
        Instant::now().0.saturating_sub(self.0)
    }
}

/// There are no files.
pub(crate) fn read_file(_: &str) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Nobody says.
pub(crate) fn available_memory() -> Option<usize> {
    None
}

/// Does the work at once, as there is nothing beside the caller.
pub(crate) fn in_background(_: &str, work: impl FnOnce()) {
    work();
}

/// There are no threads.
pub(crate) fn spawn_scoped<'scope, T: 'scope>(
    _: &'scope Scope<'scope, '_>,
    _: impl FnOnce() -> T + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    None
}
