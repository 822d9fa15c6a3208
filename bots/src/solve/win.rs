//! Taking a proof apart: a set of positions from which the attacker wins, each with a rank.
//!
//! A rank is how many plies of the proof are left at most. Wherever the attacker is to move, one
//! turn leads to a smaller rank or to an ending that is won; wherever the other side is, every
//! turn does. So the plies run out, and no cycle is possible.
//!
//! Which turn proved a position the search has forgotten, and that all turns it knows to be proven
//! are may only be known by a detour through the position itself. So ranks are found anew, inside
//! the set, from the endings upwards: the least fixpoint.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use super::game::Node;
use super::hold::{self, Held};
use super::search::Search;
use super::table::{Entry, Numbers};

/// What has become of a proof.
pub(super) enum Won {
    /// The positions with their ranks, the start among them.
    Ranked(Vec<(Node, u32)>),
    /// Somebody said stop.
    Stopped,
}

/// A position of the proof.
struct Member {
    node: Node,
    parents: Vec<u32>,
    children: Vec<u32>,
    /// An ending the attacker wins is a turn away.
    ends: bool,
    /// Whether all children that are proven are among its own; where the attacker is to move one
    /// is enough at first.
    complete: bool,
    rank: Option<u32>,
}

struct Set<'s, 'g> {
    search: &'s mut Search<'g>,
    stop: &'s AtomicBool,
    members: Vec<Member>,
    places: HashMap<Node, u32>,
    waiting: Vec<u32>,
}

struct Stopped;

/// Takes the proof of a node apart.
pub(super) fn win(search: &mut Search<'_>, root: &Node, stop: &AtomicBool) -> Won {
    let (members, places, waiting) = (Vec::new(), HashMap::new(), Vec::new());
    let mut set = Set { search, stop, members, places, waiting };
    set.place(root);
    loop {
        if set.gather().is_err() {
            return Won::Stopped;
        }
        set.rank();
        if set.members[0].rank.is_some() {
            return Won::Ranked(set.needed());
        }
        // What has no rank runs in circles, by turns that are not the ones that proved it.
        for place in 0..set.members.len() {
            let member = &set.members[place];
            if member.rank.is_none() && member.node.attacks && !member.complete {
                set.waiting.push(place as u32);
            }
        }
        assert!(!set.waiting.is_empty(), "a proof has no circles once all its turns are there");
    }
}

impl Set<'_, '_> {
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

    /// Adds the children of all members that wait.
    fn gather(&mut self) -> Result<(), Stopped> {
        let mut children = Vec::new();
        while let Some(place) = self.waiting.pop() {
            let node = self.members[place as usize].node;
            let again = !self.members[place as usize].children.is_empty();
            if self.search.question.expand(&node, &mut children).is_err() {
                // Only won ends are proven.
                self.members[place as usize].ends = true;
                continue;
            }
            let known = |child: &Node| self.search.question.known(child);
            if node.attacks && children.iter().any(|child| known(child) == Some(true)) {
                self.members[place as usize].ends = true;
                continue;
            }
            children.retain(|child| known(child).is_none());
            if !node.attacks {
                for child in &children {
                    self.prove(child)?;
                }
                self.members[place as usize].ends = children.is_empty();
            } else {
                let proven = |search: &Search<'_>, child: &Node| {
                    let entry = search.table.get(child)?;
                    (entry.numbers == Numbers::PROVEN).then_some(entry.rank)
                };
                if !children.iter().any(|child| proven(self.search, child).is_some()) {
                    // The table had no room for them.
                    let entry = Entry { numbers: Numbers::NEW, rank: 0 };
                    self.search.table.put(&node, &entry, 1);
                    self.prove(&node)?;
                }
                if again {
                    children.retain(|child| proven(self.search, child).is_some());
                    self.members[place as usize].complete = true;
                } else {
                    let quickest = children
                        .iter()
                        .filter_map(|child| Some((proven(self.search, child)?, *child)))
                        .min();
                    children.clear();
                    children.extend(quickest.map(|(_, child)| child));
                }
            }
            let places: Vec<u32> = children.iter().map(|child| self.place(child)).collect();
            for child in places {
                if !self.members[place as usize].children.contains(&child) {
                    self.members[place as usize].children.push(child);
                    self.members[child as usize].parents.push(place);
                }
            }
        }
        Ok(())
    }

    /// Makes sure that the table knows a node as proven, which it is.
    fn prove(&mut self, node: &Node) -> Result<(), Stopped> {
        while !self.search.solve(node, u64::MAX, self.stop).answer().ok_or(Stopped)? {
            // A disproof that rests on a wrong one.
            match hold::hold(self.search, node, self.stop) {
                Held::Closed(_) => panic!("what is proven cannot be disproven"),
                Held::Refuted => {}
                Held::Stopped => return Err(Stopped),
            }
        }
        Ok(())
    }

    /// Finds the ranks of all members from the endings upwards, the smallest first.
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

    /// The members the first one needs.
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
                // Of equally short ways, one that is taken already.
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
