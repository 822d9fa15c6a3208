//! A worker in one tournament: its slots, its signs of life, and what ends it.

use fanorona_tournament::mutex::lock;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::super::messages::{self, Control, Hello, Job, TournamentInfo};
use super::super::signature::Repetitions;
use super::super::{ClusterError, names, verify};
use super::{BEAT, Spool, Worker};
use fanorona_engine::stall;
use fanorona_runner::{Event, GameSink, LocalVenue, Plan, Pool, Venue};
use fanorona_tournament::config::Tournament;
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::record::Journal;

/// The interval in which the worker looks whether the tournament still runs.
const LOOK: Duration = Duration::from_secs(2);

/// The timeout for the last messages of a worker.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// The way a worker's part in a tournament ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The tournament is over or paused, or its coordinator is silent while that of another one is
    /// there.
    Over,
    /// The worker was asked to stop.
    Stopped,
    /// The coordinator rejects its games, for this reason.
    Refused(String),
}

/// A request to a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    /// Play on.
    Play,
    /// Finish the games in progress, then stop.
    Finish,
    /// Stop at once.
    Stop,
}

/// A game to play again.
pub(super) enum ReplayState {
    /// It waits for a free slot: the only part of this job.
    Waits(Job),
    /// It is being played.
    Plays,
}

/// A worker in one tournament.
pub struct WorkerSession {
    pub(super) worker: Worker,
    pub(super) info: TournamentInfo,
    pub(super) plan: Arc<Plan>,
    pub(super) venue: LocalVenue,
    pub(super) sink: GameSink,
    pub(super) spool: Spool,
    pub(super) is_timeless: bool,
    /// The session of the coordinator, as far as this worker knows.
    pub(super) session: AtomicU64,
    /// Whether a message that the coordinator has not signed has been noted.
    is_noted: AtomicBool,
    /// Whether no further job begins.
    pub(super) is_stopping: AtomicBool,
    /// Until when the moves of games in progress are published.
    pub(super) live_until: Mutex<Option<Instant>>,
    /// The jobs in progress.
    playing: Mutex<BTreeMap<u64, Arc<Message>>>,
    /// The games to play again for comparison, and whether a slot plays them already.
    pub(super) again: Mutex<BTreeMap<GameId, ReplayState>>,
    ack_wait: Duration,
    notes: mpsc::UnboundedSender<String>,
}

impl WorkerSession {
    /// Plays a tournament until it is over or `requests` asks to stop. Messages for the user go to
    /// `notes`.
    ///
    /// # Errors
    /// Returns an error if games cannot be played or written here, or the server is silent for too
    /// long. All finished games are in the spool.
    pub async fn run(
        worker: Worker,
        info: TournamentInfo,
        plan: Arc<Plan>,
        pool: Arc<Pool>,
        spool: (Spool, Journal),
        mut requests: watch::Receiver<Request>,
        notes: mpsc::UnboundedSender<String>,
    ) -> Result<End, ClusterError> {
        let (spool, journal) = spool;
        let (sink, events) = GameSink::start(&plan.tournament, journal)?;
        let ack_wait = worker.ack_wait(&info).await;
        let serving = Arc::new(WorkerSession {
            is_timeless: verify::is_timeless(&plan.tournament),
            session: AtomicU64::new(info.session),
            is_noted: AtomicBool::new(false),
            venue: LocalVenue::new(plan.clone(), pool),
            sink,
            worker,
            info,
            plan,
            spool,
            is_stopping: AtomicBool::new(false),
            live_until: Mutex::default(),
            playing: Mutex::default(),
            again: Mutex::default(),
            ack_wait,
            notes,
        });
        let mut aides = JoinSet::new();
        aides.spawn(serving.clone().observe(events));
        aides.spawn(serving.clone().tick());
        aides.spawn(serving.clone().say_hello());
        aides.spawn(serving.clone().publish_live());
        let (told, mut orders) = mpsc::unbounded_channel();
        aides.spawn(serving.clone().listen(told));
        aides.spawn(serving.clone().listen_for_comparisons());
        let mut slots = JoinSet::new();
        slots.spawn(serving.clone().deliver_spool());
        for _ in 0..serving.worker.slots {
            slots.spawn(serving.clone().play_jobs());
        }
        let watching = serving.clone().watch();
        tokio::pin!(watching);
        let mut end = End::Over;
        let ended = loop {
            tokio::select! {
                biased;
                // A lost sender is a request to stop.
                changed = requests.changed() => match *requests.borrow_and_update() {
                    Request::Play if changed.is_ok() => {}
                    Request::Finish if changed.is_ok() => {
                        end = End::Stopped;
                        serving.finish();
                    }
                    _ => break Ok(End::Stopped),
                },
                Some(order) = orders.recv() => match order {
                    Control::Stop => break Ok(End::Over),
                    Control::Finish => serving.finish(),
                    Control::Live => serving.show(),
                },
                watched = &mut watching => break watched,
                slot = slots.join_next() => match slot {
                    Some(Ok(Ok(()))) => {}
                    Some(Ok(Err(why))) => break Err(why),
                    Some(Err(why)) => std::panic::resume_unwind(why.into_panic()),
                    None => break Ok(end.clone()),
                }
            }
        };
        slots.shutdown().await;
        let last_words = serving.take_leave();
        // Without the server, others get the jobs when it has missed this worker for long enough.
        let _ = tokio::time::timeout(LAST_WORDS, last_words).await;
        aides.shutdown().await;
        serving.sink.hurry();
        ended
    }

