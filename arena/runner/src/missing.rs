//! The games of a pairing that are left to play.

use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::pairing::ids::Pairing;

/// A pairing with games left to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The whole pairing, as in the schedule.
    pub pairing: Pairing,
    /// The results of a session's finished games.
    pub before: Vec<GameResult>,
    /// Options for these games alone, by [`EngineId`](fanorona_tournament::pairing::ids::EngineId), which are set
    /// before each of them; empty if there are none.
    pub options: Vec<Vec<(String, String)>>,
}
