//! `arena run`: plays a tournament into a results directory. `arena quick` uses [`RunTarget`] without a
//! config file.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::arguments::count;
use super::directory::{load, load_own, resume_command_with};
use super::error::CliError;
use super::exit::Exit;
use super::machines::{ClusterArgs, Machines};
use super::playing::{RunOptions, play};
use super::prepare::{plan, prepare, runtime};
use super::serve::{open, open_site, serve_beside};
use super::signals::Signals;
use super::spectators::Spectators;
use crate::terminal::output::eprint_line;
use fanorona_engine::Supervisors;
use fanorona_runner::session::check_vacant;
use fanorona_runner::{Plan, Pool, Role, Session};
use fanorona_serve::{Engines, Library};
use fanorona_tournament::config::{Format, Limit, Log, Overrides, Tournament};
use fanorona_tournament::pairing::shard::Shard;

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
    /// Take requests from standard input: for a server that starts this process
    #[arg(long, hide = true, conflicts_with = "serve")]
    pub(super) remote: bool,
}

impl WatchArgs {
    /// Prepares for spectators of a tournament in a directory.
    pub(super) fn spectators(&self, plan: &Plan, dir: &Path) -> Result<Spectators, CliError> {
        if self.remote {
            return Ok(Spectators::with_starter());
        }
        let Some(address) = self.serve else { return Ok(Spectators::with_socket()) };
        let Plan { tournament, supervisors, .. } = plan;
        let base = tournament.base.clone();
        let library = Library::new(vec![dir.to_owned()], base.clone());
        let engines = Engines::new(tournament.engines.clone(), base, supervisors.clone());
        let (site, listener) = open_site(address, library, engines)?;
        let url = site.url_of(dir);
        eprint_line(format_args!("watch the tournament: {url}"));
        serve_beside(site.clone(), listener)?;
        if self.open {
            open(site.opening(Some(dir)))?;
        }
        Ok(Spectators::with_site(site))
    }
}

pub(super) const HELP: &str = "\
Examples:
  arena run configs/quick.toml
  arena run configs/full.toml --out results/full --rounds 2
  arena run configs/quick.toml --json | jq .event
  arena run configs/sprt.toml --concurrency 4
  arena run configs/tune.toml --iterations 500

Ctrl-C stops a tournament, and `arena resume` continues it.

A config with format = \"tune\" and the table [tune] tunes one engine: the table has the number of \
iterations, and the options with start, min and max. In every iteration the engine plays itself with \
other values, --rounds pairs of each kind. With method = \"spsa\" the values differ slightly and move \
towards those of the winner; with method = \"gaussian-process\", for up to about six options, those two \
sets of values play whose games tell most about the best one. The results directory has the values of \
every iteration in tune.csv, the recommended ones in tune.json, and confirm.toml, a match with [sprt] \
that tests them on other openings. See arena/guides/tune-your-engine.md.";

#[derive(Args, Debug)]
pub(super) struct RunArgs {
    /// The tournament's config, a TOML file
    config: PathBuf,
    /// Results directory [default: results/<name>-<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Pairs per pairing and kind, overriding the config
    #[arg(long, value_name = "N", value_parser = count)]
    rounds: Option<NonZeroU32>,
    /// Iterations of a tuning, overriding [tune] of the config
    #[arg(long, value_name = "N", value_parser = count)]
    iterations: Option<NonZeroU32>,
    /// Limit of engines without their own, overriding the config: 50ms per move, 1s+0.01s per game,
    /// 40/10s+0.01s for every 40 moves, nodes=1000, depth=4
    #[arg(long, value_name = "LIMIT")]
    limit: Option<Limit>,
    /// Games played at once, overriding the config
    #[arg(long, value_name = "N", value_parser = count)]
    concurrency: Option<NonZeroU32>,
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

pub(super) fn run(args: &RunArgs) -> Result<Exit, CliError> {
    let RunArgs { rounds, iterations, limit, concurrency, seed, strict, json, .. } = *args;
    let overrides = Overrides { rounds, limit, concurrency, seed, iterations };
    // A server starts nothing that another user has put where it looks for configs.
    let mut tournament = match args.watch.remote {
        true => load_own(&args.config, &overrides),
        false => load(&args.config, &overrides),
    }?;
    if iterations.is_some() && tournament.tuning.is_none() {
        let why =
            format!("{} has nothing to tune: --iterations needs [tune]", args.config.display());
        let help = "leave out --iterations, or set format = \"tune\" and add the table [tune]";
        return Err(CliError::with_help(Exit::Usage, why, help));
    }
    tournament.skip_broken |= args.skip_broken;
    let shard = args.shard.unwrap_or_default();
    let begin = RunTarget { config: Some(&args.config), out: args.out.clone(), shard };
    let report = ReportOptions { strict, json, watch: &args.watch, cluster: Some(&args.cluster) };
    begin.play(tournament, &report)
}

/// The source and the target of a tournament.
pub(super) struct RunTarget<'a> {
    /// The file that the tournament was read from.
    pub(super) config: Option<&'a Path>,
    /// The results directory.
    pub(super) out: Option<PathBuf>,
    /// The shard to play.
    pub(super) shard: Shard,
}

