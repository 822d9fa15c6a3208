//! Reports: CSV, JSON, FGN, HTML and terminal tables. This room writes every derived file.

pub mod analysis;
pub mod choices;
pub mod comparison;
pub mod csv;
pub mod events;
mod figures;
pub mod html;
pub mod json;
pub mod league;
pub mod sweep;
mod table;
pub mod terminal;
pub mod tuning;
pub mod words;
pub mod write;
