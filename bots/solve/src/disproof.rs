//! Taking a disproof apart: a set of positions from which the defender, who is not the attacker,
//! can never be made to lose.
//!
//! The set is closed: wherever the attacker is to move, every move leads into it or to an ending
//! the attacker does not win; wherever the defender is, one move does. To stay in it for ever is
//! to hold at least a draw, however the search came to believe in it.
//!
//! It is found from the start, by turns to where the search has a disproof without a condition.
//! What the table has forgotten is searched for again, after everything else: by then it may be of
//! the set already. Members stay in the search's table, so that whoever begins anew with that table
//! has not to search for them again.

use std::collections::HashSet;

use super::game::Node;
use super::search::{Bounds, Search};
use super::table::{Entry, NEVER, Numbers, Table};

/// What has become of a disproof.
pub(super) enum Disproved {
    /// That is not known yet.
    Open,
    /// It stands: a closed set with the start in it.
    Closed(Vec<Node>),
    /// It was wrong: the attacker wins, as the table now knows.
    Refuted,
}

/// A disproof that is being taken apart.
pub(super) struct DisproofSet {
    root: Node,
    members: HashSet<Node>,
    /// Members that have to be looked at.
    waiting: Vec<Node>,
    /// Members for which something has to be searched.
    open: Vec<Node>,
}

/// What there is to say of a member.
enum MemberStatus {
    /// It is of the set, with these.
    With(Vec<Node>),
    /// To say it takes a search, or more of it.
    Open,
    /// It cannot be of the set: the attacker wins.
    Won,
}

impl DisproofSet {
    /// Of a node that the search holds for disproven.
    pub(super) fn new(root: Node) -> DisproofSet {
        DisproofSet { root, members: HashSet::from([root]), waiting: vec![root], open: Vec::new() }
    }

    /// How many positions the set has so far.
    pub(super) fn positions(&self) -> u64 {
        self.members.len() as u64
    }

    /// Goes on as far as the search may.
    pub(super) fn advance(&mut self, search: &mut Search<'_>, mut bounds: Bounds<'_>) -> Disproved {
        while !search.is_at(bounds) {
            let (node, status) = if let Some(node) = self.waiting.pop() {
                // Whatever is looked at counts, as if the search had done it.
                bounds.until -= 1;
                (node, self.look_at(&node, search, None))
            } else if let Some(node) = self.open.pop() {
                (node, self.look_at(&node, search, Some(bounds)))
            } else {
                return Disproved::Closed(self.members.drain().collect());
            };
            match status {
                MemberStatus::With(children) => {
                    for child in children {
                        if self.members.insert(child) {
                            let disproven = Entry::of(Numbers::DISPROVEN);
                            search.table.put(&child, &disproven, Table::TO_STAY);
                            self.waiting.push(child);
                        }
                    }
                }
                MemberStatus::Open => self.open.push(node),
                // The search was mistaken: conditions are told apart by a number each. It is put
                // right, and so is everything that follows.
                MemberStatus::Won => {
                    search.table.put(&node, &WON, 1);
                    if node == self.root {
                        return Disproved::Refuted;
                    }
                    *self = DisproofSet::new(self.root);
                }
            }
        }
        Disproved::Open
    }

    /// What there is to say of a member, with a search within bounds if there are any.
    fn look_at(
        &self,
        node: &Node,
        search: &mut Search<'_>,
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

    /// The same where the attacker is to move, to any of these.
    fn all_of(
        &self,
        mut children: Vec<Node>,
        search: &mut Search<'_>,
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

    /// The same where the defender is, best to one that makes the set no larger.
    fn one_of(
        &self,
        node: &Node,
        mut children: Vec<Node>,
        search: &mut Search<'_>,
        bounds: Option<Bounds<'_>>,
    ) -> MemberStatus {
        if children.iter().any(|child| search.goal.known(child) == Some(false)) {
            return MemberStatus::With(Vec::new());
        }
        children.retain(|child| search.goal.known(child).is_none());
        if children.iter().any(|child| self.members.contains(child)) {
            return MemberStatus::With(Vec::new());
        }
        let disproven = |search: &Search<'_>| {
            children.iter().find(|child| search.answer(child) == Some(false)).copied()
        };
        if let Some(child) = disproven(search) {
            return MemberStatus::With(vec![child]);
        }
        let Some(bounds) = bounds else { return MemberStatus::Open };
        // The search knows best where to look: at the node itself, as if it had not been there.
        if search.answer(node) == Some(false) {
            search.table.put(node, &Entry::of(Numbers::NEW), 1);
        }
        match search.solve(node, bounds).answer() {
            Some(true) => return MemberStatus::Won,
            Some(false) => {}
            None => return MemberStatus::Open,
        }
        if let Some(child) = disproven(search) {
            return MemberStatus::With(vec![child]);
        }
        // The table had no room for it.
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

/// Whether the attacker wins at a node that tables do not know, by a search if need be.
fn answer(node: &Node, search: &mut Search<'_>, bounds: Option<Bounds<'_>>) -> Option<bool> {
    let known = search.answer(node);
    known.or_else(|| bounds.and_then(|bounds| search.solve(node, bounds).answer()))
}

/// Of a node that was found to be won otherwise than by the search, so that nobody knows its rank.
pub(super) const WON: Entry = Entry { numbers: Numbers::PROVEN, rank: NEVER / 2, condition: 0 };
