//! Taking a disproof apart: a set of positions from which the defender, who is not the attacker,
//! can never be made to lose.
//!
//! The set is closed: wherever the attacker is to move, every turn leads into it or to an ending
//! the attacker does not win; wherever the defender is, one turn does. To stay in it for ever is
//! to hold at least a draw, however the search came to believe in it.
//!
//! It is found from the start, a turn for every position of the defender that the search holds for
//! disproven. Where all of them fail, because the disproof rested on a cycle that was not one, the
//! position is won after all, and whatever relied on it is looked at again. So this ends with a
//! closed set or with the proof that there is none: the greatest fixpoint, as far as it matters.
//!
//! What is not known without a search waits until everything else is settled: by then it may be of
//! the set already, or of no interest, since nothing relies on it any more.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use super::game::Node;
use super::search::Search;
use super::table::{Entry, NEVER, Numbers};

/// What has become of a disproof.
pub(super) enum Held {
    /// It stands: a closed set with the start in it.
    Closed(Vec<Node>),
    /// It was wrong: the attacker wins, as the table now knows.
    Refuted,
    /// Somebody said stop.
    Stopped,
}

/// A position that is or was of the set.
struct Member {
    node: Node,
    /// Those that rely on it.
    parents: Vec<u32>,
    /// What it relies on; `None` as long as that takes a search to find out.
    relies_on: Option<Vec<u32>>,
    out: bool,
}

/// What there is to say of a member.
enum Found {
    /// It is of the set if these are.
    Relies(Vec<Node>),
    /// It cannot be of the set: the attacker wins.
    Out,
    /// To say it takes a search.
    Open,
}

struct Set<'s, 'g> {
    search: &'s mut Search<'g>,
    stop: &'s AtomicBool,
    members: Vec<Member>,
    places: HashMap<Node, u32>,
    /// Members that have to be looked at.
    waiting: Vec<u32>,
}

struct Stopped;

/// Takes the disproof of a node apart.
pub(super) fn hold(search: &mut Search<'_>, root: &Node, stop: &AtomicBool) -> Held {
    let (members, places, waiting) = (Vec::new(), HashMap::new(), Vec::new());
    let mut set = Set { search, stop, members, places, waiting };
    set.place(root);
    set.settle().unwrap_or(Held::Stopped)
}

impl Set<'_, '_> {
    fn settle(&mut self) -> Result<Held, Stopped> {
        loop {
            while let Some(place) = self.waiting.pop() {
                if !self.members[place as usize].out {
                    let found = self.look_at(place);
                    self.note(place, found);
                }
            }
            if self.members[0].out {
                return Ok(Held::Refuted);
            }
            let (closed, open) = self.reachable();
            if open.is_empty() {
                return Ok(Held::Closed(closed));
            }
            // Not all at once: what is found of some may settle others.
            for &place in &open[..open.len().div_ceil(4)] {
                let found = self.search_for(place)?;
                self.note(place, found);
            }
        }
    }

    /// Where a node is among the members; it becomes one if it is not.
    fn place(&mut self, node: &Node) -> u32 {
        if let Some(&place) = self.places.get(node) {
            return place;
        }
        let place = self.members.len() as u32;
        self.members.push(Member { node: *node, parents: Vec::new(), relies_on: None, out: false });
        self.places.insert(*node, place);
        self.waiting.push(place);
        place
    }

    fn note(&mut self, place: u32, found: Found) {
        match found {
            Found::Relies(on) => {
                let places: Vec<u32> = on.iter().map(|node| self.place(node)).collect();
                places.iter().for_each(|&on| self.members[on as usize].parents.push(place));
                self.members[place as usize].relies_on = Some(places);
            }
            // So say the table and those that relied on it have to know.
            Found::Out => {
                let member = &mut self.members[place as usize];
                member.out = true;
                self.waiting.append(&mut member.parents);
                self.search.table.put(&member.node, &WON, 1);
            }
            Found::Open => self.members[place as usize].relies_on = None,
        }
    }

    /// Whether a node is of the set, as far as is known; `None` if it is no member yet.
    fn membership(&self, node: &Node) -> Option<bool> {
        self.places.get(node).map(|&place| !self.members[place as usize].out)
    }

