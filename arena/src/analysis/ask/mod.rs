//! Asks an engine: about the positions of games, and for puzzles.

pub mod games;
mod position;
pub mod puzzles;
