//! The nodes on the paths of threads.

use std::sync::atomic::{AtomicU8, Ordering};

use super::game::Node;
use super::table::hash;

/// The number of counters. Nodes with the same counter count as one, which only makes threads
/// choose a little differently.
const COUNTERS: usize = 1 << 16;

/// For every node the number of threads that have it on their path.
pub(super) struct PathOccupancy(Option<Vec<AtomicU8>>);

impl Default for PathOccupancy {
    /// For one thread, which nobody has to avoid.
    fn default() -> PathOccupancy {
        PathOccupancy(None)
    }
}

impl PathOccupancy {
    /// For several threads.
    pub(super) fn shared() -> PathOccupancy {
        PathOccupancy(Some(std::iter::repeat_with(AtomicU8::default).take(COUNTERS).collect()))
    }

    #[inline]
    fn counter(&self, node: &Node) -> Option<&AtomicU8> {
        // The table's place depends on the highest bits of the hash: these are others.
        self.0.as_ref().map(|counters| &counters[hash(node) as usize % COUNTERS])
    }

    /// A thread goes below a node.
    #[inline]
    pub(super) fn enter(&self, node: &Node) {
        if let Some(counter) = self.counter(node) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A thread that was below a node leaves it.
    #[inline]
    pub(super) fn leave(&self, node: &Node) {
        if let Some(counter) = self.counter(node) {
            counter.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// The number of threads below a node.
    #[inline]
    pub(super) fn by(&self, node: &Node) -> u32 {
        self.counter(node).map_or(0, |counter| counter.load(Ordering::Relaxed).into())
    }
}
