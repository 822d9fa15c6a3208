//! Collecting a proof: a set of positions from which the attacker wins, each with a rank.
//!
//! A rank is the maximum number of plies left in the proof. Where the attacker is to move, one move
//! leads to a smaller rank or to a won ending; where the other side is, every move does. So ranks
//! decrease, and no cycle is possible.
//!
//! The search has forgotten which move proved a position, and a proven move may be proven only by a
//! detour through the position itself. So ranks are computed anew inside the set, from the endings
//! upwards (the least fixpoint).

use std::collections::HashMap;

use super::disproof::{DisproofSet, DisproofState, WON};
use super::game::Node;
use super::parallel_search::ParallelSearch;
use super::search::Bounds;
use super::table::{Entry, NodeTable, Numbers};

/// The state of a proof.
pub(super) enum ProofState {
    /// The proof is not complete yet.
    Open,
    /// The positions with their ranks, including the start.
    Ranked(Vec<(Node, u32)>),
}

/// A position of the proof.
struct Member {
    node: Node,
    parents: Vec<u32>,
    children: Vec<u32>,
    /// An ending that the attacker wins is one move away.
    ends: bool,
    /// Whether all children that the table knows to be proven have been added; at first one is
    /// enough where the attacker is to move.
    complete: bool,
    rank: Option<u32>,
}

/// The initial number of nodes for a child that the table has forgotten.
const LEAST_EFFORT: u64 = 1000;

/// A proof that is being collected.
pub(super) struct ProofSet {
    members: Vec<Member>,
    places: HashMap<Node, u32>,
    /// Members to be expanded.
    waiting: Vec<u32>,
    /// The maximum number of nodes for finding out whether a child unknown to the table is proven.
    effort: u64,
}

/// The lowest bits of a member's flags and of the number of its children in a file.
const FLAGS: u32 = 91;
const CHILDREN: u32 = 96;

/// The first bytes, which are removed.
pub(super) fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

/// The search was stopped or has reached its node limit.
struct SearchStopped;

impl ProofSet {
    /// The proof of a node that the search has proven.
    pub(super) fn new(root: Node) -> ProofSet {
        let (members, places, waiting) = (Vec::new(), HashMap::new(), Vec::new());
        let mut win = ProofSet { members, places, waiting, effort: 0 };
        win.place(&root);
        win
    }

    /// The number of positions found so far.
    pub(super) fn positions(&self) -> u64 {
        self.members.len() as u64
    }

