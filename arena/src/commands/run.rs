//! `arena run` and `arena resume`: from a config to a results directory. [`begin`] is the part of it
//! that needs no file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::HumanDuration;
use nix::sys::signal::Signal::{SIGSTOP, SIGTSTP};
use nix::sys::signal::raise;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use super::output::{Progress, prose, remarks, say, tell, warn_of_remarks};
use super::{Refusal, ResumeArgs, RunArgs, screen};
use crate::config::{self, Format, LoadError, Overrides, Places, Sandbox, Tournament};
use crate::course::Course;
use crate::engine::{Enforced, Enforcement, Guards, Launch, StartError, missing_cpus, probe};
use crate::events;
use crate::exit::Exit;
use crate::machine::Machine;
use crate::openings::Openings;
use crate::readiness::Readiness;
use crate::record::{Contents, Header, Journal, JournalError, Lock, StorageError};
use crate::report::{html, terminal};
use crate::results;
use crate::schedule::Shard;
use crate::thinkers::IdleThinkers;
use crate::tournament::{self, Event, Finish, Introduction, Plan, Pool, SoFar, Stop};

pub(super) fn run(args: &RunArgs) -> Result<Exit, Refusal> {
    let overrides =
        Overrides { rounds: args.rounds, concurrency: args.concurrency, seed: args.seed };
    let tournament = load(&args.config, &overrides)?;
    begin(tournament, args.out.clone(), args.shard.unwrap_or_default(), args.strict, args.json)
}

/// Plays a tournament, or a part of it, from its beginning.
pub(super) fn begin(
    tournament: Tournament,
    out: Option<PathBuf>,
    shard: Shard,
    strict: bool,
    json: bool,
) -> Result<Exit, Refusal> {
    divisible(&tournament, shard)?;
    let dir = out.unwrap_or_else(|| default_dir(&tournament.name, shard));
    vacant(&dir)?;
    let plan = plan(tournament, shard)?;
    runtime()?.block_on(async {
        let mut signals = Signals::new();
        let pool = Arc::new(Pool::default());
        let (sandbox, introductions) = tokio::select! {
            biased;
            exit = signals.next(&plan.guards) => return Ok(exit),
            prepared = prepare(&plan, &pool) => prepared?,
        };
        fs::create_dir_all(&dir).map_err(|why| results::storage("create", &dir, why))?;
        let lock = Lock::take(&dir)?;
        results::write_config(&dir, &plan.tournament)?;
        Machine::new(&plan, &introductions, sandbox).write(&dir)?;
        let header = Header::new(&plan.tournament.name, results::checksum(&plan.tournament));
        let journal = Journal::create(lock.clone(), &header.of_part(shard))?;
        let so_far = SoFar::nothing(&plan.tournament, shard);
        let manner = Manner { strict, json, introductions };
        play(&dir, plan, pool, signals, journal, so_far, manner).await
    })
}

pub(super) fn resume(args: &ResumeArgs) -> Result<Exit, Refusal> {
    let dir = &args.dir;
    let tournament = load(&dir.join(results::CONFIG), &Overrides::default())?;
    let lock = Lock::take(dir)?;
    let (journal, Contents { header, index, voids, torn }) =
        Journal::open(lock.clone(), tournament.names())?;
    began_with(dir, &tournament, &header, args.force)?;
    if torn > 0 {
        tell("note: the last game was not written to its end and will be played again");
    }
    let plan = plan(tournament, header.shard)?;
    runtime()?.block_on(async {
        let mut signals = Signals::new();
        let pool = Arc::new(Pool::default());
        let introductions = tokio::select! {
            biased;
            exit = signals.next(&plan.guards) => {
                stopped(dir, args.json);
                return Ok(exit);
            }
            prepared = prepare(&plan, &pool) => {
                let (sandbox, introductions) = prepared?;
                let machine = Machine::new(&plan, &introductions, sandbox);
                let found = same_machine(dir, machine, args.force);
                if found.is_err() {
                    pool.quit().await;
                }
                found?;
                introductions
            }
        };
        let course = Course::new(&plan.tournament, plan.shard);
        let so_far = SoFar { index, voids, course };
        let manner = Manner { strict: args.strict, json: args.json, introductions };
        play(dir, plan, pool, signals, journal, so_far, manner).await
    })
}

