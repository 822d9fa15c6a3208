//! `arena run` and `arena resume`: play a tournament into a results directory. `arena quick` uses
//! [`Begin`] without a config file.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::fmt::Display;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::HumanDuration;
use tokio::sync::{mpsc, oneshot};

use super::arguments::count;
use super::error::CliError;
use super::exit::Exit;
use super::machines::{ClusterArgs, Machines};
use super::prepare::{Prepared, Role, plan, prepare, runtime};
use super::serve::{open, open_site, serve_beside};
use super::signals::Signals;
use super::spectators::Spectators;
use crate::config::{self, Format, Limit, LoadError, Log, Overrides, Tournament};
use crate::engine::Supervisors;
use crate::game::termination::GameResult;
use crate::pairing::schedule::Schedule;
use crate::pairing::shard::Shard;
use crate::record::storage::storage;
use crate::record::{
    Contents, Header, Journal, JournalBuilder, JournalError, Lock, StorageError, Summary, Tail,
    effective_config,
};
use crate::report::{events, html, terminal, words, write};
use crate::serve::{Engines, Library};
use crate::statistics::results::Results;
use crate::terminal::outlet::{Outlet, Stream};
use crate::terminal::output::{
    ProgressDisplay, READER_TIMEOUT, eprint_line, print_line, remarks, wrapped_for_stdout,
};
use crate::terminal::screen;
use crate::tournament::environment::Machine;
use crate::tournament::idle_thinking::IdleThinkers;
use crate::tournament::illegal_lines::IllegalLineCounts;
use crate::tournament::progress::Progress;
use crate::tournament::readiness::Readiness;
use crate::tournament::runner::{
    self, Event, Finish, Introduction, Plan, Pool, RunError, Snapshot, Stop, Venue,
};
use clap::Args;

#[derive(Args, Debug)]
pub(super) struct ResumeArgs {
    /// The results directory of the tournament
    dir: PathBuf,
    /// Extend the tournament to this many rounds, finished or not; not with stages or shards
    #[arg(long, value_name = "N", value_parser = count)]
    rounds: Option<std::num::NonZeroU32>,
    #[command(flatten)]
    how: ContinueArgs,
}

/// How a tournament that has begun is continued.
#[derive(Args, Debug)]
pub(super) struct ContinueArgs {
    /// Continue even if the config, an engine's program or the openings file has changed
    #[arg(long)]
    pub(super) force: bool,
    /// Games played at once, overriding the config
    #[arg(long, value_name = "N")]
    pub(super) concurrency: Option<std::num::NonZeroU32>,
    /// Exit with code 3 if an engine was at fault or a game has no result
    #[arg(long)]
    strict: bool,
    /// Print one JSON object per event instead of tables (arena/guides/events.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

impl ResumeArgs {
    /// How a league continues a tournament.
    pub(super) fn of_league(
        dir: &Path,
        force: bool,
        concurrency: Option<std::num::NonZeroU32>,
    ) -> ResumeArgs {
        let (watch, cluster) = (WatchArgs::default(), ClusterArgs::default());
        let how = ContinueArgs { force, concurrency, strict: false, json: false, watch, cluster };
        ResumeArgs { dir: dir.to_owned(), rounds: None, how }
    }
}

/// Who may watch a tournament.
#[derive(Args, Debug, Default)]
pub(super) struct WatchArgs {
    /// Show the tournament in a browser, with live boards; the pages stay after its end, until
    /// Ctrl-C
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true)]
    serve: Option<Option<SocketAddr>>,
    /// Open the pages in a browser
    #[arg(long, requires = "serve")]
    open: bool,
    /// Take requests from standard input and print boards: for a server that starts this process
    #[arg(long, hide = true, conflicts_with = "serve")]
    remote: bool,
}

impl WatchArgs {
    /// Prepares for spectators of a tournament in a directory.
    fn spectators(&self, plan: &Plan, dir: &Path) -> Result<Spectators, CliError> {
        if self.remote {
            return Ok(Spectators::of_pipes());
        }
        let Some(address) = self.serve else { return Ok(Spectators::of_socket()) };
        let Plan { tournament, supervisors, .. } = plan;
        let base = tournament.base.clone();
        let library = Library::new(vec![dir.to_owned()], base.clone());
        let engines = Engines::new(tournament.engines.clone(), base, supervisors.clone());
        let (site, listener) = open_site(address, library, engines)?;
        let url = site.url_of(dir);
        eprint_line(format_args!("watch the tournament: {url}"));
        serve_beside(site.clone(), listener)?;
        if self.open {
            open(&url);
        }
        Ok(Spectators::of_site(site))
    }
}

