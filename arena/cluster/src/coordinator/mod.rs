//! The coordinator: publishes the jobs of a tournament and takes in the games that workers send.
//!
//! It implements [`Venue`], so the main loop of the runner makes all decisions and its journal
//! writer writes all games, as in a tournament on one machine.

mod course;
mod duplicates;
mod heartbeats;
mod intake;
mod job;
mod lease;
mod lease_renewal;
mod live;
mod open_jobs;
mod post;
mod second_opinion;
mod senders;
mod ship;
mod workers;

use fanorona_tournament::mutex::lock;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::{self, Context, kv};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::access::Credentials;
use super::engine_set::EngineSet;
use super::messages::{self, Control, TournamentInfo, VERSION};
use super::signature::{self, Seal};
use super::tournament_id::{self, TournamentId};
use super::{ClusterError, aside, names, store, verify};
use fanorona_engine::stall::StallMonitor;
use fanorona_runner::{Finish, GameSink, JobFuture, Missing, Plan, Venue};
use fanorona_tournament::pairing::ids::{GameId, PairingId};
use fanorona_tournament::record::{Index, effective_config};

use lease::Lease;
use open_jobs::{Published, ReplayRequest, Routes};
use senders::Senders;
use workers::Workers;

/// The settings by which a tournament is coordinated.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A worker that is silent for this long loses its job to another.
    pub redeliver: Duration,
    /// The time the server may be silent before the tournament stops.
    pub patience: Duration,
    /// Whether workers get the engines' files from the server.
    pub ship: bool,
    /// The speed that time limits are meant for, if there are any.
    pub reference_speed: Option<f64>,
    /// The coordinator's own key and those of the workers; without them everyone is believed.
    pub credentials: Option<Credentials>,
    /// The share of all games that another worker plays again, under limits by nodes or depth.
    pub recheck: f64,
}

/// The timeout for the requests at the end of a tournament.
const LAST_REQUESTS: Duration = Duration::from_secs(10);

/// A message for the user.
#[derive(Debug)]
pub enum Note {
    /// Something happened.
    Event(String),
    /// Something is wrong.
    Warning(String),
    /// The server is lost.
    Lost {
        /// The evidence of it.
        why: String,
        /// The time that the coordinator waits for it.
        patience: Duration,
    },
    /// The server is back, after this time.
    Back(Duration),
    /// The tournament cannot continue.
    Fatal(ClusterError),
}

/// The coordinator of one tournament.
pub struct Coordinator {
    shared: Arc<Shared>,
    tasks: Mutex<JoinSet<()>>,
}

/// The state that the coordinator's tasks share.
struct Shared {
    client: Client,
    context: Context,
    plan: Arc<Plan>,
    dir: PathBuf,
    /// The tournament on the server.
    id: String,
    /// The same, with its secret.
    tournament: TournamentId,
    /// The digest of the engines.
    digest: String,
    /// The checksum of the config.
    checksum: String,
    /// Whether equal seeds give equal games.
    is_timeless: bool,
    settings: Settings,
    epoch: u64,
    /// Signs what this coordinator sends.
    seal: Arc<Seal>,
    /// Checks who has sent what arrives.
    senders: Senders,
    info: Mutex<TournamentInfo>,
    workers: Mutex<Workers>,
    routes: Mutex<Routes>,
    published: Mutex<HashMap<PairingId, Published>>,
    /// The games that other workers are asked to play again.
    asked: Mutex<HashMap<GameId, ReplayRequest>>,
    /// The games in the journal, with the offsets of their lines.
    known: Mutex<HashMap<GameId, u64>>,
    notes: mpsc::UnboundedSender<Note>,
    is_finishing: AtomicBool,
    /// The games that differed from their first copies.
    alarms: AtomicU32,
    /// The games that two workers have played.
    compared: Mutex<HashSet<GameId>>,
    /// Since when the server is lost.
    lost: Mutex<Option<tokio::time::Instant>>,
}

