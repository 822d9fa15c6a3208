//! The phases of a game.

use fanorona_protocol::rules::{Position, Side};
use serde::Serialize;

/// The part of a game, by the stones that are left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// More than two thirds of the stones.
    Opening,
    /// More than one third.
    Middle,
    /// The rest.
    End,
}

impl Phase {
    /// The phases, in order.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middle, Phase::End];

    /// The phase of a position.
    pub fn from_position(position: &Position) -> Phase {
        let board = position.board();
        let left = board.count(Side::White) + board.count(Side::Black);
        let all = 2 * board.size().stones_per_side();
        match () {
            () if 3 * left > 2 * all => Phase::Opening,
            () if 3 * left > all => Phase::Middle,
            () => Phase::End,
        }
    }

    /// The name.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middle => "middle",
            Phase::End => "end",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_told_by_the_stones_that_are_left() {
        let phase = |fen: &str| Phase::from_position(&fen.parse().unwrap());
        // Of 44 stones, 30 are more than two thirds and 15 more than one.
        assert_eq!(phase("bbbbbbbbb/bbbbbb3/9/WWWWWW3/WWWWWWWWW w"), Phase::Opening);
        assert_eq!(phase("bbbbbbbbb/bbbbbb3/9/WWWWW4/WWWWWWWWW w"), Phase::Middle);
        assert_eq!(phase("bbbbbbbb1/9/9/9/WWWWWWW2 w"), Phase::Middle);
        assert_eq!(phase("bbbbbbb2/9/9/9/WWWWWWW2 w"), Phase::End);
    }
}
