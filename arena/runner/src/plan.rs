//! The plan of a tournament: everything that is known before the first game.

use super::introduction::Introduction;
use crate::capacity::Capacity;
use crate::live::LiveGames;
use crate::play::Game;
use fanorona_engine::{Launch, Supervisors, quota_of_this_process};
use fanorona_tournament::config::{EngineConfig, Limit, Tournament};
use fanorona_tournament::machine::enforced::Enforced;
use fanorona_tournament::machine::runs::Run;
use fanorona_tournament::machine::{Machine, Program, ProgramFile, Setting};
use fanorona_tournament::pairing::ids::EngineId;
use fanorona_tournament::pairing::openings::{Opening, Openings};
use fanorona_tournament::pairing::shard::Shard;
use std::path::PathBuf;
use std::sync::Arc;

/// Everything that is known before the first game.
#[derive(Debug)]
pub struct Plan {
    /// The config with what the command line overrides.
    pub tournament: Tournament,
    /// The shard to play.
    pub shard: Shard,
    /// The openings of the config; random ones are generated when a game needs them.
    pub openings: Openings,
    /// The launch of each engine, by [`EngineId`]; that of the oracle, if any, comes last.
    pub launches: Vec<Launch>,
    /// Supervises the engine processes, so that none is left behind.
    pub supervisors: Arc<Supervisors>,
    /// The number of games and engines at once.
    pub capacity: Capacity,
    /// The games in progress, for spectators; `None` if there are no spectators.
    pub live: Option<Arc<LiveGames>>,
    /// The results directory, if the dialogues of all games are kept in it.
    pub dialogues: Option<PathBuf>,
    /// Engines whose programs were not found, each with the reason.
    pub missing: Vec<(String, String)>,
    /// The factor that time limits are scaled by on this machine, if it plays for another one.
    pub time_factor: Option<f64>,
    /// Remarks on this machine, each a line that begins with `note:` or `warning:`.
    pub notes: Vec<String>,
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

    /// The engines' programs with what the engines report about themselves, in a run that begins now
    /// with this sandbox.
    pub fn machine(&self, introductions: &[Introduction], sandbox: Option<Enforced>) -> Machine {
        let program = |(launch, introduction): (&Launch, &Introduction)| {
            let mut files = launch.identity().files().map(|(file, sha256)| ProgramFile {
                file: file.to_owned(),
                sha256: sha256.map(str::to_owned),
            });
            Program {
                name: launch.name.clone(),
                program: launch.program().to_owned(),
                sha256: files.next().and_then(|program| program.sha256),
                files: files.collect(),
                identity: introduction.identity.clone(),
                author: introduction.author.clone(),
                remarks: introduction.remarks.clone(),
            }
        };
        let setting = Setting {
            sandbox,
            held_by_kernel: self.supervisors.controllers().iter().map(|&it| it.into()).collect(),
            openings: self.openings.checksum().map(|crc32| format!("{crc32:08x}")),
        };
        let engines = self.launches.iter().zip(introductions).map(program).collect();
        let quota = quota_of_this_process().map(|quota| quota.percent);
        Machine::new(engines, setting, Run::begin(quota))
    }

    /// The oracle, which plays no games but answers queries for exact values: the last launch, if
    /// the tournament has an oracle.
    pub(super) fn oracle(&self) -> EngineId {
        EngineId(self.tournament.engines.len())
    }
}
