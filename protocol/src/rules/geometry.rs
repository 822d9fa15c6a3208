//! The board as a graph: sizes, points, directions, and the lines along which stones move.

use alloc::borrow::ToOwned;
use alloc::string::String;

use core::fmt;
use core::str::FromStr;

/// The number of points of the largest boards, 9×5 and 5×9.
pub const MAX_POINTS: usize = 45;

/// A board size that the rules allow: both sides odd, 3 to 9, at most [`MAX_POINTS`] points.
///
/// ```
/// use fanorona_protocol::rules::BoardSize;
/// let size: BoardSize = "7x5".parse().unwrap();
/// assert_eq!((size.columns(), size.rows(), size.points()), (7, 5, 35));
/// assert!("7x7".parse::<BoardSize>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardSize {
    /// The index in [`DIMENSIONS`]; always inside it.
    index: u8,
}

/// Columns and rows of every size, the three standard ones first.
pub(crate) const DIMENSIONS: [(u8, u8); BoardSize::COUNT] = [
    (9, 5),
    (5, 5),
    (3, 3),
    (3, 5),
    (5, 3),
    (3, 7),
    (7, 3),
    (5, 7),
    (7, 5),
    (3, 9),
    (9, 3),
    (5, 9),
];

impl BoardSize {
    /// The number of sizes.
    pub const COUNT: usize = 12;
    /// 9×5, the usual board.
    pub const TSIVY: BoardSize = BoardSize { index: 0 };
    /// 5×5.
    pub const DIMY: BoardSize = BoardSize { index: 1 };
    /// 3×3. This is small Fanorona, not the alignment game that is also called Fanorona telo.
    pub const TELO: BoardSize = BoardSize { index: 2 };

    /// Returns the size with these numbers of columns and rows, or `None` if the rules do not allow
    /// it.
    pub fn new(columns: usize, rows: usize) -> Option<BoardSize> {
        let found = |&(c, r): &(u8, u8)| (c as usize, r as usize) == (columns, rows);
        DIMENSIONS.iter().position(found).map(|index| BoardSize { index: index as u8 })
    }

    /// Returns every size, the three standard ones first.
    pub fn all() -> impl Iterator<Item = BoardSize> {
        (0..BoardSize::COUNT as u8).map(|index| BoardSize { index })
    }

    /// Returns the number of columns, 3 to 9.
    pub fn columns(self) -> usize {
        DIMENSIONS[self.index()].0 as usize
    }

    /// Returns the number of rows, 3 to 9.
    pub fn rows(self) -> usize {
        DIMENSIONS[self.index()].1 as usize
    }

    /// Returns the number of points, 9 to [`MAX_POINTS`].
    pub fn points(self) -> usize {
        self.columns() * self.rows()
    }

    /// Returns the number of stones of each side at the start: half of all points but the centre.
    pub fn stones_per_side(self) -> u32 {
        (self.points() as u32 - 1) / 2
    }

    /// Returns the size with the index `I`. An index of [`BoardSize::COUNT`] or more does not
    /// compile.
    pub(crate) const fn from_index<const I: usize>() -> BoardSize {
        const { assert!(I < BoardSize::COUNT) }
        BoardSize { index: I as u8 }
    }

    /// Whether the board has a point.
    pub fn contains(self, point: Point) -> bool {
        point.index(self).is_some()
    }

    /// Returns the position of the size in the list of [`BoardSize::all`], below
    /// [`BoardSize::COUNT`].
    pub(super) fn index(self) -> usize {
        self.index as usize
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns(), self.rows())
    }
}

impl fmt::Debug for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that does not name a board size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a board size: expected columns x rows, both odd, 3 to 9, at most 45 points, \
     like 9x5"
)]
pub struct ParseBoardSizeError(String);

impl FromStr for BoardSize {
    type Err = ParseBoardSizeError;

    fn from_str(text: &str) -> Result<BoardSize, ParseBoardSizeError> {
        let digit = |word: &str| match word.as_bytes() {
            [digit @ b'1'..=b'9'] => Some((digit - b'0') as usize),
            _ => None,
        };
        text.split_once('x')
            .and_then(|(columns, rows)| BoardSize::new(digit(columns)?, digit(rows)?))
            .ok_or_else(|| ParseBoardSizeError(text.to_owned()))
    }
}

/// A point by column and row, independent of the board size: `a1` to `i9`.
///
/// A point is strong if the sum of its column number and its row number is even, on every board.
/// Strong points lie on diagonals; weak points have only the four orthogonal lines.
///
/// ```
/// use fanorona_protocol::rules::Point;
/// let lakabe: Point = "e3".parse().unwrap();
/// assert!(lakabe.is_strong());
/// assert_eq!((lakabe.column(), lakabe.row()), (4, 2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// The row, counted from 0 at White's side, below 9.
    row: u8,
    /// The column, counted from 0 at the left, below 9.
    column: u8,
}

impl Point {
    /// Returns the point in a column and row, both counted from 0. Returns `None` if one of them is
    /// not below 9.
    pub fn new(column: usize, row: usize) -> Option<Point> {
        (column < 9 && row < 9).then_some(Point { row: row as u8, column: column as u8 })
    }

