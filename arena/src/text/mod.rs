//! Text in and out: input files of bounded size, text that is safe to show, plurals.

pub(crate) mod input_file;
pub mod plural;
pub mod safe_text;
