//! A platform without threads and files, and with a clock only if the program provides one.

use std::io;
use std::mem::MaybeUninit;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

/// The clock set by the program.
static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Sets the clock. It returns the time since any fixed moment. Only the first call has an effect.
/// Without a clock no time passes, so a search needs another limit.
pub fn set_clock(clock: fn() -> Duration) {
    let _ = CLOCK.set(clock);
}

/// A point in time on the clock set by the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    /// The current time.
    pub fn now() -> Instant {
        Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
    }

    /// The time elapsed since this instant.
    pub fn elapsed(&self) -> Duration {
        Instant::now().0.saturating_sub(self.0)
    }
}

/// Fails: there are no files.
pub(crate) fn read_file(_: &str) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Unknown on this platform.
pub(crate) fn available_memory() -> Option<usize> {
    None
}

/// Does nothing: there is nobody to ask.
pub fn prefer_huge_pages<T>(_: &mut [MaybeUninit<T>]) {}

/// Work that waits for a pause.
static WAITING: Mutex<Vec<Box<dyn FnOnce() + Send>>> = Mutex::new(Vec::new());

/// Keeps the work until [`work_in_background`], because there are no threads.
pub(crate) fn in_background(_: &str, work: impl FnOnce() + Send + 'static) {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(work));
}

/// Does the work that others do in the background. A session calls this when all is answered.
pub(crate) fn work_in_background() {
    let waiting = std::mem::take(&mut *WAITING.lock().unwrap_or_else(PoisonError::into_inner));
    waiting.into_iter().for_each(|work| work());
}

/// Returns `None`: there are no threads.
pub(crate) fn spawn_scoped<'scope, T: 'scope>(
    _: &'scope Scope<'scope, '_>,
    _: impl FnOnce() -> T + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    None
}
