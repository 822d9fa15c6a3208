//! The checks that enforce an engine's bounds.
//!
//! The kernel can limit a process or a user, but an engine is a group of processes. Its supervisor
//! therefore checks the bounds often. A check uses processor time, and an engine can increase that
//! by using many resources. The pause before the next check is therefore proportional to the
//! processor time of the last one. Its elapsed time would be the wrong measure: on a busy machine a
//! short check can take long, and a long pause would let the engine exceed its bounds for seconds.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;

use super::memory::{self, Memory};
use super::open_files::OpenFiles;
use super::private_directory::{Usage, measure};
use super::tree;
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
    /// Whether the engine is in a sandbox. Without one it can be a program of another user, which
    /// hides everything.
    is_confined: bool,
    /// The times of the next checks of its processes and of its directory.
    processes: Instant,
    directory: Instant,
}

impl Checks {
    /// Checks the engine with this private directory.
    pub(crate) fn new(bounds: Bounds, home: PathBuf, is_confined: bool) -> Checks {
        let now = Instant::now();
        Checks { bounds, home, is_confined, processes: now, directory: now }
    }

    /// The time until the next check.
    pub(crate) fn pause(&self) -> Duration {
        self.processes.min(self.directory).saturating_duration_since(Instant::now())
    }

    /// Runs the checks that are due on the descendants of a process. Returns the first exceeded
    /// bound.
    pub(crate) fn run(&mut self, root: Pid) -> Option<Excess> {
        let min_pause = if self.bounds.memory.is_some() { MIN_MEMORY_PAUSE } else { MIN_PAUSE };
        let mut excess = None;
        let mut due = |next: &mut Instant, check: &dyn Fn() -> Option<Excess>| {
            if excess.is_none() && Instant::now() >= *next {
                let pause;
                (excess, pause) = timed(min_pause, check);
                *next = Instant::now() + pause;
            }
        };
        let Checks { bounds, home, is_confined, processes, directory } = self;
        due(processes, &|| check_processes(bounds, &tree::descendants(root), home, *is_confined));
        due(directory, &|| check_directory(bounds, home));
        excess
    }
}

/// Runs a check. Returns its result and the pause that must follow it.
fn timed<T>(min_pause: Duration, check: impl FnOnce() -> T) -> (T, Duration) {
    let begin = processor_time();
    let result = check();
    (result, min_pause.max((processor_time() - begin) * PAUSE_FACTOR))
}

/// The processor time that this thread has used.
fn processor_time() -> Duration {
    // Every Linux has this clock.
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

fn check_directory(bounds: &Bounds, home: &std::path::Path) -> Option<Excess> {
    let limit = Usage { files: bounds.files, bytes: bounds.disk.unwrap_or(u64::MAX) };
    let usage = measure(home, limit);
    if usage.files > limit.files {
        return Some(Excess { resource: Resource::Files, limit: limit.files });
    }
    (usage.bytes > limit.bytes).then_some(Excess { resource: Resource::Disk, limit: limit.bytes })
}

fn check_processes(
    bounds: &Bounds,
    pids: &[Pid],
    home: &std::path::Path,
    is_confined: bool,
) -> Option<Excess> {
    let over =
        |resource, have: u64, limit: u64| (have > limit).then_some(Excess { resource, limit });
    let threads = || pids.iter().filter_map(|&pid| Some(tree::stat(pid)?.threads)).sum();
    let processes = over(Resource::Processes, pids.len() as u64, bounds.processes)
        .or_else(|| over(Resource::Processes, threads(), bounds.processes));
    if processes.is_some() {
        return processes;
    }
    let memory: Vec<Memory> = pids.iter().filter_map(|&pid| Memory::of(pid)).collect();
    let open = OpenFiles::of(&memory, bounds.files, home);
    let hidden = u64::from(is_confined && open.hidden);
    over(Resource::Descriptors, open.descriptors, bounds.files)
        .or_else(|| over(Resource::Hidden, hidden, 0))
        .or_else(|| over(Resource::Disk, open.removed, bounds.disk?))
        .or_else(|| over(Resource::Memory, memory::used(&memory, open.in_memory), bounds.memory?))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::path::Path;

    use super::*;

    const ROOMY: Bounds = Bounds { memory: None, processes: 1000, files: 1000, disk: None };

    #[test]
    fn unmapped_memory_files_count() {
        let me = [Pid::this()];
        let in_memory = || {
            let own = Memory::of(Pid::this()).unwrap();
            OpenFiles::of(&[own], 1000, Path::new("/")).in_memory
        };
        let before = in_memory();
        let name = c"a test";
        let file = nix::sys::memfd::memfd_create(name, nix::sys::memfd::MFdFlags::empty()).unwrap();
        let mut file = fs::File::from(file);
        file.write_all(&vec![1; 64 << 20]).unwrap();
        let _again = file.try_clone().unwrap();
        assert_eq!(in_memory() - before, 64 << 20);
        // It counts even though this process maps little memory.
        let bounds = Bounds { memory: Some(60 << 20), ..ROOMY };
        let excess =
            check_processes(&bounds, &me, Path::new("/"), true).map(|excess| excess.resource);
        assert_eq!(excess, Some(Resource::Memory));
    }

    #[test]
    fn removed_files_and_descriptors_count() {
        let me = [Pid::this()];
        let home = tempfile::tempdir().unwrap();
        let mut file = tempfile::tempfile_in(home.path()).unwrap();
        file.write_all(&vec![1; 4 << 20]).unwrap();
        file.sync_all().unwrap();
        let disk = |limit| Bounds { disk: Some(limit), ..ROOMY };
        let look = |bounds: &Bounds| {
            check_processes(bounds, &me, home.path(), true).map(|excess| excess.resource)
        };
        assert_eq!(look(&disk(3 << 20)), Some(Resource::Disk));
        assert_eq!(look(&disk(1 << 40)), None);
        assert_eq!(look(&Bounds { files: 2, ..ROOMY }), Some(Resource::Descriptors));
        // Threads count like processes.
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
        let threads: Vec<_> = (0..20)
            .map(|_| {
                let wait = wait.clone();
                std::thread::spawn(move || wait.lock().unwrap().recv().is_err())
            })
            .collect();
        assert_eq!(look(&Bounds { processes: 19, ..ROOMY }), Some(Resource::Processes));
        drop(release);
        assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
    }

    #[test]
    fn a_check_is_followed_by_a_pause() {
        let home = tempfile::tempdir().unwrap();
        let mut checks = Checks::new(Bounds { files: 3, ..ROOMY }, home.path().to_owned(), true);
        assert_eq!(checks.pause(), Duration::ZERO);
        for name in ["a", "b", "c", "d"] {
            fs::write(home.path().join(name), "").unwrap();
        }
        // No process has this number, so it has no descendants.
        let childless = Pid::from_raw(i32::MAX);
        assert_eq!(checks.run(childless), Some(Excess { resource: Resource::Files, limit: 3 }));
        assert!(checks.pause() > MIN_PAUSE / 2);
        assert_eq!(checks.run(childless), None, "the next check is not due");
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
