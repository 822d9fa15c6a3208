//! Results: reads them, computes what they say about the engines ([`statistics`]), and writes every
//! derived file: CSV, JSON, FGN, HTML and terminal tables. It starts no process and waits for nothing.

pub mod analysis_files;
mod candidates;
pub mod choices;
pub mod comparison;
pub mod csv;
pub mod events;
pub mod figures;
pub mod html;
pub mod json;
pub mod messages;
pub mod phrase;
pub mod reported;
pub mod statistics;
pub mod sweep;
mod table;
pub mod terminal;
pub mod tuning;
pub mod words;
pub mod write;