    /// Tells the others that this worker plays no more.
    async fn take_leave(&self) {
        // Others get the jobs in progress at once.
        let unfinished = std::mem::take(&mut *lock(&self.playing));
        for message in unfinished.into_values() {
            let _ = message.ack_with(AckKind::Nak(None)).await;
        }
        self.is_stopping.store(true, Ordering::Relaxed);
        self.greet().await;
        let _ = self.worker.client.flush().await;
    }

    pub(super) fn tournament(&self) -> &Tournament {
        &self.plan.tournament
    }

    pub(super) fn note(&self, text: impl Into<String>) {
        // At the end nobody listens any more.
        let _ = self.notes.send(text.into());
    }

    /// Takes no further job; games in progress continue.
    fn finish(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        self.venue.finish();
    }

    /// Begins a job; returns `false` if it is in progress here already.
    pub(super) fn begin(&self, key: u64, message: Arc<Message>) -> bool {
        let mut playing = lock(&self.playing);
        let is_new = !playing.contains_key(&key);
        if is_new {
            playing.insert(key, message);
        }
        is_new
    }

    /// Ends a job.
    pub(super) fn end(&self, key: u64) {
        lock(&self.playing).remove(&key);
    }

    /// The interval in which the server hears that a job is in progress.
    pub(super) fn beat(&self) -> Duration {
        self.ack_wait / 3
    }

    /// Delivers the games that an earlier process of this worker has left in the spool.
    async fn deliver_spool(self: Arc<WorkerSession>) -> Result<(), ClusterError> {
        // Under clocks a pair counts as a whole, so its job must come here again.
        if self.is_timeless {
            let games = self.spool.undelivered()?;
            if !games.is_empty() {
                self.note(format!("delivering {} games from the spool", games.len()));
            }
            for game in games {
                self.deliver(vec![game]).await?;
            }
        }
        Ok(())
    }

    /// Notes what happens to the games.
    async fn observe(self: Arc<WorkerSession>, mut events: mpsc::UnboundedReceiver<Event>) {
        // It ends with this function, and with it the last use of the spool.
        let mut reports = JoinSet::new();
        while let Some(event) = events.recv().await {
            match event {
                Event::Game(game, offset) => self.spool.add(&game, offset),
                Event::Void(void) => {
                    self.note(format!("game {} is void and played again: {}", void.id, void.why));
                    let this = self.clone();
                    reports.spawn(async move { this.deliver_void(void).await });
                }
                Event::StorageFailing(why, patience) => self.note(format!(
                    "{why}; free some disk space: retries continue for {} s",
                    patience.as_secs()
                )),
                Event::StorageRecovered => self.note("finished games can be written again"),
                Event::Short(why) => self.note(format!(
                    "this machine lacks a resource that engines need to start ({why}); games wait"
                )),
                _ => {}
            }
        }
    }

