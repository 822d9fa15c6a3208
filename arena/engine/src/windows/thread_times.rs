//! How long threads wait for a processor, which this system does not report.

use crate::waiting::ThreadTimes;

/// The times of the calling thread.
pub(crate) fn of_this_thread() -> Option<ThreadTimes> {
    None
}

/// Whether the system reports how long threads wait for a processor.
pub fn is_reported() -> bool {
    false
}
