//! Asks an engine: about the positions of games, which of two moves is better, and for puzzles.

pub mod choices;
pub mod games;
mod position;
pub mod puzzles;

pub use games::{AnalysisError, Request, analyse};