impl Coordinator {
    /// Takes over a tournament on the server: sets up streams and consumers, claims the lease, and
    /// tells workers what to play. `index` holds the games that are in the journal already. Messages
    /// for the user arrive at the returned receiver.
    ///
    /// # Errors
    /// Returns an error if the server fails or another coordinator runs the tournament.
    pub async fn begin(
        client: Client,
        plan: Arc<Plan>,
        dir: &Path,
        index: &Index,
        broken: Vec<(String, String)>,
        settings: Settings,
        openings: Option<String>,
    ) -> Result<(Coordinator, mpsc::UnboundedReceiver<Note>), ClusterError> {
        let context = jetstream::new(client.clone());
        let bucket = store::set_up(&context).await?;
        let tournament = tournament_id::of_directory(dir, &plan.tournament.name)?;
        let id = tournament.tournament.clone();
        let engines = {
            let plan = plan.clone();
            aside(move || EngineSet::new(&plan)).await
        };
        let engines = engines.map_err(|why| ClusterError::Usage(why.join("\n")))?;
        let digest = engines.digest();
        if settings.ship {
            ship::ship(&context, &engines).await?;
        }
        let key = settings.credentials.as_ref().map(|own| own.key.clone());
        let seal = Arc::new(Seal::new(key));
        let lease = Lease::claim(&bucket, &id, dir, seal.clone()).await?;
        let checksum = effective_config::checksum(&plan.tournament);
        let info = TournamentInfo {
            version: VERSION,
            id: id.clone(),
            session: seal.instance(),
            config: plan.tournament.to_toml(&plan.tournament.base),
            checksum: checksum.clone(),
            base: plan.tournament.base.clone(),
            openings,
            broken,
            engines,
            digest: digest.clone(),
            shipped: settings.ship,
            reference_speed: settings.reference_speed,
            refused: Vec::new(),
        };
        let (notes, noted) = mpsc::unbounded_channel();
        let known = index.games().iter().map(|game| (game.id(), game.offset)).collect();
        let shared = Arc::new(Shared {
            client,
            context,
            is_timeless: verify::is_timeless(&plan.tournament),
            plan,
            dir: dir.to_owned(),
            id,
            tournament,
            digest,
            checksum,
            senders: Senders::new(settings.credentials.as_ref().map(|own| own.workers.clone())),
            seal,
            settings,
            epoch: lease.epoch(),
            info: Mutex::new(info),
            workers: Mutex::default(),
            routes: Mutex::default(),
            published: Mutex::default(),
            asked: Mutex::default(),
            known: Mutex::new(known),
            notes,
            is_finishing: AtomicBool::new(false),
            alarms: AtomicU32::new(0),
            compared: Mutex::default(),
            lost: Mutex::default(),
        });
        shared.set_up(&bucket).await?;
        shared.note(format!("tournament {id}: no worker has joined yet", id = shared.id));
        let mut tasks = JoinSet::new();
        tasks.spawn(shared.clone().listen_to_workers());
        tasks.spawn(shared.clone().take_in_results());
        tasks.spawn(shared.clone().show_live());
        tasks.spawn(shared.clone().renew_until_end(lease));
        tasks.spawn(shared.clone().watch_connection());
        Ok((Coordinator { shared, tasks: Mutex::new(tasks) }, noted))
    }

    /// The tournament's id on the server.
    pub fn id(&self) -> &str {
        &self.shared.id
    }

    /// Ends the work on the server: no job is left, and workers stop. Results that have not been
    /// received stay for a resume, unless the tournament is complete.
    pub async fn end(&self, finish: Option<Finish>) {
        // Without the server there is nothing to tidy up; workers notice the silence themselves.
        let _ = tokio::time::timeout(LAST_REQUESTS, self.tidy_up(finish)).await;
    }

    async fn tidy_up(&self, finish: Option<Finish>) {
        let mut tasks = std::mem::take(&mut *lock(&self.tasks));
        tasks.shutdown().await;
        let shared = &self.shared;
        let all = names::all_jobs(&shared.id);
        store::purge(&shared.context, names::JOBS, &all).await;
        shared.control(Control::Stop).await;
        if let Ok(bucket) = shared.context.get_key_value(names::TOURNAMENT).await {
            // If the server fails now, workers wait for a coordinator that does not come, until that
            // of another tournament is there.
            let _ = shared.running(&bucket, |ids| ids.retain(|id| *id != shared.id)).await;
            let _ = bucket.purge(names::lease(&shared.id)).await;
            if finish == Some(Finish::Complete) {
                let _ = bucket.purge(names::info(&shared.id)).await;
            }
        }
        let consumer = names::job_consumer(&shared.id, &shared.digest);
        let _ = shared.context.delete_consumer_from_stream(consumer, names::JOBS).await;
        if finish == Some(Finish::Complete) {
            let consumer = names::result_consumer(&shared.id);
            let _ = shared.context.delete_consumer_from_stream(consumer, names::RESULTS).await;
            let all = names::all_results(&shared.id);
            store::purge(&shared.context, names::RESULTS, &all).await;
        }
        let _ = shared.client.flush().await;
    }
}

