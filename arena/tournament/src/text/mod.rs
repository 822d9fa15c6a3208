//! Text input and output: bounded input files, tables, text that is safe to show, durations and plurals.

pub mod as_text;
pub mod duration;
pub mod exception;
pub mod input_file;
pub mod plural;
pub mod safe_text;
pub mod short_names;
pub mod short_score;
pub mod table;
