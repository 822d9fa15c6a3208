//! Games that another worker has played, and that the coordinator wants to compare.

use fanorona_tournament::mutex::lock;
use std::sync::atomic::Ordering;

use super::super::messages::{self, Job};
use super::super::{ClusterError, verify};
use super::WorkerSession;
use super::serve::ReplayState;
use fanorona_runner::Missing;
use fanorona_tournament::pairing::ids::{EngineId, GameId};
use fanorona_tournament::pairing::openings::Opening;

/// The most games that wait for a slot; the coordinator asks again.
const MAX_WAITING: usize = 4096;

/// A game to play again.
struct Entry {
    missing: Missing,
    id: GameId,
    players: [EngineId; 2],
    opening: Opening,
}

impl WorkerSession {
    /// Puts a game off until a slot is free, unless it waits or is being played already.
    pub(super) fn put_off(&self, job: &[u8]) {
        let job = messages::read::<Job>(job);
        let entry = job.and_then(|job| Ok((self.entry(job.clone())?.id, job)));
        match entry {
            Ok((id, job)) => {
                let mut again = lock(&self.again);
                if again.len() < MAX_WAITING {
                    again.entry(id).or_insert(ReplayState::Waits(job));
                }
            }
            Err(why) => self.note(format!("a game cannot be played again: {why}")),
        }
    }

    /// Plays a game that waits, if there is one, and sends it. It is not kept here.
    ///
    /// # Errors
    /// Returns an error if the game cannot be sent.
    pub(super) async fn play_for_comparison(&self) -> Result<bool, ClusterError> {
        let Some(job) = self.next_again() else { return Ok(false) };
        let played = match self.entry(job) {
            Ok(Entry { missing, id, players, opening }) => {
                let playing = self.venue.play_for_comparison(&missing, id, players, opening);
                let played = playing.await;
                let sent = match played {
                    Ok(game) => self.send(&mut [game]).await,
                    Err(why) => {
                        self.note(format!("game {id} cannot be played again here: {why}"));
                        Ok(())
                    }
                };
                lock(&self.again).remove(&id);
                sent
            }
            // It was readable when it was put off.
            Err(_) => Ok(()),
        };
        played.map(|()| true)
    }

    /// Takes a game that waits.
    fn next_again(&self) -> Option<Job> {
        if self.is_stopping.load(Ordering::Relaxed) {
            return None;
        }
        let mut again = lock(&self.again);
        let waiting = again.values_mut().find(|it| matches!(it, ReplayState::Waits(_)))?;
        match std::mem::replace(waiting, ReplayState::Plays) {
            ReplayState::Waits(job) => Some(job),
            ReplayState::Plays => None,
        }
    }

    /// The next game of a job's only pairing.
    fn entry(&self, job: Job) -> Result<Entry, String> {
        let part = self.read(job)?.into_iter().next().ok_or("it has no pairing")?;
        let (tournament, openings) = (self.tournament(), &self.plan.openings);
        let next = verify::expected(tournament, openings, &part.missing, part.opening.as_ref());
        let (id, players, opening) = next.ok_or("its pairing is over")?;
        Ok(Entry { missing: part.missing, id, players, opening })
    }
}