    /// Watches for stalls of this machine, which are not charged to engines.
    async fn tick(self: Arc<WorkerSession>) {
        let mut pulse = interval(stall::TICK);
        pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            pulse.tick().await;
            self.venue.stalls().inspect(|stalls| stalls.tick());
        }
    }

    /// Publishes signs of life.
    async fn say_hello(self: Arc<WorkerSession>) {
        let mut beats = interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            beats.tick().await;
            self.greet().await;
        }
    }

    async fn greet(&self) {
        let mut playing: Vec<u64> = lock(&self.playing).keys().copied().collect();
        playing.extend(lock(&self.again).keys().map(|game| game.pairing.0));
        let hello = Hello {
            playing,
            leaving: self.is_stopping.load(Ordering::Relaxed),
            time_factor: self.plan.time_factor,
            undelivered: self.spool.undelivered_count(),
            ..self.worker.hello(&self.info.id)
        };
        self.worker.greet(&hello, self.session()).await;
    }

    /// The session of the coordinator, as far as this worker knows.
    pub(super) fn session(&self) -> u64 {
        self.session.load(Ordering::Relaxed)
    }

    /// Notes once that somebody speaks in the name of the coordinator.
    pub(super) fn note_unsigned(&self, subject: &str) {
        if !self.is_noted.swap(true, Ordering::Relaxed) {
            self.note(format!(
                "a message on {subject} is dropped: the coordinator of these credentials has not \
                 signed it (noted once)"
            ));
        }
    }

    /// Listens to the coordinator.
    async fn listen(self: Arc<WorkerSession>, orders: mpsc::UnboundedSender<Control>) {
        let repetitions = Repetitions::default();
        loop {
            let subject = names::control(&self.info.id);
            if let Ok(mut messages) = self.worker.client.subscribe(subject.clone()).await {
                while let Some(message) = messages.next().await {
                    let Ok((stamp, order)) = self.worker.open(&subject, &message.payload) else {
                        self.note_unsigned(&subject);
                        continue;
                    };
                    let is_new = repetitions.is_new("coordinator", self.session(), stamp);
                    if let Ok(order) = messages::read(order)
                        && is_new
                    {
                        let _ = orders.send(order);
                    }
                }
            }
            sleep(Duration::from_secs(1)).await;
        }
    }

    /// Listens to the coordinator's requests to play games again.
    async fn listen_for_comparisons(self: Arc<WorkerSession>) {
        let repetitions = Repetitions::default();
        let subject = names::again(&self.info.id, &self.worker.name);
        loop {
            if let Ok(mut messages) = self.worker.client.subscribe(subject.clone()).await {
                while let Some(message) = messages.next().await {
                    let Ok((stamp, job)) = self.worker.open(&subject, &message.payload) else {
                        self.note_unsigned(&subject);
                        continue;
                    };
                    if repetitions.is_new("coordinator", self.session(), stamp) {
                        self.put_off(job);
                    }
                }
            }
            sleep(Duration::from_secs(1)).await;
        }
    }

    /// Looks whether the tournament still runs with these engines and this worker. Messages of the
    /// coordinator may be missed, the bucket is always there.
    async fn watch(self: Arc<WorkerSession>) -> Result<End, ClusterError> {
        let mut answered = Instant::now();
        let mut is_silent = false;
        let mut missing = 0;
        loop {
            sleep(LOOK).await;
            let mut others = Vec::new();
            let found = match self.worker.running().await {
                Ok(running) => match self.worker.info(&self.info.id).await {
                    Ok(info) => {
                        let is_running = running.contains(&self.info.id);
                        others = running;
                        Ok(info.filter(|_| is_running))
                    }
                    // The bucket may have vanished with the server's store.
                    Err(_) if running.is_empty() => Ok(None),
                    Err(why) => Err(why),
                },
                Err(why) => Err(why),
            };
            let info = match found {
                Ok(info) => {
                    answered = Instant::now();
                    if std::mem::take(&mut is_silent) {
                        self.note("the NATS server answers again");
                    }
                    info
                }
                // Until the coordinator has written it again, nothing is known.
                Err(ClusterError::Unsigned { what }) => {
                    answered = Instant::now();
                    self.note_unsigned(&names::entry(&what));
                    continue;
                }
                Err(why) => {
                    let silence = answered.elapsed();
                    if silence >= self.worker.patience {
                        return Err(ClusterError::Silent(silence.as_secs()));
                    }
                    if !std::mem::replace(&mut is_silent, true) {
                        let patience = self.worker.patience.as_secs();
                        self.note(format!("{why}; waiting for the server for {patience} s"));
                    }
                    continue;
                }
            };
            match info {
                // After a loss of the store the coordinator needs a moment to set it up again.
                None if missing < 5 => missing += 1,
                None => return Ok(End::Over),
                Some(info) => {
                    missing = 0;
                    self.session.store(info.session, Ordering::Relaxed);
                    let own = |(name, why): &(String, String)| {
                        (*name == self.worker.name).then(|| why.clone())
                    };
                    if let Some(why) = info.refused.iter().find_map(own) {
                        return Ok(End::Refused(why));
                    }
                    if info.checksum != self.info.checksum || info.digest != self.info.digest {
                        return Ok(End::Over);
                    }
                    let is_idle = lock(&self.playing).is_empty() && lock(&self.again).is_empty();
                    if is_idle
                        && !self.worker.with_coordinators(others).await.contains(&self.info.id)
                    {
                        let id = &self.info.id;
                        self.note(format!(
                            "the coordinator of {id} is silent, another one is there"
                        ));
                        return Ok(End::Over);
                    }
                }
            }
        }
    }
}

impl Worker {
    /// The time after which a silent worker loses its job.
    async fn ack_wait(&self, info: &TournamentInfo) -> Duration {
        let name = names::job_consumer(&info.id, &info.digest);
        let consumer: Result<async_nats::jetstream::consumer::PullConsumer, _> =
            self.context.get_consumer_from_stream(name, names::JOBS).await;
        let wait = consumer.map_or(Duration::ZERO, |it| it.cached_info().config.ack_wait);
        if wait.is_zero() { Duration::from_secs(30) } else { wait }
    }
}
