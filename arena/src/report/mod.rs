//! What is left of a tournament for people and programs: one format a file.

pub mod comparison;
pub mod csv;
pub mod events;
mod figures;
pub mod html;
pub mod json;
mod table;
pub mod terminal;
pub mod words;
pub mod write;
