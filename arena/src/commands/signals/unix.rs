//! The signals of Unix systems.

use nix::sys::signal::Signal::{SIGSTOP, SIGTSTP};
use nix::sys::signal::raise;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::commands::exit::Exit;
use fanorona_engine::Supervisors;

/// Handlers for the signals that stop or suspend the arena. From construction on, their default
/// action is off.
pub(super) struct SystemSignals {
    hangup: Signal,
    interrupt: Signal,
    terminate: Signal,
    suspend: Signal,
}

impl SystemSignals {
    pub(super) fn new() -> SystemSignals {
        let handler = |kind| signal(kind).expect("signals can be handled before any game");
        SystemSignals {
            hangup: handler(SignalKind::hangup()),
            interrupt: handler(SignalKind::interrupt()),
            terminate: handler(SignalKind::terminate()),
            suspend: handler(SignalKind::from_raw(SIGTSTP as i32)),
        }
    }

    /// Waits for a signal that stops the arena, and returns the exit code. On a suspend signal,
    /// such as Ctrl-Z, the engines are suspended and resumed together with the arena.
    pub(super) async fn next(&mut self, supervisors: &Supervisors) -> Exit {
        loop {
            tokio::select! {
                _ = self.hangup.recv() => return Exit::Hangup,
                _ = self.interrupt.recv() => return Exit::Interrupt,
                _ = self.terminate.recv() => return Exit::Terminate,
                _ = self.suspend.recv() => {
                    supervisors.halt(true);
                    // Returns after SIGCONT, or at once if the process cannot be stopped.
                    let _ = raise(SIGSTOP);
                    supervisors.halt(false);
                }
            }
        }
    }
}