#[derive(Args, Debug)]
pub(super) struct RunArgs {
    /// The tournament's config, a TOML file
    config: PathBuf,
    /// Results directory [default: results/<name>-<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Pairs per pairing and kind, overriding the config
    #[arg(long, value_name = "N", value_parser = count)]
    rounds: Option<std::num::NonZeroU32>,
    /// Time limit of engines without their own, overriding the config: 50ms per move, 1s+0.01s per
    /// game, nodes=1000, depth=4
    #[arg(long, value_name = "LIMIT")]
    limit: Option<Limit>,
    /// Games played at once, overriding the config
    #[arg(long, value_name = "N", value_parser = count)]
    concurrency: Option<std::num::NonZeroU32>,
    /// Seed for all random choices, overriding the config
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Play shard i of n equal shards, to be merged by `arena merge`: 2/4 is the second of four.
    /// Not for swiss, knockout, race, tune or [sprt], where later games depend on earlier ones
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    /// Play without engines that do not start; they count as withdrawn before the first game
    #[arg(long)]
    skip_broken: bool,
    /// Exit with code 3 if an engine was at fault or a game has no result
    #[arg(long)]
    strict: bool,
    /// Print one JSON object per event instead of tables (arena/guides/events.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

pub(super) const TUNE_HELP: &str = "\
Examples:
  arena tune configs/tune.toml
  arena tune configs/tune-few.toml
  arena tune mine.toml --concurrency 8 --out results/tune

The config has one [[engine]], format = \"tune\", and a table [tune] with the number of iterations and \
the options to tune, each with start, min and max. In every iteration the engine plays itself with \
other values, --rounds pairs of each kind. With method = \"spsa\" the values differ slightly and move \
towards those of the winner; with method = \"gaussian-process\", for up to about six options, those two \
sets of values play whose games tell most about the best one. The results directory has the values of every iteration in tune.csv, the recommended \
ones in tune.json, and confirm.toml, a match with [sprt] that tests them on other openings. \
`arena resume` continues after an interruption. See arena/guides/tune-your-engine.md.";

#[derive(Args, Debug)]
pub(super) struct TuneArgs {
    #[command(flatten)]
    run: RunArgs,
    /// Iterations, overriding the config
    #[arg(long, value_name = "N", value_parser = count)]
    iterations: Option<std::num::NonZeroU32>,
}

pub(super) fn tune(args: &TuneArgs) -> Result<Exit, CliError> {
    let TuneArgs { run, iterations } = args;
    let tournament = loaded(run, *iterations)?;
    if tournament.tuning.is_none() {
        let why = format!("{} has nothing to tune", run.config.display());
        let help = "set format = \"tune\" and add the table [tune], or use `arena run`";
        return Err(CliError::with_help(Exit::Usage, why, help));
    }
    play_all(run, tournament)
}

pub(super) fn run(args: &RunArgs) -> Result<Exit, CliError> {
    play_all(args, loaded(args, None)?)
}

/// The tournament of a config with the options of the command line.
fn loaded(
    args: &RunArgs,
    iterations: Option<std::num::NonZeroU32>,
) -> Result<Tournament, CliError> {
    let RunArgs { rounds, limit, concurrency, seed, .. } = *args;
    let overrides = Overrides { rounds, limit, concurrency, seed, iterations };
    let mut tournament = load(&args.config, &overrides)?;
    tournament.skip_broken |= args.skip_broken;
    Ok(tournament)
}

fn play_all(args: &RunArgs, tournament: Tournament) -> Result<Exit, CliError> {
    let shard = args.shard.unwrap_or_default();
    let begin = Begin { config: Some(&args.config), out: args.out.clone(), shard };
    let report = Reporting {
        strict: args.strict,
        json: args.json,
        watch: &args.watch,
        cluster: Some(&args.cluster),
    };
    begin.play(tournament, &report)
}

/// Where a tournament comes from and goes to.
pub(super) struct Begin<'a> {
    /// The file that the tournament was read from.
    pub(super) config: Option<&'a Path>,
    /// The results directory.
    pub(super) out: Option<PathBuf>,
    /// The shard to play.
    pub(super) shard: Shard,
}

/// How a tournament is reported.
pub(super) struct Reporting<'a> {
    /// Whether faults and void games change the exit code.
    pub(super) strict: bool,
    /// Whether to print events instead of tables.
    pub(super) json: bool,
    /// Who may watch.
    pub(super) watch: &'a WatchArgs,
    /// The machines that play the games; `None` for this one.
    pub(super) cluster: Option<&'a ClusterArgs>,
}

impl Reporting<'_> {
    /// What this machine does.
    fn role(&self) -> Role {
        match self.cluster {
            Some(cluster) if cluster.is_on() => Role::Coordinates,
            _ => Role::Plays,
        }
    }
}

