//! The score of a game for its first player.

/// The first player's score in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Score {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// A full point.
    Win,
}

impl Score {
    /// The opponent's score.
    pub fn of_opponent(self) -> Score {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }
}
