//! The guard: a process between the arena and one engine, which ends that engine with everything it
//! has started, also should the arena be killed.
//!
//! Nobody but a parent learns at once that a process has died, and a process that has lost its
//! parent is nobody's. So a guard starts the engine, and whatever the engine starts becomes the
//! guard's own child, at the latest when its parents have died, however it has detached itself. The
//! guard ends all of them as soon as the engine has exited, or its line from the arena is cut: by
//! an arena that has had enough, or by the death of the arena.
//!
//! It is a process of the arena's own program, given the engine's three standard streams, which it
//! passes on and does not keep, and two descriptors beside them.

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

use super::bounds::Looks;
use super::descriptors::given;
use super::launch_spec::LaunchSpec;
use super::not_started::{NotStarted, Stage};
use super::successor::start;
use super::supervisor_message::SupervisorMessage;
use super::{cgroup, namespace, private_directory, tree};

/// The descriptor a guard reads; its end is the order to end everything.
pub(super) const LIFELINE: i32 = 3;

/// The descriptor a guard writes [`SupervisorMessage`] to.
pub(super) const NEWS: i32 = 4;

/// How long killed processes may take to end before they are looked for again.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// The whole life of a guard: starts the engine it was told to, and returns when nothing is left of
/// it.
///
/// # Errors
/// When something a guard needs cannot be had. The arena is told where that is possible.
pub fn stand() -> io::Result<()> {
    // Nothing but the arena's death ends a guard before its time.
    SigSet::all().thread_block()?;
    close_fds::set_fds_cloexec(LIFELINE, &[]);
    let (line, mut news) = (given(LIFELINE, false)?, given(NEWS, true)?);
    let order = LaunchSpec::received()?;
    prctl::set_child_subreaper(true)?;
    // The first process of a namespace, from which all there is of its engine descends.
    let mut first = None;
    let started = (|| {
        let namespace = order.namespace && namespace::begin()?;
        let command = if namespace { "namespace" } else { "confine" };
        let child = start(&news, &[command.to_owned(), Pid::this().to_string()])?;
        first = namespace.then_some(child);
        Ok::<_, io::Error>(child)
    })();
    let ended = match started {
        Ok(child) => {
            let looks = Looks::new(order.bounds, order.home.clone());
            let group = order.group.as_deref();
            watch(child, first.unwrap_or(Pid::this()), group, &line, looks)
        }
        Err(why) => Ok(Some(SupervisorMessage::NotStarted(NotStarted::at(Stage::Confine)(why)))),
    };
    if let Ok(Some(last)) = &ended {
        // An arena that is gone need not be told.
        let _ = writeln!(news, "{last}");
    }
    if let Some(first) = first {
        // The kernel kills the others with it.
        end(first);
    }
    if let Some(group) = &order.group {
        cgroup::kill(group);
    }
    end_all();
    if let Some(group) = &order.group {
        cgroup::remove(group);
    }
    // Removing a full directory takes time that nobody has to wait for.
    let _ = writeln!(news, "{}", SupervisorMessage::Gone);
    drop(news);
    // It is in the directory for what is temporary: what cannot be removed is somebody else's.
    let _ = private_directory::remove(&order.home);
    ended.map(drop)
}

/// Waits for the end of the engine, of its right to go on, or of the line; gives how the engine has
/// ended if the line has not. What descends from `root` is the engine's.
fn watch(
    engine: Pid,
    root: Pid,
    group: Option<&Path>,
    line: &File,
    mut looks: Looks,
) -> io::Result<Option<SupervisorMessage>> {
    let children = children_signals()?;
    loop {
        // Milliseconds are rounded down, and a look that is due soon must not be waited for in a hurry.
        let pause = looks.pause() + Duration::from_millis(1);
        let look = PollTimeout::try_from(pause).map_err(io::Error::other)?;
        let mut awaited = [
            PollFd::new(children.as_fd(), PollFlags::POLLIN),
            PollFd::new(line.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut awaited, look) {
            Ok(_) => {}
            Err(Errno::EINTR) => continue,
            Err(why) => return Err(why.into()),
        }
        // Nothing is ever written to the line.
        if awaited[1].any() == Some(true) {
            return Ok(None);
        }
        forget(&children);
        // Whoever has been left by its parents is the guard's to wait for as well.
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(pid, code)) if pid == engine => {
                    return Ok(Some(SupervisorMessage::Exited(code)));
                }
                Ok(WaitStatus::Signaled(pid, signal, _)) if pid == engine => {
                    return Ok(Some(cgroup::killed(signal as i32, group)));
                }
                Ok(WaitStatus::StillAlive) | Err(_) => break,
                Ok(_) => {}
            }
        }
        if let Some(excess) = looks.look(root) {
            return Ok(Some(SupervisorMessage::TooMuch(excess)));
        }
    }
}

/// Where the signals arrive that tell of the end of children.
fn children_signals() -> io::Result<SignalFd> {
    let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
    Ok(SignalFd::with_flags(&SigSet::from(Signal::SIGCHLD), flags)?)
}

fn forget(signals: &SignalFd) {
    while let Ok(Some(_)) = signals.read_signal() {}
}

/// Ends every descendant of this process, and returns when there is none.
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
        // Those that have been killed end in their own time; then, or soon, they are looked for
        // again.
        match &children {
            Ok(signals) => {
                let mut awaited = [PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
                let soon = PollTimeout::try_from(LOOK_AGAIN).unwrap_or(PollTimeout::ZERO);
                let _ = poll(&mut awaited, soon);
                forget(signals);
            }
            Err(_) => std::thread::sleep(LOOK_AGAIN),
        }
    }
}

/// Ends a guard that does not go by itself; the engine dies with it.
pub(super) fn end(guard: Pid) {
    // It may be gone already.
    let _ = kill(guard, Signal::SIGKILL);
}
