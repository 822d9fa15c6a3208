//! The arena's open files: how many it may have, and how many engines need.

use std::fs::File;
use std::io;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// What the arena has open for one running engine: its three streams, the two lines to its
/// supervisor, and the descriptor that tells of the supervisor's end.
const PER_ENGINE: u64 = 6;

/// What it has open besides: journal, terminal, timers, signals, files it reads and writes, and
/// the other ends of pipes while a process starts.
const BESIDES: u64 = 40;

/// The open files that this number of engines takes.
pub fn needed_for(engines: usize) -> u64 {
    BESIDES + PER_ENGINE * engines as u64
}

/// The engines that this number of open files is enough for.
pub fn enough_for(files: u64) -> usize {
    usize::try_from(files.saturating_sub(BESIDES) / PER_ENGINE).unwrap_or(usize::MAX)
}

/// Has the system allow this number of open files, as far as the hard limit lets it. Gives how many
/// it allows now.
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

/// Opens a descriptor that this process was given. What is opened is a pipe.
pub(super) fn given(descriptor: i32, write: bool) -> io::Result<File> {
    File::options().read(!write).write(write).open(format!("/proc/self/fd/{descriptor}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_engines_need_is_enough_for_them() {
        for engines in [0, 1, 2, 16, 400] {
            assert_eq!(enough_for(needed_for(engines)), engines);
        }
        assert_eq!(enough_for(0), 0);
    }

    #[test]
    fn no_more_is_allowed_than_the_hard_limit() {
        let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
        assert_eq!(allow(1), soft);
        assert!(allow(soft) >= soft);
        assert!(allow(u64::MAX) <= hard);
    }
}
