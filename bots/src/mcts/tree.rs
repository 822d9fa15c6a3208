//! The tree: nodes in one vector, identified by their index, parents before children.
//!
//! Several threads use the tree at once. The fields that they change are atomic. The first thread
//! that claims a node expands it, and its children become visible when they are complete. Moving
//! nodes (growing, keeping a part, compacting) needs exclusive access to the tree.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use fanorona_protocol::rules::{Effect, raw};

use crate::platform::atomic::{AtomicI32, AtomicI64, AtomicU16, AtomicU32, AtomicU64, AtomicUsize};

/// The proven status of a node, from the view of its side to move. Distances are upper bounds; a
/// win longer than 255 plies counts as 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProofStatus {
    /// Nothing is proven.
    Open,
    /// The game ends here in a draw.
    Drawn,
    /// Won in this many plies.
    Win(u8),
    /// Lost in this many plies.
    Loss(u8),
}

impl ProofStatus {
    fn pack(self) -> u16 {
        let (kind, plies) = match self {
            ProofStatus::Open => (0, 0),
            ProofStatus::Drawn => (1, 0),
            ProofStatus::Win(plies) => (2, plies),
            ProofStatus::Loss(plies) => (3, plies),
        };
        kind << 8 | u16::from(plies)
    }

    fn unpack(packed: u16) -> ProofStatus {
        let plies = packed as u8;
        match packed >> 8 {
            0 => ProofStatus::Open,
            1 => ProofStatus::Drawn,
            2 => ProofStatus::Win(plies),
            _ => ProofStatus::Loss(plies),
        }
    }
}

/// A move to add to the tree, with its prior and its evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    /// The effect of the move.
    pub(super) effect: Effect,
    /// The prior probability of the move; the priors of all moves of a position add up to one.
    pub(super) prior: f32,
    /// The evaluation for the side that plays the move, in thousandths of a win.
    pub(super) value: i32,
}

/// A position, reached by the moves from the root.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The move that led here; meaningless in the root.
    effect: AtomicU64,
    /// The sum of the results of all playouts through here, from the view of the side that played
    /// the move.
    sum: AtomicI64,
    /// The number of playouts through here.
    visits: AtomicU32,
    /// Index of the first child; the others follow. [`LEAF`] before the node is expanded,
    /// [`CLAIMED`] while it is.
    first: AtomicU32,
    /// The index of the parent; while the tree is compacted, the new index with a mark.
    parent: AtomicU32,
    /// The number of children.
    count: AtomicU16,
    /// The proven status.
    status: AtomicU16,
    /// See [`Edge::prior`]; the bits of the number.
    prior: AtomicU32,
    /// The value of the move by evaluation alone, see [`Edge::value`]: the evaluation of the
    /// position itself in a leaf, otherwise that of its best child.
    value: AtomicI32,
}

/// The maximum number of children of a node. Of more moves, those that capture least are left out.
/// Only constructed positions have as many.
pub(super) const MAX_CHILDREN: usize = 4096;

/// The index of the root.
pub(super) const ROOT: usize = 0;

/// In place of the first child: the node has no children. The root is never a child.
const LEAF: u32 = 0;

/// In place of the first child: a thread is expanding the node.
const CLAIMED: u32 = u32::MAX;

/// Marks the parent of a node that [`Tree::keep`] keeps.
const KEPT: u32 = 1 << 31;

/// The nodes of the tree. Invariant: the root is the first node, the children of a node are
/// adjacent and behind it, and there are never more nodes than `capacity`.
#[derive(Debug)]
pub(super) struct Tree {
    /// The allocated nodes, those in use first.
    nodes: Vec<Node>,
    /// The number of nodes in use; while threads expand nodes it may exceed the number of allocated
    /// ones.
    used: AtomicUsize,
    capacity: usize,
    /// Whether an allocation has failed since this was last asked.
    refused: bool,
    /// A test's limit of nodes, in place of the memory of the system.
    #[cfg(test)]
    pub(super) memory: Option<usize>,
}

/// The smallest number of nodes worth allocating.
const LEAST_GROWTH: usize = 64;

/// The result of expanding a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expansion {
    /// The node has its children.
    Done,
    /// Another thread is expanding it.
    Claimed,
    /// There is no room for the children; see [`Tree::grow`].
    NoRoom,
}

