//! The search: playouts one after another, each of which adds its result to the tree.
//!
//! A node is in one of three states. An *open leaf* has few visits: a playout or an evaluation
//! judges it. An *expanded* node has all its children, and a playout descends to one of them. A
//! *decided* node needs no judgement: the game is won or lost there by the stones (on the board, by
//! force, or by endgame tables), or it is drawn. Every path from the root is a game of its own,
//! with its own repetitions and counters, so a draw by these holds for the node where it was found.
//! A draw never helps to prove another node; only wins and losses by the stones do.
//!
//! Several threads search one tree, each with its own [`Traversal`]. A running playout counts as
//! lost in all nodes on its path until its result is known (*virtual loss*, Chaslot, Winands & van
//! den Herik, *Parallel Monte-Carlo Tree Search*, 2008), so that the other threads search
//! elsewhere. A single thread uses no virtual loss, and its search is reproducible.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use fanorona_protocol::rules::{BoardSize, Effect, Position, Ruleset, raw};

use super::playout::{PlayoutRng, RESULT_UNIT, Rollout, result};
use super::quiescence::{self, QuiescenceSearch};
use super::settings::{Leaf, Prior, Selection, Settings};
use super::shared::{MAX_CP, Shared};
use super::tree::{Edge, Expansion, MAX_CHILDREN, Node, ProofStatus, ROOT};
use crate::evaluation::Method;

/// The state of one thread.
pub(super) struct Traversal {
    /// The positions of the game up to the root; during a playout, up to the current node.
    pub(super) line: Vec<Position>,
    /// The indices of the nodes on the path from the root, both ends included.
    path: Vec<usize>,
    /// Buffer for the moves of one node.
    effects: Vec<Effect>,
    edges: Vec<Edge>,
    pub(super) random: PlayoutRng,
    quiescence: QuiescenceSearch,
}

impl Traversal {
    /// A traversal with its own random numbers, which evaluates positions by some method.
    pub(super) fn new(random: PlayoutRng, evaluation: Method) -> Traversal {
        Traversal {
            line: Vec::new(),
            path: Vec::new(),
            effects: Vec::new(),
            edges: Vec::new(),
            random,
            quiescence: QuiescenceSearch::new(BoardSize::TSIVY, evaluation),
        }
    }

    /// Moves to the end of a game.
    pub(super) fn set_game(&mut self, game: &[Position]) {
        self.line.clear();
        self.line.extend_from_slice(game);
        self.quiescence.set_board(self.position().board().size());
    }

    /// The position at the end of the line.
    pub(super) fn position(&self) -> &Position {
        self.line.last().expect("a game has a position")
    }

    /// The evaluation of a position in hundredths of a stone.
    pub(super) fn evaluate(&mut self, position: &Position, rules: &Ruleset) -> i32 {
        self.quiescence.set_board(position.board().size());
        self.quiescence.value(position, rules).clamp(-MAX_CP, MAX_CP)
    }

    /// The edges of the position at the end of the line for these moves, in order, each effect
    /// once.
    pub(super) fn edges_of(
        &mut self,
        effects: &[Effect],
        rules: &Ruleset,
        settings: &Settings,
    ) -> &[Edge] {
        self.effects.clear();
        self.effects.extend_from_slice(effects);
        self.evaluate_edges(rules, settings);
        &self.edges
    }

    /// Computes [`Traversal::edges`] from [`Traversal::effects`].
    fn evaluate_edges(&mut self, rules: &Ruleset, settings: &Settings) {
        arrange(&mut self.effects);
        let position = *self.line.last().expect("a game has a position");
        self.edges.clear();
        let judged = settings.evaluates_moves();
        for &effect in &self.effects {
            let cp = if judged {
                -self.quiescence.value(&position.apply_unchecked(effect), rules)
            } else {
                0
            };
            let prior = match settings.prior {
                Prior::Captures => (1 + effect.gain()) as f32,
                Prior::Evaluation => quiescence::likelihood(cp, settings.prior_scale),
            };
            let value = if judged { quiescence::result_of(cp) } else { 0 };
            self.edges.push(Edge { effect, prior, value });
        }
        let total: f32 = self.edges.iter().map(|edge| edge.prior).sum();
        for edge in &mut self.edges {
            edge.prior /= total;
        }
    }
}

