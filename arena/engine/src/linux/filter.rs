//! The system call filter of the sandbox, for what Landlock does not cover.
//!
//! The kernel gives a filter only the numeric arguments of a call. The filter cannot follow a
//! pointer, and it cannot tell which process a thread id belongs to. Therefore:
//!
//! - Calls that change limits, priorities, scheduling or processors are allowed for the process 0,
//!   which means the calling one, and fail with EPERM for any other number. Calls that only read
//!   them are allowed.
//! - If the arena has bound the engine to processors, calls that change the binding have no effect
//!   and report success, because programs that bind their threads exit if they cannot.
//! - Sockets other than Unix sockets and queries about network interfaces fail with EACCES.
//! - `io_uring` fails with ENOSYS, as on a kernel without it, because filters do not see its
//!   requests.
//! - The [`refused_calls`](super::refused_calls) fail with EPERM.
//! - Creating a process in a namespace of its own fails with EPERM, and `clone3` with ENOSYS, as on
//!   a kernel without it, because its arguments are behind a pointer. C libraries then use `clone`.
//! - A thread with descriptors apart from those of its process fails with EPERM: nothing lists
//!   them, so they would escape the limits.
//! - Leases on files fail with EPERM, because they keep other processes from opening a file, or
//!   executing it, until the holder has agreed.
//! - Secret memory fails with ENOSYS, because nothing counts it.
//! - Personalities that change the meaning of system calls or the protection of memory fail with
//!   EPERM.
//!
//! A call with a foreign calling convention, such as that of 32-bit programs, kills its process
//! with SIGSYS, because its numbers mean other calls.
//!
//! See seccomp(2).

use std::collections::BTreeMap;
use std::io;

use nix::errno::Errno;
use nix::libc;
use seccompiler::{
    BackendError, BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp,
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use super::refused_calls::REFUSED;
use crate::not_started::{NotStarted, Stage};

/// The `AF_NETLINK` protocol for queries about network interfaces.
const NETLINK_ROUTE: u64 = libc::NETLINK_ROUTE as u64;

/// The value for a process in `ioprio_set`; libc does not define it.
const IOPRIO_WHO_PROCESS: u64 = 1;

/// The flags of `clone` for a process in a namespace of its own.
const NEW_NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWUTS,
];

/// The flag of `close_range` that gives a thread its own descriptors.
const CLOSE_RANGE_UNSHARE: u64 = libc::CLOSE_RANGE_UNSHARE as u64;

/// The command of `fcntl` for a lease on a directory, since Linux 6.19; libc does not define it.
const F_SETDELEG: i32 = 1040;

/// The personalities of ordinary programs: that of Linux, variants that report an old version of
/// it, without random addresses, and the number that only asks. Sanitizers and compilers of Lisp
/// do without random addresses.
const PERSONALITIES: [u64; 6] = [0, 0x8, 0x2_0000, 0x2_0008, 0x4_0000, 0xffff_ffff];

/// The bit that distinguishes calls of the x32 convention of x86-64.
#[cfg(target_arch = "x86_64")]
const X32: i64 = 0x4000_0000;

/// Applies the filter permanently to this process and its descendants. On a kernel without filters
/// this does nothing, which the [probe](super::probe) detects.
pub(crate) fn enter(network: bool, bound: bool) -> Result<(), NotStarted> {
    let Ok(arch) = TargetArch::try_from(std::env::consts::ARCH) else { return Ok(()) };
    let programs = programs(arch, network, bound).map_err(NotStarted::at(Stage::Sandbox))?;
    for program in programs {
        match seccompiler::apply_filter(&program) {
            Ok(()) => {}
            Err(Error::Prctl(why) | Error::Seccomp(why)) if !is_known(&why) => return Ok(()),
            Err(why) => return Err(NotStarted::at(Stage::Sandbox)(why)),
        }
    }
    Ok(())
}

/// Whether a failure comes from a kernel that supports filters.
fn is_known(why: &io::Error) -> bool {
    let code = why.raw_os_error().map(Errno::from_raw);
    !matches!(code, Some(Errno::ENOSYS | Errno::EINVAL | Errno::EPERM | Errno::EACCES))
}

/// A comparison of the lower half of an argument, counted from 0. The kernel reads only that half
/// of most arguments.
fn half(argument: u8, how: SeccompCmpOp, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, how, value)
}

/// A comparison of a whole argument, such as a pointer.
fn whole(argument: u8, how: SeccompCmpOp, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, how, value)
}

/// A call with the conditions it must match: all conditions of one of the lists. Without lists, the
/// call always matches.
type Call = (i64, Vec<Vec<Result<SeccompCondition, BackendError>>>);

