//! Every way a game can end, and who is to blame.

use std::fmt;
use std::str::FromStr;

use fanorona_protocol::rules::{self, Side};

use crate::engine::fault::{Fault, UnknownReason};

/// By what a game has ended: one of the words in the column `reason` of `games.csv`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// By the rules of the game.
    Rules(rules::Reason),
    /// The arena has called the game by its score or an exact value.
    Adjudicated,
    /// An engine has resigned.
    Resign,
    /// An engine was at fault and has lost.
    Fault(Fault),
    /// The arena was at fault too often: the game counts for nobody.
    Void,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Rules(reason) => reason.word(),
            Reason::Adjudicated => "adjudicated",
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
            "resign" => Ok(Reason::Resign),
            "void" => Ok(Reason::Void),
            _ => {
                let by_rules = |unknown| word.parse().map(Reason::Rules).map_err(|_| unknown);
                word.parse().map(Reason::Fault).or_else(by_rules)
            }
        }
    }
}

/// The result of a game as files write it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// `1-0` or `0-1`: a side has won.
    Won(Side),
    /// `1/2-1/2`
    Drawn,
    /// `*`: the game has no result, by the arena's fault or by faults of both engines.
    Void,
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

/// A word that is no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no result: expected 1-0, 0-1, 1/2-1/2 or *")]
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
    /// By what.
    pub reason: Reason,
    /// Who has won, if anybody.
    pub result: GameResult,
    /// The side whose engine was at fault; of two the one the reason speaks of.
    pub offender: Option<Side>,
    /// The fault of the other side's engine, where both were at fault.
    pub other_fault: Option<Fault>,
    /// By what it was adjudicated, and in no other case: `score`, or the oracle's name.
    pub adjudicated_by: Option<String>,
    /// For people: what exactly happened, where the reason alone does not say.
    pub detail: String,
}

impl Ending {
    /// The end by the rules.
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

    /// A fault: its offender has lost.
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

    /// White and Black were both at fault before the game began, White of `faults[0]`: it counts
    /// for neither of them.
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

    /// A side has resigned.
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
    use super::*;

    #[test]
    fn every_reason_is_read_as_it_is_written() {
        let rules = rules::Reason::ALL.map(Reason::Rules);
        let faults = Fault::ALL.map(Reason::Fault);
        let rest = [Reason::Adjudicated, Reason::Resign, Reason::Void];
        for reason in rules.iter().chain(&faults).chain(&rest) {
            assert_eq!(reason.to_string().parse(), Ok(*reason));
        }
        assert!("mate".parse::<Reason>().is_err());
    }

    #[test]
    fn every_result_is_read_as_it_is_written() {
        for word in ["1-0", "0-1", "1/2-1/2", "*"] {
            assert_eq!(word.parse::<GameResult>().unwrap().to_string(), word);
        }
        assert!("2-0".parse::<GameResult>().is_err());
    }
}
