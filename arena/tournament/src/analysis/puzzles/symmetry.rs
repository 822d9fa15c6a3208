//! Positions up to symmetry: reflections of the board, and colours swapped together with the side
//! to move.

use fanorona_protocol::rules::{BoardSize, Position, raw};

/// The representative of a position and its images.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Canonical {
    /// Columns and rows.
    size: [usize; 2],
    /// The stones of the side to move and of the other side, by the indices of their points.
    stones: [u64; 2],
    /// Whether the side to move is the debtor of a vela; `None` in riatra.
    owes: Option<bool>,
}

/// The representative of a position and its images. Counters do not matter.
pub fn canonical(position: &Position) -> Canonical {
    let board = position.board();
    let (size, mover) = (board.size(), position.side_to_move());
    let owes = position.debtor().map(|debtor| debtor == mover);
    let bits = [mover, !mover].map(|side| raw::stones(board, side));
    let images = images(size);
    let stones = images.iter().map(|image| bits.map(|bits| moved(bits, image)));
    let stones = stones.min().expect("the identity is an image");
    Canonical { size: [size.columns(), size.rows()], stones, owes }
}

/// The symmetries of a board: where each of them moves each point. Both sides of a board are odd,
/// so that reflections keep its diagonals.
fn images(size: BoardSize) -> Vec<Vec<usize>> {
    let (columns, rows) = (size.columns(), size.rows());
    let mut images = Vec::new();
    for [flip_columns, flip_rows, transpose] in
        (0..8).map(|number| [1, 2, 4].map(|bit| number & bit != 0))
    {
        if transpose && columns != rows {
            continue;
        }
        let image = |index: usize| {
            let (mut column, mut row) = (index % columns, index / columns);
            if flip_columns {
                column = columns - 1 - column;
            }
            if flip_rows {
                row = rows - 1 - row;
            }
            if transpose {
                (column, row) = (row, column);
            }
            row * columns + column
        };
        images.push((0..size.points()).map(image).collect());
    }
    images
}

/// A set of points, moved by a symmetry.
fn moved(bits: u64, image: &[usize]) -> u64 {
    image.iter().enumerate().fold(0, |set, (from, to)| set | (bits >> from & 1) << to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{Ruleset, perft};

    fn same(one: &str, other: &str) -> bool {
        let [one, other] = [one, other].map(|text| text.parse::<Position>().unwrap());
        canonical(&one) == canonical(&other)
    }

    #[test]
    fn images_are_the_same() {
        assert!(same("b8/9/9/9/WW7 w", "8b/9/9/9/7WW w"));
        assert!(same("b8/9/9/9/WW7 w", "WW7/9/9/9/b8 w"));
        assert!(same("b8/9/9/9/WW7 w", "W8/9/9/9/bb7 b - 3 9"));
        assert!(same("b4/5/5/5/WW3 w", "5/5/5/4W/b3W w"));
        assert!(!same("b8/9/9/9/WW7 w", "b8/9/9/9/WW7 b"));
        assert!(!same("b8/9/9/9/WW7 w", "1b7/9/9/9/WW7 w"));
        assert!(!same("b8/9/9/9/WW7 w", "b8/9/9/9/WW7 w w"));
        assert!(same("b8/9/9/9/WW7 w w", "W8/9/9/9/bb7 b b"));
    }

    #[test]
    fn images_have_as_many_moves() {
        let rules = Ruleset::default();
        let one: Position = "b1b6/2b6/9/W8/1WW6 w".parse().unwrap();
        let other: Position = "6WW1/8W/9/6b2/6b1b w".parse().unwrap();
        assert_eq!(canonical(&one), canonical(&other));
        assert_eq!(perft(&one, &rules, 1), perft(&other, &rules, 1));
    }
}
