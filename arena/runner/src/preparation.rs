//! The preparation before the first game: finds out the restrictions that the machine enforces, and
//! whether every engine starts.

use std::fmt;

use super::Plan;
use super::introduction::Introduction;
use super::pool::{Pool, Started};
use fanorona_engine::{CAN_BIND, CAN_SUSPEND, StartError, probe};
use fanorona_tournament::config::{Cpus, EngineConfig, Format, Sandbox, Suspend};
use fanorona_tournament::machine::enforced::{Enforced, Enforcement};
use fanorona_tournament::record::Broken;

/// The findings after every engine has been started once.
#[derive(Debug, Default)]
pub struct Prepared {
    /// The restrictions that the sandbox enforces; `None` if no engine has one.
    pub sandbox: Option<Enforced>,
    /// The identity and remarks of each engine.
    pub introductions: Vec<Introduction>,
    /// Engines that did not start and are left out.
    pub broken: Vec<Broken>,
    /// The causes, by the engine's name, for those of them that were tried.
    pub failures: Vec<(String, StartError)>,
}

/// Why a tournament cannot begin.
#[derive(Debug)]
pub enum PrepareError {
    /// This machine cannot start an engine, through no fault of the engine.
    Shortage {
        /// The engine's name; `None` for the probe of the sandbox.
        engine: Option<String>,
        /// The cause.
        why: StartError,
    },
    /// The sandbox cannot be probed.
    Probe(StartError),
    /// The system cannot enforce what the config requires for an engine.
    Unenforceable {
        /// The engine's name.
        engine: String,
        /// The restriction that the system lacks.
        lack: &'static MissingRestriction,
    },
    /// Engines did not start.
    Broken {
        /// The engines.
        broken: Vec<Broken>,
        /// The causes, by the engine's name, for those of them that were tried.
        failures: Vec<(String, StartError)>,
        /// Whether the tournament may leave engines out, but too few would remain.
        too_few: bool,
    },
}

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrepareError::Shortage { engine: Some(name), why } => {
                write!(f, "engine `{name}` cannot be started, through no fault of its own: {why}")
            }
            PrepareError::Shortage { engine: None, why } => {
                let cause = match why {
                    StartError::NotStarted { why, .. } => why.to_string(),
                    why => why.to_string(),
                };
                write!(f, "no engine can be started: {cause}")
            }
            PrepareError::Probe(why) => write!(f, "cannot probe the sandbox: {why}"),
            PrepareError::Unenforceable {
                engine,
                lack: MissingRestriction { key, ability, .. },
            } => {
                write!(f, "the `{key}` of engine `{engine}` requires {ability}")
            }
            PrepareError::Broken { broken, .. } => {
                let lines = broken.iter().map(|it| format!("engine `{}`: {}", it.engine, it.why));
                f.write_str(&lines.collect::<Vec<_>>().join("\n"))
            }
        }
    }
}

impl std::error::Error for PrepareError {}

/// An ability that a key of the config requires and the system does not have.
#[derive(PartialEq, Eq, Debug)]
pub struct MissingRestriction {
    /// The name of the key.
    pub key: &'static str,
    /// The ability, as the end of a sentence.
    ability: &'static str,
    /// The values that can be chosen instead, in a sentence.
    pub choices: &'static str,
}

const NO_SUSPENSION: MissingRestriction = MissingRestriction {
    key: "suspend",
    ability: "a system that can suspend programs, and this one cannot",
    choices: "`suspend = \"auto\"` suspends engines where the system can, and `\"never\"` nowhere",
};

const NO_BINDING: MissingRestriction = MissingRestriction {
    key: "cpus",
    ability: "a system that binds programs to processors, and this one does not",
    choices: "`cpus = \"any\"` leaves the processors to the system",
};

const NO_LANDLOCK: MissingRestriction = MissingRestriction {
    key: "sandbox",
    ability: "Landlock, which this system does not have",
    choices: "`sandbox = \"auto\"` takes what the system has, and `\"none\"` nothing; Landlock is in \
              Linux from 5.13, if it is among the `lsm` of the kernel",
};

