//! Collecting a disproof: a set of positions from which the defender, the side other than the
//! attacker, never has to lose.
//!
//! The set is closed: where the attacker is to move, every move leads into it or to an ending that
//! the attacker does not win; where the defender is, one move does. Staying in the set forever is
//! at least a draw, no matter how the search found it.
//!
//! The set grows from the start along moves to nodes with an unconditional disproof. Nodes that the
//! table has forgotten are searched again, after everything else, because by then they may be in
//! the set already. Members stay in the search's table, so that a new start with that table does
//! not search for them again.

use std::collections::HashSet;

use super::game::Node;
use super::parallel_search::ParallelSearch;
use super::search::Bounds;
use super::table::{Entry, NEVER, NodeTable, Numbers};

/// The state of a disproof.
pub(super) enum DisproofState {
    /// The set is not closed yet.
    Open,
    /// The disproof holds: a closed set that contains the start.
    Closed(Vec<Node>),
    /// The disproof was wrong: the attacker wins, and the table knows it now.
    Refuted,
}

/// A disproof that is being collected.
pub(super) struct DisproofSet {
    root: Node,
    members: HashSet<Node>,
    /// Members to be expanded.
    waiting: Vec<Node>,
    /// Members that need a search.
    open: Vec<Node>,
}

/// The lowest bit of a member's state in a file.
const STATE: u32 = 91;

/// The status of a member.
enum MemberStatus {
    /// It belongs to the set, together with these nodes.
    With(Vec<Node>),
    /// It needs a search, or a longer one.
    Open,
    /// It cannot belong to the set: the attacker wins.
    Won,
}

impl DisproofSet {
    /// The disproof of a node that the search believes to be disproven.
    pub(super) fn new(root: Node) -> DisproofSet {
        DisproofSet { root, members: HashSet::from([root]), waiting: vec![root], open: Vec::new() }
    }

    /// The number of positions in the set so far.
    pub(super) fn positions(&self) -> u64 {
        self.members.len() as u64
    }