/// Refuses a directory that holds a tournament already.
pub(super) fn vacant(dir: &Path) -> Result<(), Refusal> {
    if !Journal::path_in(dir).exists() {
        return Ok(());
    }
    Err(Refusal::with_help(
        Exit::Usage,
        format!("{} holds a tournament already", dir.display()),
        format!("go on with it: {}\nor choose another directory by --out", resume_command(dir)),
    ))
}

/// Refuses a part of a tournament in which what is played depends on what was played before.
fn divisible(tournament: &Tournament, shard: Shard) -> Result<(), Refusal> {
    let why = match tournament.format {
        _ if shard.is_whole() => return Ok(()),
        Format::Swiss { .. } | Format::Knockout { .. } => {
            let word = tournament.format.word();
            format!("a {word} cannot be played in parts: who meets next depends on all games")
        }
        _ if tournament.sprt.is_some() => {
            "a match under [sprt] cannot be played in parts: when it \
                                           ends depends on all games"
                .to_owned()
        }
        _ => return Ok(()),
    };
    let help = "leave out --shard; --concurrency plays more games at once";
    Err(Refusal::with_help(Exit::Usage, why, help))
}

/// Refuses a config that is not the journal's, unless that is wanted.
pub(super) fn began_with(
    dir: &Path,
    tournament: &Tournament,
    header: &Header,
    force: bool,
) -> Result<(), Refusal> {
    let found = results::checksum(tournament);
    if header.config == found || force {
        return Ok(());
    }
    Err(Refusal::with_help(
        Exit::Usage,
        format!(
            "{} is not the config this tournament began with (checksum {found}, not {})",
            dir.join(results::CONFIG).display(),
            header.config
        ),
        "restore the file, or go on with what it says now: --force",
    ))
}

/// Refuses engines and an openings file that have been changed since the tournament began, unless that is wanted: then
/// what they are now is written down.
fn same_machine(dir: &Path, now: Machine, force: bool) -> Result<(), Refusal> {
    let differences = Machine::read(dir).map_or(Vec::new(), |before| now.differences(&before));
    if differences.is_empty() {
        return Ok(());
    }
    if force {
        differences.iter().for_each(|difference| tell(format_args!("note: {difference}")));
        return Ok(now.write(dir)?);
    }
    Err(Refusal::with_help(
        Exit::Usage,
        differences.join("\n"),
        "bring back what it was, or go on with what it is now: --force",
    ))
}

pub(super) fn load(path: &Path, overrides: &Overrides) -> Result<Tournament, Refusal> {
    config::load(path, overrides).map_err(|error| match error {
        LoadError::Wrong(errors) => Refusal::of_config(errors),
        other => Refusal::new(Exit::Usage, other),
    })
}

/// `results/<name>-<time>`, the time in UTC; a part says which, as parts may begin together.
fn default_dir(name: &str, shard: Shard) -> PathBuf {
    let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    let part = if shard.is_whole() { String::new() } else { format!("-{}", shard.in_names()) };
    Path::new("results").join(format!("{name}-{now}{part}"))
}

/// The command that goes on with a tournament, for a shell.
pub(super) fn resume_command(dir: &Path) -> String {
    let text = dir.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        format!("arena resume {text}")
    } else {
        format!("arena resume '{}'", text.replace('\'', "'\\''"))
    }
}

