//! The loop: hands pairings to as many workers as play at once, and keeps every finished game.

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
use super::sprt_run::Sequential;
use crate::config::Tournament;
use crate::engine::stall::{self, Lateness, StallMonitor};
use crate::pairing::shard::Shard;
use crate::record::{Index, Journal};

pub use event::{Begins, Event, Finish, RunError, Stop};
pub use plan::Plan;
pub use pool::{Introduction, Pool, Started};

use journal_writer::{JournalEntry, JournalWriter, WriterEvent};
use shortage::Shortages;
use worker::{PairingOutcome, Shared, Worker};

/// What has been played of a tournament.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The finished games.
    pub index: Index,
    /// What has been decided by them.
    pub course: Progress,
}

impl Snapshot {
    /// A tournament before its first game.
    pub fn nothing(tournament: &Tournament, shard: Shard) -> Snapshot {
        let index = Index::new(tournament.names());
        Snapshot { index, course: Progress::new(tournament, shard) }
    }
}

/// Plays what is missing of a plan. Every finished game is written to the journal, added to what has
/// been played, and then shown to `watch`, in the order they finish. No pairing begins while
/// `may_begin` denies it; what is being played goes on. `stops` ends the tournament before its time.
///
/// # Errors
/// When the journal cannot be written, or engines cannot be started through no fault of theirs. What
/// the journal holds is whole.
pub async fn run(
    plan: Arc<Plan>,
    pool: Arc<Pool>,
    mut journal: Journal,
    so_far: &mut Snapshot,
    mut watch: impl FnMut(Event<'_>),
    may_begin: impl Fn() -> bool,
    mut stops: mpsc::UnboundedReceiver<Stop>,
) -> Result<Finish, RunError> {
    let (shown, mut notices) = mpsc::unbounded_channel();
    let write = move |kept: &JournalEntry| match kept {
        JournalEntry::Game(game) => journal.write(game),
        JournalEntry::Void(void) => journal.write_void(void),
    };
    let keeper = JournalWriter::start(write, plan.tournament.storage_timeout, shown.clone())
        .map_err(|why| RunError::Shortage(format!("no thread for the journal: {why}")))?;
    let shared = Shared {
        plan: plan.clone(),
        pool,
        keeper: keeper.clone(),
        notices: shown,
        stalls: Arc::new(StallMonitor::new()),
        stopping: Arc::new(AtomicBool::new(false)),
        shortages: Arc::new(Shortages::default()),
    };
    let mut lateness = Lateness::begin(&shared.stalls);
    let mut pulse = interval(stall::TICK);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut next = 0;
    let mut workers = JoinSet::new();
    let concurrency = plan.capacity.games;
    // Once there is one, nothing begins any more.
    let mut deadline: Option<Instant> = None;
    decide(&plan, so_far, &mut watch);
    let outcome = loop {
        // What is in progress counts for nothing any more.
        if so_far.course.is_stopped() {
            break Ok(Finish::Complete);
        }
        let mut held = false;
        while deadline.is_none() && workers.len() < concurrency {
            let schedule = so_far.course.schedule();
            // Who meets next may depend on games in progress.
            if next == schedule.drawn() {
                break;
            }
            // It is asked again with every tick of the pulse.
            if !may_begin() {
                held = true;
                break;
            }
            let pairing = schedule.pairing(next);
            next += 1;
            let Some(pairing) = pairing else {
                watch(Event::PairingComplete);
                continue;
            };
            let before = so_far.index.of(pairing.id);
            if progress::is_finished(&plan.tournament, &pairing, before) {
                continue;
            }
            if so_far.course.skips(&pairing) {
                watch(Event::PairingComplete);
                continue;
            }
            let before = before.iter().map(|game| game.result).collect();
            workers.spawn(Worker { shared: shared.clone(), pairing }.play(before));
        }
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
            Some(notice) = notices.recv() => notice.take_in(so_far, &mut watch),
            ended = workers.join_next(), if !held || !workers.is_empty() => match ended {
                None if deadline.is_some() => break Ok(Finish::Interrupted),
                None => break Ok(Finish::Complete),
                Some(Ok(Err(error))) => break Err(error),
                Some(Ok(Ok(left))) => {
                    while let Ok(notice) = notices.try_recv() {
                        notice.take_in(so_far, &mut watch);
                    }
                    if left == PairingOutcome::Nothing {
                        watch(Event::PairingComplete);
                    }
                    decide(&plan, so_far, &mut watch);
                }
                Some(Err(error)) => std::panic::resume_unwind(error.into_panic()),
            }
        }
    };
    workers.shutdown().await;
    // The keeper still writes what it has been given, and then ends.
    keeper.hurry();
    drop((keeper, shared));
    while let Some(notice) = notices.recv().await {
        notice.take_in(so_far, &mut watch);
    }
    decide(&plan, so_far, &mut watch);
    outcome
}

/// Goes on with the course as far as games have come, and tells of what is decided by that.
fn decide(plan: &Plan, so_far: &mut Snapshot, watch: &mut impl FnMut(Event<'_>)) {
    let Snapshot { index, course, .. } = so_far;
    let pairs = |course: &Progress| course.test().map_or(0, Sequential::pairs);
    let (withdrawn, tested) = (course.withdrawals().len(), pairs(course));
    course.advance(&plan.tournament, index);
    for withdrawal in &course.withdrawals()[withdrawn..] {
        watch(Event::Withdrawn(withdrawal));
    }
    if let Some(test) = course.test().filter(|test| test.pairs() > tested) {
        watch(Event::Tested(test));
    }
}

impl WriterEvent {
    fn take_in(&self, so_far: &mut Snapshot, watch: &mut impl FnMut(Event<'_>)) {
        watch(match self {
            WriterEvent::Begins(begins) => Event::Begins(begins),
            WriterEvent::Written(JournalEntry::Game(game), offset) => {
                so_far.index.add(game, *offset);
                Event::Game(game)
            }
            WriterEvent::Written(JournalEntry::Void(void), _) => Event::Void(void),
            WriterEvent::StartFailure(why, patience) => Event::StartFailure(why, *patience),
            WriterEvent::Recovered => Event::Recovered,
            WriterEvent::Short(why) => Event::Short(why),
        });
    }
}