/// The options by which a tournament is reported.
pub(super) struct ReportOptions<'a> {
    /// Whether faults and void games change the exit code.
    pub(super) strict: bool,
    /// Whether to print events instead of tables.
    pub(super) json: bool,
    /// The arguments about spectators.
    pub(super) watch: &'a WatchArgs,
    /// The machines that play the games; `None` for this one.
    pub(super) cluster: Option<&'a ClusterArgs>,
}

impl ReportOptions<'_> {
    /// Whether faults change the exit code, and whether to print events instead of tables.
    pub(super) fn output(&self) -> (bool, bool) {
        (self.strict, self.json || self.watch.remote)
    }

    /// Returns the role of this machine.
    pub(super) fn role(&self) -> Role {
        match self.cluster {
            Some(cluster) if cluster.is_on() => Role::Coordinates,
            _ => Role::Plays,
        }
    }
}

impl RunTarget<'_> {
    /// Plays a tournament, or a shard of it, from the beginning.
    pub(super) fn play(
        self,
        tournament: Tournament,
        reporting: &ReportOptions<'_>,
    ) -> Result<Exit, CliError> {
        let RunTarget { config, out, shard } = self;
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

/// Keeps the pages after the end of a tournament until a signal comes, unless one came before it, such as
/// while the results were being written.
pub(super) async fn stay(
    spectators: &Spectators,
    supervisors: &Supervisors,
    signals: &mut Signals,
    played: Exit,
) -> Exit {
    let has_ended = matches!(played, Exit::Done | Exit::Faults);
    if spectators.has_pages() && has_ended && !signals.has_come() {
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
    reporting: &ReportOptions<'_>,
) -> Result<Exit, CliError> {
    runtime()?.block_on(async {
        let mut signals = Signals::new();
        let machines = Machines::connect(reporting.cluster).await?;
        let pool = Arc::new(Pool::default());
        let prepared = tokio::select! {
            biased;
            exit = signals.next(&plan.supervisors) => return Ok(exit),
            prepared = prepare(&plan, &pool, &plan.missing, config) => prepared?,
        };
        let session = Session::create(dir, &plan, &prepared)?;
        let resume = resume_command_with(dir, reporting.cluster);
        let introductions = prepared.introductions;
        let options = RunOptions::new(reporting.output(), introductions, spectators, resume)?;
        let (pages, supervisors) = (options.spectators().clone(), plan.supervisors.clone());
        let played = play(dir, plan, pool, machines, &mut signals, session, options).await?;
        Ok(stay(&pages, &supervisors, &mut signals, played).await)
    })
}

/// Fails if the dialogues are to be kept, but are on other machines.
pub(super) fn check_log(
    tournament: &Tournament,
    reporting: &ReportOptions<'_>,
) -> Result<(), CliError> {
    if tournament.log != Log::All || reporting.role() == Role::Plays {
        return Ok(());
    }
    let why = "workers do not send the dialogues of engines, which log = \"all\" keeps";
    let help = "remove `log`; play a single game again with `arena replay` to see its dialogue";
    Err(CliError::with_help(Exit::Usage, why, help))
}

/// The directory in which the dialogues of all games are kept, if they are.
pub(super) fn kept_dialogues(tournament: &Tournament, dir: &Path) -> Option<PathBuf> {
    (tournament.log == Log::All).then(|| dir.to_owned())
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
        Format::Candidates => {
            "candidates cannot be split into shards: their decisions depend on all earlier games"
                .to_owned()
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

/// `results/<name>-<time>` with the time in UTC; with the shard in the name, as shards may start at
/// the same second on other machines; with a number, if a tournament has started here at this second.
fn default_dir(name: &str, shard: Shard) -> PathBuf {
    let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    let part = if shard.is_whole() { String::new() } else { format!("-{}", shard.in_names()) };
    vacant(&Path::new("results").join(format!("{name}-{now}{part}")))
}

/// The path, or the first of `<path>-2`, `<path>-3` … where nothing is.
fn vacant(path: &Path) -> PathBuf {
    let numbered = (2..).map(|number| format!("{}-{number}", path.display()).into());
    let mut all = std::iter::once(path.to_owned()).chain(numbered);
    all.find(|path: &PathBuf| !path.exists()).expect("numbers do not end")
}