impl Venue for Coordinator {
    fn room(&self) -> usize {
        lock(&self.shared.workers).room()
    }

    fn takes_pairs(&self) -> bool {
        true
    }

    fn play(&self, job: Vec<Missing>, sink: GameSink) -> JobFuture {
        Box::pin(self.shared.clone().play_job(job, sink))
    }

    fn stalls(&self) -> Option<&StallMonitor> {
        None
    }

    fn finish(&self) {
        self.shared.is_finishing.store(true, Ordering::Relaxed);
        let shared = self.shared.clone();
        lock(&self.tasks).spawn(async move {
            let all = names::all_jobs(&shared.id);
            store::purge(&shared.context, names::JOBS, &all).await;
            shared.control(Control::Finish).await;
        });
    }
}

impl Shared {
    fn note(&self, text: impl Into<String>) {
        // At the end nobody listens any more.
        let _ = self.notes.send(Note::Event(text.into()));
    }

    fn warn(&self, text: impl Into<String>) {
        let _ = self.notes.send(Note::Warning(text.into()));
    }

    fn fail(&self, error: ClusterError) {
        let _ = self.notes.send(Note::Fatal(error));
    }

    /// Tells all workers of this tournament what to do.
    async fn control(&self, control: Control) {
        let subject = names::control(&self.id);
        let message = self.seal(&subject, messages::write(&control));
        // Workers that miss it notice the change in the bucket.
        let _ = self.client.publish(subject, message.into()).await;
    }

    /// Signs a message of this session.
    fn seal(&self, subject: &str, message: Vec<u8>) -> Vec<u8> {
        self.seal.seal(subject, self.seal.instance(), message)
    }

    /// Opens the message of a coordinator in an entry; `None` if somebody else has stored it.
    fn own<'m>(&self, key: &str, stored: &'m [u8]) -> Option<&'m [u8]> {
        let opened = signature::open(self.seal.key(), &names::entry(key), stored);
        opened.ok().map(|(_, message)| message)
    }

    /// Sets up what workers need, as far as it is missing.
    async fn set_up(&self, bucket: &kv::Store) -> Result<(), ClusterError> {
        let Shared { context, id, digest, settings, .. } = self;
        store::job_consumer(context, id, digest, settings.redeliver).await?;
        let key = names::info(id);
        let info = messages::write(&*lock(&self.info));
        let failed = |why: String| ClusterError::server("store the tournament", why);
        let stored = bucket.get(&key).await.map_err(|why| failed(why.to_string()))?;
        if stored.as_deref().and_then(|stored| self.own(&key, stored)) != Some(&info[..]) {
            let most = self.client.max_payload();
            if info.len() + 1024 > most {
                return Err(ClusterError::Usage(format!(
                    "config and openings file take {} bytes, and the server accepts {most}: raise \
                     max_payload in its config",
                    info.len()
                )));
            }
            let info = self.seal(&names::entry(&key), info);
            bucket.put(&key, info.into()).await.map_err(|why| failed(why.to_string()))?;
        }
        self.running(bucket, |ids| {
            if !ids.contains(id) {
                ids.push(id.clone());
            }
        })
        .await
    }

    /// Changes the list of running tournaments.
    async fn running(
        &self,
        bucket: &kv::Store,
        change: impl Fn(&mut Vec<String>),
    ) -> Result<(), ClusterError> {
        let failed = |why: String| ClusterError::server("list the running tournaments", why);
        let key = names::RUNNING;
        for _ in 0..20 {
            let entry = bucket.entry(key).await.map_err(|why| failed(why.to_string()))?;
            let stored = entry.as_ref().and_then(|entry| self.own(key, &entry.value));
            let before = stored.and_then(|stored| messages::read::<Vec<String>>(stored).ok());
            let revision = entry.as_ref().map_or(0, |entry| entry.revision);
            let mut after = before.clone().unwrap_or_default();
            change(&mut after);
            if before.as_ref() == Some(&after) {
                return Ok(());
            }
            // Another coordinator may change it at the same moment.
            let value = self.seal(&names::entry(key), messages::write(&after));
            if bucket.update(key, value.into(), revision).await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Err(failed("others change it all the time".to_owned()))
    }
}
