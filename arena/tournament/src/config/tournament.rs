//! The types of a config that has been checked.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use fanorona_protocol::messages::Dialect;
use fanorona_protocol::rules::{Ruleset, SessionRules, Start};

use super::ScoreRules;
use super::candidates::CandidateRules;
use super::confinement::{Cpus, IdentityBy, Memory, Sandbox, Suspend};
use super::format::Format;
use super::limit::Limit;
use super::race::RaceRules;
use super::serialised::{
    as_path, dialect, optional_path, pairs, paths, rules, session, sprt, time,
};
use super::tuning::Tuning;
use crate::text::as_text;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::sprt::Sprt;

/// A tournament with every setting decided. [`parse`] and [`load`] make it from a config and check
/// that its settings agree; this type alone does not.
///
/// [`parse`]: super::parse
/// [`load`]: super::load
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Tournament {
    /// Its name, usable for a directory: letters, digits, and `-_.+`, without a dot at the
    /// beginning.
    pub name: String,
    /// The name shown to readers of the results, one line of at most [`Tournament::MAX_TITLE`]
    /// characters; `None` to show the name itself.
    pub title: Option<String>,
    /// The directory that relative commands, arguments, directories and the openings file are
    /// resolved from: that of the config.
    #[serde(serialize_with = "as_path")]
    pub base: PathBuf,
    /// The seed of every random choice; at most `i64::MAX`, the largest integer in TOML.
    pub seed: u64,
    /// The format: which engines play each other.
    #[serde(flatten)]
    pub format: Format,
    /// The kinds of game to play, each once.
    pub kinds: Vec<Kind>,
    /// The start position of the games, before any opening.
    pub board: Start,
    /// The pairs of games (or sessions) per pairing of engines and kind; for `swiss` and
    /// `knockout`, per encounter.
    pub rounds: NonZeroU32,
    /// The number of concurrent games; `None` for one per processor core.
    pub concurrency: Option<NonZeroU32>,
    /// The thinking limit of engines without their own.
    #[serde(serialize_with = "as_text::serialize")]
    pub limit: Limit,
    /// The time by which an engine can exceed a time limit.
    #[serde(serialize_with = "time")]
    pub margin: Duration,
    /// The time an engine without a clock can be silent.
    #[serde(serialize_with = "time")]
    pub stall: Duration,
    /// The time an engine has to start and complete the handshake.
    #[serde(serialize_with = "time")]
    pub start_timeout: Duration,
    /// The time an engine has to quit before it is killed.
    #[serde(serialize_with = "time")]
    pub quit_timeout: Duration,
    /// The time running games can continue after the tournament is asked to stop.
    #[serde(serialize_with = "time")]
    pub finish_timeout: Duration,
    /// The time that writing a game to disk is retried.
    #[serde(serialize_with = "time")]
    pub storage_timeout: Duration,
    /// The total time a game waits for processes, descriptors or memory that its engines need to
    /// start.
    #[serde(serialize_with = "time")]
    pub shortage_timeout: Duration,
    /// Whether clocked games can use more processors than the machine has.
    pub oversubscribe: bool,
    /// Whether the tournament continues without engines that fail to start before the first game.
    pub skip_broken: bool,
    /// The lines that are kept of the dialogues between the arena and the engines.
    pub log: Log,
    /// The memory limit of engines without their own.
    #[serde(serialize_with = "as_text::serialize")]
    pub memory: Memory,
    /// The processors of engines without their own.
    #[serde(serialize_with = "as_text::serialize")]
    pub cpus: Cpus,
    /// The sandbox of engines without their own.
    pub sandbox: Sandbox,
    /// Whether engines without their own setting can use the network.
    pub sandbox_network: bool,
    /// The engines without their own setting that are suspended while their opponents think.
    pub suspend: Suspend,
    /// Whether engines without their own setting think in their opponents' time.
    pub ponder: bool,
    /// The property that identifies engines without their own setting on the machines of a cluster.
    pub identity: IdentityBy,
    /// The maximum number of processes and threads of an engine, including those it starts.
    pub max_processes: u32,
    /// The maximum number of files in an engine's private directory, and of its open descriptors.
    pub max_files: u32,
    /// The maximum size of an engine's private directory.
    #[serde(serialize_with = "as_text::serialize")]
    pub disk: Memory,
    /// The opening moves, played before the engines move.
    pub openings: OpeningSource,
    /// The rules of the games.
    #[serde(serialize_with = "rules")]
    pub rules: Ruleset,
    /// The length of sessions.
    #[serde(serialize_with = "session")]
    pub session: SessionRules,
    /// The adjudication of games.
    pub adjudication: Adjudication,
    /// The test that ends a match as soon as its result is decided.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "sprt")]
    pub sprt: Option<Sprt>,
    /// The base of a tournament of the format `candidates`, and the tests against it.
    pub candidates: Option<CandidateRules>,
    /// The rules of a tournament of the format `race`.
    pub race: Option<RaceRules>,
    /// The search of a tournament of the format `tune`.
    #[serde(rename = "tune")]
    pub tuning: Option<Tuning>,
    /// The engines, at least two. In a tuning, the tuned engine twice: with values above the
    /// present ones, and below.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineConfig>,
}

