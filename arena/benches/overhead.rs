//! What the arena itself costs: its own time per ply, between engines that answer at once.
//!
//! `cargo bench -p fanorona-arena --bench overhead` plays some thousand plies and prints, for every
//! number of games at once, plies a second and the processor time per ply of this process: user and
//! system time of `getrusage(RUSAGE_SELF)` from before the first game to after the last, divided by
//! the moves that engines were asked for. In this process are everything a tournament consists of
//! from the schedule to the journal, thread and syncs of the latter included; standings and the
//! terminal are not. The engines are processes of their own, so that their time is not in it; it is
//! shown beside it, from `RUSAGE_CHILDREN`. What the kernel does to hand a line from one process to
//! the other is counted to whichever of them it does it for. Before the games, a loop without an arena
//! asks one such engine over its pipes, with the same lines in one write, and waits for its answers: what
//! any manager needs at least.

#[path = "instant/mod.rs"]
mod instant;

use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroU32;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fanorona_engine::Supervisors;
use fanorona_ratings::kind::Kind;
use fanorona_runner::{self, Event, LocalVenue, Plan, Pool, Role, Snapshot};
use fanorona_tournament::config::{
    EngineConfig, Format, Limit, OpeningSource, Places, Resolved, Tournament,
};
use fanorona_tournament::pairing::openings::Openings;
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::record::{Header, Journal, Lock};
use nix::sys::resource::{Usage, UsageWho, getrusage};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.iter().any(|arg| arg == "engine") {
        return instant::engine();
    }
    // A test that only runs it needs no figures.
    let rounds = if args.iter().any(|arg| arg == "--bench") { 150 } else { 1 };
    println!(
        "games at once     limit  plies  plies/s  arena µs/ply (user + system)  engines µs/ply"
    );
    let games = [1, 2].map(|count| ["depth=1", "60s+1s"].map(|limit| (count, limit)));
    let bare = std::iter::once(("bare pipe".to_owned(), "depth=1", bare_pipe(30 * rounds)));
    let arena = games
        .into_iter()
        .flatten()
        .map(|(count, limit)| (count.to_string(), limit, measure(count, limit, rounds)));
    for (games_at_once, limit, measured) in bare.chain(arena) {
        let plies = measured.plies as f64;
        let per_ply = |time: Duration| 1e6 * time.as_secs_f64() / plies;
        println!(
            "{games_at_once:>13}  {limit:>8}  {plies:5}  {:7.0}  {:12.1} ({:4.1} + {:4.1})  {:20.1}",
            plies / measured.time.as_secs_f64(),
            per_ply(measured.user + measured.system),
            per_ply(measured.user),
            per_ply(measured.system),
            per_ply(measured.engines),
        );
    }
}

/// Asks an engine for this many moves, without an arena.
fn bare_pipe(plies: u32) -> Measured {
    let children = usage(UsageWho::RUSAGE_CHILDREN);
    let mut engine = Command::new(std::env::current_exe().expect("this program is somewhere"))
        .arg("engine")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program can be run");
    let mut input = engine.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(engine.stdout.take().expect("a pipe")).lines();
    let (mine, begin) = (usage(UsageWho::RUSAGE_SELF), Instant::now());
    let start = "position startpos moves e2e3A";
    let mut position = start.to_owned();
    for _ in 0..plies {
        let asked = format!("{position}\nisready\ngo depth 1\n");
        input.write_all(asked.as_bytes()).expect("the engine reads");
        let mut answer = || lines.next().expect("it answers").expect("in text");
        assert_eq!(answer(), "readyok");
        match answer().strip_prefix("bestmove ") {
            Some("0000") => position = start.to_owned(),
            Some(mv) if position.len() < 1000 => position = format!("{position} {mv}"),
            _ => position = start.to_owned(),
        }
    }
    let (time, after) = (begin.elapsed(), usage(UsageWho::RUSAGE_SELF));
    drop(input);
    engine.wait().expect("it ends with its input");
    let children_after = usage(UsageWho::RUSAGE_CHILDREN);
    Measured::new(plies as usize, time, [mine, after], [children, children_after])
}

