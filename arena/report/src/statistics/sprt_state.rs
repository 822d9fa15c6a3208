//! The state of the SPRT of a match.

use fanorona_ratings::Estimate;
use fanorona_tournament::progress::sprt_run::State;

/// The state of the SPRT of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Test {
    /// The engine whose lead is tested.
    pub engine: String,
    /// The likelihood ratio so far, with its bounds and the decision.
    pub state: State,
    /// The estimated lead in Elo of the model; it accounts for stopping at the bounds.
    pub estimate: Estimate,
    /// The likelihood ratio after each number of pairs.
    pub history: Vec<(u64, f64)>,
}
