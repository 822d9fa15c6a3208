//! Named starting positions and the named first captures of the usual start.

use alloc::borrow::ToOwned;
use alloc::string::String;

use core::fmt;
use core::str::FromStr;

use super::board::Board;
use super::geometry::BoardSize;
use super::moves::Move;
use super::position::Position;
use super::ruleset::VelaStarter;
use super::side::Side;

/// A starting position that has a name in configs: `tsivy`, `dimy`, `telo`, or a board size such as
/// `7x5`; `left-right`, or with a size `left-right-7x5`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// The usual start on a board of this size (see [`Board::start`]).
    Usual(BoardSize),
    /// The second start on a board of this size (see [`Board::left_right`]).
    LeftRight(BoardSize),
}

impl Start {
    /// The usual start of the usual board, 9×5.
    pub const TSIVY: Start = Start::Usual(BoardSize::TSIVY);

    /// Returns the first position of a riatra: White to move, no debtor.
    pub fn riatra(self) -> Position {
        match self {
            Start::Usual(size) => Position::start(size),
            Start::LeftRight(size) => Position::from_board(Board::left_right(size)),
        }
    }

    /// Returns the first position of a vela. The `starter` has White and moves first. If the
    /// starter is the creditor, the debtor has Black and is still the debtor.
    pub fn vela(self, starter: VelaStarter) -> Position {
        self.riatra().with_debtor(Some(match starter {
            VelaStarter::Debtor => Side::White,
            VelaStarter::Creditor => Side::Black,
        }))
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Start::Usual(BoardSize::TSIVY) => f.write_str("tsivy"),
            Start::Usual(BoardSize::DIMY) => f.write_str("dimy"),
            Start::Usual(BoardSize::TELO) => f.write_str("telo"),
            Start::Usual(size) => size.fmt(f),
            Start::LeftRight(BoardSize::TSIVY) => f.write_str("left-right"),
            Start::LeftRight(size) => write!(f, "left-right-{size}"),
        }
    }
}

/// The error for a text that does not name a start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a board: expected tsivy (9x5), dimy (5x5), telo (3x3), or columns x rows, both odd, \
     3 to 9, at most 45 points, like 7x5; or left-right, left-right-7x5 for the other start"
)]
pub struct ParseStartError(String);

impl FromStr for Start {
    type Err = ParseStartError;

    fn from_str(text: &str) -> Result<Start, ParseStartError> {
        match text {
            "tsivy" => Ok(Start::TSIVY),
            "dimy" => Ok(Start::Usual(BoardSize::DIMY)),
            "telo" => Ok(Start::Usual(BoardSize::TELO)),
            "left-right" => Ok(Start::LeftRight(BoardSize::TSIVY)),
            _ => match text.strip_prefix("left-right-") {
                Some(size) => size.parse().map(Start::LeftRight),
                None => text.parse().map(Start::Usual),
            }
            .map_err(|_| ParseStartError(text.to_owned())),
        }
    }
}

/// One of White's five possible first moves from the usual 9×5 start, all of them captures, by its
/// traditional name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opening {
    /// `e2e3A`
    Vakiloha,
    /// `f2e3A`
    Lehavanana,
    /// `d2e3A`
    Lehavia,
    /// `d3e3A`
    KobakaFohy,
    /// `d3e3W`
    KobakaLava,
}

impl Opening {
    /// Every opening.
    pub const ALL: [Opening; 5] = [
        Opening::Vakiloha,
        Opening::Lehavanana,
        Opening::Lehavia,
        Opening::KobakaFohy,
        Opening::KobakaLava,
    ];

    /// Returns the traditional name, as in result files.
    pub fn name(self) -> &'static str {
        match self {
            Opening::Vakiloha => "Vakiloha",
            Opening::Lehavanana => "Lehavanana",
            Opening::Lehavia => "Lehavia",
            Opening::KobakaFohy => "Kobaka Fohy",
            Opening::KobakaLava => "Kobaka Lava",
        }
    }

    /// Returns White's first move, a capture.
    pub fn first_move(self) -> Move {
        let text = match self {
            Opening::Vakiloha => "e2e3A",
            Opening::Lehavanana => "f2e3A",
            Opening::Lehavia => "d2e3A",
            Opening::KobakaFohy => "d3e3A",
            Opening::KobakaLava => "d3e3W",
        };
        text.parse().expect("the five captures are moves")
    }

    /// Returns the opening of a game from its starting position and first move. Returns `None`
    /// unless the game, riatra or vela, begins with the usual 9×5 start and White to move.
    pub fn from_game(start: &Position, first: &Move) -> Option<Opening> {
        if *start.board() != Board::start(BoardSize::TSIVY) || start.side_to_move() != Side::White {
            return None;
        }
        Opening::ALL.into_iter().find(|opening| opening.first_move() == *first)
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    #[test]
    fn the_five_openings_are_whites_legal_first_moves() {
        let start = Start::TSIVY.riatra();
        let mut moves: Vec<_> =
            start.legal_moves(&Ruleset::default()).iter().map(Move::to_string).collect();
        let mut named: Vec<_> = Opening::ALL.iter().map(|o| o.first_move().to_string()).collect();
        moves.sort();
        named.sort();
        assert_eq!(moves, named);
    }

    #[test]
    fn only_games_from_the_usual_start_have_a_named_opening() {
        let mv = Opening::Vakiloha.first_move();
        let name = |start: Position| Opening::from_game(&start, &mv);
        assert_eq!(name(Start::TSIVY.riatra()), Some(Opening::Vakiloha));
        assert_eq!(name(Start::TSIVY.vela(VelaStarter::Creditor)), Some(Opening::Vakiloha));
        assert_eq!(name(Start::LeftRight(BoardSize::TSIVY).riatra()), None);
        assert_eq!(name(Start::Usual(BoardSize::DIMY).riatra()), None);
    }

    #[test]
    fn parsing_a_printed_start_returns_the_same_start() {
        for text in [
            "tsivy",
            "dimy",
            "telo",
            "left-right",
            "7x5",
            "5x9",
            "left-right-5x5",
            "left-right-3x9",
        ] {
            assert_eq!(text.parse::<Start>().unwrap().to_string(), text);
        }
        assert_eq!("9x5".parse(), Ok(Start::TSIVY));
        assert_eq!("left-right-9x5".parse(), Ok(Start::LeftRight(BoardSize::TSIVY)));
        for text in ["7x7", "left-right-", "left-right-7x7", "left-right5x5"] {
            assert!(text.parse::<Start>().is_err(), "{text}");
        }
    }
}
