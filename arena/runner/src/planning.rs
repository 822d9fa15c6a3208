//! Makes the plan of a tournament on this machine.

use std::env;
use std::fmt;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use super::Plan;
use super::capacity::{Capacity, Oversubscribed, Scarce, games_at_once};
use fanorona_engine::{
    Digests, Launch, LaunchOptions, Supervisors, missing_cpus, quota_of_this_process,
};
use fanorona_tournament::config::{self, EngineConfig, Places, ResolveError, Resolved, Tournament};
use fanorona_tournament::pairing::openings::{Openings, OpeningsError};
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::text::plural::counted;

/// The role of this machine in a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It plays the games.
    Plays,
    /// It lets other machines play them.
    Coordinates,
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The openings cannot be used.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// An engine is pinned to processors that the arena may not use.
    #[error("engine `{engine}` is pinned to CPUs that the arena may not use: {}", numbers(.cpus))]
    Pinned {
        /// The engine's name.
        engine: String,
        /// The processors.
        cpus: Vec<u32>,
    },
    /// The programs of these engines are not found.
    #[error("{}", lines(.0))]
    NotFound(Vec<ResolveError>),
    /// More games run at once under a time limit than the machine can serve.
    #[error("{0}")]
    Oversubscribed(Oversubscribed),
}

fn numbers(cpus: &[u32]) -> String {
    cpus.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn lines(all: &[impl fmt::Display]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

impl PlanError {
    /// Advice on how to fix it; `None` if the message says all.
    pub fn help(&self) -> Option<String> {
        match self {
            PlanError::Openings(_) => None,
            PlanError::Pinned { .. } => Some(
                "correct `cpus` in the config; `nproc` and `taskset -p $$` list the available CPUs"
                    .to_owned(),
            ),
            PlanError::NotFound(all) => {
                let help = all.iter().find_map(ResolveError::specific_help).unwrap_or_else(|| {
                    "build the bots (cargo build --release), or correct `command` in the config, or \
                     the command line"
                        .to_owned()
                });
                Some(format!("{help}; `arena run --skip-broken` plays without them"))
            }
            PlanError::Oversubscribed(why) => Some(why.help()),
        }
    }
}

impl Plan {
    /// The plan of a whole tournament that this machine plays, with the openings of its config.
    ///
    /// # Errors
    /// Returns an error if the openings cannot be used, a program is not found, or the machine cannot
    /// serve as many games.
    pub fn new(tournament: Tournament, supervisors: Arc<Supervisors>) -> Result<Plan, PlanError> {
        let openings = Openings::load(&tournament)?;
        let whole = Shard::WHOLE;
        Plan::with(tournament, whole, Role::Plays, openings, supervisors, config::resolve)
    }

    /// The plan of a shard in this role, with these openings and this way to find programs.
    ///
    /// # Errors
    /// Returns an error as [`Plan::new`] does.
    pub fn with(
        tournament: Tournament,
        shard: Shard,
        role: Role,
        openings: Openings,
        supervisors: Arc<Supervisors>,
        resolve: impl Fn(&EngineConfig, &Places<'_>) -> Result<Resolved, ResolveError>,
    ) -> Result<Plan, PlanError> {
        let beside = env::current_exe().ok();
        let path = env::var_os("PATH");
        let places = Places {
            arena: beside.as_deref().and_then(Path::parent),
            base: &tournament.base,
            path: path.as_deref(),
        };
        for engine in &tournament.engines {
            let cpus = missing_cpus(tournament.cpus_of(engine));
            if !cpus.is_empty() {
                return Err(PlanError::Pinned { engine: engine.name.clone(), cpus });
            }
        }
        let digests = Digests::default();
        let (mut launches, mut missing) = (Vec::new(), Vec::new());
        for engine in tournament.engines.iter().chain(&tournament.adjudication.oracle) {
            let found = resolve(engine, &places).unwrap_or_else(|why| {
                missing.push((engine.name.clone(), why));
                config::unresolved(engine, &places)
            });
            let options = LaunchOptions::new(&tournament, engine);
            launches.push(Launch::new(engine, found, options, &supervisors, &digests));
        }
        if !missing.is_empty() && !tournament.skip_broken {
            return Err(PlanError::NotFound(missing.into_iter().map(|(_, why)| why).collect()));
        }
        let mut notes = Vec::new();
        let capacity = match role {
            Role::Plays => capacity(&tournament, &mut notes)?,
            Role::Coordinates => {
                // It only starts every engine once.
                let one = Tournament { concurrency: Some(NonZeroU32::MIN), ..tournament.clone() };
                Capacity::new(&one, 1)
            }
        };
        let missing = missing.into_iter().map(|(name, why)| (name, why.to_string())).collect();
        Ok(Plan {
            shard,
            tournament,
            openings,
            launches,
            supervisors,
            capacity,
            live: None,
            dialogues: None,
            missing,
            time_factor: None,
            notes,
        })
    }
}

/// The capacity of this machine. Fails if more timed games run at once than there are processors or
/// a quota allows, unless the config permits it.
fn capacity(tournament: &Tournament, notes: &mut Vec<String>) -> Result<Capacity, PlanError> {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    let quota = quota_of_this_process();
    Oversubscribed::check(tournament, processors, quota.as_ref())
        .map_err(PlanError::Oversubscribed)?;
    let allowed = Oversubscribed::find(tournament, processors, quota.as_ref());
    if let Some(why) = allowed.filter(Oversubscribed::is_by_quota) {
        notes.push(format!("warning: {why}"));
    }
    let capacity = Capacity::new(tournament, processors);
    if let Some(scarce) = capacity.short_of {
        let wanted = games_at_once(tournament, processors);
        let why = match scarce {
            Scarce::Files(files) => {
                format!("the arena may open only {files} files (`ulimit -Hn` is the upper limit)")
            }
            Scarce::Processes => "you may not start more processes (`ulimit -u`)".to_owned(),
        };
        let games = counted(capacity.games as u64, "game is", "games are");
        notes.push(format!("note: {games} played at once instead of {wanted}: {why}"));
    }
    Ok(capacity)
}
