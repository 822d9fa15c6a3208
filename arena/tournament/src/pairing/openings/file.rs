//! Reads openings from a file with one opening per line: a FEN, or `startpos` and moves.
//!
//! Empty lines, comments after `#`, and repeated lines are ignored. `startpos` is the start of the
//! config's board; the word `moves` can follow it. A line is used for every kind of game in which
//! it is legal:
//!
//! - `startpos` and moves for each kind whose rules allow the moves;
//! - a FEN with a debtor only for vela;
//! - any other FEN for riatra as it is, and for vela with White as debtor (Black, if the rule
//!   `vela-starter` gives White to the creditor).
//!
//! In the velas of sessions the rule `vela-starter` says who is the debtor, so where sessions are played a
//! FEN with the other debtor is an error.
//!
//! A line is an error if it cannot be used for any kind that is played. A line that begins with
//! `riatra` or `vela` is only for that kind, and ignored if that kind is not played.

use std::collections::{HashMap, HashSet};
use std::fmt;

use fanorona_protocol::rules::{
    BoardSize, Game, IllegalMove, Move, ParseMoveError, Position, Reason, Ruleset, SetupErrors,
    Side, Start, VelaStarter,
};

use super::{GameKind, Opening};
use crate::pairing::seeds;

/// A line that is not a valid opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineError {
    /// The line number, from 1.
    pub line: usize,
    /// Why it is not one.
    pub problem: LineProblem,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.problem)
    }
}

/// The problems of a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineProblem {
    /// It is neither a FEN nor `startpos`.
    #[error("expected a FEN, or startpos and moves: {0}")]
    Setup(SetupErrors),
    /// A word is not a move.
    #[error(transparent)]
    Word(ParseMoveError),
    /// A move is not legal.
    #[error("move {number}, {mv}, is not legal in {kind}: {why}")]
    Illegal {
        /// The number of the move in the line, from 1.
        number: usize,
        /// The move.
        mv: Move,
        /// The kind of game.
        kind: GameKind,
        /// The reason.
        why: IllegalMove,
    },
    /// The game is over at the end of the opening.
    #[error("the game is over after these moves ({0}): an opening must not end the game")]
    Over(Reason),
    /// A position on another board.
    #[error("a position on {found}, but the board of this tournament is {expected}")]
    Size {
        /// The size of its board.
        found: BoardSize,
        /// The expected size.
        expected: BoardSize,
    },
    /// A position with a debtor, but vela is not played.
    #[error("a position with a debtor, but vela is not played: write - instead of the debtor")]
    NoVela,
    /// A position with another debtor than the velas of sessions have.
    #[error(
        "a position in which {found} is the debtor, but in the velas of sessions {} is, by the rule \
         vela-starter",
        !*found
    )]
    Debtor {
        /// The debtor of the position.
        found: Side,
    },
}

/// Reads the openings for these kinds of game, or returns the errors of all invalid lines.
pub(super) fn read(
    text: &str,
    board: Start,
    rules: &Ruleset,
    kinds: &[GameKind],
    has_sessions: bool,
) -> Result<HashMap<GameKind, Vec<Opening>>, Vec<LineError>> {
    let mut openings: HashMap<GameKind, Vec<Opening>> = HashMap::new();
    let mut known = HashSet::new();
    let mut errors = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let (only, line) = for_one_kind(line);
        let mut problem = None;
        let mut used = false;
        for &kind in kinds.iter().filter(|&&kind| only.is_none_or(|only| only == kind)) {
            match opening(line, board, rules, kind) {
                Ok(Some(opening))
                    if has_sessions
                        && opening.start.debtor().is_some_and(|it| it != debtor(rules)) =>
                {
                    problem = Some(LineProblem::Debtor { found: !debtor(rules) });
                }
                Ok(Some(opening)) => {
                    used = true;
                    let listed = openings.entry(kind).or_default();
                    if known.insert((kind, opening.clone())) {
                        listed.push(opening);
                    }
                }
                Ok(None) => problem = problem.or(Some(LineProblem::NoVela)),
                Err(wrong) => problem = problem.or(Some(wrong)),
            }
        }
        if let Some(problem) = problem.filter(|_| !used) {
            errors.push(LineError { line: index + 1, problem });
        }
    }
    if errors.is_empty() { Ok(openings) } else { Err(errors) }
}

