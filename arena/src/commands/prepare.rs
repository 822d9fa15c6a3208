//! What comes before the first game: programs are found, this machine's room is looked at, the sandbox
//! is tried, and every engine is started once.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::exit::Exit;
use super::refusal::CliError;
use crate::config::{self, Format, Places, Sandbox, Tournament};
use crate::engine::{
    Digests, Enforced, Enforcement, Launch, StartError, Supervisors, missing_cpus, probe,
};
use crate::pairing::openings::Openings;
use crate::pairing::shard::Shard;
use crate::record::Broken;
use crate::terminal::output::{tell, warn_of_remarks};
use crate::text::plural::counted;
use crate::tournament::capacity::{Capacity, Oversubscribed, Scarce, games_at_once};
use crate::tournament::runner::{Introduction, Plan, Pool, Started};

/// Everything there is to know before an engine is started.
pub(super) fn plan(tournament: Tournament, shard: Shard) -> Result<Plan, CliError> {
    let openings = Openings::load(&tournament).map_err(|why| CliError::new(Exit::Usage, why))?;
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
                format!("engine `{name}` is to run on CPUs the arena does not have: {missing}"),
                "correct `cpus` in the config; `nproc` and `taskset -p $$` say what there is",
            ));
        }
    }
    let (guards, digests) = (guards()?, Digests::default());
    let (mut launches, mut missing) = (Vec::new(), Vec::new());
    for engine in tournament.engines.iter().chain(&tournament.adjudication.oracle) {
        let found = config::resolve(engine, &places).unwrap_or_else(|why| {
            missing.push((engine.name.clone(), why));
            config::unresolved(engine, &places)
        });
        let variable = |name: &str| std::env::var_os(name);
        launches.push(Launch::new(&tournament, engine, found, &guards, &digests, variable));
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
    let capacity = capacity(&tournament)?;
    let missing = missing.into_iter().map(|(name, why)| (name, why.to_string())).collect();
    Ok(Plan { shard, tournament, openings, launches, guards, capacity, missing })
}

/// What this machine has room for; refuses more games at once under clocks than it has processors,
/// unless the config says that it means it.
fn capacity(tournament: &Tournament) -> Result<Capacity, CliError> {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    Oversubscribed::check(tournament, processors)
        .map_err(|why| CliError::with_help(Exit::Usage, &why, why.help()))?;
    let capacity = Capacity::new(tournament, processors);
    if let Some(scarce) = capacity.short_of {
        let wanted = games_at_once(tournament, processors);
        let why = match scarce {
            Scarce::Files(files) => format!(
                "the arena may have only {files} files open (`ulimit -Hn` is the limit it can raise \
                 that to)"
            ),
            Scarce::Processes => "you may start no more processes (`ulimit -u`)".to_owned(),
        };
        let games = counted(capacity.games as u64, "game is", "games are");
        tell(format_args!("note: {games} played at once instead of {wanted}: {why}"));
    }
    Ok(capacity)
}

/// Supervisors that are processes of this very program, also when its file has been replaced since.
pub(super) fn guards() -> Result<Arc<Supervisors>, CliError> {
    let why = |why| CliError::new(Exit::Storage, format!("cannot guard engines: {why}"));
    Supervisors::new("/proc/self/exe").map_err(why)
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, CliError> {
    let refused = |why| CliError::new(Exit::Storage, format!("cannot begin to wait: {why}"));
    // A thread for what blocks, had now and kept: later there may be none to be had, and what it is
    // given then waits instead.
    std::thread::Builder::new().spawn(|| ()).map_err(refused)?;
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let built =
        builder.enable_all().thread_keep_alive(Duration::from_secs(u32::MAX.into())).build();
    let runtime = built.map_err(refused)?;
    drop(runtime.spawn_blocking(|| ()));
    Ok(runtime)
}

/// What is known when every engine has been started once.
pub(super) struct Prepared {
    /// What the sandbox holds; `None` where no engine has one.
    pub(super) sandbox: Option<Enforced>,
    /// What the engines say of themselves.
    pub(super) introductions: Vec<Introduction>,
    /// The engines that do not start, without which the others play.
    pub(super) broken: Vec<Broken>,
}

/// Finds out what the sandbox holds, if any engine has one, and starts every engine once but for
/// those in `out`, each named with the reason.
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
        return Err(CliError::with_help(Exit::Storage, what, "give the arena what it lacks"));
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
        warn_of_remarks(&launch.name, &introduction.remarks);
    }
    Ok(Prepared { sandbox, introductions, broken })
}

