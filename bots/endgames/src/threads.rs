//! Sharing work between threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Distributes the items from 0 to below `count` among workers, each of which finishes when no
/// items are left. Several workers run in a thread each. A single worker needs no thread, so it
/// works on platforms without threads.
pub(super) fn distribute<W: Send>(
    workers: &mut [W],
    count: usize,
    work: impl Fn(&mut W, usize) + Sync,
    finish: impl Fn(&mut W) + Sync,
) {
    let next = AtomicUsize::new(0);
    let run = |worker: &mut W| {
        loop {
            let item = next.fetch_add(1, Ordering::Relaxed);
            if item >= count {
                return finish(worker);
            }
            work(worker, item);
        }
    };
    if let [worker] = workers {
        return run(worker);
    }
    let run = &run;
    thread::scope(|scope| {
        for worker in workers {
            scope.spawn(move || run(worker));
        }
    });
}
