//! A tournament while it is played: the loop that plays it, and what follows from the games so far.

pub mod capacity;
pub mod environment;
pub mod estimate;
pub mod extent;
pub mod idle_thinking;
pub mod progress;
pub mod readiness;
pub mod runner;
pub mod runs;
pub mod sprt_run;
