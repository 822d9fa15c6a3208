//! Plays pairings on this machine: for the main loop, and for a worker that takes its pairings from
//! a coordinator.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::event::RunError;
use super::game_attempt::{Entry, GameResources};
use super::missing::Missing;
use super::pairing_task::{PairingGames, PairingTask};
use super::play_again::once;
use super::venue::{GameSink, JobFuture, Venue};
use super::{Plan, Pool};
use fanorona_engine::stall::StallMonitor;
use fanorona_tournament::pairing::ids::{EngineId, GameId};
use fanorona_tournament::pairing::openings::Opening;
use fanorona_tournament::record::GameRecord;

/// This machine, where the engines of a pool play.
#[derive(Clone)]
pub struct LocalVenue {
    resources: GameResources,
}

impl LocalVenue {
    /// This machine as the venue of a plan.
    pub fn new(plan: Arc<Plan>, pool: Arc<Pool>) -> LocalVenue {
        LocalVenue { resources: GameResources::new(plan, pool) }
    }

    /// Plays the games of a pairing, from this opening if it is known already.
    pub fn play_pairing(
        &self,
        missing: Missing,
        opening: Option<Opening>,
        sink: GameSink,
    ) -> impl Future<Output = Result<PairingGames, RunError>> + Send + 'static + use<> {
        let Missing { pairing, before, options } = missing;
        let task =
            PairingTask { resources: self.resources.clone(), sink, pairing, opening, options };
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
        let game = self.resources.plan.game(players, opening);
        let entry = Entry { id, players, game: &game, options: &missing.options };
        let played = once(&self.resources, &entry).await?;
        let pair = id.of_session.is_none().then_some(missing.pairing.pair.0);
        Ok(GameRecord { pair, ..played.record })
    }
}

impl Venue for LocalVenue {
    fn room(&self) -> usize {
        self.resources.plan.capacity.games
    }

    fn takes_pairs(&self) -> bool {
        false
    }

    fn play(&self, job: Vec<Missing>, sink: GameSink) -> JobFuture {
        let venue = self.clone();
        Box::pin(async move {
            let mut complete = 0;
            for missing in job {
                let played = venue.play_pairing(missing, None, sink.clone()).await?;
                complete += usize::from(played.is_complete);
            }
            Ok(complete)
        })
    }

    fn finish(&self) {
        self.resources.stopping.store(true, Ordering::Relaxed);
    }

    fn stalls(&self) -> Option<&StallMonitor> {
        Some(&self.resources.stalls)
    }
}
