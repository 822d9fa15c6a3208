//! Sets of points of one board, as bits.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use super::geometry::{BoardSize, Point};

/// A set of points of one board.
///
/// `Display` draws the set with the top row first. The operators `|`, `&`, `^`, `-` and `!` combine
/// sets of the same board.
///
/// ```
/// use fanorona_protocol::rules::{BoardSize, Point, PointSet};
/// let mut set = PointSet::empty(BoardSize::TELO);
/// set.insert("a1".parse().unwrap());
/// set.insert("c3".parse().unwrap());
/// assert_eq!(set.to_string(), ". . x\n. . .\nx . .\n");
///
/// let free = !set;
/// assert_eq!((free.len(), free & set, free | set), (7, PointSet::empty(BoardSize::TELO), PointSet::full(BoardSize::TELO)));
/// assert_eq!(set.into_iter().map(|point| point.to_string()).collect::<Vec<_>>(), ["a1", "c3"]);
/// ```
///
/// Invariant: no bit lies outside the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PointSet {
    size: BoardSize,
    bits: u64,
}

impl PointSet {
    /// Returns the empty set of a board.
    pub fn empty(size: BoardSize) -> PointSet {
        PointSet { size, bits: 0 }
    }

    /// Returns the set of all points of a board.
    pub fn full(size: BoardSize) -> PointSet {
        PointSet { size, bits: size.lines().board }
    }

    /// Returns the set with these bits, or `None` if a bit lies outside the board.
    #[inline]
    pub(super) fn from_bits(bits: u64, size: BoardSize) -> Option<PointSet> {
        (bits & !size.lines().board == 0).then_some(PointSet { size, bits })
    }

    /// Returns the set with these bits, which lie on the board.
    #[inline]
    pub(super) fn from_board_bits(bits: u64, size: BoardSize) -> PointSet {
        debug_assert_eq!(bits & !size.lines().board, 0);
        PointSet { size, bits }
    }

    /// Returns the bits. Bit *i* is the point with index *i*.
    #[inline]
    pub(super) fn bits(self) -> u64 {
        self.bits
    }

    /// Returns the size of the board the points belong to.
    #[inline]
    pub fn size(self) -> BoardSize {
        self.size
    }

    /// Returns the number of points.
    #[inline]
    pub fn len(self) -> u32 {
        self.bits.count_ones()
    }

    /// Whether the set has no points.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Whether a point is in the set.
    pub fn contains(self, point: Point) -> bool {
        point.index(self.size).is_some_and(|index| self.bits >> index & 1 == 1)
    }

    /// Adds a point. Returns `false`, and changes nothing, if the set contains the point already or
    /// the board does not have it.
    pub fn insert(&mut self, point: Point) -> bool {
        let Some(index) = point.index(self.size) else { return false };
        let before = self.bits;
        self.bits |= 1 << index;
        self.bits != before
    }
}

/// An iterator over the points of a set, row by row from `a1`.
#[derive(Clone, Debug)]
pub struct Points(PointSet);

impl Iterator for Points {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        let PointSet { bits, size } = &mut self.0;
        let point = Point::from_index(bits.trailing_zeros() as usize, *size)?;
        *bits &= *bits - 1;
        Some(point)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.len() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Points {}

impl FusedIterator for Points {}

impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = Points;

    fn into_iter(self) -> Points {
        Points(self)
    }
}

/// Implements an operator for two sets of the same board.
macro_rules! operator {
    ($Op:ident, $op:ident, $OpAssign:ident, $op_assign:ident, $combine:expr, $what:literal) => {
        impl $Op for PointSet {
            type Output = PointSet;

            #[doc = $what]
            ///
            /// # Panics
            /// If the sets belong to boards of different sizes.
            #[inline]
            fn $op(self, other: PointSet) -> PointSet {
                assert_eq!(self.size, other.size, "the sets belong to boards of different sizes");
                let combine: fn(u64, u64) -> u64 = $combine;
                PointSet { size: self.size, bits: combine(self.bits, other.bits) }
            }
        }

        impl $OpAssign for PointSet {
            #[inline]
            fn $op_assign(&mut self, other: PointSet) {
                *self = $Op::$op(*self, other);
            }
        }
    };
}

operator!(
    BitOr,
    bitor,
    BitOrAssign,
    bitor_assign,
    |a, b| a | b,
    "Returns the points that are in at least one of the sets."
);
operator!(
    BitAnd,
    bitand,
    BitAndAssign,
    bitand_assign,
    |a, b| a & b,
    "Returns the points that are in both sets."
);
operator!(
    BitXor,
    bitxor,
    BitXorAssign,
    bitxor_assign,
    |a, b| a ^ b,
    "Returns the points that are in exactly one of the sets."
);
operator!(
    Sub,
    sub,
    SubAssign,
    sub_assign,
    |a, b| a & !b,
    "Returns the points that are in the first set but not in the second."
);

impl Not for PointSet {
    type Output = PointSet;

    /// Returns the points of the board that are not in the set.
    #[inline]
    fn not(self) -> PointSet {
        PointSet::full(self.size) - self
    }
}

impl fmt::Display for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.size.rows()).rev() {
            for column in 0..self.size.columns() {
                let inside = Point::new(column, row).is_some_and(|point| self.contains(point));
                f.write_str(if column == 0 { "" } else { " " })?;
                f.write_str(if inside { "x" } else { "." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_outside_the_board_are_rejected() {
        for size in BoardSize::all() {
            let outside = 1 << size.points();
            assert_eq!(PointSet::from_bits(outside, size), None);
            assert_eq!(PointSet::full(size).len() as usize, size.points());
            assert!(!PointSet::full(size).insert(Point::new(8, 8).unwrap()));
        }
    }

    #[test]
    fn iteration_returns_every_point_once_in_order() {
        let points: Vec<String> =
            PointSet::full(BoardSize::TELO).into_iter().map(|point| point.to_string()).collect();
        assert_eq!(PointSet::full(BoardSize::TELO).into_iter().len(), 9);
        assert_eq!(points, ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
    }
}
