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
    /// Options for these games alone, by [`EngineId`](crate::pairing::ids::EngineId), which are set
    /// before each of them; empty if there are none.
    pub options: Vec<Vec<(String, String)>>,
}
