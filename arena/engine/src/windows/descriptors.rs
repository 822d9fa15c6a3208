//! The arena's open files, which this system does not limit.

/// The number of open files needed for a number of engines: none is missing.
pub fn needed_for(_: usize) -> u64 {
    0
}

/// The number of engines that a number of open files is enough for.
pub fn enough_for(_: u64) -> usize {
    usize::MAX
}

/// The number of files that this process may open.
pub fn allowed() -> u64 {
    u64::MAX
}

/// The number to which that can be raised: any.
pub fn most() -> Option<u64> {
    None
}

/// Raises the limit of open files to this number, which is the result.
pub fn allow(files: u64) -> u64 {
    files
}
