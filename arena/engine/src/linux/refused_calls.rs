//! The system calls that the filter refuses to every engine, with any arguments.
//!
//! They administer the machine, reach into other processes, or leave something behind that outlives
//! the engine. No engine needs them. Most need a capability that engines do not have; that they are
//! refused as well keeps engines from what faults of the kernel there were in them. Among them are
//! all that containers of Docker are denied by default, apart from some that concern the memory
//! policy of the calling process alone.

use nix::libc;

/// The calls, by subject.
pub(crate) const REFUSED: &[&[i64]] = &[
    KEYS,
    OBSERVING,
    NAMESPACES,
    MOUNTS,
    MACHINE,
    CLOCKS,
    OTHER_PROCESSES,
    QUEUES,
    #[cfg(target_arch = "x86_64")]
    ONLY_X86,
];

/// Keys that the kernel keeps for a user.
const KEYS: &[i64] = &[libc::SYS_add_key, libc::SYS_keyctl, libc::SYS_request_key];

/// Programs in the kernel, performance events, and whatever holds up other processes: the handling
/// of page faults in user space and of accesses to files.
const OBSERVING: &[i64] = &[
    libc::SYS_bpf,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    libc::SYS_lookup_dcookie,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
];

/// Namespaces, and descriptors that `/proc/PID/fd` does not list. Creating a process in a namespace
/// has other rules, because it is one call with creating any process.
const NAMESPACES: &[i64] = &[libc::SYS_setns, libc::SYS_unshare];

/// The tree of files, and ways around paths.
const MOUNTS: &[i64] = &[
    libc::SYS_chroot,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_nfsservctl,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_pivot_root,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_umount2,
];

/// The machine, its kernel, its swap space and its names.
const MACHINE: &[i64] = &[
    libc::SYS_acct,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    KEXEC_FILE_LOAD,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_vhangup,
];

/// The generic number of Linux, which the library does not know for ARM64 with musl.
#[cfg(all(target_arch = "aarch64", target_env = "musl"))]
const KEXEC_FILE_LOAD: i64 = 294;
#[cfg(not(all(target_arch = "aarch64", target_env = "musl")))]
const KEXEC_FILE_LOAD: i64 = libc::SYS_kexec_file_load;

/// Setting the clocks, and what corrects them.
const CLOCKS: &[i64] =
    &[libc::SYS_adjtimex, libc::SYS_clock_adjtime, libc::SYS_clock_settime, libc::SYS_settimeofday];

/// Other processes. Landlock governs `ptrace` and `process_vm_readv`, which debuggers and checkers
/// of memory need for processes of the engine.
const OTHER_PROCESSES: &[i64] =
    &[libc::SYS_kcmp, libc::SYS_pidfd_getfd, libc::SYS_process_madvise, libc::SYS_process_mrelease];

/// Shared memory, queues and semaphores of System V and queues of POSIX, which outlive their
/// processes.
const QUEUES: &[i64] =
    &[libc::SYS_mq_open, libc::SYS_mq_unlink, libc::SYS_msgget, libc::SYS_semget, libc::SYS_shmget];

/// Ports of the machine, and calls that later architectures do not have.
#[cfg(target_arch = "x86_64")]
const ONLY_X86: &[i64] = &[
    libc::SYS__sysctl,
    libc::SYS_ioperm,
    libc::SYS_iopl,
    libc::SYS_sysfs,
    libc::SYS_uselib,
    libc::SYS_ustat,
];
