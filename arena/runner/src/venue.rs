//! Where pairings are played: on this machine, or on others that send their games back.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::event::{Event, RunError};
use super::journal_writer::{JournalEntry, JournalWriter};
use super::local_games::LocalGames;
use super::missing::Missing;
use super::{Plan, Pool};
use fanorona_engine::stall::StallMonitor;
use fanorona_tournament::record::{GameRecord, Journal, StorageError, VoidRecord};

/// Where the pairings of a tournament are played.
pub enum Venue {
    /// On this machine, by these engines.
    Local(Arc<Pool>),
    /// On other machines.
    Remote(Arc<dyn RemoteVenue>),
}

/// Plays a job; returns the number of its pairings that have no game left to play.
pub type JobFuture = Pin<Box<dyn Future<Output = Result<usize, RunError>> + Send>>;

/// Other machines that play pairings. All decisions about what is played stay with the main loop.
pub trait RemoteVenue: Send + Sync {
    /// The number of jobs that may be in flight at this moment; 0 while no machine is there.
    fn room(&self) -> usize;

    /// Gets a job played: the missing pairings of one pair, or one session. The future writes every
    /// game to the desk.
    fn play(&self, job: Vec<Missing>, desk: VenueHandle) -> JobFuture;

    /// No further game begins from now on; games in progress continue.
    fn finish(&self);
}

/// Takes the games that are played elsewhere: into the journal, and to the observer.
#[derive(Clone)]
pub struct VenueHandle {
    pub(super) writer: JournalWriter,
    pub(super) events: mpsc::UnboundedSender<Event>,
}

impl VenueHandle {
    /// Writes games to the journal, and returns the offsets of their lines. On return they are on
    /// disk.
    pub async fn keep(&self, games: Vec<GameRecord>) -> Result<Vec<u64>, StorageError> {
        let entries = games.into_iter().map(|game| JournalEntry::Game(Box::new(game)));
        self.writer.keep_all(entries.collect()).await
    }

    /// Writes a void attempt at a game to the journal.
    pub async fn keep_void(&self, void: VoidRecord) -> Result<(), StorageError> {
        self.writer.keep(JournalEntry::Void(void)).await
    }

    /// Reports an event to the observer.
    pub fn tell(&self, event: Event) {
        // After the end of the tournament nobody receives events.
        let _ = self.events.send(event);
    }
}

/// A venue with its journal writer, as the main loop uses it.
pub(super) enum Players {
    /// Tasks on this machine.
    Local(LocalGames),
    /// Other machines, and the desk that takes their games.
    Remote(Arc<dyn RemoteVenue>, VenueHandle),
}

impl Players {
    /// Starts the journal's writer. Returns the players and the events to observe.
    pub(super) fn start(
        plan: Arc<Plan>,
        venue: Venue,
        journal: Journal,
    ) -> Result<(Players, mpsc::UnboundedReceiver<Event>), RunError> {
        match venue {
            Venue::Local(pool) => {
                let (games, events) = LocalGames::start(plan, pool, journal)?;
                Ok((Players::Local(games), events))
            }
            Venue::Remote(machines) => {
                let (shown, events) = mpsc::unbounded_channel();
                let patience = plan.tournament.storage_timeout;
                let writer = JournalWriter::of_journal(journal, patience, shown.clone())?;
                Ok((Players::Remote(machines, VenueHandle { writer, events: shown }), events))
            }
        }
    }

    /// The stall monitor, if clocks run on this machine.
    pub(super) fn stalls(&self) -> Option<&StallMonitor> {
        match self {
            Players::Local(games) => Some(games.stalls()),
            Players::Remote(..) => None,
        }
    }

    /// The number of jobs that may be in flight.
    pub(super) fn room(&self) -> usize {
        match self {
            Players::Local(games) => games.room(),
            Players::Remote(machines, _) => machines.room(),
        }
    }

    /// Whether both pairings of a pair are one job.
    pub(super) fn take_pairs(&self) -> bool {
        matches!(self, Players::Remote(..))
    }

    /// Begins a job as a task.
    pub(super) fn begin(&self, tasks: &mut JoinSet<Result<usize, RunError>>, job: Vec<Missing>) {
        match self {
            Players::Local(games) => {
                for missing in job {
                    let playing = games.play(missing, None);
                    tasks.spawn(async move { playing.await.map(|it| usize::from(it.is_complete)) });
                }
            }
            Players::Remote(machines, desk) => {
                tasks.spawn(machines.play(job, desk.clone()));
            }
        }
    }

    /// No further game begins.
    pub(super) fn finish(&self) {
        match self {
            Players::Local(games) => games.finish(),
            Players::Remote(machines, _) => machines.finish(),
        }
    }

    /// Stops retrying to write the journal from now on.
    pub(super) fn hurry(&self) {
        match self {
            Players::Local(games) => games.hurry(),
            Players::Remote(_, desk) => desk.writer.hurry(),
        }
    }
}
