//! A worker: takes jobs from the server, plays them as `arena run` would, and sends the games.
//!
//! Every finished game is written to a spool first, an ordinary results directory on this machine. A
//! game counts as delivered when the server has confirmed it. If the server is out of reach, the
//! worker finishes its games and delivers them later; `arena merge` reads the spool of a worker that
//! never comes back.

mod again;
mod deliver;
mod fetch;
mod live;
mod serve;
mod slot;
mod spool;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::{self, Context, ErrorCode};
use nkeys::KeyPair;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, sleep};

use super::access::{Credentials, with_source};
use super::messages::{self, Hello, TournamentInfo, VERSION};
use super::signature::{self, Flaw, Seal, Stamp};
use super::{ClusterError, SILENCE, names};
use fanorona_tournament::machine::runs::Computer;

pub use fetch::Shipped;
pub use serve::{End, Request, WorkerSession};
pub use spool::Spool;

/// The interval of signs of life.
const BEAT: Duration = Duration::from_secs(2);

/// A worker that is connected to the server.
#[derive(Clone)]
pub struct Worker {
    client: Client,
    context: Context,
    name: String,
    slots: usize,
    patience: Duration,
    /// Signs what this worker sends.
    seal: Arc<Seal>,
    /// The public key of the coordinator; `None` if every coordinator is believed.
    coordinator: Option<KeyPair>,
}

impl Worker {
    /// A worker with this many slots. It ends when the server is silent for longer than `patience`.
    /// With credentials it signs its messages, and obeys only the coordinator that they name.
    pub fn new(
        client: Client,
        name: String,
        slots: usize,
        patience: Duration,
        credentials: Option<&Credentials>,
    ) -> Worker {
        let context = jetstream::new(client.clone());
        let seal = Arc::new(Seal::new(credentials.map(|own| own.key.clone())));
        let coordinator = credentials.and_then(|own| own.coordinator.clone());
        Worker { context, client, name, slots, patience, seal, coordinator }
    }

    /// The number of jobs it plays at once.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Waits for a tournament that runs and is not among `done`. Returns `None` if `may_wait` is
    /// false and there is none. Messages for the user go to `note`.
    ///
    /// # Errors
    /// Returns an error if the server is silent for too long.
    pub async fn next_tournament(
        &self,
        done: &BTreeSet<String>,
        may_wait: bool,
        note: impl Fn(String),
    ) -> Result<Option<TournamentInfo>, ClusterError> {
        let mut answered = Instant::now();
        let mut is_noted = false;
        let mut complain = |why: ClusterError| {
            if !std::mem::replace(&mut is_noted, true) {
                note(format!("{why}; waiting for one that is"));
            }
        };
        loop {
            match self.running().await {
                Ok(ids) => {
                    answered = Instant::now();
                    let ids = self.with_coordinators(ids).await;
                    for id in ids.iter().filter(|id| !done.contains(*id)) {
                        match self.info(id).await {
                            Ok(Some(info)) => return Ok(Some(info)),
                            Err(why @ ClusterError::Unsigned { .. }) => complain(why),
                            _ => {}
                        }
                    }
                    if !may_wait {
                        return Ok(None);
                    }
                }
                Err(why @ ClusterError::Unsigned { .. }) => {
                    if !may_wait {
                        return Ok(None);
                    }
                    answered = Instant::now();
                    complain(why);
                }
                Err(why) if answered.elapsed() >= self.patience => return Err(why),
                Err(_) => {}
            }
            sleep(Duration::from_secs(1)).await;
        }
    }

    /// The ids of the running tournaments.
    async fn running(&self) -> Result<Vec<String>, ClusterError> {
        let failed = |why: String| ClusterError::server("list the running tournaments", why);
        // The coordinator of the first tournament creates the bucket. A server that does not answer
        // is something else.
        match self.context.get_stream(format!("KV_{}", names::TOURNAMENT)).await {
            Ok(_) => {}
            Err(why) => match why.kind() {
                GetStreamErrorKind::JetStream(why)
                    if why.error_code() == ErrorCode::STREAM_NOT_FOUND =>
                {
                    return Ok(Vec::new());
                }
                _ => return Err(failed(with_source(&why))),
            },
        }
        let bucket = self.context.get_key_value(names::TOURNAMENT).await;
        let bucket = bucket.map_err(|why| failed(with_source(&why)))?;
        let value = bucket.get(names::RUNNING).await.map_err(|why| failed(why.to_string()))?;
        value.map_or(Ok(Vec::new()), |value| self.read_entry(names::RUNNING, &value))
    }

