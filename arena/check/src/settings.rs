//! The settings of `arena check`.

use std::time::Duration;

/// The settings of a run of checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The timeout of a response that needs no computation.
    pub timeout: Duration,
    /// The timeout of the handshake.
    pub start_timeout: Duration,
    /// The time by which a response may exceed a requested thinking time.
    pub margin: Duration,
    /// The number of positions of each family on which moves are compared.
    pub positions: u32,
    /// The seed of the positions.
    pub seed: u64,
}