    /// Returns the column, counted from 0 at the left (column `a`), below 9.
    pub fn column(self) -> usize {
        self.column as usize
    }

    /// Returns the row, counted from 0 at White's side (row `1`), below 9.
    pub fn row(self) -> usize {
        self.row as usize
    }

    /// Whether diagonals lead through the point.
    pub fn is_strong(self) -> bool {
        (self.column + self.row).is_multiple_of(2)
    }

    /// Returns the neighbouring point in a direction, whether or not a line leads there. Returns
    /// `None` if the largest column or row is exceeded.
    pub fn offset(self, direction: Direction) -> Option<Point> {
        let (columns, rows) = direction.step();
        Point::new(
            self.column().checked_add_signed(columns as isize)?,
            self.row().checked_add_signed(rows as isize)?,
        )
    }

    /// Returns the index of the point on a board of this size, counted row by row from `a1`.
    /// Returns `None` if the board does not have the point.
    #[inline]
    pub(super) fn index(self, size: BoardSize) -> Option<usize> {
        (self.column() < size.columns() && self.row() < size.rows())
            .then_some(self.row() * size.columns() + self.column())
    }

    /// Returns the point with this index on a board of this size, or `None` if the board has fewer
    /// points. This is the inverse of [`Point::index`].
    #[inline]
    pub(super) fn from_index(index: usize, size: BoardSize) -> Option<Point> {
        if index >= size.points() {
            return None;
        }
        Point::new(index % size.columns(), index / size.columns())
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column) as char, self.row + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that does not name a point.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a point: expected a column a-i and a row 1-9, like e3")]
pub struct ParsePointError(String);

impl FromStr for Point {
    type Err = ParsePointError;

    fn from_str(text: &str) -> Result<Point, ParsePointError> {
        match text.as_bytes() {
            [column @ b'a'..=b'i', row @ b'1'..=b'9'] => {
                Ok(Point { row: row - b'1', column: column - b'a' })
            }
            _ => Err(ParsePointError(text.to_owned())),
        }
    }
}

/// One of the eight directions of a step. South is White's side. The order is that of the
/// difference a step makes to the index of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// One column to the left, one row towards White's side.
    SouthWest,
    /// One row towards White's side.
    South,
    /// One column to the right, one row towards White's side.
    SouthEast,
    /// One column to the left.
    West,
    /// One column to the right.
    East,
    /// One column to the left, one row towards Black's side.
    NorthWest,
    /// One row towards Black's side.
    North,
    /// One column to the right, one row towards Black's side.
    NorthEast,
}

impl Direction {
    /// Every direction, ordered by the difference a step makes to the index of a point. The
    /// opposite of number *d* is 7 − *d*.
    pub const ALL: [Direction; 8] = [
        Direction::SouthWest,
        Direction::South,
        Direction::SouthEast,
        Direction::West,
        Direction::East,
        Direction::NorthWest,
        Direction::North,
        Direction::NorthEast,
    ];

    /// Returns the columns and rows that a step crosses, each −1, 0 or 1.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::SouthWest => (-1, -1),
            Direction::South => (0, -1),
            Direction::SouthEast => (1, -1),
            Direction::West => (-1, 0),
            Direction::East => (1, 0),
            Direction::NorthWest => (-1, 1),
            Direction::North => (0, 1),
            Direction::NorthEast => (1, 1),
        }
    }

    /// Returns the direction of a step between two points, or `None` if they are not neighbours.
    pub fn between(from: Point, to: Point) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| from.offset(direction) == Some(to))
    }

    /// Returns the opposite direction.
    pub fn opposite(self) -> Direction {
        Direction::ALL[7 - self as usize]
    }

    /// Whether the direction is diagonal. Only strong points have diagonal lines.
    pub const fn is_diagonal(self) -> bool {
        let (columns, rows) = self.step();
        columns != 0 && rows != 0
    }
}

/// The number of ways to capture with one step: the eight directions by approach, then the eight
/// directions by withdrawal. Way number *w* goes in direction *w* mod 8.
pub(crate) const WAYS: usize = 16;

/// The lines of a board as bit masks. The generator looks them up instead of computing them. Bit
/// *i* of a mask is the point with index *i*.
pub(crate) struct Lines {
    /// All points of the board.
    pub(crate) board: u64,
    /// The difference a step in each direction makes to the index.
    pub(crate) delta: [i8; 8],
    /// The points from which a line leads in each direction.
    pub(crate) source: [u64; 8],
    /// The lines through each point, by its index.
    pub(crate) points: [PointLines; 64],
    /// For each way to capture (see [`WAYS`]) and each starting point of a step: the points on
    /// which the step may capture enemy stones. These are all points of the line on that side of
    /// the step.
    pub(crate) reach: [[u64; 64]; WAYS],
}

/// The lines through one point.
#[derive(Clone, Copy)]
pub(crate) struct PointLines {
    /// The neighbouring points.
    pub(crate) near: u64,
    /// The points two steps away.
    pub(crate) far: u64,
    /// The directions to the neighbouring points. Bit *d* is direction number *d*.
    pub(crate) near_directions: u8,
    /// The directions to the points two steps away, as bits.
    pub(crate) far_directions: u8,
}

