//! The number of processes this user can still start, if the system limits it (`ulimit -u`).

use rustix::process::{Resource, getrlimit, getuid};

use super::table;

/// The processes of a running engine: its supervisor, and the engine with some of its own.
const PER_ENGINE: u64 = 4;

/// The number of processes that a user can have; `None` for any number.
pub fn most() -> Option<u64> {
    getrlimit(Resource::Nproc).maximum
}

/// The number left; `None` if there is no limit, as for root.
pub fn left() -> Option<u64> {
    let most = getrlimit(Resource::Nproc).current?;
    let user = getuid();
    if user.is_root() {
        return None;
    }
    let running = table::of_user(user.as_raw()).len() as u64;
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
