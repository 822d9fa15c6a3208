//! Positions in the notations of other programs.
//!
//! Three notations are supported; each is recognised by its form:
//!
//! - *UGI*, the notation of `protocol/UGI.md`: `…/WWWWWWWWW w - 0 1`.
//! - *fanorona-aec*, the PettingZoo environment of that name, and its predecessor gym-fanorona:
//!   `WWWWWWWWW/… W - - - 0`. Rows are listed from White's side up, and the side to move is `W` or
//!   `B`. Then come the point and direction of the last capture and the visited points, which are
//!   used in the middle of a move only, and the number of moves played. 9×5 only, no vela.
//! - *Fanorona-Engine*, a UCI-like engine in C++ (an-do-ni-ai-na/fanorona): `BBBBBBBBB/… w 0 1`,
//!   like UGI without the debtor. 9×5 and 5×5; a vela is set by an option of that engine.

use std::fmt;
use std::str::FromStr;

use fanorona_protocol::rules::{BoardSize, Position, SetupErrors, Side};

/// A notation for positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// The protocol's notation.
    Ugi,
    /// The notation of fanorona-aec.
    Aec,
    /// The notation of Fanorona-Engine.
    Engine,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Ugi => "fen",
            Dialect::Aec => "fanorona-aec",
            Dialect::Engine => "fanorona-engine",
        })
    }
}

/// Why a text is not a position in any notation, or why a notation cannot express a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The position is invalid.
    #[error(transparent)]
    Setup(#[from] SetupErrors),
    /// The text resembles fanorona-aec but is incomplete.
    #[error(
        "`{0}` is not a position of fanorona-aec: expected rows, W or B, three times - and the \
         number of moves played"
    )]
    Aec(String),
    /// A fanorona-aec position in the middle of a move.
    #[error(
        "`{0}` is in the middle of a capturing move: only positions between moves are supported"
    )]
    MidMove(String),
    /// A vela, in a notation without a debtor.
    #[error("{0} has no field for the debtor of a vela")]
    Vela(Dialect),
    /// A board size that the notation does not support.
    #[error("{0} does not support {1} boards")]
    Board(Dialect, BoardSize),
}

/// Reads a position in any of the notations.
///
/// ```
/// use fanorona_tournament::notation::fen::{Dialect, read, write};
///
/// let text = "WWWWWWWWW/WWWWWWWWW/BWBW1BWBW/BBBBBBBBB/BBBBBBBBB W - - - 0";
/// let (position, dialect) = read(text).unwrap();
/// assert_eq!(dialect, Dialect::Aec);
/// let ours = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1";
/// assert_eq!(position.to_string(), ours);
/// assert_eq!(write(&position, Dialect::Aec).unwrap(), text);
/// ```
pub fn read(text: &str) -> Result<(Position, Dialect), FenError> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let number = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
    match fields[..] {
        [rows, side @ ("W" | "B"), ref rest @ ..] => {
            Ok((aec(text, rows, side, rest)?, Dialect::Aec))
        }
        [rows, side, quiet, ref rest @ ..] if number(quiet) => {
            let ours = [&[rows, side, "-", quiet], rest].concat().join(" ");
            Ok((Position::from_str(&ours)?, Dialect::Engine))
        }
        _ => Ok((text.parse()?, Dialect::Ugi)),
    }
}

fn aec(text: &str, rows: &str, side: &str, rest: &[&str]) -> Result<Position, FenError> {
    let wrong = || FenError::Aec(text.to_owned());
    // gym-fanorona writes the last capture as one field.
    let (moves, unfinished) = match rest {
        [unfinished @ .., moves] if (2..=3).contains(&unfinished.len()) => (moves, unfinished),
        _ => return Err(wrong()),
    };
    if unfinished.iter().any(|field| *field != "-") {
        return Err(FenError::MidMove(text.to_owned()));
    }
    let moves: u32 = moves.parse().map_err(|_| wrong())?;
    let rows: Vec<&str> = rows.split('/').rev().collect();
    let side = side.to_ascii_lowercase();
    let ours = format!("{} {side} - 0 {}", rows.join("/"), u64::from(moves) / 2 + 1);
    let position: Position = ours.parse()?;
    known(&position, Dialect::Aec)?;
    Ok(position)
}

