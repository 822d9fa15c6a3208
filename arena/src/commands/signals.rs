//! The signals that ask the arena to stop, or to stand still.

use nix::sys::signal::Signal::{SIGSTOP, SIGTSTP};
use nix::sys::signal::raise;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::exit::Exit;
use crate::engine::Supervisors;

/// The signals that ask the arena to stop, or to stand still. From when this is made on, they no
/// longer act by themselves.
pub(super) struct Signals {
    hangup: Signal,
    interrupt: Signal,
    terminate: Signal,
    suspend: Signal,
}

impl Signals {
    pub(super) fn new() -> Signals {
        let handler = |kind| signal(kind).expect("signals can be handled before any game");
        Signals {
            hangup: handler(SignalKind::hangup()),
            interrupt: handler(SignalKind::interrupt()),
            terminate: handler(SignalKind::terminate()),
            suspend: handler(SignalKind::from_raw(SIGTSTP as i32)),
        }
    }

    /// Waits for one that asks to stop; gives how to exit then. When the arena is to stand still, as
    /// by Ctrl-Z, its engines do so as well, until both go on.
    pub(super) async fn next(&mut self, guards: &Supervisors) -> Exit {
        loop {
            tokio::select! {
                _ = self.hangup.recv() => return Exit::Hangup,
                _ = self.interrupt.recv() => return Exit::Interrupt,
                _ = self.terminate.recv() => return Exit::Terminate,
                _ = self.suspend.recv() => {
                    guards.halt(true);
                    // Returns after SIGCONT, or at once where the process cannot be stopped.
                    let _ = raise(SIGSTOP);
                    guards.halt(false);
                }
            }
        }
    }
}
