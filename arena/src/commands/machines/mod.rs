//! The options that let other machines play a tournament's games, and the connection to them.

#[cfg(feature = "cluster")]
mod nats;
#[cfg(not(feature = "cluster"))]
mod none;

use std::time::Duration;

#[cfg(feature = "cluster")]
pub(super) use nats::{AccessArgs, ClusterArgs, Machines};
#[cfg(not(feature = "cluster"))]
pub(super) use none::{ClusterArgs, Machines};

/// What the machines report.
#[cfg_attr(not(feature = "cluster"), allow(dead_code))]
pub(super) enum Notice {
    Text(String),
    Warning(String),
    /// The server is lost, and for how long it is waited for.
    Lost {
        why: String,
        patience: Duration,
    },
    /// The server is back after this time.
    Back(Duration),
}