/// Everything there is to know before an engine is started.
fn plan(tournament: Tournament, shard: Shard) -> Result<Plan, Refusal> {
    let openings = Openings::load(&tournament).map_err(|why| Refusal::new(Exit::Usage, why))?;
    let beside = std::env::current_exe().ok();
    let path = std::env::var_os("PATH");
    let places = Places {
        arena: beside.as_deref().and_then(Path::parent),
        base: &tournament.base,
        path: path.as_deref(),
    };
    for engine in &tournament.engines {
        let missing = missing_cpus(tournament.cpus_of(engine));
        if !missing.is_empty() {
            let missing: Vec<_> = missing.iter().map(u32::to_string).collect();
            let (name, missing) = (&engine.name, missing.join(", "));
            return Err(Refusal::with_help(
                Exit::Usage,
                format!("engine `{name}` is to run on CPUs the arena does not have: {missing}"),
                "correct `cpus` in the config; `nproc` and `taskset -p $$` say what there is",
            ));
        }
    }
    let guards = guards()?;
    let (mut launches, mut missing) = (Vec::new(), Vec::new());
    for engine in tournament.engines.iter().chain(&tournament.adjudication.oracle) {
        match config::resolve(engine, &places) {
            Ok(found) => {
                let variable = |name: &str| std::env::var_os(name);
                launches.push(Launch::new(&tournament, engine, found, &guards, variable));
            }
            Err(why) => missing.push(why.to_string()),
        }
    }
    if !missing.is_empty() {
        return Err(Refusal::with_help(
            Exit::EngineStart,
            missing.join("\n"),
            "build the bots (cargo build --release), or correct `command` in the config, or the command \
             line",
        ));
    }
    Ok(Plan { shard, tournament, openings, launches, guards })
}

