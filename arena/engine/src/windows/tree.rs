//! The descendants of this process: all of them belong to jobs.

use std::sync::{Arc, Mutex, Weak};

use super::job::Job;
use fanorona_tournament::mutex::lock;

/// The jobs of all engines that are running.
static JOBS: Mutex<Vec<Weak<Job>>> = Mutex::new(Vec::new());

/// Adds the job of an engine.
pub(crate) fn remember(job: &Arc<Job>) {
    let mut jobs = lock(&JOBS);
    jobs.retain(|job| job.strong_count() > 0);
    jobs.push(Arc::downgrade(job));
}

/// Whether this process started another one, itself or through processes that it started. A process
/// that cannot be examined counts as started.
pub fn started_by_this_process(process: i32) -> bool {
    let jobs: Vec<Arc<Job>> = lock(&JOBS).iter().filter_map(Weak::upgrade).collect();
    jobs.iter().any(|job| job.has(process.cast_unsigned()))
}
