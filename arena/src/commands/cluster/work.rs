//! `arena cluster work`: plays games for tournaments on many machines.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tokio::sync::{mpsc, watch};

use super::super::arguments::count;
use super::super::error::CliError;
use super::super::exit::Exit;
use super::super::machines::AccessArgs;
use super::super::prepare::{plan_with, prepare, runtime, supervisors};
use super::super::signals::Signals;
use crate::terminal::output::eprint_line;
use fanorona_cluster::engine_set::EngineSet;
use fanorona_cluster::messages::{TournamentInfo, VERSION};
use fanorona_cluster::worker::{End, Request, Spool, Worker, WorkerSession};
use fanorona_cluster::{ClusterError, calibration, is_worker_name};
use fanorona_engine::Supervisors;
use fanorona_runner::live::LiveGames;
use fanorona_runner::{Plan, Pool, Prepared, Role};
use fanorona_tournament::config::{self, Overrides, Tournament};
use fanorona_tournament::machine::Machine;
use fanorona_tournament::pairing::openings::Openings;
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::record::{Journal, JournalError, effective_config};
use fanorona_tournament::text::plural::counted;

pub(super) const HELP: &str = "\
Examples:
  arena cluster work nats://coordinator:4222
  arena cluster work nats://coordinator:4222 --slots 8 --credentials lab1.toml
  arena cluster work tls://coordinator:4222 --credentials lab1.toml --tls-ca ca.pem --once

A worker takes pairs of games from a tournament that runs with `arena run --cluster`, plays them here, \
and sends the games back. Start and stop workers at any time: an unfinished pair is played by \
another one. Ctrl-C finishes the games in progress; a second one stops at once. Finished games that \
could not be sent are kept in the spool and sent at the next start; `arena merge` reads it too. See \
arena/guides/many-machines.md.";

#[derive(Args, Debug)]
pub(super) struct WorkArgs {
    /// The address of the NATS server, like nats://coordinator:4222
    url: String,
    /// Jobs played at once [default: the number of processor cores]
    #[arg(long, value_name = "N", value_parser = count)]
    slots: Option<NonZeroU32>,
    /// The name of this worker [default: the user of the credentials, or the name of the host]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The directory for finished games [default: spool-<name>]
    #[arg(long, value_name = "DIR")]
    spool: Option<PathBuf>,
    /// End when no tournament is left
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    access: AccessArgs,
}

