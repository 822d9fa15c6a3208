//! The state that the threads of a search share besides the transposition table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::platform::StopGuard;

/// Node counts and the stop flag of the threads of a search.
pub(super) struct SharedSearch {
    /// Nodes by thread, as last published.
    nodes: Vec<PublishedCount>,
    done: AtomicBool,
}

/// A counter on its own cache line, because each thread writes one often.
#[derive(Default)]
#[repr(align(64))]
struct PublishedCount(AtomicU64);

impl SharedSearch {
    /// The shared state of a search that is running.
    pub(super) fn new(threads: usize) -> SharedSearch {
        let nodes = (0..threads).map(|_| PublishedCount::default()).collect();
        SharedSearch { nodes, done: AtomicBool::new(false) }
    }

    /// Publishes the number of nodes that a thread has searched.
    pub(super) fn publish(&self, thread: usize, nodes: u64) {
        self.nodes[thread].0.store(nodes, Relaxed);
    }

    /// The nodes of all threads, as last published.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.0.load(Relaxed)).sum()
    }

    /// Tells the other threads to stop when the guard is dropped.
    pub(super) fn stop_guard(&self) -> StopGuard<'_> {
        StopGuard(&self.done)
    }

    /// Whether the leader has ended.
    pub(super) fn is_done(&self) -> bool {
        self.done.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_summed_and_a_panic_ends_the_search() {
        let shared = SharedSearch::new(3);
        shared.publish(0, 5);
        shared.publish(2, 7);
        shared.publish(2, 8);
        assert_eq!((shared.nodes(), shared.is_done()), (13, false));
        let unwinding = std::panic::AssertUnwindSafe(|| {
            let _guard = shared.stop_guard();
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(std::panic::catch_unwind(unwinding).is_err());
        assert!(shared.is_done());
    }
}
