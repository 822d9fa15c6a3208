//! The rules that adjudicate a game by the scores its engines report.

use super::serialised::or_false;

/// The rules that adjudicate a game by scores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize)]
pub struct ScoreRules {
    /// The rule for a draw; `None` for never.
    #[serde(serialize_with = "or_false")]
    pub draw: Option<DrawRule>,
    /// The rule for a win; `None` for never.
    #[serde(serialize_with = "or_false")]
    pub resign: Option<ResignRule>,
}

/// The rule that adjudicates a game as a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
pub struct DrawRule {
    /// The number of consecutive moves of each engine that must meet the condition, at least 1.
    pub moves: u32,
    /// The largest distance of the score from zero, in hundredths of a stone.
    pub score: u32,
    /// The number of plies that must have been played, including the opening.
    pub after: u32,
}

impl Default for DrawRule {
    fn default() -> DrawRule {
        DrawRule { moves: 10, score: 10, after: 60 }
    }
}

/// The rule that adjudicates a game as won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
pub struct ResignRule {
    /// The number of consecutive moves of each engine that must meet the condition, at least 1.
    pub moves: u32,
    /// The smallest advantage of the same side that both engines report, in hundredths of a stone.
    pub score: u32,
}

impl Default for ResignRule {
    fn default() -> ResignRule {
        ResignRule { moves: 6, score: 1000 }
    }
}
