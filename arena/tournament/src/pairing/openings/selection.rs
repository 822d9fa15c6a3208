//! Selects openings that are balanced, or biased by so much, according to an engine.
//!
//! Two engines play every opening from both sides, so none is unfair, but a decided opening does
//! not help to compare them, and from a balanced one equal engines mostly draw. A score is seen from White in a riatra and from the debtor in a vela.
//! It is balanced if it is close to a middle value: zero in a riatra. In a vela the debtor captures
//! several stones before the creditor captures any, so the middle is the score of the start
//! position.

use std::ops::RangeInclusive;

use fanorona_protocol::messages::{Score, Value};
use fanorona_protocol::rules::{Position, Side};

/// An engine's evaluation of a position, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineEval {
    /// An exact value.
    Exact(Value),
    /// The score of a search.
    Searched(Score),
}

/// The value of an opening for White, or for the debtor in a vela.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningEval {
    /// A score in hundredths of a stone.
    Hundredths(i64),
    /// A draw with perfect play.
    Drawn,
    /// A win.
    Won,
    /// A loss.
    Lost,
}

impl OpeningEval {
    /// The value of a position from an engine's evaluation.
    pub fn new(eval: EngineEval, position: &Position) -> OpeningEval {
        let of_mover = match eval {
            EngineEval::Searched(Score::Cp(hundredths)) => {
                OpeningEval::Hundredths(hundredths.into())
            }
            EngineEval::Searched(Score::Win(_)) | EngineEval::Exact(Value::Win(_)) => {
                OpeningEval::Won
            }
            EngineEval::Searched(Score::Loss(_)) | EngineEval::Exact(Value::Loss(_)) => {
                OpeningEval::Lost
            }
            EngineEval::Exact(Value::Draw) => OpeningEval::Drawn,
        };
        let first = position.debtor().unwrap_or(Side::White);
        if position.side_to_move() == first { of_mover } else { of_mover.of_opponent() }
    }

    fn of_opponent(self) -> OpeningEval {
        match self {
            OpeningEval::Hundredths(score) => OpeningEval::Hundredths(-score),
            OpeningEval::Drawn => OpeningEval::Drawn,
            OpeningEval::Won => OpeningEval::Lost,
            OpeningEval::Lost => OpeningEval::Won,
        }
    }

    /// The middle value if the start position has this value.
    pub fn middle(self) -> i64 {
        match self {
            OpeningEval::Hundredths(score) => score,
            OpeningEval::Drawn | OpeningEval::Won | OpeningEval::Lost => 0,
        }
    }

    /// Whether the distance of the value from the middle, in hundredths of a stone, is in a range.
    /// A known draw is in the middle; a decided position is in no range.
    pub fn is_within(self, middle: i64, distances: &RangeInclusive<u32>) -> bool {
        match self {
            OpeningEval::Hundredths(score) => {
                u32::try_from(score.abs_diff(middle)).is_ok_and(|away| distances.contains(&away))
            }
            OpeningEval::Drawn => *distances.start() == 0,
            OpeningEval::Won | OpeningEval::Lost => false,
        }
    }
}

impl std::fmt::Display for OpeningEval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OpeningEval::Hundredths(score) => write!(f, "{score:+}"),
            OpeningEval::Drawn => f.write_str("draw"),
            OpeningEval::Won => f.write_str("win"),
            OpeningEval::Lost => f.write_str("loss"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value_of(eval: EngineEval, position: &str) -> OpeningEval {
        OpeningEval::new(eval, &position.parse().unwrap())
    }

    const RIATRA: &str = "bbb/b1W/WWW";

    #[test]
    fn values_are_from_the_view_of_white_or_the_debtor() {
        let searched = EngineEval::Searched(Score::Cp(30));
        for (fen, expected) in [("w -", 30), ("b -", -30), ("w b", -30), ("b b", 30), ("w w", 30)] {
            let found = value_of(searched, &format!("{RIATRA} {fen} 0 1"));
            assert_eq!(found, OpeningEval::Hundredths(expected), "{fen}");
        }
        let black_to_move = format!("{RIATRA} b - 0 1");
        assert_eq!(
            value_of(EngineEval::Searched(Score::Win(3)), &black_to_move),
            OpeningEval::Lost
        );
        assert_eq!(value_of(EngineEval::Exact(Value::Loss(2)), &black_to_move), OpeningEval::Won);
        assert_eq!(value_of(EngineEval::Exact(Value::Draw), &black_to_move), OpeningEval::Drawn);
    }

    #[test]
    fn balanced_values_are_close_to_the_middle() {
        let even = |score, middle| OpeningEval::Hundredths(score).is_within(middle, &(0..=200));
        assert!(even(200, 0) && even(-200, 0) && !even(201, 0) && !even(-201, 0));
        assert!(even(1200, 1283) && !even(0, 1283));
        assert!(!even(i64::from(i32::MIN), i64::from(i32::MAX)));
        assert!(OpeningEval::Drawn.is_within(1283, &(0..=0)));
        for decided in [OpeningEval::Won, OpeningEval::Lost] {
            assert!(!decided.is_within(0, &(0..=u32::MAX)));
        }
        // Biased openings favour either side, and are never known draws.
        let biased = |score| OpeningEval::Hundredths(score).is_within(0, &(150..=300));
        assert!(biased(150) && biased(-300) && !biased(149) && !biased(301));
        assert!(!OpeningEval::Drawn.is_within(0, &(1..=300)));
        assert_eq!((OpeningEval::Hundredths(-7).middle(), OpeningEval::Won.middle()), (-7, 0));
        let shown = [OpeningEval::Hundredths(5), OpeningEval::Hundredths(-5), OpeningEval::Drawn];
        assert_eq!(shown.map(|value| value.to_string()), ["+5", "-5", "draw"]);
    }
}
