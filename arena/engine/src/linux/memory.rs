//! The memory of processes, read from `/proc`.

use std::fs;
use std::path::PathBuf;

use nix::unistd::Pid;

/// The memory of a process in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Memory {
    /// The directory in `/proc` that shows it: that of the process, or that of another thread if the
    /// first has exited.
    pub(crate) dir: PathBuf,
    /// Resident memory, what was resident before the system swapped it out, and the page tables.
    used: u64,
    /// The part of it that is resident and shared.
    shared: u64,
}

impl Memory {
    /// The memory of a process; `None` if it has none, because it is exiting or has exited.
    pub(crate) fn of(process: Pid) -> Option<Memory> {
        let dir = PathBuf::from(format!("/proc/{process}"));
        if let Some(memory) = Memory::shown_in(dir.clone()) {
            return Some(memory);
        }
        // The first thread can exit before the others, which all have the same memory.
        let threads = fs::read_dir(dir.join("task")).ok()?.filter_map(Result::ok);
        threads.map(|thread| thread.path()).find_map(Memory::shown_in)
    }

    fn shown_in(dir: PathBuf) -> Option<Memory> {
        let status = fs::read_to_string(dir.join("status")).ok()?;
        let field = |name: &str| {
            let value =
                status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            Some(value.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
        };
        let others = ["VmSwap", "VmPTE", "HugetlbPages"].into_iter().filter_map(field);
        let used = field("VmRSS")? + others.sum::<u64>();
        Some(Memory { dir, used, shared: field("RssShmem").unwrap_or(0) })
    }
}

/// The memory of some processes in bytes. Shared memory is counted once per process.
///
/// `in_memory` is the size of files in memory. Mapped pages of these files are also resident, and
/// cannot be distinguished from other shared memory, so the larger of both numbers counts.
pub(crate) fn used(processes: &[Memory], in_memory: u64) -> u64 {
    let used: u64 = processes.iter().map(|memory| memory.used).sum();
    let shared: u64 = processes.iter().map(|memory| memory.shared).sum();
    used.saturating_sub(shared) + shared.max(in_memory)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_memory_of_a_process_without_its_first_thread_counts() {
        let program = "import ctypes, threading, time; kept = b'x' * (32 << 20); \
                       threading.Thread(target=lambda: (print(len(kept), flush=True), input())).start(); \
                       ctypes.CDLL(None).pthread_exit(None)";
        let mut command = std::process::Command::new("python3");
        command.args(["-c", program]).stdin(std::process::Stdio::piped());
        command.stderr(std::process::Stdio::null());
        let Ok(mut child) = command.stdout(std::process::Stdio::piped()).spawn() else {
            let what = "NOT RUN: memory without the first thread: there is no python3";
            let _ = writeln!(std::io::stderr(), "{what}");
            return;
        };
        let mut line = [0; 9];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut line).unwrap();
        let stat = || fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        while !stat().contains(") Z ") {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let memory = Memory::of(Pid::from_raw(child.id() as i32)).unwrap();
        assert!(memory.dir.to_str().unwrap().contains("/task/"), "{memory:?}");
        assert!(used(&[memory], 0) > 32 << 20);
        drop(child.stdin.take());
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn the_memory_of_processes_adds_up() {
        let own = Memory::of(Pid::this()).unwrap();
        let one = used(std::slice::from_ref(&own), 0);
        assert!((100_000..1_000_000_000).contains(&one), "{one}");
        assert_eq!(used(&[own.clone(), own.clone()], 0), 2 * one);
        assert!(used(std::slice::from_ref(&own), 1 << 40) >= 1 << 40);
        assert_eq!(Memory::of(Pid::from_raw(i32::MAX)), None);
    }
}