impl Shared<'_> {
    /// Decides a node from its children (MCTS-Solver): one lost child makes it a win, and children
    /// that are all won make it a loss. Returns whether the node is decided.
    fn prove(&self, parent: usize) -> bool {
        let children = self.tree.children(parent);
        let mut soonest_win = None;
        let mut longest_loss = Some(0);
        for child in children {
            match child.status() {
                ProofStatus::Loss(plies) => {
                    soonest_win = Some(soonest_win.map_or(plies, |least: u8| least.min(plies)));
                }
                ProofStatus::Win(plies) => {
                    longest_loss = longest_loss.map(|most: u8| most.max(plies))
                }
                ProofStatus::Open | ProofStatus::Drawn => longest_loss = None,
            }
        }
        // If the node may lack some of its moves, it is not proven lost.
        let longest_loss = longest_loss.filter(|_| (1..MAX_CHILDREN).contains(&children.len()));
        let status = match (soonest_win, longest_loss) {
            (Some(plies), _) => ProofStatus::Win(plies.saturating_add(1)),
            (None, Some(plies)) => ProofStatus::Loss(plies.saturating_add(1)),
            (None, None) => return false,
        };
        self.tree.node(parent).set_status(status);
        true
    }

    /// Sets the value of a node from its best child, by evaluation alone (implicit minimax backups,
    /// Lanctot, Winands, Pepels & Sturtevant 2014).
    fn refresh_value(&self, parent: usize) {
        let best = self.tree.children(parent).iter().map(Node::value).max();
        if let Some(best) = best {
            self.tree.node(parent).set_value(-best);
        }
    }

    /// Selects a child: the one with the best value plus a bonus for few visits. Children that are
    /// proven to lose are not selected.
    fn select(&self, parent: usize) -> usize {
        let settings = self.settings;
        let node = self.tree.node(parent);
        let children = self.tree.children(parent);
        let explore = settings.exploration as f32 / 100.0;
        let visits = node.visits().max(1) as f32;
        let untried =
            (-node.sum() as f32 / visits) / RESULT_UNIT as f32 - settings.fpu as f32 / 100.0;
        let minimax = settings.minimax as f32 / 100.0;
        let value = |child: &Node, visits: u32| {
            let mean = match visits {
                0 => untried,
                visits => child.sum() as f32 / visits as f32 / RESULT_UNIT as f32,
            };
            if minimax == 0.0 {
                return mean;
            }
            (1.0 - minimax) * mean + minimax * child.value() as f32 / RESULT_UNIT as f32
        };
        let best = match settings.selection {
            Selection::Ucb1 => {
                let log = libm::logf(visits);
                best_of(children, |child| {
                    let visits = child.visits();
                    value(child, visits) + explore * (log / visits.max(1) as f32).sqrt()
                })
            }
            Selection::Puct => {
                let scale = explore * visits.sqrt();
                best_of(children, |child| {
                    let visits = child.visits();
                    value(child, visits) + scale * child.prior() / (1 + visits) as f32
                })
            }
        };
        node.children().start + best
    }
}

/// The search of one thread.
pub(super) struct Search<'s, 't> {
    pub(super) shared: &'s Shared<'t>,
    pub(super) traversal: &'s mut Traversal,
    /// The virtual loss of a running playout in the nodes on its path: visits, and the result
    /// subtracted from the mover.
    virtual_loss: (u32, i64),
}

impl<'s, 't> Search<'s, 't> {
    /// The search of a thread; `alone` if there is no other thread.
    pub(super) fn new(shared: &'s Shared<'t>, traversal: &'s mut Traversal, alone: bool) -> Self {
        let virtual_loss = if alone { (0, 0) } else { (1, i64::from(RESULT_UNIT)) };
        Search { shared, traversal, virtual_loss }
    }

    /// Runs one playout.
    pub(super) fn step(&mut self) {
        let shared = self.shared;
        let tree = &shared.tree;
        let game = self.traversal.line.len();
        self.traversal.path.clear();
        let mut here = ROOT;
        self.push_node(here);
        // 1. Selection: descend to a decided node or a leaf.
        while tree.node(here).is_open() && tree.node(here).is_expanded() {
            here = self.descend(here);
        }
        // 2. Expansion: a leaf with enough visits gets its children, and the playout descends to
        // one of them.
        let seen = tree.node(here).visits() - self.virtual_loss.0;
        if shared.grows
            && tree.node(here).is_open()
            && seen >= shared.settings.expansion
            && self.expand(here) == Expansion::Done
            && tree.node(here).is_open()
        {
            here = self.descend(here);
        }
        // 3. Evaluation, unless the value is known.
        let value = match tree.node(here).status() {
            ProofStatus::Open => self.evaluate(here),
            ProofStatus::Drawn => 0,
            ProofStatus::Win(_) => result(true),
            ProofStatus::Loss(_) => result(false),
        };
        // 4. Backup of the result, and of proofs as far as they reach.
        self.backup(value);
        shared.deepest.fetch_max(self.traversal.path.len() as u32 - 1, Relaxed);
        shared.drawn.fetch_add(u64::from(value == 0), Relaxed);
        self.traversal.line.truncate(game);
    }

    /// Adds a node to the path of the playout.
    fn push_node(&mut self, node: usize) {
        let (visits, loss) = self.virtual_loss;
        if visits > 0 {
            self.shared.tree.node(node).add(visits, -loss);
        }
        self.traversal.path.push(node);
    }

    /// Descends to the selected child.
    fn descend(&mut self, parent: usize) -> usize {
        let child = self.shared.select(parent);
        let effect = self.shared.tree.node(child).effect();
        let next = self.traversal.position().apply_unchecked(effect);
        self.traversal.line.push(next);
        self.push_node(child);
        child
    }

