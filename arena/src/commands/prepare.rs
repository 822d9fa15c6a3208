//! Preparation before the first game: resolves programs, checks the machine's capacity, probes the
//! sandbox and starts every engine once.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::error::CliError;
use super::exit::Exit;
use crate::config::{
    self, EngineConfig, Format, Places, ResolveError, Resolved, Sandbox, Tournament,
};
use crate::engine::quota::Quota;
use crate::engine::{
    Digests, Enforced, Enforcement, Launch, StartError, Supervisors, missing_cpus, probe,
    user_packages,
};
use crate::pairing::openings::Openings;
use crate::pairing::shard::Shard;
use crate::record::Broken;
use crate::terminal::output::{eprint_line, warn_about_remarks};
use crate::text::input_file;
use crate::text::plural::counted;
use crate::tournament::capacity::{Capacity, Oversubscribed, Scarce, games_at_once};
use crate::tournament::runner::{Introduction, Plan, Pool, Started};

/// What this machine does in a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// It plays the games.
    Plays,
    /// It lets other machines play them.
    #[cfg_attr(not(feature = "cluster"), allow(dead_code))]
    Coordinates,
}

/// Builds the plan: everything that is known before an engine starts.
pub(super) fn plan(tournament: Tournament, shard: Shard, role: Role) -> Result<Plan, CliError> {
    let openings = Openings::load(&tournament).map_err(|why| CliError::new(Exit::Usage, why))?;
    plan_with(tournament, shard, role, openings, supervisors()?, config::resolve)
}

/// Builds the plan with these openings and this way to find programs.
pub(super) fn plan_with(
    tournament: Tournament,
    shard: Shard,
    role: Role,
    openings: Openings,
    supervisors: Arc<Supervisors>,
    resolve: impl Fn(&EngineConfig, &Places<'_>) -> Result<Resolved, ResolveError>,
) -> Result<Plan, CliError> {
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
            return Err(CliError::with_help(
                Exit::Usage,
                format!("engine `{name}` is pinned to CPUs that the arena may not use: {missing}"),
                "correct `cpus` in the config; `nproc` and `taskset -p $$` list the available CPUs",
            ));
        }
    }
    let digests = Digests::default();
    let (mut launches, mut missing) = (Vec::new(), Vec::new());
    for engine in tournament.engines.iter().chain(&tournament.adjudication.oracle) {
        let found = resolve(engine, &places).unwrap_or_else(|why| {
            missing.push((engine.name.clone(), why));
            config::unresolved(engine, &places)
        });
        let variable = |name: &str| std::env::var_os(name);
        launches.push(Launch::new(&tournament, engine, found, &supervisors, &digests, variable));
    }
    if !missing.is_empty() && !tournament.skip_broken {
        let help = match missing.iter().find_map(|(_, why)| why.specific_help()) {
            Some(help) => help,
            None => {
                "build the bots (cargo build --release), or correct `command` in the config, or \
                     the command line"
                    .to_owned()
            }
        };
        let lines: Vec<_> = missing.iter().map(|(_, why)| why.to_string()).collect();
        let help = format!("{help}; --skip-broken plays without them");
        return Err(CliError::with_help(Exit::EngineStart, lines.join("\n"), help));
    }
    let capacity = match role {
        Role::Plays => capacity(&tournament)?,
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
    })
}

/// The capacity of this machine. Fails if more timed games run at once than there are processors or
/// a quota allows, unless the config permits it.
fn capacity(tournament: &Tournament) -> Result<Capacity, CliError> {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    let quota = Quota::of_this_process();
    Oversubscribed::check(tournament, processors, quota.as_ref())
        .map_err(|why| CliError::with_help(Exit::Usage, &why, why.help()))?;
    let allowed = Oversubscribed::find(tournament, processors, quota.as_ref());
    if let Some(why) = allowed.filter(Oversubscribed::is_by_quota) {
        eprint_line(format_args!("warning: {why}"));
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
        eprint_line(format_args!("note: {games} played at once instead of {wanted}: {why}"));
    }
    Ok(capacity)
}