    /// The set as bytes, to go on with another time: 8 for the effort; then for each member 16 for
    /// its node with its flags and the number of children above it, and 4 for each child's place.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut waits = vec![false; self.members.len()];
        self.waiting.iter().for_each(|&place| waits[place as usize] = true);
        let mut bytes = self.effort.to_le_bytes().to_vec();
        for (member, waits) in self.members.iter().zip(waits) {
            let flags = [member.ends, member.complete, waits];
            let flags = (0..).zip(flags).map(|(bit, set)| u128::from(set) << (FLAGS + bit));
            let bits = flags.sum::<u128>() | (member.children.len() as u128) << CHILDREN;
            bytes.extend((member.node.to_bits() | bits).to_le_bytes());
            bytes.extend(member.children.iter().flat_map(|child| child.to_le_bytes()));
        }
        bytes
    }

    /// The set of [`ProofSet::to_bytes`]. `None` if the bytes are of nothing like it.
    pub(super) fn from_bytes(mut bytes: &[u8]) -> Option<ProofSet> {
        let (members, places, waiting) = (Vec::new(), HashMap::new(), Vec::new());
        let effort = u64::from_le_bytes(take(&mut bytes)?);
        let mut set = ProofSet { members, places, waiting, effort };
        while !bytes.is_empty() {
            let bits = u128::from_le_bytes(take(&mut bytes)?);
            let place = set.place(&Node::from_bits(bits));
            let is = |bit: u32| bits >> (FLAGS + bit) & 1 == 1;
            if !is(2) {
                set.waiting.pop();
            }
            let member = &mut set.members[place as usize];
            (member.ends, member.complete) = (is(0), is(1));
            for _ in 0..bits >> CHILDREN {
                member.children.push(u32::from_le_bytes(take(&mut bytes)?));
            }
        }
        for place in 0..set.members.len() {
            for child in set.members[place].children.clone() {
                set.members.get_mut(child as usize)?.parents.push(place as u32);
            }
        }
        (!set.members.is_empty()).then_some(set)
    }

    /// Puts the members into the table, where a save may have left them out.
    pub(super) fn restore(&self, search: &ParallelSearch<'_>) {
        for Member { node, .. } in &self.members {
            let entry = search.table.get(node).filter(|entry| entry.numbers == Numbers::PROVEN);
            search.table.set(node, &entry.unwrap_or(WON), NodeTable::TO_STAY);
        }
    }

    /// Continues within the bounds of the search.
    pub(super) fn advance(
        &mut self,
        search: &mut ParallelSearch<'_>,
        mut bounds: Bounds<'_>,
    ) -> ProofState {
        while let Some(place) = self.waiting.pop() {
            if search.is_at(bounds) || self.gather(place, search, bounds).is_err() {
                self.waiting.push(place);
                return ProofState::Open;
            }
            // Each expanded member counts as a searched node.
            bounds.until -= 1;
        }
        self.rank();
        if self.members[0].rank.is_some() {
            return ProofState::Ranked(self.needed());
        }
        // Members without a rank are in cycles: their recorded moves are not the ones that proved
        // them.
        let circles = |member: &Member| member.rank.is_none() && member.node.attacks;
        let waits = |all: bool| {
            let members = (0..).zip(&self.members);
            let waiting =
                members.filter(|(_, member)| circles(member) && (all || !member.complete));
            waiting.map(|(place, _)| place).collect::<Vec<u32>>()
        };
        self.waiting = waits(false);
        if self.waiting.is_empty() {
            // The table has forgotten the moves that proved them.
            self.waiting = waits(true);
            self.effort = (4 * self.effort).max(LEAST_EFFORT);
        }
        ProofState::Open
    }

    fn place(&mut self, node: &Node) -> u32 {
        if let Some(&place) = self.places.get(node) {
            return place;
        }
        let place = self.members.len() as u32;
        self.members.push(Member {
            node: *node,
            parents: Vec::new(),
            children: Vec::new(),
            ends: false,
            complete: false,
            rank: None,
        });
        self.places.insert(*node, place);
        self.waiting.push(place);
        place
    }

    /// Adds the children of a member: all children where the other side is to move; otherwise the
    /// child that wins in the fewest plies, or all winning children if the member was expanded
    /// before.
    fn gather(
        &mut self,
        place: u32,
        search: &mut ParallelSearch<'_>,
        bounds: Bounds<'_>,
    ) -> Result<(), SearchStopped> {
        let node = self.members[place as usize].node;
        let again = !self.members[place as usize].children.is_empty();
        let mut children = Vec::new();
        if search.goal.expand(&node, &mut children).is_err() {
            // A proven end is won.
            self.members[place as usize].ends = true;
            return Ok(());
        }
        let known = |search: &ParallelSearch<'_>, child: &Node| search.goal.known(child);
        if node.attacks && children.iter().any(|child| known(search, child) == Some(true)) {
            self.members[place as usize].ends = true;
            return Ok(());
        }
        children.retain(|child| known(search, child).is_none());
        if !node.attacks {
            for child in &children {
                prove(child, search, bounds)?;
            }
            self.members[place as usize].ends = children.is_empty();
        } else if again {
            let mut proven = |child: &Node| {
                let known = search.answer(child) == Some(true);
                let forgotten = !known && self.members[place as usize].complete;
                known
                    || forgotten && {
                        let until = search.nodes + self.effort;
                        search.solve(child, bounds.with_nodes(until)).answer() == Some(true)
                    }
            };
            children.retain(&mut proven);
            if bounds.are_flagged() {
                return Err(SearchStopped);
            }
            self.members[place as usize].complete = true;
        } else {
            children = vec![best(&node, &children, search, bounds)?];
        }
        for child in children {
            // The entry stays in the table, so that a new start does not have to search for it
            // again.
            let entry = search.table.get(&child).filter(|entry| entry.numbers == Numbers::PROVEN);
            search.table.set(&child, &entry.unwrap_or(WON), NodeTable::TO_STAY);
            let child = self.place(&child);
            if !self.members[place as usize].children.contains(&child) {
                self.members[place as usize].children.push(child);
                self.members[child as usize].parents.push(place);
            }
        }
        Ok(())
    }

    /// Computes the ranks of all members from the endings upwards, the smallest first.
    fn rank(&mut self) {
        let mut open: Vec<u32> = Vec::with_capacity(self.members.len());
        let mut now: Vec<u32> = Vec::new();
        for (place, member) in self.members.iter_mut().enumerate() {
            member.rank = None;
            open.push(if member.node.attacks { 1 } else { member.children.len() as u32 });
            if member.ends {
                now.push(place as u32);
            }
        }
        for rank in 1.. {
            if now.is_empty() {
                return;
            }
            let mut next = Vec::new();
            for place in now {
                let member = &mut self.members[place as usize];
                if member.rank.is_some() {
                    continue;
                }
                member.rank = Some(rank);
                for &parent in &self.members[place as usize].parents {
                    let open = &mut open[parent as usize];
                    *open = open.saturating_sub(1);
                    if *open == 0 {
                        next.push(parent);
                    }
                }
            }
            now = next;
        }
    }

    /// The members that the proof of the first one needs.
    fn needed(&self) -> Vec<(Node, u32)> {
        let mut reached = vec![false; self.members.len()];
        let (mut waiting, mut nodes) = (vec![0u32], Vec::new());
        reached[0] = true;
        let rank = |place: u32| self.members[place as usize].rank;
        while let Some(place) = waiting.pop() {
            let member = &self.members[place as usize];
            nodes.push((member.node, member.rank.expect("what has a rank needs what has one")));
            if member.ends {
                continue;
            }
            let children = member.children.iter().copied();
            let needed: Vec<u32> = if member.node.attacks {
                let ranked = children.filter(|&child| rank(child).is_some());
                // Of equally short moves, prefer one to a member already reached.
                ranked
                    .min_by_key(|&child| (rank(child), !reached[child as usize]))
                    .into_iter()
                    .collect()
            } else {
                children.collect()
            };
            for child in needed {
                if !std::mem::replace(&mut reached[child as usize], true) {
                    waiting.push(child);
                }
            }
        }
        nodes
    }
}

