//! Positions as text, before and after validation.
//!
//! In `bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1` the fields are: the rows from the
//! top down, the side to move, the debtor of a vela or `-`, the plies since the last capture, and
//! the number of the full move. The last three may be missing on input, and a fourth field `-`, as
//! programs for chess write it (`w - - 0 1`), is skipped. The shape of the first field is the size
//! of the board.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use core::fmt;
use core::str::FromStr;

use super::board::Board;
use super::geometry::{BoardSize, Point};
use super::position::Position;
use super::side::Side;

/// A position as written, not yet validated: it may have any shape and may have no stones.
/// `Position::try_from` validates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The rows from the top down, each from left to right.
    pub rows: Vec<Vec<Option<Side>>>,
    /// The side to move.
    pub side_to_move: Side,
    /// The debtor of a vela; `None` in riatra.
    pub debtor: Option<Side>,
    /// The number of plies since the last capture.
    pub quiet: u32,
    /// The number of the full move, from 1.
    pub full_move: u32,
}

/// One error in a written position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The text contains nothing but blanks.
    #[error("the text is empty: expected a placement, a side to move, a vela field and counters")]
    Empty,
    /// A row contains a character other than `W`, `B` (in either case) and the digits 1 to 9.
    #[error("row {row} of `{placement}` has `{found}`: expected W, b or a digit 1-9")]
    Stone {
        /// The whole first field.
        placement: String,
        /// The row, counted from 1 at the top.
        row: usize,
        /// The wrong character.
        found: char,
    },
    /// A row differs in length from the first row.
    #[error("row {row} of `{placement}` has {found} points, but the first row has {expected}")]
    Ragged {
        /// The whole first field.
        placement: String,
        /// The row, counted from 1 at the top.
        row: usize,
        /// Its number of points.
        found: usize,
        /// The number of points of the first row.
        expected: usize,
    },
    /// The rules allow no board of this size.
    #[error(
        "{columns}x{rows} is not a board size: both sides must be odd, 3 to 9, at most 45 points"
    )]
    Size {
        /// The length of the first row.
        columns: usize,
        /// The number of rows.
        rows: usize,
    },
    /// The board is empty.
    #[error("there is no stone on the board")]
    NoStone,
    /// There is no second field.
    #[error("the side to move is missing: expected w or b after the placement")]
    SideMissing,
    /// The second field is not a side to move.
    #[error("the side to move is `{0}`: expected w or b")]
    Side(String),
    /// The third field is not a debtor.
    #[error("the vela field is `{0}`: expected -, or the debtor's side w or b")]
    Debtor(String),
    /// The fourth field is not a number of plies.
    #[error("the plies since the last capture are `{0}`: expected a whole number, 0 or more")]
    Quiet(String),
    /// The fifth field is not the number of a full move.
    #[error("the number of the full move is `{0}`: expected a whole number, 1 or more")]
    FullMove(String),
    /// There is a sixth field.
    #[error("`{0}` follows the number of the full move, which must be the last field")]
    Trailing(String),
}

/// Every reason why a written position is not valid; at least one. `Display` joins them with `; `.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupErrors(pub Vec<SetupError>);

impl fmt::Display for SetupErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if index == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl core::error::Error for SetupErrors {}

impl FromStr for Setup {
    type Err = SetupErrors;

