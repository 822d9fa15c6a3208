//! Delivers finished games to the server. A game is delivered when the server has confirmed it.

use std::time::Duration;

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use tokio::time::sleep;

use super::super::messages::{self, Results, VERSION};
use super::super::{ClusterError, names, signature};
use super::WorkerSession;
use fanorona_tournament::record::{GameRecord, VoidRecord};

/// The first and the longest pause before another try.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

impl WorkerSession {
    /// Delivers games of one job together. Returns when the server has confirmed them, however long
    /// it is out of reach.
    pub(super) async fn deliver(&self, mut games: Vec<GameRecord>) -> Result<(), ClusterError> {
        self.send(&mut games).await?;
        self.spool.delivered(games.iter().map(|game| game.id));
        Ok(())
    }

    /// Sends games together until the server has confirmed them.
    pub(super) async fn send(&self, games: &mut [GameRecord]) -> Result<(), ClusterError> {
        let Some(first) = games.first().map(|game| game.id) else { return Ok(()) };
        let (mut pause, longest) = PAUSES;
        let game = first.to_string();
        let mut message = self.sealed(&game, self.results(games.to_vec(), None));
        loop {
            match self.publish(&game, &game, message.clone()).await {
                Ok(()) => return Ok(()),
                Err(PublishErrorKind::MaxPayloadExceeded) => {
                    if games.iter().all(|game| game.searches.is_empty()) {
                        return Err(ClusterError::Usage(format!(
                            "game {first} is larger than the server's max_payload of {} bytes: \
                             raise it in the server's config",
                            self.worker.client.max_payload()
                        )));
                    }
                    // The games count without what engines said about their searches.
                    for game in games.iter_mut() {
                        game.searches.clear();
                        game.notes.push("search reports were too large to send".to_owned());
                    }
                    message = self.sealed(&game, self.results(games.to_vec(), None));
                }
                Err(_) => {
                    sleep(pause).await;
                    pause = (pause * 2).min(longest);
                }
            }
        }
    }

    /// Tells the coordinator of an attempt that failed by a fault of this machine. This is for the
    /// user, so it is not repeated for long.
    pub(super) async fn deliver_void(&self, void: VoidRecord) {
        let game = void.id.to_string();
        let id = format!("{game}/void/{}", jiff::Timestamp::now().as_nanosecond());
        let message = self.sealed(&game, self.results(Vec::new(), Some(void)));
        for _ in 0..3 {
            if self.publish(&game, &id, message.clone()).await.is_ok() {
                return;
            }
            sleep(Duration::from_secs(1)).await;
        }
    }

    fn results(&self, games: Vec<GameRecord>, void: Option<VoidRecord>) -> Results {
        let (config, digest) = (self.info.checksum.clone(), self.info.digest.clone());
        Results { version: VERSION, config, digest, games, void }
    }

    /// Signs results.
    fn sealed(&self, game: &str, results: Results) -> Vec<u8> {
        let subject = names::result(&self.info.id, &self.worker.name, game);
        self.worker.seal.seal(&subject, self.session(), messages::write(&results))
    }

    /// Publishes a message and waits until the server has stored it. The server drops a message with
    /// the id of an earlier one from any client. Another client must therefore not be able to guess
    /// it: the id is the signature, or the name of the worker where there are no keys.
    async fn publish(
        &self,
        game: &str,
        id: &str,
        message: Vec<u8>,
    ) -> Result<(), PublishErrorKind> {
        let (tournament, worker) = (&self.info.id, &self.worker.name);
        let subject = names::result(tournament, worker, game);
        let id = match signature::signature_of(&message) {
            Some(signature) => signature.to_owned(),
            None => format!("{tournament}/{id}/{worker}"),
        };
        let message = PublishMessage::build().payload(message.into()).message_id(id);
        let sent = self.worker.context.send_publish(subject, message).await;
        let sent = sent.map_err(|why| why.kind())?;
        sent.await.map(drop).map_err(|why| why.kind())
    }
}
