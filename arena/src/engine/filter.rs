//! The filter of system calls in the sandbox of an engine: what Landlock does not govern.
//!
//! The kernel shows a filter the numbers a call is made with and nothing else. It cannot follow a
//! pointer, and it cannot tell to which process a thread id belongs. So:
//!
//! - What changes limits, priorities, scheduling or processors of a process passes for "this one",
//!   which is 0, and fails with EPERM for any number. What only reads them passes.
//! - Where the arena has bound the engine to processors, binding has no effect and answers success:
//!   programs that bind their threads end when they cannot.
//! - Sockets other than Unix sockets, and questions about network interfaces, fail with EACCES.
//! - `io_uring`, whose requests no filter sees, fails with ENOSYS, as on a kernel without it.
//! - Shared memory, queues and semaphores of System V fail with EPERM: they outlive their processes.
//!
//! A call by another convention than the one of this machine's programs, such as a 32-bit program's,
//! ends its process by SIGSYS: its numbers mean other calls.
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

use super::not_started::{NotStarted, Stage};

/// The kind of sockets that is `AF_NETLINK` with this protocol tells of network interfaces.
const NETLINK_ROUTE: u64 = libc::NETLINK_ROUTE as u64;

/// What `ioprio_set` calls a process; libc has no name for it.
const IOPRIO_WHO_PROCESS: u64 = 1;

/// Numbers of calls by the x32 convention of x86-64 differ from the usual ones by this bit.
#[cfg(target_arch = "x86_64")]
const X32: i64 = 0x4000_0000;

/// Puts this process and all it will start under the filter, for good. A kernel that has no filters
/// is left as it is, which the [probe](super::probe) finds out.
pub(super) fn enter(network: bool, bound: bool) -> Result<(), NotStarted> {
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

/// Whether a failure comes from a kernel that has filters.
fn is_known(why: &io::Error) -> bool {
    let code = why.raw_os_error().map(Errno::from_raw);
    !matches!(code, Some(Errno::ENOSYS | Errno::EINVAL | Errno::EPERM | Errno::EACCES))
}

/// A comparison of an argument, counted from 0: its lower half, as the kernel reads most of them.
fn half(argument: u8, how: SeccompCmpOp, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, how, value)
}

/// The same of a whole argument, such as a pointer.
fn whole(argument: u8, how: SeccompCmpOp, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Qword, how, value)
}

/// A call and what it has to be made with; all conditions of one of the lists, or no list at all.
type Call = (i64, Vec<Vec<Result<SeccompCondition, BackendError>>>);

/// The filters; of several, the strictest answer counts.
fn programs(arch: TargetArch, network: bool, bound: bool) -> Result<Vec<BpfProgram>, BackendError> {
    use SeccompCmpOp::Ne;
    let other = |argument| vec![vec![half(argument, Ne, 0)]];
    let mut forbidden: Vec<Call> = vec![
        (libc::SYS_prlimit64, vec![vec![half(0, Ne, 0), whole(2, Ne, 0)]]),
        (
            libc::SYS_setpriority,
            vec![vec![half(0, Ne, libc::PRIO_PROCESS.into())], vec![half(1, Ne, 0)]],
        ),
        (libc::SYS_ioprio_set, vec![vec![half(0, Ne, IOPRIO_WHO_PROCESS)], vec![half(1, Ne, 0)]]),
        (libc::SYS_sched_setscheduler, other(0)),
        (libc::SYS_sched_setparam, other(0)),
        (libc::SYS_sched_setattr, other(0)),
        (libc::SYS_migrate_pages, other(0)),
        (libc::SYS_move_pages, other(0)),
        (libc::SYS_shmget, Vec::new()),
        (libc::SYS_msgget, Vec::new()),
        (libc::SYS_semget, Vec::new()),
    ];
    let mut ignored = Vec::new();
    match bound {
        true => ignored.push((libc::SYS_sched_setaffinity, Vec::new())),
        false => forbidden.push((libc::SYS_sched_setaffinity, other(0))),
    }
    let unknown = [libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register]
        .map(|call| (call, Vec::new()));
    let (unix, netlink) = (libc::AF_UNIX as u64, libc::AF_NETLINK as u64);
    let closed = vec![
        (
            libc::SYS_socket,
            vec![
                vec![half(0, Ne, unix), half(0, Ne, netlink)],
                vec![half(0, SeccompCmpOp::Eq, netlink), half(2, Ne, NETLINK_ROUTE)],
            ],
        ),
        (libc::SYS_socketpair, vec![vec![half(0, Ne, unix)]]),
    ];
    let mut parts = vec![(Errno::EPERM as u32, forbidden), (Errno::ENOSYS as u32, unknown.into())];
    if !network {
        parts.push((Errno::EACCES as u32, closed));
    }
    if bound {
        // No error: the call answers 0.
        parts.push((0, ignored));
    }
    parts.into_iter().map(|(errno, calls)| filter(arch, errno, calls)).collect()
}

/// One filter: some calls fail with an error, all others pass.
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

    /// The machine here may be of one architecture; filters are made for both.
    #[test]
    fn there_are_filters_for_every_architecture() {
        for arch in [TargetArch::x86_64, TargetArch::aarch64] {
            for (network, bound, count) in
                [(false, false, 3), (true, false, 2), (false, true, 4), (true, true, 3)]
            {
                assert_eq!(programs(arch, network, bound).unwrap().len(), count);
            }
        }
    }
}
