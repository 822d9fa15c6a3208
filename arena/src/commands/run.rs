//! `arena run` and `arena resume`: from a config to a results directory. [`begin`] is the part of it
//! that needs no file.

use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::HumanDuration;
use tokio::sync::{mpsc, oneshot};

use super::arguments::count;
use super::exit::Exit;
use super::prepare::{Prepared, plan, prepare, runtime};
use super::refusal::CliError;
use super::signals::Signals;
use crate::config::{self, Format, LoadError, Overrides, Tournament};
use crate::game::termination::GameResult;
use crate::pairing::shard::Shard;
use crate::record::storage::storage;
use crate::record::{
    Contents, Header, Journal, JournalError, Lock, StorageError, Summary, effective_config,
};
use crate::report::{events, html, terminal, words, write};
use crate::statistics::results::Results;
use crate::terminal::outlet::{Outlet, Stream};
use crate::terminal::output::{ProgressDisplay, UNREAD, fitted, remarks, say, tell};
use crate::terminal::screen;
use crate::tournament::environment::Machine;
use crate::tournament::idle_thinking::IdleThinkers;
use crate::tournament::progress::Progress;
use crate::tournament::readiness::Readiness;
use crate::tournament::runner::{
    self, Event, Finish, Introduction, Plan, Pool, RunError, Snapshot, Stop,
};
use clap::Args;

