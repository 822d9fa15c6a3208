//! The tree in its arena: nodes side by side, told apart by their index, parents before children.
//!
//! Several threads walk the tree at once. What they change is atomic; a node is expanded by
//! whoever claims it first, and its children can be seen when they are whole. Moving nodes about
//! (growing, keeping a part, making room) takes the tree for oneself.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU16, AtomicU32, AtomicU64, AtomicUsize};

use fanorona_protocol::rules::Effect;

/// What is known for sure of a node, from the view of its side to move; plies are at most as many
/// as said (a longer win than 255 plies is called one of 255).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProofStatus {
    /// Nothing.
    Open,
    /// The game ends here, drawn.
    Drawn,
    /// Won in so many plies.
    Win(u8),
    /// Lost in so many plies.
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

/// A move the tree is to have, and what is thought of it before it has been tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    /// What the move does.
    pub(super) effect: Effect,
    /// How likely it is to be the one to play; those of all moves of a position add up to one.
    pub(super) prior: f32,
    /// What it is worth to who plays it, in thousandths of a win.
    pub(super) value: i32,
}

/// A position reached by the moves from the root to here.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The move that led here; means nothing in the root.
    effect: AtomicU64,
    /// Results of all playouts through here, added up, from the view of who played the move.
    sum: AtomicI64,
    /// How many playouts went through here.
    visits: AtomicU32,
    /// Index of the first child; the others follow. [`LEAF`] before the node is expanded,
    /// [`CLAIMED`] while it is.
    first: AtomicU32,
    /// Index of the parent; while the tree is compacted the new one, marked.
    parent: AtomicU32,
    /// How many children there are.
    count: AtomicU16,
    /// What is known for sure.
    status: AtomicU16,
    /// See [`Edge::prior`]; the bits of the number.
    prior: AtomicU32,
    /// What the move is worth by evaluation alone, see [`Edge::value`]: of the position itself
    /// while it is a leaf, else the best its children leave.
    value: AtomicI32,
}

/// The most children a node has; of more moves those that capture least are left out. Only
/// positions made up for it have as many.
pub(super) const MAX_CHILDREN: usize = 4096;

/// The index of the root.
pub(super) const ROOT: usize = 0;

/// In place of the first child: there is none. The root is nobody's child.
const LEAF: u32 = 0;

/// In place of the first child: a thread is about to bring them.
const CLAIMED: u32 = u32::MAX;

/// Marks the parent of a node that is kept by [`Tree::keep`].
const KEPT: u32 = 1 << 31;

/// Every node there is. Invariant: the root comes first, the children of a node side by side and
/// behind it, and there are never more nodes than `capacity`.
#[derive(Debug)]
pub(super) struct Tree {
    /// The nodes, those in use first.
    nodes: Vec<Node>,
    /// How many are in use; while threads grow the tree, perhaps more than there are.
    used: AtomicUsize,
    capacity: usize,
    /// Whether memory was refused since it was last asked.
    refused: bool,
    /// Nodes for which there is memory, in place of what the system has.
    #[cfg(test)]
    pub(super) memory: Option<usize>,
}

/// Fewer nodes than these are not worth asking for.
const LEAST_GROWTH: usize = 64;

/// What became of an attempt to give a node children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expansion {
    /// It has them.
    Done,
    /// Another thread is at it.
    Claimed,
    /// There is no room for them; see [`Tree::grow`].
    NoRoom,
}

impl Node {
    /// Makes it one that has just come into being; only for who has claimed it.
    fn begin(&self, edge: &Edge, parent: u32) {
        self.effect.store(edge.effect.pack(), Relaxed);
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
        Effect::unpack(self.effect.load(Relaxed))
    }

