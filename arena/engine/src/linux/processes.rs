//! The number of processes and threads this user can still start, if the system limits it (`ulimit
//! -u`).

use std::fs;
use std::os::unix::fs::MetadataExt;

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};

/// The processes of a running engine: its supervisor, the first process of its namespace, and the
/// engine with some threads.
const PER_ENGINE: u64 = 8;

/// The number of processes and threads that a user can have; `None` for any number.
pub fn most() -> Option<u64> {
    let (_, hard) = getrlimit(Resource::RLIMIT_NPROC).ok()?;
    (hard != RLIM_INFINITY).then_some(hard)
}

/// The number left; `None` if there is no limit, as for root.
pub fn left() -> Option<u64> {
    let (most, _) = getrlimit(Resource::RLIMIT_NPROC).ok()?;
    let user = fs::metadata("/proc/self").ok()?.uid();
    if most == RLIM_INFINITY || user == 0 {
        return None;
    }
    // The limit applies to all processes and threads of the user.
    let own = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let is_process = name.to_str().is_some_and(|name| name.parse::<u32>().is_ok());
        is_process && entry.metadata().is_ok_and(|data| data.uid() == user)
    };
    let threads = |entry: fs::DirEntry| {
        fs::read_dir(entry.path().join("task")).map_or(0, |tasks| tasks.count() as u64)
    };
    let running: u64 = fs::read_dir("/proc").ok()?.flatten().filter(own).map(threads).sum();
    Some(most.saturating_sub(running))
}

/// The number of engines that the remaining processes are enough for; `None` for any number.
pub fn enough_for() -> Option<usize> {
    left().map(|left| usize::try_from(left / PER_ENGINE).unwrap_or(usize::MAX))
}

/// Whether so few are left that a program may fail to start one.
pub(crate) fn are_scarce() -> bool {
    left().is_some_and(|left| left < 2 * PER_ENGINE)
}
