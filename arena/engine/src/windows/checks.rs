//! The checks that enforce an engine's bounds: a job's limits would make the engine fail without
//! telling the arena why.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::job::Job;
use crate::bounds::{Bounds, Excess, Resource};

/// The minimum pause after a check. With a memory bound it is shorter, because memory can grow fast.
const MIN_PAUSE: Duration = Duration::from_millis(100);
const MIN_MEMORY_PAUSE: Duration = Duration::from_millis(50);

/// The minimum pause after a check, as a multiple of its time.
const PAUSE_FACTOR: u32 = 20;

/// Looks at the bounds of an engine with this private directory once. Returns the first exceeded
/// bound, and the pause that must follow.
pub(crate) fn look(bounds: &Bounds, job: &Job, home: &Path) -> (Option<Excess>, Duration) {
    let begin = Instant::now();
    let over =
        |resource, have: u64, limit: u64| (have > limit).then_some(Excess { resource, limit });
    let of_memory = || over(Resource::Memory, job.memory(), bounds.memory?);
    let excess = over(Resource::Processes, job.running(), bounds.processes)
        .or_else(of_memory)
        .or_else(|| directory(bounds, home));
    let least = if bounds.memory.is_some() { MIN_MEMORY_PAUSE } else { MIN_PAUSE };
    (excess, least.max(begin.elapsed() * PAUSE_FACTOR))
}

/// Measures the private directory until it exceeds a bound.
fn directory(bounds: &Bounds, home: &Path) -> Option<Excess> {
    let (mut files, mut bytes) = (0, 0);
    let mut found: Vec<PathBuf> = vec![home.to_owned()];
    while let Some(next) = found.pop() {
        // A directory can be removed meanwhile.
        for entry in fs::read_dir(&next).into_iter().flatten().filter_map(Result::ok) {
            files += 1;
            if files > bounds.files {
                return Some(Excess { resource: Resource::Files, limit: bounds.files });
            }
            // Of a link this is the link itself.
            if let Ok(data) = entry.metadata() {
                bytes += data.len();
                if data.is_dir() {
                    found.push(entry.path());
                }
            }
        }
    }
    bounds
        .disk
        .and_then(|limit| (bytes > limit).then_some(Excess { resource: Resource::Disk, limit }))
}
