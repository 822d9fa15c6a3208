//! Endgame tables: the exact value of every position with few stones.
//!
//! Read the modules in this order: what the tables know of a position ([`Outcome`]; with the plies
//! to the end it is a [`Value`](fanorona_protocol::messages::Value)); the groups of positions that
//! are solved together ([`Layer`]) and their numbering (`symmetry`, `patterns`, `index`); how
//! tables are built ([`build()`]), stored (`file`), probed ([`Tables`]) and verified against the
//! rules ([`verify`]); the values in a game, which has limits and a history ([`value_in_game`],
//! [`judge_moves`], [`perfect_line`]); and puzzles ([`longest_wins`], [`single_moves`]).
//!
//! The feature `files`, on by default, adds tables on disk and the program `endgames`. Without it
//! the package builds small tables in memory and needs no files, no threads and no C library.
//!
//! Some modules serve other programs too: amounts of [`memory`], how a [`program`] exits and
//! prints, files that are written in one step ([`atomic_file`]), and the [`solution`] of a solved
//! game.
//!
//! The tables know only the stones: no repetition and no count of quiet plies. A win means that one
//! side can force the end in this many plies against any defence; a draw means that neither side
//! can. `bots/endgames/ENDGAMES.md` describes what this means for an engine and for the limits of a
//! game.

#![cfg_attr(not(feature = "files"), allow(dead_code, reason = "some parts serve files alone"))]

#[cfg(feature = "files")]
pub mod atomic_file;
mod error;
#[cfg_attr(not(feature = "files"), path = "no_files.rs")]
mod file;
mod index;
mod layer;
mod limits;
pub mod memory;
#[cfg(feature = "files")]
mod open;
mod outcome;
mod packing;
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
    GameLimits, JudgedMove, judge_moves, perfect_line, value_in_game, value_of_ending,
};
pub use outcome::Outcome;
pub use puzzles::{Count, MIN_MOVES, Puzzle, Survey, longest_wins, rank, single_moves, survey};
pub use retrograde::{BuildError, BuildObserver, build_in_memory};
#[cfg(feature = "files")]
pub use retrograde::{Plan, build, build_by};
pub use side_stats::{Longest, SideStats};
pub use symmetry::Symmetries;
pub use tables::Tables;
pub use verify::{Inspection, Mismatch, Verified, VerifyError, verify};