/// The filters; the strictest result counts.
fn programs(arch: TargetArch, network: bool, bound: bool) -> Result<Vec<BpfProgram>, BackendError> {
    use SeccompCmpOp::{Eq, MaskedEq, Ne};
    let other = |argument| vec![vec![half(argument, Ne, 0)]];
    // Among the bits of the mask, these are set and no others.
    let bits =
        |argument, mask: i32, set: i32| vec![half(argument, MaskedEq(mask as u64), set as u64)];
    let mut clones: Vec<_> = NEW_NAMESPACES.map(|flag| bits(0, flag, flag)).into();
    clones.push(bits(0, libc::CLONE_THREAD | libc::CLONE_FILES, libc::CLONE_THREAD));
    let mut forbidden: Vec<Call> = vec![
        (libc::SYS_prlimit64, vec![vec![half(0, Ne, 0), whole(2, Ne, 0)]]),
        (
            libc::SYS_setpriority,
            // C libraries disagree about the sign of this constant.
            vec![vec![half(0, Ne, libc::PRIO_PROCESS as u64)], vec![half(1, Ne, 0)]],
        ),
        (libc::SYS_ioprio_set, vec![vec![half(0, Ne, IOPRIO_WHO_PROCESS)], vec![half(1, Ne, 0)]]),
        (libc::SYS_sched_setscheduler, other(0)),
        (libc::SYS_sched_setparam, other(0)),
        (libc::SYS_sched_setattr, other(0)),
        (libc::SYS_migrate_pages, other(0)),
        (libc::SYS_move_pages, other(0)),
        (libc::SYS_clone, clones),
        (
            libc::SYS_close_range,
            vec![vec![half(2, MaskedEq(CLOSE_RANGE_UNSHARE), CLOSE_RANGE_UNSHARE)]],
        ),
        (
            libc::SYS_fcntl,
            [libc::F_SETLEASE, F_SETDELEG].map(|command| vec![half(1, Eq, command as u64)]).into(),
        ),
        (libc::SYS_personality, vec![PERSONALITIES.map(|known| half(0, Ne, known)).into()]),
    ];
    forbidden.extend(REFUSED.iter().copied().flatten().map(|&call| (call, Vec::new())));
    let mut ignored = Vec::new();
    match bound {
        true => ignored.push((libc::SYS_sched_setaffinity, Vec::new())),
        false => forbidden.push((libc::SYS_sched_setaffinity, other(0))),
    }
    let unknown = [
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_clone3,
        libc::SYS_memfd_secret,
    ]
    .map(|call| (call, Vec::new()));
    let (unix, netlink) = (libc::AF_UNIX as u64, libc::AF_NETLINK as u64);
    let closed = vec![
        (
            libc::SYS_socket,
            vec![
                vec![half(0, Ne, unix), half(0, Ne, netlink)],
                vec![half(0, Eq, netlink), half(2, Ne, NETLINK_ROUTE)],
            ],
        ),
        (libc::SYS_socketpair, vec![vec![half(0, Ne, unix)]]),
    ];
    let mut parts = vec![(Errno::EPERM as u32, forbidden), (Errno::ENOSYS as u32, unknown.into())];
    if !network {
        parts.push((Errno::EACCES as u32, closed));
    }
    if bound {
        // Error 0: the call reports success.
        parts.push((0, ignored));
    }
    parts.into_iter().map(|(errno, calls)| filter(arch, errno, calls)).collect()
}

/// One filter: the given calls fail with an error, all others are allowed.
fn filter(arch: TargetArch, errno: u32, calls: Vec<Call>) -> Result<BpfProgram, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for (call, lists) in calls {
        let lists = lists
            .into_iter()
            .map(|conditions| SeccompRule::new(conditions.into_iter().collect::<Result<_, _>>()?));
        let lists = lists.collect::<Result<Vec<_>, BackendError>>()?;
        #[cfg(target_arch = "x86_64")]
        rules.insert(call | X32, lists.clone());
        rules.insert(call, lists);
    }
    let (pass, fail) = (SeccompAction::Allow, SeccompAction::Errno(errno));
    SeccompFilter::new(rules, pass, fail, arch)?.try_into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests run on one architecture, but filters are compiled for both.
    #[test]
    fn filters_compile_for_every_architecture() {
        for arch in [TargetArch::x86_64, TargetArch::aarch64] {
            for (network, bound, count) in
                [(false, false, 3), (true, false, 2), (false, true, 4), (true, true, 3)]
            {
                assert_eq!(programs(arch, network, bound).unwrap().len(), count);
            }
        }
    }
}
