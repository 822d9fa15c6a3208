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

use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::{cgroup, excess, namespace, private_directory, sandboxed_exec, tree};
use crate::bounds::Bounds;
use crate::not_started::{NotStarted, Stage};
use crate::posix::checks::Checks;
use crate::posix::link;
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
    prctl::set_child_subreaper(true)?;
    let this = Pid::this();
    let begun = if supervision.spec.namespace { namespace::begin() } else { Ok(false) };
    let started = begun.and_then(|namespace| Ok((namespace, start()?)));
    // The first process of a namespace, the ancestor of all processes of the engine.
    let mut first = None;
    let ended = match started {
        Ok((namespace, None)) => {
            let (messages, spec) = supervision.handed_on();
            let next = if namespace { namespace::run } else { sandboxed_exec::become_engine };
            return next(this, messages, &spec);
        }
        Ok((namespace, Some(child))) => {
            first = namespace.then_some(child);
            watch(child, first.unwrap_or(this), &supervision)
        }
        Err(why) => Ok(Some(SupervisorMessage::NotStarted(NotStarted::at(Stage::Confine)(why)))),
    };
    supervision.report(ended.as_ref().ok().and_then(Option::as_ref));
    if let Some(first) = first {
        // The kernel kills the other processes of the namespace with it.
        link::kill(first);
    }
    if let Some(group) = &supervision.spec.group {
        cgroup::kill(group);
    }
    end_all();
    if let Some(group) = &supervision.spec.group {
        cgroup::remove(group);
    }
    supervision.finish(private_directory::remove);
    ended.map(drop)
}

/// Waits until the engine exits, exceeds a bound, or the lifeline is closed. Returns how the engine
/// ended, or `None` for a closed lifeline. The descendants of `root` are the engine's processes.
fn watch(
    engine: Pid,
    root: Pid,
    supervision: &Supervision,
) -> io::Result<Option<SupervisorMessage>> {
    let spec = &supervision.spec;
    let mut checks = Checks::new(spec.bounds, spec.home.clone());
    let children = children_signals()?;
    loop {
        let (_, closed) = supervision.wait(&children, checks.pause())?;
        if closed {
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
