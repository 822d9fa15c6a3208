//! What games do while this machine is short of something their engines need to start: processes,
//! descriptors, memory, room for a private directory.
//!
//! A shortage is no engine's fault. Where other games are in progress, the arena itself may be what
//! holds the rest: a game then waits until one of them is over. Where none is, the attempt is void,
//! and the game waits longer each time before it is tried again.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard, Notify};
use tokio::time::timeout;

/// The longest wait for another game to be over before a start is tried again.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The parts of the whole patience that the waits after the first and the second attempt take.
const PARTS: [f64; 2] = [0.2, 0.8];

/// What all games of a tournament know of shortages.
#[derive(Default)]
pub(super) struct Shortages {
    /// Games being played.
    playing: AtomicUsize,
    /// Games that have begun in all.
    begun: AtomicU64,
    /// Whether there has been a shortage.
    seen: AtomicBool,
    /// Told whenever a game is over.
    over: Notify,
    /// Held by the game whose engines are starting: two that each have one engine would wait for
    /// each other.
    starting: Mutex<()>,
}

/// A game in progress.
pub(super) struct Playing<'s>(&'s Shortages);

impl Drop for Playing<'_> {
    fn drop(&mut self) {
        self.0.playing.fetch_sub(1, Ordering::Relaxed);
        self.0.over.notify_waiters();
    }
}

impl Shortages {
    /// To be held while the engines of a game start. Nobody waits for it before the first shortage.
    pub(super) async fn start(&self) -> Option<MutexGuard<'_, ()>> {
        match self.seen.load(Ordering::Relaxed) {
            true => Some(self.starting.lock().await),
            false => None,
        }
    }

    /// A game begins: its engines are ready.
    pub(super) fn begin(&self) -> Playing<'_> {
        self.playing.fetch_add(1, Ordering::Relaxed);
        self.begun.fetch_add(1, Ordering::Relaxed);
        Playing(self)
    }

    /// How many games have begun so far.
    pub(super) fn begun(&self) -> u64 {
        self.begun.load(Ordering::Relaxed)
    }

    /// Notes a shortage; whether it is the first.
    pub(super) fn note(&self) -> bool {
        !self.seen.swap(true, Ordering::Relaxed)
    }

    /// Waits until another game is over, but not longer than this; `false` at once where none is in
    /// progress.
    pub(super) async fn wait_for_others(&self, longest: Duration) -> bool {
        let over = self.over.notified();
        if self.playing.load(Ordering::Relaxed) == 0 {
            return false;
        }
        // Whether one is over or there has been enough waiting, it is worth another try.
        let _ = timeout(longest, over).await;
        true
    }
}

/// How long to wait after an attempt, from 0, of all the patience there is.
pub(super) fn pause(attempt: u32, patience: Duration) -> Duration {
    PARTS.get(attempt as usize).map_or(Duration::ZERO, |&part| patience.mul_f64(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_take_all_the_patience() {
        let patience = Duration::from_secs(30);
        let pauses: Vec<u64> = (0..3).map(|attempt| pause(attempt, patience).as_secs()).collect();
        assert_eq!(pauses, [6, 24, 0]);
    }

    #[test]
    fn a_game_waits_for_another_to_be_over() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let long = Duration::from_secs(60);
        runtime.block_on(async {
            let shortages = Shortages::default();
            assert!(!shortages.wait_for_others(long).await);
            assert!(shortages.start().await.is_none());
            assert!(shortages.note() && !shortages.note());
            assert!(shortages.start().await.is_some());
            let playing = shortages.begin();
            let begin = tokio::time::Instant::now();
            let (waited, ()) = tokio::join!(shortages.wait_for_others(long), async {
                tokio::task::yield_now().await;
                drop(playing);
            });
            assert!(waited && begin.elapsed() < long);
            assert!(!shortages.wait_for_others(long).await);
            assert_eq!(shortages.begun(), 1);
            let _long = shortages.begin();
            // Nobody ends it, and yet the wait has an end.
            assert!(shortages.wait_for_others(Duration::from_millis(1)).await);
        });
    }
}
