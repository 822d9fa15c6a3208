//! The state that the threads of a search share.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use fanorona_protocol::rules::{Position, Ruleset};

use super::endings::Endings;
use super::settings::Settings;
use super::tree::{Node, ProofStatus, ROOT, Tree};

/// The largest score to report, in hundredths of a stone.
pub(super) const MAX_CP: i32 = 9999;

/// The state that the threads of a search share.
pub(super) struct Shared<'s> {
    pub(super) tree: &'s mut Tree,
    pub(super) rules: &'s Ruleset,
    pub(super) settings: &'s Settings,
    pub(super) endings: &'s Endings,
    /// The position at the root.
    pub(super) root: Position,
    /// Whether the search expands leaves. It stops expanding when the tree is full and the time is
    /// too short to compact it.
    pub(super) grows: bool,
    /// The number of threads.
    pub(super) threads: usize,
    /// Whether the tree has no room, or may soon have none, for the children of a node.
    pub(super) full: AtomicBool,
    /// The number of playouts so far.
    pub(super) playouts: AtomicU64,
    /// The number of playouts that were drawn or judged even.
    pub(super) drawn: AtomicU64,
    /// The length of the longest path so far, in plies.
    pub(super) deepest: AtomicU32,
}

impl Shared<'_> {
    /// The child to play: the shortest proven win; otherwise the child with the most visits, and of
    /// equal ones the one with the better mean; among proven losses the longest. `None` in a leaf.
    pub(super) fn best_child(&self, parent: usize) -> Option<usize> {
        let rank = |child: &Node| match child.status() {
            ProofStatus::Loss(plies) => (2, u32::from(u8::MAX - plies), 0),
            ProofStatus::Open | ProofStatus::Drawn => {
                let visits = child.visits();
                let mean = if visits == 0 { 0 } else { child.sum() / i64::from(visits) };
                (1, visits, mean)
            }
            ProofStatus::Win(plies) => (0, u32::from(plies), 0),
        };
        let all = self.tree.node(parent).children();
        all.min_by_key(|&child| Reverse(rank(self.tree.node(child))))
    }

    /// The lead in visits of the root's most visited child over the second, among children not
    /// proven to lose; `None` if there is only one.
    pub(super) fn lead(&self) -> Option<u32> {
        let (mut most, mut second) = (None, None);
        for child in self.tree.children(ROOT) {
            if !matches!(child.status(), ProofStatus::Win(_)) {
                let visits = child.visits();
                if Some(visits) > most {
                    (most, second) = (Some(visits), most);
                } else {
                    second = second.max(Some(visits));
                }
            }
        }
        Some(most? - second?)
    }
}