struct Measured {
    plies: usize,
    time: Duration,
    user: Duration,
    system: Duration,
    engines: Duration,
}

impl Measured {
    /// The measurement from the use of the processor before and after, of this process and of those that
    /// it started.
    fn new(plies: usize, time: Duration, own: [Usage; 2], children: [Usage; 2]) -> Measured {
        let spent =
            |of: fn(&Usage) -> Duration, [before, after]: &[Usage; 2]| of(after) - of(before);
        Measured {
            plies,
            time,
            user: spent(user, &own),
            system: spent(system, &own),
            engines: spent(user, &children) + spent(system, &children),
        }
    }
}

fn measure(games_at_once: u32, limit: &str, rounds: u32) -> Measured {
    let dir = tempfile::tempdir().expect("there is room for results");
    let plan = Arc::new(plan(dir.path(), games_at_once, limit.parse().expect("a limit"), rounds));
    let lock = Lock::take(dir.path()).expect("a directory of its own");
    let journal = Journal::create(lock, &Header::new("overhead", "")).expect("a journal");
    let mut so_far = Snapshot::empty(&plan.tournament, Shard::WHOLE);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let pool = Arc::new(Pool::default());
        let started = pool.prepare(&plan, |_| false).await;
        assert!(started.failures.is_empty(), "{:?}", started.failures);
        let (mine, children) = (usage(UsageWho::RUSAGE_SELF), usage(UsageWho::RUSAGE_CHILDREN));
        let begin = Instant::now();
        let mut plies = 0;
        let watch = |event: Event| {
            if let Event::Game(game, _) = event {
                assert_eq!(game.offender, None, "the engines behave");
                plies += game.times.len();
            }
        };
        let (_stop, stops) = tokio::sync::mpsc::unbounded_channel();
        let run = fanorona_runner::run(
            plan.clone(),
            Arc::new(LocalVenue::new(plan.clone(), pool.clone())),
            journal,
            &mut so_far,
            watch,
            || true,
            stops,
        );
        run.await.expect("the journal can be written");
        let time = begin.elapsed();
        let after = usage(UsageWho::RUSAGE_SELF);
        pool.quit().await;
        let children_after = usage(UsageWho::RUSAGE_CHILDREN);
        Measured::new(plies, time, [mine, after], [children, children_after])
    })
}

fn usage(who: UsageWho) -> Usage {
    getrusage(who).expect("the system counts")
}

fn user(usage: &Usage) -> Duration {
    Duration::from_micros(usage.user_time().tv_sec() as u64 * 1_000_000)
        + Duration::from_micros(usage.user_time().tv_usec() as u64)
}

fn system(usage: &Usage) -> Duration {
    Duration::from_micros(usage.system_time().tv_sec() as u64 * 1_000_000)
        + Duration::from_micros(usage.system_time().tv_usec() as u64)
}

/// A match of this very program against itself.
fn plan(dir: &Path, games_at_once: u32, limit: Limit, rounds: u32) -> Plan {
    let program = std::env::current_exe().expect("this program is somewhere");
    let engines = ["one", "two"].map(|name| EngineConfig::new(name, "overhead")).to_vec();
    let mut tournament = Tournament::new("overhead", dir, engines);
    tournament.format = Format::Match;
    tournament.kinds = vec![Kind::Riatra];
    tournament.rounds = NonZeroU32::new(rounds).expect("some rounds");
    tournament.concurrency = NonZeroU32::new(games_at_once);
    tournament.limit = limit;
    tournament.oversubscribe = true;
    tournament.openings = OpeningSource::Random { plies: 4 };
    let supervisors =
        Supervisors::new(env!("CARGO_BIN_EXE_arena")).expect("engines can be guarded");
    let openings = Openings::load(&tournament).expect("random openings need nothing");
    let resolve = |_: &EngineConfig, _: &Places<'_>| {
        Ok(Resolved {
            program: program.clone(),
            args: vec!["engine".into()],
            dir: dir.into(),
            writable: Vec::new(),
            files: Vec::new(),
        })
    };
    Plan::with(tournament, Shard::WHOLE, Role::Plays, openings, supervisors, resolve)
        .expect("the machine can play")
}
