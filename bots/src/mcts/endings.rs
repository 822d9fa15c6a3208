//! Values of tree nodes from endgame tables.
//!
//! The tables decide every node that they know, and a playout ends at such a position. A won or lost
//! root is not searched, because the tables have the shortest win and the longest resistance. At a
//! drawn root, the search chooses among the moves that keep the draw, and drawn positions stay open:
//! the search prefers the draw in which an enemy without tables is likeliest to go wrong.

use fanorona_endgames::{Certainty, Outcome, ProbedMove};
use fanorona_protocol::messages::{Score, Value, Wdl};
use fanorona_protocol::rules::{Effect, Move, Position, Ruleset};

use super::playout::result;
use super::tree::ProofStatus;
use crate::bot::{Observer, RootMove, Task, effort, moves_of_line};
use crate::endgame_option::SearchTables;
use crate::endgame_probe::EndgameProbe;

/// The tables of a search.
#[derive(Default)]
pub(super) struct Endings {
    probe: EndgameProbe,
    /// Whether drawn positions stay open.
    draws_open: bool,
}

/// The knowledge of the tables about the root.
pub(super) enum RootProbe {
    /// The root must be searched, over these of its moves.
    Open(Vec<RootMove>),
    /// The root is won or lost, and this is its best move.
    Settled(ProbedMove),
}

impl Endings {
    pub(super) fn new(tables: Option<SearchTables>) -> Endings {
        Endings { probe: EndgameProbe::new(tables), draws_open: false }
    }

    /// The number of positions found so far; `None` without tables.
    pub(super) fn hits(&self) -> Option<u64> {
        self.probe.hits()
    }

    /// Whether drawn positions stay open, as in a search from a drawn root.
    pub(super) fn draws_open(&self) -> bool {
        self.draws_open
    }

    /// The outcome of a position, without regard to the limits of the game; `None` for a draw that
    /// stays open.
    #[inline]
    fn outcome(&self, position: &Position, rules: &Ruleset) -> Option<Outcome> {
        if !self.probe.covers(position) {
            return None;
        }
        let outcome = self.probe.outcome(position, rules)?;
        Some(outcome).filter(|&outcome| !self.draws_open || outcome != Outcome::Draw)
    }

    /// The result of a playout that reaches a position in the tables, for the side to move.
    #[inline]
    pub(super) fn result(&self, position: &Position, rules: &Ruleset) -> Option<i32> {
        Some(match self.outcome(position, rules)? {
            Outcome::Win => result(true),
            Outcome::Draw => 0,
            Outcome::Loss => result(false),
        })
    }

    /// The status of a node after `played` plies of the game: a win or loss only if no limit may
    /// come before it.
    pub(super) fn status(
        &self,
        position: &Position,
        rules: &Ruleset,
        played: u32,
    ) -> Option<ProofStatus> {
        if self.outcome(position, rules)? == Outcome::Draw {
            return Some(ProofStatus::Drawn);
        }
        match self.probe.decisive_value(position, rules, played)? {
            Value::Win(plies) => Some(ProofStatus::Win(plies as u8)),
            Value::Loss(plies) => Some(ProofStatus::Loss(plies as u8)),
            Value::Draw => None,
        }
    }

    /// Probes the tables for the root.
    pub(super) fn probe_root(&mut self, task: &Task<'_>) -> RootProbe {
        let Task { game, moves, .. } = *task;
        let effects = moves.iter().map(|mv| mv.effect);
        let Some(probed) = self.probe.root_moves(game, effects) else {
            return RootProbe::Open(moves.to_vec());
        };
        // The first of equal moves.
        let best = probed.iter().rev().max_by_key(|mv| mv.rank()).expect("a task has moves");
        if best.value != Value::Draw {
            return RootProbe::Settled(*best);
        }
        self.draws_open = true;
        let drawn = moves.iter().zip(&probed).filter(|(_, probed)| probed.value == Value::Draw);
        RootProbe::Open(drawn.map(|(mv, _)| *mv).collect())
    }

    /// Reports a won or lost root and returns the move to play. `evaluation` is the score, in
    /// hundredths of a stone, if the win or loss may be prevented or delayed.
    pub(super) fn report(
        &self,
        task: &Task<'_>,
        best: &ProbedMove,
        evaluation: i32,
        observer: &mut dyn Observer,
    ) -> Move {
        let (score, wdl) = match (best.value, best.certainty) {
            (Value::Win(plies), Certainty::Exact) => (Score::Win(plies), Some((1000, 0))),
            (Value::Loss(plies), Certainty::Exact) => (Score::Loss(plies), Some((0, 1000))),
            (_, Certainty::Repeated) => (Score::Cp(0), None),
            _ => (Score::Cp(evaluation), None),
        };
        let pv = self.line(task, best.effect);
        observer.info({
            let mut report = effort(1, task.budget.elapsed());
            report.depth = Some(1);
            report.seldepth = Some(pv.len() as u32);
            report.score = Some(score);
            report.wdl = wdl.map(|(win, loss)| Wdl { win, draw: 0, loss });
            report.tbhits = self.hits();
            report.pv = pv;
            report
        });
        let mv = task.moves.iter().find(|mv| mv.effect == best.effect);
        mv.expect("what was probed is a move of the task").mv
    }

    /// The continuation of a game after a move when both sides play by the tables.
    fn line(&self, task: &Task<'_>, effect: Effect) -> Vec<Move> {
        let line = self.probe.line(task.game, effect);
        moves_of_line(task.game.position(), task.game.rules(), &line)
    }

    /// Reports a damaged table to the manager.
    pub(super) fn report_failure(&self, observer: &mut dyn Observer) {
        self.probe.report_failure(observer);
    }
}
