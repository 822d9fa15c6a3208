//! The measures that only Linux has, for the other systems.

/// A quota of processor time.
pub(crate) mod quota {
    use crate::quota::Quota;

    /// The smallest quota of this process: none is known.
    pub fn of_this_process() -> Option<Quota> {
        None
    }
}

/// The times that threads wait for a processor.
pub(crate) mod thread_times {
    use crate::waiting::ThreadTimes;

    /// The times of the calling thread, which the system does not report.
    pub(crate) fn of_this_thread() -> Option<ThreadTimes> {
        None
    }

    /// Whether the system reports how long threads wait for a processor.
    pub fn is_reported() -> bool {
        false
    }
}