/// Supervisors run this very program, even if its file has been replaced meanwhile.
pub(super) fn supervisors() -> Result<Arc<Supervisors>, CliError> {
    let why = |why| CliError::new(Exit::Storage, format!("cannot start supervisors: {why}"));
    Supervisors::new("/proc/self/exe").map_err(why)
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, CliError> {
    let refused =
        |why| CliError::new(Exit::Storage, format!("cannot start the async runtime: {why}"));
    // Start a thread for blocking calls now: later the system may have none left, and blocking
    // calls then wait until this one is free.
    std::thread::Builder::new().spawn(|| ()).map_err(refused)?;
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let built =
        builder.enable_all().thread_keep_alive(Duration::from_secs(u32::MAX.into())).build();
    let runtime = built.map_err(refused)?;
    drop(runtime.spawn_blocking(|| ()));
    Ok(runtime)
}

/// What is known after every engine has been started once.
pub(super) struct Prepared {
    /// What the sandbox enforces; `None` if no engine has one.
    pub(super) sandbox: Option<Enforced>,
    /// The identity and remarks of each engine.
    pub(super) introductions: Vec<Introduction>,
    /// Engines that did not start and are left out.
    pub(super) broken: Vec<Broken>,
}

/// Probes the sandbox if any engine has one, and starts every engine once, except those in `out`,
/// which are listed with a reason.
pub(super) async fn prepare(
    plan: &Plan,
    pool: &Pool,
    out: &[(String, String)],
    config: Option<&Path>,
) -> Result<Prepared, CliError> {
    let sandbox = sandbox(plan).await?;
    let is_out = |name: &str| out.iter().any(|(engine, _)| engine == name);
    let Started { introductions, failures } = pool.prepare(plan, is_out).await;
    if let Some((name, why)) = failures.iter().find(|(_, why)| why.is_ours()) {
        pool.quit().await;
        let what = format!("engine `{name}` cannot be started, through no fault of its own: {why}");
        return Err(CliError::of_start(what, why));
    }
    let mut broken: Vec<_> = out
        .iter()
        .map(|(engine, why)| Broken { engine: engine.clone(), why: why.clone() })
        .collect();
    broken.extend(
        failures.iter().map(|(name, why)| Broken { engine: name.clone(), why: why.to_string() }),
    );
    if !broken.is_empty()
        && let Err(refusal) = go_without(plan, &broken, &failures, config)
    {
        pool.quit().await;
        return Err(refusal);
    }
    for (launch, introduction) in plan.launches.iter().zip(&introductions) {
        warn_about_remarks(&launch.name, &introduction.remarks);
    }
    Ok(Prepared { sandbox, introductions, broken })
}

/// The answer to `isready`, which follows the introduction of an engine.
const READY: &str = "readyok";

/// The engines that did not start, if the tournament allows playing without them and enough remain.
fn go_without(
    plan: &Plan,
    broken: &[Broken],
    failures: &[(String, StartError)],
    config: Option<&Path>,
) -> Result<(), CliError> {
    let Plan { tournament, .. } = plan;
    let line = |it: &Broken| match failures.iter().find(|(name, _)| *name == it.engine) {
        Some((name, why)) => not_started(name, why, config),
        None => format!("engine `{}`: {}", it.engine, it.why),
    };
    let lines: Vec<_> = broken.iter().map(line).collect();
    let is_broken = |name: &str| broken.iter().any(|it| it.engine == name);
    let left = tournament.names().filter(|name| !is_broken(name)).count();
    // A gauntlet needs its first engine, and the oracle does not count as an entrant.
    let needed = match tournament.format {
        Format::Gauntlet => tournament.engines.first().map(|engine| &engine.name),
        _ => None,
    };
    let oracle = tournament.adjudication.oracle.as_ref().map(|engine| &engine.name);
    let is_enough = left >= 2 && !needed.into_iter().chain(oracle).any(|name| is_broken(name));
    if tournament.skip_broken && is_enough {
        for line in &lines {
            eprint_line(format_args!("note: {line}; the engine plays no games"));
        }
        return Ok(());
    }
    if tournament.skip_broken {
        let help = "too few engines remain: correct the config or the engines";
        return Err(CliError::with_help(Exit::EngineStart, lines.join("\n"), help));
    }
    let silent = failures.iter().filter(|(_, why)| matches!(why, StartError::Handshake { .. }));
    let silent: Vec<&str> = silent.map(|(name, _)| &**name).collect();
    let is_introduced = failures.iter().all(|(_, why)| match why {
        StartError::Handshake { expected, .. } => *expected == READY,
        _ => true,
    });
    let by_hand = match is_introduced {
        false => "run the command by hand and type `ugi`: it must answer `ugiok`",
        true => {
            "run the command by hand and type `ugi`, then `isready`: it must answer `ugiok`, then \
             `readyok`"
        }
    };
    let is_confined = |name: &&str| {
        let mut engines = tournament.engines.iter().chain(&tournament.adjudication.oracle);
        let engine = engines.find(|engine| engine.name == *name);
        engine.is_some_and(|engine| tournament.sandbox_of(engine) != Sandbox::None)
    };
    let lacks_package = |(_, why): &(String, StartError)| match why {
        StartError::Handshake { failure, .. } => user_packages::advice(&failure.stderr),
        _ => None,
    };
    let environment = "its environment (PATH, LANG and a private HOME; `env` and `inherit_env` give it \
                       more)";
    let help = match (&silent[..], failures.iter().find_map(lacks_package)) {
        ([], _) => "correct the config or the engine".to_owned(),
        (_, Some(advice)) => advice,
        (silent, None) if silent.iter().any(is_confined) => format!(
            "{by_hand}. If it does, the cause is {environment} or the sandbox, which forbids the network \
             (`sandbox_network = true` allows it) and writing elsewhere (`writable`); \
             `sandbox = \"none\"` turns it off"
        ),
        _ => format!("{by_hand}. If it does, the cause is {environment}"),
    };
    let help = format!("{help}; --skip-broken plays without it");
    Err(CliError::with_help(Exit::EngineStart, lines.join("\n"), help))
}

/// Why an engine did not start. For an unknown option this names its line in the config and the
/// closest option of the engine.
fn not_started(engine: &str, why: &StartError, config: Option<&Path>) -> String {
    let (option, declared): (&str, &[String]) = match why {
        StartError::UnknownOption { name, declared } => (name, declared),
        StartError::OptionValue(why) => (&why.name, &[]),
        StartError::UnreadableOption { name, .. } => (name, &[]),
        _ => return format!("engine `{engine}`: {why}"),
    };
    let place = config.and_then(|path| {
        let line = config::option_line(&input_file::read_to_string(path).ok()?, engine, option)?;
        Some(format!("{}:{line}: ", path.display()))
    });
    let place = place.unwrap_or_default();
    let declared: Vec<&str> = declared.iter().map(String::as_str).collect();
    match config::nearest(option, &declared) {
        Some(meant) => format!("{place}engine `{engine}`: {why}; did you mean `{meant}`?"),
        None => format!("{place}engine `{engine}`: {why}"),
    }
}

/// Probes the sandbox and prints how much of it holds here, and which limits the kernel enforces.
async fn sandbox(plan: &Plan) -> Result<Option<Enforced>, CliError> {
    let Plan { tournament, supervisors, .. } = plan;
    if let controllers @ [_, ..] = supervisors.controllers() {
        let controllers = controllers.join(", ");
        eprint_line(format_args!(
            "note: limits enforced by the kernel (control group): {controllers}"
        ));
    }
    let of = |engine| tournament.sandbox_of(engine);
    if tournament.engines.iter().all(|engine| of(engine) == Sandbox::None) {
        eprint_line("note: sandbox off: engines can do anything you can");
        return Ok(None);
    }
    let enforced = probe::probe(supervisors, tournament.start_timeout).await.map_err(|why| {
        if let StartError::NotStarted { why: cause, .. } = &why
            && why.is_ours()
        {
            return CliError::of_start(format_args!("no engine can be started: {cause}"), &why);
        }
        let what = format!("cannot probe the sandbox: {why}");
        CliError::with_help(Exit::EngineStart, what, "set sandbox = \"none\" to play without it")
    })?;
    let strict = tournament.engines.iter().find(|engine| of(engine) == Sandbox::Landlock);
    if let (Some(engine), Enforcement::NotHere) = (strict, enforced.files) {
        let name = &engine.name;
        return Err(CliError::with_help(
            Exit::EngineStart,
            format!("this kernel does not support Landlock, and engine `{name}` requires it"),
            "boot a kernel with Landlock (5.13 or later, `landlock` among its `lsm`), or set \
             sandbox = \"auto\" to play without it",
        ));
    }
    let open: Vec<&str> = tournament
        .engines
        .iter()
        .filter(|engine| of(engine) != Sandbox::None && tournament.sandbox_network_of(engine))
        .map(|engine| &*engine.name)
        .collect();
    match enforced.counts() {
        (held, all) if held == all => eprint_line("note: sandbox: complete; see `arena doctor`"),
        (held, all) => eprint_line(format_args!(
            "note: sandbox: {held} of {all} parts hold here; `arena doctor` lists them"
        )),
    }
    if !open.is_empty() {
        let names = open.join(", ");
        eprint_line(format_args!("note: network open to {names} (`sandbox_network`)"));
    }
    Ok(Some(enforced))
}
