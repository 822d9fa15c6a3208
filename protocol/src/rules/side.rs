//! The two sides, White and Black.

use core::fmt;
use core::ops::Not;

/// One of the two sides, by the colour of its stones. White moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Side {
    /// Player 1 of the protocol. In a vela White is the debtor, unless a rule switch says
    /// otherwise.
    White,
    /// Player 2 of the protocol.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// Returns the letter of the text form: `w` or `b`.
    pub fn letter(self) -> char {
        match self {
            Side::White => 'w',
            Side::Black => 'b',
        }
    }

    /// Returns the side with this letter, `w` or `b`.
    pub fn from_letter(text: &str) -> Option<Side> {
        match text {
            "w" => Some(Side::White),
            "b" => Some(Side::Black),
            _ => None,
        }
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "White",
            Side::Black => "Black",
        })
    }
}