impl Begin<'_> {
    /// Plays a tournament, or a shard of it, from the beginning.
    pub(super) fn play(
        self,
        tournament: Tournament,
        reporting: &Reporting<'_>,
    ) -> Result<Exit, CliError> {
        let Begin { config, out, shard } = self;
        check_shardable(&tournament, shard)?;
        let dir = out.unwrap_or_else(|| default_dir(&tournament.name, shard));
        check_vacant(&dir)?;
        check_log(&tournament, reporting)?;
        if reporting.role() == Role::Coordinates && !shard.is_whole() {
            let why = "--shard and --cluster are two ways to use many machines";
            return Err(CliError::with_help(Exit::Usage, why, "leave out one of them"));
        }
        let mut plan = plan(tournament, shard, reporting.role())?;
        let spectators = reporting.watch.spectators(&plan, &dir)?;
        plan.live = Some(spectators.live());
        plan.dialogues = kept_dialogues(&plan.tournament, &dir);
        play_from_start(&dir, plan, config, spectators, reporting)
    }
}

/// Keeps the pages after the end of a tournament until a signal comes.
async fn stay(
    spectators: &Spectators,
    supervisors: &Supervisors,
    signals: &mut Signals,
    played: Exit,
) -> Exit {
    if spectators.has_pages() && matches!(played, Exit::Done | Exit::Faults) {
        eprint_line("the pages stay until you press Ctrl-C");
        signals.next(supervisors).await;
    }
    played
}

fn play_from_start(
    dir: &Path,
    plan: Plan,
    config: Option<&Path>,
    spectators: Spectators,
    reporting: &Reporting<'_>,
) -> Result<Exit, CliError> {
    let shard = plan.shard;
    runtime()?.block_on(async {
        let mut signals = Signals::new();
        let machines = Machines::connect(reporting.cluster).await?;
        let pool = Arc::new(Pool::default());
        let Prepared { sandbox, introductions, broken } = tokio::select! {
            biased;
            exit = signals.next(&plan.supervisors) => return Ok(exit),
            prepared = prepare(&plan, &pool, &plan.missing, config) => prepared?,
        };
        fs::create_dir_all(dir).map_err(|why| storage("create", dir, why))?;
        let lock = Lock::take(dir)?;
        // Another arena process may have started here in the meantime.
        check_vacant(dir)?;
        effective_config::write_config(dir, &plan.tournament)?;
        Machine::new(&plan, &introductions, sandbox).write(dir)?;
        let header =
            Header::new(&plan.tournament.name, effective_config::checksum(&plan.tournament));
        let header = Header { broken, ..header.for_shard(shard) };
        let journal = Journal::create(lock.clone(), &header)?;
        let progress = Progress::of_journal(&plan.tournament, &header);
        let snapshot = Snapshot { progress, ..Snapshot::empty(&plan.tournament, shard) };
        let options = RunOptions::new(reporting, introductions, spectators)?;
        let (pages, supervisors) = (options.spectators.clone(), plan.supervisors.clone());
        let games = (journal, snapshot);
        let played = play(dir, plan, pool, machines, &mut signals, games, options).await?;
        drop(lock);
        Ok(stay(&pages, &supervisors, &mut signals, played).await)
    })
}

pub(super) fn resume(args: &ResumeArgs) -> Result<Exit, CliError> {
    let ResumeArgs { dir, rounds, how } = args;
    let overrides = Overrides { concurrency: how.concurrency, ..Overrides::default() };
    let mut tournament = load_results(dir, &overrides)?;
    let lock = Lock::take(dir)?;
    if let Some(rounds) = *rounds {
        extend(dir, &lock, &mut tournament, rounds, how.force)?;
    }
    continue_in(dir, tournament, lock, how)
}

/// Plays the games that a tournament lacks.
pub(super) fn continue_in(
    dir: &Path,
    tournament: Tournament,
    lock: Lock,
    args: &ContinueArgs,
) -> Result<Exit, CliError> {
    let config = dir.join(effective_config::CONFIG);
    let (journal, contents) = Journal::open(lock.clone(), tournament.names())?;
    check_config_unchanged(dir, &tournament, &contents.header, args.force)?;
    note_damaged_end(dir, &contents);
    let Contents { header, mut index, .. } = contents;
    let mut progress = Progress::of_journal(&tournament, &header);
    progress.advance(&tournament, &index);
    match index.forget_voids(progress.rests_on()) {
        0 => {}
        1 => eprint_line("note: 1 game without a result will be played again"),
        again => {
            eprint_line(format_args!("note: {again} games without a result will be played again"))
        }
    }
    let reporting = Reporting {
        strict: args.strict,
        json: args.json,
        watch: &args.watch,
        cluster: Some(&args.cluster),
    };
    check_log(&tournament, &reporting)?;
    let mut plan = plan(tournament, header.shard, reporting.role())?;
    let spectators = args.watch.spectators(&plan, dir)?;
    plan.live = Some(spectators.live());
    plan.dialogues = kept_dialogues(&plan.tournament, dir);
    runtime()?.block_on(async {
        let mut signals = Signals::new();
        let machines = Machines::connect(reporting.cluster).await?;
        let pool = Arc::new(Pool::default());
        // Engines that did not start before the first game play no games.
        let out: Vec<_> =
            header.broken.iter().map(|it| (it.engine.clone(), it.why.clone())).collect();
        let introductions = tokio::select! {
            biased;
            exit = signals.next(&plan.supervisors) => {
                print_line(resume_line(dir, args.json));
                return Ok(exit);
            }
            prepared = prepare(&plan, &pool, &out, Some(&config)) => {
                let Prepared { sandbox, introductions, .. } = prepared?;
                let machine = Machine::new(&plan, &introductions, sandbox);
                let found = check_same_machine(dir, machine, args.force);
                if found.is_err() {
                    pool.quit().await;
                }
                found?;
                introductions
            }
        };
        let progress = Progress::of_journal(&plan.tournament, &header);
        let snapshot = Snapshot { index, progress };
        let options = RunOptions::new(&reporting, introductions, spectators)?;
        let pages = options.spectators.clone();
        let supervisors = plan.supervisors.clone();
        let games = (journal, snapshot);
        let played = play(dir, plan, pool, machines, &mut signals, games, options).await?;
        drop(lock);
        Ok(stay(&pages, &supervisors, &mut signals, played).await)
    })
}