/// The child of a proven node, with the attacker to move, that wins in the fewest plies as far as
/// the table knows.
fn best(
    node: &Node,
    children: &[Node],
    search: &mut ParallelSearch<'_>,
    bounds: Bounds<'_>,
) -> Result<Node, SearchStopped> {
    let quickest = |search: &ParallelSearch<'_>| {
        let rank = |child: &Node| Some(search.table.get(child)?.rank);
        let proven = children.iter().filter(|child| search.answer(child) == Some(true));
        proven.min_by_key(|child| (rank(child), **child)).copied()
    };
    if let Some(child) = quickest(search) {
        return Ok(child);
    }
    // The table had no room for the child.
    if search.answer(node) == Some(true) {
        search.table.set(node, &Entry::new(Numbers::NEW), 1);
    }
    prove(node, search, bounds)?;
    if let Some(child) = quickest(search) {
        return Ok(child);
    }
    for child in children {
        if search.solve(child, bounds).answer().ok_or(SearchStopped)? {
            return Ok(*child);
        }
    }
    panic!("what is proven has a child that is")
}

/// Makes sure that the table has a node as proven, which it is.
fn prove(
    node: &Node,
    search: &mut ParallelSearch<'_>,
    bounds: Bounds<'_>,
) -> Result<(), SearchStopped> {
    while !search.solve(node, bounds).answer().ok_or(SearchStopped)? {
        // The search was wrong; see `disproof`.
        match DisproofSet::new(*node).advance(search, bounds.with_nodes(u64::MAX)) {
            DisproofState::Refuted => {}
            DisproofState::Open => return Err(SearchStopped),
            DisproofState::Closed(_) => panic!("what is proven cannot be disproven"),
        }
    }
    Ok(())
}
