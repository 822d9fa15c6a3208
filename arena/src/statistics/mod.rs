//! What the results say about the engines.

pub mod accuracy;
pub mod breakdown;
pub mod comparison;
pub mod rating_history;
pub mod results_reader;
pub mod stage_table;
pub mod standings;
pub mod verdict;
