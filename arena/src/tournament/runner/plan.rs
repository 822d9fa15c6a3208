//! The plan of a tournament: everything that is known before the first game.

use crate::config::{EngineConfig, Limit, Tournament};
use crate::engine::{Launch, Supervisors};
use crate::game::live::LiveGames;
use crate::game::play::Game;
use crate::pairing::ids::EngineId;
use crate::pairing::openings::{Opening, Openings};
use crate::pairing::shard::Shard;
use crate::tournament::capacity::Capacity;
use std::path::PathBuf;
use std::sync::Arc;

/// Everything that is known before the first game.
#[derive(Debug)]
pub struct Plan {
    /// The tournament.
    pub tournament: Tournament,
    /// The shard to play.
    pub shard: Shard,
    /// The openings.
    pub openings: Openings,
    /// How to launch each engine, by [`EngineId`]; the oracle, if any, comes last.
    pub launches: Vec<Launch>,
    /// Supervises the engine processes, so that none is left behind.
    pub supervisors: Arc<Supervisors>,
    /// The number of games and engines at once.
    pub capacity: Capacity,
    /// Where spectators follow the games in progress; `None` if there are no spectators.
    pub live: Option<Arc<LiveGames>>,
    /// The results directory, if the dialogues of all games are kept in it.
    pub dialogues: Option<PathBuf>,
    /// Engines whose programs were not found, each with the reason.
    pub missing: Vec<(String, String)>,
    /// The factor that time limits are scaled by on this machine, if it plays for another one.
    pub time_factor: Option<f64>,
}

impl Plan {
    pub(super) fn engine(&self, id: EngineId) -> &EngineConfig {
        &self.tournament.engines[id.0]
    }

    /// The limit of an engine on this machine.
    pub(super) fn limit_of(&self, id: EngineId) -> Limit {
        let limit = self.tournament.limit_of(self.engine(id));
        self.time_factor.map_or(limit, |factor| limit.scaled(factor))
    }

    /// A game between these engines on this machine.
    pub(super) fn game(&self, players: [EngineId; 2], opening: Opening) -> Game {
        Game {
            rules: self.tournament.rules,
            start: opening.start,
            book: opening.book,
            limits: players.map(|player| self.limit_of(player)),
            margin: self.tournament.margin,
            adjudication: self.tournament.adjudication.scores,
        }
    }

    /// The oracle, which plays no games but answers queries for exact values: the last launch, if
    /// the tournament has an oracle.
    pub(super) fn oracle(&self) -> EngineId {
        EngineId(self.tournament.engines.len())
    }
}