impl Node {
    /// Initializes a node. Only the thread that has claimed it may do this.
    fn begin(&self, edge: &Edge, parent: u32) {
        self.effect.store(raw::pack(edge.effect), Relaxed);
        self.sum.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.first.store(LEAF, Relaxed);
        self.parent.store(parent, Relaxed);
        self.count.store(0, Relaxed);
        self.set_status(ProofStatus::Open);
        self.prior.store(edge.prior.to_bits(), Relaxed);
        self.set_value(edge.value);
    }

    /// The move that led here.
    #[inline]
    pub(super) fn effect(&self) -> Effect {
        raw::unpack(self.effect.load(Relaxed))
    }

    /// See [`Edge::prior`].
    #[inline]
    pub(super) fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Relaxed))
    }

    /// The value of the move that led here for the side that played it, by evaluation alone, in
    /// thousandths of a win.
    #[inline]
    pub(super) fn value(&self) -> i32 {
        self.value.load(Relaxed)
    }

    /// Sets the value.
    #[inline]
    pub(super) fn set_value(&self, value: i32) {
        self.value.store(value, Relaxed);
    }

    /// The number of playouts through here, including running ones.
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The sum of the results, from the view of the side that played the move.
    #[inline]
    pub(super) fn sum(&self) -> i64 {
        self.sum.load(Relaxed)
    }

    /// Adds visits and results.
    #[inline]
    pub(super) fn add(&self, visits: u32, sum: i64) {
        if visits > 0 {
            self.visits.fetch_add(visits, Relaxed);
        }
        self.sum.fetch_add(sum, Relaxed);
    }

    /// The proven status.
    #[inline]
    pub(super) fn status(&self) -> ProofStatus {
        ProofStatus::unpack(self.status.load(Relaxed))
    }

    /// Sets the proven status.
    pub(super) fn set_status(&self, status: ProofStatus) {
        self.status.store(status.pack(), Relaxed);
    }

    /// Whether nothing is proven.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.status() == ProofStatus::Open
    }

    /// Whether the node has children.
    #[inline]
    pub(super) fn is_expanded(&self) -> bool {
        !matches!(self.first.load(Acquire), LEAF | CLAIMED)
    }

    /// The indices of the children.
    #[inline]
    pub(super) fn children(&self) -> std::ops::Range<usize> {
        match self.first.load(Acquire) {
            LEAF | CLAIMED => 0..0,
            first => first as usize..first as usize + self.count.load(Relaxed) as usize,
        }
    }
}

impl Tree {
    /// An empty tree that will use at most this many bytes; nothing is allocated yet.
    pub(super) fn new(bytes: usize) -> Tree {
        let capacity = (bytes / size_of::<Node>()).min(KEPT as usize - 1);
        Tree {
            nodes: Vec::new(),
            used: AtomicUsize::new(0),
            capacity,
            refused: false,
            #[cfg(test)]
            memory: None,
        }
    }

    /// Clears the tree and inserts a root with these children, at most [`MAX_CHILDREN`]. Returns
    /// `false` if there is no memory for twice as many nodes; then there is no root.
    #[must_use]
    pub(super) fn insert(&mut self, edges: &[Edge]) -> bool {
        self.clear();
        // With this much room, compaction never drops the children of the root.
        let needed = 2 * (1 + edges.len());
        while self.nodes.len() < needed && self.grow() {}
        if self.nodes.len() < needed {
            return false;
        }
        self.nodes[ROOT].begin(&edges[0], 0);
        self.used.store(1, Relaxed);
        self.expand(ROOT, edges);
        true
    }

    /// Clears the tree.
    pub(super) fn clear(&mut self) {
        self.used.store(0, Relaxed);
    }

    /// Whether the tree has no root.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The maximum number of nodes.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// Allocates more memory: twice as much each time, or less if there is not enough. Returns
    /// `false` if there is none.
    pub(super) fn grow(&mut self) -> bool {
        let had = self.nodes.len();
        let room = (had * 2).clamp((2 * MAX_CHILDREN).min(self.capacity), self.capacity);
        let mut more = room - had;
        while more > 0 && !self.reserve(more) {
            self.refused = true;
            more = if more > LEAST_GROWTH { more / 2 } else { 0 };
        }
        if more == 0 {
            // An empty tree may try again for the next move.
            if had > 0 {
                self.capacity = had;
            }
            return false;
        }
        self.nodes.resize_with(had + more, Node::default);
        true
    }

