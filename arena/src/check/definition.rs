//! What a check is: the level that asks for it, its words, and how it finds out.

use super::subject::Subject;
use super::verdict::Outcome;
use serde::Serialize;
use std::fmt;
use std::pin::Pin;
use std::str::FromStr;

/// What an engine is expected to do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// What a tournament needs of an engine that is told the legal moves.
    Basic,
    /// The whole protocol page.
    Full,
}

impl Level {
    /// Both, the lower one first.
    pub const ALL: [Level; 2] = [Level::Basic, Level::Full];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Level::Basic => "basic",
            Level::Full => "full",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A text that is no level.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no level: expected basic or full")]
pub struct ParseLevelError(String);

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Level, ParseLevelError> {
        let found = Level::ALL.into_iter().find(|level| level.word() == text);
        found.ok_or_else(|| ParseLevelError(text.to_owned()))
    }
}

/// One thing that is checked.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The lowest level that asks for it.
    pub level: Level,
    /// What a good engine does, in a few words.
    pub title: &'static str,
    /// The heading in `protocol/UGI.md` under which that is written.
    pub section: &'static str,
    /// What to do about an engine that does not, where nothing better is known.
    pub mend: &'static str,
    /// Finds out.
    pub(super) run: Run,
}

/// How a check finds out: it speaks to the engine.
pub(super) type Run = for<'s> fn(&'s mut Subject) -> Pin<Box<dyn Future<Output = Outcome> + 's>>;
