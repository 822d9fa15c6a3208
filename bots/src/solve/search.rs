//! Depth-first proof-number search (df-pn: Nagai 2002) for whether the attacker can force a win.
//!
//! At a node where the attacker is to move one child has to be proven, at any other node all of
//! them. The search goes to the child that decides with the least work, as proof and disproof
//! numbers tell it, and stays below until these pass limits at which another child looks better,
//! by a margin (Pawlewicz and Lew 2007: 1 + ε), so that it does not go to and fro.
//!
//! *Cycles.* A child that is a node of the path already is no progress of the attacker: here, on
//! this path, it is disproven. A proof never rests on that. A disproof may, and then it may be
//! wrong elsewhere (the graph-history-interaction problem), because the node of the path that it
//! came back to may still be proven. Nothing believes a disproof therefore until it has been taken
//! apart ([`hold`](super::hold)), where what is wrong comes to light as a proof.
//!
//! *Sums.* The numbers of a node's children are not added up, since in a game with so many
//! transpositions the same work would count many times: the largest counts, and one for each other
//! open child (weak proof-number search: Ueda and others 2008).

use std::sync::atomic::{AtomicBool, Ordering};

use super::game::{Node, Question};
use super::table::{Entry, NEVER, Numbers, Table};

/// A child is left when its number is a quarter larger than that of the next best one.
const MARGIN: u32 = 4;

/// What the side with fewer stones is behind for each stone, and at most, when nobody has looked
/// any closer.
const PER_STONE: u32 = 4;
const MOST_BEHIND: u32 = 40;

/// The numbers of a node that nobody has been at: the side with more stones is nearer to its goal.
fn guess(node: &Node) -> Entry {
    let (attacker, other) = node.sides();
    let (attacker, other) = (attacker.count_ones(), other.count_ones());
    let behind =
        |own: u32, enemy: u32| 1 + (PER_STONE * enemy.saturating_sub(own)).min(MOST_BEHIND);
    let (proof, disproof) = (behind(attacker, other), behind(other, attacker));
    Entry { numbers: Numbers { proof, disproof }, rank: 0 }
}

/// A node of the path.
struct Frame {
    node: Node,
    /// Where its children begin.
    first: usize,
    /// The child that the next frame is of.
    chosen: usize,
    /// The numbers at which it is left.
    limits: Numbers,
    /// How many nodes had been looked at before it.
    before: u64,
}

/// A child of a frame with what is known of it.
#[derive(Clone, Copy)]
struct Child {
    node: Node,
    entry: Entry,
}

/// A search for the answer to one question, and what it remembers.
pub(super) struct Search<'g> {
    pub(super) question: Question<'g>,
    pub(super) table: Table,
    /// How many nodes have been looked at.
    pub(super) nodes: u64,
    path: Vec<Frame>,
    /// The children of all frames of the path.
    children: Vec<Child>,
    found: Vec<Node>,
}

