//! The venues where pairings are played: this machine, or others that send their games back.

use std::future::Future;
use std::pin::Pin;

use tokio::sync::mpsc;

use super::event::{Event, RunError};
use super::journal_writer::{JournalEntry, JournalWriter};
use super::missing::Missing;
use fanorona_engine::stall::StallMonitor;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::record::{GameRecord, Journal, StorageError, VoidRecord};

/// Plays a job; returns the number of its pairings that have no game left to play.
pub type JobFuture = Pin<Box<dyn Future<Output = Result<usize, RunError>> + Send>>;

/// Plays pairings. All decisions about which games are played stay with the main loop.
pub trait Venue: Send + Sync {
    /// The number of jobs that may be in flight at this moment; 0 while no machine is there.
    fn room(&self) -> usize;

    /// Whether a job is the two pairings of a pair; otherwise it is one pairing. A session is always
    /// a job of its own.
    fn takes_pairs(&self) -> bool;

    /// Gets a job played: the pairings of it that miss games. The future passes every game to the
    /// sink.
    fn play(&self, job: Vec<Missing>, sink: GameSink) -> JobFuture;

    /// No further game begins from now on; games in progress continue.
    fn finish(&self);

    /// The stall monitor, to be ticked while games are in progress, if clocks run on this machine.
    fn stalls(&self) -> Option<&StallMonitor>;
}

/// Takes the games of a venue: into the journal, and to the observer.
#[derive(Clone)]
pub struct GameSink {
    writer: JournalWriter,
    events: mpsc::UnboundedSender<Event>,
}

impl GameSink {
    /// Starts the journal's writer. Returns the events to observe: they end when the last clone of the
    /// sink is gone.
    ///
    /// # Errors
    /// Returns an error if no thread can be started.
    pub fn start(
        tournament: &Tournament,
        journal: Journal,
    ) -> Result<(GameSink, mpsc::UnboundedReceiver<Event>), RunError> {
        let (events, observed) = mpsc::unbounded_channel();
        let writer =
            JournalWriter::from_journal(journal, tournament.storage_timeout, events.clone())?;
        Ok((GameSink { writer, events }, observed))
    }

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

    /// Stops retrying to write the journal from now on.
    pub fn hurry(&self) {
        self.writer.hurry();
    }
}