/// The kind at the beginning of a line, if there is one, and the rest of the line.
fn for_one_kind(line: &str) -> (Option<GameKind>, &str) {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match GameKind::ALL.into_iter().find(|kind| word == kind.to_string()) {
        Some(kind) => (Some(kind), rest.trim_start()),
        None => (None, line),
    }
}

/// The opening of a line for a kind of game; `None` if the line is for the other kind.
fn opening(
    line: &str,
    board: Start,
    rules: &Ruleset,
    kind: GameKind,
) -> Result<Option<Opening>, LineProblem> {
    let mut words = line.split_whitespace().peekable();
    let opening = if words.next_if_eq(&"startpos").is_some() {
        words.next_if_eq(&"moves");
        let book: Result<Vec<Move>, _> = words.map(str::parse).collect();
        Opening { start: kind.start(board, rules), book: book.map_err(LineProblem::Word)? }
    } else {
        let position: Position = line.parse().map_err(LineProblem::Setup)?;
        let (found, expected) = (position.board().size(), board.riatra().board().size());
        if found != expected {
            return Err(LineProblem::Size { found, expected });
        }
        let start = match (kind, position.debtor()) {
            (GameKind::Riatra, Some(_)) => return Ok(None),
            (GameKind::Vela, None) => position.with_debtor(Some(debtor(rules))),
            (GameKind::Riatra, None) | (GameKind::Vela, Some(_)) => position,
        };
        Opening { start, book: Vec::new() }
    };
    let mut game = Game::new(*rules, opening.start);
    let going_on = |game: &Game| match game.ending() {
        Some(ending) => Err(LineProblem::Over(ending.reason)),
        None => Ok(()),
    };
    going_on(&game)?;
    for (index, mv) in opening.book.iter().enumerate() {
        game.play(mv).map_err(|why| LineProblem::Illegal {
            number: index + 1,
            mv: *mv,
            kind,
            why,
        })?;
        going_on(&game)?;
    }
    Ok(Some(opening))
}

/// The debtor of a vela whose start does not name one.
fn debtor(rules: &Ruleset) -> Side {
    match rules.vela_starter {
        VelaStarter::Debtor => Side::White,
        VelaStarter::Creditor => Side::Black,
    }
}

