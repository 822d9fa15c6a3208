//! The search: iterative deepening of a principal variation search.
//!
//! # Kinds of node
//!
//! A node is searched with a window `alpha..beta` of values that still matter. At a *principal*
//! node (`PV`) the window is open: its value may become the value of the root, so the search takes
//! no shortcuts there and keeps its line. At all other nodes the window is empty, `beta == alpha +
//! 1`, and the only question is on which side of it the value lies. Most of them fail high on their
//! first move or fail low on all of them. The first move of a principal node leads to a principal
//! node. The other moves are searched with an empty window, and only those that beat it are
//! searched again as principal nodes.
//!
//! # What the shortcuts assume
//!
//! Captures are compulsory and no side may pass. So each shortcut of other games has to be asked what
//! it assumes; `compulsion` tests the answers.
//!
//! - *Standing pat* below the horizon, where only captures are searched (quiescence), assumes that a
//!   side may decline to capture. It may not. The search lets it, because forced exchanges would go on
//!   far below every horizon, and their ends would decide the values. Only a debtor in phase one of a
//!   vela may not, because nothing else happens there.
//! - *Reverse futility pruning* assumes that a lead stays while its side waits. Stones that a side has
//!   to capture can be an offer that leaves its own stones open, so a node is pruned only where neither
//!   side can capture. Where every move loses (zugzwang) even that is wrong, within its few plies.
//! - *Razoring* assumes that only captures help a side far behind. An offer helps, too: within its
//!   depth, such a side does not see its own.
//! - *Late moves* assumes that good moves come first. An offer can come late. A capture is reduced like
//!   other moves but never left out, and nothing is where all moves so far lose.
//! - *ProbCut* assumes that a capture that wins in a shallower search wins in a deeper one. Where it
//!   tries captures, the side has no other moves.
//! - A *null move* is a pass, so there is none: where a side can capture, a pass changes too much, in
//!   zugzwang it saves what is lost, and elsewhere its gain is too small to show in games by time
//!   (STRENGTH.md).
//! - *Static exchange* assumes that each side may stop exchanging on a point. Here a capture takes a
//!   line and opens others, so all captures are searched, the largest first.
//!
//! In phase one of a vela nothing is pruned, because stones must be given away there and mean little.
//!
//! A `stopped` search returns meaningless values. Only the results that the root had before count.

use fanorona_protocol::messages::{Info, Value};
use fanorona_protocol::rules::{Effect, Game, Move, Position, Ruleset};

use super::endings::Endings;
use super::line::PvTable;
use super::order::{self, Candidates};
use super::parameters::{self, Kind};
use super::search_stack::{NEAR_LIMIT, SearchStack};
use super::settings::Settings;
use super::shared::SharedSearch;
use super::table::{Bound, Entry, MoveKey, TranspositionTable};
use super::value::{
    DECIDED, DRAW, INFINITE, MAX_PLY, PROVEN, distance, from_here, from_root, is_proven, lost_at,
    score,
};
use crate::bot::{Observer, Task, effort, moves_of_line};
use crate::budget::Budget;
use crate::endgame_option::SearchTables;
use crate::evaluation::{Evaluator, Method};

/// The maximum depth; leaves room for extensions and captures below the horizon.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 28;

/// The depth of a search with a single legal move under a clock: enough for a score.
const FORCED_DEPTH: u32 = 4;

/// Nodes between two looks at the clock; a power of two.
const CLOCK_NODES: u64 = 1024;

/// The plies that the search of ProbCut leaves out, the move itself among them.
const PROBCUT_REDUCTION: i32 = 4;

/// The first iteration with an aspiration window.
const ASPIRATION_DEPTH: u32 = 4;

/// A window wider than this to one side is opened fully on that side.
const ASPIRATION_LIMIT: i32 = 1000;

/// The reduction of a late move in plies.
#[cfg(feature = "tune")]
fn late_move_reduction(kind: Kind, depth: i32, before: usize) -> i32 {
    let product = (depth.min(63) as u32).pow(4).ilog2() * (before.min(63) as u32).pow(4).ilog2();
    (product / parameters::lmr_divisor(kind) as u32) as i32
}