/// Writes a position in a notation. fanorona-aec does not keep the number of plies since the last
/// capture.
pub fn write(position: &Position, dialect: Dialect) -> Result<String, FenError> {
    let ours = position.to_string();
    let rows = ours.split(' ').next().unwrap_or_default();
    let (quiet, full_move) = (position.quiet_plies(), position.full_move());
    known(position, dialect)?;
    Ok(match dialect {
        Dialect::Ugi => ours,
        Dialect::Aec => {
            let rows: Vec<&str> = rows.split('/').rev().collect();
            let black = position.side_to_move() == Side::Black;
            let moves = 2 * (u64::from(full_move) - 1) + u64::from(black);
            let side = position.side_to_move().letter().to_ascii_uppercase();
            format!("{} {side} - - - {moves}", rows.join("/").to_ascii_uppercase())
        }
        Dialect::Engine => {
            let side = position.side_to_move().letter();
            format!("{} {side} {quiet} {full_move}", rows.to_ascii_uppercase())
        }
    })
}

/// Checks whether a notation can express a position.
fn known(position: &Position, dialect: Dialect) -> Result<(), FenError> {
    let size = position.board().size();
    let sizes = match dialect {
        Dialect::Ugi => return Ok(()),
        Dialect::Aec => &[BoardSize::TSIVY][..],
        Dialect::Engine => &[BoardSize::TSIVY, BoardSize::DIMY],
    };
    if !sizes.contains(&size) {
        Err(FenError::Board(dialect, size))
    } else if position.debtor().is_some() {
        Err(FenError::Vela(dialect))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{Ruleset, Start, VelaStarter};

    fn after(moves: &str) -> Position {
        moves.split_ascii_whitespace().fold(Start::TSIVY.riatra(), |position, mv| {
            position.play(&Ruleset::default(), &mv.parse().unwrap()).unwrap()
        })
    }

    #[test]
    fn a_position_is_written_and_read_in_three_dialects() {
        let position = after("d2e3A");
        for (dialect, text) in [
            (Dialect::Ugi, "bbbbbb1bb/bbbbb1bbb/bWbWWbWbW/WWW1WWWWW/WWWWWWWWW b - 0 1"),
            (Dialect::Aec, "WWWWWWWWW/WWW1WWWWW/BWBWWBWBW/BBBBB1BBB/BBBBBB1BB B - - - 1"),
            (Dialect::Engine, "BBBBBB1BB/BBBBB1BBB/BWBWWBWBW/WWW1WWWWW/WWWWWWWWW b 0 1"),
        ] {
            assert_eq!(write(&position, dialect).unwrap(), text);
            let (read, found) = read(text).unwrap();
            assert_eq!((read.to_string(), found), (position.to_string(), dialect));
        }
    }

    #[test]
    fn older_and_shorter_forms_are_read() {
        let start = Start::TSIVY.riatra().to_string();
        let gym = "WWWWWWWWW/WWWWWWWWW/BWBW1BWBW/BBBBBBBBB/BBBBBBBBB W - - 0";
        assert_eq!(read(gym).unwrap().0.to_string(), start);
        let dimy = "BBBBB/BBBBB/BW1BW/WWWWW/WWWWW w";
        assert_eq!(read(dimy).unwrap().0, Position::start(BoardSize::DIMY));
        let late = read("9/9/3W1B3/9/9 W - - - 44").unwrap().0;
        assert_eq!(late.to_string(), "9/9/3W1b3/9/9 w - 0 23");
        assert_eq!(read("9/9/3W1B3/9/9 b 17 23").unwrap().0.to_string(), "9/9/3W1b3/9/9 b - 17 23");
    }

    #[test]
    fn values_without_a_notation_are_refused() {
        let vela = Start::TSIVY.vela(VelaStarter::Debtor);
        assert_eq!(write(&vela, Dialect::Aec), Err(FenError::Vela(Dialect::Aec)));
        assert_eq!(write(&vela, Dialect::Engine), Err(FenError::Vela(Dialect::Engine)));
        let telo = Start::Usual(BoardSize::TELO).riatra();
        assert_eq!(
            write(&telo, Dialect::Engine),
            Err(FenError::Board(Dialect::Engine, BoardSize::TELO))
        );
        let refused = |text: &str| read(text).unwrap_err();
        assert!(matches!(refused("9/9/3W1B3/9/9 W D3 E D3,E3 0"), FenError::MidMove(_)));
        assert!(matches!(refused("9/9/3W1B3/9/9 W 0"), FenError::Aec(_)));
        assert!(matches!(refused("9/9/3W1B3/9/9 W - - - x"), FenError::Aec(_)));
        assert!(matches!(refused("WWW/W1B/BBB W - - - 0"), FenError::Board(..)));
        assert!(matches!(refused("9/9/3W1B3/9/9 x 0 1"), FenError::Setup(_)));
        assert!(matches!(refused(""), FenError::Setup(_)));
    }
}
