//! What a tournament is, once its config is known to make sense.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use fanorona_protocol::messages::Dialect;
use fanorona_protocol::rules::{Ruleset, SessionRules, Start};

use super::ScoreRules;
use super::confinement::{Cpus, Memory, Sandbox};
use super::format::Format;
use super::limit::Limit;
use crate::ratings::kind::Kind;
use crate::ratings::sprt::Sprt;

/// A tournament, everything about it decided. What was written becomes this by [`parse`] or
/// [`load`], which check what goes together; this type alone does not.
///
/// [`parse`]: super::parse
/// [`load`]: super::load
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    /// Its name, fit for a directory: letters, digits, and `-_.+`, not beginning with a dot.
    pub name: String,
    /// What readers of results see instead of the name, on one line, of at most
    /// [`Tournament::LONGEST_TITLE`] characters; `None` for the name itself.
    pub title: Option<String>,
    /// The directory that relative commands, args, directories and the openings file are resolved
    /// from: the config's.
    pub base: PathBuf,
    /// What every random choice derives from; at most `i64::MAX`, as TOML can say no more.
    pub seed: u64,
    /// Who meets whom.
    pub format: Format,
    /// What they play, each kind once.
    pub kinds: Vec<Kind>,
    /// The position games start from, before any opening.
    pub board: Start,
    /// Pairs of games (or sessions) per pairing of engines and kind; in a format of stages, per
    /// encounter of a stage.
    pub rounds: NonZeroU32,
    /// Games played at once; `None` for one per processor core.
    pub concurrency: Option<NonZeroU32>,
    /// How long engines may think that have no limit of their own.
    pub limit: Limit,
    /// By how much an engine may overstep a time limit.
    pub margin: Duration,
    /// How long an engine without a clock may say nothing.
    pub stall: Duration,
    /// How long an engine may take to start and say so.
    pub start_timeout: Duration,
    /// How long an engine may take to quit before it is killed.
    pub quit_timeout: Duration,
    /// How long games in progress may go on once the tournament is asked to stop.
    pub finish_timeout: Duration,
    /// How long a disk that refuses to keep a game is asked again.
    pub storage_timeout: Duration,
    /// How long a game waits, in all, for processes, descriptors or memory that its engines need to
    /// start.
    pub shortage_timeout: Duration,
    /// Whether more games may be played at once under clocks than there are processors.
    pub oversubscribe: bool,
    /// Whether the others play without engines that do not start before the first game.
    pub skip_broken: bool,
    /// How much memory an engine may use that has no limit of its own.
    pub memory: Memory,
    /// Where engines may run that do not say so themselves.
    pub cpus: Cpus,
    /// What keeps engines off the machine that do not say so themselves.
    pub sandbox: Sandbox,
    /// Whether engines may use the network that do not say so themselves.
    pub sandbox_network: bool,
    /// How many processes and threads an engine may have at once, all it has started included.
    pub max_processes: u32,
    /// How many files an engine may have in its private directory, and how many descriptors open.
    pub max_files: u32,
    /// How many bytes an engine may have in its private directory.
    pub disk: Memory,
    /// What is played before engines are asked.
    pub openings: OpeningSource,
    /// The switches and limits games are played by.
    pub rules: Ruleset,
    /// How long sessions may go on.
    pub session: SessionRules,
    /// How games end before their end.
    pub adjudication: Adjudication,
    /// The test that ends a match as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// Who plays, at least two.
    pub engines: Vec<EngineConfig>,
}

impl Tournament {
    /// How long a game waits for what its engines need to start, unless the config says otherwise.
    pub(super) const SHORTAGE_TIMEOUT: Duration = Duration::from_secs(30);

    /// The most characters of a title.
    pub const LONGEST_TITLE: usize = 200;

    /// A tournament of these engines with every default.
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
            margin: Duration::from_millis(50),
            stall: Duration::from_secs(60),
            start_timeout: Duration::from_secs(10),
            quit_timeout: Duration::from_secs(2),
            finish_timeout: Duration::from_secs(60),
            storage_timeout: Duration::from_secs(60),
            shortage_timeout: Tournament::SHORTAGE_TIMEOUT,
            oversubscribe: false,
            skip_broken: false,
            memory: Memory::default(),
            cpus: Cpus::default(),
            sandbox: Sandbox::default(),
            sandbox_network: false,
            max_processes: 1000,
            max_files: 10_000,
            disk: Memory::AtMost(2_000_000_000),
            openings: OpeningSource::default(),
            rules: Ruleset::default(),
            session: SessionRules::default(),
            adjudication: Adjudication::default(),
            sprt: None,
            engines,
        }
    }

    /// What the tournament is called in front of people: its title, or else its name.
    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// The engines' names, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.engines.iter().map(|engine| &*engine.name)
    }

    /// The limit an engine plays under: its own, or the tournament's.
    pub fn limit_of(&self, engine: &EngineConfig) -> Limit {
        engine.limit.unwrap_or(self.limit)
    }

    /// How much memory an engine may use.
    pub fn memory_of(&self, engine: &EngineConfig) -> Memory {
        engine.memory.unwrap_or(self.memory)
    }

    /// Where an engine may run.
    pub fn cpus_of<'t>(&'t self, engine: &'t EngineConfig) -> &'t Cpus {
        engine.cpus.as_ref().unwrap_or(&self.cpus)
    }

    /// What keeps an engine off the machine.
    pub fn sandbox_of(&self, engine: &EngineConfig) -> Sandbox {
        engine.sandbox.unwrap_or(self.sandbox)
    }

    /// Whether the sandbox of an engine leaves the network open.
    pub fn sandbox_network_of(&self, engine: &EngineConfig) -> bool {
        engine.sandbox_network.unwrap_or(self.sandbox_network)
    }

    /// How many processes and threads an engine may have at once.
    pub fn max_processes_of(&self, engine: &EngineConfig) -> u32 {
        engine.max_processes.unwrap_or(self.max_processes)
    }

    /// How many files an engine may have in its private directory, and how many descriptors open.
    pub fn max_files_of(&self, engine: &EngineConfig) -> u32 {
        engine.max_files.unwrap_or(self.max_files)
    }

    /// How many bytes an engine may have in its private directory.
    pub fn disk_of(&self, engine: &EngineConfig) -> Memory {
        engine.disk.unwrap_or(self.disk)
    }
}