/// Guards that are processes of this very program, also when its file has been replaced since.
pub(super) fn guards() -> Result<Arc<Guards>, Refusal> {
    let why = |why| Refusal::new(Exit::Storage, format!("cannot guard engines: {why}"));
    Guards::new("/proc/self/exe").map_err(why)
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Refusal> {
    let built = tokio::runtime::Builder::new_current_thread().enable_all().build();
    built.map_err(|why| Refusal::new(Exit::Storage, format!("cannot begin to wait: {why}")))
}

/// Finds out what the sandbox holds, if any engine has one, and starts every engine once; gives the
/// former, and what they say of themselves.
async fn prepare(
    plan: &Plan,
    pool: &Pool,
) -> Result<(Option<Enforced>, Vec<Introduction>), Refusal> {
    let sandbox = sandbox(plan).await?;
    let introductions = pool.prepare(plan).await.map_err(|failures| {
        let lines: Vec<_> =
            failures.iter().map(|(name, why)| format!("engine `{name}`: {why}")).collect();
        let silent = |(_, why): &(_, StartError)| matches!(why, StartError::Handshake { .. });
        let help = match failures.iter().any(silent) {
            true => "run the command by hand, type `ugi`, and see whether it answers `ugiok`",
            false => "correct the config, or the engine",
        };
        Refusal::with_help(Exit::EngineStart, lines.join("\n"), help)
    })?;
    for (launch, introduction) in plan.launches.iter().zip(&introductions) {
        warn_of_remarks(&launch.name, &introduction.remarks);
    }
    Ok((sandbox, introductions))
}

/// Tries the sandbox and says what it holds.
async fn sandbox(plan: &Plan) -> Result<Option<Enforced>, Refusal> {
    let Plan { tournament, guards, .. } = plan;
    let of = |engine| tournament.sandbox_of(engine);
    if tournament.engines.iter().all(|engine| of(engine) == Sandbox::None) {
        tell("note: sandbox: none; engines can do here whatever you can");
        return Ok(None);
    }
    let enforced = probe::probe(guards, tournament.start_timeout).await.map_err(|why| {
        let what = format!("cannot find out what the sandbox holds: {why}");
        Refusal::with_help(Exit::EngineStart, what, "set sandbox = \"none\" to play without it")
    })?;
    let strict = tournament.engines.iter().find(|engine| of(engine) == Sandbox::Landlock);
    if let (Some(engine), Enforcement::NotHere) = (strict, enforced.files) {
        let name = &engine.name;
        return Err(Refusal::with_help(
            Exit::EngineStart,
            format!("this kernel has no Landlock, and engine `{name}` is to be confined by it"),
            "boot a kernel with Landlock (5.13 or later, `landlock` among its `lsm`), or set \
             sandbox = \"auto\" to play without it",
        ));
    }
    tell(format_args!("note: sandbox: {enforced}"));
    Ok(Some(enforced))
}

/// How a tournament is told of, and when it has gone well.
struct Manner {
    /// Whether an engine's fault shows in the exit code.
    strict: bool,
    /// Whether events are told instead of tables.
    json: bool,
    /// What the engines say of themselves.
    introductions: Vec<Introduction>,
}

impl Manner {
    fn tell(&self, event: events::Event<'_>) {
        if self.json {
            say(event.line());
        }
    }

    /// Tells what is played, and by whom; how many pairings are done, and how many there are.
    fn begin(&self, dir: &Path, plan: &Plan, counts: [u64; 2]) {
        let Plan { tournament, .. } = plan;
        let results = dir.display().to_string();
        self.tell(events::Event::started(tournament, results, plan.concurrency(), counts));
        for (engine, introduction) in tournament.engines.iter().zip(&self.introductions) {
            let (limit, identity) =
                (tournament.limit_of(engine).to_string(), &*introduction.identity);
            self.tell(events::Event::Engine { name: &engine.name, identity, limit });
        }
        for (launch, introduction) in plan.launches.iter().zip(&self.introductions) {
            for text in remarks(&launch.name, &introduction.remarks) {
                self.tell(events::Event::Warning { text });
            }
        }
    }
}

/// Plays what is missing and writes the results. Whoever calls it holds the lock until it is done.
async fn play(
    dir: &Path,
    plan: Plan,
    pool: Arc<Pool>,
    mut signals: Signals,
    journal: Journal,
    mut so_far: SoFar,
    manner: Manner,
) -> Result<Exit, Refusal> {
    let plan = Arc::new(plan);
    let before = so_far.course.finished(&plan.tournament, &so_far.index);
    let total = so_far.course.schedule().len();
    let mut progress = Progress::new(total, before);
    let mut thinkers = IdleThinkers::default();
    let mut readiness = Readiness::default();
    let mut done = before;
    manner.begin(dir, &plan, [before, total]);
    let watch = |event: Event<'_>| match event {
        Event::Begins(begins) => manner.tell(events::Event::begins(begins, &plan.tournament)),
        Event::Game(game) => {
            manner.tell(events::Event::game(game));
            progress.game(game);
            for note in &game.notes {
                progress.note(&format!("game {}: {note}", game.id));
            }
            let idle = thinkers.seen(game).into_iter().map(|warning| warning.to_string());
            let slow = readiness.seen(game).into_iter().map(|warning| warning.to_string());
            for text in idle.chain(slow) {
                progress.note(&format!("warning: {text}"));
                manner.tell(events::Event::Warning { text });
            }
        }
        Event::Void(void) => {
            manner.tell(events::Event::void(void));
            progress.note(&format!("game {} is void and played again: {}", void.id, void.why));
        }
        Event::PairingComplete => {
            done += 1;
            manner.tell(events::Event::Pairing { done, total });
            progress.pairing();
        }
        Event::Withdrawn(withdrawal) => {
            let name = &plan.tournament.engines[withdrawal.engine.0].name;
            manner.tell(events::Event::withdrawn(name, withdrawal));
            progress.note(&terminal::withdrawn(name, withdrawal));
        }
        Event::Tested(test) => progress.tested(terminal::ratio(&test.state())),
        Event::Trouble(why, patience) => {
            let patience = HumanDuration(patience);
            manner.tell(events::Event::Warning { text: why.to_owned() });
            progress.note(&format!("{why}; make room: it is tried again for {patience}"));
        }
        Event::Recovered => progress.note("finished games can be kept again"),
        Event::Finishing(games, patience) => {
            manner.tell(events::Event::finishing(games, patience));
            let patience = HumanDuration(patience);
            progress.note(&format!(
                "no further game begins; {games} in progress may go on for {patience}; \
                 Ctrl-C once more stops them"
            ));
        }
    };
    let (stop, stops) = mpsc::unbounded_channel();
    let mut signalled = Exit::Done;
    let listening = async {
        loop {
            let exit = signals.next(&plan.guards).await;
            // Who asks once, at the terminal, can wait for the games that are being played.
            let first = std::mem::replace(&mut signalled, exit) == Exit::Done;
            let patient = first && exit == Exit::Interrupt;
            // The tournament may have ended this very moment.
            let _ = stop.send(if patient { Stop::Finish } else { Stop::AtOnce });
        }
    };
    let playing = tournament::run(plan.clone(), pool.clone(), journal, &mut so_far, watch, stops);
    let finish = tokio::select! {
        finish = playing => finish,
        () = listening => unreachable!("signals are listened to for ever"),
    };
    progress.finish();
    pool.quit().await;
    plan.guards.gone(plan.tournament.quit_timeout).await;
    // Whatever stopped it, what is finished is worth its files.
    let results = results::write(dir, &plan.tournament, &so_far.index, &so_far.course);
    let finish = finish.map_err(|why| told(why, dir))?;
    let results = results.map_err(|why| match why {
        JournalError::Storage(why) => told(why, dir),
        why => why.into(),
    })?;
    if manner.json {
        manner.tell(events::Event::standings(&results.standings));
    } else {
        prose(terminal::results(&results, screen::width()).trim_start());
        say(format_args!("report: {}", dir.join(html::FILE).display()));
        say(format_args!("results: {}", dir.display()));
    }
    let faults = so_far.index.games().iter().any(|game| game.fault.is_some());
    Ok(match finish {
        Finish::Interrupted => {
            stopped(dir, manner.json);
            signalled
        }
        Finish::Complete => {
            manner.tell(events::Event::Finished { results: dir.display().to_string() });
            if manner.strict && faults { Exit::Faults } else { Exit::Done }
        }
    })
}

