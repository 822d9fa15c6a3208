//! A set of points of one board, as bits.

use std::fmt;

use super::geometry::{BoardSize, Point};

/// A set of points of one board.
///
/// Invariant: no bit lies outside the board, whoever made the set. Printed, it is drawn with the
/// top row first:
///
/// ```
/// use fanorona_protocol::rules::{BoardSize, Point, PointSet};
/// let mut set = PointSet::empty(BoardSize::TELO);
/// set.insert("a1".parse().unwrap());
/// set.insert("c3".parse().unwrap());
/// assert_eq!(set.to_string(), ". . x\n. . .\nx . .\n");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PointSet {
    size: BoardSize,
    bits: u64,
}

impl PointSet {
    /// No point.
    pub fn empty(size: BoardSize) -> PointSet {
        PointSet { size, bits: 0 }
    }

    /// Every point of the board.
    pub fn full(size: BoardSize) -> PointSet {
        PointSet { size, bits: size.lines().board }
    }

    /// The set with these bits, bit *i* being the point with [`Point::index`] *i*; `None` when a
    /// bit lies outside the board.
    #[inline]
    pub fn from_bits(bits: u64, size: BoardSize) -> Option<PointSet> {
        (bits & !size.lines().board == 0).then_some(PointSet { size, bits })
    }

    /// The bits, bit *i* being the point with [`Point::index`] *i*.
    #[inline]
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// The board the points belong to.
    #[inline]
    pub fn size(self) -> BoardSize {
        self.size
    }

    /// Number of points.
    pub fn len(self) -> u32 {
        self.bits.count_ones()
    }

    /// Whether there is no point.
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Whether the point is in the set.
    pub fn contains(self, point: Point) -> bool {
        point.index(self.size).is_some_and(|index| self.bits >> index & 1 == 1)
    }

    /// Adds a point; `false` when it was there already or the board has no such point.
    pub fn insert(&mut self, point: Point) -> bool {
        let Some(index) = point.index(self.size) else { return false };
        let before = self.bits;
        self.bits |= 1 << index;
        self.bits != before
    }
}

impl Iterator for PointSet {
    type Item = Point;

    /// Takes the first point out of the set, row by row from `a1`.
    fn next(&mut self) -> Option<Point> {
        let point = Point::from_index(self.bits.trailing_zeros() as usize, self.size)?;
        self.bits &= self.bits - 1;
        Some(point)
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
    fn a_bit_outside_the_board_is_refused() {
        for size in BoardSize::all() {
            let outside = 1 << size.points();
            assert_eq!(PointSet::from_bits(outside, size), None);
            assert_eq!(PointSet::full(size).len() as usize, size.points());
            assert!(!PointSet::full(size).insert(Point::new(8, 8).unwrap()));
        }
    }

    #[test]
    fn iteration_takes_every_point_once_in_order() {
        let points: Vec<String> =
            PointSet::full(BoardSize::TELO).map(|point| point.to_string()).collect();
        assert_eq!(points, ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
    }
}
