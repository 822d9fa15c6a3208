//! The search: one playout after another, each adding to the tree what it found.
//!
//! A node is in one of three states. An *open leaf* has been reached at most [`EXPANSION_VISITS`]
//! times: a playout judges it. An *expanded* node has all its children: one of them is looked at. A
//! *decided* node needs no judging: the stones have won or lost the game, on the board or by force,
//! or the game is drawn here. Every path from the root is a game of its own, with its repetitions
//! and counters, so what is decided by them holds for the node they were counted in. A drawn node
//! never helps to prove another; only wins and losses by the stones do.

use std::cmp::Reverse;

use fanorona_protocol::rules::{Effect, Position, Ruleset};

use super::playout::{RESULT_UNIT, Random, play_out, result};
use super::settings::{Selection, Settings};
use super::tree::{MAX_CHILDREN, Node, ROOT, Tree, Verdict};

/// Playouts through a leaf before it is expanded.
const EXPANSION_VISITS: u32 = 3;

/// What a child nobody has looked at is thought to be worth less than its parent, as a part of a
/// win.
const UNTRIED_LOSS: f32 = 0.2;

/// Where the search happens, and what it has at hand.
pub(super) struct Search<'s> {
    pub(super) tree: &'s mut Tree,
    /// The game up to the root; during a playout, up to the node it has reached.
    pub(super) line: &'s mut Vec<Position>,
    /// Indices of the nodes on the way from the root, both ends included.
    pub(super) path: &'s mut Vec<usize>,
    /// Room for the turns of one node.
    pub(super) effects: &'s mut Vec<Effect>,
    pub(super) random: &'s mut Random,
    pub(super) rules: &'s Ruleset,
    pub(super) settings: &'s Settings,
    /// Whether leaves are expanded: not when the tree is full and there is no time to make room.
    pub(super) grows: bool,
    /// Playouts so far.
    pub(super) playouts: u64,
    /// Those that were drawn, or judged even.
    pub(super) drawn: u64,
    /// Plies of the longest path so far.
    pub(super) deepest: u32,
}

