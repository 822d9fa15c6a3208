//! The supervisor: a process between the arena and one engine that ends the engine and all its
//! descendants, even if the arena is killed.
//!
//! It leads a session, in which the engine runs. It kills all processes of the engine as soon as the
//! engine exits or the lifeline from the arena is closed, either by the arena on purpose or by its death,
//! and looks meanwhile which processes there are and whether they keep the engine's bounds.
//!
//! It runs the arena's own program. It is given the engine's three standard streams, which it
//! passes on without keeping a copy, two pipes, and a file with the launch specification.

use std::io::{self, PipeReader};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{Pid, getppid, setsid};

use super::tree::{self, Seen};
use super::{engine_exec, excess, private_directory};
use crate::not_started::{NotStarted, Stage};
use crate::posix::checks::Checks;
use crate::posix::successor::start;
use crate::posix::supervision::Supervision;
use crate::posix::unrunnable;
use crate::supervisor_message::SupervisorMessage;

/// The time killed processes have to exit before they are searched for again.
const SEARCH_INTERVAL: Duration = Duration::from_millis(10);

/// Runs a supervisor: starts the engine of its launch specification, and returns when all its
/// processes have ended.
///
/// If the system denies something a supervisor needs. The arena is told if possible.
pub(crate) fn run() -> io::Result<()> {
    let Some(mut supervision) = Supervision::begin()? else { return Ok(()) };
    let mut seen = Seen::new();
    let this = Pid::this();
    // Stopping the arena at its terminal must not stop the supervisors either.
    let started = setsid().map_err(io::Error::from).and_then(|_| start());
    let ended = match started {
        Ok(None) => {
            let (messages, spec) = supervision.handed_on();
            return engine_exec::become_engine(this, messages, &spec);
        }
        Ok(Some(engine)) => watch(engine, &supervision, &mut seen),
        Err(why) => Ok(Some(SupervisorMessage::NotStarted(NotStarted::at(Stage::Confine)(why)))),
    };
    supervision.report(ended.as_ref().ok().and_then(Option::as_ref));
    while tree::kill_all(this, &seen) {
        thread::sleep(SEARCH_INTERVAL);
    }
    supervision.finish(private_directory::remove);
    ended.map(drop)
}

/// Waits until the engine exits, exceeds a bound, or the lifeline is closed. Returns how the engine
/// ended, or `None` for a closed lifeline. Notes the processes of the engine that are seen.
fn watch(
    engine: Pid,
    supervision: &Supervision,
    seen: &mut Seen,
) -> io::Result<Option<SupervisorMessage>> {
    let (exited, exit) = wait_for(engine)?;
    let arena = getppid();
    let spec = &supervision.spec;
    let mut checks = Checks::new(spec.bounds, spec.home.clone());
    loop {
        let (has_exited, closed) = supervision.wait(&exited, checks.pause())?;
        // After the arena's death this process has another parent.
        if closed || getppid() != arena {
            return Ok(None);
        }
        if has_exited {
            let exited = match exit.recv().map_err(io::Error::other)? {
                SupervisorMessage::Exited(code) => unrunnable::exited(code, spec),
                killed => killed,
            };
            return Ok(Some(exited));
        }
        let excess = checks.run(
            |bounds, _| excess::of_processes(bounds, &tree::look(Pid::this(), seen)),
            private_directory::measure,
        );
        if let Some(excess) = excess {
            return Ok(Some(SupervisorMessage::TooMuch(excess)));
        }
    }
}

/// Waits for a child in the background. The pipe is closed when there is a message about its exit.
fn wait_for(child: Pid) -> io::Result<(PipeReader, mpsc::Receiver<SupervisorMessage>)> {
    let (exited, open) = io::pipe()?;
    let (sender, exit) = mpsc::channel();
    let wait = move || {
        let message = loop {
            match waitpid(child, None) {
                Ok(WaitStatus::Exited(_, code)) => break SupervisorMessage::Exited(code),
                Ok(WaitStatus::Signaled(_, signal, _)) => {
                    break SupervisorMessage::Killed(signal as i32);
                }
                Ok(_) | Err(Errno::EINTR) => {}
                // The child is gone; the closed pipe says so.
                Err(_) => return,
            }
        };
        // After the end of the supervisor's watch, no one receives it.
        let _ = sender.send(message);
        drop(open);
    };
    thread::Builder::new().spawn(wait)?;
    Ok((exited, exit))
}
