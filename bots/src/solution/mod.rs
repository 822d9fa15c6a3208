//! The option `Solution`: a solved game, by which an engine plays without a mistake.
//!
//! A set has an answer to every move of the other side from each of its positions: one that leads to
//! a position of the set (of a side that wins, with a smaller rank), or to an end or an ending of the
//! tables. So the engine needs to look only at the moves of the current position, whatever the opponent
//! plays, and at the position before, where only tables know the answer. A solution says nothing about
//! other positions; there the engine searches as usual.

#[cfg(not(feature = "native"))]
mod none;
#[cfg(feature = "native")]
mod option;
#[cfg(feature = "native")]
mod solved;

use crate::bot::{Choice, RootMove};

#[cfg(not(feature = "native"))]
pub(crate) use none::SolutionOption;
#[cfg(feature = "native")]
pub(crate) use option::SolutionOption;

/// The answer of a solution to a task.
#[cfg_attr(not(feature = "native"), expect(dead_code, reason = "this build reads no files"))]
pub(crate) enum Answer {
    /// The move to play.
    Chosen(Choice),
    /// None of these moves loses, in the order of the task: the search chooses the one that sets
    /// the most problems.
    OneOf(Vec<RootMove>),
}
