//! The waits of games while this machine lacks a resource that engines need to start: processes,
//! descriptors, memory, or space for a private directory.
//!
//! A shortage is not the fault of an engine. If other games are in progress, the arena itself may
//! hold the resource: the game waits until one of them is over. If not, the attempt is void, and
//! the pause before the next attempt grows.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard, Notify};
use tokio::time::timeout;

/// The longest wait for another game before a start is retried.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The shares of the patience that the pauses after the first and the second attempt take.
const PARTS: [f64; 2] = [0.2, 0.8];

/// The shortage state shared by all games of a tournament.
#[derive(Default)]
pub(super) struct Shortages {
    /// The number of games in progress.
    playing: AtomicUsize,
    /// The number of games begun so far.
    begun: AtomicU64,
    /// Whether there has been a shortage.
    seen: AtomicBool,
    /// Notified whenever a game is over.
    over: Notify,
    /// Locked while the engines of a game start: two games with one started engine each would wait
    /// for each other.
    starting: Mutex<()>,
}

/// A game in progress; dropping it ends the game.
pub(super) struct GamePermit<'s>(&'s Shortages);

impl Drop for GamePermit<'_> {
    fn drop(&mut self) {
        self.0.playing.fetch_sub(1, Ordering::Relaxed);
        self.0.over.notify_waiters();
    }
}

impl Shortages {
    /// A lock to hold while the engines of a game start. Before the first shortage there is no
    /// lock.
    pub(super) async fn start(&self) -> Option<MutexGuard<'_, ()>> {
        match self.seen.load(Ordering::Relaxed) {
            true => Some(self.starting.lock().await),
            false => None,
        }
    }

    /// Counts a game that begins: its engines are ready.
    pub(super) fn begin(&self) -> GamePermit<'_> {
        self.playing.fetch_add(1, Ordering::Relaxed);
        self.begun.fetch_add(1, Ordering::Relaxed);
        GamePermit(self)
    }

    /// The number of games begun so far.
    pub(super) fn begun(&self) -> u64 {
        self.begun.load(Ordering::Relaxed)
    }

    /// Records a shortage; returns whether it is the first.
    pub(super) fn note(&self) -> bool {
        !self.seen.swap(true, Ordering::Relaxed)
    }

    /// Waits until another game is over, or for `longest`. Returns `false` at once if no game is in
    /// progress.
    pub(super) async fn wait_for_others(&self, longest: Duration) -> bool {
        let over = self.over.notified();
        if self.playing.load(Ordering::Relaxed) == 0 {
            return false;
        }
        // After the timeout another try makes sense as well.
        let _ = timeout(longest, over).await;
        true
    }
}

/// The pause after an attempt (from 0) as a part of the whole patience.
pub(super) fn pause(attempt: u32, patience: Duration) -> Duration {
    PARTS.get(attempt as usize).map_or(Duration::ZERO, |&part| patience.mul_f64(part))
}

#[cfg(test)]
mod tests {
    use tokio::time::{Instant, sleep};

    use super::*;

    #[test]
    fn pauses_grow_and_take_all_the_patience() {
        let patience = Duration::from_secs(30);
        let pauses: Vec<u64> = (0..3).map(|attempt| pause(attempt, patience).as_secs()).collect();
        assert_eq!(pauses, [6, 24, 0]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_game_waits_for_another_to_be_over() {
        let long = Duration::from_secs(60);
        let shortages = Shortages::default();
        assert!(!shortages.wait_for_others(long).await);
        assert!(shortages.start().await.is_none());
        assert!(shortages.note() && !shortages.note());
        assert!(shortages.start().await.is_some());
        let playing = shortages.begin();
        let begin = Instant::now();
        let (waited, ()) = tokio::join!(shortages.wait_for_others(long), async {
            sleep(long / 2).await;
            drop(playing);
        });
        assert!(waited);
        assert_eq!(begin.elapsed(), long / 2);
        assert!(!shortages.wait_for_others(long).await);
        assert_eq!(shortages.begun(), 1);
        // No game ends, but the wait does.
        let _playing = shortages.begin();
        let begin = Instant::now();
        assert!(shortages.wait_for_others(long).await);
        assert_eq!(begin.elapsed(), long);
    }
}
