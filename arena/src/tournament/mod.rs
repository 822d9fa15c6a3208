//! Playing a tournament: the runner, and what the finished games decide.

pub mod capacity;
pub mod enforced;
pub mod engine_reports;
pub mod environment;
pub mod estimate;
pub mod extent;
pub mod idle_thinking;
pub mod illegal_lines;
pub mod oracle;
pub mod progress;
pub mod race_run;
pub mod readiness;
pub mod runner;
pub mod runs;
pub mod sprt_run;
