//! The option `Solution`: a solved game, by which an engine plays without a mistake.
//!
//! The set of a side that wins leads from each of its positions to one with a smaller rank, and the
//! set of a side that holds from each of its positions to another one. So the engine needs to look
//! only at the moves of the current position, whatever the opponent plays. A solution says nothing
//! about positions outside of its sets; there the engine searches as usual.

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
