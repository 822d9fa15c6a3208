//! A move as it is named: where a stone starts and the steps it makes.

use alloc::borrow::ToOwned;
use alloc::string::String;

use core::fmt;
use core::str::FromStr;

use super::geometry::{Direction, MAX_POINTS, Point};

/// How a step captures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Capture {
    /// The stone moves towards the run of enemy stones it takes: `A`.
    Approach,
    /// The stone moves away from the run of enemy stones it takes: `W`.
    Withdrawal,
}

/// One step of a move along a line of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// Where to.
    pub direction: Direction,
    /// How it captures; `None` for the only step of a paika.
    pub capture: Option<Capture>,
}

/// The most steps a move can have: every point but the first reached once.
pub const MAX_STEPS: usize = MAX_POINTS - 1;

/// A whole move, a paika or a chain of captures: a path, not its effect, so that it may be legal in
/// one position and not in another. Two paths to the same position are two moves.
///
/// ```
/// use fanorona_protocol::rules::Move;
/// let mv: Move = "e2e3Ad4W".parse().unwrap();
/// assert_eq!(mv.steps().len(), 2);
/// assert!(mv.is_capture());
/// assert_eq!(mv.to_string(), "e2e3Ad4W");
/// ```
///
/// Invariant: at least one step; a paika has exactly one step; no step leaves the largest board.
#[derive(Clone, Copy)]
pub struct Move {
    from: Point,
    steps: [Step; MAX_STEPS],
    /// How many of `steps` count, 1 to [`MAX_STEPS`].
    len: u8,
}

const UNUSED: Step = Step { direction: Direction::South, capture: None };

impl Move {
    /// A stone's move without a capture.
    pub fn paika(from: Point, direction: Direction) -> Option<Move> {
        Move::new(from, &[Step { direction, capture: None }])
    }

    /// The move of these steps; `None` when there is none or too many of them, when one leaves the
    /// largest board, or when a step without a capture is not the only one.
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

    /// Where the stone stands before the move.
    pub fn from(&self) -> Point {
        self.from
    }

    /// The steps in order; at least one.
    pub fn steps(&self) -> &[Step] {
        &self.steps[..self.len as usize]
    }

    /// Whether the move captures; otherwise it is a paika.
    pub fn is_capture(&self) -> bool {
        self.steps[0].capture.is_some()
    }

    /// The points the stone reaches, one for each step.
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

/// Why a word is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseMoveError {
    /// The word does not begin with two points.
    #[error("`{0}` is not a move: expected points and marks, like a1b1 or e2e3Ad4W")]
    Form(String),
    /// Two points in a row are not next to each other.
    #[error("`{mv}` is not a move: {from} and {to} are not next to each other")]
    Jump {
        /// The word as written.
        mv: String,
        /// The point before the step.
        from: Point,
        /// The point it would reach.
        to: Point,
    },
    /// Several steps, one of them without `A` or `W`.
    #[error("`{0}` is not a move: every step of a capture carries A (approach) or W (withdrawal)")]
    Unmarked(String),
    /// More steps than any board allows.
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
    fn moves_are_read_as_they_are_written() {
        for text in ["a1b1", "f2e3A", "e2e3Ad4W", "h4h3Ag3Wh2Ai3W"] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_move_is_told_why() {
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
