//! The stones on a board.

use alloc::string::ToString;
use alloc::vec::Vec;

use core::fmt;

use super::geometry::{BoardSize, Point};
use super::point_set::PointSet;
use super::side::Side;

/// The stones on a board of one size.
///
/// Invariants: no stone lies outside the board, and no point holds two stones.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    stones: [u64; 2],
    size: BoardSize,
}

impl Board {
    /// Returns a board without stones.
    pub fn empty(size: BoardSize) -> Board {
        Board { stones: [0, 0], size }
    }

    /// Returns the board with these stones. Returns `None` if a point would hold two stones or the
    /// sets belong to different board sizes.
    ///
    /// ```
    /// use fanorona_protocol::rules::{Board, BoardSize, raw};
    /// let set = |mask| raw::point_set(mask, BoardSize::TELO).unwrap();
    /// assert_eq!(Board::from_stones(set(0b111), set(0b111_000_000)).unwrap().to_string(), "\
    /// 3 b-b-b
    ///   |\\|/|
    /// 2 .-.-.
    ///   |/|\\|
    /// 1 W-W-W
    ///   a b c
    /// ");
    /// assert_eq!(Board::from_stones(set(0b11), set(0b110)), None);
    /// ```
    #[inline]
    pub fn from_stones(white: PointSet, black: PointSet) -> Option<Board> {
        let apart = white.bits() & black.bits() == 0 && white.size() == black.size();
        apart.then(|| Board { stones: [white.bits(), black.bits()], size: white.size() })
    }

    /// Returns the usual start. White fills the rows below the middle row, Black those above. The
    /// centre is empty, and the rest of the middle row is shared (`bWbW.bWbW` on 9×5).
    pub fn start(size: BoardSize) -> Board {
        Board::divided(size, false)
    }

    /// Returns the second named start, which is the usual start of the board with columns and rows
    /// exchanged. White fills the columns left of the middle one, Black those right of it. The centre
    /// is empty, and the rest of the middle column is shared (from `e1` to `e5` black, white, empty,
    /// black, white on 9×5).
    pub fn left_right(size: BoardSize) -> Board {
        Board::divided(size, true)
    }

    /// A board that a middle line divides between the sides: a row with White below it, or, when it
    /// is `turned`, a column with White left of it.
    fn divided(size: BoardSize, turned: bool) -> Board {
        let mut board = Board::empty(size);
        for index in 0..size.points() {
            let column = (index % size.columns(), size.columns());
            let row = (index / size.columns(), size.rows());
            let ((across, depth), (along, width)) =
                if turned { (column, row) } else { (row, column) };
            let (middle, centre) = (depth / 2, width / 2);
            let side = if across != middle {
                if across < middle { Side::White } else { Side::Black }
            } else if along == centre {
                continue;
            } else {
                // The first half of the line alternates, beginning with Black at the edge. The other
                // half is the first one turned by 180 degrees with its colours swapped.
                let from_edge = along.min(width - 1 - along);
                let first = if from_edge % 2 == 0 { Side::Black } else { Side::White };
                if along < centre { first } else { !first }
            };
            board.stones[side as usize] |= 1 << index;
        }
        board
    }

    /// Returns the size of the board.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Returns the points where a side has stones.
    #[inline]
    pub fn stones(&self, side: Side) -> PointSet {
        PointSet::from_board_bits(self.bits(side), self.size)
    }

    /// Returns the stones of a side as bits.
    #[inline]
    pub(super) fn bits(&self, side: Side) -> u64 {
        self.stones[side as usize]
    }

    /// Returns the number of stones of a side.
    #[inline]
    pub fn count(&self, side: Side) -> u32 {
        self.bits(side).count_ones()
    }

    /// Returns the side whose stone is on a point, or `None` if the point is empty or not on the
    /// board.
    pub fn at(&self, point: Point) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.stones(side).contains(point))
    }

    /// Puts a stone on a point. Returns `false`, and changes nothing, if the point is occupied or
    /// not on the board.
    pub fn put(&mut self, point: Point, side: Side) -> bool {
        match point.index(self.size) {
            Some(index) if self.at(point).is_none() => {
                self.stones[side as usize] |= 1 << index;
                true
            }
            _ => false,
        }
    }

    /// Returns the board after a move. `moved` holds the first and last point of `mover`'s stone,
    /// `captured` the enemy stones it captures. Nothing is checked, because the generator returns
    /// only legal moves.
    #[inline]
    pub(super) fn after(&self, mover: Side, moved: u64, captured: u64) -> Board {
        let mut board = *self;
        board.stones[mover as usize] ^= moved;
        board.stones[!mover as usize] ^= captured;
        debug_assert_eq!(board.stones[0] & board.stones[1], 0);
        debug_assert_eq!((board.stones[0] | board.stones[1]) & !self.size.lines().board, 0);
        board
    }
}