    fn from_str(text: &str) -> Result<Setup, SetupErrors> {
        let mut errors = Vec::new();
        let mut fields = text.split_ascii_whitespace();
        let Some(placement) = fields.next() else {
            return Err(SetupErrors(vec![SetupError::Empty]));
        };
        let rows = rows(placement, &mut errors);
        let side_to_move = match fields.next() {
            None => Err(SetupError::SideMissing),
            Some(field) => Side::from_letter(field).ok_or(SetupError::Side(field.to_owned())),
        };
        let debtor = match fields.next() {
            None | Some("-") => Ok(None),
            Some(field) => match Side::from_letter(field) {
                Some(side) => Ok(Some(side)),
                None => Err(SetupError::Debtor(field.to_owned())),
            },
        };
        let mut fields = fields.peekable();
        fields.next_if_eq(&"-");
        let mut counter = |least: u32, wrong: fn(String) -> SetupError| match fields.next() {
            None => Ok(least),
            Some(field) => (field.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| field.parse().ok())
                .flatten()
                .filter(|&count| count >= least)
                .ok_or_else(|| wrong(field.to_owned())),
        };
        let quiet = counter(0, SetupError::Quiet);
        let full_move = counter(1, SetupError::FullMove);
        if let Some(field) = fields.next() {
            errors.push(SetupError::Trailing(field.to_owned()));
        }
        match (side_to_move, debtor, quiet, full_move) {
            (Ok(side_to_move), Ok(debtor), Ok(quiet), Ok(full_move)) if errors.is_empty() => {
                Ok(Setup { rows, side_to_move, debtor, quiet, full_move })
            }
            (side_to_move, debtor, quiet, full_move) => {
                errors.extend(side_to_move.err());
                errors.extend(debtor.err());
                errors.extend(quiet.err());
                errors.extend(full_move.err());
                Err(SetupErrors(errors))
            }
        }
    }
}

/// Parses the first field, row by row.
fn rows(placement: &str, errors: &mut Vec<SetupError>) -> Vec<Vec<Option<Side>>> {
    let mut rows: Vec<Vec<Option<Side>>> = Vec::new();
    for (index, text) in placement.split('/').enumerate() {
        let mut row = Vec::new();
        for letter in text.chars() {
            match letter {
                'W' | 'w' => row.push(Some(Side::White)),
                'B' | 'b' => row.push(Some(Side::Black)),
                '1'..='9' => row.resize(row.len() + (letter as usize - '0' as usize), None),
                found => {
                    errors.push(SetupError::Stone {
                        placement: placement.to_owned(),
                        row: index + 1,
                        found,
                    });
                    // One error for a row is enough, and its length is meaningless now.
                    return Vec::new();
                }
            }
        }
        rows.push(row);
    }
    rows
}

impl TryFrom<Setup> for Position {
    type Error = SetupErrors;

    fn try_from(setup: Setup) -> Result<Position, SetupErrors> {
        let mut errors = Vec::new();
        let columns = setup.rows.first().map_or(0, Vec::len);
        for (index, row) in setup.rows.iter().enumerate() {
            if row.len() != columns {
                errors.push(SetupError::Ragged {
                    placement: Placement(&setup.rows).to_string(),
                    row: index + 1,
                    found: row.len(),
                    expected: columns,
                });
            }
        }
        if setup.rows.iter().flatten().all(|point| point.is_none()) {
            errors.push(SetupError::NoStone);
        }
        if setup.full_move == 0 {
            errors.push(SetupError::FullMove("0".to_owned()));
        }
        let size = BoardSize::new(columns, setup.rows.len());
        match size {
            Some(size) if errors.is_empty() => {
                let mut board = Board::empty(size);
                for (row, points) in setup.rows.iter().rev().enumerate() {
                    for (column, side) in points.iter().enumerate() {
                        if let (Some(side), Some(point)) = (*side, Point::new(column, row)) {
                            board.put(point, side);
                        }
                    }
                }
                let Setup { side_to_move, debtor, quiet, full_move, .. } = setup;
                Ok(Position::from_parts(board, side_to_move, debtor, quiet, full_move))
            }
            size => {
                // A placement with rows of different lengths has no size to report.
                let ragged = errors.iter().any(|e| matches!(e, SetupError::Ragged { .. }));
                if size.is_none() && !ragged {
                    errors.push(SetupError::Size { columns, rows: setup.rows.len() });
                }
                Err(SetupErrors(errors))
            }
        }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let board = position.board();
        let size = board.size();
        let row = |row| {
            let points = (0..size.columns()).filter_map(move |column| Point::new(column, row));
            points.map(|point| board.at(point)).collect()
        };
        Setup {
            rows: (0..size.rows()).rev().map(row).collect(),
            side_to_move: position.side_to_move(),
            debtor: position.debtor(),
            quiet: position.quiet_plies(),
            full_move: position.full_move(),
        }
    }
}