impl Tournament {
    /// The default of `shortage_timeout`.
    pub(super) const SHORTAGE_TIMEOUT: Duration = Duration::from_secs(30);

    /// The default of [`Tournament::margin`].
    pub const MARGIN: Duration = Duration::from_millis(50);

    /// The default of [`Tournament::start_timeout`].
    pub const START_TIMEOUT: Duration = Duration::from_secs(10);

    /// The maximum of `rounds`.
    pub const MAX_ROUNDS: u32 = 1_000_000;

    /// The maximum length of a title, in characters.
    pub const MAX_TITLE: usize = 200;

    /// A tournament of these engines with every setting at its default.
    pub fn new(
        name: impl Into<String>,
        base: impl Into<PathBuf>,
        engines: Vec<EngineConfig>,
    ) -> Tournament {
        Tournament {
            name: name.into(),
            title: None,
            base: base.into(),
            seed: 1,
            format: Format::default(),
            kinds: vec![Kind::Riatra, Kind::Vela],
            board: Start::TSIVY,
            rounds: NonZeroU32::MIN,
            concurrency: None,
            limit: Limit::MoveTime(Duration::from_millis(100)),
            margin: Tournament::MARGIN,
            stall: Duration::from_secs(60),
            start_timeout: Tournament::START_TIMEOUT,
            quit_timeout: Duration::from_secs(2),
            finish_timeout: Duration::from_secs(60),
            storage_timeout: Duration::from_secs(60),
            shortage_timeout: Tournament::SHORTAGE_TIMEOUT,
            oversubscribe: false,
            skip_broken: false,
            log: Log::default(),
            memory: Memory::default(),
            cpus: Cpus::default(),
            sandbox: Sandbox::default(),
            sandbox_network: false,
            suspend: Suspend::default(),
            ponder: false,
            identity: IdentityBy::default(),
            max_processes: 1000,
            max_files: 10_000,
            disk: Memory::AtMost(2_000_000_000),
            openings: OpeningSource::default(),
            rules: Ruleset::default(),
            session: SessionRules::default(),
            adjudication: Adjudication::default(),
            sprt: None,
            candidates: None,
            race: None,
            tuning: None,
            engines,
        }
    }

    /// The name shown to readers: the title, or the name if there is no title.
    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// The signs after the name of a tuned engine, for its two roles.
    pub(super) const SIGNS: [char; 2] = ['+', '-'];

    /// In a tuning, the engine as it is written in the config.
    pub fn tuned_engine(&self) -> Option<EngineConfig> {
        self.tuning.as_ref()?;
        let engine = self.engines.first()?;
        let name = engine.name.strip_suffix(Tournament::SIGNS[0])?;
        Some(EngineConfig { name: name.to_owned(), ..engine.clone() })
    }

