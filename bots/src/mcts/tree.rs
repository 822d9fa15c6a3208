//! The tree in its arena: nodes in one vector, children side by side, parents before children.

use std::num::NonZeroU32;

use fanorona_protocol::rules::Effect;

/// What is known for sure of a node, from the view of its side to move; plies are at most as many
/// as said (a longer win than 255 plies is called one of 255).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing.
    Open,
    /// The game ends here, drawn.
    Drawn,
    /// Won in so many plies.
    Win(u8),
    /// Lost in so many plies.
    Loss(u8),
}

/// A position reached by the turns from the root to here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The turn that led here; means nothing in the root.
    pub(super) effect: Effect,
    /// Results of all playouts through here, added up, from the view of who played the turn.
    pub(super) sum: i64,
    /// How many playouts went through here.
    pub(super) visits: u32,
    /// Index of the first child; the others follow. `None` before the node is expanded.
    first: Option<NonZeroU32>,
    /// Index of the parent; while the tree is compacted the new one, marked.
    parent: u32,
    /// How many children there are.
    count: u16,
    /// What is known for sure.
    pub(super) verdict: Verdict,
}

/// The most children a node has; of more turns those that capture least are left out. Only
/// positions made up for it have as many.
pub(super) const MAX_CHILDREN: usize = 4096;

/// The index of the root.
pub(super) const ROOT: usize = 0;

/// Marks the parent of a node that is kept by [`Tree::keep`].
const KEPT: u32 = 1 << 31;

/// Every node there is. Invariant: the root comes first, the children of a node side by side and
/// behind it, and there are never more nodes than `capacity`.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    capacity: usize,
}

impl Node {
    fn new(effect: Effect, parent: u32) -> Node {
        Node { effect, sum: 0, visits: 0, first: None, parent, count: 0, verdict: Verdict::Open }
    }

    /// The mean result from the view of who played the turn; at least one visit.
    pub(super) fn mean(&self) -> f32 {
        self.sum as f32 / self.visits as f32
    }

    /// Whether the node has children.
    pub(super) fn is_expanded(&self) -> bool {
        self.first.is_some()
    }

    /// The indices of the children.
    pub(super) fn children(&self) -> std::ops::Range<usize> {
        let first = self.first.map_or(0, |first| first.get() as usize);
        first..first + self.count as usize
    }
}

impl Tree {
    /// A tree without a root that will take at most so many bytes; none are taken yet.
    pub(super) fn new(bytes: usize) -> Tree {
        let capacity = (bytes / size_of::<Node>()).min(KEPT as usize - 1);
        Tree { nodes: Vec::new(), capacity }
    }

    /// Forgets everything and begins with a root whose children are the effects.
    pub(super) fn plant(&mut self, effects: &[Effect]) {
        self.nodes.clear();
        self.nodes.push(Node::new(effects[0], 0));
        self.expand(ROOT, effects);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
    }

    /// Whether there is no root.
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The most nodes.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether a node with [`MAX_CHILDREN`] may not find room for them. While the tree may grow it
    /// takes more memory, twice as much each time; when there is none to be had, it is full.
    pub(super) fn is_full(&mut self) -> bool {
        let needed = self.nodes.len() + MAX_CHILDREN;
        if needed > self.nodes.capacity() && needed <= self.capacity {
            let room = (self.nodes.capacity() * 2).clamp(needed, self.capacity);
            if self.nodes.try_reserve_exact(room - self.nodes.len()).is_err() {
                self.capacity = self.nodes.capacity();
            }
        }
        needed > self.capacity
    }

    /// A node.
    #[inline]
    pub(super) fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    /// A node to be changed.
    #[inline]
    pub(super) fn node_mut(&mut self, index: usize) -> &mut Node {
        &mut self.nodes[index]
    }

    /// The children of a node.
    #[inline]
    pub(super) fn children(&self, index: usize) -> &[Node] {
        &self.nodes[self.nodes[index].children()]
    }

    /// Gives a node without children those of the effects, at least one and at most
    /// [`MAX_CHILDREN`]. The tree must not be full.
    pub(super) fn expand(&mut self, index: usize, effects: &[Effect]) {
        let (first, count) = (self.nodes.len(), effects.len());
        debug_assert!(!self.nodes[index].is_expanded() && (1..=MAX_CHILDREN).contains(&count));
        debug_assert!(first + count <= self.capacity);
        self.nodes.extend(effects.iter().map(|&effect| Node::new(effect, index as u32)));
        self.nodes[index].first = NonZeroU32::new(first as u32);
        self.nodes[index].count = count as u16;
    }

    /// Keeps a node, which becomes the root, and what hangs on it; of nodes with fewer visits than
    /// `least`, the root aside, the children go. The order of nodes stays, so everything moves
    /// towards the front and no second arena is needed.
    pub(super) fn keep(&mut self, root: usize, least: u32) {
        let mut end = 0;
        for index in root..self.nodes.len() {
            let mut node = self.nodes[index];
            if index != root {
                if node.parent & KEPT == 0 {
                    continue;
                }
                node.parent &= !KEPT;
                let parent = &mut self.nodes[node.parent as usize];
                // The parent has moved already; its first child tells it where to.
                if parent.first.is_some_and(|first| first.get() as usize == index) {
                    parent.first = NonZeroU32::new(end as u32);
                }
            }
            if index != root && node.visits < least {
                (node.first, node.count) = (None, 0);
            }
            for child in node.children() {
                self.nodes[child].parent = end as u32 | KEPT;
            }
            self.nodes[end] = node;
            end += 1;
        }
        self.nodes.truncate(end);
        self.nodes[ROOT].parent = 0;
    }

    /// Makes room: drops the children of the nodes visited least until a quarter of the tree is
    /// free.
    pub(super) fn recycle(&mut self) {
        let mut least = 2;
        while self.nodes.len() > self.capacity / 4 * 3 {
            self.keep(ROOT, least);
            least = least.saturating_mul(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{Position, Ruleset, Start};

    #[test]
    fn a_node_takes_no_more_than_it_must() {
        assert_eq!(size_of::<Node>(), 40);
    }

    fn effects(count: usize) -> Vec<Effect> {
        let mut all = Vec::new();
        let start: Position = Start::TSIVY.riatra();
        start.visit_effects(&Ruleset::default(), |effect| all.push(effect));
        all.into_iter().cycle().take(count).collect()
    }

    /// The tree drawn: visits of a node, then its children in brackets.
    fn drawn(tree: &Tree, index: usize) -> String {
        let node = tree.node(index);
        let children: Vec<_> = node.children().map(|child| drawn(tree, child)).collect();
        let visits = node.visits;
        if children.is_empty() {
            visits.to_string()
        } else {
            format!("{visits}[{}]", children.join(" "))
        }
    }

    /// `9[5[3[1 1] 1] 4[2[1 0] 1 0]]`, grown in an order unlike that of its nodes.
    fn tree() -> Tree {
        let mut tree = Tree::new(1 << 20);
        tree.plant(&effects(2));
        tree.expand(2, &effects(3));
        tree.expand(1, &effects(2));
        tree.expand(3, &effects(2));
        tree.expand(6, &effects(2));
        let visits = [9, 5, 4, 2, 1, 0, 3, 1, 1, 0, 1, 1];
        for (index, visits) in visits.into_iter().enumerate() {
            tree.node_mut(index).visits = visits;
        }
        assert_eq!(drawn(&tree, ROOT), "9[5[3[1 1] 1] 4[2[1 0] 1 0]]");
        tree
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
