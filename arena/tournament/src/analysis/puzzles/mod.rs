//! Puzzles: positions with one winning move, their solutions, and files of them.
//!
//! A file has one JSON object per line, a [`Puzzle`]. [`read`](fn@read) checks every line by the rules. Two
//! kinds exist: the solution of an exact puzzle is proven by endgame tables, that of a tactical one
//! is an engine's judgement. `ask::puzzles` finds both.

mod puzzle;
mod read;
mod symmetry;
mod theme;

pub use puzzle::{Attempt, Branch, Puzzle, PuzzleKind};
pub use read::{PuzzleError, PuzzleProblem, read};
pub use symmetry::{Canonical, canonical};
pub use theme::Theme;
