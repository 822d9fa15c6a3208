//! The arena's open files: the limit, and the number that engines need.

use std::fs::File;
use std::io;

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit, setrlimit};

/// The arena's descriptors per running engine: its three streams, the two pipes to its supervisor,
/// and the descriptor that reports the supervisor's exit.
const PER_ENGINE: u64 = 6;

/// The arena's other descriptors: journal, terminal, timers, signals, files it reads and writes,
/// and the other ends of pipes while a process starts.
const BESIDES: u64 = 40;

/// The number of open files needed for a number of engines.
pub fn needed_for(engines: usize) -> u64 {
    BESIDES + PER_ENGINE * engines as u64
}

/// The number of engines that a number of open files is enough for.
pub fn enough_for(files: u64) -> usize {
    usize::try_from(files.saturating_sub(BESIDES) / PER_ENGINE).unwrap_or(usize::MAX)
}

/// The number of files that this process may open; `u64::MAX` if it is not limited.
pub fn allowed() -> u64 {
    getrlimit(Resource::RLIMIT_NOFILE).map_or(u64::MAX, |(soft, _)| soft)
}

/// The number to which that can be raised; `None` for any number.
pub fn most() -> Option<u64> {
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
    (hard != RLIM_INFINITY).then_some(hard)
}

/// Raises the limit of open files to this number, as far as the hard limit allows. Returns the
/// resulting limit.
pub fn allow(files: u64) -> u64 {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return files };
    if soft >= files {
        return soft;
    }
    let wanted = files.min(hard);
    match setrlimit(Resource::RLIMIT_NOFILE, wanted, hard) {
        Ok(()) => wanted,
        Err(_) => soft,
    }
}

/// The directory of this process's descriptors.
const OWN: &str = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };

/// Opens an inherited descriptor, which is a pipe or a file.
pub(crate) fn given(descriptor: i32, write: bool) -> io::Result<File> {
    File::options().read(!write).write(write).open(format!("{OWN}/{descriptor}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needed_files_are_enough() {
        for engines in [0, 1, 2, 16, 400] {
            assert_eq!(enough_for(needed_for(engines)), engines);
        }
        assert_eq!(enough_for(0), 0);
    }

    #[test]
    fn the_hard_limit_is_not_exceeded() {
        let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
        assert_eq!(allow(1), soft);
        assert!(allow(soft) >= soft);
        assert!(allow(u64::MAX) <= hard);
    }
}
