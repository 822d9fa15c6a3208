//! The symmetries of a board: reflections and rotations that map its lines to its lines.

use super::board::Board;
use super::geometry::{BoardSize, Direction, Point};
use super::moves::{Move, Step};
use super::point_set::PointSet;
use super::position::Position;
use super::side::Side;

/// A symmetry of a board. Positions that are images of each other are worth the same, and their
/// legal moves are images of each other.
///
/// Both dimensions of every board are odd, so a reflection keeps the parity of column plus row and
/// maps strong points to strong points. On a square board so does the exchange of columns and rows.
///
/// ```
/// use fanorona_protocol::rules::{Position, Symmetry};
/// let left: Position = "9/9/bW7/9/9 w".parse()?;
/// let right: Position = "9/9/7Wb/9/9 w".parse()?;
/// assert_eq!(left.canonical().0, right.canonical().0);
/// assert!(Symmetry::all(left.board().size()).any(|symmetry| symmetry.position(&left) == right));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry {
    size: BoardSize,
    mirror_columns: bool,
    mirror_rows: bool,
    /// After the reflections, columns and rows are exchanged; only on a square board.
    transpose: bool,
}

impl Symmetry {
    /// Returns the symmetries of a board, the identity first: four, or eight on a square board.
    pub fn all(size: BoardSize) -> impl Iterator<Item = Symmetry> {
        let count = if size.columns() == size.rows() { 8 } else { 4 };
        (0..count).map(move |number: u8| Symmetry {
            size,
            mirror_columns: number & 1 != 0,
            mirror_rows: number & 2 != 0,
            transpose: number & 4 != 0,
        })
    }

    /// Returns the symmetry that undoes this one.
    pub fn inverse(self) -> Symmetry {
        if !self.transpose {
            return self;
        }
        // Exchanging columns and rows first turns a reflection of one into that of the other.
        Symmetry { mirror_columns: self.mirror_rows, mirror_rows: self.mirror_columns, ..self }
    }

    /// Returns the image of a point of the board. A point outside the board has none.
    pub fn point(self, point: Point) -> Option<Point> {
        point.index(self.size)?;
        let (mut column, mut row) = (point.column(), point.row());
        if self.mirror_columns {
            column = self.size.columns() - 1 - column;
        }
        if self.mirror_rows {
            row = self.size.rows() - 1 - row;
        }
        if self.transpose {
            (column, row) = (row, column);
        }
        Point::new(column, row)
    }

    /// Returns the image of a direction.
    pub fn direction(self, direction: Direction) -> Direction {
        let (mut columns, mut rows) = direction.step();
        if self.mirror_columns {
            columns = -columns;
        }
        if self.mirror_rows {
            rows = -rows;
        }
        if self.transpose {
            (columns, rows) = (rows, columns);
        }
        let image = Direction::ALL.into_iter().find(|image| image.step() == (columns, rows));
        image.expect("a symmetry maps directions to directions")
    }

    /// Returns the image of a move. A move that begins outside the board has none.
    pub fn mv(self, mv: &Move) -> Option<Move> {
        let mut path = [Step { direction: Direction::South, capture: None }; super::MAX_STEPS];
        let path = &mut path[..mv.steps().len()];
        for (image, step) in path.iter_mut().zip(mv.steps()) {
            *image = Step { direction: self.direction(step.direction), capture: step.capture };
        }
        Move::new(self.point(mv.from())?, path)
    }

    /// Returns the image of a position, which must have this symmetry's board. Counts of plies and
    /// moves stay.
    ///
    /// # Panics
    /// Panics if the position has a board of another size.
    pub fn position(self, position: &Position) -> Position {
        assert_eq!(position.board().size(), self.size, "a symmetry of another board");
        position.with_board(self.board(position.board()))
    }

    fn board(self, board: &Board) -> Board {
        let image = |side: Side| {
            let mut set = PointSet::empty(self.size);
            for point in board.stones(side) {
                set.insert(self.point(point).expect("stones are on the board"));
            }
            set
        };
        let [white, black] = Side::BOTH.map(image);
        Board::from_stones(white, black).expect("the images of different points are different")
    }
}

impl Position {
    /// Returns the representative of all images of this position, and the symmetry that leads to
    /// it. Images have the same representative.
    pub fn canonical(&self) -> (Position, Symmetry) {
        let images = Symmetry::all(self.board().size()).map(|symmetry| {
            let image = symmetry.position(self);
            (image.board().bits(Side::White), image.board().bits(Side::Black), image, symmetry)
        });
        let least = images.min_by_key(|(white, black, ..)| (*white, *black));
        let (_, _, image, symmetry) = least.expect("every board has the identity");
        (image, symmetry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, Start};
    use alloc::string::ToString;
    use alloc::vec::Vec;

    /// Positions of a game in which the first of the legal moves, in the order of their texts at a
    /// changing place, is played.
    fn game(start: Position) -> Vec<(Position, Move)> {
        let rules = Ruleset::default();
        let (mut position, mut game) = (start, Vec::new());
        for ply in 0..30 {
            let mut moves = position.legal_moves(&rules);
            moves.sort_by_key(ToString::to_string);
            let Some(mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            game.push((position, *mv));
            position = position.play(&rules, mv).unwrap();
        }
        game
    }

    #[test]
    fn images_of_moves_are_the_moves_of_images() {
        let rules = Ruleset::default();
        for name in ["tsivy", "dimy", "telo", "7x5", "left-right"] {
            let start: Start = name.parse().unwrap();
            for (position, mv) in game(start.riatra()) {
                for symmetry in Symmetry::all(position.board().size()) {
                    let image = symmetry.position(&position);
                    let moved = symmetry.mv(&mv).unwrap();
                    let after = image.play(&rules, &moved).unwrap();
                    assert_eq!(after, symmetry.position(&position.play(&rules, &mv).unwrap()));
                    assert_eq!(image.canonical().0, position.canonical().0);
                    let back = symmetry.inverse();
                    assert_eq!(back.position(&image), position);
                    assert_eq!(back.mv(&moved), Some(mv));
                }
            }
        }
    }

    #[test]
    fn a_square_board_has_eight_symmetries() {
        let count = |name: &str| Symmetry::all(name.parse().unwrap()).count();
        assert_eq!((count("9x5"), count("5x5"), count("3x9")), (4, 8, 4));
    }
}
