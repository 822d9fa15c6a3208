//! The options by which an engine is started, apart from its own command, options and environment.

use std::time::Duration;

use fanorona_protocol::rules::Ruleset;

use super::bounds::Bounds;
use fanorona_tournament::config::{Cpus, EngineConfig, Log, Parameter, Sandbox, Tournament};

/// The number of bytes of a game's dialogue that are kept of one engine, at most.
const MAX_DIALOGUE: usize = 8 << 20;

/// The options by which an engine is started, apart from its own command, options and environment.
#[derive(Clone, PartialEq, Debug)]
pub struct LaunchOptions {
    /// The rules of the games.
    pub rules: Ruleset,
    /// Whether games begin with moves that the engines do not choose.
    pub sets_openings: bool,
    /// The time for the start and the handshake.
    pub start_timeout: Duration,
    /// The time for an answer to which no clock applies.
    pub stall: Duration,
    /// The time in which an engine that was told to quit must end.
    pub quit_timeout: Duration,
    /// Whether the engine is suspended while its opponents think.
    pub suspend: bool,
    /// Whether it thinks in its opponents' time.
    pub ponder: bool,
    /// The options of the engine that are tuned.
    pub parameters: Vec<Parameter>,
    /// The number of bytes of the dialogue of each game that are kept; `None` for none.
    pub dialogue: Option<usize>,
    /// The resource bounds of the engine's processes.
    pub bounds: Bounds,
    /// The processors that it can run on.
    pub cpus: Cpus,
    /// The restrictions of the kernel that it is under.
    pub sandbox: Sandbox,
    /// Whether it can use the network in its sandbox.
    pub network: bool,
}

impl LaunchOptions {
    /// The options of an engine of a tournament, or of its oracle.
    pub fn new(tournament: &Tournament, engine: &EngineConfig) -> LaunchOptions {
        // The oracle is not tuned.
        let is_tuned = tournament.engines.iter().any(|it| it.name == engine.name);
        let tuning = tournament.tuning.iter().filter(|_| is_tuned);
        LaunchOptions {
            rules: tournament.rules,
            sets_openings: tournament.openings.has_moves(),
            start_timeout: tournament.start_timeout,
            stall: tournament.stall,
            quit_timeout: tournament.quit_timeout,
            suspend: tournament.suspends(engine),
            ponder: tournament.ponders(engine),
            parameters: tuning.flat_map(|it| it.parameters.iter().cloned()).collect(),
            dialogue: (tournament.log == Log::All).then_some(MAX_DIALOGUE),
            bounds: Bounds {
                memory: tournament.memory_of(engine).bytes(),
                processes: tournament.max_processes_of(engine).into(),
                files: tournament.max_files_of(engine).into(),
                disk: tournament.disk_of(engine).bytes(),
            },
            cpus: tournament.cpus_of(engine).clone(),
            sandbox: tournament.sandbox_of(engine),
            network: tournament.sandbox_network_of(engine),
        }
    }

    /// The options of an engine that plays in no tournament: one that is asked for moves or
    /// judgements, which begin in any position. It is never suspended.
    pub fn alone(engine: &EngineConfig, rules: Ruleset) -> LaunchOptions {
        let defaults = Tournament::new("alone", "", Vec::new());
        let options = LaunchOptions::new(&defaults, engine);
        LaunchOptions { rules, suspend: false, ..options }
    }
}
