//! The main loop: assigns pairings to workers and records every finished game.

mod event;
mod journal_writer;
mod plan;
mod pool;
mod shortage;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use super::progress::{self, Progress};
use super::sprt_run::SprtRun;
use crate::config::Tournament;
use crate::engine::stall::{self, Lateness, StallMonitor};
use crate::pairing::shard::Shard;
use crate::record::{Index, Journal, Summary};

pub use event::{Event, Finish, GameBegin, RunError, Stop};
pub use plan::Plan;
pub use pool::{Introduction, Pool, Started};

use journal_writer::{JournalEntry, JournalWriter};
use shortage::Shortages;
use worker::{PairingOutcome, Shared, Worker};

/// The state of a tournament.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The finished games.
    pub index: Index,
    /// The decisions based on them.
    pub progress: Progress,
}

impl Snapshot {
    /// A tournament before its first game.
    pub fn empty(tournament: &Tournament, shard: Shard) -> Snapshot {
        let index = Index::new(tournament.names());
        Snapshot { index, progress: Progress::new(tournament, shard) }
    }

    /// The finished games that count.
    pub fn counting(&self) -> Vec<&Summary> {
        self.index.games().iter().filter(|game| self.progress.counts(game)).collect()
    }
}

/// Plays the missing games of a plan. Every finished game is written to the journal, added to the
/// snapshot, and then passed to `watch`, in the order of finishing. No pairing begins while
/// `may_begin` returns `false`; games in progress continue. A message on `stops` ends the
/// tournament early.
///
/// # Errors
/// Returns an error if the journal cannot be written, or engines cannot be started through no fault
/// of theirs. The journal is intact then.
pub async fn run(
    plan: Arc<Plan>,
    pool: Arc<Pool>,
    journal: Journal,
    snapshot: &mut Snapshot,
    mut watch: impl FnMut(Event),
    may_begin: impl Fn() -> bool,
    mut stops: mpsc::UnboundedReceiver<Stop>,
) -> Result<Finish, RunError> {
    let (shared, mut events) = share(plan.clone(), pool, journal)?;
    let mut lateness = Lateness::begin(&shared.stalls);
    let mut pulse = interval(stall::TICK);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut next = 0;
    let mut workers = JoinSet::new();
    // Once it is set, no further game begins.
    let mut deadline: Option<Instant> = None;
    decide(&plan, snapshot, &mut watch);
    let outcome = loop {
        // After the end of the match, games in progress do not count any more.
        if snapshot.progress.is_stopped() {
            break Ok(Finish::Complete);
        }
        let held = deadline.is_none()
            && begin_pairings(&mut next, &mut workers, &shared, snapshot, &mut watch, &may_begin);
        tokio::select! {
            biased;
            stop = stops.recv() => match stop {
                Some(Stop::Finish) if deadline.is_none() => {
                    shared.stopping.store(true, Ordering::Relaxed);
                    let patience = plan.tournament.finish_timeout;
                    deadline = Some(Instant::now() + patience);
                    watch(Event::Finishing(workers.len(), patience));
                }
                _ => break Ok(Finish::Interrupted),
            },
            () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => {
                break Ok(Finish::Interrupted);
            }
            _ = pulse.tick() => {
                shared.stalls.tick();
                if let Some((lost, within)) = lateness.look(&shared.stalls) {
                    watch(Event::Late(lost, within));
                }
            }
            Some(event) = events.recv() => take_in(event, snapshot, &mut watch),
            ended = workers.join_next(), if !held || !workers.is_empty() => match ended {
                None if deadline.is_some() => break Ok(Finish::Interrupted),
                None => break Ok(Finish::Complete),
                Some(Ok(Err(error))) => break Err(error),
                Some(Ok(Ok(left))) => {
                    while let Ok(event) = events.try_recv() {
                        take_in(event, snapshot, &mut watch);
                    }
                    if left == PairingOutcome::Nothing {
                        watch(Event::PairingComplete);
                    }
                    decide(&plan, snapshot, &mut watch);
                }
                Some(Err(error)) => std::panic::resume_unwind(error.into_panic()),
            }
        }
    };
    workers.shutdown().await;
    // The writer finishes the entries in its queue, and then ends.
    shared.writer.hurry();
    drop(shared);
    while let Some(event) = events.recv().await {
        take_in(event, snapshot, &mut watch);
    }
    decide(&plan, snapshot, &mut watch);
    outcome
}

/// Starts the journal's writer. Returns what the workers share, and the events to observe.
fn share(
    plan: Arc<Plan>,
    pool: Arc<Pool>,
    mut journal: Journal,
) -> Result<(Shared, mpsc::UnboundedReceiver<Event>), RunError> {
    let (shown, events) = mpsc::unbounded_channel();
    let write = move |kept: &JournalEntry| match kept {
        JournalEntry::Game(game) => journal.write(game),
        JournalEntry::Void(void) => journal.write_void(void),
    };
    let writer = JournalWriter::start(write, plan.tournament.storage_timeout, shown.clone())
        .map_err(|why| RunError::Shortage(format!("no thread for the journal: {why}")))?;
    let shared = Shared {
        plan,
        pool,
        writer,
        events: shown,
        stalls: Arc::new(StallMonitor::new()),
        stopping: Arc::new(AtomicBool::new(false)),
        shortages: Arc::new(Shortages::default()),
    };
    Ok((shared, events))
}

/// Begins pairings, the next one of the schedule first, until enough games are in progress. Returns
/// whether `may_begin` held one back.
fn begin_pairings(
    next: &mut u64,
    workers: &mut JoinSet<Result<PairingOutcome, RunError>>,
    shared: &Shared,
    snapshot: &Snapshot,
    watch: &mut impl FnMut(Event),
    may_begin: &impl Fn() -> bool,
) -> bool {
    let tournament = &shared.plan.tournament;
    while workers.len() < shared.plan.capacity.games {
        let schedule = snapshot.progress.schedule();
        // The next pairings may depend on games in progress.
        if *next == schedule.drawn() {
            break;
        }
        // The question is repeated at every tick.
        if !may_begin() {
            return true;
        }
        let pairing = schedule.pairing(*next);
        *next += 1;
        let Some(pairing) = pairing else {
            watch(Event::PairingComplete);
            continue;
        };
        let before = snapshot.index.of(pairing.id);
        if progress::is_finished(tournament, &pairing, before) {
            continue;
        }
        if snapshot.progress.skips(&pairing) {
            watch(Event::PairingComplete);
            continue;
        }
        let before = before.iter().map(|game| game.result).collect();
        workers.spawn(Worker { shared: shared.clone(), pairing }.play(before));
    }
    false
}

/// Updates the progress with the new games, and reports the new decisions.
fn decide(plan: &Plan, snapshot: &mut Snapshot, watch: &mut impl FnMut(Event)) {
    let Snapshot { index, progress, .. } = snapshot;
    let pairs = |progress: &Progress| progress.test().map_or(0, SprtRun::pairs);
    let (withdrawn, tested) = (progress.withdrawals().len(), pairs(progress));
    progress.advance(&plan.tournament, index);
    for withdrawal in &progress.withdrawals()[withdrawn..] {
        watch(Event::Withdrawn(withdrawal.clone()));
    }
    if let Some(test) = progress.test().filter(|test| test.pairs() > tested) {
        watch(Event::Tested(test.state()));
    }
}

/// Adds a finished game to the snapshot, and reports the event.
fn take_in(event: Event, snapshot: &mut Snapshot, watch: &mut impl FnMut(Event)) {
    if let Event::Game(game, offset) = &event {
        snapshot.index.add(game, *offset);
    }
    watch(event);
}