    /// The names of the engines, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.engines.iter().map(|engine| &*engine.name)
    }

    /// The place of the engine that plays all others, where one does: the base of candidates, and in a
    /// gauntlet the first engine.
    pub fn centre(&self) -> usize {
        let base = self.candidates.as_ref().map(|rules| rules.base.as_str());
        base.and_then(|base| self.names().position(|name| name == base)).unwrap_or(0)
    }

    /// The limit of an engine: its own, or the tournament's.
    pub fn limit_of(&self, engine: &EngineConfig) -> Limit {
        engine.limit.unwrap_or(self.limit)
    }

    /// The memory limit of an engine.
    pub fn memory_of(&self, engine: &EngineConfig) -> Memory {
        engine.memory.unwrap_or(self.memory)
    }

    /// The processors of an engine.
    pub fn cpus_of<'t>(&'t self, engine: &'t EngineConfig) -> &'t Cpus {
        engine.cpus.as_ref().unwrap_or(&self.cpus)
    }

    /// The sandbox of an engine.
    pub fn sandbox_of(&self, engine: &EngineConfig) -> Sandbox {
        engine.sandbox.unwrap_or(self.sandbox)
    }

    /// Whether an engine can use the network.
    pub fn sandbox_network_of(&self, engine: &EngineConfig) -> bool {
        engine.sandbox_network.unwrap_or(self.sandbox_network)
    }

    /// Whether an engine is suspended while its opponents think.
    pub fn suspend_of(&self, engine: &EngineConfig) -> Suspend {
        engine.suspend.unwrap_or(self.suspend)
    }

    /// Whether an engine is suspended while its opponents think. Only a time limit makes that matter.
    pub fn suspends(&self, engine: &EngineConfig) -> bool {
        self.is_timed()
            && match self.suspend_of(engine) {
                Suspend::Auto => !self.ponders(engine),
                Suspend::Always => true,
                Suspend::Never => false,
            }
    }

    /// Whether an engine thinks in its opponents' time.
    pub fn ponders(&self, engine: &EngineConfig) -> bool {
        engine.ponder.unwrap_or(self.ponder)
    }

    /// Whether any engine has a time limit.
    pub fn is_timed(&self) -> bool {
        self.engines.iter().any(|engine| self.limit_of(engine).is_timed())
    }

    /// The maximum number of processes and threads of an engine.
    pub fn max_processes_of(&self, engine: &EngineConfig) -> u32 {
        engine.max_processes.unwrap_or(self.max_processes)
    }

    /// Returns the property that identifies an engine on the machines of a cluster.
    pub fn identity_of(&self, engine: &EngineConfig) -> IdentityBy {
        engine.identity.unwrap_or(self.identity)
    }

    /// The maximum number of files in an engine's private directory, and of its open descriptors.
    pub fn max_files_of(&self, engine: &EngineConfig) -> u32 {
        engine.max_files.unwrap_or(self.max_files)
    }

    /// The maximum size of an engine's private directory.
    pub fn disk_of(&self, engine: &EngineConfig) -> Memory {
        engine.disk.unwrap_or(self.disk)
    }
}

/// The lines that are kept of the dialogues between the arena and the engines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(strum::IntoStaticStr, strum::VariantArray, serde::Serialize)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Log {
    /// The last lines before a fault.
    #[default]
    Faults,
    /// All lines of every game.
    All,
}

/// The source of the openings, which are played before the engines move.
#[derive(Clone, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(tag = "source", rename_all = "lowercase")]
pub enum OpeningSource {
    /// No opening moves.
    Start,
    /// White's five first captures, one after the other.
    Named,
    /// Random moves from the start position.
    Random {
        /// The number of plies, at most [`OpeningSource::MAX_PLIES`].
        plies: u32,
    },
    /// The lines of a file.
    File {
        /// The path as written in the config.
        #[serde(serialize_with = "as_path")]
        path: PathBuf,
        /// The order of its lines.
        order: FileOrder,
    },
}

impl OpeningSource {
    /// The longest random opening.
    pub const MAX_PLIES: u32 = 40;

    /// Whether an opening has moves.
    pub fn has_moves(&self) -> bool {
        !matches!(self, OpeningSource::Start | OpeningSource::Random { plies: 0 })
    }
}

impl Default for OpeningSource {
    fn default() -> OpeningSource {
        OpeningSource::Random { plies: 4 }
    }
}

/// The order in which the lines of an openings file are used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(strum::IntoStaticStr, strum::VariantArray, serde::Serialize)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum FileOrder {
    /// The order of the file.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// The adjudication of games; there is none by default.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, serde::Serialize)]
pub struct Adjudication {
    /// By the scores of both engines.
    #[serde(flatten)]
    pub scores: ScoreRules,
    /// By an oracle, a separate engine that is asked for the value of every position and knows some
    /// of them.
    pub oracle: Option<EngineConfig>,
}

