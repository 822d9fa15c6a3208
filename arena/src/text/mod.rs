//! Text input and output: bounded input files, text that is safe to show, and plurals.

pub(crate) mod input_file;
pub mod plural;
pub mod safe_text;