/// Fails if the dialogues are to be kept, but are on other machines.
fn check_log(tournament: &Tournament, reporting: &Reporting<'_>) -> Result<(), CliError> {
    if tournament.log != Log::All || reporting.role() == Role::Plays {
        return Ok(());
    }
    let why = "workers do not send the dialogues of engines, which log = \"all\" keeps";
    let help = "remove `log`; play a single game again with `arena replay` to see its dialogue";
    Err(CliError::with_help(Exit::Usage, why, help))
}

/// The directory in which the dialogues of all games are kept, if they are.
fn kept_dialogues(tournament: &Tournament, dir: &Path) -> Option<PathBuf> {
    (tournament.log == Log::All).then(|| dir.to_owned())
}

/// Extends a tournament to more rounds. Additional rounds do not change the numbers of earlier
/// games.
fn extend(
    dir: &Path,
    lock: &Lock,
    tournament: &mut Tournament,
    rounds: std::num::NonZeroU32,
    force: bool,
) -> Result<(), CliError> {
    let header = Tail::open(dir, [])?.header().clone();
    let refused = |why: String, help: &str| Err(CliError::with_help(Exit::Usage, why, help));
    if Schedule::new(tournament).has_stages() {
        let why = format!("a {} cannot be extended", tournament.format.word());
        return refused(why, "its stages depend on the rounds of the earlier ones");
    }
    if !header.shard.is_whole() {
        let why = "a shard cannot be extended by itself".to_owned();
        return refused(why, "merge all shards first, then extend the result");
    }
    if tournament.engines.iter().any(|engine| engine.joined > 0) {
        let why = "a tournament that engines have joined cannot have more rounds".to_owned();
        return refused(why, "the numbers of their games follow those of the present rounds");
    }
    let extended = Tournament { rounds, ..tournament.clone() };
    if header.config != effective_config::checksum(&extended) && rounds <= tournament.rounds {
        check_config_unchanged(dir, tournament, &header, force)?;
        let why = format!("the tournament has {} rounds already", tournament.rounds);
        return refused(why, "give a larger number to --rounds");
    }
    replace_config(dir, lock, header, tournament, extended, force)
}

/// Gives a results directory the config of an extended tournament.
pub(super) fn replace_config(
    dir: &Path,
    lock: &Lock,
    header: Header,
    tournament: &mut Tournament,
    extended: Tournament,
    force: bool,
) -> Result<(), CliError> {
    let checksum = effective_config::checksum(&extended);
    // An extension that was killed between its two files is completed.
    if header.config != checksum {
        check_config_unchanged(dir, tournament, &header, force)?;
        let header = Header { config: checksum, ..header };
        JournalBuilder::renew(lock.clone(), &header)?;
    }
    *tournament = extended;
    effective_config::write_config(dir, tournament)?;
    Ok(())
}

/// Fails if a directory already holds a tournament.
pub(super) fn check_vacant(dir: &Path) -> Result<(), CliError> {
    if !Journal::path_in(dir).exists() {
        return Ok(());
    }
    Err(CliError::with_help(
        Exit::Usage,
        format!("{} already holds a tournament", dir.display()),
        format!("continue it: {}\nor choose another directory with --out", resume_command(dir)),
    ))
}

/// Fails for a shard of a tournament in which later games depend on earlier ones.
fn check_shardable(tournament: &Tournament, shard: Shard) -> Result<(), CliError> {
    let why = match tournament.format {
        _ if shard.is_whole() => return Ok(()),
        Format::Swiss { .. }
        | Format::Knockout { .. }
        | Format::Race { .. }
        | Format::Tune { .. } => {
            let word = tournament.format.word();
            format!("a {word} cannot be split into shards: later games depend on all earlier ones")
        }
        _ if tournament.sprt.is_some() => {
            "a match under [sprt] cannot be split into shards: its end depends on all earlier games"
                .to_owned()
        }
        _ => return Ok(()),
    };
    let help = "leave out --shard; use --concurrency to play more games at once";
    Err(CliError::with_help(Exit::Usage, why, help))
}