impl fmt::Display for Board {
    /// Draws the board with its lines and coordinates, White's side below:
    ///
    /// ```
    /// use fanorona_protocol::rules::{Board, BoardSize};
    /// assert_eq!(Board::start(BoardSize::TELO).to_string(), "\
    /// 3 b-b-b
    ///   |\\|/|
    /// 2 b-.-W
    ///   |/|\\|
    /// 1 W-W-W
    ///   a b c
    /// ");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (columns, rows) = (self.size.columns(), self.size.rows());
        let stone = |row, column| match Point::new(column, row).and_then(|p| self.at(p)) {
            Some(Side::White) => "W",
            Some(Side::Black) => "b",
            None => ".",
        };
        for row in (0..rows).rev() {
            let points: Vec<_> = (0..columns).map(|column| stone(row, column)).collect();
            writeln!(f, "{} {}", row + 1, points.join("-"))?;
            if row > 0 {
                write!(f, "  ")?;
                for column in 0..columns {
                    let diagonal = match (column + 1 == columns, (row + column) % 2) {
                        (true, _) => "",
                        (false, 0) => "\\",
                        (false, _) => "/",
                    };
                    write!(f, "|{diagonal}")?;
                }
                writeln!(f)?;
            }
        }
        let names: Vec<_> = (0..columns).map(|c| ((b'a' + c as u8) as char).to_string()).collect();
        writeln!(f, "  {}", names.join(" "))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_row_has_alternating_stones_and_half_turn_symmetry() {
        for (size, row) in
            [("3x3", "b.W"), ("5x5", "bW.bW"), ("7x5", "bWb.WbW"), ("9x5", "bWbW.bWbW")]
        {
            let size: BoardSize = size.parse().unwrap();
            let board = Board::start(size);
            let middle: String = (0..size.columns())
                .map(|column| match board.at(Point::new(column, size.rows() / 2).unwrap()) {
                    Some(Side::White) => 'W',
                    Some(Side::Black) => 'b',
                    None => '.',
                })
                .collect();
            assert_eq!(middle, row);
            assert_eq!(board.count(Side::White), size.stones_per_side());
            assert_eq!(board.count(Side::Black), size.stones_per_side());
        }
    }

    #[test]
    fn capturing_stones_agree_with_the_generator() {
        use crate::rules::{Position, Ruleset};
        let mut boards: Vec<Board> = BoardSize::all().map(Board::left_right).collect();
        boards.extend(BoardSize::all().map(Board::start));
        for text in ["b4/5/2W2/1W3/4W w", "5/1b1b1/2W2/1b1b1/W4 w", "b1b/1W1/b1W w"] {
            boards.push(*text.parse::<Position>().unwrap().board());
        }
        for board in boards {
            let moves = Position::from_board(board).legal_moves(&Ruleset::default());
            let mut capturing = PointSet::empty(board.size());
            for mv in moves.iter().filter(|mv| mv.is_capture()) {
                capturing.insert(mv.from());
            }
            assert_eq!(board.capturing(Side::White), capturing, "{board}");
        }
    }

    #[test]
    fn the_left_right_start_matches_its_drawing() {
        let drawn = "\
5 W-W-W-W-W-b-b-b-b
  |\\|/|\\|/|\\|/|\\|/|
4 W-W-W-W-b-b-b-b-b
  |/|\\|/|\\|/|\\|/|\\|
3 W-W-W-W-.-b-b-b-b
  |\\|/|\\|/|\\|/|\\|/|
2 W-W-W-W-W-b-b-b-b
  |/|\\|/|\\|/|\\|/|\\|
1 W-W-W-W-b-b-b-b-b
  a b c d e f g h i
";
        assert_eq!(Board::left_right(BoardSize::TSIVY).to_string(), drawn);
    }

    #[test]
    fn left_right_is_the_usual_start_of_the_turned_board() {
        for size in BoardSize::all() {
            let turned = format!("{}x{}", size.rows(), size.columns()).parse().unwrap();
            let usual = Board::start(turned);
            let mut board = Board::empty(size);
            for index in 0..size.points() {
                let (column, row) = (index % size.columns(), index / size.columns());
                if let Some(side) = usual.at(Point::new(row, column).unwrap()) {
                    board.put(Point::new(column, row).unwrap(), side);
                }
            }
            assert_eq!(Board::left_right(size), board, "{size}");
        }
    }

    #[test]
    fn every_board_has_a_left_right_start() {
        for size in BoardSize::all() {
            let board = Board::left_right(size);
            let columns = size.columns();
            let at = |column, row| board.at(Point::new(column, row).unwrap());
            for row in 0..size.rows() {
                assert!((0..columns / 2).all(|column| at(column, row) == Some(Side::White)));
                assert!(
                    (columns / 2 + 1..columns).all(|column| at(column, row) == Some(Side::Black))
                );
            }
            let middle: String = (0..size.rows())
                .map(|row| match at(columns / 2, row) {
                    Some(Side::White) => 'W',
                    Some(Side::Black) => 'b',
                    None => '.',
                })
                .collect();
            let expected = match size.rows() {
                3 => "b.W",
                5 => "bW.bW",
                7 => "bWb.WbW",
                _ => "bWbW.bWbW",
            };
            assert_eq!(middle, expected, "{size}");
        }
    }
}
