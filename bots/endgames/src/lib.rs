//! Endgame tables: the exact value of every position with few stones.
//!
//! In reading order: what is known of a position ([`Outcome`]; with the plies to the end it is a
//! [`Value`](fanorona_protocol::messages::Value)); which positions are kept together ([`Layer`])
//! and how they are numbered (`symmetry`, `patterns`, `index`); how their values are found
//! ([`build()`]), kept (`file`), asked for ([`Tables`]) and checked against the rules
//! ([`verify`]); what they say in a game, which has limits and a past ([`value_in_game`],
//! [`judge_moves`], [`perfect_line`]); and puzzles ([`longest_wins`], [`single_moves`]).
//!
//! The feature `files`, on by default, is for tables on disk and for the program `endgames`. Without
//! it the package builds small tables in memory and needs no file, no thread and nothing but Rust.
//!
//! Beside the tables stands what other programs share with `endgames`: amounts of [`memory`], how a
//! [`program`] ends and prints, and the [`solution`] of a solved game in its file.
//!
//! The tables know the stones and nothing else: no repetition, no count of quiet plies. A win says
//! that one side can force the end in so many plies, whatever the other does; a draw that neither
//! can. `bots/endgames/ENDGAMES.md` tells what this means for an engine and for a game's limits.

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