    /// Selects the tournaments whose coordinators are alive among some running ones. A coordinator
    /// that was killed, or that ended while the server was away, leaves its tournament in the list;
    /// its lease is older than that of a living one. If all are as old, all are returned.
    async fn with_coordinators(&self, ids: Vec<String>) -> Vec<String> {
        if ids.len() < 2 {
            return ids;
        }
        let Ok(bucket) = self.context.get_key_value(names::TOURNAMENT).await else { return ids };
        let mut leases = Vec::new();
        for id in ids {
            let lease = bucket.entry(names::lease(&id)).await;
            // The server's clock, which is the same for all.
            let renewed = lease.ok().flatten().map(|entry| entry.created.unix_timestamp_nanos());
            leases.push((id, renewed));
        }
        let newest = leases.iter().filter_map(|(_, renewed)| *renewed).max();
        let silence = SILENCE.as_nanos().cast_signed();
        let is_alive = |renewed: Option<i128>| match (renewed, newest) {
            (Some(renewed), Some(newest)) => newest - renewed < silence,
            (None, newest) => newest.is_none(),
            (Some(_), None) => true,
        };
        leases.retain(|(_, renewed)| is_alive(*renewed));
        leases.into_iter().map(|(id, _)| id).collect()
    }

    /// Reads an entry of the bucket that the coordinator has signed.
    fn read_entry<T: DeserializeOwned>(&self, key: &str, value: &[u8]) -> Result<T, ClusterError> {
        let unsigned = |_| ClusterError::Unsigned { what: key.to_owned() };
        let (_, content) = self.open(&names::entry(key), value).map_err(unsigned)?;
        messages::read(content).map_err(|why| ClusterError::server(format!("read {key}"), why))
    }

    /// The content of a message, if the coordinator has signed it.
    fn open<'m>(
        &self,
        subject: &str,
        message: &'m [u8],
    ) -> Result<(Option<Stamp>, &'m [u8]), Flaw> {
        signature::open(self.coordinator.as_ref(), subject, message)
    }

    /// Reads the info with which a tournament is played.
    async fn info(&self, id: &str) -> Result<Option<TournamentInfo>, ClusterError> {
        let failed = |why: String| ClusterError::server("read the tournament", why);
        let bucket = self.context.get_key_value(names::TOURNAMENT).await;
        let bucket = bucket.map_err(|why| failed(why.to_string()))?;
        let value = bucket.get(names::info(id)).await.map_err(|why| failed(why.to_string()))?;
        value.map(|value| self.read_entry(&names::info(id), &value)).transpose()
    }

    /// Tells the coordinator why this worker does not play its tournament.
    pub async fn decline(&self, info: &TournamentInfo, reasons: &[String]) {
        let hello = Hello { refused: reasons.to_vec(), ..self.hello(&info.id) };
        // The coordinator may be about to start listening.
        for pause in [0, 300, 700] {
            sleep(Duration::from_millis(pause)).await;
            self.greet(&hello, info.session).await;
            let _ = self.client.flush().await;
        }
    }

    /// Publishes a sign of life in a session of the coordinator.
    async fn greet(&self, hello: &Hello, session: u64) {
        let subject = names::hello(&self.name);
        let message = self.seal.seal(&subject, session, messages::write(hello));
        // The next one follows soon.
        let _ = self.client.publish(subject, message.into()).await;
    }

    fn hello(&self, tournament: &str) -> Hello {
        Hello {
            version: VERSION,
            tournament: tournament.to_owned(),
            computer: Computer::this().in_words(),
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            instance: self.seal.instance(),
            slots: self.slots,
            playing: Vec::new(),
            leaving: false,
            refused: Vec::new(),
            time_factor: None,
            undelivered: 0,
        }
    }
}
