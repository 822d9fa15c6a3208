//! Checks recorded games by replaying them.

use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{Game, Move, Position, Ruleset, Side};

use super::GameRecord;
use crate::game::referee::{self, Ruling};
use crate::game::termination::{GameResult, Reason};
use fanorona_ratings::kind::Kind;

/// Why a recorded game is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The start is not a valid position.
    #[error("the start is not valid: {0}")]
    Start(String),
    /// A move is invalid or not legal.
    #[error("move {number}: {why}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The reason.
        why: String,
    },
    /// The game had ended before its last move.
    #[error("move {number} was played after the game was over by {reason}")]
    After {
        /// The number of the move, from 1.
        number: usize,
        /// The reason for the earlier end.
        reason: String,
    },
    /// The recorded end differs from the rules.
    #[error("recorded as {recorded}, but by the rules it is {found}")]
    Ending {
        /// The recorded result and reason.
        recorded: String,
        /// The result and reason by the rules.
        found: String,
    },
    /// A field contradicts others.
    #[error("the field `{field}`: {why}")]
    Field {
        /// The field.
        field: &'static str,
        /// The contradiction.
        why: String,
    },
}

/// Checks everything about a game that follows from the rules or from its other fields: that it
/// [replays](replay), who lost by a fault or a resignation, and how many moves have a time and a
/// score. The result of an adjudicated game follows from what its engines said, and is not checked.
pub fn verify(game: &GameRecord, rules: &Ruleset) -> Result<(), ReplayError> {
    let GameRecord { result, reason, offender, other_fault, .. } = *game;
    replay(rules, &game.start, &game.moves, result, reason)?;
    let start: Position = game.start.parse().map_err(|why| ReplayError::Start(format!("{why}")))?;
    let wrong = |field, why: String| Err(ReplayError::Field { field, why });
    let kind = if start.debtor().is_some() { Kind::Vela } else { Kind::Riatra };
    if game.kind != kind {
        return wrong("kind", format!("the start is that of a {kind}"));
    }
    let expected = match (reason, offender, other_fault) {
        (Reason::Fault(_), Some('w'), None) => Some(GameResult::Won(Side::Black)),
        (Reason::Fault(_), Some('b'), None) => Some(GameResult::Won(Side::White)),
        (Reason::Fault(_), Some('w' | 'b'), Some(_)) | (Reason::Void, None, None) => {
            Some(GameResult::Void)
        }
        (Reason::Resign, None, None) => {
            let moves = game.plies();
            let first = start.side_to_move();
            let resigns = if moves.is_multiple_of(2) { first } else { !first };
            Some(GameResult::Won(!resigns))
        }
        (Reason::Rules(_) | Reason::Adjudicated | Reason::Agreed, None, None) => None,
        _ => return wrong("offender", format!("an end by {reason} has another offender")),
    };
    if let Some(expected) = expected.filter(|expected| *expected != result) {
        return wrong("result", format!("it is {result}, but {reason} makes it {expected}"));
    }
    if reason == Reason::Adjudicated && result == GameResult::Void {
        return wrong("result", "an adjudicated game has one".to_owned());
    }
    if game.adjudicated_by.is_some() && reason != Reason::Adjudicated {
        return wrong("adjudicated_by", format!("the game ended by {reason}"));
    }
    let Some(own) = game.plies().checked_sub(game.book as usize) else {
        return wrong("book", format!("there are only {} moves", game.plies()));
    };
    for (field, length) in [("times", game.times.len()), ("scores", game.scores.len())] {
        if length != own {
            let why = format!("{length} of them for {own} moves after the opening");
            return wrong(field, why);
        }
    }
    if !game.searches.is_empty() && game.searches.len() != own {
        return wrong("searches", format!("{} of them for {own} moves", game.searches.len()));
    }
    // The time of an answer that was no move belongs to no move.
    let begin = (start.side_to_move() == Side::White) == game.book.is_multiple_of(2);
    let mut sums = [0_u64; 2];
    for (place, time) in game.times.iter().enumerate() {
        let is_white = begin == place.is_multiple_of(2);
        let sum = &mut sums[usize::from(!is_white)];
        *sum = sum.saturating_add(*time);
    }
    let totals = [("white_ms", game.white_ms), ("black_ms", game.black_ms)];
    for ((field, total), sum) in totals.into_iter().zip(sums) {
        if total < sum {
            return wrong(field, format!("{total}, but the moves took {sum} ms"));
        }
    }
    Ok(())
}

