//! Analysis of finished games by an engine: the winning chance of every position, the loss of every
//! move, marks for bad moves, the accuracy of each side, and puzzles.
//!
//! Read in this order: [`chance`](mod@chance) turns scores into winning chances. [`game`](mod@game) holds the
//! analysis of a game and judges its moves. [`ask`] puts the questions to an engine; it is the only
//! asynchronous part. [`file`](mod@file) stores judged moves beside a journal. [`puzzles`] describes
//! puzzles and reads files of them.

pub mod ask;
pub mod chance;
mod family;
pub mod file;
pub mod game;
pub mod puzzles;

pub use ask::games::{AnalysisError, Request, analyse};
pub use chance::chance;
pub use family::families;
pub use game::{GameAnalysis, Line, Mark, PlyAnalysis, PositionAnalysis, SideAnalysis};
