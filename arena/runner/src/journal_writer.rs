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

use super::event::{Event, RunError};
use fanorona_tournament::record::{GameRecord, Journal, NewEntry, StorageError, VoidRecord};

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

/// The most entries that are written with one sync.
const MAX_GROUP: usize = 1024;

/// Entries to write together, and where to report their offsets.
struct Request {
    entries: Vec<JournalEntry>,
    reply: oneshot::Sender<Result<Vec<u64>, StorageError>>,
}

/// The sender to the writer's thread, which ends when the last clone is dropped. Entries that arrive
/// while the disk is busy are written together with one sync, in the order of their arrival.
#[derive(Clone)]
pub(super) struct JournalWriter {
    inbox: std_mpsc::Sender<Request>,
    give_up: Arc<AtomicBool>,
}

impl JournalWriter {
    /// Starts the thread for a journal.
    pub(super) fn from_journal(
        mut journal: Journal,
        patience: Duration,
        events: mpsc::UnboundedSender<Event>,
    ) -> Result<JournalWriter, RunError> {
        let write = move |entries: &[&JournalEntry]| {
            let entries: Vec<_> = entries.iter().map(|entry| entry.for_journal()).collect();
            journal.write_all(&entries)
        };
        JournalWriter::start(write, patience, events)
            .map_err(|why| RunError::Shortage(format!("no thread for the journal: {why}")))
    }

    /// Starts the thread. `write` writes all of its entries or none and returns their positions. If
    /// it fails it is called again until `patience` is over. Events go to `events`.
    ///
    /// # Errors
    /// Returns an error if no thread can be started.
    pub(super) fn start(
        mut write: impl FnMut(&[&JournalEntry]) -> Result<Vec<u64>, StorageError> + Send + 'static,
        patience: Duration,
        events: mpsc::UnboundedSender<Event>,
    ) -> io::Result<JournalWriter> {
        let (sender, inbox) = std_mpsc::channel::<Request>();
        let give_up = Arc::new(AtomicBool::new(false));
        let writer = JournalWriter { inbox: sender, give_up: give_up.clone() };
        std::thread::Builder::new().spawn(move || {
            // After the end of the tournament nobody receives events.
            let tell = |event| drop(events.send(event));
            while let Ok(first) = inbox.recv() {
                let mut group = vec![first];
                let mut length = group[0].entries.len();
                while length < MAX_GROUP
                    && let Ok(next) = inbox.try_recv()
                {
                    length += next.entries.len();
                    group.push(next);
                }
                let entries: Vec<_> = group.iter().flat_map(|request| &request.entries).collect();
                let written = persist(|| write(&entries), patience, &give_up, &tell);
                answer(group, written, &tell);
            }
        })?;
        Ok(writer)
    }

    /// Writes an entry; returns when it is on disk.
    pub(super) async fn keep(&self, entry: JournalEntry) -> Result<(), StorageError> {
        self.keep_all(vec![entry]).await.map(drop)
    }

    /// Writes entries together and returns their positions when they are on disk.
    pub(super) async fn keep_all(
        &self,
        entries: Vec<JournalEntry>,
    ) -> Result<Vec<u64>, StorageError> {
        let (reply, written) = oneshot::channel();
        self.inbox.send(Request { entries, reply }).expect("the thread lives as long as a writer");
        written.await.expect("the thread answers every request")
    }

    /// Stops retrying from now on.
    pub(super) fn hurry(&self) {
        self.give_up.store(true, Ordering::Relaxed);
    }
}

impl JournalEntry {
    fn for_journal(&self) -> NewEntry<'_> {
        match self {
            JournalEntry::Game(game) => NewEntry::Game(game),
            JournalEntry::Void(void) => NewEntry::Void(void),
        }
    }
}

/// Tells the observer what was written, and answers the requests of a group.
fn answer(group: Vec<Request>, written: Result<Vec<u64>, StorageError>, tell: &impl Fn(Event)) {
    match written {
        Ok(offsets) => {
            let mut offsets = offsets.into_iter();
            for Request { entries, reply } in group {
                let own: Vec<u64> = offsets.by_ref().take(entries.len()).collect();
                for (entry, &offset) in entries.into_iter().zip(&own) {
                    tell(match entry {
                        JournalEntry::Game(game) => Event::Game(game, offset),
                        JournalEntry::Void(void) => Event::Void(void),
                    });
                }
                // A stopped task no longer waits for the reply.
                let _ = reply.send(Ok(own));
            }
        }
        Err(why) => {
            for Request { reply, .. } in group {
                let _ = reply.send(Err(why.again()));
            }
        }
    }
}

/// Retries until writing succeeds, the patience is over or `hurry` is called.
fn persist(
    mut attempt: impl FnMut() -> Result<Vec<u64>, StorageError>,
    patience: Duration,
    give_up: &AtomicBool,
    tell: &impl Fn(Event),
) -> Result<Vec<u64>, StorageError> {
    let begin = Instant::now();
    let (mut pause, longest) = PAUSES;
    let mut troubled = false;
    loop {
        let refused = match attempt() {
            Ok(offsets) => {
                if troubled {
                    tell(Event::StorageRecovered);
                }
                return Ok(offsets);
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
    use fanorona_tournament::record::example::game;

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
        let write = move |entries: &[&JournalEntry]| {
            let full = left > 0;
            left = left.saturating_sub(1);
            if full { Err(refused()) } else { Ok(vec![7; entries.len()]) }
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
    fn entries_are_reported_in_the_order_of_the_journal() {
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
    fn entries_that_wait_are_written_together() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (events, mut told) = mpsc::unbounded_channel();
        let (groups, sizes) = std_mpsc::channel();
        let (release, gate) = std_mpsc::channel::<()>();
        let mut written = 0;
        let write = move |entries: &[&JournalEntry]| {
            groups.send(entries.len()).unwrap();
            gate.recv().unwrap();
            written += entries.len() as u64;
            Ok((written - entries.len() as u64..written).collect())
        };
        let writer = JournalWriter::start(write, Duration::ZERO, events).unwrap();
        let keep = |entries: Vec<JournalEntry>| {
            let (reply, done) = oneshot::channel();
            writer.inbox.send(Request { entries, reply }).unwrap();
            done
        };
        let first = keep(vec![finished(1)]);
        // The thread is at the disk with the first entry before the others arrive.
        assert_eq!(sizes.recv().unwrap(), 1);
        let others = [keep(vec![finished(2), void(3)]), keep(vec![finished(4)])];
        release.send(()).unwrap();
        assert_eq!(sizes.recv().unwrap(), 3);
        release.send(()).unwrap();
        runtime.block_on(async {
            assert_eq!(first.await.unwrap().unwrap(), [0]);
            let [pair, last] = others;
            assert_eq!(pair.await.unwrap().unwrap(), [1, 2]);
            assert_eq!(last.await.unwrap().unwrap(), [3]);
            drop(writer);
            let mut order = Vec::new();
            while let Some(event) = told.recv().await {
                order.push(match event {
                    Event::Game(game, offset) => format!("{} at {offset}", game.id),
                    Event::Void(void) => format!("void {}", void.id),
                    other => unreachable!("{other:?}"),
                });
            }
            assert_eq!(order, ["1 at 0", "2 at 1", "void 3", "4 at 3"]);
        });
    }

    #[test]
    fn a_retry_ends_when_hurried() {
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
