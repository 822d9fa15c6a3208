//! The binding to processors, which the system does not have: see [`CAN_BIND`](super::CAN_BIND).

use fanorona_tournament::config::Cpus;

/// The processors of a list that are not available to this process: unknown.
pub fn missing_cpus(_: &Cpus) -> Vec<u32> {
    Vec::new()
}
