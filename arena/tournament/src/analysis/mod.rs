//! Analysis of finished games by an engine: the winning chance of every position, the loss of every
//! move, marks for bad moves, the accuracy of each side, and puzzles.
//!
//! Read in this order: [`chance`](mod@chance) turns scores into winning chances. [`game`](mod@game) holds the
//! analysis of a game and judges its moves. [`file`](mod@file) stores judged moves beside a journal.
//! [`puzzles`] describes puzzles and reads files of them. The questions to the engine are those of the
//! crate that plays.

pub mod chance;
pub mod family;
pub mod file;
pub mod game;
pub mod puzzles;

pub use chance::chance;
pub use family::families;
pub use game::{GameAnalysis, Line, Mark, PlyAnalysis, PositionAnalysis, SideAnalysis};
