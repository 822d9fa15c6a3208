//! Points as indices and sets of points as masks: the numbers behind the types of the rules, for
//! code whose speed or format depends on them, such as searches, evaluations, tables and networks.
//!
//! The *index* of a point counts the points of a board row by row from `a1`. Bit *i* of a *mask* is
//! the point with index *i*. Indices and masks do not know their board: a number of one board means
//! other points on another.
//!
//! ```
//! use fanorona_protocol::rules::{Board, BoardSize, Side, raw};
//! let start = Board::start(BoardSize::TELO);
//! assert_eq!(raw::stones(&start, Side::White), 0b100_111);
//! assert_eq!(raw::mask(start.stones(Side::White)), 0b100_111);
//! let point = "c2".parse().unwrap();
//! assert_eq!(raw::index(point, BoardSize::TELO), Some(5));
//! assert_eq!(raw::point(5, BoardSize::TELO), Some(point));
//! ```

use super::board::Board;
use super::effect::Effect;
use super::geometry::{BoardSize, Direction, Point};
use super::moves::{Capture, Step};
use super::partial_move::PartialMove;
use super::point_set::PointSet;
use super::ruleset::Ruleset;
use super::side::Side;

/// Returns the index of a point on a board of this size, or `None` if the board does not have the
/// point.
#[inline]
pub fn index(point: Point, size: BoardSize) -> Option<usize> {
    point.index(size)
}

/// Returns the point with this index on a board of this size, or `None` if the board has fewer
/// points. This is the inverse of [`index`].
#[inline]
pub fn point(index: usize, size: BoardSize) -> Option<Point> {
    Point::from_index(index, size)
}

/// Returns the mask of a set.
#[inline]
pub fn mask(set: PointSet) -> u64 {
    set.bits()
}

/// Returns the set with this mask, or `None` if a bit lies outside the board.
#[inline]
pub fn point_set(mask: u64, size: BoardSize) -> Option<PointSet> {
    PointSet::from_bits(mask, size)
}

/// Returns the mask of the stones of a side.
#[inline]
pub fn stones(board: &Board, side: Side) -> u64 {
    board.bits(side)
}

/// Returns the board with these masks of stones, or `None` if a point would hold two stones or a
/// bit lies outside the board.
#[inline]
pub fn board(white: u64, black: u64, size: BoardSize) -> Option<Board> {
    Board::from_stones(point_set(white, size)?, point_set(black, size)?)
}

/// Returns the index of the point that the stone leaves.
#[inline]
pub fn from(effect: Effect) -> usize {
    effect.from()
}

/// Returns the index of the point where the stone ends.
#[inline]
pub fn to(effect: Effect) -> usize {
    effect.to()
}

/// Returns the mask of the two points whose own stone changes. The exclusive or with the mover's
/// stones plays the move.
#[inline]
pub fn moved(effect: Effect) -> u64 {
    effect.moved()
}

/// Returns the mask of the captured stones. A paika captures none.
#[inline]
pub fn captured(effect: Effect) -> u64 {
    effect.captured()
}

/// Returns an effect as one number below 2⁵⁷, for tables and trees that store many effects.
#[inline]
pub fn pack(effect: Effect) -> u64 {
    effect.captured() << 12 | (effect.to() as u64) << 6 | effect.from() as u64
}

/// Returns the effect that [`pack`] encoded as this number. Any other number gives a meaningless
/// effect.
#[inline]
pub fn unpack(packed: u64) -> Effect {
    let index = |shift: u32| (packed >> shift & 63) as usize;
    Effect::new(index(0), index(6), packed >> 12)
}

/// Returns the number of a step among all steps of a board: `24 × index + 3 × direction + kind`,
/// with the index of the point where it begins, the direction in the order of [`Direction::ALL`],
/// and kind 0 for a paika, 1 for an approach, 2 for a withdrawal.
///
/// ```
/// use fanorona_protocol::rules::{Capture, Direction, Step, raw};
/// let step = Step { direction: Direction::North, capture: Some(Capture::Approach) };
/// assert_eq!(raw::step_number(13, step), 13 * 24 + 6 * 3 + 1);
/// assert_eq!(raw::numbered_step(raw::step_number(13, step)), (13, step));
/// ```
#[inline]
pub fn step_number(from: usize, step: Step) -> usize {
    let kind = match step.capture {
        None => 0,
        Some(Capture::Approach) => 1,
        Some(Capture::Withdrawal) => 2,
    };
    24 * from + 3 * step.direction as usize + kind
}

/// Returns the index of the starting point and the step with this number. This is the inverse of
/// [`step_number`].
#[inline]
pub fn numbered_step(number: usize) -> (usize, Step) {
    let capture = match number % 3 {
        0 => None,
        1 => Some(Capture::Approach),
        _ => Some(Capture::Withdrawal),
    };
    (number / 24, Step { direction: Direction::ALL[number / 3 % 8], capture })
}

/// Calls a visitor with every legal next step of a move, and the index of the point where it
/// begins. [`PartialMove::steps`] lists them with their points.
#[inline]
pub fn visit_steps(partial: &PartialMove, rules: &Ruleset, visit: impl FnMut(usize, Step)) {
    partial.visit_steps(rules, visit);
}

/// Makes a step that [`visit_steps`] returned for this same partial move, from the point with this
/// index. The step is not checked, as in [`PartialMove::make_unchecked`].
#[inline]
pub fn make_unchecked(partial: &mut PartialMove, from: usize, step: Step) {
    partial.make_from(from, step);
}
