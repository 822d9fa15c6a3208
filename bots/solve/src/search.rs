//! Depth-first proof-number search (df-pn: Nagai 2002) for whether the attacker can force a win.
//!
//! Where the attacker is to move, one child must be proven; elsewhere all of them. The search
//! descends to the child that decides with the least work according to proof and disproof numbers.
//! It stays below that child until the numbers pass limits at which another child looks better by a
//! margin (Pawlewicz and Lew 2007: 1 + ε), so that it does not alternate between children.
//!
//! *Cycles.* A child that is already a node of the path is no progress for the attacker: on this
//! path it is disproven. A proof never rests on that, but a disproof may. Then it holds on this
//! path and may be wrong elsewhere (the graph-history-interaction problem), because the node it
//! returned to may still be proven. So a disproof is stored with its condition ([`PathDependency`]) and
//! believed only where that is met (as by Kishimoto and Müller 2004). Once the nodes that it relies
//! on are disproven themselves, the condition is dropped. An unconditional disproof in the table is
//! true, and so is the answer.
//!
//! *Sums.* The numbers of a node's children are not added up, because with many transpositions the
//! same work would count many times. Instead, the largest number counts, plus a fraction of the
//! others (between weak proof-number search, Ueda and others 2008, which counts each other child as
//! one, and the sum). See [`together`].
//!
//! *New nodes.* The numbers of a node that the search has not entered estimate what its children
//! will say (module `estimate`).
//!
//! *Threads* search one question together by sharing its table. Where one of them works below a
//! node, the others see its number increased and prefer another child that is about as good
//! (virtual numbers: Kaneko 2010).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::estimate::Estimator;
use super::game::{Goal, Node};
use super::path_condition::PathDependency;
use super::path_occupancy::PathOccupancy;
use super::table::{Entry, NEVER, Numbers, QuestionTable};

/// The search leaves a child when its number is a quarter (1 / `MARGIN`) larger than that of the
/// next best child.
const MARGIN: u32 = 4;

/// A child's number counts up to this besides a larger one, see [`share`]. In vela, where numbers
/// are larger, twice as much needs a third fewer nodes on 7x5; in riatra it makes no difference.
const MOST_SHARED: u32 = 32;
const MOST_SHARED_IN_VELA: u32 = 64;

/// The numbers of a node whose disproof has a condition that is not met: a disproof looks close,
/// and a proof no closer than this.
const UNMET_CONDITION: Numbers = Numbers { proof: 8, disproof: 1 };

/// The number of a side that needs all of some open children: the largest of their numbers and an
/// addition for the others. `sum` is the sum of [`share`].
fn together(largest: u32, sum: u32, open: u32, most_shared: u32) -> u32 {
    largest.saturating_add(others(sum - share(largest, most_shared), open)).min(NEVER - 1)
}

/// The addition for all open children but one: a quarter of this sum of their shares, and a half for
/// each. It is never 0, so that numbers grow around cycles and the search leaves them.
fn others(sum: u32, open: u32) -> u32 {
    (sum + 2 * (open - 1)).div_ceil(4)
}

/// A child's number as far as it counts besides a larger one. The bound makes numbers grow by a
/// bounded addition around a cycle, not by a factor.
fn share(number: u32, most_shared: u32) -> u32 {
    number.min(most_shared)
}

/// A node of the path.
struct Frame {
    node: Node,
    /// The index of its first child.
    first: usize,
    /// The child of the next frame.
    chosen: usize,
    /// The numbers at which the search leaves it.
    limits: Numbers,
    /// The number of nodes searched before it.
    before: u64,
    /// The start of its segment in the path: the nodes since the last capture.
    segment: usize,
    /// The index of the first conditional disproof found below it.
    conditional: usize,
}

/// The knowledge about a node at some place of the search.
#[derive(Clone, Copy)]
struct NodeKnowledge {
    numbers: Numbers,
    /// For a proven node, the plies of the proof.
    rank: u32,
    /// For a disproven node, the nodes it relies on.
    dependency: PathDependency,
}

impl NodeKnowledge {
    fn new(numbers: Numbers) -> NodeKnowledge {
        NodeKnowledge { numbers, rank: 0, dependency: PathDependency::NONE }
    }
}

