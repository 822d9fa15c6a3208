//! Printing while games are played. A reader that stops reading, such as a pager or a terminal after
//! Ctrl-S, blocks the thread that prints. Each stream therefore has its own thread, and the tournament
//! only puts text into that thread's queue.
//!
//! The queue has no limit. Its owner can ask how much is waiting, and decides what to do about it.

use fanorona_tournament::mutex::lock;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::platform::{AsStream, copied};

/// A queue with a thread that prints. The thread ends with the last clone, or with the process.
#[derive(Debug)]
pub(crate) struct Outlet<T> {
    queue: Arc<Queue<T>>,
    /// Counts the clones; the thread's reference to the queue does not count.
    ways: Arc<()>,
}

impl<T> Clone for Outlet<T> {
    fn clone(&self) -> Outlet<T> {
        Outlet { queue: self.queue.clone(), ways: self.ways.clone() }
    }
}

#[derive(Debug)]
struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    /// The waiting items with their sizes in bytes. The first one is being printed.
    waiting: VecDeque<(Option<T>, usize)>,
    /// The total size of the waiting items.
    bytes: usize,
    /// The number of printed items.
    printed: u64,
    /// No more items will be added.
    over: bool,
}

impl<T> Queue<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        lock(&self.state)
    }
}

impl<T: Send + 'static> Outlet<T> {
    /// Starts the thread, which passes one item after another to `print`.
    ///
    /// # Errors
    /// Returns an error if no thread can be started.
    pub(crate) fn start(mut print: impl FnMut(T) + Send + 'static) -> io::Result<Outlet<T>> {
        let state = State { waiting: VecDeque::new(), bytes: 0, printed: 0, over: false };
        let queue = Arc::new(Queue { state: Mutex::new(state), changed: Condvar::new() });
        let outlet = Outlet { queue: queue.clone(), ways: Arc::new(()) };
        thread::Builder::new().spawn(move || {
            loop {
                let mut state = queue.state();
                while state.waiting.is_empty() && !state.over {
                    state = queue.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                let Some((first, _)) = state.waiting.front_mut() else { return };
                let thing = first.take();
                drop(state);
                thing.into_iter().for_each(&mut print);
                let mut state = queue.state();
                let bytes = state.waiting.pop_front().map_or(0, |(_, bytes)| bytes);
                state.bytes -= bytes;
                state.printed += 1;
            }
        })?;
        Ok(outlet)
    }

    /// Adds an item to the queue; until it is printed it counts as `bytes` bytes.
    pub(crate) fn put(&self, thing: T, bytes: usize) {
        let mut state = self.queue.state();
        state.waiting.push_back((Some(thing), bytes));
        state.bytes += bytes;
        self.queue.changed.notify_one();
    }

    /// The number of bytes waiting to be printed.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.state().bytes
    }

    /// The number of items waiting to be printed.
    pub(crate) fn count(&self) -> usize {
        self.queue.state().waiting.len()
    }

    /// Waits until the queue is empty, or until nothing has been printed for `patience`. Returns
    /// whether the queue is empty.
    pub(crate) async fn flushed(&self, patience: Option<Duration>) -> bool {
        let (mut printed, mut since) = (0, Instant::now());
        loop {
            let (left, so_far) = {
                let state = self.queue.state();
                (state.waiting.len(), state.printed)
            };
            if left == 0 {
                return true;
            }
            if so_far > printed {
                (printed, since) = (so_far, Instant::now());
            }
            if patience.is_some_and(|patience| since.elapsed() >= patience) {
                return false;
            }
            sleep(Duration::from_millis(5)).await;
        }
    }
}

impl<T> Drop for Outlet<T> {
    fn drop(&mut self) {
        if Arc::strong_count(&self.ways) == 1 {
            self.queue.state().over = true;
            self.queue.changed.notify_one();
        }
    }
}

/// A standard stream, written to without the lock that the rest of the program may need while this
/// waits for a reader. After an error all output is dropped.
pub(crate) struct Stream(Option<File>);

impl Stream {
    pub(crate) fn of(stream: impl AsStream) -> Stream {
        Stream(copied(stream).ok())
    }

    /// Writes a line and waits for its reader as long as it takes. Only the first error is returned:
    /// after it, nothing is written.
    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        let Some(file) = &mut self.0 else { return Ok(()) };
        let written = write_all(file, format!("{text}\n").as_bytes());
        if written.is_err() {
            self.0 = None;
        }
        written
    }
}

/// Writes everything. Another process that shares the stream may have made it non-blocking, so a
/// write that would block is retried.
fn write_all(out: &mut impl Write, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match out.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(why) if why.kind() == ErrorKind::Interrupted => {}
            Err(why) if why.kind() == ErrorKind::WouldBlock => {
                thread::sleep(Duration::from_millis(10));
            }
            Err(why) => return Err(why),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
    }

    #[test]
    fn an_outlet_never_waits_and_prints_in_order() {
        let (reads, may_print) = mpsc::channel();
        let (shown, seen) = mpsc::channel();
        let outlet = Outlet::start(move |number: u32| {
            may_print.recv().unwrap();
            shown.send(number).unwrap();
        });
        let outlet = outlet.unwrap();
        (0..1000).for_each(|number| outlet.put(number, 7));
        assert_eq!((outlet.count(), outlet.waiting()), (1000, 7000));
        assert!(!runtime().block_on(outlet.flushed(Some(Duration::from_millis(20)))));
        (0..1000).for_each(|_| reads.send(()).unwrap());
        assert!(runtime().block_on(outlet.flushed(None)));
        assert_eq!((outlet.count(), outlet.waiting()), (0, 0));
        assert!(seen.try_iter().eq(0..1000));
        // The thread ends and drops its closure.
        let clone = outlet.clone();
        drop(outlet);
        clone.put(1000, 7);
        reads.send(()).unwrap();
        assert_eq!(seen.recv(), Ok(1000));
        drop(clone);
        assert!(seen.recv().is_err());
    }

    #[test]
    fn a_stream_that_refuses_to_wait_is_asked_again() {
        struct Reluctant(Vec<u8>, bool);
        impl Write for Reluctant {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.1 = !self.1;
                if self.1 {
                    return Err(ErrorKind::WouldBlock.into());
                }
                self.0.push(bytes[0]);
                Ok(1)
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut out = Reluctant(Vec::new(), false);
        write_all(&mut out, b"line\n").unwrap();
        assert_eq!(out.0, b"line\n");
    }
}
