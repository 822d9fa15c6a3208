//! A tournament in its results directory: created, or opened again, and played by one process at a time.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::mpsc;

use super::event::{Event, Finish, RunError, Stop};
use super::preparation::{PrepareError, Prepared};
use super::{LocalVenue, Plan, Pool, Snapshot, Venue};
use fanorona_tournament::config::Tournament;
use fanorona_tournament::machine::Machine;
use fanorona_tournament::progress::Progress;
use fanorona_tournament::record::storage::storage;
use fanorona_tournament::record::{
    Contents, Header, Index, Journal, JournalError, Lock, StorageError, effective_config,
};

/// Why a results directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// It already holds a tournament.
    #[error("{} already holds a tournament", .0.display())]
    Occupied(PathBuf),
    /// The config differs from that of the journal.
    #[error(
        "{} has changed since this tournament began (checksum {found}, expected {expected})",
        .config.display()
    )]
    ConfigChanged {
        /// The config.
        config: PathBuf,
        /// Its checksum.
        found: String,
        /// The checksum in the journal.
        expected: String,
    },
    /// Engines or the openings file have changed; a sentence for each.
    #[error("{}", .0.join("\n"))]
    MachineChanged(Vec<String>),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Fails if a directory already holds a tournament.
///
/// # Errors
/// Returns [`SessionError::Occupied`] then.
pub fn check_vacant(dir: &Path) -> Result<(), SessionError> {
    match Journal::path_in(dir).exists() {
        true => Err(SessionError::Occupied(dir.to_owned())),
        false => Ok(()),
    }
}

/// Fails if the config of a directory differs from the journal's, unless `force` is set.
///
/// # Errors
/// Returns [`SessionError::ConfigChanged`] then.
pub fn check_config_unchanged(
    dir: &Path,
    tournament: &Tournament,
    header: &Header,
    force: bool,
) -> Result<(), SessionError> {
    let (found, expected) = (effective_config::checksum(tournament), header.config.clone());
    match force || found == expected {
        true => Ok(()),
        false => {
            let config = dir.join(effective_config::CONFIG);
            Err(SessionError::ConfigChanged { config, found, expected })
        }
    }
}

/// A tournament in its results directory, which no other process can play meanwhile.
#[derive(Debug)]
pub struct Session {
    dir: PathBuf,
    journal: Option<Journal>,
    /// The finished games and the decisions based on them.
    pub snapshot: Snapshot,
    /// The number of games at the beginning of this run.
    games_before: usize,
    lock: Lock,
}

impl Session {
    /// Begins a tournament in a directory, which is created.
    ///
    /// # Errors
    /// Returns an error if it holds a tournament or cannot be written.
    pub fn create(dir: &Path, plan: &Plan, prepared: &Prepared) -> Result<Session, SessionError> {
        let Plan { tournament, shard, .. } = plan;
        fs::create_dir_all(dir).map_err(|why| storage("create", dir, why))?;
        let lock = Lock::take(dir)?;
        // Another process may have begun here in the meantime.
        check_vacant(dir)?;
        effective_config::write_config(dir, tournament)?;
        plan.machine(&prepared.introductions, prepared.sandbox).write(dir)?;
        let header = Header::new(&tournament.name, effective_config::checksum(tournament));
        let broken = prepared.broken.clone();
        let header = Header { broken, ..header.for_shard(*shard) };
        let journal = Journal::create(lock.clone(), &header)?;
        let progress = Progress::from_journal(tournament, &header);
        let snapshot = Snapshot { progress, ..Snapshot::empty(tournament, *shard) };
        Ok(Session::new(dir, lock, journal, snapshot))
    }

    fn new(dir: &Path, lock: Lock, journal: Journal, snapshot: Snapshot) -> Session {
        let games_before = snapshot.index.games().len();
        Session { dir: dir.to_owned(), journal: Some(journal), snapshot, games_before, lock }
    }

    /// Plays the missing games, see [`run`](super::run).
    ///
    /// # Errors
    /// Returns an error as [`run`](super::run) does.
    ///
    /// # Panics
    /// Panics if it is called again.
    pub async fn run(
        &mut self,
        plan: &Arc<Plan>,
        venue: Arc<dyn Venue>,
        watch: impl FnMut(Event),
        may_begin: impl Fn() -> bool,
        stops: mpsc::UnboundedReceiver<Stop>,
    ) -> Result<Finish, RunError> {
        let journal = self.journal.take().expect("a session runs once");
        super::run(plan.clone(), venue, journal, &mut self.snapshot, watch, may_begin, stops).await
    }

