//! Text input and output: bounded input files, tables, text that is safe to show, and plurals.

pub(crate) mod as_text;
pub mod exception;
pub(crate) mod input_file;
pub mod plural;
pub mod safe_text;
pub(crate) mod short_names;
pub mod table;