#[derive(Args, Debug)]
pub(super) struct ResumeArgs {
    /// The results directory of the tournament
    dir: PathBuf,
    /// Go on although the config, an engine's program or the openings file has been changed since
    #[arg(long)]
    force: bool,
    /// Games played at once, instead of the config's
    #[arg(long, value_name = "N")]
    concurrency: Option<std::num::NonZeroU32>,
    /// End with exit code 3 if any engine was at fault
    #[arg(long)]
    strict: bool,
    /// Print one JSON object for every event instead of tables (arena/guides/events.md)
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
pub(super) struct RunArgs {
    /// The tournament's config, a TOML file
    config: PathBuf,
    /// Where results go [default: results/<name>-<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Pairs per pairing and kind, instead of the config's
    #[arg(long, value_name = "N", value_parser = count)]
    rounds: Option<std::num::NonZeroU32>,
    /// Games played at once, instead of the config's
    #[arg(long, value_name = "N", value_parser = count)]
    concurrency: Option<std::num::NonZeroU32>,
    /// The seed of every random choice, instead of the config's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Play one of n equal parts, to be united by `arena merge`: 2/4 is the second of four; not of
    /// a swiss, a knockout or a match under [sprt], where games depend on earlier ones
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    /// Play without engines that do not start; they count as withdrawn before the first game
    #[arg(long)]
    skip_broken: bool,
    /// End with exit code 3 if any engine was at fault, or a game has no result
    #[arg(long)]
    strict: bool,
    /// Print one JSON object for every event instead of tables (arena/guides/events.md)
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &RunArgs) -> Result<Exit, CliError> {
    let overrides =
        Overrides { rounds: args.rounds, concurrency: args.concurrency, seed: args.seed };
    let mut tournament = load(&args.config, &overrides)?;
    tournament.skip_broken |= args.skip_broken;
    let shard = args.shard.unwrap_or_default();
    begin(tournament, Some(&args.config), args.out.clone(), shard, args.strict, args.json)
}

/// Plays a tournament, or a part of it, from its beginning. `config` is the file it was read from.
pub(super) fn begin(
    tournament: Tournament,
    config: Option<&Path>,
    out: Option<PathBuf>,
    shard: Shard,
    strict: bool,
    json: bool,
) -> Result<Exit, CliError> {
    divisible(&tournament, shard)?;
    let dir = out.unwrap_or_else(|| default_dir(&tournament.name, shard));
    vacant(&dir)?;
    let plan = plan(tournament, shard)?;
    runtime()?.block_on(async {
        let mut signals = Signals::new();
        let pool = Arc::new(Pool::default());
        let Prepared { sandbox, introductions, broken } = tokio::select! {
            biased;
            exit = signals.next(&plan.guards) => return Ok(exit),
            prepared = prepare(&plan, &pool, &plan.missing, config) => prepared?,
        };
        fs::create_dir_all(&dir).map_err(|why| storage("create", &dir, why))?;
        let lock = Lock::take(&dir)?;
        // Another arena may have played here while the engines were started.
        vacant(&dir)?;
        effective_config::write_config(&dir, &plan.tournament)?;
        Machine::new(&plan, &introductions, sandbox).write(&dir)?;
        let header =
            Header::new(&plan.tournament.name, effective_config::checksum(&plan.tournament));
        let header = Header { broken, ..header.for_shard(shard) };
        let journal = Journal::create(lock.clone(), &header)?;
        let course = Progress::of_journal(&plan.tournament, &header);
        let so_far = Snapshot { course, ..Snapshot::nothing(&plan.tournament, shard) };
        let manner = RunOptions::new(strict, json, introductions)?;
        play(&dir, plan, pool, signals, journal, so_far, manner).await
    })
}

pub(super) fn resume(args: &ResumeArgs) -> Result<Exit, CliError> {
    let dir = &args.dir;
    let config = dir.join(effective_config::CONFIG);
    let overrides = Overrides { concurrency: args.concurrency, ..Overrides::default() };
    let tournament = load_results(dir, &overrides)?;
    let lock = Lock::take(dir)?;
    let (journal, contents) = Journal::open(lock.clone(), tournament.names())?;
    began_with(dir, &tournament, &contents.header, args.force)?;
    note_the_end(dir, &contents);
    let Contents { header, mut index, .. } = contents;
    let mut course = Progress::of_journal(&tournament, &header);
    course.advance(&tournament, &index);
    match index.forget_voids(course.rests_on()) {
        0 => {}
        1 => tell("note: 1 game without a result will be played again"),
        again => tell(format_args!("note: {again} games without a result will be played again")),
    }
    let plan = plan(tournament, header.shard)?;
    runtime()?.block_on(async {
        let mut signals = Signals::new();
        let pool = Arc::new(Pool::default());
        // Who did not start before the first game plays in none.
        let out: Vec<_> =
            header.broken.iter().map(|it| (it.engine.clone(), it.why.clone())).collect();
        let introductions = tokio::select! {
            biased;
            exit = signals.next(&plan.guards) => {
                say(how_to_go_on(dir, args.json));
                return Ok(exit);
            }
            prepared = prepare(&plan, &pool, &out, Some(&config)) => {
                let Prepared { sandbox, introductions, .. } = prepared?;
                let machine = Machine::new(&plan, &introductions, sandbox);
                let found = same_machine(dir, machine, args.force);
                if found.is_err() {
                    pool.quit().await;
                }
                found?;
                introductions
            }
        };
        let course = Progress::of_journal(&plan.tournament, &header);
        let so_far = Snapshot { index, course };
        let manner = RunOptions::new(args.strict, args.json, introductions)?;
        play(dir, plan, pool, signals, journal, so_far, manner).await
    })
}

/// Refuses a directory that holds a tournament already.
pub(super) fn vacant(dir: &Path) -> Result<(), CliError> {
    if !Journal::path_in(dir).exists() {
        return Ok(());
    }
    Err(CliError::with_help(
        Exit::Usage,
        format!("{} holds a tournament already", dir.display()),
        format!("go on with it: {}\nor choose another directory by --out", resume_command(dir)),
    ))
}

/// Refuses a part of a tournament in which what is played depends on what was played before.
fn divisible(tournament: &Tournament, shard: Shard) -> Result<(), CliError> {
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
    Err(CliError::with_help(Exit::Usage, why, help))
}

/// Refuses a config that is not the journal's, unless that is wanted.
pub(super) fn began_with(
    dir: &Path,
    tournament: &Tournament,
    header: &Header,
    force: bool,
) -> Result<(), CliError> {
    let found = effective_config::checksum(tournament);
    if header.config == found || force {
        return Ok(());
    }
    Err(CliError::with_help(
        Exit::Usage,
        format!(
            "{} is not the config this tournament began with (checksum {found}, not {})",
            dir.join(effective_config::CONFIG).display(),
            header.config
        ),
        "restore the file, or go on with what it says now: --force",
    ))
}

/// Says what is wrong with the end of a journal.
pub(super) fn note_the_end(dir: &Path, contents: &Contents) {
    let path = Journal::path_in(dir);
    let path = path.display();
    if contents.torn > 0 {
        tell(format_args!(
            "note: the last line of {path} is not whole: its game does not count, and `arena resume` \
             plays it again"
        ));
    }
    if contents.unended.is_some() {
        tell(format_args!(
            "note: the newline at the end of {path} is missing or damaged; the line counts, as its \
             checksum holds"
        ));
    }
}

/// Refuses engines and an openings file that have been changed since the tournament began, unless that is wanted: then
/// what they are now is written down. Where and when is noted either way.
fn same_machine(dir: &Path, now: Machine, force: bool) -> Result<(), CliError> {
    let before = Machine::read(dir);
    let differences = before.as_ref().map_or(Vec::new(), |before| now.differences(before));
    if differences.is_empty() || force {
        differences.iter().for_each(|difference| tell(format_args!("note: {difference}")));
        let now = before.iter().fold(now, |now, before| now.after(before));
        return Ok(now.write(dir)?);
    }
    Err(CliError::with_help(
        Exit::Usage,
        differences.join("\n"),
        "bring back what it was, or go on with what it is now: --force",
    ))
}

pub(super) fn load(path: &Path, overrides: &Overrides) -> Result<Tournament, CliError> {
    config::load(path, overrides).map_err(|error| match error {
        LoadError::Wrong(errors) => CliError::of_config(errors),
        other => CliError::new(Exit::Usage, other),
    })
}

/// The tournament of a results directory.
pub(super) fn load_results(dir: &Path, overrides: &Overrides) -> Result<Tournament, CliError> {
    let config = dir.join(effective_config::CONFIG);
    if !config.exists() {
        let (dir, config) = (dir.display(), config.display());
        return Err(CliError::with_help(
            Exit::Usage,
            format!("{dir} is not a results directory: there is no {config}"),
            "name a directory that `arena run`, `arena quick` or `arena merge` has written",
        ));
    }
    load(&config, overrides)
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

/// How a tournament is told of, and when it has gone well.
struct RunOptions {
    /// Whether an engine's fault shows in the exit code.
    strict: bool,
    /// Whether events are told instead of tables.
    json: bool,
    /// What the engines say of themselves.
    introductions: Vec<Introduction>,
    /// Standard output, of which nothing is left out, however late it is read.
    out: Outlet<String>,
}

/// When so many bytes of events wait for their reader, no further game begins.
const MOST_UNREAD: usize = 16 << 20;

impl RunOptions {
    fn new(
        strict: bool,
        json: bool,
        introductions: Vec<Introduction>,
    ) -> Result<RunOptions, CliError> {
        let mut stdout = Stream::of(io::stdout());
        let out = Outlet::start(move |line: String| stdout.line(&line)).map_err(no_thread)?;
        Ok(RunOptions { strict, json, introductions, out })
    }

    fn say(&self, text: impl Display) {
        let text = text.to_string();
        let bytes = text.len();
        self.out.put(text, bytes);
    }

    fn tell(&self, event: events::Event<'_>) {
        if self.json {
            self.say(event.line());
        }
    }

    /// Shows the results, and what is to be said of games without one.
    fn conclude(
        &self,
        dir: &Path,
        tournament: &Tournament,
        results: &Results,
        without_result: Option<&str>,
    ) {
        if self.json {
            if let Some(text) = without_result {
                self.tell(events::Event::Warning { text: text.to_owned() });
            }
            self.tell(events::Event::standings(&results.standings, &results.extent));
            return;
        }
        self.say(format_args!("{}: {}", tournament.title(), results.extent.in_words()));
        self.say(fitted(&terminal::results(results, screen::width())));
        if let Some(text) = without_result {
            self.say(text);
        }
        self.say(format_args!("report: {}", dir.join(html::FILE).display()));
        self.say(format_args!("results: {}", dir.display()));
    }

    /// Says how to go on after an interruption; always the last line.
    fn stopped(&self, dir: &Path) {
        self.say(how_to_go_on(dir, self.json));
    }

    /// Whether the reader of the events is not too far behind for another game. What has been
    /// decided before is in `held`; a change is noted.
    fn keeps_up(&self, held: &Cell<bool>, progress: &RefCell<ProgressDisplay>) -> bool {
        let keeps_up = self.out.waiting() < MOST_UNREAD;
        if held.replace(!keeps_up) == keeps_up {
            progress.borrow().note(match keeps_up {
                true => "the events are read again: games begin again",
                false => "nobody reads the events: no further game begins until they are read",
            });
        }
        keeps_up
    }

    /// Tells what is played, and by whom; how many pairings are done, and how many there are.
    fn begin(&self, dir: &Path, plan: &Plan, counts: [u64; 2]) {
        let Plan { tournament, .. } = plan;
        let results = dir.display().to_string();
        self.tell(events::Event::started(tournament, results, plan.capacity.games, counts));
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
    mut so_far: Snapshot,
    manner: RunOptions,
) -> Result<Exit, CliError> {
    let plan = Arc::new(plan);
    let before = so_far.course.finished(&plan.tournament, &so_far.index);
    let games_before = so_far.index.games().len();
    let total = so_far.course.schedule().len();
    // Two closures print to the progress display: the one that watches events, and the one that
    // decides whether another game may begin.
    let progress = RefCell::new(ProgressDisplay::new(total, before).map_err(no_thread)?);
    let held = Cell::new(false);
    let mut thinkers = IdleThinkers::default();
    let mut readiness = Readiness::default();
    let mut done = before;
    manner.begin(dir, &plan, [before, total]);
    let watch = |event: Event<'_>| {
        let mut progress = progress.borrow_mut();
        match event {
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
            Event::Tested(test) => progress.tested(words::ratio(&test.state())),
            Event::StartFailure(why, patience) => {
                let patience = HumanDuration(patience);
                manner.tell(events::Event::Warning { text: why.to_owned() });
                progress.note(&format!("{why}; make room: it is tried again for {patience}"));
            }
            Event::Recovered => progress.note("finished games can be kept again"),
            Event::Short(why) => {
                let text = format!(
                    "this machine is short of something that engines need to start ({why}); games \
                         wait for it, and no engine loses by it"
                );
                progress.note(&text);
                manner.tell(events::Event::Warning { text });
            }
            Event::Late(lost, within) => {
                let text = format!(
                    "the arena waited {:.1} of the last {:.0} s for a processor; no engine is \
                         charged for that, but play fewer games at once (`concurrency`) or leave the \
                         machine to the tournament",
                    lost.as_secs_f64(),
                    within.as_secs_f64(),
                );
                progress.note(&format!("warning: {text}"));
                manner.tell(events::Event::Warning { text });
            }
            Event::Finishing(games, patience) => {
                manner.tell(events::Event::finishing(games, patience));
                let patience = HumanDuration(patience);
                progress.note(&format!(
                    "no further game begins; {games} in progress may go on for {patience}; \
                     Ctrl-C once more stops them"
                ));
            }
        }
    };
    let may_begin = || manner.keeps_up(&held, &progress);
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
    let playing =
        runner::run(plan.clone(), pool.clone(), journal, &mut so_far, watch, may_begin, stops);
    let finish = tokio::select! {
        finish = playing => finish,
        () = listening => unreachable!("signals are listened to for ever"),
    };
    pool.quit().await;
    plan.guards.gone(plan.tournament.quit_timeout).await;
    // Whatever stopped it, what is finished is worth its files.
    let progress = progress.into_inner();
    let noted = Machine::end(dir, so_far.index.games().len() > games_before);
    let counts = |game: &&Summary| so_far.course.counts(game);
    let games: Vec<&Summary> = so_far.index.games().iter().filter(counts).collect();
    let void = games.iter().filter(|game| game.is_void()).count();
    let without_result = words_without_result(&games, dir);
    let faults = so_far.index.games().iter().any(|game| game.fault.is_some());
    let written = written(dir, &plan, so_far, &mut signals, &progress).await;
    progress.finish().await;
    let conclude = || match written {
        Err(exit) => {
            manner.stopped(dir);
            Ok(exit)
        }
        Ok(results) => {
            let finish = finish.map_err(|why| cut_short(why, dir))?;
            let results = results.map_err(|why| match why {
                JournalError::Storage(why) => cut_short(why.into(), dir),
                why => why.into(),
            })?;
            noted.map_err(|why| cut_short(why.into(), dir))?;
            manner.conclude(dir, &plan.tournament, &results, without_result.as_deref());
            Ok(match finish {
                Finish::Interrupted => {
                    manner.stopped(dir);
                    signalled
                }
                Finish::Complete => {
                    manner.tell(events::Event::Finished { results: dir.display().to_string() });
                    if manner.strict && (faults || void > 0) { Exit::Faults } else { Exit::Done }
                }
            })
        }
    };
    let exit = conclude();
    // Nobody who has been asked to stop waits long for a reader.
    let patience = (signalled != Exit::Done).then_some(UNREAD);
    tokio::select! {
        biased;
        _ = manner.out.flushed(patience) => exit,
        asked = signals.next(&plan.guards) => exit.map(|_| asked),
    }
}

/// How many games have no result, and what can be done about it; `None` where all have one.
fn words_without_result(games: &[&Summary], dir: &Path) -> Option<String> {
    let without = games.iter().filter(|game| game.result == GameResult::Void).count();
    let ours = games.iter().filter(|game| game.is_void()).count();
    if without == 0 {
        return None;
    }
    let have = if without == 1 { "has" } else { "have" };
    let mut text = format!("{without} of {} games {have} no result (*)", games.len());
    if ours > 0 {
        let resume = resume_command(dir);
        text += &format!(
            ", {ours} by faults of this machine; play them again, unless a decision rests on them: \
             {resume}"
        );
    } else {
        text += ": neither engine got ready";
    }
    Some(text)
}

/// Writes the results, on a thread of its own, so that signals are heard. It takes seconds at most:
/// the first signal is answered by saying so, and the second one ends the wait. Every file is then as
/// it was before or whole. Gives how to exit then.
async fn written(
    dir: &Path,
    plan: &Arc<Plan>,
    so_far: Snapshot,
    signals: &mut Signals,
    progress: &ProgressDisplay,
) -> Result<Result<Results, JournalError>, Exit> {
    let (done, mut results) = oneshot::channel();
    let so_far = Arc::new(so_far);
    let started = {
        let (dir, plan, so_far) = (dir.to_owned(), plan.clone(), so_far.clone());
        std::thread::Builder::new().spawn(move || {
            let Snapshot { index, course, .. } = &*so_far;
            // Nobody waits for it any more after a second signal.
            let _ = done.send(write::write(&dir, &plan.tournament, index, course));
        })
    };
    let Ok(writing) = started else {
        // A machine that is short of threads is to have its results as well.
        return Ok(write::write(dir, &plan.tournament, &so_far.index, &so_far.course));
    };
    let mut asked = false;
    loop {
        tokio::select! {
            biased;
            results = &mut results => return Ok(results.unwrap_or_else(|_| {
                std::panic::resume_unwind(writing.join().expect_err("it ends by giving results"))
            })),
            exit = signals.next(&plan.guards) => {
                if std::mem::replace(&mut asked, true) {
                    return Err(exit);
                }
                progress.note(
                    "the results are being written; Ctrl-C once more stops at once without them",
                );
            }
        }
    }
}

/// Printing takes a thread.
fn no_thread(why: io::Error) -> CliError {
    CliError::new(Exit::Storage, format!("cannot start a thread that prints: {why}"))
}

/// How to go on after an interruption, as a line.
fn how_to_go_on(dir: &Path, json: bool) -> String {
    let (resume, results) = (resume_command(dir), dir.display().to_string());
    match json {
        true => events::Event::Stopped { resume, results }.line(),
        false => format!("stopped; go on with: {resume}"),
    }
}

/// What the tournament cannot go on without, and how it goes on once that is there again.
fn cut_short(why: RunError, dir: &Path) -> CliError {
    let (exit, mend) = match why {
        RunError::Storage(_) => (Exit::Storage, "make room"),
        RunError::Shortage(_) => (Exit::Storage, "give the arena what it lacks"),
        RunError::Changed { .. } => {
            (Exit::Usage, "bring the file back, or add --force to go on with what it is now")
        }
    };
    let resume = resume_command(dir);
    CliError::with_help(exit, why, format!("finished games are kept; {mend}, then: {resume}"))
}

impl From<JournalError> for CliError {
    fn from(error: JournalError) -> CliError {
        let exit = match error {
            JournalError::Storage(_) => Exit::Storage,
            _ => Exit::Usage,
        };
        CliError::new(exit, error)
    }
}

impl From<StorageError> for CliError {
    fn from(error: StorageError) -> CliError {
        CliError::new(Exit::Storage, error)
    }
}
