//! Analysis of finished games by an engine: the winning chance of every position, the loss of every
//! move, marks for bad moves, the accuracy of each side, and puzzles.
//!
//! Read in this order: [`chance`](mod@chance) turns scores into winning chances. [`game`](mod@game) holds the
//! analysis of a game and judges its moves. [`flaw`] says what is wrong with a bad one. [`file`](mod@file) stores judged moves beside a journal.
//! [`puzzles`] describes puzzles and reads files of them. The questions to the engine are those of the
//! crate that plays.

pub mod chance;
pub mod family;
pub mod file;
pub mod flaw;
pub mod game;
pub mod puzzles;

pub use chance::chance;
pub use family::families;
pub use flaw::Flaw;
pub use game::{GameAnalysis, Line, Mark, PlyAnalysis, PositionAnalysis, SideAnalysis};

/// The option of engines that answer `query value`. Other engines may not know the command, and are
/// not asked.
pub const KNOWS_VALUES: &str = "EndgameTables";