/// Fails if the config differs from the journal's, unless `force` is set.
pub(super) fn check_config_unchanged(
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
            "{} has changed since this tournament began (checksum {found}, expected {})",
            dir.join(effective_config::CONFIG).display(),
            header.config
        ),
        "restore the file, or continue with the changed config: --force",
    ))
}

/// Prints notes about a damaged end of the journal.
pub(super) fn note_damaged_end(dir: &Path, contents: &Contents) {
    let path = Journal::path_in(dir);
    let path = path.display();
    if contents.torn > 0 {
        eprint_line(format_args!(
            "note: the last line of {path} is incomplete: its game does not count, and `arena \
             resume` plays it again"
        ));
    }
    if contents.unended.is_some() {
        eprint_line(format_args!(
            "note: the newline at the end of {path} is missing or damaged; the line still counts \
             because its checksum is correct"
        ));
    }
}

/// Fails if engines or the openings file have changed since the tournament began, unless `force` is
/// set; then the changed state is recorded. The time and the computer of this run are recorded
/// either way.
fn check_same_machine(dir: &Path, now: Machine, force: bool) -> Result<(), CliError> {
    let before = Machine::read(dir);
    let differences = before.as_ref().map_or(Vec::new(), |before| now.differences(before));
    if differences.is_empty() || force {
        differences.iter().for_each(|difference| eprint_line(format_args!("note: {difference}")));
        let now = before.iter().fold(now, |now, before| now.after(before));
        return Ok(now.write(dir)?);
    }
    Err(CliError::with_help(
        Exit::Usage,
        differences.join("\n"),
        "restore the original, or continue with the change: --force",
    ))
}

pub(super) fn load(path: &Path, overrides: &Overrides) -> Result<Tournament, CliError> {
    config::load(path, overrides).map_err(|error| match error {
        LoadError::Wrong(errors) => CliError::of_config(errors),
        other => CliError::new(Exit::Usage, other),
    })
}

/// Loads the config of a results directory.
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

/// `results/<name>-<time>` with the time in UTC; with the shard in the name, as shards may start at
/// the same second.
fn default_dir(name: &str, shard: Shard) -> PathBuf {
    let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    let part = if shard.is_whole() { String::new() } else { format!("-{}", shard.in_names()) };
    Path::new("results").join(format!("{name}-{now}{part}"))
}

/// The command that resumes a tournament, quoted for a shell.
pub(super) fn resume_command(dir: &Path) -> String {
    let text = dir.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        format!("arena resume {text}")
    } else {
        format!("arena resume '{}'", text.replace('\'', "'\\''"))
    }
}

/// How `run` and `resume` report progress and choose the exit code.
struct RunOptions {
    /// Whether faults and void games change the exit code.
    strict: bool,
    /// Whether to print events instead of tables.
    json: bool,
    /// The identity and remarks of each engine.
    introductions: Vec<Introduction>,
    /// Standard output. Nothing is dropped, however late it is read.
    out: Outlet<String>,
    /// Who follows the tournament.
    spectators: Spectators,
}

/// No further game begins while this many bytes of events wait for a reader.
const MAX_UNREAD_BYTES: usize = 16 << 20;

impl RunOptions {
    fn new(
        reporting: &Reporting<'_>,
        introductions: Vec<Introduction>,
        spectators: Spectators,
    ) -> Result<RunOptions, CliError> {
        let mut stdout = Stream::of(io::stdout());
        let out = Outlet::start(move |line: String| stdout.line(&line)).map_err(no_thread)?;
        let Reporting { strict, json, watch, .. } = *reporting;
        Ok(RunOptions { strict, json: json || watch.remote, introductions, out, spectators })
    }

    /// Prints boards for a server that started this process.
    async fn print_boards(&self) -> Infallible {
        self.spectators.print_boards(&self.out).await
    }

    fn is_paused(&self) -> bool {
        self.spectators.has_paused()
    }

    fn print(&self, text: impl Display) {
        let text = text.to_string();
        let bytes = text.len();
        self.out.put(text, bytes);
    }

    fn emit(&self, event: events::Event<'_>) {
        if self.json {
            self.print(event.line());
        }
    }

