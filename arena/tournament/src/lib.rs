//! A tournament as data: from the config to the journal, without a process, a runtime or a socket.
//!
//! Read in this order: [`config`] says what is to be played; [`pairing`] schedules it; [`game`] holds
//! the clocks, the referee and how a game ends; [`record`] keeps finished games, on disk the only
//! source of truth; [`progress`] decides what they decide: withdrawals, later stages, a sequential
//! test, the values of a [`tuning`].
//!
//! [`machine`] describes where a tournament was played, [`diagnostics`] what is remarkable about its
//! engines, [`analysis`] what an engine said about its games. [`notation`] reads and writes games and
//! positions as text, and [`text`] holds bounded input files, tables and safe text.

pub mod analysis;
pub mod config;
pub mod diagnostics;
pub mod game;
pub mod machine;
pub mod mutex;
pub mod notation;
pub mod pairing;
mod platform;
pub mod progress;
pub mod record;
pub mod text;
pub mod tuning;
