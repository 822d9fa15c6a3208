//! When a game is adjudicated by the scores of its engines.

/// When a game is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ScoreRules {
    /// When it is a draw; `None` for never.
    pub draw: Option<DrawRule>,
    /// When it is won; `None` for never.
    pub resign: Option<ResignRule>,
}

/// When a game is called a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DrawRule {
    /// For so many moves of each engine in a row, from 1.
    pub moves: u32,
    /// The score has been no further from even than this, in hundredths of a stone.
    pub score: u32,
    /// And so many plies have been played, those of the opening included.
    pub after: u32,
}

impl Default for DrawRule {
    fn default() -> DrawRule {
        DrawRule { moves: 10, score: 10, after: 60 }
    }
}

/// When a game is called won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ResignRule {
    /// For so many moves of each engine in a row, from 1.
    pub moves: u32,
    /// Both have said that the same side is ahead by this or more, in hundredths of a stone.
    pub score: u32,
}

impl Default for ResignRule {
    fn default() -> ResignRule {
        ResignRule { moves: 6, score: 1000 }
    }
}
