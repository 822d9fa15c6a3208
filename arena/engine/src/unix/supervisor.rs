//! The supervisor: a process between the arena and one engine that ends the engine and all its
//! descendants, even if the arena is killed.
//!
//! It leads a session, in which the engine runs. It kills all processes of the engine as soon as the
//! engine exits or the lifeline from the arena is closed, either by the arena on purpose or by its death,
//! and looks meanwhile which processes there are and whether they keep the engine's bounds.
//!
//! It runs the arena's own program. It is given the engine's three standard streams, which it
//! passes on without keeping a copy, two pipes, and a file with the launch specification.

use std::fs::File;
use std::io::{self, PipeReader, Write};
use std::os::fd::AsFd;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{Pid, getppid, setsid};

use super::tree::{self, Seen};
use super::{excess, private_directory};
use crate::not_started::{NotStarted, Stage};
use crate::posix::checks::Checks;
use crate::posix::descriptors::given;
use crate::posix::home;
use crate::posix::launch_spec::LaunchSpec;
use crate::posix::link::{LIFELINE, MESSAGES};
use crate::posix::successor::start;
use crate::posix::unrunnable;
use crate::supervisor_message::SupervisorMessage;

/// The time killed processes have to exit before they are searched for again.
const SEARCH_INTERVAL: Duration = Duration::from_millis(10);

/// Runs a supervisor: starts the engine of its launch specification, and returns when all its
/// processes have ended.
///
/// If the system denies something a supervisor needs. The arena is told if possible.
pub(crate) fn run() -> io::Result<()> {
    // No signal ends a supervisor early.
    SigSet::all().thread_block()?;
    close_fds::set_fds_cloexec(LIFELINE, &[]);
    let (lifeline, mut messages) = (given(LIFELINE, false)?, given(MESSAGES, true)?);
    let spec = LaunchSpec::received()?;
    // The process that removes the directory creates it, so that it never outlives both, whenever
    // the arena is killed.
    let _lock = match home::create(&spec.home) {
        Ok(lock) => lock,
        Err(why) => {
            let why = NotStarted::at(Stage::PrivateDirectory)(why).on(spec.home.display());
            return writeln!(messages, "{}", SupervisorMessage::NotStarted(why));
        }
    };
    let mut seen = Seen::new();
    let started = (|| {
        // Stopping the arena at its terminal must not stop the supervisors either.
        setsid()?;
        start(&messages, &["confine".to_owned(), Pid::this().to_string()])
    })();
    let ended = match started {
        Ok(engine) => watch(engine, &spec, &lifeline, &mut seen),
        Err(why) => Ok(Some(SupervisorMessage::NotStarted(NotStarted::at(Stage::Confine)(why)))),
    };
    if let Ok(Some(last)) = &ended {
        // If the arena is dead, no one reads this.
        let _ = writeln!(messages, "{last}");
    }
    while tree::kill_all(Pid::this(), &seen) {
        thread::sleep(SEARCH_INTERVAL);
    }
    // Removing a full directory takes time that the arena must not wait for.
    let _ = writeln!(messages, "{}", SupervisorMessage::Gone);
    drop(messages);
    // If it cannot be removed, it stays in the directory for temporary files.
    let _ = private_directory::remove(&spec.home);
    ended.map(drop)
}

/// Waits until the engine exits, exceeds a bound, or the lifeline is closed. Returns how the engine
/// ended, or `None` for a closed lifeline. Notes the processes of the engine that are seen.
fn watch(
    engine: Pid,
    spec: &LaunchSpec,
    lifeline: &File,
    seen: &mut Seen,
) -> io::Result<Option<SupervisorMessage>> {
    let (exited, exit) = wait_for(engine)?;
    let arena = getppid();
    let mut checks = Checks::new(spec.bounds, spec.home.clone());
    loop {
        // `poll` rounds down to milliseconds, which would cause a busy loop just before a check.
        let pause = checks.pause() + Duration::from_millis(1);
        let look = PollTimeout::try_from(pause).map_err(io::Error::other)?;
        let mut events = [
            PollFd::new(exited.as_fd(), PollFlags::POLLIN),
            PollFd::new(lifeline.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut events, look) {
            Ok(_) => {}
            Err(Errno::EINTR) => continue,
            Err(why) => return Err(why.into()),
        }
        // The arena never writes to the lifeline, so any event means that it is closed. After the arena's
        // death this process has another parent.
        if events[1].any() == Some(true) || getppid() != arena {
            return Ok(None);
        }
        if events[0].any() == Some(true) {
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
                // It cannot be waited for.
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

/// Kills a supervisor that does not exit by itself; the arena ends its engine.
pub(crate) fn end(supervisor: Pid) {
    // It may have exited already.
    let _ = kill(supervisor, Signal::SIGKILL);
}