    /// Prints the results, and a message about games without a result.
    fn conclude(
        &self,
        dir: &Path,
        tournament: &Tournament,
        results: &Results,
        without_result: Option<&str>,
    ) {
        if self.json {
            if let Some(text) = without_result {
                self.emit(events::Event::Warning { text: text.to_owned() });
            }
            let Results { standings, extent, workers, .. } = results;
            self.emit(events::Event::standings(standings, extent, workers));
            return;
        }
        self.print(format_args!("{}: {}", tournament.title(), results.extent.in_words()));
        self.print(wrapped_for_stdout(&terminal::results(results, screen::width())));
        if let Some(text) = without_result {
            self.print(text);
        }
        self.print(format_args!("report: {}", dir.join(html::FILE).display()));
        self.print(format_args!("results: {}", dir.display()));
    }

    /// Prints how to resume after an interruption; always the last line.
    fn stopped(&self, dir: &Path) {
        self.print(resume_line(dir, self.json));
    }

    /// Whether the reader of the events is close enough behind for another game to begin. `paused` is
    /// the previous answer; a change is noted.
    fn keeps_up(&self, paused: &Cell<bool>, display: &RefCell<ProgressDisplay>) -> bool {
        let keeps_up = self.out.waiting() < MAX_UNREAD_BYTES;
        if paused.replace(!keeps_up) == keeps_up {
            display.borrow().note(match keeps_up {
                true => "the events are being read again: games continue",
                false => "the events are not being read: no further game begins until they are",
            });
        }
        keeps_up
    }

    /// Reports the start: the engines, and how many of the pairings are done.
    fn begin(&self, dir: &Path, plan: &Plan, counts: [u64; 2]) {
        let Plan { tournament, .. } = plan;
        let results = dir.display().to_string();
        self.emit(events::Event::started(tournament, results, plan.capacity.games, counts));
        for (engine, introduction) in tournament.engines.iter().zip(&self.introductions) {
            let (limit, identity) =
                (tournament.limit_of(engine).to_string(), &*introduction.identity);
            self.emit(events::Event::Engine { name: &engine.name, identity, limit });
        }
        for (launch, introduction) in plan.launches.iter().zip(&self.introductions) {
            for text in remarks(&launch.name, &introduction.remarks) {
                self.emit(events::Event::Warning { text });
            }
        }
    }
}

/// Reports the events of a tournament, as text or as JSON.
struct Observer<'o> {
    options: &'o RunOptions,
    tournament: &'o Tournament,
    idle_thinkers: IdleThinkers,
    illegal_lines: IllegalLineCounts,
    readiness: Readiness,
    /// The number of complete pairings.
    done: u64,
    /// The total number of pairings.
    total: u64,
}

impl Observer<'_> {
    fn see(&mut self, event: Event, display: &mut ProgressDisplay) {
        let options = self.options;
        match event {
            Event::GameBegins(begins) => {
                options.emit(events::Event::begins(&begins, self.tournament))
            }
            Event::Game(game, _) => {
                options.emit(events::Event::game(&game));
                display.game(&game);
                for note in &game.notes {
                    display.note(&format!("game {}: {note}", game.id));
                }
                let idle =
                    self.idle_thinkers.seen(&game).into_iter().map(|warning| warning.to_string());
                let slow =
                    self.readiness.seen(&game).into_iter().map(|warning| warning.to_string());
                let lines = self.illegal_lines.seen(&game).into_iter();
                let lines = lines.map(|warning| warning.to_string());
                for text in idle.chain(slow).chain(lines) {
                    display.note(&format!("warning: {text}"));
                    options.emit(events::Event::Warning { text });
                }
            }
            Event::Void(void) => {
                options.emit(events::Event::void(&void));
                display.note(&format!("game {} is void and played again: {}", void.id, void.why));
            }
            Event::PairingComplete => {
                self.done += 1;
                let (done, total) = (self.done, self.total);
                options.emit(events::Event::Pairing { done, total });
                display.pairing();
            }
            Event::Withdrawn(withdrawal) => {
                let name = &self.tournament.engines[withdrawal.engine.0].name;
                options.emit(events::Event::withdrawn(name, &withdrawal));
                display.note(&terminal::withdrawn(name, &withdrawal));
            }
            Event::Tested(state) => display.tested(words::running(&state)),
            Event::StorageFailing(why, patience) => {
                let patience = HumanDuration(patience);
                options.emit(events::Event::Warning { text: why.clone() });
                display
                    .note(&format!("{why}; free some disk space: retries continue for {patience}"));
            }
            Event::StorageRecovered => display.note("finished games can be written again"),
            Event::Short(why) => {
                let text = format!(
                    "this machine lacks a resource that engines need to start ({why}); games wait \
                     until it is available, and no engine is blamed"
                );
                display.note(&text);
                options.emit(events::Event::Warning { text });
            }
            Event::Late(lost, within) => {
                let text = format!(
                    "the arena waited {:.1} of the last {:.0} s for a processor; this is not \
                     counted against engines, but play fewer games at once (`concurrency`) or \
                     leave the machine to the tournament",
                    lost.as_secs_f64(),
                    within.as_secs_f64(),
                );
                display.note(&format!("warning: {text}"));
                options.emit(events::Event::Warning { text });
            }
            Event::Finishing(games, patience) => {
                options.emit(events::Event::finishing(games, patience));
                let patience = HumanDuration(patience);
                display.note(&format!(
                    "no further game begins; {games} in progress may continue for {patience}; \
                     press Ctrl-C again to stop them"
                ));
            }
        }
    }
}

