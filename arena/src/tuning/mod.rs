//! Tuning: finds good values of an engine's options by games between two sets of values.
//!
//! [`Spsa`] is the method, [`TuningRun`] follows a tournament with it, and [`optimum`] says what the
//! games of all iterations support together. Everything here is plain computation; games are played
//! by the runner like those of any other tournament.

mod iteration;
mod optimum;
mod run;
mod spsa;

pub use iteration::Iteration;
pub use optimum::{Optimum, optimum};
pub use run::{Recommendation, TuningRun};
pub use spsa::{Spsa, Trial};