/// The reduction of a late move in plies.
#[cfg(not(feature = "tune"))]
#[inline]
fn late_move_reduction(kind: Kind, depth: i32, before: usize) -> i32 {
    i32::from(LMR_TABLES[kind as usize][depth.min(63) as usize][before.min(63)])
}

/// The reductions of late moves in plies, by kind of game, depth and number of moves before.
#[cfg(not(feature = "tune"))]
static LMR_TABLES: [[[i8; 64]; 64]; 2] = [lmr_table(Kind::Riatra), lmr_table(Kind::Vela)];

/// The table of a kind of game; both logarithms in quarters.
#[cfg(not(feature = "tune"))]
const fn lmr_table(kind: Kind) -> [[i8; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut depth = 1u32;
    while depth < 64 {
        let mut moves = 1u32;
        while moves < 64 {
            let product = depth.pow(4).ilog2() * moves.pow(4).ilog2();
            table[depth as usize][moves as usize] =
                (product / parameters::lmr_divisor(kind) as u32) as i8;
            moves += 1;
        }
        depth += 1;
    }
    table
}

/// Whether a move is a paika that comes so late after others that it is unlikely to be the best. A side
/// whose evaluation is falling has less to expect from it.
#[inline]
fn is_late(kind: Kind, effect: Effect, depth: i32, searched: usize, improving: bool) -> bool {
    let enough = parameters::lmp_base(kind) + parameters::lmp_square(kind) * depth * depth;
    let enough = (enough / 10) as usize;
    let enough = if improving { enough } else { enough / 2 };
    !effect.is_capture() && depth <= parameters::lmp_depth() && searched >= enough
}

/// The state that a thread keeps from search to search, besides the table.
pub(super) struct ThreadState {
    order: order::MoveHistory,
    candidates: Candidates,
    lines: PvTable,
}

impl ThreadState {
    pub(super) fn new() -> ThreadState {
        ThreadState {
            order: order::MoveHistory::new(),
            candidates: Candidates::new(),
            lines: PvTable::new(),
        }
    }

    /// Clears the state.
    pub(super) fn clear(&mut self) {
        self.order.clear();
    }

    /// Starts a new search in a game of this kind.
    pub(super) fn age(&mut self, kind: Kind) {
        self.order.age(kind);
        self.candidates.clear();
    }
}

/// A move of the root, which stands for all paths with its effect, and its line.
struct RootLine {
    /// The first path with this effect.
    mv: Move,
    effect: Effect,
    /// The value when it last was the best move.
    value: i32,
    /// The nodes searched below it.
    nodes: u64,
    /// The line that begins with it.
    line: Vec<Effect>,
}

/// The result of one thread.
pub(super) struct SearchResult {
    mv: Move,
    value: i32,
    line: Vec<Effect>,
    /// The last completed iteration.
    depth: u32,
}

impl SearchResult {
    /// Whether to prefer this result to another thread's: a proven win first, otherwise the larger
    /// depth.
    pub(super) fn is_better_than(&self, other: &SearchResult) -> bool {
        if self.value.max(other.value) >= PROVEN {
            self.value > other.value
        } else {
            self.depth > other.depth
        }
    }

    /// The move to play.
    pub(super) fn mv(&self) -> Move {
        self.mv
    }

    /// The report of this result after a number of nodes.
    pub(super) fn info(&self, task: &Task<'_>, nodes: u64) -> Info {
        let mut report = effort(nodes, task.budget.elapsed());
        report.depth = Some(self.depth);
        report.score = Some(score(self.value));
        report.pv = moves_of_line(task.game.position(), task.game.rules(), &self.line);
        report
    }
}

/// The search of one thread.
pub(super) struct Search<'s> {
    game: &'s Game,
    position: Position,
    kind: Kind,
    rules: &'s Ruleset,
    budget: &'s Budget,
    settings: &'s Settings,
    evaluation: Evaluator,
    table: &'s TranspositionTable,
    memory: &'s mut ThreadState,
    shared: &'s SharedSearch,
    /// The number of the thread; 0 leads.
    thread: usize,
    endings: Endings<'s>,
    stack: SearchStack,
    /// The root moves, the best first as far as they have been searched.
    roots: Vec<RootLine>,
    nodes: u64,
    /// The node limit of this thread, given the last known node counts of the others.
    node_limit: u64,
    /// The length of the longest line searched in this iteration, in plies.
    seldepth: usize,
    depth: u32,
    stopped: bool,
    /// The evaluations of the nodes on the current path, by ply.
    evaluations: [i32; MAX_PLY],
}

