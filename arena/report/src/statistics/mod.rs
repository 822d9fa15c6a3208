//! Reads results and computes what they say about the engines.

pub mod accuracy;
pub mod breakdown;
pub mod candidates;
pub mod choices;
pub mod comparison;
pub mod engine_accuracy;
mod family;
pub mod outcome;
pub mod phase;
pub mod ranking;
pub mod rating_history;
pub mod results;
pub mod results_reader;
pub mod rows;
pub mod search;
pub mod session_rows;
pub mod sprt_state;
pub mod stage_table;
pub mod standings;
pub mod style;
pub mod sweep;
pub mod verdict;
pub mod workers;