impl Plan {
    /// Starts every engine once, except those in `out`, which are listed with a reason. `sandbox` is
    /// what [`probe_sandbox`](Plan::probe_sandbox) found.
    ///
    /// # Errors
    /// Returns an error if the machine cannot start engines, or if engines do not start that the
    /// tournament does not play without. No engine is left running then.
    pub async fn start_engines(
        &self,
        pool: &Pool,
        out: &[(String, String)],
        sandbox: Option<Enforced>,
    ) -> Result<Prepared, PrepareError> {
        let is_out = |name: &str| out.iter().any(|(engine, _)| engine == name);
        let Started { introductions, mut failures } = pool.prepare(self, is_out).await;
        if let Some(place) = failures.iter().position(|(_, why)| why.is_ours()) {
            pool.quit().await;
            let (engine, why) = failures.swap_remove(place);
            return Err(PrepareError::Shortage { engine: Some(engine), why });
        }
        let out = out.iter().cloned();
        let failed = failures.iter().map(|(engine, why)| (engine.clone(), why.to_string()));
        let broken: Vec<_> =
            out.chain(failed).map(|(engine, why)| Broken { engine, why }).collect();
        let too_few = !self.can_do_without(&broken);
        if !broken.is_empty() && (too_few || !self.tournament.skip_broken) {
            pool.quit().await;
            let too_few = too_few && self.tournament.skip_broken;
            return Err(PrepareError::Broken { broken, failures, too_few });
        }
        Ok(Prepared { sandbox, introductions, broken, failures })
    }

    /// Whether a tournament remains without these engines.
    fn can_do_without(&self, broken: &[Broken]) -> bool {
        let tournament = &self.tournament;
        let is_broken = |name: &str| broken.iter().any(|it| it.engine == name);
        let left = tournament.names().filter(|name| !is_broken(name)).count();
        // A gauntlet needs its first engine, candidates need their base, and the oracle does not count
        // as an entrant.
        let needed = match tournament.format {
            Format::Gauntlet | Format::Candidates => {
                tournament.engines.get(tournament.centre()).map(|engine| &engine.name)
            }
            _ => None,
        };
        let oracle = tournament.adjudication.oracle.as_ref().map(|engine| &engine.name);
        left >= 2 && !needed.into_iter().chain(oracle).any(|name| is_broken(name))
    }

    /// The first engine for which the config requires what this system cannot do, whatever its kernel.
    fn lacking(&self) -> Option<(&EngineConfig, &'static MissingRestriction)> {
        let Plan { tournament, .. } = self;
        tournament.engines.iter().find_map(|engine| {
            let is_suspended =
                tournament.is_timed() && tournament.suspend_of(engine) == Suspend::Always;
            let is_bound = *tournament.cpus_of(engine) != Cpus::Any;
            let lacks = [
                (is_suspended && !CAN_SUSPEND, &NO_SUSPENSION),
                (is_bound && !CAN_BIND, &NO_BINDING),
            ];
            lacks.into_iter().find_map(|(lacks, lack)| lacks.then_some((engine, lack)))
        })
    }

    /// The restrictions that this machine enforces; `None` if no engine has a sandbox.
    ///
    /// # Errors
    /// Returns an error if they cannot be found out, or if the system cannot do what the config
    /// requires for an engine.
    pub async fn probe_sandbox(&self) -> Result<Option<Enforced>, PrepareError> {
        if let Some((engine, lack)) = self.lacking() {
            return Err(PrepareError::Unenforceable { engine: engine.name.clone(), lack });
        }
        let Plan { tournament, supervisors, .. } = self;
        let of = |engine| tournament.sandbox_of(engine);
        if tournament.engines.iter().all(|engine| of(engine) == Sandbox::None) {
            return Ok(None);
        }
        let probed = probe::probe(supervisors, tournament.start_timeout).await;
        let enforced = probed.map_err(|why| match &why {
            StartError::NotStarted { .. } if why.is_ours() => {
                PrepareError::Shortage { engine: None, why }
            }
            _ => PrepareError::Probe(why),
        })?;
        let strict = tournament.engines.iter().find(|engine| of(engine) == Sandbox::Landlock);
        match (strict, enforced.files) {
            (Some(engine), Enforcement::NotHere) => {
                let engine = engine.name.clone();
                Err(PrepareError::Unenforceable { engine, lack: &NO_LANDLOCK })
            }
            _ => Ok(Some(enforced)),
        }
    }
}
