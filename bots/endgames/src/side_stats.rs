//! Statistics of the positions of a layer in which one of its sides is to move.

use serde::{Deserialize, Serialize};

/// Statistics of the positions of a layer in which one of its sides is to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SideStats {
    /// Stones of the side to move.
    pub own: u32,
    /// Stones of the other side.
    pub enemy: u32,
    /// The number of won positions.
    pub wins: u64,
    /// The number of drawn positions.
    pub draws: u64,
    /// The number of lost positions.
    pub losses: u64,
    /// The longest win; `None` if there is no win.
    pub longest: Option<Longest>,
}

/// The longest win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Longest {
    /// Plies to the end.
    pub plies: u8,
    /// The first number of the layer with such a win.
    pub number: u64,
}
