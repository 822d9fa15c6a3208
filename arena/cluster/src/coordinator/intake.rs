//! Takes results from the server: reads them, replays them by the rules, and passes each to the job
//! that waits for it.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::Message;
use futures_util::StreamExt;

use super::super::messages::{self, Results, VERSION};
use super::super::{names, store, verify};
use super::open_jobs::Delivery;
use super::{Shared, lock};
use fanorona_tournament::text::safe_text;
use tracing::debug;

/// The most results that are replayed at once.
const GROUP: usize = 256;

impl Shared {
    /// Takes results from the server as long as the tournament runs.
    pub(super) async fn take_in_results(self: Arc<Shared>) {
        loop {
            if let Ok(consumer) = store::result_consumer(&self.context, &self.id).await {
                let stream =
                    consumer.stream().max_messages_per_batch(2 * GROUP).heartbeat(HEARTBEAT);
                if let Ok(messages) = stream.messages().await {
                    let mut groups = messages.ready_chunks(GROUP);
                    while let Some(group) = groups.next().await {
                        let broken = group.iter().any(Result::is_err);
                        self.take_in(group.into_iter().flatten().collect()).await;
                        // For example if the server has lost its store.
                        if broken {
                            break;
                        }
                    }
                }
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }

    /// Replays a group of results on another thread, then passes them on.
    async fn take_in(self: &Arc<Shared>, group: Vec<Message>) {
        let shared = self.clone();
        let replay = move || {
            let read = |message: Message| {
                let worker = names::worker_of_result(&message.subject).unwrap_or_default();
                let results = shared.read(worker, &message);
                (worker.to_owned(), message, results)
            };
            group.into_iter().map(read).collect::<Vec<_>>()
        };
        let replayed = tokio::task::spawn_blocking(replay).await;
        for (worker, message, results) in replayed.expect("replaying does not panic") {
            match results {
                _ if lock(&self.workers).is_refused(&worker) => {
                    let _ = message.ack().await;
                }
                Ok(results) => self.pass_on(Delivery { worker, results, message }).await,
                Err(Unusable::Dropped) => {
                    let _ = message.ack().await;
                }
                Err(Unusable::Other(why)) => {
                    self.note(format!("results from {worker} are not used: {why}"));
                    let _ = message.ack().await;
                }
                Err(Unusable::Wrong(why)) => {
                    let _ = message.ack().await;
                    self.refuse(&worker, &why).await;
                }
            }
        }
    }

    /// Reads results and replays their games by the rules.
    fn read(&self, worker: &str, message: &Message) -> Result<Results, Unusable> {
        let content = self.open(worker, &message.subject, &message.payload);
        let results = messages::read::<Results>(content.ok_or(Unusable::Dropped)?);
        let results = results.map_err(|why| {
            self.drop_message(worker, &message.subject, &why);
            Unusable::Dropped
        })?;
        if results.version != VERSION {
            let why = format!("messages of version {}, not {VERSION}", results.version);
            return Err(Unusable::Other(why));
        }
        if results.config != self.checksum || results.digest != self.digest {
            let why = "they were played with another config or other engines".to_owned();
            return Err(Unusable::Other(why));
        }
        debug!(worker, games = results.games.len(), "results arrive");
        for game in &results.games {
            verify::by_the_rules(&self.plan.tournament, game).map_err(Unusable::Wrong)?;
        }
        Ok(results)
    }

    /// Passes results to the job that waits for them.
    async fn pass_on(&self, mut delivery: Delivery) {
        let of_void = delivery.results.void.as_ref().map(|void| void.id);
        let first = delivery.results.games.first().map(|game| game.id);
        let Some(pairing) = first.or(of_void).map(|id| id.pairing) else {
            return delivery.acknowledge().await;
        };
        {
            let routes = lock(&self.routes);
            if let Some(job) = routes.open.get(&pairing) {
                match job.send(delivery) {
                    Ok(()) => return,
                    // The job has ended at this moment.
                    Err(unsent) => delivery = unsent.0,
                }
            }
        }
        let Delivery { worker, results, .. } = &delivery;
        let unknown = results.games.iter().filter(|game| !self.is_known(game, worker)).count();
        if unknown == 0 {
            return delivery.acknowledge().await;
        }
        lock(&self.routes).early.insert(pairing, delivery);
    }

    /// Takes no more games from a worker that has sent a wrong one, and tells it so.
    pub(super) async fn refuse(&self, worker: &str, why: &str) {
        let why = safe_text::line(why).into_owned();
        if !lock(&self.workers).refuse(worker) {
            return;
        }
        self.warn(format!(
            "worker {worker} sent a game that cannot be right and is refused from now on: {why}"
        ));
        lock(&self.info).refused.push((worker.to_owned(), why));
        if let Ok(bucket) = self.context.get_key_value(names::TOURNAMENT).await {
            // Otherwise the renewal of the lease tries again.
            let _ = self.set_up(&bucket).await;
        }
        self.publish_again(None).await;
    }
}

/// The interval at which the server shows that it is there while there are no results.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Why results cannot be used.
enum Unusable {
    /// Their worker has not signed them, or they cannot be read.
    Dropped,
    /// They belong to another tournament or version.
    Other(String),
    /// They contradict the rules.
    Wrong(String),
}
