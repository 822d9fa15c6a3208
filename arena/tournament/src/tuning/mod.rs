//! Tuning: finds good values of an engine's options by games between two sets of values.
//!
//! [`Spsa`] and [`GaussianProcessSearch`] are the methods, and [`TuningRun`] follows a tournament with
//! one of them. After SPSA, [`optimum`] says what the games of all iterations support together; a
//! Gaussian process knows it by itself. Everything here is plain computation; games are played
//! by the runner like those of any other tournament.

mod gaussian_process;
mod iteration;
mod optimum;
mod run;
mod spsa;

pub use gaussian_process::GaussianProcessSearch;
pub use iteration::{Iteration, Trial};
pub use optimum::{Optimum, optimum};
pub use run::{Recommendation, TuningRun};
pub use spsa::Spsa;
