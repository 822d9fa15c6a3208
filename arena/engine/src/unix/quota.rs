//! A quota of processor time, which this system does not have.

use crate::quota::Quota;

/// The smallest quota of this process: there is none.
pub(crate) fn of_this_process() -> Option<Quota> {
    None
}
