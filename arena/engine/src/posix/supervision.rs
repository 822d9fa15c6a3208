//! The parts of a supervisor that are the same on every Unix system: how it begins, waits and ends.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::SigSet;

use super::descriptors::given;
use super::home;
use super::launch_spec::LaunchSpec;
use super::link::{LIFELINE, MESSAGES};
use crate::not_started::{NotStarted, Stage};
use crate::supervisor_message::SupervisorMessage;

/// The resources of a supervisor.
pub(crate) struct Supervision {
    lifeline: File,
    pub(crate) messages: File,
    pub(crate) spec: LaunchSpec,
    /// The lock of the private directory.
    _lock: File,
}

impl Supervision {
    /// Takes what the arena gives and creates the engine's private directory. `None` if there is none; the
    /// arena was told.
    ///
    /// If the system denies something a supervisor needs.
    pub(crate) fn begin() -> io::Result<Option<Supervision>> {
        // No signal ends a supervisor early.
        SigSet::all().thread_block()?;
        close_fds::set_fds_cloexec(LIFELINE, &[]);
        let (lifeline, mut messages) = (given(LIFELINE, false)?, given(MESSAGES, true)?);
        let spec = LaunchSpec::received()?;
        // The process that removes the directory creates it, so that it never outlives both, whenever
        // the arena is killed.
        match home::create(&spec.home) {
            Ok(lock) => Ok(Some(Supervision { lifeline, messages, spec, _lock: lock })),
            Err(why) => {
                let why = NotStarted::at(Stage::PrivateDirectory)(why).on(spec.home.display());
                writeln!(messages, "{}", SupervisorMessage::NotStarted(why))?;
                Ok(None)
            }
        }
    }

    /// Hands on the parts that the next process in the chain to the engine needs; the lock of the
    /// private directory stays with the supervisor.
    pub(crate) fn handed_on(self) -> (File, LaunchSpec) {
        (self.messages, self.spec)
    }

    /// Waits for an event, or for the time of the next check. Returns whether the event is there, and
    /// whether the lifeline is closed. A signal can end the wait early.
    pub(crate) fn wait(&self, event: impl AsFd, pause: Duration) -> io::Result<(bool, bool)> {
        // `poll` rounds down to milliseconds, which would cause a busy loop just before a check.
        let look = PollTimeout::try_from(pause + Duration::from_millis(1));
        let mut events = [
            PollFd::new(event.as_fd(), PollFlags::POLLIN),
            PollFd::new(self.lifeline.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut events, look.map_err(io::Error::other)?) {
            // The arena never writes to the lifeline, so any event means that it is closed.
            Ok(_) => {
                let [event, closed] = events.map(|it| it.any() == Some(true));
                Ok((event, closed))
            }
            Err(Errno::EINTR) => Ok((false, false)),
            Err(why) => Err(why.into()),
        }
    }

    /// Reports how the engine ended, if it did.
    pub(crate) fn report(&mut self, ended: Option<&SupervisorMessage>) {
        if let Some(last) = ended {
            // If the arena is dead, no one reads this.
            let _ = writeln!(self.messages, "{last}");
        }
    }

    /// Reports that no process of the engine is left, and removes its directory.
    pub(crate) fn finish(mut self, remove: impl FnOnce(&Path) -> io::Result<()>) {
        // Removing a full directory takes time that the arena must not wait for.
        let _ = writeln!(self.messages, "{}", SupervisorMessage::Gone);
        drop(self.messages);
        // If it cannot be removed, it stays in the directory for temporary files.
        let _ = remove(&self.spec.home);
    }
}
