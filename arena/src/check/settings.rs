//! How the checks of one engine are to be done.

use std::time::Duration;

/// How everything is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How long an answer that does not take time is waited for.
    pub timeout: Duration,
    /// What is granted on top of a time that was asked for.
    pub margin: Duration,
    /// Positions of every family on which moves are compared.
    pub positions: u32,
    /// The seed of the positions.
    pub seed: u64,
}