    /// The set as bytes, to go on with another time: 16 for each member, with its state above the
    /// node.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let bytes =
            |(node, state): (Node, u8)| (node.to_bits() | u128::from(state) << STATE).to_le_bytes();
        self.states().into_iter().flat_map(bytes).collect()
    }

    /// The members with their states: 0 expanded, 1 to be expanded, 2 to be searched. Expanded
    /// members are sorted, and the others keep the order of their stacks, because a resumed run
    /// must not depend on the random order of the hash set.
    fn states(&self) -> Vec<(Node, u8)> {
        let left: HashSet<&Node> = self.waiting.iter().chain(&self.open).collect();
        let expanded = self.members.iter().filter(|node| !left.contains(node));
        let mut states: Vec<_> = expanded.map(|node| (*node, 0)).collect();
        states.sort_unstable();
        states.extend(self.waiting.iter().map(|node| (*node, 1)));
        states.extend(self.open.iter().map(|node| (*node, 2)));
        states
    }

    /// The set of [`DisproofSet::to_bytes`]. `None` if the bytes are of nothing like it.
    pub(super) fn from_bytes(root: Node, bytes: &[u8]) -> Option<DisproofSet> {
        let mut set = DisproofSet { waiting: Vec::new(), ..DisproofSet::new(root) };
        for bytes in bytes.chunks(16) {
            let bits = u128::from_le_bytes(bytes.try_into().ok()?);
            let node = Node::from_bits(bits);
            set.members.insert(node);
            match bits >> STATE {
                0 => {}
                1 => set.waiting.push(node),
                2 => set.open.push(node),
                _ => return None,
            }
        }
        Some(set)
    }

    /// Puts the members into the table, where a save may have left them out.
    pub(super) fn restore(&self, search: &ParallelSearch<'_>) {
        let disproven = Entry::new(Numbers::DISPROVEN);
        for (node, _) in self.states() {
            if node != self.root {
                search.table.set(&node, &disproven, NodeTable::TO_STAY);
            }
        }
    }

    /// Continues within the bounds of the search.
    pub(super) fn advance(
        &mut self,
        search: &mut ParallelSearch<'_>,
        mut bounds: Bounds<'_>,
    ) -> DisproofState {
        while !search.is_at(bounds) {
            let (node, status) = if let Some(node) = self.waiting.pop() {
                // Each expanded member counts as a searched node.
                bounds.until -= 1;
                (node, self.look_at(&node, search, None))
            } else if let Some(node) = self.open.pop() {
                (node, self.look_at(&node, search, Some(bounds)))
            } else {
                return DisproofState::Closed(self.members.drain().collect());
            };
            match status {
                MemberStatus::With(children) => {
                    for child in children {
                        if self.members.insert(child) {
                            let disproven = Entry::new(Numbers::DISPROVEN);
                            search.table.set(&child, &disproven, NodeTable::TO_STAY);
                            self.waiting.push(child);
                        }
                    }
                }
                MemberStatus::Open => self.open.push(node),
                // The search was wrong, because two conditions had the same hash. Correct the entry
                // and everything that follows from it.
                MemberStatus::Won => {
                    search.table.set(&node, &WON, 1);
                    if node == self.root {
                        return DisproofState::Refuted;
                    }
                    *self = DisproofSet::new(self.root);
                }
            }
        }
        DisproofState::Open
    }

    /// The status of a member, with a search if bounds are given.
    fn look_at(
        &self,
        node: &Node,
        search: &mut ParallelSearch<'_>,
        bounds: Option<Bounds<'_>>,
    ) -> MemberStatus {
        let mut children = Vec::new();
        if let Err(won) = search.goal.expand(node, &mut children) {
            return if won { MemberStatus::Won } else { MemberStatus::With(children) };
        }
        if node.attacks {
            self.all_of(children, search, bounds)
        } else {
            self.one_of(node, children, search, bounds)
        }
    }

    /// The status where the attacker is to move to any of these nodes.
    fn all_of(
        &self,
        mut children: Vec<Node>,
        search: &mut ParallelSearch<'_>,
        bounds: Option<Bounds<'_>>,
    ) -> MemberStatus {
        if children.iter().any(|child| search.goal.known(child) == Some(true)) {
            return MemberStatus::Won;
        }
        children.retain(|child| search.goal.known(child).is_none());
        for child in &children {
            if self.members.contains(child) {
                continue;
            }
            match answer(child, search, bounds) {
                Some(true) => return MemberStatus::Won,
                Some(false) => {}
                None => return MemberStatus::Open,
            }
        }
        MemberStatus::With(children)
    }

    /// The status where the defender is to move; prefers moves that do not enlarge the set.
    fn one_of(
        &self,
        node: &Node,
        mut children: Vec<Node>,
        search: &mut ParallelSearch<'_>,
        bounds: Option<Bounds<'_>>,
    ) -> MemberStatus {
        if children.iter().any(|child| search.goal.known(child) == Some(false)) {
            return MemberStatus::With(Vec::new());
        }
        children.retain(|child| search.goal.known(child).is_none());
        if children.iter().any(|child| self.members.contains(child)) {
            return MemberStatus::With(Vec::new());
        }
        let disproven = |search: &ParallelSearch<'_>| {
            children.iter().find(|child| search.answer(child) == Some(false)).copied()
        };
        if let Some(child) = disproven(search) {
            return MemberStatus::With(vec![child]);
        }
        let Some(bounds) = bounds else { return MemberStatus::Open };
        // Let the search choose: solve the node itself, as if it were new.
        if search.answer(node) == Some(false) {
            search.table.set(node, &Entry::new(Numbers::NEW), 1);
        }
        match search.solve(node, bounds).answer() {
            Some(true) => return MemberStatus::Won,
            Some(false) => {}
            None => return MemberStatus::Open,
        }
        if let Some(child) = disproven(search) {
            return MemberStatus::With(vec![child]);
        }
        // The table had no room for the child.
        for child in &children {
            match search.solve(child, bounds).answer() {
                Some(true) => {}
                Some(false) => return MemberStatus::With(vec![*child]),
                None => return MemberStatus::Open,
            }
        }
        MemberStatus::Won
    }
}

/// Whether the attacker wins at a node that tables do not know, with a search if bounds are given.
fn answer(
    node: &Node,
    search: &mut ParallelSearch<'_>,
    bounds: Option<Bounds<'_>>,
) -> Option<bool> {
    let known = search.answer(node);
    known.or_else(|| bounds.and_then(|bounds| search.solve(node, bounds).answer()))
}

/// The entry of a node that was found to be won without a search, so that its rank is unknown.
pub(super) const WON: Entry = Entry { numbers: Numbers::PROVEN, rank: NEVER / 2, condition: 0 };