    fn reserve(&mut self, more: usize) -> bool {
        #[cfg(test)]
        if self.memory.is_some_and(|memory| self.nodes.len() + more > memory) {
            return false;
        }
        self.nodes.try_reserve_exact(more).is_ok()
    }

    /// Whether an allocation has failed since this was last asked.
    pub(super) fn was_refused(&mut self) -> bool {
        std::mem::take(&mut self.refused)
    }

    /// Whether the tree should grow before this many nodes are expanded at once. Asked before each
    /// expansion, so that the result does not depend on when memory was allocated.
    #[inline]
    pub(super) fn should_grow(&self, expansions: usize) -> bool {
        self.nodes.len() < self.capacity
            && self.nodes.len() < self.len() + expansions * MAX_CHILDREN
    }

    /// A node.
    #[inline]
    pub(super) fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    /// The children of a node.
    #[inline]
    pub(super) fn children(&self, index: usize) -> &[Node] {
        &self.nodes[self.nodes[index].children()]
    }

    /// Gives a leaf these children, at least one and at most [`MAX_CHILDREN`].
    pub(super) fn expand(&self, index: usize, edges: &[Edge]) -> Expansion {
        debug_assert!((1..=MAX_CHILDREN).contains(&edges.len()));
        let node = &self.nodes[index];
        if node.first.compare_exchange(LEAF, CLAIMED, Relaxed, Relaxed).is_err() {
            return Expansion::Claimed;
        }
        let claim = |used: usize| Some(used + edges.len()).filter(|&end| end <= self.nodes.len());
        let Ok(first) = self.used.fetch_update(Relaxed, Relaxed, claim) else {
            node.first.store(LEAF, Relaxed);
            return Expansion::NoRoom;
        };
        for (child, edge) in self.nodes[first..].iter().zip(edges) {
            child.begin(edge, index as u32);
        }
        node.count.store(edges.len() as u16, Relaxed);
        node.first.store(first as u32, Release);
        Expansion::Done
    }
    /// Makes a node the root and keeps the tree below it. Nodes other than the root with fewer
    /// visits than `least` lose their children. The order of nodes does not change, so all nodes
    /// move towards the front and no second vector is needed.
    pub(super) fn keep(&mut self, root: usize, least: u32) {
        let mut end = 0;
        for index in root..self.len() {
            let node = std::mem::take(&mut self.nodes[index]);
            if index != root {
                let parent = node.parent.load(Relaxed);
                if parent & KEPT == 0 {
                    continue;
                }
                let parent = parent & !KEPT;
                node.parent.store(parent, Relaxed);
                // The parent has moved already; the first child updates its index there.
                let moved = &self.nodes[parent as usize].first;
                if moved.load(Relaxed) as usize == index {
                    moved.store(end as u32, Relaxed);
                }
                if node.visits() < least {
                    node.first.store(LEAF, Relaxed);
                }
            }
            for child in node.children() {
                self.nodes[child].parent.store(end as u32 | KEPT, Relaxed);
            }
            self.nodes[end] = node;
            end += 1;
        }
        self.used.store(end, Relaxed);
        self.nodes[ROOT].parent.store(0, Relaxed);
    }

