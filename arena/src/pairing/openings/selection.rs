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
pub enum Opinion {
    /// Its exact value, which it knows.
    Exact(Value),
    /// What its search came to.
    Searched(Score),
}

/// What an opening is worth to White, or to the debtor where there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// So many hundredths of a stone.
    Hundredths(i64),
    /// A game that ends in a draw, if nobody errs.
    Drawn,
    /// A game that is won.
    Won,
    /// A game that is lost.
    Lost,
}

impl Worth {
    /// What a position is worth by what an engine says of it; `None` where it says nothing.
    pub fn new(opinion: Opinion, position: &Position) -> Option<Worth> {
        let of_mover = match opinion {
            Opinion::Searched(Score::Cp(hundredths)) => Worth::Hundredths(hundredths.into()),
            Opinion::Searched(Score::Win(_)) | Opinion::Exact(Value::Win(_)) => Worth::Won,
            Opinion::Searched(Score::Loss(_)) | Opinion::Exact(Value::Loss(_)) => Worth::Lost,
            Opinion::Exact(Value::Draw) => Worth::Drawn,
            Opinion::Exact(Value::Unknown) => return None,
        };
        let first = position.debtor().unwrap_or(Side::White);
        Some(if position.side_to_move() == first { of_mover } else { of_mover.of_the_other() })
    }

    fn of_the_other(self) -> Worth {
        match self {
            Worth::Hundredths(score) => Worth::Hundredths(-score),
            Worth::Drawn => Worth::Drawn,
            Worth::Won => Worth::Lost,
            Worth::Lost => Worth::Won,
        }
    }

    /// The middle that openings are measured from when the start of their kind is worth this much.
    pub fn middle(self) -> i64 {
        match self {
            Worth::Hundredths(score) => score,
            Worth::Drawn | Worth::Won | Worth::Lost => 0,
        }
    }

    /// Whether it is no farther from the middle than a bound, in hundredths of a stone. What is
    /// known to be drawn is even, what is known to be decided is not.
    pub fn is_even(self, middle: i64, bound: u32) -> bool {
        match self {
            Worth::Hundredths(score) => score.abs_diff(middle) <= u64::from(bound),
            Worth::Drawn => true,
            Worth::Won | Worth::Lost => false,
        }
    }
}

impl std::fmt::Display for Worth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Worth::Hundredths(score) => write!(f, "{score:+}"),
            Worth::Drawn => f.write_str("draw"),
            Worth::Won => f.write_str("win"),
            Worth::Lost => f.write_str("loss"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(opinion: Opinion, position: &str) -> Worth {
        Worth::new(opinion, &position.parse().unwrap()).unwrap()
    }

    const RIATRA: &str = "bbb/b1W/WWW";

    #[test]
    fn it_is_seen_from_white_or_the_debtor() {
        let searched = Opinion::Searched(Score::Cp(30));
        for (fen, expected) in [("w -", 30), ("b -", -30), ("w b", -30), ("b b", 30), ("w w", 30)] {
            let found = worth(searched, &format!("{RIATRA} {fen} 0 1"));
            assert_eq!(found, Worth::Hundredths(expected), "{fen}");
        }
        let black_to_move = format!("{RIATRA} b - 0 1");
        assert_eq!(worth(Opinion::Searched(Score::Win(3)), &black_to_move), Worth::Lost);
        assert_eq!(worth(Opinion::Exact(Value::Loss(2)), &black_to_move), Worth::Won);
        assert_eq!(worth(Opinion::Exact(Value::Draw), &black_to_move), Worth::Drawn);
        let unknown = Opinion::Exact(Value::Unknown);
        assert_eq!(Worth::new(unknown, &black_to_move.parse().unwrap()), None);
    }

    #[test]
    fn even_is_close_to_the_middle() {
        let even = |score, middle| Worth::Hundredths(score).is_even(middle, 200);
        assert!(even(200, 0) && even(-200, 0) && !even(201, 0) && !even(-201, 0));
        assert!(even(1200, 1283) && !even(0, 1283));
        assert!(!even(i64::from(i32::MIN), i64::from(i32::MAX)));
        assert!(Worth::Drawn.is_even(1283, 0));
        assert!(!Worth::Won.is_even(0, u32::MAX) && !Worth::Lost.is_even(0, u32::MAX));
        assert_eq!((Worth::Hundredths(-7).middle(), Worth::Won.middle()), (-7, 0));
        let shown = [Worth::Hundredths(5), Worth::Hundredths(-5), Worth::Drawn];
        assert_eq!(shown.map(|worth| worth.to_string()), ["+5", "-5", "draw"]);
    }
}
