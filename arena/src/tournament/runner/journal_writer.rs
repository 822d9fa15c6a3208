//! Writes finished games to the journal on a separate thread: syncing blocks on the disk, and games
//! in progress must not wait for it.
//!
//! After an error the writer retries for a while, since disk space may become free. Meanwhile
//! finished games wait, and nothing is lost.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc as std_mpsc};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use super::event::Event;
use crate::record::{GameRecord, StorageError, VoidRecord};

/// An entry of the journal.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum JournalEntry {
    /// A finished game.
    Game(Box<GameRecord>),
    /// An attempt at a game that failed by a fault of the arena.
    Void(VoidRecord),
}

/// The first pause before a retry, and the longest: the pause doubles each time.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));

/// The sender to the writer's thread, which ends when the last clone is dropped.
#[derive(Clone)]
pub(super) struct JournalWriter {
    inbox: std_mpsc::Sender<(JournalEntry, oneshot::Sender<Result<(), StorageError>>)>,
    give_up: Arc<AtomicBool>,
}

impl JournalWriter {
    /// Starts the thread. `write` writes one entry completely or not at all and returns its
    /// position. If it fails it is called again until `patience` is over. Events go to `events`.
    ///
    /// # Errors
    /// Returns an error if no thread can be started.
    pub(super) fn start(
        mut write: impl FnMut(&JournalEntry) -> Result<u64, StorageError> + Send + 'static,
        patience: Duration,
        events: mpsc::UnboundedSender<Event>,
    ) -> io::Result<JournalWriter> {
        let (sender, inbox) =
            std_mpsc::channel::<(JournalEntry, oneshot::Sender<Result<(), StorageError>>)>();
        let give_up = Arc::new(AtomicBool::new(false));
        let writer = JournalWriter { inbox: sender, give_up: give_up.clone() };
        std::thread::Builder::new().spawn(move || {
            // After the end of the tournament nobody receives events.
            let tell = |event| drop(events.send(event));
            for (entry, reply) in inbox {
                let written = persist(|| write(&entry), patience, &give_up, &tell);
                let written = written.map(|offset| {
                    tell(match entry {
                        JournalEntry::Game(game) => Event::Game(game, offset),
                        JournalEntry::Void(void) => Event::Void(void),
                    });
                });
                // A stopped worker no longer waits for the reply.
                let _ = reply.send(written);
            }
        })?;
        Ok(writer)
    }

    /// Writes an entry; returns when it is on disk.
    pub(super) async fn keep(&self, entry: JournalEntry) -> Result<(), StorageError> {
        let (reply, written) = oneshot::channel();
        self.inbox.send((entry, reply)).expect("the thread lives as long as a writer");
        written.await.expect("the thread answers every entry")
    }

    /// Stops retrying from now on.
    pub(super) fn hurry(&self) {
        self.give_up.store(true, Ordering::Relaxed);
    }
}

/// Retries until writing succeeds, the patience is over or `hurry` is called.
fn persist(
    mut attempt: impl FnMut() -> Result<u64, StorageError>,
    patience: Duration,
    give_up: &AtomicBool,
    tell: &impl Fn(Event),
) -> Result<u64, StorageError> {
    let begin = Instant::now();
    let (mut pause, longest) = PAUSES;
    let mut troubled = false;
    loop {
        let refused = match attempt() {
            Ok(offset) => {
                if troubled {
                    tell(Event::StorageRecovered);
                }
                return Ok(offset);
            }
            Err(refused) => refused,
        };
        let left = patience.saturating_sub(begin.elapsed());
        if left.is_zero() || give_up.load(Ordering::Relaxed) {
            return Err(refused);
        }
        if !troubled {
            tell(Event::StorageFailing(refused.to_string(), left));
            troubled = true;
        }
        sleep(pause.min(left));
        pause = (pause * 2).min(longest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::game;

    fn refused() -> StorageError {
        let source = io::Error::from(io::ErrorKind::StorageFull);
        StorageError { what: "write to", path: "journal.jsonl".into(), source }
    }

    fn void(number: u64) -> JournalEntry {
        let id = number.to_string().parse().unwrap();
        JournalEntry::Void(VoidRecord { id, why: "a test".into() })
    }

    fn finished(number: u64) -> JournalEntry {
        JournalEntry::Game(Box::new(game(&number.to_string())))
    }

    /// Writes two entries to a disk that fails this many times at first; returns the outcomes and
    /// the events in words.
    fn kept(failures: u32, patience: Duration) -> ([bool; 2], Vec<String>) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (events, mut told) = mpsc::unbounded_channel();
        let mut left = failures;
        let write = move |_: &JournalEntry| {
            let full = left > 0;
            left = left.saturating_sub(1);
            if full { Err(refused()) } else { Ok(7) }
        };
        runtime.block_on(async {
            let writer = JournalWriter::start(write, patience, events).unwrap();
            let done = [writer.keep(void(1)).await.is_ok(), writer.keep(finished(2)).await.is_ok()];
            drop(writer);
            let mut words = Vec::new();
            while let Some(event) = told.recv().await {
                words.push(match event {
                    Event::Void(void) => format!("kept {}", void.id),
                    Event::Game(game, 7) => format!("kept {}", game.id),
                    Event::StorageFailing(why, _) => why,
                    Event::StorageRecovered => "recovered".to_owned(),
                    other => unreachable!("{other:?}"),
                });
            }
            (done, words)
        })
    }

    #[test]
    fn what_is_kept_is_told_in_order() {
        assert_eq!(kept(0, Duration::ZERO), ([true; 2], vec!["kept 1".into(), "kept 2".into()]));
    }

    #[test]
    fn a_disk_that_refuses_is_asked_again() {
        let (done, words) = kept(2, Duration::from_secs(60));
        assert_eq!(done, [true; 2]);
        assert!(words[0].starts_with("cannot write to journal.jsonl"), "{words:?}");
        assert_eq!(words[1..], ["recovered", "kept 1", "kept 2"]);
    }

    #[test]
    fn patience_ends() {
        let (done, words) = kept(1, Duration::ZERO);
        assert_eq!((done, words), ([false, true], vec!["kept 2".into()]));
    }

    #[test]
    fn who_is_in_a_hurry_does_not_wait() {
        let give_up = AtomicBool::new(true);
        let (tries, tell) = (std::cell::Cell::new(0), |_| panic!("there is nothing to tell"));
        let attempt = || {
            tries.set(tries.get() + 1);
            Err(refused())
        };
        assert!(persist(attempt, Duration::from_secs(60), &give_up, &tell).is_err());
        assert_eq!(tries.get(), 1);
    }
}
