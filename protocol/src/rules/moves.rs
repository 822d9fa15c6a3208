//! Moves as text and as values: a starting point and the steps from there.

use alloc::borrow::ToOwned;
use alloc::string::String;

use core::fmt;
use core::str::FromStr;

use super::geometry::{Direction, MAX_POINTS, Point};

/// The way in which a step captures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Capture {
    /// The stone moves towards the run of enemy stones it captures. The mark is `A`.
    Approach,
    /// The stone moves away from the run of enemy stones it captures. The mark is `W`.
    Withdrawal,
}

/// One step of a move: the stone goes to a neighbouring point along a line of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The direction of the step.
    pub direction: Direction,
    /// The way the step captures; `None` in a paika, which does not capture.
    pub capture: Option<Capture>,
}

/// The largest number of steps in a move. A stone visits no point twice, so it reaches every point
/// but its first at most once.
pub const MAX_STEPS: usize = MAX_POINTS - 1;

/// A complete move of one side: a paika (one step without a capture) or a chain of capturing steps.
///
/// A move names a path, not its effect, so it can be legal in one position and illegal in another.
/// Two paths that lead to the same position are two different moves.
///
/// The text form is the starting point, then each point reached with its mark, `A` or `W`, if the
/// step captures:
///
/// ```
/// use fanorona_protocol::rules::Move;
/// let mv: Move = "e2e3Ad4W".parse().unwrap();
/// assert_eq!(mv.steps().len(), 2);
/// assert!(mv.is_capture());
/// assert_eq!(mv.to_string(), "e2e3Ad4W");
/// ```
///
/// Invariants: a move has at least one step, a paika has exactly one, and no step leaves the
/// largest board.
#[derive(Clone, Copy)]
pub struct Move {
    from: Point,
    steps: [Step; MAX_STEPS],
    /// The number of `steps` in use, 1 to [`MAX_STEPS`].
    len: u8,
}

const UNUSED: Step = Step { direction: Direction::South, capture: None };

impl Move {
    /// Returns the paika from a point in a direction, or `None` if it leaves the largest board.
    pub fn paika(from: Point, direction: Direction) -> Option<Move> {
        Move::new(from, &[Step { direction, capture: None }])
    }

    /// Returns the move with these steps. Returns `None` if there are no steps or more than
    /// [`MAX_STEPS`], if a step leaves the largest board, or if a step without a capture is not the
    /// only step.
    pub fn new(from: Point, path: &[Step]) -> Option<Move> {
        let paika = path.iter().any(|step| step.capture.is_none());
        if path.is_empty() || path.len() > MAX_STEPS || (paika && path.len() > 1) {
            return None;
        }
        path.iter().try_fold(from, |point, step| point.offset(step.direction))?;
        let mut steps = [UNUSED; MAX_STEPS];
        steps[..path.len()].copy_from_slice(path);
        Some(Move { from, steps, len: path.len() as u8 })
    }

    /// Returns the point where the stone stands before the move.
    pub fn from(&self) -> Point {
        self.from
    }

    /// Returns the steps in order; at least one.
    pub fn steps(&self) -> &[Step] {
        &self.steps[..self.len as usize]
    }

    /// Whether the move captures. Otherwise it is a paika.
    pub fn is_capture(&self) -> bool {
        self.steps[0].capture.is_some()
    }

    /// Returns the points the stone reaches, one for each step.
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        self.steps().iter().scan(self.from, |point, step| {
            *point = point.offset(step.direction)?;
            Some(*point)
        })
    }
}

impl PartialEq for Move {
    fn eq(&self, other: &Move) -> bool {
        self.from == other.from && self.steps() == other.steps()
    }
}

impl Eq for Move {}

impl core::hash::Hash for Move {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.from.hash(state);
        self.steps().hash(state);
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.from)?;
        for (point, step) in self.points().zip(self.steps()) {
            write!(f, "{point}")?;
            match step.capture {
                Some(Capture::Approach) => f.write_str("A")?,
                Some(Capture::Withdrawal) => f.write_str("W")?,
                None => {}
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The reason why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseMoveError {
    /// The text is not a sequence of at least two points, each after the first with an optional
    /// mark.
    #[error("`{0}` is not a move: expected points and marks, like a1b1 or e2e3Ad4W")]
    Form(String),
    /// Two successive points are not neighbours.
    #[error("`{mv}` is not a move: {from} and {to} are not next to each other")]
    Jump {
        /// The whole text.
        mv: String,
        /// The point before the step.
        from: Point,
        /// The point named after it.
        to: Point,
    },
    /// The move has several steps, and one of them has neither `A` nor `W`.
    #[error(
        "`{0}` is not a move: every step of a capture needs the mark A (approach) or W (withdrawal)"
    )]
    Unmarked(String),
    /// The move has more than [`MAX_STEPS`] steps.
    #[error("`{0}` is not a move: it has more steps than the board has points")]
    TooLong(String),
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let form = || ParseMoveError::Form(text.to_owned());
        let point = |at: usize| text.get(at..at + 2).and_then(|word| word.parse::<Point>().ok());
        let from = point(0).ok_or_else(form)?;
        let (mut here, mut at) = (from, 2);
        let (mut steps, mut len) = ([UNUSED; MAX_STEPS], 0);
        while at < text.len() {
            let to = point(at).ok_or_else(form)?;
            let direction = Direction::between(here, to).ok_or_else(|| ParseMoveError::Jump {
                mv: text.to_owned(),
                from: here,
                to,
            })?;
            let capture = match text.as_bytes().get(at + 2) {
                Some(b'A') => Some(Capture::Approach),
                Some(b'W') => Some(Capture::Withdrawal),
                _ => None,
            };
            if len == MAX_STEPS {
                return Err(ParseMoveError::TooLong(text.to_owned()));
            }
            steps[len] = Step { direction, capture };
            len += 1;
            here = to;
            at += 2 + usize::from(capture.is_some());
        }
        if len == 0 {
            return Err(form());
        }
        Move::new(from, &steps[..len]).ok_or_else(|| ParseMoveError::Unmarked(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_a_printed_move_returns_the_same_move() {
        for text in ["a1b1", "f2e3A", "e2e3Ad4W", "h4h3Ag3Wh2Ai3W"] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn each_invalid_text_is_rejected_with_its_reason() {
        let why = |text: &str| text.parse::<Move>().unwrap_err();
        for text in ["", "a1", "0000", "a1b", "a1b1a", "e2e3X", "e2e3AW", "E2e3A", "é2e3A", "a1b1 "]
        {
            assert_eq!(why(text), ParseMoveError::Form(text.into()), "{text}");
        }
        assert!(matches!(why("a1c1A"), ParseMoveError::Jump { .. }));
        assert!(matches!(why("a1a1"), ParseMoveError::Jump { .. }));
        assert!(matches!(why("e2e3d4A"), ParseMoveError::Unmarked(_)));
        assert!(matches!(why("e2e3Ad4"), ParseMoveError::Unmarked(_)));
        let endless = format!("a1{}", "a2Aa1A".repeat(30));
        assert!(matches!(why(&endless), ParseMoveError::TooLong(_)));
    }
}