/// A child of a frame with its knowledge.
#[derive(Clone, Copy)]
struct Child {
    node: Node,
    known: NodeKnowledge,
}

/// A conditional disproof, found below the frames of the path.
#[derive(Clone, Copy)]
struct Conditional {
    node: Node,
    dependency: PathDependency,
    effort: u64,
}

/// The bounds of a search: a number of nodes, and flags that end it.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'s> {
    pub(super) until: u64,
    /// Set when the program is to stop, and by the thread that is through first: the others do not
    /// go on alone.
    flags: [&'s AtomicBool; 3],
}

impl<'s> Bounds<'s> {
    /// Up to a number of nodes, or until one of the flags is set.
    pub(super) fn new(until: u64, stop: &'s AtomicBool, over: &'s AtomicBool) -> Bounds<'s> {
        Bounds { until, flags: [stop, over, over] }
    }

    /// The same with another number of nodes.
    pub(super) fn with_nodes(self, until: u64) -> Bounds<'s> {
        Bounds { until, ..self }
    }

    /// The same for a number of nodes of one of several threads, which stops when `over` is set.
    pub(super) fn for_thread<'t>(self, until: u64, over: &'t AtomicBool) -> Bounds<'t>
    where
        's: 't,
    {
        Bounds { until, flags: [self.flags[0], self.flags[1], over] }
    }

    /// Whether a flag is set.
    #[inline]
    pub(super) fn are_flagged(self) -> bool {
        self.flags.iter().any(|flag| flag.load(Ordering::Relaxed))
    }
}

/// A thread's search for the answer to one question.
pub(super) struct Search<'g> {
    pub(super) goal: Goal<'g>,
    pub(super) table: QuestionTable,
    estimator: Estimator<'g>,
    most_shared: u32,
    occupancy: Arc<PathOccupancy>,
    /// The number of nodes this thread has searched.
    pub(super) nodes: u64,
    path: Vec<Frame>,
    /// The children of all frames of the path.
    children: Vec<Child>,
    /// Disproofs that rely on frames of the path.
    conditional: Vec<Conditional>,
    found: Vec<Node>,
}

