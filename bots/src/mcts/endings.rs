//! What endgame tables say of the positions of a search.
//!
//! A node that the tables know is decided, and a playout that comes to such a position ends there. A
//! root that is won or lost is not searched at all: the shortest win and the longest resistance are
//! there. Of a drawn one the moves that keep the draw are searched, with draws left open, so that
//! among them the one is played in which an enemy who does not know the tables is likeliest to go
//! wrong.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use fanorona_endgames::{
    FileError, GameLimits, JudgedMove, Outcome, Tables, judge_moves, perfect_line,
};
use fanorona_protocol::messages::{Info, Score, Value, Wdl};
use fanorona_protocol::rules::{Effect, Move, Position, Ruleset, Side};

use super::playout::result;
use super::tree::ProofStatus;
use crate::bot::{Observer, RootMove, Task, effort};

/// The tables of a search; several threads may ask at once.
#[derive(Default)]
pub(super) struct Endings {
    tables: Option<Arc<Tables>>,
    /// The most stones they know; 0 without tables.
    stones: u32,
    /// Whether draws are left open.
    draws_open: bool,
    hits: AtomicU64,
    /// Why the tables are no longer asked.
    failure: OnceLock<FileError>,
}

/// What the tables say of a root.
pub(super) enum RootProbe {
    /// It has to be searched, over these of its moves.
    Open(Vec<RootMove>),
    /// It is won or lost, and this is the move to play.
    Settled(JudgedMove),
}

impl Endings {
    pub(super) fn new(tables: Option<Arc<Tables>>) -> Endings {
        let stones = tables.as_ref().map_or(0, |tables| tables.stones() as u32);
        Endings { tables, stones, ..Endings::default() }
    }

    /// Positions found so far; `None` without tables.
    pub(super) fn hits(&self) -> Option<u64> {
        (self.stones > 0).then(|| self.hits.load(Relaxed))
    }

    /// Whether draws are left open, as they are in a search that goes on from a drawn root.
    pub(super) fn draws_open(&self) -> bool {
        self.draws_open
    }

    /// What a position is worth whatever the limits of the game, if the tables know and may tell.
    #[inline]
    fn outcome(&self, position: &Position, rules: &Ruleset) -> Option<Outcome> {
        let board = position.board();
        if board.count(Side::White) + board.count(Side::Black) > self.stones {
            return None;
        }
        let tables = self.tables.as_deref().filter(|_| self.failure.get().is_none())?;
        let outcome = tables.outcome(position, rules)?;
        self.hits.fetch_add(1, Relaxed);
        Some(outcome).filter(|&outcome| !self.draws_open || outcome != Outcome::Draw)
    }

    /// What a playout that has come to a position is worth to the side to move, if the tables know.
    #[inline]
    pub(super) fn result(&self, position: &Position, rules: &Ruleset) -> Option<i32> {
        Some(match self.outcome(position, rules)? {
            Outcome::Win => result(true),
            Outcome::Draw => 0,
            Outcome::Loss => result(false),
        })
    }

    /// What is sure of a node after so many plies of the game: a win or loss only if it comes before
    /// every limit.
    pub(super) fn status(
        &self,
        position: &Position,
        rules: &Ruleset,
        played: u32,
    ) -> Option<ProofStatus> {
        if self.outcome(position, rules)? == Outcome::Draw {
            return Some(ProofStatus::Drawn);
        }
        let in_time = |plies: u32| GameLimits::of(rules).leave(plies, position, played);
        match self.tables.as_deref()?.value(position, rules) {
            Ok(Value::Win(plies)) if in_time(plies) => Some(ProofStatus::Win(plies as u8)),
            Ok(Value::Loss(plies)) if in_time(plies) => Some(ProofStatus::Loss(plies as u8)),
            Ok(_) => None,
            Err(error) => {
                // Only the first failure is told.
                let _ = self.failure.set(error);
                None
            }
        }
    }

    /// Looks at a root before it is searched.
    pub(super) fn probe_root(&mut self, task: &Task<'_>) -> RootProbe {
        let all = || RootProbe::Open(task.moves.to_vec());
        let Some(tables) = self.tables.as_deref() else { return all() };
        let Task { game, rules, moves, .. } = *task;
        if tables.outcome(game.position(), rules).is_none() {
            return all();
        }
        let effects = moves.iter().map(|mv| mv.effect);
        let judged = match judge_moves(tables, game, rules, effects) {
            Ok(Some(judged)) => judged,
            Ok(None) => return all(),
            Err(error) => {
                let _ = self.failure.set(error);
                return all();
            }
        };
        *self.hits.get_mut() += judged.len() as u64;
        // Of equals the first.
        let best = judged.iter().rev().max_by_key(|mv| mv.rank()).expect("a task has moves");
        if best.value != Value::Draw {
            return RootProbe::Settled(*best);
        }
        self.draws_open = true;
        let drawn = moves.iter().zip(&judged).filter(|(_, judged)| judged.value == Value::Draw);
        RootProbe::Open(drawn.map(|(mv, _)| *mv).collect())
    }

    /// Tells of a root that is won or lost, worth `standing` hundredths of a stone by evaluation; the
    /// move to play.
    pub(super) fn report(
        &self,
        task: &Task<'_>,
        best: &JudgedMove,
        evaluation: i32,
        observer: &mut dyn Observer,
    ) -> Move {
        let (score, wdl) = match (best.value, best.certain) {
            (Value::Win(plies), true) => (Score::Win(plies), Some((1000, 0))),
            (Value::Loss(plies), true) => (Score::Loss(plies), Some((0, 1000))),
            _ => (Score::Cp(evaluation), None),
        };
        let pv = self.line(task, best.effect);
        observer.info(Info {
            depth: Some(1),
            seldepth: Some(pv.len() as u32),
            score: Some(score),
            wdl: wdl.map(|(win, loss)| Wdl { win, draw: 0, loss }),
            tbhits: self.hits(),
            pv,
            ..effort(1, task.budget.elapsed())
        });
        let mv = task.moves.iter().find(|mv| mv.effect == best.effect);
        mv.expect("what was judged is a move of the task").mv
    }

    /// How a game goes on by the tables after a move.
    fn line(&self, task: &Task<'_>, effect: Effect) -> Vec<Move> {
        let tables = self.tables.as_deref();
        let line = tables.map(|tables| perfect_line(tables, task.game, task.rules, effect));
        // The move to play is known; that the rest cannot be read is told by the next search.
        let line = line.and_then(Result::ok).unwrap_or_else(|| vec![effect]);
        let (mut position, mut moves) = (*task.game.position(), Vec::new());
        for effect in line {
            let all = RootMove::all(&position, task.rules);
            moves.extend(all.iter().find(|mv| mv.effect == effect).map(|found| found.mv));
            position = position.play_unchecked(effect);
        }
        moves
    }

    /// Tells of a table that turned out to be damaged.
    pub(super) fn report_failure(&self, observer: &mut dyn Observer) {
        if let Some(error) = self.failure.get() {
            observer.info(Info::text(format!("this move is played without tables: {error}")));
        }
    }
}
