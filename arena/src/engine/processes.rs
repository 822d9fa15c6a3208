//! How many processes and threads this user may still start, where the system bounds them
//! (`ulimit -u`).

use std::fs;
use std::os::unix::fs::MetadataExt;

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};

/// What a running engine takes: its supervisor, the first process of its namespace, and the engine
/// with some threads.
const PER_ENGINE: u64 = 8;

/// How many are left; `None` where the system sets no bound, as it sets none for root.
pub fn left() -> Option<u64> {
    let (most, _) = getrlimit(Resource::RLIMIT_NPROC).ok()?;
    let user = fs::metadata("/proc/self").ok()?.uid();
    if most == RLIM_INFINITY || user == 0 {
        return None;
    }
    // The bound is on everything the user runs, threads included.
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

/// The engines that as many processes as are left are enough for; `None` for any number.
pub fn enough_for() -> Option<usize> {
    left().map(|left| usize::try_from(left / PER_ENGINE).unwrap_or(usize::MAX))
}

/// Whether so few are left that a program may have failed for want of one.
pub fn are_scarce() -> bool {
    left().is_some_and(|left| left < 2 * PER_ENGINE)
}
