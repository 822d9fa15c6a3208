//! Plays pairings on this machine: for the main loop, and for a worker that takes its pairings from
//! elsewhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::mpsc;

use super::event::{Event, RunError};
use super::game_attempt::{Entry, GameResources};
use super::journal_writer::{JournalEntry, JournalWriter};
use super::missing::Missing;
use super::pairing_task::{PairingGames, PairingTask, Shared};
use super::play_again::once;
use super::{Plan, Pool};
use fanorona_engine::stall::StallMonitor;
use fanorona_tournament::pairing::ids::{EngineId, GameId};
use fanorona_tournament::pairing::openings::Opening;
use fanorona_tournament::record::{GameRecord, Journal};

/// The games on this machine, with the journal that they are written to.
pub struct LocalGames {
    shared: Shared,
}

impl LocalGames {
    /// Starts the journal's writer. Returns the events to observe: they end when the last game and
    /// this value are gone.
    ///
    /// # Errors
    /// Returns an error if no thread can be started.
    pub fn start(
        plan: Arc<Plan>,
        pool: Arc<Pool>,
        journal: Journal,
    ) -> Result<(LocalGames, mpsc::UnboundedReceiver<Event>), RunError> {
        let (shown, events) = mpsc::unbounded_channel();
        let patience = plan.tournament.storage_timeout;
        let writer = JournalWriter::of_journal(journal, patience, shown.clone())?;
        let shared = Shared {
            means: GameResources::new(plan, pool),
            writer,
            events: shown,
            stopping: Arc::new(AtomicBool::new(false)),
        };
        Ok((LocalGames { shared }, events))
    }

    /// Plays the games of a pairing, from this opening if it is known already.
    pub fn play(
        &self,
        missing: Missing,
        opening: Option<Opening>,
    ) -> impl Future<Output = Result<PairingGames, RunError>> + Send + 'static + use<> {
        let Missing { pairing, before, options } = missing;
        let task = PairingTask { shared: self.shared.clone(), pairing, opening, options };
        task.play(before)
    }

    /// Plays the next game of a pairing for comparison: it is not written to the journal.
    ///
    /// # Errors
    /// Returns the reason if the game is void.
    pub async fn play_for_comparison(
        &self,
        missing: &Missing,
        id: GameId,
        players: [EngineId; 2],
        opening: Opening,
    ) -> Result<GameRecord, String> {
        let Shared { means, .. } = &self.shared;
        let game = means.plan.game(players, opening);
        let entry = Entry { id, players, game: &game, options: &missing.options };
        let played = once(means, &entry).await?;
        let pair = id.of_session.is_none().then_some(missing.pairing.pair.0);
        Ok(GameRecord { pair, ..played.record })
    }

    /// Writes games to the journal that were played elsewhere. On return they are on disk.
    pub async fn keep(&self, games: Vec<GameRecord>) -> Result<(), RunError> {
        let entries = games.into_iter().map(|game| JournalEntry::Game(Box::new(game)));
        self.shared.writer.keep_all(entries.collect()).await?;
        Ok(())
    }

    /// The monitor of stalls, to be ticked while games are in progress.
    pub fn stalls(&self) -> &StallMonitor {
        &self.shared.means.stalls
    }

    /// The number of pairings that may be in progress at once.
    pub(super) fn room(&self) -> usize {
        self.shared.means.plan.capacity.games
    }

    /// No further game begins.
    pub fn finish(&self) {
        self.shared.stopping.store(true, Ordering::Relaxed);
    }

    /// Stops retrying to write the journal from now on.
    pub fn hurry(&self) {
        self.shared.writer.hurry();
    }
}
