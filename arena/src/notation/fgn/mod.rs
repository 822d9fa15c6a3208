//! FGN: games as text that people read and programs read back.
//!
//! It is PGN, the portable notation of chess games, with Fanorona's moves and positions: tags in
//! square brackets, then the moves, numbered, then the result. The page `arena/guides/fgn.md`
//! describes it for users. [`write()`] and [`Reader`] are each other's inverse but for what FGN does
//! not hold: notes, and processor time.

mod read;
mod text;
mod write;

pub use read::{FgnError, FgnProblem, Game, LONGEST_GAME, LONGEST_LINE, Reader};
pub use write::{About, write, write_game};

/// The name of the file in a results directory.
pub const FILE: &str = "games.fgn";

#[cfg(test)]
mod tests;
