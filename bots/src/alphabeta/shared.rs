//! What the threads of a search share besides the transposition table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What the threads of a search know of each other.
pub(super) struct Crew {
    /// Nodes by thread, as last published.
    nodes: Vec<Published>,
    done: AtomicBool,
}

/// A count on a cache line of its own: each thread writes one often.
#[derive(Default)]
#[repr(align(64))]
struct Published(AtomicU64);

impl Crew {
    /// A crew that is still at work.
    pub(super) fn new(threads: usize) -> Crew {
        let nodes = (0..threads).map(|_| Published::default()).collect();
        Crew { nodes, done: AtomicBool::new(false) }
    }

    /// Tells the others how many nodes a thread has searched.
    pub(super) fn publish(&self, thread: usize, nodes: u64) {
        self.nodes[thread].0.store(nodes, Relaxed);
    }

    /// The nodes of all threads, as last published.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.0.load(Relaxed)).sum()
    }

    /// Whether the leader has ended.
    pub(super) fn is_done(&self) -> bool {
        self.done.load(Relaxed)
    }
}

/// Says that the leader has ended, also when it unwinds: the others must not search on forever.
pub(super) struct Leading<'c>(pub(super) &'c Crew);

impl Drop for Leading<'_> {
    fn drop(&mut self) {
        self.0.done.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_added_up_and_the_end_is_told_even_by_a_panic() {
        let crew = Crew::new(3);
        crew.publish(0, 5);
        crew.publish(2, 7);
        crew.publish(2, 8);
        assert_eq!((crew.nodes(), crew.is_done()), (13, false));
        let unwinding = std::panic::AssertUnwindSafe(|| {
            let _leading = Leading(&crew);
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(std::panic::catch_unwind(unwinding).is_err());
        assert!(crew.is_done());
    }
}