/// An engine as written in a config: its program and how to communicate with it.
/// [`resolve`](super::resolve) resolves its paths.
#[derive(Clone, PartialEq, Eq, Hash, Debug, serde::Serialize)]
pub struct EngineConfig {
    /// Its name in results, unique among the engines.
    pub name: String,
    /// The family it belongs to: engines that differ in their options, to be compared by them.
    pub family: Option<String>,
    /// The engines or families that it plays in a round-robin; empty for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// The order in which it joined: 0 for the engines of the beginning, 1 for those that were
    /// added first, and so on. Games with it come after all games of those that joined earlier.
    #[serde(skip_serializing_if = "as_text::is_default")]
    pub joined: u32,
    /// The program.
    pub command: String,
    /// The arguments of the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The working directory; `None` for the tournament's `base`.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_path")]
    pub dir: Option<PathBuf>,
    /// Environment variables to set.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "pairs")]
    pub env: Vec<(String, String)>,
    /// Environment variables passed on from the arena.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inherit_env: Vec<String>,
    /// Directories it can write to besides its private one, as written.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "paths")]
    pub writable: Vec<PathBuf>,
    /// Files that the engine reads and that define its play, such as a network or tables, relative
    /// to the tournament's `base`. Together with its program and the files named by its arguments,
    /// they identify the engine.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "paths")]
    pub files: Vec<PathBuf>,
    /// Its own memory limit.
    #[serde(serialize_with = "as_text::optional::serialize")]
    pub memory: Option<Memory>,
    /// Its own processors.
    #[serde(serialize_with = "as_text::optional::serialize")]
    pub cpus: Option<Cpus>,
    /// Its own sandbox.
    pub sandbox: Option<Sandbox>,
    /// Its own setting for network access.
    pub sandbox_network: Option<bool>,
    /// Its own setting for the suspension while its opponents think.
    pub suspend: Option<Suspend>,
    /// Its own setting for thinking in its opponents' time.
    pub ponder: Option<bool>,
    /// Its own setting of what identifies it.
    pub identity: Option<IdentityBy>,
    /// Its own limit of processes and threads.
    pub max_processes: Option<u32>,
    /// Its own limit of files and descriptors.
    pub max_files: Option<u32>,
    /// Its own limit of disk space.
    #[serde(serialize_with = "as_text::optional::serialize")]
    pub disk: Option<Memory>,
    /// The options it is sent, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "pairs")]
    pub options: Vec<(String, String)>,
    /// Its own thinking limit.
    #[serde(serialize_with = "as_text::optional::serialize")]
    pub limit: Option<Limit>,
    /// Whether every `go` includes the legal moves.
    pub legal_moves: bool,
    /// The dialect of the protocol it uses.
    #[serde(serialize_with = "dialect")]
    pub dialect: Dialect,
}

impl EngineConfig {
    /// An engine with every setting at its default.
    pub fn new(name: impl Into<String>, command: impl Into<String>) -> EngineConfig {
        EngineConfig {
            name: name.into(),
            family: None,
            only: Vec::new(),
            joined: 0,
            command: command.into(),
            args: Vec::new(),
            dir: None,
            env: Vec::new(),
            inherit_env: Vec::new(),
            writable: Vec::new(),
            files: Vec::new(),
            memory: None,
            cpus: None,
            sandbox: None,
            sandbox_network: None,
            suspend: None,
            ponder: None,
            identity: None,
            max_processes: None,
            max_files: None,
            disk: None,
            options: Vec::new(),
            limit: None,
            legal_moves: false,
            dialect: Dialect::Ugi,
        }
    }

    /// The number of search threads set by its options.
    pub fn threads(&self) -> u32 {
        let option = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("threads"));
        option.and_then(|(_, value)| value.parse().ok()).unwrap_or(1).max(1)
    }

    /// Whether this is its name or that of its family.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.family.as_deref() == Some(name)
    }

    /// Whether it plays another engine in a round-robin.
    pub fn meets(&self, other: &EngineConfig) -> bool {
        let allows = |one: &EngineConfig, other: &EngineConfig| {
            one.only.is_empty() || one.only.iter().any(|name| other.is_called(name))
        };
        allows(self, other) && allows(other, self)
    }
}

/// Command-line options that override the config.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// `--rounds`: pairs per pairing and kind.
    pub rounds: Option<NonZeroU32>,
    /// `--limit`, for engines without their own.
    pub limit: Option<Limit>,
    /// `--concurrency`: games at once.
    pub concurrency: Option<NonZeroU32>,
    /// `--seed`, from which all random choices follow.
    pub seed: Option<u64>,
    /// `--iterations`, of a tuning.
    pub iterations: Option<NonZeroU32>,
}
