//! The first process of an engine's own PID namespace, where the kernel gives one.
//!
//! When the first process of a PID namespace ends, the kernel kills all others in it, at once and
//! however they have detached themselves. The first process of an engine's namespace stands between
//! guard and engine, and ends with its guard. So an engine with all it has started ends also when arena
//! and guard are killed at the same time. The engine sees a `/proc` of the namespace: its own
//! processes and no others.
//!
//! Root gets such a namespace, and so does every user of a system that lets users have user
//! namespaces. See pid_namespaces(7) and user_namespaces(7).

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
use rustix::thread::{
    CapabilitySet, capabilities, clear_ambient_capability_set, configure_capability_in_ambient_set,
    set_capabilities,
};

use super::descriptors::given;
use super::launch_spec::LaunchSpec;
use super::not_started::{NotStarted, Stage};
use super::successor::start;
use super::supervisor_message::SupervisorMessage;
use super::{cgroup, sandboxed_exec, tree};

/// Has the next process this one starts, which has to have a single thread, be the first of a new PID
/// namespace; gives whether the system lets it. There the user is who they are here, with no more
/// rights.
///
/// # Errors
/// When there is a namespace that cannot be made usable.
pub(super) fn begin() -> io::Result<bool> {
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
    // The first process of the namespace keeps one right over it when it is run: to have its `/proc`.
    let mut sets = capabilities(None)?;
    sets.inheritable |= CapabilitySet::SYS_ADMIN;
    set_capabilities(None, sets)?;
    configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)?;
    Ok(true)
}

/// The whole life of the first process of a namespace: starts the process that becomes the engine,
/// and returns when that has ended. Only `guard`, its parent, keeps it alive.
pub fn stand(guard: i32) -> io::Result<()> {
    close_fds::set_fds_cloexec(sandboxed_exec::NEWS, &[]);
    let mut news = given(sandboxed_exec::NEWS, true)?;
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    // Had the guard died before that, nobody would tell. This is still the `/proc` of the guard, whose
    // number has no meaning to `getppid` here.
    if tree::own_stat().is_none_or(|stat| stat.parent != Pid::from_raw(guard)) {
        return Err(io::Error::other("the guard is gone"));
    }
    own_proc();
    // The engine has no right over the namespace.
    clear_ambient_capability_set()?;
    let engine = match start(&news, &["confine".to_owned(), Pid::this().to_string()]) {
        Ok(engine) => engine,
        Err(why) => {
            return writeln!(
                news,
                "{}",
                SupervisorMessage::NotStarted(NotStarted::at(Stage::Confine)(why))
            );
        }
    };
    let group = LaunchSpec::received()?.group;
    let ended = loop {
        match waitpid(None, None) {
            Ok(WaitStatus::Exited(pid, code)) if pid == engine => {
                break SupervisorMessage::Exited(code);
            }
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == engine => {
                break cgroup::killed(signal as i32, group.as_deref());
            }
            Ok(_) | Err(Errno::EINTR) => {}
            Err(why) => return Err(why.into()),
        }
    };
    writeln!(news, "{ended}")
}

/// Puts the `/proc` of this namespace in the place of the other, for this process and what it starts.
fn own_proc() {
    // Without one most programs run as well.
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
