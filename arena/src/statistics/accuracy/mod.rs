//! How well engines play what an oracle knows: who threw away a win or a draw, and when.
//!
//! An oracle is an engine with endgame tables, or any other that answers `query value`. It is asked
//! after the games, of every position the engines had to play in ([`ask`]); what it says is kept
//! beside the journal ([`file`](mod@file)), so that every report after that is made from files
//! alone; and a move is judged by the values before and after it ([`judge`]).

pub mod ask;
pub mod file;
mod judge;
mod values;

pub use judge::{Accuracy, Blunder, Counts, Judged, judge};
pub use values::{GameValues, ParseValuesError};
