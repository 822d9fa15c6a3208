//! What a game brings its first player.

/// What the first player got out of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Score {
    /// Nothing.
    Loss,
    /// Half a point.
    Draw,
    /// The point.
    Win,
}

impl Score {
    /// What the opponent got.
    pub fn of_opponent(self) -> Score {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }
}