impl<'g> Search<'g> {
    /// A search that has not begun, with a table of so many bytes.
    pub(super) fn new(question: Question<'g>, memory: u64) -> Search<'g> {
        Search {
            question,
            table: Table::new(memory),
            nodes: 0,
            path: Vec::new(),
            children: Vec::new(),
            found: Vec::new(),
        }
    }

    /// What is known of a node without a search.
    #[inline]
    pub(super) fn look_up(&self, node: &Node) -> Entry {
        match self.question.known(node) {
            Some(yes) => Entry { numbers: Numbers::of_answer(yes), rank: 0 },
            None => self.table.get(node).unwrap_or_else(|| guess(node)),
        }
    }

    /// Looks for the answer at a node until as many nodes as `until` have been looked at since the
    /// search began, or somebody says stop; then the numbers are those of an open node.
    pub(super) fn solve(&mut self, root: &Node, until: u64, stop: &AtomicBool) -> Numbers {
        let known = self.look_up(root);
        if known.numbers.answer().is_some() {
            return known.numbers;
        }
        debug_assert!(self.path.is_empty() && self.children.is_empty());
        let never = Numbers { proof: NEVER, disproof: NEVER };
        let mut left = self.enter(*root, never);
        loop {
            let last = self.nodes >= until || stop.load(Ordering::Relaxed);
            if let Some(entry) = left.take().or_else(|| if last { self.leave(true) } else { None })
            {
                // The frame on top is the parent, or the root has been left.
                let Some(parent) = self.path.last() else { return entry.numbers };
                self.children[parent.first + parent.chosen].entry = entry;
                continue;
            }
            left = self.leave(false).or_else(|| self.descend());
        }
    }

    /// Goes to a node; what there is to say of it if that has an end at once.
    fn enter(&mut self, node: Node, limits: Numbers) -> Option<Entry> {
        self.nodes += 1;
        let mut found = std::mem::take(&mut self.found);
        let expanded = self.question.expand(&node, &mut found);
        let entry = match expanded {
            Err(won) => {
                let entry = Entry { numbers: Numbers::of_answer(won), rank: 0 };
                self.table.put(&node, &entry, 1);
                Some(entry)
            }
            Ok(()) => {
                let (first, before) = (self.children.len(), self.nodes - 1);
                self.path.push(Frame { node, first, chosen: 0, limits, before });
                for &node in &found {
                    let mut entry = self.look_up(&node);
                    if entry.numbers.answer().is_none() && self.is_on_path(&node) {
                        entry.numbers = Numbers::DISPROVEN;
                    }
                    self.children.push(Child { node, entry });
                }
                None
            }
        };
        self.found = found;
        entry
    }

    /// Whether a node is of the path. A capture is for good, so that only the frames with as many
    /// stones matter.
    fn is_on_path(&self, node: &Node) -> bool {
        let stones = node.stones();
        let frames = self.path.iter().rev().take_while(|frame| frame.node.stones() == stones);
        frames.into_iter().any(|frame| frame.node == *node)
    }

    /// Leaves the last node of the path if its numbers have reached the limits, or in any case;
    /// what there is to say of it.
    fn leave(&mut self, anyway: bool) -> Option<Entry> {
        let frame = self.path.last().expect("the search is somewhere");
        let entry = entry_of(&self.children[frame.first..], frame.node.attacks);
        let Numbers { proof, disproof } = entry.numbers;
        if !anyway && proof < frame.limits.proof && disproof < frame.limits.disproof {
            return None;
        }
        let frame = self.path.pop().expect("the search is somewhere");
        self.children.truncate(frame.first);
        self.table.put(&frame.node, &entry, self.nodes - frame.before);
        Some(entry)
    }

    /// Goes to the child of the last node that looks best.
    fn descend(&mut self) -> Option<Entry> {
        let frame = self.path.last_mut().expect("the search is somewhere");
        let children = &self.children[frame.first..];
        // Where the other side is to move, proof and disproof change their places.
        let swap = |n: Numbers| match frame.node.attacks {
            true => n,
            false => Numbers { proof: n.disproof, disproof: n.proof },
        };
        let (mut best, mut second, mut open) = (0, NEVER, 0u32);
        for (place, child) in children.iter().enumerate() {
            let numbers = swap(child.entry.numbers);
            let least = swap(children[best].entry.numbers);
            open += u32::from(numbers.proof != NEVER);
            if place == 0 {
                continue;
            }
            if (numbers.proof, numbers.disproof) < (least.proof, least.disproof) {
                second = second.min(least.proof);
                best = place;
            } else {
                second = second.min(numbers.proof);
            }
        }
        let limits = swap(frame.limits);
        let margin = second.saturating_add((second / MARGIN).max(1));
        let below = Numbers {
            proof: limits.proof.min(margin),
            disproof: if limits.disproof == NEVER { NEVER } else { limits.disproof - (open - 1) },
        };
        frame.chosen = best;
        let (below, node) = (swap(below), children[best].node);
        // It may have been found out on another path since the parent looked at it.
        let known = self.table.get(&node);
        let passes = |n: Numbers| n.proof >= below.proof || n.disproof >= below.disproof;
        known.filter(|entry| passes(entry.numbers)).or_else(|| self.enter(node, below))
    }
}

/// What follows for a node from its children.
fn entry_of(children: &[Child], attacks: bool) -> Entry {
    let (mut least, mut largest, mut open) = (NEVER, 0u32, 0u32);
    let (mut shortest, mut longest) = (NEVER, 0);
    for Child { entry, .. } in children {
        let (one, all) = match attacks {
            true => (entry.numbers.proof, entry.numbers.disproof),
            false => (entry.numbers.disproof, entry.numbers.proof),
        };
        least = least.min(one);
        largest = largest.max(all);
        open += u32::from(all != 0);
        if entry.numbers.proof == 0 {
            shortest = shortest.min(entry.rank);
            longest = longest.max(entry.rank);
        }
    }
    let all = match (largest, open) {
        // Whoever needs one child has it; or whoever needs all.
        _ if least == 0 => NEVER,
        (0, _) => 0,
        _ => largest.saturating_add(open - 1).min(NEVER - 1),
    };
    // Whoever needs one child has none left.
    let least = if all == 0 { NEVER } else { least };
    let numbers = match attacks {
        true => Numbers { proof: least, disproof: all },
        false => Numbers { proof: all, disproof: least },
    };
    let rank = match (numbers.proof, attacks) {
        (0, true) => shortest.saturating_add(1),
        (0, false) => longest.saturating_add(1),
        _ => 0,
    };
    Entry { numbers, rank }
}
