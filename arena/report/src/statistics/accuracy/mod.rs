//! The accuracy of engines in positions whose exact value an oracle knows: the wins and draws that
//! they threw away, and when.
//!
//! An oracle is an engine with endgame tables, or any other that answers `query value`. After the
//! games it is asked about every position in which an engine had to move (`oracle`). Its values are
//! saved beside the journal ([`file`](mod@file)), so that later reports only read files. Each move
//! is judged by the values before and after it ([`judge`]).

pub mod file;
mod judge;

pub use judge::{Accuracy, Blunder, Counts, Judged, judge};