impl<'s> Search<'s> {
    pub(super) fn new(
        task: &'s Task<'_>,
        settings: &'s Settings,
        tables: Option<SearchTables>,
        table: &'s TranspositionTable,
        memory: &'s mut ThreadState,
        shared: &'s SharedSearch,
        thread: usize,
    ) -> Search<'s> {
        let position = *task.game.position();
        let mut roots: Vec<RootLine> = Vec::new();
        for &root in task.moves {
            if roots.iter().all(|known| known.effect != root.effect) {
                let (mv, effect) = (root.mv, root.effect);
                roots.push(RootLine { mv, effect, value: 0, nodes: 0, line: vec![effect] });
            }
        }
        // Sort by captures, so that a search stopped at once still has a sensible move.
        roots.sort_by_key(|root| std::cmp::Reverse(root.effect.gain()));
        let method = if settings.plain { Method::Material } else { settings.evaluation };
        let size = position.board().size();
        let evaluation = Evaluator::new(method, settings.network.as_ref(), size, MAX_PLY + 1);
        Search {
            game: task.game,
            position,
            kind: Kind::from_position(&position),
            rules: task.game.rules(),
            budget: task.budget,
            settings,
            evaluation,
            table,
            memory,
            shared,
            thread,
            endings: Endings::new(tables, task.game),
            stack: SearchStack::new(task.game),
            roots,
            nodes: 0,
            node_limit: task.budget.nodes().unwrap_or(u64::MAX).min(settings.skill.nodes()),
            seldepth: 0,
            depth: 0,
            stopped: task.budget.is_over(),
            evaluations: [0; MAX_PLY],
        }
    }

    /// Iterative deepening until a limit ends it; reports the results.
    pub(super) fn lead(mut self, observer: &mut dyn Observer) -> SearchResult {
        let lines = self.settings.lines.min(self.roots.len());
        if self.probe_root(lines) {
            self.report(lines, observer);
            self.shared.publish(self.thread, self.nodes);
            return self.result();
        }
        let clock = self.budget.soft().is_some();
        let mut most = self.budget.depth().unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        if clock && self.roots.len() == 1 {
            most = most.min(FORCED_DEPTH);
        }
        let (mut steady, mut reported) = (0, false);
        while !self.stopped && self.depth < most {
            self.depth += 1;
            self.seldepth = 0;
            let (before, value) = (self.roots[0].effect, self.roots[0].value);
            for line in 0..lines {
                self.deepen(line);
                if self.stopped {
                    break;
                }
                self.roots[..=line].sort_by_key(|root| std::cmp::Reverse(root.value));
            }
            let best = &self.roots[0];
            steady = if best.effect == before { steady + 1 } else { 0 };
            if !self.stopped || best.effect != before {
                self.report(lines, observer);
                reported = true;
            }
            let settled =
                |root: &RootLine| is_proven(root.value) && distance(root.value) <= self.depth;
            let drop = if self.depth > 1 { value - self.roots[0].value } else { 0 };
            if self.roots[..lines].iter().all(settled) || self.should_stop(steady, drop) {
                break;
            }
        }
        if !reported {
            // The search ended before it had a result: report the static evaluation.
            self.roots[0].value = self.evaluation.value(&self.position, 0);
            self.report(1, observer);
        }
        self.endings.report_failure(observer);
        self.shared.publish(self.thread, self.nodes);
        self.result()
    }

    /// Iterative deepening until the leader has ended, to fill the table and to find a better
    /// result.
    pub(super) fn assist(mut self) -> SearchResult {
        if self.probe_root(1) {
            return self.result();
        }
        let most = self.budget.depth().unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        // Every second thread is a ply ahead, so that the threads search different trees.
        self.depth = self.thread as u32 % 2;
        while !self.stopped && self.depth < most {
            self.depth += 1;
            self.deepen(0);
        }
        self.shared.publish(self.thread, self.nodes);
        self.result()
    }

    fn result(mut self) -> SearchResult {
        let depth = if self.stopped { self.depth.saturating_sub(1) } else { self.depth };
        let RootLine { mv, value, line, .. } = self.roots.swap_remove(0);
        SearchResult { mv, value, line, depth }
    }

    /// Probes the tables at the root. Returns whether they decide it, and then ranks its moves. At
    /// a drawn root it keeps only the moves that keep the draw (more if more lines are requested),
    /// and the search goes on.
    fn probe_root(&mut self, lines: usize) -> bool {
        let effects: Vec<_> = self.roots.iter().map(|root| root.effect).collect();
        let Some(probed) = self.endings.root_moves(self.game, effects) else { return false };
        self.roots.sort_by_key(|root| probed.iter().position(|mv| mv.effect == root.effect));
        if probed[0].value == Value::Draw {
            let draws = probed.iter().filter(|mv| mv.value == Value::Draw).count();
            self.roots.truncate(draws.max(lines));
            return false;
        }
        let static_eval = self.evaluation.value(&self.position, 0);
        for (root, mv) in self.roots.iter_mut().zip(&probed).take(lines) {
            root.value = Endings::root_value(mv).unwrap_or(static_eval);
            root.line = self.endings.line(self.game, mv.effect);
            self.seldepth = self.seldepth.max(root.line.len());
        }
        (self.depth, self.nodes) = (1, 1);
        true
    }

    /// Whether no further iteration should begin. `steady` is the number of iterations in which the
    /// best move has stayed the same, `drop` the drop of its value in the last iteration.
    fn should_stop(&self, steady: u32, drop: i32) -> bool {
        if self.budget.soft_nodes().is_some_and(|nodes| self.nodes >= nodes) {
            return true;
        }
        let Some((soft, hard)) = self.budget.soft().zip(self.budget.hard()) else { return false };
        let elapsed = self.budget.elapsed_after(self.nodes);
        if soft == hard {
            return elapsed >= hard;
        }
        let spent = self.roots[0].nodes * 100 / self.nodes.max(1);
        elapsed >= soft.mul_f64(time_factor(steady, drop, spent as u32))
    }

    fn report(&self, lines: usize, observer: &mut dyn Observer) {
        let elapsed = self.budget.elapsed();
        self.shared.publish(self.thread, self.nodes);
        let nodes = self.shared.nodes();
        for (index, root) in self.roots[..lines].iter().enumerate() {
            observer.info({
                let mut report = effort(nodes, elapsed);
                report.depth = Some(self.depth);
                report.seldepth = Some(self.seldepth as u32);
                report.multipv = (self.settings.lines > 1).then_some(index as u32 + 1);
                report.score = Some(score(root.value));
                report.hashfull = Some(self.table.fullness());
                report.tbhits = self.endings.hits();
                report.pv = moves_of_line(&self.position, self.rules, &root.line);
                report
            });
        }
    }

    /// Finds the best move of the root, without the first `line` moves, at the current depth. It
    /// starts with a window around the value of the previous iteration and widens it until the
    /// value is inside.
    fn deepen(&mut self, line: usize) {
        let expected = self.roots[line].value;
        let (mut alpha, mut beta, mut width) =
            (-INFINITE, INFINITE, parameters::aspiration_window(self.kind));
        let narrow = self.settings.aspiration && self.depth >= ASPIRATION_DEPTH;
        if narrow && !is_proven(expected) {
            (alpha, beta) = (expected - width, expected + width);
        }
        loop {
            let value = self.root(line, alpha, beta);
            if self.stopped {
                return;
            }
            if value <= alpha {
                alpha = if width > ASPIRATION_LIMIT { -INFINITE } else { value - width };
            } else if value >= beta {
                beta = if width > ASPIRATION_LIMIT { INFINITE } else { value + width };
            } else {
                return;
            }
            alpha = alpha.max(-INFINITE);
            beta = beta.min(INFINITE);
            width *= 3;
        }
    }

    /// Searches the moves of the root without the first `line` moves; the best one moves to the
    /// front of the rest.
    fn root(&mut self, line: usize, mut alpha: i32, beta: i32) -> i32 {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        let position = self.position;
        let depth = self.depth as i32;
        let mut best = -INFINITE;
        self.stack.rewind();
        for index in line..self.roots.len() {
            let effect = self.roots[index].effect;
            let child = position.apply_unchecked(effect);
            self.stack.push(&child);
            let before = self.nodes;
            let mut value = -INFINITE;
            if index > line {
                let reduction = self.reduction(true, depth, index - line);
                value = -self.node::<false>(&child, -alpha - 1, -alpha, depth - 1 - reduction, 1);
                if value > alpha && reduction > 0 {
                    value = -self.node::<false>(&child, -alpha - 1, -alpha, depth - 1, 1);
                }
            }
            if index == line || value > alpha {
                value = -self.node::<true>(&child, -beta, -alpha, depth - 1, 1);
            }
            if self.stopped {
                return best;
            }
            self.stack.pop();
            self.roots[index].nodes += self.nodes - before;
            best = best.max(value);
            if value > alpha {
                alpha = value;
                let root = &mut self.roots[index];
                root.value = value;
                root.line.clear();
                root.line.push(effect);
                root.line.extend_from_slice(self.memory.lines.line(1));
                self.roots[line..=index].rotate_right(1);
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The value of a node, bounded by the window.
    fn node<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
    ) -> i32 {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(PV || beta == alpha + 1);

        // 1. Count the node, and stop at a limit.
        if !self.count_node(ply) {
            return 0;
        }
        if PV {
            self.memory.lines.clear(ply);
        }

        // 2. A draw by repetition or by a limit, unless the stones decide the position.
        if self.stack.is_draw(position) {
            return self.terminal_value(position, ply);
        }

        // 3. The endgame tables.
        if let Some(value) = self.endings.value(position, alpha, beta, ply) {
            return value;
        }

        // 4. Quiescence at the horizon.
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return self.quiesce(position, alpha, beta, ply, 0);
        }

        // 5. Mate distance pruning: no line from here is worse than having lost now, or better than
        // winning with the next move.
        alpha = alpha.max(lost_at(ply));
        beta = beta.min(-lost_at(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let side = position.side_to_move();
        let enemies = position.board().count(!side);
        let (mut eval, mut improving) = (0, false);
        if self.prunes() {
            eval = self.evaluate(position, ply);
            improving =
                parameters::improving() == 0 || ply >= 2 && eval > self.evaluations[ply - 2];
            self.evaluations[ply] = eval;
        }
        // 6. The transposition table.
        let key = self.stack.table_key(position, 0);
        let known = if self.settings.table { self.table.get(key) } else { None };
        if let Some(entry) = known
            && !PV
            && entry.depth >= depth
            && let Some(value) = decides(entry, alpha, beta, ply)
        {
            return value;
        }

        // 7. Prune shallow nodes far outside of the window.
        let prunes = self.prunes()
            && !PV
            && alpha > -DECIDED
            && beta < DECIDED
            && enemies > 0
            && !position.is_vela_phase_one();
        if prunes {
            // Reverse futility pruning: the lead is large and neither side can capture, so a few
            // plies will not change it.
            if depth <= parameters::rfp_depth()
                && eval - parameters::rfp_margin(self.kind) * (depth - i32::from(improving)) >= beta
                && position.board().capturing(!side).is_empty()
                && (!position.has_capture() || parameters::rfp_forced() == 1)
                && position.has_move(self.rules)
            {
                return (eval + beta) / 2;
            }
            // Razoring: only captures could help, so search only these.
            if depth <= parameters::razor_depth()
                && eval
                    + parameters::razor_base(self.kind)
                    + parameters::razor_ply(self.kind) * depth
                    <= alpha
            {
                let value = self.quiesce(position, alpha, beta, ply, 0);
                if value <= alpha || self.stopped {
                    return value;
                }
            }
        }

        // 8. ProbCut: a capture that beats the window by a margin in a shallower search is taken to
        // beat it in a full one (Buro 1995).
        if prunes
            && depth >= parameters::probcut_depth()
            && let Some(value) = self.probcut(position, known, beta, depth, ply)
        {
            return value;
        }

        // 9. Generate the moves; without a move the game is over.
        let mut moves = self.memory.candidates.generate(position, self.rules);
        let count = self.memory.candidates.count(&moves);
        if count == 0 {
            return self.terminal_value(position, ply);
        }
        let remembered = known.and_then(|entry| entry.mv);

        // 10. Extend a single legal move: searching it costs little.
        let only = count == 1 && ply < 2 * self.depth as usize;
        let extends = self.reduces() && parameters::only_move_extension() == 1;
        let below = if only && extends { depth } else { depth - 1 };

        let (mut best, mut best_move) = (-INFINITE, None);
        let mut searched = 0;
        let before = alpha;
        loop {
            let ThreadState { candidates, order, .. } = &mut *self.memory;
            let rank = |effect| order.rank(side, effect);
            let Some(effect) = candidates.next(&mut moves, remembered, rank) else { break };

            // 11. Late move pruning at shallow depth, unless all moves searched so far lose.
            if prunes
                && searched > 0
                && best > -DECIDED
                && is_late(self.kind, effect, depth, searched, improving)
            {
                continue;
            }
            let child = position.apply_unchecked(effect);
            self.stack.push(&child);
            self.table.prefetch(self.stack.table_key(&child, 0));
            if searched > 0
                && depth > 1
                && let Some(next) = self.memory.candidates.peek(&mut moves)
            {
                let other = position.apply_unchecked(next);
                self.table.prefetch(self.stack.table_key(&other, 0));
            }

            // 12. Search the first move with the full window, all others with an empty window, and
            // late ones first at reduced depth.
            let mut value = -INFINITE;
            if searched > 0 {
                let reduction = self.reduction(PV, depth, searched).min(below - 1).max(0);
                value = -self.node::<false>(&child, -alpha - 1, -alpha, below - reduction, ply + 1);
                if value > alpha && reduction > 0 {
                    value = -self.node::<false>(&child, -alpha - 1, -alpha, below, ply + 1);
                }
            }
            if searched == 0 && !PV {
                value = -self.node::<false>(&child, -beta, -alpha, below, ply + 1);
            } else if PV && (searched == 0 || value > alpha) {
                value = -self.node::<true>(&child, -beta, -alpha, below, ply + 1);
            }
            if self.stopped {
                return 0;
            }
            self.stack.pop();
            searched += 1;

            // 13. Update the best move; stop at a cutoff.
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(effect);
                    if PV {
                        self.memory.lines.extend(ply, effect);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }

        // 14. Update the move history and the transposition table.
        if let Some(mv) = best_move
            && best >= beta
        {
            let ThreadState { candidates, order, .. } = &mut *self.memory;
            order.refuted(side, mv, candidates.picked(&moves), depth);
        }
        self.memory.candidates.drop(&moves);
        if self.settings.table {
            let bound = bound(best, before, beta);
            let mv = best_move.map(MoveKey::new);
            self.table.put(key, Entry { mv, value: from_here(best, ply), bound, depth });
        }
        best
    }

    /// The value of a node if one of its largest captures beats the window by the margin of ProbCut,
    /// first below the horizon and then in a search of [`PROBCUT_REDUCTION`] plies less. The value
    /// is at least `beta`, and meaningless if the search was stopped.
    fn probcut(
        &mut self,
        position: &Position,
        known: Option<Entry>,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        if !position.has_capture() {
            return None;
        }
        let margin = parameters::probcut_margin(self.kind).min(DECIDED - 1 - beta);
        let above = beta + margin;
        let below = depth - PROBCUT_REDUCTION;
        let fails = |entry: Entry| {
            entry.bound == Bound::Upper && entry.depth >= below && entry.value < above
        };
        if known.is_some_and(fails) {
            return None;
        }
        let remembered = known.and_then(|entry| entry.mv);
        let mut moves = self.memory.candidates.generate(position, self.rules);
        let rank = |effect: Effect| effect.gain() as i32;
        let mut found = None;
        for _ in 0..parameters::probcut_moves() {
            let next = self.memory.candidates.next(&mut moves, remembered, rank);
            let Some(effect) = next else { break };
            let child = position.apply_unchecked(effect);
            self.stack.push(&child);
            let mut value = -self.quiesce(&child, -above, 1 - above, ply + 1, 0);
            if value >= above {
                value = -self.node::<false>(&child, -above, 1 - above, below, ply + 1);
            }
            if self.stopped {
                return Some(0);
            }
            self.stack.pop();
            if value >= above {
                // A proven win needs no margin.
                found = Some(if value < DECIDED { value - margin } else { value });
                break;
            }
        }
        self.memory.candidates.drop(&moves);
        found
    }

    /// The value of a node `below` captures below the horizon, bounded by the window.
    fn quiesce(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        below: u32,
    ) -> i32 {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        // 1. The endgame tables, and the end of the game.
        if let Some(value) = self.endings.value(position, alpha, beta, ply) {
            return value;
        }
        let side = position.side_to_move();
        let enemies = position.board().count(!side);
        let debt = position.is_vela_phase_one();
        let forced = debt && position.debtor() == Some(side);
        let is_over = enemies == 0 || !position.has_move(self.rules);
        if is_over || self.stack.has_reached_max_plies(below) {
            return self.terminal_value(position, ply);
        }

        // 2. Stand pat. Only a debtor of phase one may not, because its captures are forced. The
        // test for captures comes last, because most nodes stand pat above beta.
        let mut best = -INFINITE;
        let last = !self.settings.quiescence || ply >= MAX_PLY - 1;
        if !forced || last {
            best = self.evaluate(position, ply);
            if best >= beta || debt && !forced || last || !position.has_capture() {
                return best;
            }
            alpha = alpha.max(best);
        } else if !position.has_capture() {
            return self.evaluate(position, ply);
        }

        // 3. The transposition table.
        let key = self.stack.table_key(position, below);
        let remembers =
            self.settings.table && !self.settings.plain && parameters::quiescence_table() == 1;
        let known = if remembers { self.table.get(key) } else { None };
        if let Some(entry) = known
            && beta == alpha + 1
            && let Some(value) = decides(entry, alpha, beta, ply)
        {
            return value;
        }

        // 4. Captures, the largest first.
        let remembered = known.and_then(|entry| entry.mv);
        let mut moves = self.memory.candidates.generate(position, self.rules);
        let mut best_move = None;
        let before = alpha;
        let rank = |effect: Effect| effect.gain() as i32;
        while let Some(effect) = self.memory.candidates.next(&mut moves, remembered, rank) {
            let child = position.apply_unchecked(effect);
            if !self.count_node(ply + 1) {
                return 0;
            }
            self.table.prefetch(self.stack.table_key(&child, below + 1));
            let value = -self.quiesce(&child, -beta, -alpha, ply + 1, below + 1);
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(effect);
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.memory.candidates.drop(&moves);

        // 5. Store the result.
        if remembers {
            let bound = bound(best, before, beta);
            let mv = best_move.map(MoveKey::new);
            self.table.put(key, Entry { mv, value: from_here(best, ply), bound, depth: 0 });
        }
        best
    }

    /// Counts a node at a ply; returns `false` when the search must stop.
    #[inline]
    fn count_node(&mut self, ply: usize) -> bool {
        if self.nodes >= self.node_limit {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes.is_multiple_of(CLOCK_NODES) {
            self.poll();
        }
        !self.stopped
    }

    /// Checks the clock and the other threads.
    #[cold]
    fn poll(&mut self) {
        self.shared.publish(self.thread, self.nodes);
        let limit = self.budget.nodes().unwrap_or(u64::MAX).min(self.settings.skill.nodes());
        if limit < u64::MAX {
            self.node_limit = limit.saturating_sub(self.shared.nodes() - self.nodes);
        }
        self.stopped |= self.shared.is_done() || self.budget.is_over();
    }

    /// The value of a position in which the game is over, by the stones or as a draw.
    #[cold]
    fn terminal_value(&self, position: &Position, ply: usize) -> i32 {
        match self.rules.ending(position).and_then(|ending| ending.winner) {
            None => DRAW,
            Some(winner) if winner == position.side_to_move() => -lost_at(ply),
            Some(_) => lost_at(ply),
        }
    }

    /// The static evaluation of a position at a ply.
    #[inline]
    fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let value = self.evaluation.value(position, ply);
        (value + self.settings.skill.error(position.key())).clamp(1 - DECIDED, DECIDED - 1)
    }

    /// Whether hopeless nodes and moves are pruned.
    fn prunes(&self) -> bool {
        self.settings.pruning && !self.settings.plain
    }

    /// Whether late moves are reduced and single moves extended.
    fn reduces(&self) -> bool {
        self.settings.reductions && !self.settings.plain
    }

    /// The reduction of a move, in plies, given the number of moves before it.
    #[inline]
    fn reduction(&self, pv: bool, depth: i32, before: usize) -> i32 {
        let few = before < parameters::lmr_moves() as usize;
        if !self.reduces() || depth < parameters::lmr_depth() || few {
            return 0;
        }
        (late_move_reduction(self.kind, depth, before) - i32::from(pv)).clamp(0, (depth - 2).max(0))
    }
}

/// The factor for the soft time of a move. It is smaller the longer the best move has stayed the
/// same, and the larger its share of all nodes (in per cent), because then it has no rival. It is
/// larger the further the value has dropped (in hundredths of a stone), because then a better move
/// is needed.
fn time_factor(steady: u32, drop: i32, spent: u32) -> f64 {
    if parameters::time_management() == 0 {
        return USUAL_TIME;
    }
    let steadiness = 1.25 - 0.12 * f64::from(steady.min(5));
    let worry = 1.0 + f64::from(drop.clamp(0, WORST_DROP)) / f64::from(WORST_DROP);
    let rivals = 1.5 - 0.9 * f64::from(spent.min(100)) / 100.0;
    steadiness * worry * rivals
}

/// The factor of every move when the management of time is switched off; a game then takes about as
/// many nodes as with it.
const USUAL_TIME: f64 = 0.77;

/// The drop of the value that doubles the time of a move.
const WORST_DROP: i32 = 200;

/// The kind of a node's value, given the best value of its moves.
#[inline]
fn bound(best: i32, alpha: i32, beta: i32) -> Bound {
    if best >= beta {
        Bound::Lower
    } else if best > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

/// The value that a table entry gives to a node, if it decides the window.
#[inline]
fn decides(entry: Entry, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
    // A limit of the game may come before such a distant win.
    if is_proven(entry.value) && distance(entry.value) > NEAR_LIMIT {
        return None;
    }
    let value = from_root(entry.value, ply);
    let known = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    known.then_some(value)
}

#[cfg(test)]
mod compulsion;

#[cfg(test)]
mod tests {
    use super::compulsion::within;
    use super::*;

    #[test]
    fn a_clear_move_takes_less_time_and_a_falling_value_more() {
        let usual = time_factor(3, 0, 60);
        assert!((0.7..1.0).contains(&usual), "{usual}");
        assert!(time_factor(5, 0, 95) < 0.6 * usual);
        assert!(time_factor(0, 0, 30) > 1.3 * usual);
        assert!(time_factor(3, 150, 60) > 1.5 * usual);
        assert_eq!(time_factor(3, -150, 60), usual);
        assert_eq!(time_factor(50, 5000, 100), time_factor(5, WORST_DROP, 100));
    }

    /// The result of ProbCut at the root of a search without a time limit.
    fn probcut(text: &str, known: Option<Entry>, beta: i32, depth: i32) -> Option<i32> {
        within(text, |search| {
            let position = search.position;
            search.probcut(&position, known, beta, depth, 0)
        })
    }

    #[test]
    fn probcut_prunes_only_after_a_capture_that_beats_the_window_by_the_margin() {
        // White can capture the last stone: a proven win is not lowered by the margin.
        assert_eq!(probcut("5/5/W1b2/5/5 w", None, 0, 5), Some(-lost_at(1)));
        // Without a capture there is nothing to try, however low the window is.
        assert_eq!(probcut("b4/5/5/WWWWW/WWWWW w", None, -2000, 5), None);

        // White captures a stone and is far ahead.
        let ahead = "b3b4/b5b2/4W1b2/WWW3WWW/WWWW1WWWW w";
        let value = probcut(ahead, None, 200, 5).expect("a lead of more than two stones");
        assert!((200..DECIDED).contains(&value), "{value}");
        let margin = parameters::probcut_margin(Kind::Riatra);
        assert_eq!(probcut(ahead, None, 6000, 5), None, "no lead of sixty stones");
        // The table says that a search of one ply did not reach the margin; less than one ply, or
        // a bound from below, says nothing.
        let known = Entry { mv: None, value: 200 + margin - 1, bound: Bound::Upper, depth: 1 };
        assert_eq!(probcut(ahead, Some(known), 200, 5), None);
        for open in [Entry { depth: 0, ..known }, Entry { bound: Bound::Lower, ..known }] {
            assert_eq!(probcut(ahead, Some(open), 200, 5), Some(value), "{open:?}");
        }
    }
}
