//! Principal variations: the moves that both sides are expected to play.

use fanorona_protocol::rules::Effect;

use super::value::MAX_PLY;

/// The triangular PV table: the best line found so far from each node of the current path, one row
/// for each ply.
pub(super) struct PvTable {
    rows: Vec<Vec<Effect>>,
}

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable { rows: (0..=MAX_PLY).map(|_| Vec::with_capacity(MAX_PLY)).collect() }
    }

    /// The line from the node at a ply.
    pub(super) fn line(&self, ply: usize) -> &[Effect] {
        &self.rows[ply]
    }

    /// Clears the line from the node at a ply.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.rows[ply].clear();
    }

    /// Sets the line from a ply to one move followed by the line from the next ply.
    pub(super) fn extend(&mut self, ply: usize, effect: Effect) {
        let (until, after) = self.rows.split_at_mut(ply + 1);
        let row = &mut until[ply];
        row.clear();
        row.push(effect);
        row.extend_from_slice(&after[0]);
    }
}