impl Search<'_> {
    /// One playout.
    pub(super) fn step(&mut self) {
        let game = self.line.len();
        self.path.clear();
        self.path.push(ROOT);
        let mut here = ROOT;
        // 1. Selection: down to a node that is decided or a leaf.
        while self.tree.node(here).is_expanded() && self.is_open(here) {
            here = self.descend(here);
        }
        // 2. Expansion: a leaf seen often enough gets its children, and one of them is looked at.
        if self.grows && self.is_open(here) && self.tree.node(here).visits >= EXPANSION_VISITS {
            self.expand(here);
            if self.is_open(here) {
                here = self.descend(here);
            }
        }
        // 3. Playout, unless the value is known.
        let value = match self.tree.node(here).verdict {
            Verdict::Open => {
                let plies = self.line.len() as u32 - 1;
                let limit = self.rules.max_plies;
                let plies_left = if limit == 0 { u32::MAX } else { limit.saturating_sub(plies) };
                let position = *self.position();
                play_out(
                    &position,
                    self.rules,
                    self.settings.playout,
                    self.settings.playout_length,
                    plies_left,
                    self.random,
                )
            }
            Verdict::Drawn => 0,
            Verdict::Win(_) => result(true),
            Verdict::Loss(_) => result(false),
        };
        // 4. Backup: results always, proofs as far as they reach.
        self.backup(value);
        self.deepest = self.deepest.max(self.path.len() as u32 - 1);
        self.playouts += 1;
        self.drawn += u64::from(value == 0);
        self.line.truncate(game);
    }

    fn is_open(&self, node: usize) -> bool {
        self.tree.node(node).verdict == Verdict::Open
    }

    /// The position at the end of the line.
    fn position(&self) -> &Position {
        self.line.last().expect("a game has a position")
    }

    /// Goes on to the child that is to be looked at.
    fn descend(&mut self, parent: usize) -> usize {
        let child = self.select(parent);
        self.line.push(self.position().play_unchecked(self.tree.node(child).effect));
        self.path.push(child);
        child
    }

    /// The child to look at: the best judged one, with a bonus for those looked at less than the
    /// others. What is proven to lose is left alone.
    fn select(&self, parent: usize) -> usize {
        let node = self.tree.node(parent);
        let children = self.tree.children(parent);
        let explore = self.settings.exploration as f32 / 100.0;
        let visits = node.visits.max(1) as f32;
        let untried = -node.sum as f32 / visits / RESULT_UNIT as f32 - UNTRIED_LOSS;
        let value = |child: &Node| match child.visits {
            0 => untried,
            _ => child.mean() / RESULT_UNIT as f32,
        };
        let best = match self.settings.selection {
            Selection::Ucb1 => {
                let log = libm::logf(visits);
                best_of(children, |child| {
                    value(child) + explore * (log / child.visits.max(1) as f32).sqrt()
                })
            }
            Selection::Puct => {
                let total: f32 = children.iter().map(promise).sum();
                let scale = explore * visits.sqrt() / total;
                best_of(children, |child| {
                    value(child) + scale * promise(child) / (1 + child.visits) as f32
                })
            }
        };
        node.children().start + best
    }

    /// Gives a leaf its children, each judged as far as the rules do.
    fn expand(&mut self, leaf: usize) {
        let position = *self.position();
        self.effects.clear();
        position.visit_effects(self.rules, |effect| self.effects.push(effect));
        arrange(self.effects);
        self.tree.expand(leaf, self.effects);
        self.judge_children(leaf);
    }

    /// Finds out which children of a node end the game, and what that makes of the node.
    pub(super) fn judge_children(&mut self, parent: usize) {
        for child in self.tree.node(parent).children() {
            let next = self.position().play_unchecked(self.tree.node(child).effect);
            let verdict = match self.rules.ending(&next) {
                Some(ending) => match ending.winner {
                    Some(winner) if winner == next.turn() => Verdict::Win(0),
                    Some(_) => Verdict::Loss(0),
                    None => Verdict::Drawn,
                },
                None if self.is_drawn(&next) => Verdict::Drawn,
                None => continue,
            };
            self.tree.node_mut(child).verdict = verdict;
        }
        self.prove(parent);
    }

    /// Whether repetition or a limit ends the game in a position that follows the line.
    fn is_drawn(&self, next: &Position) -> bool {
        let reached = |limit: u32, count: u32| limit > 0 && count >= limit;
        // A capture never comes back, so no earlier occurrence lies behind the last one.
        let occurrences = || {
            let reach = next.quiet_plies() as usize;
            let past = self.line.iter().rev().take(reach).skip(1).step_by(2);
            1 + past.filter(|past| past.key() == next.key() && *past == next).count() as u32
        };
        reached(self.rules.quiet, next.quiet_plies())
            || reached(self.rules.max_plies, self.line.len() as u32)
            || self.rules.repetition > 0 && reached(self.rules.repetition, occurrences())
    }

    /// Decides a node whose children decide it (MCTS-Solver): a lost child is a win, children that
    /// are all won are a loss. Returns whether it is decided.
    pub(super) fn prove(&mut self, parent: usize) -> bool {
        let children = self.tree.children(parent);
        let mut soonest_win = None;
        let mut longest_loss = Some(0);
        for child in children {
            match child.verdict {
                Verdict::Loss(plies) => {
                    soonest_win = Some(soonest_win.map_or(plies, |least: u8| least.min(plies)));
                }
                Verdict::Win(plies) => longest_loss = longest_loss.map(|most: u8| most.max(plies)),
                Verdict::Open | Verdict::Drawn => longest_loss = None,
            }
        }
        // A node that may lack some of its turns is not lost for want of a good one.
        let longest_loss = longest_loss.filter(|_| (1..MAX_CHILDREN).contains(&children.len()));
        let verdict = match (soonest_win, longest_loss) {
            (Some(plies), _) => Verdict::Win(plies.saturating_add(1)),
            (None, Some(plies)) => Verdict::Loss(plies.saturating_add(1)),
            (None, None) => return false,
        };
        self.tree.node_mut(parent).verdict = verdict;
        true
    }

    /// Adds a result, from the view of the side to move at the end of the path, to every node on
    /// it.
    fn backup(&mut self, value: i32) {
        let mut value = i64::from(value);
        let end = self.path.len() - 1;
        let mut proving = !self.is_open(self.path[end]);
        for at in (0..=end).rev() {
            let index = self.path[at];
            proving = proving && (at == end || self.prove(index));
            let node = self.tree.node_mut(index);
            node.visits += 1;
            node.sum -= value;
            value = -value;
        }
    }

    /// The child to be played: the soonest proven win; else the one looked at most, of equals the
    /// better judged; of proven losses the longest. `None` in a leaf.
    pub(super) fn best_child(&self, parent: usize) -> Option<usize> {
        let rank = |child: &Node| match child.verdict {
            Verdict::Loss(plies) => (2, u32::from(u8::MAX - plies), 0),
            Verdict::Open | Verdict::Drawn => {
                let mean = if child.visits == 0 { 0 } else { child.sum / i64::from(child.visits) };
                (1, child.visits, mean)
            }
            Verdict::Win(plies) => (0, u32::from(plies), 0),
        };
        let all = self.tree.node(parent).children();
        all.min_by_key(|&child| Reverse(rank(self.tree.node(child))))
    }

    /// The most visits a child of the root has more than any other that is not lost; `None` when
    /// there is no other.
    pub(super) fn lead(&self) -> Option<u32> {
        let (mut most, mut second) = (None, None);
        for child in self.tree.children(ROOT) {
            if !matches!(child.verdict, Verdict::Win(_)) {
                if Some(child.visits) > most {
                    (most, second) = (Some(child.visits), most);
                } else {
                    second = second.max(Some(child.visits));
                }
            }
        }
        Some(most? - second?)
    }
}

/// Puts the turns of a node in order, those that capture most first, each effect once.
pub(super) fn arrange(effects: &mut Vec<Effect>) {
    effects.sort_unstable_by_key(|effect| {
        (Reverse(effect.gain()), effect.from(), effect.to(), effect.captured())
    });
    effects.dedup();
    effects.truncate(MAX_CHILDREN);
}

/// How likely a turn is to be a good one before it has been tried, up to a factor.
fn promise(child: &Node) -> f32 {
    (1 + child.effect.gain()) as f32
}

/// The index of the child with the highest worth among those not proven to lose; of equals the
/// first.
fn best_of(children: &[Node], worth: impl Fn(&Node) -> f32) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (index, child) in children.iter().enumerate() {
        if !matches!(child.verdict, Verdict::Win(_)) {
            let worth = worth(child);
            if worth > best.1 {
                best = (index, worth);
            }
        }
    }
    best.0
}
