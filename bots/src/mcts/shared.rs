//! What all threads of a search share, and what can be read from it.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use fanorona_protocol::rules::{Position, Ruleset};

use super::endings::Endings;
use super::settings::Settings;
use super::tree::{Node, ProofStatus, ROOT, Tree};

/// A judgement is never said to be worth more stones than this, in hundredths.
pub(super) const MAX_CP: i32 = 9999;

/// What all threads of a search share.
pub(super) struct Shared<'s> {
    pub(super) tree: &'s mut Tree,
    pub(super) rules: &'s Ruleset,
    pub(super) settings: &'s Settings,
    pub(super) endings: &'s Endings,
    /// The position at the root.
    pub(super) root: Position,
    /// Whether leaves are expanded: not when the tree is full and there is no time to make room.
    pub(super) grows: bool,
    /// How many threads search at once.
    pub(super) threads: usize,
    /// Whether the tree has no room, or would have none, for somebody's children.
    pub(super) full: AtomicBool,
    /// Playouts so far.
    pub(super) playouts: AtomicU64,
    /// Those that were drawn, or judged even.
    pub(super) drawn: AtomicU64,
    /// Plies of the longest path so far.
    pub(super) deepest: AtomicU32,
}

impl Shared<'_> {
    /// The child to be played: the soonest proven win; else the one looked at most, of equals the
    /// better judged; of proven losses the longest. `None` in a leaf.
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

    /// The most visits a child of the root has more than any other that is not lost; `None` when
    /// there is no other.
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