    /// What can be said of a member without a search.
    fn look_at(&mut self, place: u32) -> Found {
        let node = self.members[place as usize].node;
        let mut children = Vec::new();
        if let Err(won) = self.search.question.expand(&node, &mut children) {
            return if won { Found::Out } else { Found::Relies(Vec::new()) };
        }
        if node.attacks { self.all_of(&children) } else { self.one_of(&children) }
    }

    /// The same where the attacker is to move, to any of these.
    fn all_of(&self, children: &[Node]) -> Found {
        let (mut relies_on, mut open) = (Vec::new(), false);
        for child in children {
            match self.search.question.known(child) {
                Some(true) => return Found::Out,
                Some(false) => continue,
                None => relies_on.push(*child),
            }
            let believed = self.search.table.get(child).and_then(|entry| entry.numbers.answer());
            match (self.membership(child), believed) {
                (Some(false), _) | (None, Some(true)) => return Found::Out,
                (Some(true), _) | (None, Some(false)) => {}
                (None, None) => open = true,
            }
        }
        if open { Found::Open } else { Found::Relies(relies_on) }
    }

    /// The same where the defender is, best to one that makes the set no larger, else to one that
    /// the table believes in.
    fn one_of(&self, children: &[Node]) -> Found {
        if children.iter().any(|child| self.search.question.known(child) == Some(false)) {
            return Found::Relies(Vec::new());
        }
        let not_won = |child: &&Node| self.search.question.known(child).is_none();
        let member = children.iter().filter(not_won).find(|c| self.membership(c) == Some(true));
        let believed = || {
            let mut others = children.iter().filter(not_won);
            others.find(|child| {
                self.membership(child).is_none()
                    && self.search.look_up(child).numbers == Numbers::DISPROVEN
            })
        };
        match member.or_else(believed) {
            Some(&child) => Found::Relies(vec![child]),
            None => Found::Open,
        }
    }

    /// What a search finds of a member.
    fn search_for(&mut self, place: u32) -> Result<Found, Stopped> {
        let Member { node, out, .. } = self.members[place as usize];
        let mut children = Vec::new();
        if out || self.search.question.expand(&node, &mut children).is_err() {
            return Ok(self.look_at(place));
        }
        if !node.attacks {
            // The search knows best where to look: at the node itself, as if nobody had been there.
            self.search.table.put(&node, &NEW, 1);
            self.solve(&node)?;
            if let Found::Relies(on) = self.one_of(&children) {
                return Ok(Found::Relies(on));
            }
        }
        let mut relies_on = Vec::new();
        for child in &children {
            let known = self.search.question.known(child);
            let won = match known.or(self.membership(child).map(|member| !member)) {
                Some(won) => won,
                None => self.solve(child)?,
            };
            if !won && known.is_none() {
                relies_on.push(*child);
            }
            match (node.attacks, won) {
                (true, true) => return Ok(Found::Out),
                (false, false) => return Ok(Found::Relies(relies_on)),
                _ => {}
            }
        }
        Ok(if node.attacks { Found::Relies(relies_on) } else { Found::Out })
    }

    fn solve(&mut self, node: &Node) -> Result<bool, Stopped> {
        self.search.solve(node, u64::MAX, self.stop).answer().ok_or(Stopped)
    }

    /// The members the first one needs, and those of them that take a search.
    fn reachable(&self) -> (Vec<Node>, Vec<u32>) {
        let mut reached = vec![false; self.members.len()];
        let (mut waiting, mut nodes, mut open) = (vec![0], Vec::new(), Vec::new());
        reached[0] = true;
        while let Some(place) = waiting.pop() {
            let member = &self.members[place as usize];
            nodes.push(member.node);
            let Some(relies_on) = &member.relies_on else {
                open.push(place);
                continue;
            };
            for &on in relies_on {
                if !std::mem::replace(&mut reached[on as usize], true) {
                    waiting.push(on);
                }
            }
        }
        (nodes, open)
    }
}

const NEW: Entry = Entry { numbers: Numbers::NEW, rank: 0 };

/// Of a node that was found to be won otherwise than by the search, so that nobody knows its rank.
const WON: Entry = Entry { numbers: Numbers::PROVEN, rank: NEVER / 2 };
