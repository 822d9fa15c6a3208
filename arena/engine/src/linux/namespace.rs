//! The first process of an engine's own PID namespace, if the kernel supports it.
//!
//! When the first process of a PID namespace ends, the kernel kills all others in it at once, even
//! if they have detached themselves. The first process of an engine's namespace stands between
//! supervisor and engine, and ends with its supervisor. The engine's processes therefore end even
//! if arena and supervisor are killed at the same time. The engine sees a `/proc` of the namespace
//! with its own processes only.
//!
//! Root can create such a namespace, and so can every user of a system that allows user namespaces.
//! See pid_namespaces(7) and user_namespaces(7).

use std::fs::File;
use std::io::{self, Write};

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::process::{getegid, geteuid};

use super::{cgroup, sandboxed_exec, tree};
use crate::not_started::{NotStarted, Stage};
use crate::posix::launch_spec::LaunchSpec;
use crate::posix::successor::start;
use crate::posix::unrunnable;
use crate::supervisor_message::SupervisorMessage;

/// Makes the next child of this process the first process of a new PID namespace. Returns whether
/// the system allows it. This process must have a single thread. The user keeps the same identity
/// in the namespace, without further rights.
///
/// If the namespace was created but cannot be used.
pub(crate) fn begin() -> io::Result<bool> {
    if unshare(CloneFlags::CLONE_NEWPID).is_ok() {
        return Ok(true);
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    if unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWPID).is_err() {
        return Ok(false);
    }
    let write = |file: &str, text: String| {
        File::options().write(true).open(file)?.write_all(text.as_bytes())
    };
    write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    write("/proc/self/setgroups", "deny".to_owned())?;
    write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    Ok(true)
}

/// Runs the first process of a namespace: starts the process that executes the engine, and returns
/// when it has exited. It dies with `supervisor`, its parent.
pub(crate) fn run(supervisor: Pid, mut messages: File, spec: &LaunchSpec) -> io::Result<()> {
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    // If the supervisor died before, no signal arrives. `/proc` is still that of the supervisor's
    // namespace; `getppid` cannot see its number here.
    if tree::own_stat().is_none_or(|stat| stat.parent != supervisor) {
        return Err(io::Error::other("the supervisor has exited"));
    }
    own_proc();
    let this = Pid::this();
    let engine = match start() {
        Ok(None) => return sandboxed_exec::become_engine(this, messages, spec),
        Ok(Some(engine)) => engine,
        Err(why) => {
            return writeln!(
                messages,
                "{}",
                SupervisorMessage::NotStarted(NotStarted::at(Stage::Confine)(why))
            );
        }
    };
    let ended = loop {
        match waitpid(None, None) {
            Ok(WaitStatus::Exited(pid, code)) if pid == engine => {
                break unrunnable::exited(code, spec);
            }
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == engine => {
                break cgroup::killed(signal as i32, spec.group.as_deref());
            }
            Ok(_) | Err(Errno::EINTR) => {}
            Err(why) => return Err(why.into()),
        }
    };
    writeln!(messages, "{ended}")
}

/// Mounts the `/proc` of this namespace for this process and its descendants.
fn own_proc() {
    // Most programs work without it, so a failure is ignored.
    let _ = unshare(CloneFlags::CLONE_NEWNS)
        .map_err(io::Error::from)
        .and_then(|()| {
            let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
            mount_change("/", private).map_err(io::Error::from)
        })
        .and_then(|()| {
            let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
            mount("proc", "/proc", "proc", flags, None).map_err(io::Error::from)
        });
}
