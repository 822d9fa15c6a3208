//! The system's table of processes.

use std::time::Duration;

use nix::unistd::Pid;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;

#[cfg(target_os = "linux")]
pub(crate) use linux::{all, children, descriptors, group, of_user, row, state, usage};
#[cfg(target_os = "macos")]
pub(crate) use macos::{all, children, descriptors, group, of_user, row, state, usage};
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
compile_error!("no table of processes for this system: add one beside `macos`");

/// A process that is no zombie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) pid: Pid,
    pub(crate) parent: Pid,
    /// The time it began. No two processes of one number began at the same time.
    pub(crate) began: u64,
}

/// Whether a process wants to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// It runs or waits for a processor.
    Ready,
    /// A signal has stopped it.
    Stopped,
    /// It waits for something else.
    Asleep,
}

/// The resources that a process uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Usage {
    /// Processor time, with that of its children that ended and were waited for.
    pub(crate) time: Duration,
    /// Bytes of memory, with those that the system has compressed or swapped out.
    pub(crate) memory: u64,
    /// The number of threads.
    pub(crate) threads: u64,
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use nix::sys::signal::{Signal, kill};

    use super::*;

    #[test]
    fn a_child_is_in_the_table_until_it_is_waited_for() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_raw(child.id().cast_signed());
        let own = row(pid).unwrap();
        assert_eq!((own.pid, own.parent), (pid, Pid::this()));
        assert!(all().contains(&own) && children(Pid::this()).contains(&pid));
        assert!(group(nix::unistd::getpgrp()).contains(&pid));
        assert!(of_user(rustix::process::getuid().as_raw()).contains(&pid));
        assert_eq!(usage(pid).unwrap().threads, 1);
        assert!(descriptors(pid) >= 3);
        kill(pid, Signal::SIGSTOP).unwrap();
        while state(pid) != Some(State::Stopped) {
            std::thread::yield_now();
        }
        kill(pid, Signal::SIGKILL).unwrap();
        child.wait().unwrap();
        assert_eq!((row(pid), state(pid), usage(pid)), (None, None, None));
        assert!(!children(Pid::this()).contains(&pid));
    }

    #[test]
    fn processor_time_and_memory_are_in_nanoseconds_and_bytes() {
        let own = || usage(Pid::this()).unwrap();
        let before = own();
        let clock = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID;
        let now = || Duration::from(clock.now().unwrap());
        let begin = now();
        while now() < begin + Duration::from_millis(300) {}
        // Other tests use processor time, too, which both clocks count.
        let (counted, passed) = (own().time - before.time, now() - begin);
        assert!(counted >= Duration::from_millis(250), "{counted:?}");
        assert!(counted <= passed * 2, "{counted:?} in {passed:?}");
        let memory = vec![1_u8; 64 << 20];
        assert!(own().memory >= 64 << 20 && memory.len() == 64 << 20);
    }
}
