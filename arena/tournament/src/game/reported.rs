//! The reports of an engine in a game besides its moves: its own errors, and its standard error.

use serde::{Deserialize, Serialize};

use super::dialogue::Dialogue;
use crate::text::as_text;
use crate::text::plural::counted;

/// The reports of an engine in one game. All texts are [safe](crate::text::safe_text) to show.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Reported {
    /// The number of moves that it was asked for.
    pub asked: u32,
    /// The number of these moves in which it reported an error by `info error`, and played on.
    #[serde(skip_serializing_if = "as_text::is_default")]
    pub error_moves: u32,
    /// The first error, in a move or between moves; empty if there was none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub error: String,
    /// The end of what it wrote to standard error in the move of the first error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<String>,
    /// The number of its moves in which it wrote to standard error.
    #[serde(skip_serializing_if = "as_text::is_default")]
    pub stderr_moves: u32,
    /// The first lines on its standard error, and `…` if there were more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

impl Reported {
    /// Whether it reported no error and wrote nothing to standard error.
    pub fn is_silent(&self) -> bool {
        self.error.is_empty() && self.stderr.is_empty()
    }

    /// The lines that explain the first error: those of its move, or the first ones of the game.
    pub fn explanation(&self) -> &[String] {
        if self.trace.is_empty() { &self.stderr } else { &self.trace }
    }

    /// The first error and how often the engine reported one in the game, without its name.
    pub fn error_in_words(&self) -> String {
        let Reported { asked, error_moves, error, .. } = self;
        match error_moves {
            0 => format!("reported an error between its moves: {error}"),
            _ => format!(
                "reported an error in {error_moves} of {}: {error}",
                counted(*asked, "move", "moves")
            ),
        }
    }

    /// Every text, to be made safe.
    pub(crate) fn texts(&mut self) -> impl Iterator<Item = &mut String> {
        std::iter::once(&mut self.error).chain(&mut self.trace).chain(&mut self.stderr)
    }
}

/// Everything that is kept of what an engine said in one game.
#[derive(Clone, Debug, Default)]
pub struct EngineOutput {
    /// Its reports besides its moves.
    pub reported: Reported,
    /// All lines, if they are kept.
    pub dialogue: Option<Dialogue>,
}
