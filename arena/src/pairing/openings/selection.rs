//! Which openings are even enough, by the word of an engine.
//!
//! Two engines play every opening from both sides, so none is unfair; but one that is decided from
//! the beginning tells nothing of them. A score is seen from White in a riatra and from the debtor
//! in a vela, and it is even enough when it lies close to a middle: zero in a riatra. In a vela,
//! where the debtor takes stone after stone before the creditor takes any, it is the score of the
//! position velas start from.

use fanorona_protocol::messages::{Score, Value};
use fanorona_protocol::rules::{Position, Side};

/// What an engine says of a position, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineEval {
    /// Its exact value, which it knows.
    Exact(Value),
    /// What its search came to.
    Searched(Score),
}

/// What an opening is worth to White, or to the debtor where there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningEval {
    /// So many hundredths of a stone.
    Hundredths(i64),
    /// A game that ends in a draw, if nobody errs.
    Drawn,
    /// A game that is won.
    Won,
    /// A game that is lost.
    Lost,
}

impl OpeningEval {
    /// What a position is worth by what an engine says of it; `None` where it says nothing.
    pub fn new(opinion: EngineEval, position: &Position) -> Option<OpeningEval> {
        let of_mover = match opinion {
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
            EngineEval::Exact(Value::Unknown) => return None,
        };
        let first = position.debtor().unwrap_or(Side::White);
        Some(if position.side_to_move() == first { of_mover } else { of_mover.of_the_other() })
    }

    fn of_the_other(self) -> OpeningEval {
        match self {
            OpeningEval::Hundredths(score) => OpeningEval::Hundredths(-score),
            OpeningEval::Drawn => OpeningEval::Drawn,
            OpeningEval::Won => OpeningEval::Lost,
            OpeningEval::Lost => OpeningEval::Won,
        }
    }

    /// The middle that openings are measured from when the start of their kind is worth this much.
    pub fn middle(self) -> i64 {
        match self {
            OpeningEval::Hundredths(score) => score,
            OpeningEval::Drawn | OpeningEval::Won | OpeningEval::Lost => 0,
        }
    }

    /// Whether it is no farther from the middle than a bound, in hundredths of a stone. What is
    /// known to be drawn is even, what is known to be decided is not.
    pub fn is_even(self, middle: i64, bound: u32) -> bool {
        match self {
            OpeningEval::Hundredths(score) => score.abs_diff(middle) <= u64::from(bound),
            OpeningEval::Drawn => true,
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

    fn worth(opinion: EngineEval, position: &str) -> OpeningEval {
        OpeningEval::new(opinion, &position.parse().unwrap()).unwrap()
    }

    const RIATRA: &str = "bbb/b1W/WWW";

    #[test]
    fn it_is_seen_from_white_or_the_debtor() {
        let searched = EngineEval::Searched(Score::Cp(30));
        for (fen, expected) in [("w -", 30), ("b -", -30), ("w b", -30), ("b b", 30), ("w w", 30)] {
            let found = worth(searched, &format!("{RIATRA} {fen} 0 1"));
            assert_eq!(found, OpeningEval::Hundredths(expected), "{fen}");
        }
        let black_to_move = format!("{RIATRA} b - 0 1");
        assert_eq!(worth(EngineEval::Searched(Score::Win(3)), &black_to_move), OpeningEval::Lost);
        assert_eq!(worth(EngineEval::Exact(Value::Loss(2)), &black_to_move), OpeningEval::Won);
        assert_eq!(worth(EngineEval::Exact(Value::Draw), &black_to_move), OpeningEval::Drawn);
        let unknown = EngineEval::Exact(Value::Unknown);
        assert_eq!(OpeningEval::new(unknown, &black_to_move.parse().unwrap()), None);
    }

    #[test]
    fn even_is_close_to_the_middle() {
        let even = |score, middle| OpeningEval::Hundredths(score).is_even(middle, 200);
        assert!(even(200, 0) && even(-200, 0) && !even(201, 0) && !even(-201, 0));
        assert!(even(1200, 1283) && !even(0, 1283));
        assert!(!even(i64::from(i32::MIN), i64::from(i32::MAX)));
        assert!(OpeningEval::Drawn.is_even(1283, 0));
        assert!(!OpeningEval::Won.is_even(0, u32::MAX) && !OpeningEval::Lost.is_even(0, u32::MAX));
        assert_eq!((OpeningEval::Hundredths(-7).middle(), OpeningEval::Won.middle()), (-7, 0));
        let shown = [OpeningEval::Hundredths(5), OpeningEval::Hundredths(-5), OpeningEval::Drawn];
        assert_eq!(shown.map(|worth| worth.to_string()), ["+5", "-5", "draw"]);
    }
}
