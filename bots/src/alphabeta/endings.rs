//! Values of search nodes from endgame tables.
//!
//! Most windows are decided by the outcome alone, which is quick to find: a won position is worth
//! at least [`promised_at`] its ply. The distance is read only where it matters, among wins or among
//! losses. Positions whose win may come too late for a limit of the game are searched like any other.
//!
//! A won or lost root in the tables is not searched, because the tables have the shortest win and
//! the longest resistance. At a drawn root, the search chooses among the moves that keep the draw,
//! and drawn positions are evaluated like any other: the search looks for a draw in which an enemy
//! without tables may still go wrong.

use fanorona_endgames::{Certainty, GameLimits, Outcome, ProbedMove};
use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{Effect, Game, Position, Ruleset};

use super::value::{DRAW, lost_at, promised_at};
use crate::bot::Observer;
use crate::endgame_option::SearchTables;
use crate::endgame_probe::EndgameProbe;

/// The tables of a search.
pub(super) struct Endings<'s> {
    probe: EndgameProbe,
    rules: &'s Ruleset,
    limits: GameLimits,
    /// Plies of the game before the root.
    played: u32,
    /// Whether drawn positions are answered.
    draws: bool,
}

impl<'s> Endings<'s> {
    pub(super) fn new(tables: Option<SearchTables>, game: &'s Game) -> Endings<'s> {
        let (rules, played) = (game.rules(), game.history().plies());
        let limits = GameLimits::new(rules);
        Endings { probe: EndgameProbe::new(tables), rules, limits, played, draws: true }
    }

    /// The number of positions found so far; `None` without tables.
    pub(super) fn hits(&self) -> Option<u64> {
        self.probe.hits()
    }

    /// The value of a node, or a bound outside of the window; `None` when the node must be searched.
    #[inline]
    pub(super) fn value(
        &self,
        position: &Position,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> Option<i32> {
        match self.probe.covers(position) {
            true => self.look_up(position, alpha, beta, ply),
            false => None,
        }
    }

    fn look_up(&self, position: &Position, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let outcome = self.probe.outcome(position, self.rules)?;
        let played = self.played + ply as u32;
        let in_time = self.limits.leave(self.probe.longest_loss(), position, played);
        let promised = promised_at(ply);
        match outcome {
            Outcome::Draw => return self.draws.then_some(DRAW),
            Outcome::Win if in_time && promised >= beta => return Some(promised),
            Outcome::Loss if in_time && -promised <= alpha => return Some(-promised),
            Outcome::Win | Outcome::Loss => {}
        }
        match self.probe.decisive_value(position, self.rules, played)? {
            Value::Win(plies) => Some(-lost_at(ply + plies as usize)),
            Value::Loss(plies) => Some(lost_at(ply + plies as usize)),
            Value::Draw => None,
        }
    }

    /// The values of the root's moves, the best first; `None` unless the tables know all of them.
    /// From a drawn root on, drawn positions are no longer answered.
    pub(super) fn root_moves(
        &mut self,
        game: &Game,
        effects: impl IntoIterator<Item = Effect>,
    ) -> Option<Vec<ProbedMove>> {
        let mut probed = self.probe.root_moves(game, effects)?;
        probed.sort_by_key(|mv| std::cmp::Reverse(mv.rank()));
        self.draws = probed[0].value != Value::Draw;
        Some(probed)
    }

    /// The continuation of a game after a move when both sides play by the tables, for some plies.
    pub(super) fn line(&self, game: &Game, effect: Effect) -> Vec<Effect> {
        self.probe.line(game, effect)
    }

    /// The value of a root move; `None` when its win or loss may be prevented or delayed.
    pub(super) fn root_value(mv: &ProbedMove) -> Option<i32> {
        match (mv.value, mv.certainty) {
            (Value::Draw, _) | (_, Certainty::Repeated) => Some(DRAW),
            (Value::Win(plies), Certainty::Exact) => Some(-lost_at(plies as usize)),
            (Value::Loss(plies), Certainty::Exact) => Some(lost_at(plies as usize)),
            (_, Certainty::Delayed | Certainty::Open) => None,
        }
    }

    /// Reports a damaged table to the manager.
    pub(super) fn report_failure(&self, observer: &mut dyn Observer) {
        self.probe.report_failure(observer);
    }
}
