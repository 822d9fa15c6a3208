//! The ends of games: by which rule, and who wins.

use alloc::borrow::ToOwned;
use alloc::string::String;

use core::fmt;
use core::str::FromStr;

use super::position::Position;
use super::ruleset::{Ruleset, VelaStarved};
use super::side::Side;

/// The rule by which a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// A side has no stones left. That side loses.
    NoStones,
    /// In vela phase one the debtor is to move and has nothing to capture.
    /// [`Ruleset::vela_starved`] decides who loses.
    VelaStarved,
    /// The side to move has no legal move. That side loses, or draws with
    /// [`Ruleset::blocked_is_draw`].
    NoMove,
    /// The position has occurred [`Ruleset::repetition`] times. The game is a draw.
    Repetition,
    /// [`Ruleset::quiet`] plies have passed without a capture. The game is a draw.
    Quiet,
    /// The game has reached [`Ruleset::max_plies`] plies. The game is a draw.
    MaxPlies,
}

impl Reason {
    /// Every reason, in the order in which the rules check them.
    pub const ALL: [Reason; 6] = [
        Reason::NoStones,
        Reason::VelaStarved,
        Reason::NoMove,
        Reason::Repetition,
        Reason::Quiet,
        Reason::MaxPlies,
    ];

    /// Returns the word for this reason in results.
    pub fn word(self) -> &'static str {
        match self {
            Reason::NoStones => "no-stones",
            Reason::VelaStarved => "vela-starved",
            Reason::NoMove => "no-move",
            Reason::Repetition => "repetition",
            Reason::Quiet => "quiet",
            Reason::MaxPlies => "max-plies",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The error for a text that does not name a reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a reason why a game ends by the rules")]
pub struct ParseReasonError(String);

impl FromStr for Reason {
    type Err = ParseReasonError;

    fn from_str(text: &str) -> Result<Reason, ParseReasonError> {
        let found = Reason::ALL.into_iter().find(|reason| reason.word() == text);
        found.ok_or_else(|| ParseReasonError(text.to_owned()))
    }
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    /// The rule by which the game is over.
    pub reason: Reason,
    /// The side that has won; `None` for a draw.
    pub winner: Option<Side>,
}

impl Ruleset {
    /// Returns the end of the game if the position alone determines it: no stones, a starved debtor
    /// or no move. [`Game::ending`](super::Game::ending) also checks repetition and limits.
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        let side = position.side_to_move();
        if let Some(loser) = Side::BOTH.into_iter().find(|&s| position.board().bits(s) == 0) {
            return Some(Ending { reason: Reason::NoStones, winner: Some(!loser) });
        }
        if position.has_move(self) {
            return None;
        }
        let starved_debtor = position.is_vela_phase_one()
            && position.debtor() == Some(side)
            && self.vela_starved != VelaStarved::Paika;
        Some(if starved_debtor {
            let winner = match self.vela_starved {
                VelaStarved::DebtorLoses => !side,
                _ => side,
            };
            Ending { reason: Reason::VelaStarved, winner: Some(winner) }
        } else {
            Ending { reason: Reason::NoMove, winner: (!self.blocked_is_draw).then_some(!side) }
        })
    }
}