impl<'g> Search<'g> {
    pub(super) fn new(
        goal: Goal<'g>,
        table: QuestionTable,
        occupancy: Arc<PathOccupancy>,
    ) -> Search<'g> {
        Search {
            goal,
            table,
            estimator: Estimator::new(goal),
            most_shared: match goal.game.start().debtor() {
                Some(_) => MOST_SHARED_IN_VELA,
                None => MOST_SHARED,
            },
            occupancy,
            nodes: 0,
            path: Vec::new(),
            children: Vec::new(),
            conditional: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The knowledge about a node here without a search.
    #[inline]
    fn look_up(&mut self, node: &Node) -> NodeKnowledge {
        match self.goal.known(node) {
            Some(yes) => NodeKnowledge::new(Numbers::from_answer(yes)),
            None => match self.remembered(node) {
                Some(known) => known,
                None => NodeKnowledge::new(self.estimator.numbers(node)),
            },
        }
    }

    /// The table's knowledge about a node, valid here.
    #[inline]
    fn remembered(&mut self, node: &Node) -> Option<NodeKnowledge> {
        let Entry { numbers, rank, condition } = self.table.get(node)?;
        if condition == 0 {
            return Some(NodeKnowledge { numbers, rank, dependency: PathDependency::NONE });
        }
        let dependency = PathDependency::from_condition(condition, self.segment(node));
        Some(match dependency {
            Some(dependency) => NodeKnowledge { numbers, rank, dependency },
            None => {
                let proof = self.estimator.numbers(node).proof.max(UNMET_CONDITION.proof);
                NodeKnowledge::new(Numbers { proof, ..UNMET_CONDITION })
            }
        })
    }

    /// The nodes of the path that could recur below a node.
    #[inline]
    fn segment(&self, node: &Node) -> impl ExactSizeIterator<Item = Node> + Clone {
        let stones = node.stones();
        let last = self.path.last().filter(|frame| frame.node.stones() == stones);
        let frames = last.map_or(&[][..], |frame| &self.path[frame.segment..]);
        frames.iter().map(|frame| frame.node)
    }

    /// Whether the search has reached its bounds.
    #[inline]
    fn is_at(&self, bounds: Bounds<'_>) -> bool {
        self.nodes >= bounds.until || bounds.are_flagged()
    }

    /// Solves a node within bounds; when they are reached, the numbers are those of an open node.
    pub(super) fn solve(&mut self, root: &Node, bounds: Bounds<'_>) -> Numbers {
        debug_assert!(self.path.is_empty() && self.children.is_empty());
        let known = self.look_up(root);
        if known.numbers.answer().is_some() {
            return known.numbers;
        }
        let never = Numbers { proof: NEVER, disproof: NEVER };
        let mut left = self.enter(*root, never);
        loop {
            let last = self.is_at(bounds);
            if let Some(known) = left.take().or_else(|| if last { self.leave(true) } else { None })
            {
                // The top frame is the parent, or the root has been left.
                let Some(parent) = self.path.last() else { return known.numbers };
                self.children[parent.first + parent.chosen].known = known;
                continue;
            }
            left = self.leave(false).or_else(|| self.descend());
        }
    }

    /// Enters a node; returns its knowledge if it is decided at once.
    fn enter(&mut self, node: Node, limits: Numbers) -> Option<NodeKnowledge> {
        self.nodes += 1;
        let mut found = std::mem::take(&mut self.found);
        let expanded = self.goal.expand(&node, &mut found);
        let known = match expanded {
            Err(won) => {
                let numbers = Numbers::from_answer(won);
                self.table.put(&node, &Entry::new(numbers), 1);
                Some(NodeKnowledge::new(numbers))
            }
            Ok(()) => {
                let (first, before) = (self.children.len(), self.nodes - 1);
                let segment = self.path.len() - self.segment(&node).len();
                let conditional = self.conditional.len();
                self.occupancy.enter(&node);
                self.path.push(Frame {
                    node,
                    first,
                    chosen: 0,
                    limits,
                    before,
                    segment,
                    conditional,
                });
                found.iter().for_each(|node| self.table.prefetch(node));
                for &node in &found {
                    let mut known = self.look_up(&node);
                    if known.numbers.answer().is_none()
                        && let Some(place) = self.segment(&node).position(|other| other == node)
                    {
                        let dependency = PathDependency::on(place);
                        known =
                            NodeKnowledge { dependency, ..NodeKnowledge::new(Numbers::DISPROVEN) };
                    }
                    self.children.push(Child { node, known });
                }
                None
            }
        };
        self.found = found;
        known
    }

    /// Leaves the last node of the path if its numbers have reached the limits, or if `anyway` is
    /// set; returns its knowledge.
    fn leave(&mut self, anyway: bool) -> Option<NodeKnowledge> {
        let frame = self.path.last().expect("the search is somewhere");
        let known = follows(&self.children[frame.first..], frame.node.attacks, self.most_shared);
        let Numbers { proof, disproof } = known.numbers;
        if !anyway && proof < frame.limits.proof && disproof < frame.limits.disproof {
            return None;
        }
        let frame = self.path.pop().expect("the search is somewhere");
        self.occupancy.leave(&frame.node);
        self.children.truncate(frame.first);
        let place = self.path.len() - frame.segment;
        let dependency = known.dependency.left(place, PathDependency::NONE);
        let disproven = (known.numbers == Numbers::DISPROVEN).then_some(dependency);
        self.review(frame.conditional, place, disproven);
        let effort = self.nodes - frame.before;
        match disproven {
            Some(dependency) => self.keep(Conditional { node: frame.node, dependency, effort }),
            None => {
                let entry = Entry { rank: known.rank, ..Entry::new(known.numbers) };
                self.table.put(&frame.node, &entry, effort);
            }
        }
        Some(NodeKnowledge { dependency, ..known })
    }

    /// Updates the disproofs found below a node that the search has left, at some position of its
    /// segment. `disproven` is the dependency of the node if it is disproven.
    fn review(&mut self, first: usize, place: usize, disproven: Option<PathDependency>) {
        let below = self.conditional.split_off(first);
        for found in below {
            if !found.dependency.is_on(place) {
                self.conditional.push(found);
            } else if let Some(dependency) = disproven {
                self.keep(Conditional {
                    dependency: found.dependency.left(place, dependency),
                    ..found
                });
            }
        }
    }

    /// Stores a disproof, with its condition if it has one.
    fn keep(&mut self, found: Conditional) {
        let Conditional { node, dependency, effort } = found;
        let mut entry = Entry::new(Numbers::DISPROVEN);
        if dependency != PathDependency::NONE {
            entry.condition = dependency.condition(self.segment(&node));
            self.conditional.push(found);
        }
        self.table.put(&node, &entry, effort);
    }

    /// Descends to the most promising child of the last node.
    fn descend(&mut self) -> Option<NodeKnowledge> {
        let frame = self.path.last_mut().expect("the search is somewhere");
        let children = &self.children[frame.first..];
        // Where the other side is to move, proof and disproof exchange their roles.
        let swap = |n: Numbers| match frame.node.attacks {
            true => n,
            false => Numbers { proof: n.disproof, disproof: n.proof },
        };
        let limits = swap(frame.limits);
        let most_shared = self.most_shared;
        let (mut best, mut second, mut open, mut sum) = (0, NEVER, 0u32, 0u32);
        // The least proof number decides, and of equal ones the least disproof number. A child that
        // another thread works on looks worse, but never so bad that the search would leave here.
        let virtually = |child: &Child| {
            let Numbers { proof, disproof } = swap(child.known.numbers);
            let more = match self.occupancy.by(&child.node) {
                0 => 0,
                threads => (proof / 8 + 1).saturating_mul(threads),
            };
            (proof.saturating_add(more).min(limits.proof - 1).max(proof), disproof)
        };
        let mut least = (NEVER, NEVER);
        for (place, child) in children.iter().enumerate() {
            let numbers = virtually(child);
            // A child that is not open has 0 as its other number.
            open += u32::from(numbers.0 != NEVER);
            sum += share(numbers.1, most_shared);
            if place > 0 && numbers >= least {
                second = second.min(numbers.0);
            } else {
                (second, least, best) = (second.min(least.0), numbers, place);
            }
        }
        let margin = second.saturating_add((second / MARGIN).max(1));
        let below = Numbers {
            proof: limits.proof.min(margin),
            disproof: match limits.disproof {
                NEVER => NEVER,
                limit => limit.saturating_sub(others(sum - share(least.1, most_shared), open)),
            },
        };
        frame.chosen = best;
        let (below, node) = (swap(below), children[best].node);
        // Another path may have solved it since the parent looked it up.
        let known = self.remembered(&node);
        let passes = |n: Numbers| n.proof >= below.proof || n.disproof >= below.disproof;
        known.filter(|known| passes(known.numbers)).or_else(|| self.enter(node, below))
    }
}

/// The knowledge about a node that follows from its children.
fn follows(children: &[Child], attacks: bool, most_shared: u32) -> NodeKnowledge {
    let (mut least, mut largest, mut sum, mut open) = (NEVER, 0u32, 0u32, 0u32);
    let (mut shortest, mut longest) = (NEVER, 0);
    let (mut on_all, mut on_one) = (PathDependency::NONE, None);
    for Child { known: NodeKnowledge { numbers, rank, dependency }, .. } in children {
        let (one, all) = match attacks {
            true => (numbers.proof, numbers.disproof),
            false => (numbers.disproof, numbers.proof),
        };
        least = least.min(one);
        largest = largest.max(all);
        sum += share(all, most_shared);
        open += u32::from(all != 0);
        match numbers.answer() {
            Some(true) => {
                shortest = shortest.min(*rank);
                longest = longest.max(*rank);
            }
            Some(false) => {
                on_all = on_all.and(*dependency);
                let fewer = |other: &PathDependency| other.count() <= dependency.count();
                on_one = on_one.filter(fewer).or(Some(*dependency));
            }
            None => {}
        }
    }
    let all = match (largest, open) {
        // The side that needs one child has it.
        _ if least == 0 => NEVER,
        (0, _) => 0,
        _ => together(largest, sum, open, most_shared),
    };
    // The side that needs one child has none left.
    let least = if all == 0 { NEVER } else { least };
    let numbers = match attacks {
        true => Numbers { proof: least, disproof: all },
        false => Numbers { proof: all, disproof: least },
    };
    match (numbers.answer(), attacks) {
        (Some(true), true) => {
            NodeKnowledge { rank: shortest.saturating_add(1), ..NodeKnowledge::new(numbers) }
        }
        (Some(true), false) => {
            NodeKnowledge { rank: longest.saturating_add(1), ..NodeKnowledge::new(numbers) }
        }
        (Some(false), true) => NodeKnowledge { dependency: on_all, ..NodeKnowledge::new(numbers) },
        (Some(false), false) => NodeKnowledge {
            dependency: on_one.expect("a child is disproven"),
            ..NodeKnowledge::new(numbers)
        },
        (None, _) => NodeKnowledge::new(numbers),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use fanorona_protocol::rules::{Position, Ruleset, Side};

    use super::super::game::Game;
    use super::super::table::NodeTable;
    use super::*;

    /// Whether the attacker wins, at a node and all nodes below it (the least fixpoint).
    fn truth(goal: &Goal<'_>, root: &Node) -> HashMap<Node, bool> {
        let (mut nodes, mut nexts) = (vec![*root], Vec::new());
        let mut truth: HashMap<Node, bool> = HashMap::from([(*root, false)]);
        while let Some(node) = nodes.get(nexts.len()).copied() {
            let mut children = Vec::new();
            let won = goal
                .known(&node)
                .unwrap_or_else(|| goal.expand(&node, &mut children).err().unwrap_or(false));
            truth.insert(node, won);
            for child in &children {
                truth.entry(*child).or_insert_with(|| {
                    nodes.push(*child);
                    false
                });
            }
            nexts.push(children);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (node, next) in nodes.iter().zip(&nexts) {
                let won = match node.attacks {
                    true => next.iter().any(|child| truth[child]),
                    false => !next.is_empty() && next.iter().all(|child| truth[child]),
                };
                changed |= won && !truth.insert(*node, true).expect("it is there");
            }
        }
        truth
    }

    #[test]
    fn unconditional_answers_of_the_table_are_true() {
        let starts = [
            "bbb/b1W/WWW w",
            // Here a search that ignores conditions gives a wrong answer.
            "bb2b/3WW/W4 b",
            "4b/3b1/W1W2 w",
            "b2W1/b4/Wb1W1 b",
            "W2/WWW/3/1b1/b1b w",
        ];
        let (mut answers, mut conditions) = ([0, 0], 0);
        for start in starts {
            let start: Position = start.parse().unwrap();
            let game = Game::new(start, Ruleset::default(), None);
            for attacker in Side::BOTH {
                let goal = Goal { game: &game, attacker };
                let truth = truth(&goal, &goal.root());
                let table = Arc::new(NodeTable::new(1 << 20));
                let table = QuestionTable::new(table, attacker);
                let mut search = Search::new(goal, table, Arc::default());
                // Interrupted often, so that conditional results are met on other paths.
                for until in (0..).step_by(50) {
                    let (stop, over) = (&AtomicBool::new(false), &AtomicBool::new(false));
                    let bounds = Bounds::new(until, stop, over);
                    let answer = search.solve(&goal.root(), bounds).answer();
                    for slot in search.table.slots() {
                        let (node, entry) = slot.node_and_entry();
                        conditions += u32::from(entry.condition != 0);
                        let entry = search.table.get(&node).filter(|entry| entry.condition == 0);
                        let answer = entry.and_then(|entry| entry.numbers.answer());
                        assert!(answer.is_none_or(|won| won == truth[&node]), "{start}: {node:?}");
                    }
                    if let Some(answer) = answer {
                        assert_eq!(answer, truth[&goal.root()], "{start}");
                        answers[usize::from(answer)] += 1;
                        break;
                    }
                }
            }
        }
        let all = answers.iter().all(|&count| count > 0) && conditions > 0;
        assert!(all, "{answers:?} {conditions}");
    }
}