    /// See [`Edge::prior`].
    #[inline]
    pub(super) fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Relaxed))
    }

    /// What the move that led here is worth to who plays it by evaluation alone, in thousandths of
    /// a win.
    #[inline]
    pub(super) fn value(&self) -> i32 {
        self.value.load(Relaxed)
    }

    /// Says what it is worth.
    #[inline]
    pub(super) fn set_value(&self, value: i32) {
        self.value.store(value, Relaxed);
    }

    /// How many playouts went through here, those still under way included.
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The results added up, from the view of who played the move.
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

    /// What is known for sure.
    #[inline]
    pub(super) fn status(&self) -> ProofStatus {
        ProofStatus::unpack(self.status.load(Relaxed))
    }

    /// Says what is known for sure.
    pub(super) fn set_status(&self, status: ProofStatus) {
        self.status.store(status.pack(), Relaxed);
    }

    /// Whether nothing is known for sure.
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
    /// A tree without a root that will take at most so many bytes; none are taken yet.
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

    /// Forgets everything and begins with a root whose children are these, at most
    /// [`MAX_CHILDREN`]. `false` when there is no memory for twice as many nodes: then there is no
    /// root.
    #[must_use]
    pub(super) fn insert(&mut self, edges: &[Edge]) -> bool {
        self.clear();
        // With room left, what is dropped to make more of it is never the root's children.
        let needed = 2 * (1 + edges.len());
        while self.nodes.len() < needed && self.grow() {}
        if self.nodes.len() < needed {
            return false;
        }
        self.nodes[ROOT].begin(&edges[0], 0);
        *self.used.get_mut() = 1;
        self.expand(ROOT, edges);
        true
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self.used.get_mut() = 0;
    }

    /// Whether there is no root.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The most nodes.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// Takes more memory, twice as much each time, or less where there is not as much; `false` when
    /// there is no more to be had.
    pub(super) fn grow(&mut self) -> bool {
        let had = self.nodes.len();
        let room = (had * 2).clamp((2 * MAX_CHILDREN).min(self.capacity), self.capacity);
        let mut more = room - had;
        while more > 0 && !self.reserve(more) {
            self.refused = true;
            more = if more > LEAST_GROWTH { more / 2 } else { 0 };
        }
        if more == 0 {
            // A tree that has nothing yet may ask again for the next move.
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

    /// Whether memory has been refused since this was last asked.
    pub(super) fn was_refused(&mut self) -> bool {
        std::mem::take(&mut self.refused)
    }

    /// Whether it should grow before so many nodes are expanded at once. Asked before each, so that
    /// what is found does not depend on when memory was taken.
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

    /// Gives a node without children these, at least one and at most [`MAX_CHILDREN`].
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
    /// Keeps a node, which becomes the root, and what hangs on it; of nodes with fewer visits than
    /// `least`, the root aside, the children go. The order of nodes stays, so everything moves
    /// towards the front and no second arena is needed.
    pub(super) fn keep(&mut self, root: usize, least: u32) {
        let mut end = 0;
        for index in root..self.len() {
            let mut node = std::mem::take(&mut self.nodes[index]);
            if index != root {
                let parent = node.parent.get_mut();
                if *parent & KEPT == 0 {
                    continue;
                }
                *parent &= !KEPT;
                // The parent has moved already; its first child tells it where to.
                let moved = self.nodes[*parent as usize].first.get_mut();
                if *moved as usize == index {
                    *moved = end as u32;
                }
                if *node.visits.get_mut() < least {
                    *node.first.get_mut() = LEAF;
                }
            }
            for child in node.children() {
                *self.nodes[child].parent.get_mut() = end as u32 | KEPT;
            }
            self.nodes[end] = node;
            end += 1;
        }
        *self.used.get_mut() = end;
        *self.nodes[ROOT].parent.get_mut() = 0;
    }

    /// Makes room: drops the children of the nodes visited least until a quarter of the tree is
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
    use fanorona_protocol::rules::{Ruleset, Start};

    #[test]
    fn a_node_takes_no_more_than_it_must() {
        assert_eq!(size_of::<Node>(), 40);
    }

    fn edges(count: usize) -> Vec<Edge> {
        let all = Start::TSIVY.riatra().effects(&Ruleset::default());
        let all = all.into_iter().map(|effect| Edge { effect, prior: 0.0, value: 0 });
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
    fn where_memory_is_short_the_tree_is_smaller() {
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
    fn children_of_little_visited_nodes_go() {
        for (least, expected) in
            [(3, "9[5[3[1 1] 1] 4[2 1 0]]"), (5, "9[5[3 1] 4]"), (100, "9[5 4]")]
        {
            let mut tree = tree();
            tree.keep(ROOT, least);
            assert_eq!(drawn(&tree, ROOT), expected);
        }
    }
}
