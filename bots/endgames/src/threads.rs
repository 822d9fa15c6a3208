//! Sharing work between threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Has every worker, each in a thread of its own, take items from 0 to below `count` until none is
/// left, then finish.
pub(super) fn share<W: Send>(
    workers: &mut [W],
    count: usize,
    work: impl Fn(&mut W, usize) + Sync,
    finish: impl Fn(&mut W) + Sync,
) {
    let (next, work, finish) = (&AtomicUsize::new(0), &work, &finish);
    thread::scope(|scope| {
        for worker in workers {
            scope.spawn(move || {
                loop {
                    let item = next.fetch_add(1, Ordering::Relaxed);
                    if item >= count {
                        return finish(worker);
                    }
                    work(worker, item);
                }
            });
        }
    });
}
