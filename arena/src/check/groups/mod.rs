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

use super::definition::{Check, Level};
use super::positions::{Case, Family, cases};
use super::subject::{Capabilities, Subject};
use super::talk::{Conversation, legal};
use super::verdict::{CheckFailure, Outcome};

/// A limit that any engine reaches at once.
const BRIEF: &str = "nodes 100";

/// The words that name every legal move, after a limit: all that an engine without rules needs.
fn told(limit: &str, case: &Case) -> String {
    let words: Vec<String> = case.moves.iter().map(ToString::to_string).collect();
    format!("{limit} searchmoves {}", words.join(" "))
}

/// The usual start, as a game that has just begun.
fn start() -> Case {
    let rules = Ruleset::default();
    cases(Family::Riatra, &rules, 1, 0).pop().expect("a game has a beginning")
}

/// Nothing worth a word.
fn passed() -> Outcome {
    Ok(String::new())
}
