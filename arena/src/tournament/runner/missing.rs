//! What is left to play of a pairing.

use crate::game::termination::GameResult;
use crate::pairing::ids::Pairing;

/// A pairing with games left to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The pairing.
    pub pairing: Pairing,
    /// The results of a session's finished games.
    pub before: Vec<GameResult>,
}