/// Returns the lines of the size with the index `I`. They are a constant of the compiler, so a
/// lookup at a constant place costs nothing.
pub(crate) const fn lines<const I: usize>() -> &'static Lines {
    const { &Lines::new(DIMENSIONS[I].0 as i8, DIMENSIONS[I].1 as i8) }
}

impl Lines {
    /// Lines of a board without points.
    const NONE: Lines = Lines {
        board: 0,
        delta: [0; 8],
        source: [0; 8],
        points: [PointLines { near: 0, far: 0, near_directions: 0, far_directions: 0 }; 64],
        reach: [[0; 64]; WAYS],
    };

    const fn new(columns: i8, rows: i8) -> Lines {
        let board = (1 << (columns as u32 * rows as u32)) - 1;
        let mut lines = Lines { board, ..Lines::NONE };
        let mut d = 0;
        while d < 8 {
            let direction = Direction::ALL[d];
            let (dc, dr) = direction.step();
            lines.delta[d] = dr * columns + dc;
            let mut point = 0;
            while point < columns * rows {
                let (column, row) = (point % columns, point / columns);
                let has_line = !direction.is_diagonal() || (column + row) % 2 == 0;
                let mut distance = 1;
                loop {
                    let (c, r) = (column + dc * distance, row + dr * distance);
                    if !has_line || c < 0 || c >= columns || r < 0 || r >= rows {
                        break;
                    }
                    let reached = 1u64 << (r * columns + c);
                    // An approach in direction d captures beyond the point it reaches. A withdrawal
                    // in the opposite direction captures next to the point it leaves.
                    if distance > 1 {
                        lines.reach[d][point as usize] |= reached;
                    }
                    lines.reach[WAYS - 1 - d][point as usize] |= reached;
                    if distance == 1 {
                        lines.source[d] |= 1 << point;
                        lines.points[point as usize].near |= reached;
                        lines.points[point as usize].near_directions |= 1 << d;
                    } else if distance == 2 {
                        lines.points[point as usize].far |= reached;
                        lines.points[point as usize].far_directions |= 1 << d;
                    }
                    distance += 1;
                }
                point += 1;
            }
            d += 1;
        }
        lines
    }
}

/// Evaluates `$body` with a constant `$index` that equals the size's index, so that the compiler
/// knows everything about the board.
macro_rules! with_size {
    ($size:expr, $index:ident => $body:expr) => {
        with_size!(@each $size, $index, $body, 0 1 2 3 4 5 6 7 8 9 10, 11)
    };
    (@each $size:expr, $index:ident, $body:expr, $($number:literal)*, $last:literal) => {
        match $size.index() {
            $(
                $number => {
                    const $index: usize = $number;
                    $body
                }
            )*
            _ => {
                const $index: usize = $last;
                $body
            }
        }
    };
}
pub(super) use with_size;

impl BoardSize {
    /// Returns the lines of the board as masks.
    pub(crate) fn lines(self) -> &'static Lines {
        with_size!(self, I => lines::<I>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_odd_size_up_to_the_largest_is_allowed() {
        let mut expected = Vec::new();
        for columns in [3, 5, 7, 9] {
            for rows in [3, 5, 7, 9] {
                if columns * rows <= MAX_POINTS {
                    expected.push((columns, rows));
                }
            }
        }
        let mut ours: Vec<_> = BoardSize::all().map(|s| (s.columns(), s.rows())).collect();
        ours.sort();
        assert_eq!(ours, expected);
    }

    #[test]
    fn only_strong_points_have_diagonals() {
        for size in BoardSize::all() {
            for index in 0..size.points() {
                let point = Point::from_index(index, size).unwrap();
                let diagonals = size.lines().points[index].near_directions & 0b1010_0101;
                assert_eq!(diagonals != 0, point.is_strong(), "{point} on {size}");
            }
        }
    }

    #[test]
    fn a1_and_the_usual_centre_are_strong_but_some_small_centres_are_weak() {
        let strong = |text: &str| text.parse::<Point>().unwrap().is_strong();
        assert!(strong("a1") && strong("e3") && strong("c3"));
        assert!(!strong("b3"), "the centre of 3x5");
        assert!(!strong("c2"), "the centre of 5x3");
    }

    #[test]
    fn directions_are_ordered_by_index_difference_and_symmetric() {
        for size in BoardSize::all() {
            assert!(size.lines().delta.is_sorted());
        }
        for direction in Direction::ALL {
            let (columns, rows) = direction.step();
            assert_eq!(direction.opposite().step(), (-columns, -rows));
        }
    }

    #[test]
    fn parsing_a_printed_point_returns_the_same_point() {
        for column in 0..9 {
            for row in 0..9 {
                let point = Point::new(column, row).unwrap();
                assert_eq!(point.to_string().parse(), Ok(point));
            }
        }
        for text in ["", "a", "a0", "j1", "e10", "E3", "é3"] {
            assert!(text.parse::<Point>().is_err(), "{text}");
        }
    }
}
