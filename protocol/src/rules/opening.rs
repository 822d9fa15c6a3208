//! Named starts and named first captures.

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

/// A position games start from, as configs name it: `tsivy`, `dimy`, `telo`, `left-right`, or
/// columns x rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// The usual start of a board size.
    Usual(BoardSize),
    /// The second named start of 9×5.
    LeftRight,
}

impl Start {
    /// The start of the game, 9×5.
    pub const TSIVY: Start = Start::Usual(BoardSize::TSIVY);

    /// The position a riatra starts from.
    pub fn riatra(self) -> Position {
        match self {
            Start::Usual(size) => Position::start(size),
            Start::LeftRight => Position::of_board(Board::left_right()),
        }
    }

    /// The position a vela starts from: the starter takes White and moves first, the debtor stays
    /// the debtor.
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
            Start::LeftRight => f.write_str("left-right"),
        }
    }
}

/// A text that names no start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no board: expected tsivy (9x5), dimy (5x5), telo (3x3), left-right, or columns x \
     rows, both odd, 3 to 9, at most 45 points, like 7x5"
)]
pub struct ParseStartError(String);

impl FromStr for Start {
    type Err = ParseStartError;

    fn from_str(text: &str) -> Result<Start, ParseStartError> {
        match text {
            "tsivy" => Ok(Start::TSIVY),
            "dimy" => Ok(Start::Usual(BoardSize::DIMY)),
            "telo" => Ok(Start::Usual(BoardSize::TELO)),
            "left-right" => Ok(Start::LeftRight),
            _ => text.parse().map(Start::Usual).map_err(|_| ParseStartError(text.to_owned())),
        }
    }
}

/// One of White's five first captures from the usual 9×5 start, by its traditional name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the moves are in `move`")]
pub enum Opening {
    Vakiloha,
    Lehavanana,
    Lehavia,
    KobakaFohy,
    KobakaLava,
}

impl Opening {
    /// All five.
    pub const ALL: [Opening; 5] = [
        Opening::Vakiloha,
        Opening::Lehavanana,
        Opening::Lehavia,
        Opening::KobakaFohy,
        Opening::KobakaLava,
    ];

    /// The name as results write it.
    pub fn name(self) -> &'static str {
        match self {
            Opening::Vakiloha => "Vakiloha",
            Opening::Lehavanana => "Lehavanana",
            Opening::Lehavia => "Lehavia",
            Opening::KobakaFohy => "Kobaka Fohy",
            Opening::KobakaLava => "Kobaka Lava",
        }
    }

    /// The capture itself.
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

    /// The name of a game by its start and first move: riatra or vela from the usual 9×5 start,
    /// White to move.
    pub fn of_game(start: &Position, first: &Move) -> Option<Opening> {
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
    fn only_games_from_the_usual_start_have_a_name() {
        let mv = Opening::Vakiloha.first_move();
        let name = |start: Position| Opening::of_game(&start, &mv);
        assert_eq!(name(Start::TSIVY.riatra()), Some(Opening::Vakiloha));
        assert_eq!(name(Start::TSIVY.vela(VelaStarter::Creditor)), Some(Opening::Vakiloha));
        assert_eq!(name(Start::LeftRight.riatra()), None);
        assert_eq!(name(Start::Usual(BoardSize::DIMY).riatra()), None);
    }

    #[test]
    fn starts_are_read_as_they_are_written() {
        for text in ["tsivy", "dimy", "telo", "left-right", "7x5", "5x9"] {
            assert_eq!(text.parse::<Start>().unwrap().to_string(), text);
        }
        assert_eq!("9x5".parse(), Ok(Start::TSIVY));
        assert!("7x7".parse::<Start>().is_err());
    }
}
