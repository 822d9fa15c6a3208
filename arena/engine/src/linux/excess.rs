//! The bounds that the processes of an engine exceed.

use std::path::Path;

use nix::unistd::Pid;

use super::memory::{self, Memory};
use super::open_files::OpenFiles;
use super::tree;
use crate::bounds::{Bounds, Excess, Resource};
use crate::posix::checks::over;

/// The first bound that these processes exceed together. An engine without a sandbox can be a program of
/// another user, which hides everything.
pub(crate) fn of_processes(
    bounds: &Bounds,
    pids: &[Pid],
    home: &Path,
    is_confined: bool,
) -> Option<Excess> {
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
        let excess = of_processes(&bounds, &me, Path::new("/"), true).map(|excess| excess.resource);
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
            of_processes(bounds, &me, home.path(), true).map(|excess| excess.resource)
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
}
