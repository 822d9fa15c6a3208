//! What endgame tables say of the positions of a search.
//!
//! Most windows are decided by the outcome alone, which is quick to find: a won position is worth
//! at least [`promised_at`] its ply. Only where it has to be known how soon, among wins or among
//! losses, the plies are asked for. Positions whose win may come too late for a limit of the game
//! are searched like any other.
//!
//! A root that the tables know is not searched when it is won or lost: the shortest win and the
//! longest resistance are there. When it is drawn, the search chooses among the moves that keep the
//! draw, and draws are left to the evaluation: it has to be a good draw, in which an enemy who
//! does not know the tables may yet go wrong.

use std::sync::Arc;

use fanorona_endgames::{
    FileError, GameLimits, JudgedMove, Outcome, Tables, judge_moves, perfect_line,
};
use fanorona_protocol::messages::{Info, Value};
use fanorona_protocol::rules::{Effect, History, Position, Ruleset, Side};

use super::value::{DRAW, lost_at, promised_at};
use crate::bot::Observer;

/// The tables of a search.
pub(super) struct Endings<'s> {
    tables: Option<Arc<Tables>>,
    /// The most stones they know; 0 without tables.
    stones: u32,
    rules: &'s Ruleset,
    limits: GameLimits,
    /// Plies played before the root.
    played: u32,
    /// Whether draws are answered, too.
    draws: bool,
    hits: u64,
    /// Why the tables are no longer asked.
    failure: Option<FileError>,
}

impl<'s> Endings<'s> {
    pub(super) fn new(
        tables: Option<Arc<Tables>>,
        game: &History,
        rules: &'s Ruleset,
    ) -> Endings<'s> {
        let stones = tables.as_ref().map_or(0, |tables| tables.stones() as u32);
        let (limits, played) = (GameLimits::of(rules), game.plies());
        Endings { tables, stones, rules, limits, played, draws: true, hits: 0, failure: None }
    }

    /// Positions found so far; `None` without tables.
    pub(super) fn hits(&self) -> Option<u64> {
        (self.stones > 0).then_some(self.hits)
    }

    /// The value of a node, or a bound that lies on a side of the window; `None` where it has to be
    /// searched.
    #[inline]
    pub(super) fn value(
        &mut self,
        position: &Position,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> Option<i32> {
        let board = position.board();
        match board.count(Side::White) + board.count(Side::Black) <= self.stones {
            true => self.look_up(position, alpha, beta, ply),
            false => None,
        }
    }

    fn look_up(&mut self, position: &Position, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let tables = self.tables.as_deref()?;
        let outcome = tables.outcome(position, self.rules)?;
        self.hits += 1;
        let played = self.played + ply as u32;
        let in_time = |plies| self.limits.leave(plies, position, played);
        let soon = in_time(tables.longest() + 1);
        let promised = promised_at(ply);
        match outcome {
            Outcome::Draw => return self.draws.then_some(DRAW),
            Outcome::Win if soon && promised >= beta => return Some(promised),
            Outcome::Loss if soon && -promised <= alpha => return Some(-promised),
            Outcome::Win | Outcome::Loss => {}
        }
        match tables.value(position, self.rules) {
            Ok(Value::Win(plies)) if in_time(plies) => Some(-lost_at(ply + plies as usize)),
            Ok(Value::Loss(plies)) if in_time(plies) => Some(lost_at(ply + plies as usize)),
            Ok(_) => None,
            Err(error) => {
                self.disable(error);
                None
            }
        }
    }

    /// What the moves of the root are worth, the best first; `None` unless the tables know all. In
    /// a search that goes on from a drawn root, draws are no longer answered.
    pub(super) fn judge_root(
        &mut self,
        game: &History,
        effects: impl IntoIterator<Item = Effect>,
    ) -> Option<Vec<JudgedMove>> {
        let tables = self.tables.as_deref()?;
        tables.outcome(game.position(), self.rules)?;
        match judge_moves(tables, game, self.rules, effects) {
            Ok(judged) => {
                let mut judged = judged?;
                self.hits += judged.len() as u64;
                judged.sort_by_key(|mv| std::cmp::Reverse(mv.rank()));
                self.draws = judged[0].value != Value::Draw;
                Some(judged)
            }
            Err(error) => {
                self.disable(error);
                None
            }
        }
    }

    /// How a game goes on in which both sides play by the tables after a move, for some plies.
    pub(super) fn line(&mut self, game: &History, effect: Effect) -> Vec<Effect> {
        let line =
            self.tables.as_deref().map(|tables| perfect_line(tables, game, self.rules, effect));
        match line {
            Some(Ok(line)) => line,
            Some(Err(error)) => {
                self.disable(error);
                vec![effect]
            }
            None => vec![effect],
        }
    }

    /// The value of a move of the root; `None` when its win or loss may come too late.
    pub(super) fn root_value(mv: &JudgedMove) -> Option<i32> {
        match (mv.value, mv.certain) {
            (Value::Win(plies), true) => Some(-lost_at(plies as usize)),
            (Value::Loss(plies), true) => Some(lost_at(plies as usize)),
            (Value::Win(_) | Value::Loss(_), false) => None,
            (Value::Draw | Value::Unknown, _) => Some(DRAW),
        }
    }

    fn disable(&mut self, error: FileError) {
        self.tables = None;
        self.failure = Some(error);
    }

    /// Tells of a table that turned out to be damaged.
    pub(super) fn report_failure(&mut self, observer: &mut dyn Observer) {
        if let Some(error) = self.failure.take() {
            observer.info(Info::text(format!("this move is played without tables: {error}")));
        }
    }
}
