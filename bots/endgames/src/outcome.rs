//! Win, draw or loss.

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::Side;

/// The outcome of a position for the side to move under perfect play, where endless play is a draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Outcome {
    Loss,
    Draw,
    Win,
}

impl Outcome {
    /// Every outcome, from worst to best.
    pub const ALL: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

    /// The outcome for a side of a game with this winner.
    pub fn from_winner(winner: Option<Side>, side: Side) -> Outcome {
        match winner {
            None => Outcome::Draw,
            Some(winner) if winner == side => Outcome::Win,
            Some(_) => Outcome::Loss,
        }
    }

    /// The outcome of a value.
    pub fn from_value(value: Value) -> Outcome {
        match value {
            Value::Win(_) => Outcome::Win,
            Value::Draw => Outcome::Draw,
            Value::Loss(_) => Outcome::Loss,
        }
    }

    /// The winner, if this is the outcome for a side.
    pub fn winner(self, side: Side) -> Option<Side> {
        match self {
            Outcome::Win => Some(side),
            Outcome::Draw => None,
            Outcome::Loss => Some(!side),
        }
    }
}

/// The value for the side that moves, of a move to a position with this value for its own side to
/// move.
pub(super) fn before_move(after: Value) -> Value {
    match after {
        Value::Win(plies) => Value::Loss(plies + 1),
        Value::Loss(plies) => Value::Win(plies + 1),
        Value::Draw => Value::Draw,
    }
}
