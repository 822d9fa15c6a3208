//! Keeps finished games: writes them to the journal on a thread of its own, as syncing waits for
//! the disk and games in progress must not.
//!
//! A disk that refuses is asked again for a while: room may be made. Meanwhile whoever has finished
//! a game waits, and nothing is lost.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc as std_mpsc};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use super::Begins;
use crate::record::{GameRecord, StorageError, VoidRecord};

/// What is kept.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum JournalEntry {
    /// A finished game.
    Game(Box<GameRecord>),
    /// An attempt at a game that came to nothing by the arena's own fault.
    Void(VoidRecord),
}

/// What whoever watches is told.
#[derive(Debug)]
pub(super) enum WriterEvent {
    /// A game begins; told by whoever plays it.
    Begins(Box<Begins>),
    /// Something is on disk; its line in the journal begins at this byte.
    Written(JournalEntry, u64),
    /// The disk refuses; it is asked again for so long.
    StartFailure(String, Duration),
    /// The disk has given in.
    Recovered,
    /// This machine is short of what engines need to start.
    Short(String),
}

/// The first pause before a disk that has refused is asked again; every further one is twice as
/// long, up to the second.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));

/// The way to the keeper's thread, which ends when the last of these is dropped.
#[derive(Clone)]
pub(super) struct JournalWriter {
    inbox: std_mpsc::Sender<(JournalEntry, oneshot::Sender<Result<(), StorageError>>)>,
    give_up: Arc<AtomicBool>,
}

impl JournalWriter {
    /// Starts the thread. `write` puts one thing on disk, whole or not at all, and says where it
    /// lies; where it fails it is called again until `patience` is over. What has been done is told
    /// to `notices`.
    ///
    /// # Errors
    /// When the system has no thread for it.
    pub(super) fn start(
        mut write: impl FnMut(&JournalEntry) -> Result<u64, StorageError> + Send + 'static,
        patience: Duration,
        notices: mpsc::UnboundedSender<WriterEvent>,
    ) -> io::Result<JournalWriter> {
        let (sender, inbox) =
            std_mpsc::channel::<(JournalEntry, oneshot::Sender<Result<(), StorageError>>)>();
        let give_up = Arc::new(AtomicBool::new(false));
        let keeper = JournalWriter { inbox: sender, give_up: give_up.clone() };
        std::thread::Builder::new().spawn(move || {
            // Nobody looks at notices any more once the tournament is over.
            let tell = |notice| drop(notices.send(notice));
            for (kept, reply) in inbox {
                let written = persist(|| write(&kept), patience, &give_up, &tell);
                let written = written.map(|offset| tell(WriterEvent::Written(kept, offset)));
                // A worker that was stopped does not wait for it.
                let _ = reply.send(written);
            }
        })?;
        Ok(keeper)
    }

    /// Returns when it is on disk.
    pub(super) async fn keep(&self, kept: JournalEntry) -> Result<(), StorageError> {
        let (reply, written) = oneshot::channel();
        self.inbox.send((kept, reply)).expect("the thread lives as long as a keeper");
        written.await.expect("the thread answers everybody")
    }

    /// From now on a disk that refuses is not asked again.
    pub(super) fn hurry(&self) {
        self.give_up.store(true, Ordering::Relaxed);
    }
}

/// Tries until it succeeds, patience is over or somebody wants to be gone.
fn persist(
    mut attempt: impl FnMut() -> Result<u64, StorageError>,
    patience: Duration,
    give_up: &AtomicBool,
    tell: &impl Fn(WriterEvent),
) -> Result<u64, StorageError> {
    let begin = Instant::now();
    let (mut pause, longest) = PAUSES;
    let mut troubled = false;
    loop {
        let refused = match attempt() {
            Ok(offset) => {
                if troubled {
                    tell(WriterEvent::Recovered);
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
            tell(WriterEvent::StartFailure(refused.to_string(), left));
            troubled = true;
        }
        sleep(pause.min(left));
        pause = (pause * 2).min(longest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused() -> StorageError {
        let source = io::Error::from(io::ErrorKind::StorageFull);
        StorageError { what: "write to", path: "journal.jsonl".into(), source }
    }

    fn void(number: u64) -> JournalEntry {
        let id = number.to_string().parse().unwrap();
        JournalEntry::Void(VoidRecord { id, why: "a test".into() })
    }

    /// Keeps two things on a disk that refuses so many times at first; gives how that went and the
    /// words of the notices.
    fn kept(refusals: u32, patience: Duration) -> ([bool; 2], Vec<String>) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (notices, mut told) = mpsc::unbounded_channel();
        let mut left = refusals;
        let write = move |_: &JournalEntry| {
            let full = left > 0;
            left = left.saturating_sub(1);
            if full { Err(refused()) } else { Ok(7) }
        };
        runtime.block_on(async {
            let keeper = JournalWriter::start(write, patience, notices).unwrap();
            let done = [keeper.keep(void(1)).await.is_ok(), keeper.keep(void(2)).await.is_ok()];
            drop(keeper);
            let mut words = Vec::new();
            while let Some(notice) = told.recv().await {
                words.push(match notice {
                    WriterEvent::Written(JournalEntry::Void(void), 7) => {
                        format!("kept {}", void.id)
                    }
                    WriterEvent::Begins(_) | WriterEvent::Written(..) => {
                        unreachable!("nothing else was kept")
                    }
                    WriterEvent::StartFailure(why, _) => why,
                    WriterEvent::Recovered => "recovered".to_owned(),
                    WriterEvent::Short(why) => why,
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
