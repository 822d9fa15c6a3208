//! The signals that stop or suspend the arena. Each system has a module with the same items.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix::SystemSignals;
#[cfg(windows)]
use windows::SystemSignals;

use super::exit::Exit;
use fanorona_engine::Supervisors;

/// The signals that stop or suspend the arena.
pub(crate) struct Signals {
    system: SystemSignals,
    has_come: bool,
}

impl Signals {
    pub(crate) fn new() -> Signals {
        Signals { system: SystemSignals::new(), has_come: false }
    }

    /// Waits for a signal that stops the arena, and returns the exit code.
    pub(crate) async fn next(&mut self, supervisors: &Supervisors) -> Exit {
        let exit = self.system.next(supervisors).await;
        self.has_come = true;
        exit
    }

    /// Whether a signal that stops the arena has come.
    pub(crate) fn has_come(&self) -> bool {
        self.has_come
    }
}