    /// Makes room: drops the children of the least visited nodes until a quarter of the tree is
    /// free.
    pub(super) fn recycle(&mut self) {
        let mut least = 2;
        while self.len() > self.capacity / 4 * 3 {
            self.keep(ROOT, least);
            least = least.saturating_mul(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::RootMove;
    use fanorona_protocol::rules::{Ruleset, Start};

    #[test]
    fn a_node_takes_forty_bytes() {
        assert_eq!(size_of::<Node>(), 40);
    }

    fn edges(count: usize) -> Vec<Edge> {
        let all = RootMove::all(&Start::TSIVY.riatra(), &Ruleset::default());
        let all = all.into_iter().map(|root| Edge { effect: root.effect, prior: 0.0, value: 0 });
        all.collect::<Vec<_>>().into_iter().cycle().take(count).collect()
    }

    /// The tree drawn: visits of a node, then its children in brackets.
    fn drawn(tree: &Tree, index: usize) -> String {
        let node = tree.node(index);
        let children: Vec<_> = node.children().map(|child| drawn(tree, child)).collect();
        let visits = node.visits();
        if children.is_empty() {
            visits.to_string()
        } else {
            format!("{visits}[{}]", children.join(" "))
        }
    }

    /// `9[5[3[1 1] 1] 4[2[1 0] 1 0]]`, grown in an order unlike that of its nodes.
    fn tree() -> Tree {
        let mut tree = Tree::new(1 << 20);
        assert!(tree.insert(&edges(2)));
        tree.expand(2, &edges(3));
        tree.expand(1, &edges(2));
        tree.expand(3, &edges(2));
        tree.expand(6, &edges(2));
        let visits = [9, 5, 4, 2, 1, 0, 3, 1, 1, 0, 1, 1];
        for (index, visits) in visits.into_iter().enumerate() {
            tree.node(index).add(visits, 0);
        }
        assert_eq!(drawn(&tree, ROOT), "9[5[3[1 1] 1] 4[2[1 0] 1 0]]");
        tree
    }

    #[test]
    fn a_tree_shrinks_to_the_available_memory() {
        for (memory, inserted) in [(0, false), (63, false), (100, true), (5000, true)] {
            let mut tree = Tree::new(1 << 20);
            tree.memory = Some(memory);
            assert_eq!(tree.insert(&edges(20)), inserted, "{memory}");
            assert!(tree.was_refused() && !tree.was_refused());
            assert_eq!(tree.is_empty(), !inserted);
            while tree.grow() {}
            assert!(tree.nodes.len() <= memory);
            if inserted {
                tree.recycle();
                assert_eq!(tree.children(ROOT).len(), 20);
            }
            // Memory may be there for another move.
            tree.memory = None;
            assert!(tree.insert(&edges(20)));
        }
    }

    #[test]
    fn a_child_may_become_the_root() {
        for (root, expected, len) in
            [(1, "5[3[1 1] 1]", 5), (2, "4[2[1 0] 1 0]", 6), (6, "3[1 1]", 3), (9, "0", 1)]
        {
            let mut tree = tree();
            tree.keep(root, 0);
            assert_eq!((drawn(&tree, ROOT).as_str(), tree.len()), (expected, len));
            // What is kept can be kept again.
            tree.keep(ROOT, 0);
            assert_eq!((drawn(&tree, ROOT).as_str(), tree.len()), (expected, len));
        }
    }

    #[test]
    fn children_of_rarely_visited_nodes_are_freed() {
        for (least, expected) in
            [(3, "9[5[3[1 1] 1] 4[2 1 0]]"), (5, "9[5[3 1] 4]"), (100, "9[5 4]")]
        {
            let mut tree = tree();
            tree.keep(ROOT, least);
            assert_eq!(drawn(&tree, ROOT), expected);
        }
    }
}

/// Every order in which threads can execute the steps of their accesses; `.ci/full loom` runs this.
#[cfg(all(test, loom))]
mod interleavings {
    use crate::bot::RootMove;
    use fanorona_protocol::rules::{Ruleset, Start};
    use loom::sync::Arc;

    use super::*;
    use crate::platform::atomic::spawn;

    /// Two threads expand one leaf while another one reads. One of them succeeds, and a reader sees
    /// no children or complete ones.
    #[test]
    fn a_reader_sees_complete_children() {
        let moves = RootMove::all(&Start::TSIVY.riatra(), &Ruleset::default());
        let edge = |index: usize| Edge { effect: moves[index].effect, prior: 0.5, value: 7 };
        let edges = [edge(0), edge(1)];
        loom::model(move || {
            let tree = Arc::new(Tree {
                nodes: (0..3).map(|_| Node::default()).collect(),
                used: AtomicUsize::new(1),
                capacity: 3,
                refused: false,
                memory: None,
            });
            let read = move |tree: &Tree| {
                let children = tree.children(ROOT);
                assert!(children.is_empty() || children.len() == edges.len());
                for (child, edge) in children.iter().zip(&edges) {
                    assert_eq!((child.effect(), child.value()), (edge.effect, edge.value));
                }
            };
            let expand = || {
                let (tree, edges) = (Arc::clone(&tree), edges);
                spawn(move || {
                    let done = tree.expand(ROOT, &edges);
                    read(&tree);
                    done
                })
            };
            let expanding = [expand(), expand()];
            read(&tree);
            let mut results = expanding.map(|thread| thread.join().unwrap());
            results.sort_by_key(|result| *result != Expansion::Done);
            assert_eq!(results, [Expansion::Done, Expansion::Claimed]);
            assert_eq!(tree.len(), 3);
            read(&tree);
        });
    }
}
