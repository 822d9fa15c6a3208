//! What a person at a terminal sees and types.

pub mod board;
pub mod move_prompt;
pub(crate) mod outlet;
pub(crate) mod output;
pub mod replay;
pub(crate) mod screen;
