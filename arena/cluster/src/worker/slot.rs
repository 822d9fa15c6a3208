//! A slot: takes one job after the other and plays it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tokio::time::{interval, sleep};

use super::super::messages::{self, Job, VERSION};
use super::super::{ClusterError, names};
use super::WorkerSession;
use fanorona_ratings::kind::Kind;
use fanorona_runner::{Missing, RunError};
use fanorona_tournament::pairing::openings::Opening;
use fanorona_tournament::record::GameRecord;
use tracing::debug;

/// The time for which one request waits for a job.
const EXPIRES: Duration = Duration::from_secs(2);

/// The pause after an error of the server.
const PAUSE: Duration = Duration::from_millis(500);

/// A job that cannot be played here goes to another worker after this time.
const ELSEWHERE: Duration = Duration::from_secs(5);

/// A pairing of a job.
pub(super) struct Part {
    pub(super) missing: Missing,
    pub(super) opening: Option<Opening>,
    /// The session's games that the coordinator knows.
    earlier: Vec<GameRecord>,
}

/// The way a job ended.
enum Done {
    /// Its games are delivered.
    Complete,
    /// This worker stopped before the end.
    Stopped,
}

impl WorkerSession {
    /// Plays jobs until the worker stops.
    ///
    /// # Errors
    /// Returns an error if games cannot be played on this machine any more.
    pub(super) async fn play_jobs(self: Arc<WorkerSession>) -> Result<(), ClusterError> {
        let mut consumer: Option<PullConsumer> = None;
        while !self.is_stopping.load(Ordering::Relaxed) {
            if self.play_for_comparison().await? {
                continue;
            }
            let found = match consumer.take() {
                Some(consumer) => consumer,
                None => match self.consumer().await {
                    Some(consumer) => consumer,
                    None => {
                        sleep(PAUSE).await;
                        continue;
                    }
                },
            };
            let batch = found.batch().max_messages(1).expires(EXPIRES).messages().await;
            let Ok(mut batch) = batch else {
                sleep(PAUSE).await;
                continue;
            };
            match batch.next().await {
                Some(Ok(message)) => self.play_message(Arc::new(message)).await?,
                // The consumer may be gone with the server's store: it is looked up again.
                Some(Err(_)) => {
                    sleep(PAUSE).await;
                    continue;
                }
                None => {}
            }
            consumer = Some(found);
        }
        Ok(())
    }

    async fn consumer(&self) -> Option<PullConsumer> {
        let name = names::job_consumer(&self.info.id, &self.info.digest);
        self.worker.context.get_consumer_from_stream(name, names::JOBS).await.ok()
    }

    /// Plays the job of a message and acknowledges it.
    async fn play_message(
        self: &Arc<WorkerSession>,
        message: Arc<Message>,
    ) -> Result<(), ClusterError> {
        let Ok((_, job)) = self.worker.open(&message.subject, &message.payload) else {
            // It keeps the place of the coordinator's own job, which is published again.
            self.note_unsigned(&message.subject);
            let _ = message.ack_with(AckKind::Term).await;
            return Ok(());
        };
        let parts = match messages::read(job).and_then(|job| self.read(job)) {
            Ok(parts) if !self.is_stopping.load(Ordering::Relaxed) => parts,
            Ok(_) => {
                let _ = message.ack_with(AckKind::Nak(None)).await;
                return Ok(());
            }
            Err(why) => {
                self.note(format!("a job is left to other workers: {why}"));
                let _ = message.ack_with(AckKind::Nak(Some(ELSEWHERE))).await;
                return Ok(());
            }
        };
        let key = parts[0].missing.pairing.id.0;
        // A job that was taken from this worker in its absence can come back to it.
        if !self.begin(key, message.clone()) {
            let _ = message.ack_with(AckKind::Nak(Some(ELSEWHERE))).await;
            return Ok(());
        }
        debug!(pairing = key, "job begins");
        let mut beats = interval(self.beat());
        let playing = self.play(parts);
        tokio::pin!(playing);
        let done = loop {
            tokio::select! {
                done = &mut playing => break done,
                _ = beats.tick() => {
                    let _ = message.ack_with(AckKind::Progress).await;
                }
            }
        };
        self.end(key);
        debug!(pairing = key, "job ends");
        match done {
            Ok(Done::Complete) => {
                // If it is lost the job comes again, and its games are in the spool.
                let _ = message.ack().await;
                Ok(())
            }
            Ok(Done::Stopped) => {
                let _ = message.ack_with(AckKind::Nak(None)).await;
                Ok(())
            }
            Err(why) => {
                let _ = message.ack_with(AckKind::Nak(None)).await;
                Err(why)
            }
        }
    }

    /// Reads a job for this worker.
    pub(super) fn read(&self, job: Job) -> Result<Vec<Part>, String> {
        if job.version != VERSION {
            return Err(format!("messages of version {}, not {VERSION}", job.version));
        }
        if job.config != self.info.checksum || job.digest != self.info.digest {
            return Err("another config or other engines".to_owned());
        }
        let engines = self.tournament().engines.len();
        let parts = job.pairings.into_iter().map(|pairing| {
            let (missing, opening) = pairing.read(engines)?;
            Some(Part { missing, opening, earlier: pairing.earlier })
        });
        let parts: Option<Vec<_>> = parts.collect();
        parts.filter(|parts| !parts.is_empty()).ok_or_else(|| "it is not valid".to_owned())
    }

    /// Plays the games of a job that are not in the spool, and delivers all of them.
    async fn play(self: &Arc<WorkerSession>, parts: Vec<Part>) -> Result<Done, ClusterError> {
        let mut together = Vec::new();
        for Part { mut missing, opening, earlier } in parts {
            let mut games = self.spooled(&mut missing, earlier).await?;
            let is_over = missing.pairing.kind != Kind::Session && !games.is_empty();
            if !is_over {
                let played = self.venue.play_pairing(missing, opening, self.sink.clone()).await?;
                games.extend(played.games);
                if !played.is_complete {
                    // The finished games of a session count, unless clocks bind them together.
                    if self.is_timeless {
                        self.deliver(games).await?;
                    }
                    return Ok(Done::Stopped);
                }
            }
            if self.is_timeless {
                self.deliver(games).await?;
            } else {
                together.extend(games);
            }
        }
        // Under clocks, games of one job count together or not at all.
        self.deliver(together).await?;
        Ok(Done::Complete)
    }

    /// The games of a pairing that this worker has played already, after those that the coordinator
    /// knows. Of a session that another worker began, the spool gets the earlier games first.
    async fn spooled(
        &self,
        missing: &mut Missing,
        earlier: Vec<GameRecord>,
    ) -> Result<Vec<GameRecord>, ClusterError> {
        let (own, known) = (self.spool.of(missing.pairing.id)?, earlier.len());
        let lacking: Vec<_> = earlier.into_iter().skip(own.len()).collect();
        if !lacking.is_empty() {
            self.spool.delivered(lacking.iter().map(|game| game.id));
            self.sink.keep(lacking).await.map_err(RunError::from)?;
            return Ok(Vec::new());
        }
        let games: Vec<_> = own.into_iter().skip(known).collect();
        if missing.pairing.kind == Kind::Session {
            missing.before.extend(games.iter().map(|game| game.result));
        }
        Ok(games)
    }
}