/// The position of an index below `count` in a shuffled order of that many lines, without shuffling
/// them: a Feistel network of four rounds over the next larger power of four, repeated until the
/// result is below `count` (Black and Rogaway 2002).
pub(super) fn shuffled(seed: u64, index: u64, count: u64) -> u64 {
    debug_assert!(index < count);
    let half = (64 - count.leading_zeros()).div_ceil(2).max(1);
    let mask = (1_u64 << half) - 1;
    let mut place = index;
    loop {
        let (mut left, mut right) = (place >> half, place & mask);
        for round in 0..4 {
            let hash = seeds::mix(seed ^ seeds::mix(right << 2 | round));
            (left, right) = (right, left ^ (hash & mask));
        }
        place = left << half | right;
        if place < count {
            return place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, kinds: &[GameKind]) -> Result<HashMap<GameKind, Vec<Opening>>, String> {
        read_for(text, kinds, &Ruleset::default(), false)
    }

    fn read_for(
        text: &str,
        kinds: &[GameKind],
        rules: &Ruleset,
        has_sessions: bool,
    ) -> Result<HashMap<GameKind, Vec<Opening>>, String> {
        let openings = super::read(text, Start::TSIVY, rules, kinds, has_sessions);
        openings.map_err(|errors| {
            errors.iter().map(LineError::to_string).collect::<Vec<_>>().join("\n")
        })
    }

    const VELA_FEN: &str = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w b 0 1";

    #[test]
    fn sessions_have_no_debtor_but_that_of_their_rules() {
        let text = format!("startpos\n{VELA_FEN}\n");
        let creditor: Ruleset = "vela-starter=creditor".parse().unwrap();
        let why = read_for(&text, &GameKind::ALL, &Ruleset::default(), true).unwrap_err();
        assert!(why.starts_with("2: a position in which Black is the debtor, but"), "{why}");
        for (rules, has_sessions) in
            [(creditor, true), (creditor, false), (Ruleset::default(), false)]
        {
            assert!(read_for(&text, &GameKind::ALL, &rules, has_sessions).is_ok());
        }
        let other = text.replace(" w b ", " w w ");
        assert!(read_for(&other, &GameKind::ALL, &Ruleset::default(), true).is_ok());
        assert!(read_for(&other, &GameKind::ALL, &creditor, true).is_err());
    }

    #[test]
    fn a_line_is_used_for_every_kind_in_which_it_is_legal() {
        let text = format!(
            "# openings\n\nstartpos e2e3A d5e4W # both steps of a riatra\n\
             startpos moves e2e3A e5e4\n{VELA_FEN}\n4b4/9/9/9/4W4 b\nstartpos\nstartpos moves\n"
        );
        let both = read(&text, &GameKind::ALL);
        // d5e4W is not a capture there, so the first line is an error in both kinds.
        assert!(both.unwrap_err().starts_with("3: move 2, d5e4W, is not legal in riatra: "));
        let text = text.replace("startpos e2e3A d5e4W", "startpos f2e3A");
        let both = read(&text, &GameKind::ALL).unwrap();
        let written = |kind: GameKind| -> Vec<String> {
            let shown = |o: &Opening| format!("{} {:?}", o.start, o.book);
            both[&kind].iter().map(shown).collect()
        };
        let start = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w";
        assert_eq!(
            written(GameKind::Riatra),
            [
                format!("{start} - 0 1 [f2e3A]"),
                "4b4/9/9/9/4W4 b - 0 1 []".to_owned(),
                format!("{start} - 0 1 []"),
            ]
        );
        assert_eq!(
            written(GameKind::Vela),
            [
                format!("{start} w 0 1 [f2e3A]"),
                format!("{start} w 0 1 [e2e3A, e5e4]"),
                format!("{start} b 0 1 []"),
                "4b4/9/9/9/4W4 b w 0 1 []".to_owned(),
                format!("{start} w 0 1 []"),
            ]
        );
    }

    #[test]
    fn a_line_can_be_for_one_kind() {
        let text = "riatra startpos f2e3A\nvela\tstartpos moves e2e3A\n";
        let counts = |kinds: &[GameKind]| {
            let openings = read(text, kinds).unwrap();
            GameKind::ALL.map(|kind| openings.get(&kind).map_or(0, Vec::len))
        };
        assert_eq!(counts(&GameKind::ALL), [1, 1]);
        assert_eq!(counts(&[GameKind::Vela]), [0, 1]);
        let errors = read("riatra startpos e2\nvela\nvela e2e3A", &[GameKind::Vela]).unwrap_err();
        let places: Vec<&str> = errors.lines().map(|error| &error[..2]).collect();
        assert_eq!(places, ["2:", "3:"], "{errors}");
    }

    #[test]
    fn every_invalid_line_is_reported() {
        let text = format!(
            "e2e3A\nstartpos e2\n{VELA_FEN}\nb2/3/2W w\nstartpos e2e3A e2e3A\n9/9/9/9/4W4 b\n"
        );
        let errors = read(&text, &[GameKind::Riatra]).unwrap_err();
        let expected = [
            "1: expected a FEN, or startpos and moves: ",
            "2: `e2` is not a move",
            "3: a position with a debtor, but vela is not played",
            "4: a position on 3x3, but the board of this tournament is 9x5",
            "5: move 2, e2e3A, is not legal in riatra: ",
            "6: the game is over after these moves (no-stones)",
        ];
        assert_eq!(errors.lines().count(), expected.len(), "{errors}");
        for (error, expected) in errors.lines().zip(expected) {
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn shuffling_keeps_every_line() {
        for count in [1, 2, 3, 4, 5, 16, 17, 1000] {
            let mut places: Vec<u64> = (0..count).map(|i| shuffled(7, i, count)).collect();
            if count == 1000 {
                assert!(places.iter().zip(0..).filter(|&(&place, i)| place == i).count() < 20);
                assert_ne!(places[..5], [0, 1, 2, 3, 4].map(|i| shuffled(8, i, count)));
            }
            places.sort();
            assert_eq!(places, (0..count).collect::<Vec<_>>());
        }
    }
}