/// What is played before engines are asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum OpeningSource {
    /// Nothing.
    Start,
    /// White's five first captures, in turn.
    Named,
    /// Random moves from the start.
    Random {
        /// How many, at most [`OpeningSource::MOST_PLIES`].
        plies: u32,
    },
    /// The lines of a file.
    File {
        /// The file, as written.
        path: PathBuf,
        /// Which line comes next.
        order: FileOrder,
    },
}

impl OpeningSource {
    /// The longest random opening.
    pub const MOST_PLIES: u32 = 40;
}

impl Default for OpeningSource {
    fn default() -> OpeningSource {
        OpeningSource::Random { plies: 4 }
    }
}

/// In what order the lines of an openings file are used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FileOrder {
    /// As they stand.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

impl FileOrder {
    /// Both, with their words.
    pub(super) const WORDS: [(&'static str, FileOrder); 2] =
        [("sequential", FileOrder::Sequential), ("random", FileOrder::Random)];

    /// The word configs write.
    pub fn word(self) -> &'static str {
        match self {
            FileOrder::Sequential => "sequential",
            FileOrder::Random => "random",
        }
    }
}

/// How games end before their end; not at all unless it is asked for.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Adjudication {
    /// By the scores of both engines.
    pub scores: ScoreRules,
    /// By an engine of its own that is asked for the value of every position and knows some.
    pub oracle: Option<EngineConfig>,
}

/// An engine as a config enters it: what to run, and how to speak to it. Paths are as written; what
/// they come to is for [`resolve`](super::resolve) to say.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EngineConfig {
    /// Its name in results, unlike any other engine's.
    pub name: String,
    /// The program.
    pub command: String,
    /// What the program is started with.
    pub args: Vec<String>,
    /// Where it is started; `None` for the tournament's `base`.
    pub dir: Option<PathBuf>,
    /// Environment variables it gets.
    pub env: Vec<(String, String)>,
    /// Environment variables of the arena it is let see.
    pub inherit_env: Vec<String>,
    /// Directories it may write in besides its own, as written.
    pub writable: Vec<PathBuf>,
    /// Files the engine reads that make it what it is, such as a network or tables, relative to the
    /// tournament's `base`: with its program and the files its arguments name, they are what the
    /// engine is recognised by.
    pub files: Vec<PathBuf>,
    /// A limit of its own to its memory.
    pub memory: Option<Memory>,
    /// Where it may run, if not where the others may.
    pub cpus: Option<Cpus>,
    /// A sandbox of its own.
    pub sandbox: Option<Sandbox>,
    /// Whether it may use the network, if not as the others may.
    pub sandbox_network: Option<bool>,
    /// A limit of its own to its processes and threads.
    pub max_processes: Option<u32>,
    /// A limit of its own to its files and descriptors.
    pub max_files: Option<u32>,
    /// A limit of its own to the bytes of its files.
    pub disk: Option<Memory>,
    /// Options it is sent, in this order.
    pub options: Vec<(String, String)>,
    /// A limit of its own.
    pub limit: Option<Limit>,
    /// Whether it is told the legal moves with every `go`.
    pub legal_moves: bool,
    /// The words it is used to.
    pub dialect: Dialect,
}

impl EngineConfig {
    /// An engine with every default.
    pub fn new(name: impl Into<String>, command: impl Into<String>) -> EngineConfig {
        EngineConfig {
            name: name.into(),
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
            max_processes: None,
            max_files: None,
            disk: None,
            options: Vec::new(),
            limit: None,
            legal_moves: false,
            dialect: Dialect::Ugi,
        }
    }
}

/// What the command line says over the config's head.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// `--rounds`.
    pub rounds: Option<NonZeroU32>,
    /// `--concurrency`.
    pub concurrency: Option<NonZeroU32>,
    /// `--seed`.
    pub seed: Option<u64>,
}
