//! Preparation before the first game: resolves programs, checks the machine's capacity, probes the
//! sandbox and starts every engine once.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::error::CliError;
use super::exit::Exit;
use crate::terminal::output::{eprint_line, warn_about_remarks};
use fanorona_engine::{StartError, Supervisors, helper, user_packages};
use fanorona_runner::{Plan, PlanError, Pool, PrepareError, Prepared, Role};
use fanorona_tournament::config::{
    self, EngineConfig, Places, ResolveError, Resolved, Sandbox, Tournament,
};
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::machine::enforced::Enforced;
use fanorona_tournament::pairing::openings::Openings;
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::record::Broken;
use fanorona_tournament::text::input_file;

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
    let plan = Plan::with(tournament, shard, role, openings, supervisors, resolve);
    let plan = plan.map_err(|why| {
        let exit = match why {
            PlanError::NotFound(_) => Exit::EngineStart,
            _ => Exit::Usage,
        };
        match why.help() {
            Some(help) => CliError::with_help(exit, why, help),
            None => CliError::new(exit, why),
        }
    })?;
    plan.notes.iter().for_each(eprint_line);
    Ok(plan)
}

pub(super) fn supervisors() -> Result<Arc<Supervisors>, CliError> {
    let why = |why| CliError::new(Exit::Storage, format!("cannot start supervisors: {why}"));
    helper::own_program().and_then(Supervisors::new).map_err(why)
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

/// Probes the sandbox if any engine has one, and starts every engine once, except those in `out`,
/// which are listed with a reason.
pub(super) async fn prepare(
    plan: &Plan,
    pool: &Pool,
    out: &[(String, String)],
    config: Option<&Path>,
) -> Result<Prepared, CliError> {
    let refused = |why| not_prepared(plan, why, config);
    note_kernel_limits(plan);
    let sandbox = plan.probe_sandbox().await.map_err(refused)?;
    note_sandbox(plan, sandbox);
    let prepared = plan.start_engines(pool, out, sandbox).await.map_err(refused)?;
    for line in lines_of(&prepared.broken, &prepared.failures, config) {
        eprint_line(format_args!("note: {line}; the engine plays no games"));
    }
    for (launch, introduction) in plan.launches.iter().zip(&prepared.introductions) {
        warn_about_remarks(&launch.name, &introduction.remarks);
    }
    Ok(prepared)
}

/// The error for a tournament whose engines are not ready.
fn not_prepared(plan: &Plan, why: PrepareError, config: Option<&Path>) -> CliError {
    match &why {
        PrepareError::Shortage { why: cause, .. } => CliError::from_start(&why, cause),
        PrepareError::Probe(_) => {
            let help = "set sandbox = \"none\" to play without it";
            CliError::with_help(Exit::EngineStart, why, help)
        }
        PrepareError::Unenforceable { engine, lack } => {
            let place = place(config, |text| config::key_line(text, engine, lack.key));
            CliError::with_help(Exit::EngineStart, format!("{place}{why}"), lack.choices)
        }
        PrepareError::Broken { broken, failures, too_few } => {
            let help = match too_few {
                true => "too few engines remain: correct the config or the engines".to_owned(),
                false => format!(
                    "{}; `arena run --skip-broken` plays without it",
                    remedy(plan, failures)
                ),
            };
            let lines = lines_of(broken, failures, config);
            CliError::with_help(Exit::EngineStart, lines.join("\n"), help)
        }
    }
}

/// A line for each engine that did not start.
fn lines_of(
    broken: &[Broken],
    failures: &[(String, StartError)],
    config: Option<&Path>,
) -> Vec<String> {
    let line = |it: &Broken| match failures.iter().find(|(name, _)| *name == it.engine) {
        Some((name, why)) => not_started(name, why, config),
        None => format!("engine `{}`: {}", it.engine, it.why),
    };
    broken.iter().map(line).collect()
}

/// The answer to `isready`, which follows the introduction of an engine.
const READY: &str = "readyok";

/// Returns advice about engines that did not start.
fn remedy(plan: &Plan, failures: &[(String, StartError)]) -> String {
    let tournament = &plan.tournament;
    // An engine that prints too much does so by hand as well.
    let is_silent = |why: &StartError| match why {
        StartError::Handshake { failure, .. } => failure.fault != Fault::Flood,
        _ => false,
    };
    let silent = failures.iter().filter(|(_, why)| is_silent(why));
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
    match (&silent[..], failures.iter().find_map(lacks_package)) {
        ([], _) => "correct the config or the engine".to_owned(),
        (_, Some(advice)) => advice,
        (silent, None) if silent.iter().any(is_confined) => format!(
            "{by_hand}. If it does, the cause is {environment} or the sandbox, which forbids the network \
             (`sandbox_network = true` allows it) and writing elsewhere (`writable`); \
             `sandbox = \"none\"` turns it off"
        ),
        _ => format!("{by_hand}. If it does, the cause is {environment}"),
    }
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
    let place = place(config, |text| config::option_line(text, engine, option));
    let declared: Vec<&str> = declared.iter().map(String::as_str).collect();
    match config::nearest(option, &declared) {
        Some(meant) => format!("{place}engine `{engine}`: {why}; did you mean `{meant}`?"),
        None => format!("{place}engine `{engine}`: {why}"),
    }
}

/// The beginning of a message about a line of the config; empty if the line is not found.
fn place(config: Option<&Path>, line: impl FnOnce(&str) -> Option<usize>) -> String {
    let found = config.and_then(|path| {
        let line = line(&input_file::read_to_string(path).ok()?)?;
        Some(format!("{}:{line}: ", path.display()))
    });
    found.unwrap_or_default()
}

/// Prints which limits the kernel enforces.
fn note_kernel_limits(plan: &Plan) {
    if let controllers @ [_, ..] = plan.supervisors.controllers() {
        let controllers = controllers.join(", ");
        eprint_line(format_args!(
            "note: limits enforced by the kernel (control group): {controllers}"
        ));
    }
}

/// Prints how much of the sandbox holds here.
fn note_sandbox(plan: &Plan, sandbox: Option<Enforced>) {
    let Plan { tournament, .. } = plan;
    match sandbox.map(Enforced::counts) {
        None => eprint_line("note: sandbox off: engines can do anything you can"),
        Some((held, all)) if held == all => {
            eprint_line("note: sandbox: complete; see `arena doctor`")
        }
        Some((held, all)) => eprint_line(format_args!(
            "note: sandbox: {held} of {all} parts hold here; `arena doctor` lists them"
        )),
    }
    let is_open = |engine: &&EngineConfig| {
        tournament.sandbox_of(engine) != Sandbox::None && tournament.sandbox_network_of(engine)
    };
    let open: Vec<&str> =
        tournament.engines.iter().filter(is_open).map(|engine| &*engine.name).collect();
    if sandbox.is_some() && !open.is_empty() {
        let names = open.join(", ");
        eprint_line(format_args!("note: network open to {names} (`sandbox_network`)"));
    }
}