pub(super) fn work(args: &WorkArgs) -> Result<Exit, CliError> {
    let access = args.access.access(&args.url)?;
    let user = access.credentials.as_ref().map(|it| it.user.clone());
    let name = args.name.clone().or_else(|| user.clone()).unwrap_or_else(host);
    if !is_worker_name(&name) {
        let why = format!("`{name}` cannot be the name of a worker");
        let help = "use letters, digits, - and _: --name NAME";
        return Err(CliError::with_help(Exit::Usage, why, help));
    }
    if let Some(user) = user.filter(|user| *user != name) {
        let why = format!("these credentials belong to `{user}`, not to `{name}`");
        return Err(CliError::with_help(Exit::Usage, why, "leave out --name"));
    }
    if access.credentials.as_ref().is_some_and(|own| own.coordinator.is_none()) {
        let why = "these credentials do not name the key of a coordinator";
        let help = "give the file that `arena cluster config` has written for this worker";
        return Err(CliError::with_help(Exit::Usage, why, help));
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let slots = args.slots.map_or(processors, |slots| slots.get() as usize);
    let root = args.spool.clone().unwrap_or_else(|| PathBuf::from(format!("spool-{name}")));
    runtime()?.block_on(async {
        let client = access.connect(&format!("arena worker {name}")).await?;
        let (patience, own) = (args.access.server_timeout, access.credentials.as_ref());
        let worker = Worker::new(client, name, slots, patience, own);
        let (asked, requests) = watch::channel(Request::Play);
        let mut signals = Signals::new();
        let supervisors = supervisors()?;
        let working = serve_all(&worker, &root, args.once, &supervisors, requests);
        tokio::pin!(working);
        let mut exit = Exit::Done;
        loop {
            tokio::select! {
                worked = &mut working => return worked.map(|()| exit),
                signal = signals.next(&supervisors) => {
                    let patient = exit == Exit::Done && signal == Exit::Interrupt;
                    exit = signal;
                    if patient {
                        eprint_line(
                            "finishing the games in progress; press Ctrl-C again to stop at once",
                        );
                    }
                    asked.send_replace(if patient { Request::Finish } else { Request::Stop });
                }
            }
        }
    })
}

/// The name of this host, as far as it can be the name of a worker.
fn host() -> String {
    let name = nix::unistd::gethostname().unwrap_or_default();
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = name.to_string_lossy().chars().map(plain).take(40).collect();
    if name.is_empty() { "worker".to_owned() } else { name }
}

/// Plays one tournament after the other.
async fn serve_all(
    worker: &Worker,
    root: &Path,
    once: bool,
    supervisors: &Arc<Supervisors>,
    mut requests: watch::Receiver<Request>,
) -> Result<(), CliError> {
    let slots = counted(worker.slots() as u64, "slot", "slots");
    eprint_line(format_args!("worker {} with {slots} waits for a tournament", worker.name()));
    let none = BTreeSet::new();
    let mut has_played = false;
    loop {
        let next = worker.next_tournament(&none, !(once && has_played), eprint_line);
        let info = tokio::select! {
            info = next => info?,
            _ = requests.changed() => return Ok(()),
        };
        let Some(info) = info else { return Ok(()) };
        has_played = true;
        let end = tokio::select! {
            end = serve(worker, info, root, supervisors, requests.clone()) => end?,
            // Before the first game, a request ends the worker at once.
            () = stopped(requests.clone()) => return Ok(()),
        };
        match end {
            End::Stopped => return Ok(()),
            End::Over => {}
            End::Refused(why) => {
                return Err(CliError::with_help(
                    Exit::Usage,
                    format!("the coordinator rejects the games of this worker: {why}"),
                    "a program, the memory or the processor of this machine is faulty; compare \
                     the spool with the report of the tournament",
                ));
            }
        }
    }
}

/// Waits much longer than a worker needs to stop by itself.
async fn stopped(mut requests: watch::Receiver<Request>) {
    while *requests.borrow_and_update() != Request::Stop {
        if requests.changed().await.is_err() {
            break;
        }
    }
    tokio::time::sleep(std::time::Duration::from_secs(5)).await;
}

/// Plays one tournament.
async fn serve(
    worker: &Worker,
    info: TournamentInfo,
    root: &Path,
    supervisors: &Arc<Supervisors>,
    requests: watch::Receiver<Request>,
) -> Result<End, CliError> {
    let pool = Arc::new(Pool::default());
    let (plan, machine) = match join(worker, &info, root, supervisors, &pool).await {
        Ok(joined) => joined,
        Err(reasons) => {
            pool.quit().await;
            worker.decline(&info, &reasons).await;
            return Err(ClusterError::Refused { tournament: info.id, reasons }.into());
        }
    };
    let plan = Arc::new(plan);
    let (spool, journal) = open_spool(root, &info, &plan).await?;
    machine.write(spool.dir())?;
    let dir = spool.dir().to_owned();
    eprint_line(format_args!("playing {}; finished games: {}", info.id, dir.display()));
    let (notes, mut noted) = mpsc::unbounded_channel::<String>();
    let printing = tokio::spawn(async move {
        while let Some(note) = noted.recv().await {
            eprint_line(note);
        }
    });
    let id = info.id.clone();
    let spooled = (spool, journal);
    let end = WorkerSession::run(
        worker.clone(),
        info,
        plan.clone(),
        pool.clone(),
        spooled,
        requests,
        notes,
    )
    .await;
    printing.abort();
    pool.quit().await;
    gone(&plan.supervisors, &plan).await;
    let end = end?;
    if end == End::Over {
        eprint_line(format_args!("{id} needs no further games from this worker"));
    }
    Ok(end)
}

/// Opens the spool. The journal of the same tournament a moment ago may still be closing.
async fn open_spool(
    root: &Path,
    info: &TournamentInfo,
    plan: &Plan,
) -> Result<(Spool, Journal), CliError> {
    let mut tries = 20;
    loop {
        match Spool::open(root, &info.id, &plan.tournament, &info.broken) {
            Err(ClusterError::Journal(JournalError::Locked { .. })) if tries > 0 => tries -= 1,
            opened => return Ok(opened?),
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

async fn gone(supervisors: &Supervisors, plan: &Plan) {
    supervisors.gone(plan.tournament.quit_timeout).await;
}

/// The tournament of the coordinator, for a machine that plays this many games at once. Fails if
/// the arenas understand each other's messages or configs differently.
fn tournament(info: &TournamentInfo, slots: usize) -> Result<Tournament, String> {
    if info.version != VERSION {
        let theirs = info.version;
        return Err(format!("messages of version {VERSION} here, {theirs} at the coordinator"));
    }
    let concurrency = NonZeroU32::new(slots as u32);
    let overrides = Overrides { concurrency, ..Overrides::default() };
    let mut tournament = config::parse("config.toml", &info.config, &info.base, &overrides)
        .map_err(|why| format!("the config of the tournament is not valid here: {why}"))?;
    let checksum = effective_config::checksum(&tournament);
    if checksum != info.checksum {
        return Err(format!(
            "the config means something else here (checksum {checksum}, {} at the \
             coordinator): the arenas differ",
            info.checksum
        ));
    }
    // The coordinator knows which engines take no part.
    tournament.skip_broken = true;
    Ok(tournament)
}

/// Checks that this machine can play a tournament like the coordinator's: the same versions and
/// engines, and every engine starts. Otherwise returns every reason.
async fn join(
    worker: &Worker,
    info: &TournamentInfo,
    root: &Path,
    supervisors: &Arc<Supervisors>,
    pool: &Pool,
) -> Result<(Plan, Machine), Vec<String>> {
    let one = |why: String| vec![why];
    let report = |why: CliError| vec![why.report.to_string()];
    let tournament = tournament(info, worker.slots()).map_err(one)?;
    let text = info.openings.as_deref().unwrap_or_default();
    let openings = Openings::new(&tournament, text).map_err(|why| one(why.to_string()))?;
    let shipped = match info.shipped {
        true => Some(worker.fetch_engines(info, root).await.map_err(|why| one(why.to_string()))?),
        false => None,
    };
    let resolve = |engine: &config::EngineConfig, places: &config::Places<'_>| match &shipped {
        Some(shipped) => shipped.resolve(engine, places),
        None => config::resolve(engine, places),
    };
    let mut plan =
        plan_with(tournament, Shard::WHOLE, Role::Plays, openings, supervisors.clone(), resolve)
            .map_err(report)?;
    let is_out = |name: &str| info.broken.iter().any(|(broken, _)| broken == name);
    let missing = plan.missing.iter().filter(|(name, _)| !is_out(name));
    let missing: Vec<String> = missing.map(|(_, why)| why.clone()).collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    let differences = EngineSet::new(&plan)?.differences(&info.engines, is_out);
    if !differences.is_empty() {
        return Err(differences);
    }
    if let Some(reference) = info.reference_speed {
        eprint_line("measuring the speed of this machine");
        let speed = calibration::speed(worker.slots()).await.map_err(|why| one(why.to_string()))?;
        let factor = calibration::factor(reference, speed).map_err(one)?;
        eprint_line(format_args!(
            "{speed:.0} nodes per second, {reference:.0} at the reference: time limits are \
             scaled by {factor}"
        ));
        plan.time_factor = Some(factor);
    }
    let Prepared { broken, introductions, sandbox, .. } =
        prepare(&plan, pool, &info.broken, None).await.map_err(report)?;
    // An engine that does not start here, although it starts at the coordinator, is this
    // worker's fault.
    let new = broken.iter().filter(|it| !is_out(&it.engine));
    let new: Vec<_> = new.map(|it| format!("engine `{}`: {}", it.engine, it.why)).collect();
    if !new.is_empty() {
        return Err(new);
    }
    plan.live = Some(Arc::new(LiveGames::default()));
    let machine = plan.machine(&introductions, sandbox);
    Ok((plan, machine))
}