/// Says which engines do not start, if the others are to play without them and can.
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
    // A gauntlet is nothing without its first engine, and an oracle is no entrant.
    let needed = match tournament.format {
        Format::Gauntlet => tournament.engines.first().map(|engine| &engine.name),
        _ => None,
    };
    let oracle = tournament.adjudication.oracle.as_ref().map(|engine| &engine.name);
    let is_enough = left >= 2 && !needed.into_iter().chain(oracle).any(|name| is_broken(name));
    if tournament.skip_broken && is_enough {
        for line in &lines {
            tell(format_args!("note: {line}; it plays no game"));
        }
        return Ok(());
    }
    if tournament.skip_broken {
        let help = "too few engines are left: correct the config, or the engines";
        return Err(CliError::with_help(Exit::EngineStart, lines.join("\n"), help));
    }
    let silent = failures.iter().filter(|(_, why)| matches!(why, StartError::Handshake { .. }));
    let silent: Vec<&str> = silent.map(|(name, _)| &**name).collect();
    let is_confined = |name: &&str| {
        let mut engines = tournament.engines.iter().chain(&tournament.adjudication.oracle);
        let engine = engines.find(|engine| engine.name == *name);
        engine.is_some_and(|engine| tournament.sandbox_of(engine) != Sandbox::None)
    };
    let help = match &silent[..] {
        [] => "correct the config, or the engine",
        silent if silent.iter().any(is_confined) => {
            "run the command by hand, type `ugi`, and see whether it answers `ugiok`; if it does, \
             the sandbox is in its way: allow it the network (`sandbox_network = true`), the \
             directories it writes to (`writable`), or everything (`sandbox = \"none\"`)"
        }
        _ => "run the command by hand, type `ugi`, and see whether it answers `ugiok`",
    };
    let help = format!("{help}; --skip-broken plays without it");
    Err(CliError::with_help(Exit::EngineStart, lines.join("\n"), help))
}

/// Why an engine has not started; of an option it does not take, with its line in the config and the
/// option that may be meant.
fn not_started(engine: &str, why: &StartError, config: Option<&Path>) -> String {
    let (option, declared): (&str, &[String]) = match why {
        StartError::UnknownOption { name, declared } => (name, declared),
        StartError::OptionValue(why) => (&why.name, &[]),
        _ => return format!("engine `{engine}`: {why}"),
    };
    let place = config.and_then(|path| {
        let line = config::option_line(&fs::read_to_string(path).ok()?, engine, option)?;
        Some(format!("{}:{line}: ", path.display()))
    });
    let place = place.unwrap_or_default();
    let declared: Vec<&str> = declared.iter().map(String::as_str).collect();
    match config::nearest(option, &declared) {
        Some(meant) => format!("{place}engine `{engine}`: {why}; did you mean `{meant}`?"),
        None => format!("{place}engine `{engine}`: {why}"),
    }
}

/// Tries the sandbox and says what it holds, and which bounds the kernel holds itself.
async fn sandbox(plan: &Plan) -> Result<Option<Enforced>, CliError> {
    let Plan { tournament, guards, .. } = plan;
    if let controllers @ [_, ..] = guards.controllers() {
        let controllers = controllers.join(", ");
        tell(format_args!("note: bounds held by the kernel (control group): {controllers}"));
    }
    let of = |engine| tournament.sandbox_of(engine);
    if tournament.engines.iter().all(|engine| of(engine) == Sandbox::None) {
        tell("note: sandbox: none; engines can do here whatever you can");
        return Ok(None);
    }
    let enforced = probe::probe(guards, tournament.start_timeout).await.map_err(|why| {
        let what = format!("cannot find out what the sandbox holds: {why}");
        CliError::with_help(Exit::EngineStart, what, "set sandbox = \"none\" to play without it")
    })?;
    let strict = tournament.engines.iter().find(|engine| of(engine) == Sandbox::Landlock);
    if let (Some(engine), Enforcement::NotHere) = (strict, enforced.files) {
        let name = &engine.name;
        return Err(CliError::with_help(
            Exit::EngineStart,
            format!("this kernel has no Landlock, and engine `{name}` is to be confined by it"),
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
    let open = match &open[..] {
        [] => String::new(),
        names => format!("; the network is open to {} (`sandbox_network`)", names.join(", ")),
    };
    tell(format_args!(
        "note: sandbox: {enforced}{open}; open to all: reading files, Unix sockets that are files"
    ));
    Ok(Some(enforced))
}
