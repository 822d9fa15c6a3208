//! Everything that is known before the first game.

use crate::config::{EngineConfig, Tournament};
use crate::engine::{Launch, Supervisors};
use crate::pairing::ids::EngineId;
use crate::pairing::openings::Openings;
use crate::pairing::shard::Shard;
use crate::tournament::capacity::Capacity;
use std::sync::Arc;

/// Everything that is known before the first game.
#[derive(Debug)]
pub struct Plan {
    /// What is played.
    pub tournament: Tournament,
    /// Which part of it.
    pub shard: Shard,
    /// How games begin.
    pub openings: Openings,
    /// How engines are started, by [`EngineId`]; after them the oracle, if there is one.
    pub launches: Vec<Launch>,
    /// Who sees to it that nothing is left of them.
    pub guards: Arc<Supervisors>,
    /// How much is played at once.
    pub capacity: Capacity,
    /// The engines whose programs have not been found, each with the reason.
    pub missing: Vec<(String, String)>,
}

impl Plan {
    pub(super) fn engine(&self, id: EngineId) -> &EngineConfig {
        &self.tournament.engines[id.0]
    }

    /// The engine that plays no game, but knows the value of positions: the last launch, where the
    /// tournament has one.
    pub(super) fn oracle(&self) -> EngineId {
        EngineId(self.tournament.engines.len())
    }
}
