//! What the positions of half a layer are worth: counts, and the longest win.

#[cfg(feature = "files")]
use serde::{Deserialize, Serialize};

/// What the positions of half a layer are worth to the side to move, all images of a position
/// counted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "files", derive(Serialize, Deserialize))]
pub struct SideStats {
    /// Stones of the side to move.
    pub own: u32,
    /// Stones of the other side.
    pub enemy: u32,
    /// Positions that are won.
    pub wins: u64,
    /// Positions that are drawn.
    pub draws: u64,
    /// Positions that are lost.
    pub losses: u64,
    /// The longest win; `None` without any win.
    pub longest: Option<Longest>,
}

/// A longest win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "files", derive(Serialize, Deserialize))]
pub struct Longest {
    /// Plies to the end.
    pub plies: u8,
    /// The first number of the layer with such a win.
    pub number: u64,
}