/// Checks a recorded game by replaying it: every move must be legal, none may follow the end, and
/// result and reason must be those of the rules if the rules ended the game. Players can agree on a
/// draw alone.
pub fn replay(
    rules: &Ruleset,
    start: &str,
    moves: &str,
    result: GameResult,
    reason: Reason,
) -> Result<(), ReplayError> {
    let start: Position = start.parse().map_err(|why| ReplayError::Start(format!("{why}")))?;
    let mut game = Game::new(*rules, start);
    let mut over = referee::ending(&game);
    for (index, word) in moves.split(' ').filter(|word| !word.is_empty()).enumerate() {
        let number = index + 1;
        if let Some(ending) = over {
            return Err(ReplayError::After { number, reason: ending.reason.to_string() });
        }
        let mv: Move =
            word.parse().map_err(|why| ReplayError::Move { number, why: format!("{why}") })?;
        over = match referee::judge(&mut game, &BestMove::Move(mv)) {
            Ruling::Continue => None,
            Ruling::Over(ending) if ending.offender.is_some() => {
                return Err(ReplayError::Move { number, why: ending.detail });
            }
            Ruling::Over(ending) => Some(ending),
        };
    }
    let found = match &over {
        Some(ending) => format!("{} by {}", ending.result, ending.reason),
        None => "not finished".to_owned(),
    };
    let agrees = match (&over, reason) {
        (Some(ending), _) => (ending.result, ending.reason) == (result, reason),
        (None, Reason::Rules(_)) => false,
        (None, Reason::Agreed) => result == GameResult::Drawn,
        (None, _) => true,
    };
    let recorded = || format!("{result} by {reason}");
    agrees.then_some(()).ok_or_else(|| ReplayError::Ending { recorded: recorded(), found })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(moves: &str, result: &str, reason: &str) -> Result<(), ReplayError> {
        let start = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1";
        let (result, reason) = (result.parse().unwrap(), reason.parse().unwrap());
        replay(&Ruleset::default(), start, moves, result, reason)
    }

    #[test]
    fn games_are_checked_by_the_rules() {
        let starved = "e2e3A e5e4 e3e2W f4e3";
        assert_eq!(judge(starved, "1-0", "vela-starved"), Ok(()));
        assert_eq!(judge("e2e3A e5e4", "0-1", "time"), Ok(()));
        assert_eq!(judge("e2e3A e5e4", "1/2-1/2", "agreed"), Ok(()));
        let error = |moves: &str, result, reason| judge(moves, result, reason).unwrap_err();
        assert!(matches!(error(starved, "0-1", "vela-starved"), ReplayError::Ending { .. }));
        assert!(matches!(error(starved, "1-0", "no-move"), ReplayError::Ending { .. }));
        assert!(matches!(error("e2e3A", "1-0", "no-move"), ReplayError::Ending { .. }));
        assert!(matches!(error("e2e3A", "1-0", "agreed"), ReplayError::Ending { .. }));
        assert!(matches!(error("e2e3A e5e5", "1-0", "time"), ReplayError::Move { number: 2, .. }));
        assert!(matches!(error("e2e3A a5a4", "1-0", "time"), ReplayError::Move { number: 2, .. }));
        let after = format!("{starved} a1a2");
        assert!(matches!(error(&after, "1-0", "time"), ReplayError::After { number: 5, .. }));
    }
}
