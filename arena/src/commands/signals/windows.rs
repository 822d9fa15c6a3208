//! The events of a Windows console.

use crate::commands::exit::Exit;
use fanorona_engine::Supervisors;
use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlLogoff, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close,
    ctrl_logoff, ctrl_shutdown,
};

/// Handlers for the events that stop the arena. From construction on, their default action is off.
pub(super) struct SystemSignals {
    interrupt: CtrlC,
    abort: CtrlBreak,
    close: CtrlClose,
    logoff: CtrlLogoff,
    shutdown: CtrlShutdown,
}

impl SystemSignals {
    pub(super) fn new() -> SystemSignals {
        let refused = "events can be handled before any game";
        SystemSignals {
            interrupt: ctrl_c().expect(refused),
            abort: ctrl_break().expect(refused),
            close: ctrl_close().expect(refused),
            logoff: ctrl_logoff().expect(refused),
            shutdown: ctrl_shutdown().expect(refused),
        }
    }

    /// Waits for an event that stops the arena, and returns the exit code. After the end of the console
    /// or of the session, the system leaves it a few seconds.
    pub(super) async fn next(&mut self, _: &Supervisors) -> Exit {
        tokio::select! {
            _ = self.interrupt.recv() => Exit::Interrupt,
            _ = self.abort.recv() => Exit::Interrupt,
            _ = self.close.recv() => Exit::Hangup,
            _ = self.logoff.recv() => Exit::Hangup,
            _ = self.shutdown.recv() => Exit::Terminate,
        }
    }
}
