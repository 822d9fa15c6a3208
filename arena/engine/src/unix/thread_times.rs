//! The times of threads: the system does not tell how long one waited for a processor.

use crate::waiting::ThreadTimes;

/// The times of the calling thread, which the system does not report.
pub(crate) fn of_this_thread() -> Option<ThreadTimes> {
    None
}

/// Whether the system reports how long threads wait for a processor.
pub fn is_reported() -> bool {
    false
}
