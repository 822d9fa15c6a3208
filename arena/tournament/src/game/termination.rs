//! The ways a game can end, and which engine was at fault.

use std::fmt;
use std::str::FromStr;

use fanorona_protocol::rules::{self, Side};

use crate::game::fault::{Fault, UnknownReason};
use fanorona_ratings::Score;

/// The reason for the end of a game: a word in the column `reason` of `games.csv`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The rules of the game.
    Rules(rules::Reason),
    /// The arena adjudicated the game by scores or an exact value.
    Adjudicated,
    /// The players agreed on a draw.
    Agreed,
    /// An engine resigned.
    Resign,
    /// An engine lost by a fault.
    Fault(Fault),
    /// The arena was at fault too often, so the game does not count.
    Void,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Rules(reason) => reason.word(),
            Reason::Adjudicated => "adjudicated",
            Reason::Agreed => "agreed",
            Reason::Resign => "resign",
            Reason::Fault(fault) => fault.word(),
            Reason::Void => "void",
        })
    }
}

impl FromStr for Reason {
    type Err = UnknownReason;

    fn from_str(word: &str) -> Result<Reason, UnknownReason> {
        match word {
            "adjudicated" => Ok(Reason::Adjudicated),
            "agreed" => Ok(Reason::Agreed),
            "resign" => Ok(Reason::Resign),
            "void" => Ok(Reason::Void),
            _ => {
                let by_rules = |unknown| word.parse().map(Reason::Rules).map_err(|_| unknown);
                word.parse().map(Reason::Fault).or_else(by_rules)
            }
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// `1-0` or `0-1`: a side won.
    Won(Side),
    /// `1/2-1/2`
    Drawn,
    /// `*`: no result, because of the arena or of faults of both engines.
    Void,
}

impl GameResult {
    /// A side's score; `None` if the game has no result.
    pub fn score_of(self, side: Side) -> Option<Score> {
        match self {
            GameResult::Won(winner) if winner == side => Some(Score::Win),
            GameResult::Won(_) => Some(Score::Loss),
            GameResult::Drawn => Some(Score::Draw),
            GameResult::Void => None,
        }
    }

    /// The game from its first player's view, which plays the side `first`: the first and the second
    /// player, and the first one's score. `None` if the game has no result.
    pub fn of_first<T>(self, first: Side, [white, black]: [T; 2]) -> Option<([T; 2], Score)> {
        let players = match first {
            Side::White => [white, black],
            Side::Black => [black, white],
        };
        self.score_of(first).map(|score| (players, score))
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Won(Side::White) => "1-0",
            GameResult::Won(Side::Black) => "0-1",
            GameResult::Drawn => "1/2-1/2",
            GameResult::Void => "*",
        })
    }
}

/// The word is not a result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a result: expected 1-0, 0-1, 1/2-1/2 or *")]
pub struct UnknownResult(String);

impl FromStr for GameResult {
    type Err = UnknownResult;

    fn from_str(word: &str) -> Result<GameResult, UnknownResult> {
        match word {
            "1-0" => Ok(GameResult::Won(Side::White)),
            "0-1" => Ok(GameResult::Won(Side::Black)),
            "1/2-1/2" => Ok(GameResult::Drawn),
            "*" => Ok(GameResult::Void),
            _ => Err(UnknownResult(word.to_owned())),
        }
    }
}

/// The end of a game between engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Why it ended: by the rules, an adjudication or a fault.
    pub reason: Reason,
    /// The score of both sides; void if the game has to be played again.
    pub result: GameResult,
    /// The side whose engine was at fault. If both were, the one with the fault of the reason.
    pub offender: Option<Side>,
    /// The fault of the other side's engine, if both were at fault.
    pub other_fault: Option<Fault>,
    /// The adjudicator of the game: `score`, or the oracle's name. `None` for other reasons.
    pub adjudicated_by: Option<String>,
    /// Details that the reason does not give.
    pub detail: String,
}

impl Ending {
    /// An end by the rules.
    pub fn by_rules(ending: rules::Ending) -> Ending {
        Ending {
            reason: Reason::Rules(ending.reason),
            result: ending.winner.map_or(GameResult::Drawn, GameResult::Won),
            offender: None,
            other_fault: None,
            adjudicated_by: None,
            detail: String::new(),
        }
    }

    /// A loss by a fault of `offender`.
    pub fn by_fault(fault: Fault, offender: Side, detail: impl Into<String>) -> Ending {
        Ending {
            reason: Reason::Fault(fault),
            result: GameResult::Won(!offender),
            offender: Some(offender),
            other_fault: None,
            adjudicated_by: None,
            detail: detail.into(),
        }
    }

    /// A game in which both engines failed before it began, White with `faults[0]`. It does not
    /// count for either of them.
    pub fn by_both(faults: [Fault; 2], detail: impl Into<String>) -> Ending {
        Ending {
            reason: Reason::Fault(faults[0]),
            result: GameResult::Void,
            offender: Some(Side::White),
            other_fault: Some(faults[1]),
            adjudicated_by: None,
            detail: detail.into(),
        }
    }

    /// A resignation.
    pub fn by_resignation(side: Side) -> Ending {
        Ending {
            reason: Reason::Resign,
            result: GameResult::Won(!side),
            offender: None,
            other_fault: None,
            adjudicated_by: None,
            detail: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn reasons_survive_a_round_trip() {
        let rules = rules::Reason::ALL.map(Reason::Rules);
        let faults = Fault::VARIANTS.iter().copied().map(Reason::Fault);
        let rest = [Reason::Adjudicated, Reason::Agreed, Reason::Resign, Reason::Void];
        for reason in rules.into_iter().chain(faults).chain(rest) {
            assert_eq!(reason.to_string().parse(), Ok(reason));
        }
        assert!("mate".parse::<Reason>().is_err());
    }

    #[test]
    fn results_survive_a_round_trip() {
        for word in ["1-0", "0-1", "1/2-1/2", "*"] {
            assert_eq!(word.parse::<GameResult>().unwrap().to_string(), word);
        }
        assert!("2-0".parse::<GameResult>().is_err());
    }
}
