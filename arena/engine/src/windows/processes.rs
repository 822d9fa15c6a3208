//! The number of processes this user can still start, which this system does not limit.

/// The number of processes that a user can have: any.
pub fn most() -> Option<u64> {
    None
}

/// The number of engines that the remaining processes are enough for; `None` for any number.
pub fn enough_for() -> Option<usize> {
    None
}

/// Whether so few are left that a program may fail to start one.
pub(crate) fn are_scarce() -> bool {
    false
}
