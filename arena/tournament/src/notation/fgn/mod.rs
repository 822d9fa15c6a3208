//! FGN: games as text that people and programs can read.
//!
//! FGN is PGN, the portable notation of chess games, with Fanorona's moves and positions: tags in
//! square brackets, then the numbered moves, then the result. `arena/guides/fgn.md` describes it
//! for users. [`write_annotated`] and [`Reader`] are inverse to each other, except for processor time,
//! which FGN does not hold.
//!
//! Fanorona-Engine calls its own files FGN as well. [`Reader`] detects and reads them, and
//! [`write_as`] writes them and the notations of more programs.

mod foreign;
mod read;
mod text;
mod write;
mod write_as;

pub use read::{FgnError, FgnProblem, Game, Reader};
pub use write::{
    AnnotatedMove, Annotation, Annotations, FileTags, SUFFIXES, tag_lines, write, write_annotated,
    write_game,
};
pub use write_as::{Notation, WriteError, assumed_rules, write_as};

/// The name of the file in a results directory.
pub const FILE: &str = "games.fgn";

#[cfg(test)]
mod tests;