    /// Ends the engines, and notes the end of the run.
    pub async fn close(self, plan: &Plan, pool: &Pool) -> Closed {
        pool.quit().await;
        plan.supervisors.gone(plan.tournament.quit_timeout).await;
        let has_played = self.snapshot.index.games().len() > self.games_before;
        let noted = Machine::end(&self.dir, has_played);
        Closed { snapshot: self.snapshot, noted, lock: self.lock }
    }
}

/// A session whose games are over.
#[derive(Debug)]
pub struct Closed {
    /// The finished games.
    pub snapshot: Snapshot,
    /// Whether the end of the run could be noted; the games are on disk all the same.
    pub noted: Result<(), StorageError>,
    /// The right to write to the directory.
    pub lock: Lock,
}

/// A tournament as its results directory holds it, before its engines are started again.
#[derive(Debug)]
pub struct Stored {
    /// The head of its journal.
    pub header: Header,
    /// The number of games without a result, which are played again.
    pub again: usize,
    /// The bytes of an incomplete last line, which does not count.
    pub torn: u64,
    /// Whether the newline at the journal's end is missing or damaged.
    pub is_unended: bool,
    dir: PathBuf,
    lock: Lock,
    journal: Journal,
    index: Index,
}

impl Stored {
    /// Opens a results directory with the tournament of its config. `force` accepts a changed config.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be used, or the config has changed.
    pub fn open(
        dir: &Path,
        lock: Lock,
        tournament: &Tournament,
        force: bool,
    ) -> Result<Stored, SessionError> {
        let (journal, contents) = Journal::open(lock.clone(), tournament.names())?;
        let Contents { header, mut index, torn, unended, .. } = contents;
        check_config_unchanged(dir, tournament, &header, force)?;
        let mut progress = Progress::from_journal(tournament, &header);
        progress.advance(tournament, &index);
        let again = index.forget_voids(progress.rests_on());
        let (dir, is_unended) = (dir.to_owned(), unended.is_some());
        Ok(Stored { header, again, torn, is_unended, dir, lock, journal, index })
    }

    /// The engines that did not start before the first game, which play no games, with the reasons.
    pub fn out(&self) -> Vec<(String, String)> {
        self.header.broken.iter().map(|it| (it.engine.clone(), it.why.clone())).collect()
    }

    /// Continues the tournament. Engines and the openings file must be the same as before, unless
    /// `force` is set; what has changed is returned then. The time and the computer of this run are
    /// recorded either way.
    ///
    /// # Errors
    /// Returns an error if something has changed, or the machine cannot be recorded.
    pub fn resume(
        self,
        plan: &Plan,
        prepared: &Prepared,
        force: bool,
    ) -> Result<(Session, Vec<String>), SessionError> {
        let now = plan.machine(&prepared.introductions, prepared.sandbox);
        let before = Machine::read(&self.dir);
        let differences = before.as_ref().map_or(Vec::new(), |before| now.differences(before));
        if !differences.is_empty() && !force {
            return Err(SessionError::MachineChanged(differences));
        }
        before.iter().fold(now, |now, before| now.after(before)).write(&self.dir)?;
        let progress = Progress::from_journal(&plan.tournament, &self.header);
        let snapshot = Snapshot { index: self.index, progress };
        Ok((Session::new(&self.dir, self.lock, self.journal, snapshot), differences))
    }
}

/// Why a tournament was not played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// Its engines are not ready.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// Its results directory cannot be used.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// It was cut short. Finished games are kept.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Plays a whole tournament on this machine into a new results directory, and tells `watch` what
/// happens. Returns the finished games.
///
/// # Errors
/// Returns an error if the tournament cannot begin, or is cut short.
pub async fn play(
    dir: &Path,
    plan: &Arc<Plan>,
    watch: impl FnMut(Event),
) -> Result<Snapshot, PlayError> {
    check_vacant(dir)?;
    let pool = Arc::new(Pool::default());
    let sandbox = plan.probe_sandbox().await?;
    let prepared = plan.start_engines(&pool, &plan.missing, sandbox).await?;
    let mut session = Session::create(dir, plan, &prepared)?;
    let (_stop, stops) = mpsc::unbounded_channel();
    let venue = Arc::new(LocalVenue::new(plan.clone(), pool.clone()));
    let finish = session.run(plan, venue, watch, || true, stops).await;
    let closed = session.close(plan, &pool).await;
    finish?;
    closed.noted.map_err(RunError::from)?;
    Ok(closed.snapshot)
}
