//! The checks, one file for each group.

pub(super) mod endings;
pub(super) mod exit;
pub(super) mod handshake;
pub(super) mod info;
pub(super) mod input;
pub(super) mod limits;
pub(super) mod moves;
pub(super) mod options;
pub(super) mod positions;
pub(super) mod queries;
pub(super) mod repeat;
pub(super) mod stopping;

use fanorona_protocol::rules::Ruleset;

use super::conversation::{Conversation, legal};
use super::definition::{Check, Level};
use super::positions::{Case, Family, cases};
use super::subject::{Capabilities, Subject};
use super::verdict::{CheckFailure, Outcome};

/// A limit that every engine reaches at once.
const BRIEF: &str = "nodes 100";

/// A limit followed by `searchmoves` and every legal move, so that an engine without rules can
/// answer.
fn with_moves(limit: &str, case: &Case) -> String {
    let words: Vec<String> = case.moves.iter().map(ToString::to_string).collect();
    format!("{limit} searchmoves {}", words.join(" "))
}

/// The start position of a new game.
fn start() -> Case {
    let rules = Ruleset::default();
    cases(Family::Riatra, &rules, 1, 0).pop().expect("there is always a start position")
}

/// A pass without a remark.
fn passed() -> Outcome {
    Ok(String::new())
}

/// Goes on if a condition holds; otherwise something else was expected than the check got.
fn expect(
    holds: bool,
    expected: impl Into<String>,
    got: impl Into<String>,
) -> Result<(), CheckFailure> {
    if holds { Ok(()) } else { Err(CheckFailure::wrong(expected, got)) }
}
