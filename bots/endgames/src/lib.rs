//! Endgame tables: the exact value of every position with few stones.
//!
//! A table knows of a position under perfect play whether the side to move wins, draws or loses, and
//! in how many plies. Small tables are built in memory:
//!
//! ```
//! use fanorona_endgames::build_in_memory;
//! use fanorona_protocol::messages::Value;
//! use fanorona_protocol::rules::{BoardSize, Position, Ruleset};
//!
//! let tables = build_in_memory(BoardSize::new(5, 3).unwrap(), 3)?;
//! let rules = Ruleset::default();
//! // White moves next to the last black stone and captures it.
//! let position: Position = "5/W1b2/5 w".parse()?;
//! assert_eq!(tables.value(&position, &rules)?, Some(Value::Win(1)));
//! // Positions with more stones are not in the tables.
//! assert_eq!(tables.value(&Position::start(tables.board()), &rules)?, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Tables`] answers for a position: its [`Outcome`], its
//!   [`Value`](fanorona_protocol::messages::Value), and its moves with their values.
//! - [`value_in_game`], [`probe_moves`] and [`perfect_line`] answer for a game, which has limits and
//!   a history.
//! - [`build()`] writes the tables of a board to disk, one [`Layer`] of positions after the other,
//!   and [`verify`] proves them by the rules.
//! - [`longest_wins`], [`single_moves`] and [`survey`] find puzzles.
//!
//! A table knows only the stones: no repetition and no count of quiet plies. A win means that one
//! side can force the end in this many plies against any defence; a draw means that neither side
//! can. `ENDGAMES.md` describes what this means for an engine and for the limits of a game, and the
//! format of the files.
//!
//! The feature `files`, on by default, adds tables on disk and the program `endgames`. Without it
//! the package needs no files, no threads and no C library; in a browser it reads the files of tables
//! that the page has loaded.
//!
//! Some modules serve other programs too: amounts of [`memory`], how a [`program`] exits and
//! prints, files that are written in one step ([`atomic_file`]), the headers of files
//! ([`file_format`]) and their errors ([`path_error`]), and the [`solution`] of a solved game.
//!
//! Read the sources in this order: `outcome`; `layer`; the numbering of positions (`symmetry`,
//! `patterns`, `index`); building (`retrograde`); storage (`packing`, `file_format`, `file`, `file_writer`, `open`); probing (`tables`,
//! `limits`); `verify`; `puzzles`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "files"), allow(dead_code, reason = "some parts serve files alone"))]

#[cfg(feature = "files")]
pub mod atomic_file;
mod error;
mod file;
pub mod file_format;
#[cfg(feature = "files")]
mod file_writer;
mod index;
mod layer;
mod limits;
pub mod memory;
mod open;
mod outcome;
mod packing;
pub mod path_error;
mod patterns;
#[cfg(feature = "files")]
pub mod program;
mod puzzles;
mod retrograde;
mod side_stats;
#[cfg(feature = "files")]
pub mod solution;
mod symmetry;
mod tables;
mod threads;
mod verify;

pub use error::{FileError, FileProblem};
pub use layer::{Layer, MAX_STONES, ParseLayerError};
pub use limits::{
    Certainty, GameLimits, ProbedMove, perfect_line, probe_moves, value_in_game, value_of_ending,
};
pub use outcome::Outcome;
pub use puzzles::{
    Census, Count, MIN_MOVES, Part, Puzzle, Survey, census, longest_wins, rank, single_moves,
    survey,
};
pub use retrograde::{BuildError, BuildObserver, build_in_memory};
#[cfg(feature = "files")]
pub use retrograde::{Plan, build, build_by};
pub use side_stats::{Longest, SideStats};
pub use symmetry::Symmetries;
pub use tables::Tables;
pub use verify::{Inspection, Mismatch, Verified, VerifyError, verify};
