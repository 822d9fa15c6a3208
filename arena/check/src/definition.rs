//! The definition of a check: its level, its texts and the function that runs it.

use super::subject::Subject;
use super::verdict::Outcome;
use serde::Serialize;
use std::pin::Pin;
use strum::VariantArray;

/// The part of the protocol that an engine has to support.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[derive(Serialize, strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[strum(parse_err_ty = ParseLevelError, parse_err_fn = ParseLevelError::new)]
pub enum Level {
    /// The part that a tournament requires of an engine that receives the legal moves with every
    /// `go`.
    Basic,
    /// The whole protocol page.
    Full,
}

impl Level {
    /// Both levels, the lower one first.
    pub const ALL: &'static [Level] = Level::VARIANTS;

    /// The word used in options and reports.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// The text is not a level.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a level: expected basic or full")]
pub struct ParseLevelError(String);

impl ParseLevelError {
    fn new(text: &str) -> ParseLevelError {
        ParseLevelError(text.to_owned())
    }
}

/// A check of one requirement of the protocol.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The lowest level that includes the check.
    pub level: Level,
    /// The requirement in a few words.
    pub title: &'static str,
    /// The heading in `protocol/UGI.md` of the section with the requirement.
    pub section: &'static str,
    /// Advice for an engine that fails, if the check itself gives no better hint.
    pub fix_hint: &'static str,
    /// The function that runs the check.
    pub(super) run: Run,
}

/// A function that runs a check by communicating with the engine.
pub(super) type Run = for<'s> fn(&'s mut Subject) -> Pin<Box<dyn Future<Output = Outcome> + 's>>;