/// Plays the missing games and writes the results. The caller holds the directory's lock.
async fn play(
    dir: &Path,
    plan: Plan,
    pool: Arc<Pool>,
    mut machines: Option<Machines>,
    signals: &mut Signals,
    (journal, mut snapshot): (Journal, Snapshot),
    options: RunOptions,
) -> Result<Exit, CliError> {
    let plan = Arc::new(plan);
    let before = snapshot.progress.finished(&plan.tournament, &snapshot.index);
    let games_before = snapshot.index.games().len();
    let total = snapshot.progress.schedule().len();
    // Two closures print to the progress display: the one that watches events, and the one that
    // decides whether another game may begin.
    let display = RefCell::new(ProgressDisplay::new(total, before).map_err(no_thread)?);
    let paused = Cell::new(false);
    options.begin(dir, &plan, [before, total]);
    let mut observer = Observer {
        options: &options,
        tournament: &plan.tournament,
        idle_thinkers: IdleThinkers::default(),
        illegal_lines: IllegalLineCounts::default(),
        readiness: Readiness::default(),
        done: before,
        total,
    };
    let watch = |event: Event| observer.see(event, &mut display.borrow_mut());
    let may_begin = || options.keeps_up(&paused, &display) && !options.is_paused();
    let (stop, stops) = mpsc::unbounded_channel();
    let shown = options.spectators.begin(dir, stop.clone());
    let mut signalled = Exit::Done;
    let venue = match &mut machines {
        None => Venue::Here(pool.clone()),
        Some(machines) => {
            pool.quit().await;
            machines.begin(&plan, dir, &snapshot, resume_command(dir)).await?
        }
    };
    let mut fatal = None;
    let playing = runner::run(plan.clone(), venue, journal, &mut snapshot, watch, may_begin, stops);
    let finish = tokio::select! {
        finish = playing => finish,
        never = listen(signals, &plan.supervisors, &stop, &mut signalled) => match never {},
        never = options.print_boards() => match never {},
        never = heed(&mut machines, &stop, &options, &display, &mut fatal) => match never {},
    };
    if let Some(machines) = &machines {
        machines.end(finish.as_ref().ok().copied()).await;
    }
    drop(shown);
    pool.quit().await;
    plan.supervisors.gone(plan.tournament.quit_timeout).await;
    // Results are written even if the tournament was interrupted.
    let display = display.into_inner();
    let noted = Machine::end(dir, snapshot.index.games().len() > games_before);
    let games = snapshot.counting();
    let without_result = without_result_message(&games, dir);
    let is_faulty = games.iter().any(|game| game.is_void())
        || snapshot.index.games().iter().any(|game| game.fault.is_some());
    let written = written(dir, &plan, snapshot, signals, &display).await;
    display.finish().await;
    let end = End { finish, signalled, fatal, noted, without_result, is_faulty };
    let exit = end.conclude(written, dir, &plan.tournament, &options);
    // After a signal, a reader that does not read delays the end only briefly.
    let patience = (signalled != Exit::Done).then_some(READER_TIMEOUT);
    tokio::select! {
        biased;
        _ = options.out.flushed(patience) => exit,
        asked = signals.next(&plan.supervisors) => exit.map(|_| asked),
    }
}

/// How the games of a tournament ended.
struct End {
    finish: Result<Finish, RunError>,
    /// The exit code of the signal that interrupted them.
    signalled: Exit,
    /// Why the machines of a cluster cannot continue.
    fatal: Option<CliError>,
    /// Whether the end could be noted in `machine.json`.
    noted: Result<(), StorageError>,
    without_result: Option<String>,
    is_faulty: bool,
}

impl End {
    /// Prints the results, which have been written unless a signal prevented it, and returns the exit
    /// code.
    fn conclude(
        self,
        written: Result<Result<Results, JournalError>, Exit>,
        dir: &Path,
        tournament: &Tournament,
        options: &RunOptions,
    ) -> Result<Exit, CliError> {
        let results = match written {
            Ok(results) => results,
            Err(exit) => {
                options.stopped(dir);
                return Ok(exit);
            }
        };
        let finish = self.finish.map_err(|why| cut_short(why, dir))?;
        if let Some(error) = self.fatal {
            return Err(error);
        }
        let results = results.map_err(|why| match why {
            JournalError::Storage(why) => cut_short(why.into(), dir),
            why => why.into(),
        })?;
        self.noted.map_err(|why| cut_short(why.into(), dir))?;
        options.conclude(dir, tournament, &results, self.without_result.as_deref());
        Ok(match finish {
            Finish::Interrupted => {
                options.stopped(dir);
                self.signalled
            }
            Finish::Complete => {
                options.emit(events::Event::Finished { results: dir.display().to_string() });
                if options.strict && self.is_faulty { Exit::Faults } else { Exit::Done }
            }
        })
    }
}

