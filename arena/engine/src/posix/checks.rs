//! The repetition of the checks that enforce an engine's bounds.
//!
//! The kernel can limit a process or a user, but an engine is a group of processes. Its supervisor
//! therefore checks the bounds often. A check uses processor time, and an engine can increase that
//! by using many resources. The pause before the next check is therefore proportional to the
//! processor time of the last one. Its elapsed time would be the wrong measure: on a busy machine a
//! short check can take long, and a long pause would let the engine exceed its bounds for seconds.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};

use super::home::Usage;
use crate::bounds::{Bounds, Excess, Resource};

/// The minimum pause after a check. With a memory bound it is shorter, because memory can grow
/// fast.
const MIN_PAUSE: Duration = Duration::from_millis(100);
const MIN_MEMORY_PAUSE: Duration = Duration::from_millis(50);

/// The minimum pause after a check, as a multiple of the check's processor time.
const PAUSE_FACTOR: u32 = 20;

/// Checks the bounds of one engine repeatedly.
pub(crate) struct Checks {
    bounds: Bounds,
    home: PathBuf,
    /// The times of the next checks of its processes and of its directory.
    processes: Instant,
    directory: Instant,
}

impl Checks {
    /// Checks the engine with this private directory.
    pub(crate) fn new(bounds: Bounds, home: PathBuf) -> Checks {
        let now = Instant::now();
        Checks { bounds, home, processes: now, directory: now }
    }

    /// The time until the next check.
    pub(crate) fn pause(&self) -> Duration {
        self.processes.min(self.directory).saturating_duration_since(Instant::now())
    }

    /// Runs the checks that are due: one of the engine's processes, and one of its directory, of which
    /// `measure` is the usage up to a limit. Returns the first exceeded bound.
    pub(crate) fn run(
        &mut self,
        check_processes: impl FnOnce(&Bounds, &Path) -> Option<Excess>,
        measure: impl FnOnce(&Path, Usage) -> Usage,
    ) -> Option<Excess> {
        let Checks { bounds, home, processes, directory } = self;
        let min_pause = if bounds.memory.is_some() { MIN_MEMORY_PAUSE } else { MIN_PAUSE };
        let excess = due(processes, min_pause, || check_processes(bounds, home));
        excess.or_else(|| due(directory, min_pause, || check_directory(bounds, home, measure)))
    }
}

/// Runs a check if its time has come, and sets the time of the next one.
fn due(
    next: &mut Instant,
    min_pause: Duration,
    check: impl FnOnce() -> Option<Excess>,
) -> Option<Excess> {
    if Instant::now() < *next {
        return None;
    }
    let (excess, pause) = timed(min_pause, check);
    *next = Instant::now() + pause;
    excess
}

/// Runs a check. Returns its result and the pause that must follow it.
fn timed<T>(min_pause: Duration, check: impl FnOnce() -> T) -> (T, Duration) {
    let begin = processor_time();
    let result = check();
    (result, min_pause.max((processor_time() - begin) * PAUSE_FACTOR))
}

/// The processor time that this thread has used.
fn processor_time() -> Duration {
    // Every system here has this clock.
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

fn check_directory(
    bounds: &Bounds,
    home: &Path,
    measure: impl FnOnce(&Path, Usage) -> Usage,
) -> Option<Excess> {
    let limit = Usage { files: bounds.files, bytes: bounds.disk.unwrap_or(u64::MAX) };
    let usage = measure(home, limit);
    over(Resource::Files, usage.files, limit.files)
        .or_else(|| over(Resource::Disk, usage.bytes, limit.bytes))
}

/// The excess of a resource, if there is more of it than its bound.
pub(crate) fn over(resource: Resource, have: u64, limit: u64) -> Option<Excess> {
    (have > limit).then_some(Excess { resource, limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_followed_by_a_pause() {
        let bounds = Bounds { memory: None, processes: 1000, files: 3, disk: None };
        let mut checks = Checks::new(bounds, "/home".into());
        let mut run = || checks.run(|_, _| None, |_, _| Usage { files: 4, bytes: 0 });
        assert_eq!(run(), Some(Excess { resource: Resource::Files, limit: 3 }));
        assert_eq!(run(), None, "the next check is not due");
        assert!(checks.pause() > MIN_PAUSE / 2);
    }

    #[test]
    fn a_pause_is_proportional_to_the_processor_time_of_a_check() {
        const WORK: Duration = Duration::from_millis(20);
        let work = || {
            let begin = processor_time();
            while processor_time() - begin < WORK {}
        };
        let ((), pause) = timed(MIN_PAUSE, work);
        assert!(pause >= WORK * PAUSE_FACTOR, "{pause:?}");
        // A check that waits uses no processor time, however long it takes.
        let ((), pause) = timed(MIN_PAUSE, || std::thread::sleep(10 * WORK));
        assert!(pause < WORK * PAUSE_FACTOR, "{pause:?}");
    }
}
