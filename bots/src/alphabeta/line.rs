//! Principal variations: the moves that both sides are expected to play.

use std::ops::ControlFlow;

use fanorona_protocol::rules::{Effect, Move, Position, Ruleset};

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

/// Converts a line of effects to moves. For each effect it takes the first path.
pub(super) fn moves(position: &Position, rules: &Ruleset, line: &[Effect]) -> Vec<Move> {
    let mut position = *position;
    let mut moves = Vec::with_capacity(line.len());
    for &effect in line {
        let mut found = None;
        // The visitor breaks when it has found the move.
        let _ = position.visit_moves(rules, |mv, of_move| {
            if of_move == effect {
                found = Some(*mv);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        let Some(mv) = found else { break };
        moves.push(mv);
        position = position.play_unchecked(effect);
    }
    moves
}