/// Says how to go on after an interruption; always the last line.
fn stopped(dir: &Path, json: bool) {
    let (resume, results) = (resume_command(dir), dir.display().to_string());
    match json {
        true => say(events::Event::Stopped { resume, results }.line()),
        false => say(format_args!("stopped; go on with: {resume}")),
    }
}

/// A failure of the disk, after which the tournament can go on once it is mended.
fn told(why: StorageError, dir: &Path) -> Refusal {
    let help = format!("finished games are kept; make room, then: {}", resume_command(dir));
    Refusal::with_help(Exit::Storage, why, help)
}

/// The signals that ask the arena to stop, or to stand still. From when this is made on, they no
/// longer act by themselves.
struct Signals {
    hangup: Signal,
    interrupt: Signal,
    terminate: Signal,
    suspend: Signal,
}

impl Signals {
    fn new() -> Signals {
        let handler = |kind| signal(kind).expect("signals can be handled before any game");
        Signals {
            hangup: handler(SignalKind::hangup()),
            interrupt: handler(SignalKind::interrupt()),
            terminate: handler(SignalKind::terminate()),
            suspend: handler(SignalKind::from_raw(SIGTSTP as i32)),
        }
    }

    /// Waits for one that asks to stop; gives how to exit then. When the arena is to stand still, as
    /// by Ctrl-Z, its engines do so as well, until both go on.
    async fn next(&mut self, guards: &Guards) -> Exit {
        loop {
            tokio::select! {
                _ = self.hangup.recv() => return Exit::Hangup,
                _ = self.interrupt.recv() => return Exit::Interrupt,
                _ = self.terminate.recv() => return Exit::Terminate,
                _ = self.suspend.recv() => {
                    guards.halt(true);
                    // Returns when somebody has it go on; whoever cannot be stopped goes on at once.
                    let _ = raise(SIGSTOP);
                    guards.halt(false);
                }
            }
        }
    }
}

impl From<JournalError> for Refusal {
    fn from(error: JournalError) -> Refusal {
        let exit = match error {
            JournalError::Storage(_) => Exit::Storage,
            _ => Exit::Usage,
        };
        Refusal::new(exit, error)
    }
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Refusal {
        Refusal::new(Exit::Storage, error)
    }
}