    /// The result of an open leaf, at the end of the line, for its side to move, between plus and
    /// minus [`RESULT_UNIT`].
    fn evaluate(&mut self, leaf: usize) -> i32 {
        let Shared { rules, settings, endings, .. } = *self.shared;
        let Traversal { line, random, quiescence, .. } = &mut *self.traversal;
        let position = line.last().expect("a game has a position");
        if settings.leaf == Leaf::Evaluation {
            // The leaf may have been evaluated when its parent was expanded.
            return if settings.evaluates_moves() {
                -self.shared.tree.node(leaf).value()
            } else {
                quiescence.result(position, rules)
            };
        }
        let plies = line.len() as u32 - 1;
        let limit = rules.max_plies;
        let plies_left = if limit == 0 { u32::MAX } else { limit.saturating_sub(plies) };
        let known = |position: &Position| endings.result(position, rules);
        let Settings { playout, playout_length: length, .. } = *settings;
        let rollout = Rollout { rules, playout, length, plies_left };
        rollout.play_until_known(position, random, known)
    }

    /// Expands a leaf, and resolves its children as far as the rules and tables decide them.
    fn expand(&mut self, leaf: usize) -> Expansion {
        let shared = self.shared;
        let traversal = &mut *self.traversal;
        let position = *traversal.position();
        traversal.effects.clear();
        quiescence::add_effects(&position, shared.rules, &mut traversal.effects);
        traversal.evaluate_edges(shared.rules, shared.settings);
        let expansion = shared.tree.expand(leaf, &traversal.edges);
        match expansion {
            Expansion::Done => self.resolve_children(leaf),
            Expansion::Claimed => {}
            Expansion::NoRoom => shared.full.store(true, Relaxed),
        }
        expansion
    }

    /// Decides the children of a node that end the game or are in endgame tables, and then the node
    /// itself if possible.
    pub(super) fn resolve_children(&self, parent: usize) {
        let shared = self.shared;
        for child in shared.tree.children(parent) {
            let next = self.traversal.position().apply_unchecked(child.effect());
            let status = match shared.rules.ending(&next) {
                Some(ending) => match ending.winner {
                    Some(winner) if winner == next.side_to_move() => ProofStatus::Win(0),
                    Some(_) => ProofStatus::Loss(0),
                    None => ProofStatus::Drawn,
                },
                None if self.is_drawn(&next) => ProofStatus::Drawn,
                None => {
                    let played = self.traversal.line.len() as u32;
                    match shared.endings.status(&next, shared.rules, played) {
                        Some(status) => status,
                        None => continue,
                    }
                }
            };
            child.set_status(status);
            child.set_value(match status {
                ProofStatus::Win(_) => -RESULT_UNIT,
                ProofStatus::Loss(_) => RESULT_UNIT,
                ProofStatus::Open | ProofStatus::Drawn => 0,
            });
        }
        shared.prove(parent);
    }

    /// Whether repetition or a limit ends the game in a position that follows the line.
    fn is_drawn(&self, next: &Position) -> bool {
        let (line, rules) = (&self.traversal.line, self.shared.rules);
        let reached = |limit: u32, count: u32| limit > 0 && count >= limit;
        // A capture cannot be undone, so no earlier occurrence lies before the last one.
        let occurrences = || {
            let reach = next.quiet_plies() as usize;
            let past = line.iter().rev().take(reach).skip(1).step_by(2);
            1 + past.filter(|past| past.key() == next.key() && *past == next).count() as u32
        };
        reached(rules.quiet, next.quiet_plies())
            || reached(rules.max_plies, line.len() as u32)
            || rules.repetition > 0 && reached(rules.repetition, occurrences())
    }

    /// Adds a result, from the view of the side to move at the end of the path, to every node of
    /// the path.
    fn backup(&mut self, value: i32) {
        let (visits, loss) = self.virtual_loss;
        let shared = self.shared;
        let path = &self.traversal.path;
        let mut value = i64::from(value);
        let end = path.len() - 1;
        let mut proving = !shared.tree.node(path[end]).is_open();
        for at in (0..=end).rev() {
            let index = path[at];
            proving = proving && (at == end || shared.prove(index));
            if shared.settings.minimax > 0 {
                shared.refresh_value(index);
            }
            shared.tree.node(index).add(1 - visits, loss - value);
            value = -value;
        }
    }
}

/// Sorts the moves of a node, those that capture most first, each effect once.
fn arrange(effects: &mut Vec<Effect>) {
    effects.sort_unstable_by_key(|&effect| {
        (Reverse(effect.gain()), raw::from(effect), raw::to(effect), raw::captured(effect))
    });
    effects.dedup();
    effects.truncate(MAX_CHILDREN);
}

/// The index of the child with the highest value among those not proven to lose; the first of equal
/// ones.
fn best_of(children: &[Node], value: impl Fn(&Node) -> f32) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (index, child) in children.iter().enumerate() {
        if !matches!(child.status(), ProofStatus::Win(_)) {
            let value = value(child);
            if value > best.1 {
                best = (index, value);
            }
        }
    }
    best.0
}
