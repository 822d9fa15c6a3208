//! The coordinator: publishes the jobs of a tournament and takes in the games that workers send.
//!
//! It implements [`Elsewhere`], so the main loop of the runner makes all decisions and its journal
//! writer writes all games, as in a tournament on one machine.

mod attendance;
mod duplicates;
mod intake;
mod job;
mod keeper;
mod lease;
mod live;
mod open_jobs;
mod ship;
mod workers;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::{self, Context, kv};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::engine_set::EngineSet;
use super::messages::{self, Control, TournamentInfo, VERSION};
use super::{ClusterError, names, store, tournament_id, verify};
use crate::pairing::ids::{GameId, PairingId};
use crate::record::{Index, effective_config};
use crate::tournament::runner::{Desk, Elsewhere, Finish, JobFuture, Missing, Plan};

use lease::Lease;
use open_jobs::{Published, Routes};
use workers::Workers;

/// How a tournament is coordinated.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A worker that is silent for this long loses its job to another.
    pub redeliver: Duration,
    /// How long the server may be silent before the tournament stops.
    pub patience: Duration,
    /// Whether workers get the engines' files from the server.
    pub ship: bool,
    /// The speed that time limits are meant for, if there are any.
    pub reference_speed: Option<f64>,
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
    /// The tournament cannot continue.
    Fatal(ClusterError),
}

/// The coordinator of one tournament.
pub struct Coordinator {
    shared: Arc<Shared>,
    tasks: Mutex<JoinSet<()>>,
}

/// What the coordinator's tasks share.
struct Shared {
    client: Client,
    context: Context,
    plan: Arc<Plan>,
    dir: PathBuf,
    /// The tournament on the server.
    id: String,
    /// The digest of the engines.
    digest: String,
    /// The checksum of the config.
    checksum: String,
    /// Whether equal seeds give equal games.
    is_timeless: bool,
    settings: Settings,
    epoch: u64,
    info: Mutex<TournamentInfo>,
    workers: Mutex<Workers>,
    routes: Mutex<Routes>,
    published: Mutex<HashMap<PairingId, Published>>,
    /// The games in the journal, with the offsets of their lines.
    known: Mutex<HashMap<GameId, u64>>,
    notes: mpsc::UnboundedSender<Note>,
    is_finishing: AtomicBool,
    /// The games that differed from their first copies.
    alarms: AtomicU32,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The state is plain data that every writer leaves complete.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        let id = tournament_id::of_directory(dir, &plan.tournament.name)?;
        let engines = EngineSet::of(&plan).map_err(|why| ClusterError::Usage(why.join("\n")))?;
        let digest = engines.digest();
        if settings.ship {
            ship::ship(&context, &engines).await?;
        }
        let lease = Lease::claim(&bucket, &id, dir).await?;
        let checksum = effective_config::checksum(&plan.tournament);
        let info = TournamentInfo {
            version: VERSION,
            id: id.clone(),
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
            digest,
            checksum,
            settings,
            epoch: lease.epoch(),
            info: Mutex::new(info),
            workers: Mutex::default(),
            routes: Mutex::default(),
            published: Mutex::default(),
            known: Mutex::new(known),
            notes,
            is_finishing: AtomicBool::new(false),
            alarms: AtomicU32::new(0),
        });
        shared.set_up(&bucket).await?;
        shared.note(format!("tournament {id}: no worker has joined yet", id = shared.id));
        let mut tasks = JoinSet::new();
        tasks.spawn(shared.clone().listen_to_workers());
        tasks.spawn(shared.clone().take_in_results());
        tasks.spawn(shared.clone().show_live());
        tasks.spawn(shared.clone().keep_up(lease));
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
            // If the server fails now, workers wait for a coordinator that does not come, and end
            // after their patience.
            let _ = running(&bucket, |ids| ids.retain(|id| *id != shared.id)).await;
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

impl Elsewhere for Coordinator {
    fn room(&self) -> usize {
        lock(&self.shared.workers).room()
    }

    fn play(&self, job: Vec<Missing>, desk: Desk) -> JobFuture {
        Box::pin(self.shared.clone().play_job(job, desk))
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
        // Workers that miss it notice the change in the bucket.
        let _ =
            self.client.publish(names::control(&self.id), messages::write(&control).into()).await;
    }

    /// Sets up what workers need, as far as it is missing.
    async fn set_up(&self, bucket: &kv::Store) -> Result<(), ClusterError> {
        let Shared { context, id, digest, settings, .. } = self;
        store::job_consumer(context, id, digest, settings.redeliver).await?;
        let key = names::info(id);
        let info = messages::write(&*lock(&self.info));
        let failed = |why: String| ClusterError::server("store the tournament", why);
        let stored = bucket.get(&key).await.map_err(|why| failed(why.to_string()))?;
        if stored.as_deref() != Some(&info[..]) {
            let most = self.client.max_payload();
            if info.len() + 1024 > most {
                return Err(ClusterError::Usage(format!(
                    "config and openings file take {} bytes, and the server accepts {most}: raise \
                     max_payload in its config",
                    info.len()
                )));
            }
            bucket.put(&key, info.into()).await.map_err(|why| failed(why.to_string()))?;
        }
        running(bucket, |ids| {
            if !ids.contains(id) {
                ids.push(id.clone());
            }
        })
        .await
    }
}

/// Changes the list of running tournaments.
async fn running(
    bucket: &kv::Store,
    change: impl Fn(&mut Vec<String>),
) -> Result<(), ClusterError> {
    let failed = |why: String| ClusterError::server("list the running tournaments", why);
    for _ in 0..20 {
        let entry = bucket.entry(names::RUNNING).await.map_err(|why| failed(why.to_string()))?;
        let (before, revision) = match &entry {
            Some(entry) => (messages::read(&entry.value).unwrap_or_default(), entry.revision),
            None => (Vec::<String>::new(), 0),
        };
        let mut after = before.clone();
        change(&mut after);
        if after == before {
            return Ok(());
        }
        // Another coordinator may change it at the same moment.
        let update = bucket.update(names::RUNNING, messages::write(&after).into(), revision);
        if update.await.is_ok() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err(failed("others change it all the time".to_owned()))
}