/// Prints what the machines of a cluster report, and stops the tournament when it cannot continue.
async fn heed(
    machines: &mut Option<Machines>,
    stop: &mpsc::UnboundedSender<Stop>,
    options: &RunOptions,
    display: &RefCell<ProgressDisplay>,
    fatal: &mut Option<CliError>,
) -> Infallible {
    let Some(machines) = machines else { return std::future::pending().await };
    loop {
        match machines.report().await {
            Ok((text, is_warning)) => {
                let text_shown = if is_warning { format!("warning: {text}") } else { text.clone() };
                display.borrow().note(&text_shown);
                if is_warning {
                    options.emit(events::Event::Warning { text });
                }
            }
            Err(error) => {
                *fatal = Some(error);
                let _ = stop.send(Stop::AtOnce);
            }
        }
    }
}

/// Passes signals on as requests to stop, and keeps the exit code of the last one.
async fn listen(
    signals: &mut Signals,
    supervisors: &Supervisors,
    stop: &mpsc::UnboundedSender<Stop>,
    signalled: &mut Exit,
) -> Infallible {
    loop {
        let exit = signals.next(supervisors).await;
        // The first Ctrl-C lets the games in progress finish.
        let first = std::mem::replace(signalled, exit) == Exit::Done;
        let patient = first && exit == Exit::Interrupt;
        // The tournament may have ended at this moment, and its receiver with it.
        let _ = stop.send(if patient { Stop::Finish } else { Stop::AtOnce });
    }
}

/// The number of games without a result and how to play them again; `None` if there are none.
fn without_result_message(games: &[&Summary], dir: &Path) -> Option<String> {
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
            ", {ours} by faults of this machine; play them again, unless a decision depends on \
             them: {resume}"
        );
    } else {
        text += ": neither engine became ready";
    }
    Some(text)
}

/// Writes the results on a separate thread, so that signals are still handled. This takes seconds
/// at most: the first signal prints a note, and the second one ends the wait, after which every
/// file is either complete or unchanged. An `Err` holds the exit code for that case.
async fn written(
    dir: &Path,
    plan: &Arc<Plan>,
    snapshot: Snapshot,
    signals: &mut Signals,
    display: &ProgressDisplay,
) -> Result<Result<Results, JournalError>, Exit> {
    let (done, mut results) = oneshot::channel();
    let snapshot = Arc::new(snapshot);
    let started = {
        let (dir, plan, snapshot) = (dir.to_owned(), plan.clone(), snapshot.clone());
        std::thread::Builder::new().spawn(move || {
            let Snapshot { index, progress, .. } = &*snapshot;
            // After a second signal the receiver is gone.
            let _ = done.send(write::write_all_files(&dir, &plan.tournament, index, progress));
        })
    };
    let Ok(writing) = started else {
        // If no thread is available, write the results on this one.
        return Ok(write::write_all_files(
            dir,
            &plan.tournament,
            &snapshot.index,
            &snapshot.progress,
        ));
    };
    let mut asked = false;
    loop {
        tokio::select! {
            biased;
            results = &mut results => return Ok(results.unwrap_or_else(|_| {
                std::panic::resume_unwind(writing.join().expect_err("it ends by giving results"))
            })),
            exit = signals.next(&plan.supervisors) => {
                if std::mem::replace(&mut asked, true) {
                    return Err(exit);
                }
                display.note(
                    "writing the results; press Ctrl-C again to stop without them",
                );
            }
        }
    }
}

/// The error if the printing thread cannot be started.
fn no_thread(why: io::Error) -> CliError {
    CliError::new(Exit::Storage, format!("cannot start the printing thread: {why}"))
}

/// The line that says how to resume after an interruption.
fn resume_line(dir: &Path, json: bool) -> String {
    let (resume, results) = (resume_command(dir), dir.display().to_string());
    match json {
        true => events::Event::Stopped { resume, results }.line(),
        false => format!("stopped; resume with: {resume}"),
    }
}

/// The error for a tournament that had to stop, with how to resume it.
fn cut_short(why: RunError, dir: &Path) -> CliError {
    let (exit, fix) = match why {
        RunError::Storage(_) => (Exit::Storage, "free some disk space"),
        RunError::Shortage(_) => (Exit::Storage, "free the resource named above"),
        RunError::Changed { .. } => {
            (Exit::Usage, "restore the file, or add --force to continue with the changed one")
        }
    };
    let resume = resume_command(dir);
    CliError::with_help(exit, why, format!("finished games are kept; {fix}, then: {resume}"))
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
