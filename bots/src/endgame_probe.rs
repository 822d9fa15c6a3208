//! Endgame tables during a search: the part that `alphabeta` and `mcts` share.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use fanorona_endgames::{
    FileError, GameLimits, Outcome, ProbedMove, Tables, perfect_line, probe_moves,
};
use fanorona_protocol::messages::{Info, Value};
use fanorona_protocol::rules::{Effect, Game, Position, Ruleset, Side};

use crate::bot::Observer;
use crate::endgame_option::SearchTables;

/// The tables of one search. Several threads may probe them at once.
///
/// After the first damaged table the probe answers nothing any more, so that the search goes on
/// without tables.
#[derive(Default)]
pub(crate) struct EndgameProbe {
    source: Option<SearchTables>,
    /// The tables of the source, from the first probe on.
    tables: OnceLock<Option<Arc<Tables>>>,
    /// The largest number of stones in the tables; 0 without tables.
    stones: u32,
    hits: AtomicU64,
    /// The error that ended probing.
    failure: OnceLock<FileError>,
}

impl EndgameProbe {
    pub(crate) fn new(source: Option<SearchTables>) -> EndgameProbe {
        let stones = source.as_ref().map_or(0, SearchTables::stones);
        EndgameProbe { source, stones, ..EndgameProbe::default() }
    }

    /// The number of positions found so far; `None` without tables.
    pub(crate) fn hits(&self) -> Option<u64> {
        (self.stones > 0).then(|| self.hits.load(Relaxed))
    }

    /// Whether a position has few enough stones for the tables. The test is cheap, so it stands in
    /// front of every probe.
    #[inline]
    pub(crate) fn covers(&self, position: &Position) -> bool {
        let board = position.board();
        board.count(Side::White) + board.count(Side::Black) <= self.stones
    }

    /// The tables, even if one of them is damaged.
    #[inline]
    fn all_tables(&self) -> Option<&Tables> {
        self.tables.get_or_init(|| self.source.as_ref()?.get()).as_deref()
    }

    /// The tables, unless one of them is damaged.
    #[inline]
    fn tables(&self) -> Option<&Tables> {
        self.all_tables().filter(|_| self.failure.get().is_none())
    }

    /// The outcome of a position that the tables cover, without regard to the limits of the game.
    #[inline]
    pub(crate) fn outcome(&self, position: &Position, rules: &Ruleset) -> Option<Outcome> {
        let outcome = self.tables()?.outcome(position, rules)?;
        self.hits.fetch_add(1, Relaxed);
        Some(outcome)
    }

    /// The length of the longest loss in the tables, in plies; 0 without tables.
    pub(crate) fn longest_loss(&self) -> u32 {
        self.all_tables().map_or(0, |tables| tables.longest() + 1)
    }

    /// The win or loss of a position, with its distance, after `played` plies of the game. `None`
    /// for a draw, and for a win or loss that a limit of the game may turn into a draw.
    pub(crate) fn decisive_value(
        &self,
        position: &Position,
        rules: &Ruleset,
        played: u32,
    ) -> Option<Value> {
        let value = self.readable(self.tables()?.value(position, rules))??;
        match value {
            Value::Win(plies) | Value::Loss(plies) => {
                GameLimits::new(rules).leave(plies, position, played).then_some(value)
            }
            Value::Draw => None,
        }
    }

    /// The values of the root's moves, in their order; `None` unless the tables know all of them.
    pub(crate) fn root_moves(
        &self,
        game: &Game,
        effects: impl IntoIterator<Item = Effect>,
    ) -> Option<Vec<ProbedMove>> {
        if !self.covers(game.position()) {
            return None;
        }
        let tables = self.tables()?;
        tables.outcome(game.position(), game.rules())?;
        let probed = self.readable(probe_moves(tables, game, effects))??;
        self.hits.fetch_add(probed.len() as u64, Relaxed);
        Some(probed)
    }

    /// The continuation of a game after a move when both sides play by the tables, for some plies.
    pub(crate) fn line(&self, game: &Game, effect: Effect) -> Vec<Effect> {
        let line = self.tables().map(|tables| perfect_line(tables, game, effect));
        line.and_then(|line| self.readable(line)).unwrap_or_else(|| vec![effect])
    }

    /// The result of reading a table. Remembers the first error, which ends probing.
    fn readable<T>(&self, read: Result<T, FileError>) -> Option<T> {
        read.map_err(|error| self.failure.set(error)).ok()
    }

    /// Reports a damaged table to the manager.
    pub(crate) fn report_failure(&self, observer: &mut dyn Observer) {
        if let Some(error) = self.failure.get() {
            observer.info(Info::text(format!("this move is played without tables: {error}")));
        }
    }
}
