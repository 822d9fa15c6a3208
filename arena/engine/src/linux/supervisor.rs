//! The supervisor: a process between the arena and one engine that ends the engine and all its
//! descendants, even if the arena is killed.
//!
//! Only a parent is notified when a process exits, and orphans are re-parented. The supervisor is
//! therefore a subreaper: it starts the engine, and every descendant of the engine becomes its
//! child when the descendant's parents have exited, even if it has detached itself. The supervisor
//! kills all of them as soon as the engine exits or the lifeline from the arena is closed, either
//! by the arena on purpose or by its death.
//!
//! It runs the arena's own program. It is given the engine's three standard streams, which it
//! passes on without keeping a copy, two pipes, and a file with the launch specification.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::{cgroup, excess, namespace, private_directory, tree};
use crate::bounds::Bounds;
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
    prctl::set_child_subreaper(true)?;
    // The first process of a namespace, the ancestor of all processes of the engine.
    let mut first = None;
    let started = (|| {
        let namespace = spec.namespace && namespace::begin()?;
        let command = if namespace { "namespace" } else { "confine" };
        let child = start(&messages, &[command.to_owned(), Pid::this().to_string()])?;
        first = namespace.then_some(child);
        Ok::<_, io::Error>(child)
    })();
    let ended = match started {
        Ok(child) => {
            let checks = Checks::new(spec.bounds, spec.home.clone());
            watch(child, first.unwrap_or(Pid::this()), &spec, &lifeline, checks)
        }
        Err(why) => Ok(Some(SupervisorMessage::NotStarted(NotStarted::at(Stage::Confine)(why)))),
    };
    if let Ok(Some(last)) = &ended {
        // If the arena is dead, no one reads this.
        let _ = writeln!(messages, "{last}");
    }
    if let Some(first) = first {
        // The kernel kills the other processes of the namespace with it.
        end(first);
    }
    if let Some(group) = &spec.group {
        cgroup::kill(group);
    }
    end_all();
    if let Some(group) = &spec.group {
        cgroup::remove(group);
    }
    // Removing a full directory takes time that the arena must not wait for.
    let _ = writeln!(messages, "{}", SupervisorMessage::Gone);
    drop(messages);
    // If it cannot be removed, it stays in the directory for temporary files.
    let _ = private_directory::remove(&spec.home);
    ended.map(drop)
}

/// Waits until the engine exits, exceeds a bound, or the lifeline is closed. Returns how the engine
/// ended, or `None` for a closed lifeline. The descendants of `root` are the engine's processes.
fn watch(
    engine: Pid,
    root: Pid,
    spec: &LaunchSpec,
    lifeline: &File,
    mut checks: Checks,
) -> io::Result<Option<SupervisorMessage>> {
    let children = children_signals()?;
    loop {
        // `poll` rounds down to milliseconds, which would cause a busy loop just before a check.
        let pause = checks.pause() + Duration::from_millis(1);
        let look = PollTimeout::try_from(pause).map_err(io::Error::other)?;
        let mut events = [
            PollFd::new(children.as_fd(), PollFlags::POLLIN),
            PollFd::new(lifeline.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut events, look) {
            Ok(_) => {}
            Err(Errno::EINTR) => continue,
            Err(why) => return Err(why.into()),
        }
        // The arena never writes to the lifeline, so any event means that it is closed.
        if events[1].any() == Some(true) {
            return Ok(None);
        }
        forget(&children);
        // The supervisor must also wait for orphans that it inherited.
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(pid, code)) if pid == engine => {
                    return Ok(Some(unrunnable::exited(code, spec)));
                }
                Ok(WaitStatus::Signaled(pid, signal, _)) if pid == engine => {
                    return Ok(Some(cgroup::killed(signal as i32, spec.group.as_deref())));
                }
                Ok(WaitStatus::StillAlive) | Err(_) => break,
                Ok(_) => {}
            }
        }
        let processes = |bounds: &Bounds, home: &Path| {
            excess::of_processes(bounds, &tree::descendants(root), home, spec.sandbox.is_some())
        };
        if let Some(excess) = checks.run(processes, private_directory::measure) {
            return Ok(Some(SupervisorMessage::TooMuch(excess)));
        }
    }
}

/// A descriptor for the signals about exited children.
fn children_signals() -> io::Result<SignalFd> {
    let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
    Ok(SignalFd::with_flags(&SigSet::from(Signal::SIGCHLD), flags)?)
}

fn forget(signals: &SignalFd) {
    while let Ok(Some(_)) = signals.read_signal() {}
}

/// Ends every descendant of this process, and returns when there are none.
fn end_all() {
    let children = children_signals();
    loop {
        tree::kill_all(Pid::this());
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) => break,
                Ok(_) => {}
                Err(_) => return,
            }
        }
        // Killed processes need time to exit. Search again after the next signal, or soon.
        match &children {
            Ok(signals) => {
                let mut events = [PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
                let soon = PollTimeout::try_from(SEARCH_INTERVAL).unwrap_or(PollTimeout::ZERO);
                let _ = poll(&mut events, soon);
                forget(signals);
            }
            Err(_) => std::thread::sleep(SEARCH_INTERVAL),
        }
    }
}

/// Kills a supervisor that does not exit by itself; the engine dies with it.
pub(crate) fn end(supervisor: Pid) {
    // It may have exited already.
    let _ = kill(supervisor, Signal::SIGKILL);
}