/// The first field of the text form.
struct Placement<'r>(&'r [Vec<Option<Side>>]);

impl fmt::Display for Placement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "/" })?;
            for run in row.chunk_by(|a, b| a.is_none() && b.is_none()) {
                match run[0] {
                    Some(Side::White) => f.write_str("W")?,
                    Some(Side::Black) => f.write_str("b")?,
                    // A run longer than a digit can express fits on no board, but a `Setup` may
                    // contain it.
                    None => {
                        for part in run.chunks(9) {
                            write!(f, "{}", part.len())?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let debtor = self.debtor.map_or('-', Side::letter);
        let Setup { rows, side_to_move, quiet, full_move, .. } = self;
        write!(f, "{} {} {debtor} {quiet} {full_move}", Placement(rows), side_to_move.letter())
    }
}

impl FromStr for Position {
    type Err = SetupErrors;

    fn from_str(text: &str) -> Result<Position, SetupErrors> {
        Position::try_from(text.parse::<Setup>()?)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> Vec<SetupError> {
        text.parse::<Position>().expect_err(text).0
    }

    #[test]
    fn the_start_is_printed_as_in_the_protocol_page() {
        let start = Position::start(BoardSize::TSIVY).to_string();
        assert_eq!(start, "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1");
        assert_eq!(start.parse::<Position>().unwrap().to_string(), start);
    }

    #[test]
    fn the_last_three_fields_may_be_missing() {
        for text in ["b2/3/2W w", "b2/3/2W w -", "B2/111/2w  w - 0"] {
            assert_eq!(text.parse::<Position>().unwrap().to_string(), "b2/3/2W w - 0 1");
        }
    }

    #[test]
    fn the_field_of_chess_between_debtor_and_counters_is_skipped() {
        for (text, is) in [
            ("b2/3/2W w - - 0 1", "b2/3/2W w - 0 1"),
            ("b2/3/2W w - -", "b2/3/2W w - 0 1"),
            ("b2/3/2W b - - 3", "b2/3/2W b - 3 1"),
            ("b2/3/2W b w - 3 7", "b2/3/2W b w 3 7"),
        ] {
            assert_eq!(text.parse::<Position>().expect(text).to_string(), is);
        }
        assert_eq!(errors("b2/3/2W w - - - 1"), [SetupError::Quiet("-".into())]);
        assert_eq!(errors("b2/3/2W w - - 0 1 2"), [SetupError::Trailing("2".into())]);
    }

    #[test]
    fn all_errors_are_reported() {
        assert_eq!(errors(" "), [SetupError::Empty]);
        assert_eq!(
            errors("b2/3/2W x y -1 0 z"),
            [
                SetupError::Trailing("z".into()),
                SetupError::Side("x".into()),
                SetupError::Debtor("y".into()),
                SetupError::Quiet("-1".into()),
                SetupError::FullMove("0".into()),
            ]
        );
        assert_eq!(
            errors("4/4/4 w"),
            [SetupError::NoStone, SetupError::Size { columns: 4, rows: 3 }]
        );
        assert!(matches!(errors("b2/2/2W w")[..], [SetupError::Ragged { row: 2, .. }]));
        assert!(matches!(errors("b2/0/2W w")[..], [SetupError::Stone { row: 2, found: '0', .. }]));
        assert_eq!(errors("b2/3/2W"), [SetupError::SideMissing]);
        assert_eq!(errors("WWWWWWW/7/7/7/7/7/7 b"), [SetupError::Size { columns: 7, rows: 7 }]);
        assert_eq!(errors("b2/3/2W w - 99999999999"), [SetupError::Quiet("99999999999".into())]);
    }

    #[test]
    fn finished_and_blocked_positions_are_valid() {
        for text in ["3/3/2W b - 0 1", "WWW/WWW/WWW w b 7 9", "bbb/bbb/bbW w - 0 1"] {
            assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
        }
    }
}
