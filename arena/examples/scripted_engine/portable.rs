//! The vices that every system has. Those of Linux end the engine with a message.

use std::env::current_exe;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::SCRIPT;

/// Ends the engine.
fn only_linux() -> ! {
    panic!("this vice is one of Linux")
}

/// There is no request to end.
pub(crate) fn block_terminate() {}

/// Dies without words.
pub(crate) fn break_a_segment() -> ! {
    std::process::abort()
}

pub(crate) fn kill_parent() {
    only_linux()
}

pub(crate) fn close_stdout() {
    only_linux()
}

pub(crate) fn tell(_: &str) {
    only_linux()
}

pub(crate) fn trespass(_: &str, _: u16) -> String {
    only_linux()
}

/// A program that only sleeps.
pub(crate) fn sleeper() -> Command {
    let mut command = Command::new(current_exe().expect("this program has a place"));
    command.env(SCRIPT, "sleeps");
    command
}

/// Uses a processor for this long.
pub(crate) fn work(time: Duration) {
    let begin = Instant::now();
    while begin.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// Starts a process that leaves the streams behind, and as much more as the system allows.
pub(crate) fn daemonize() {
    let mut command = sleeper();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        use windows_sys::Win32::System::Threading::{
            CREATE_BREAKAWAY_FROM_JOB, CREATE_NEW_PROCESS_GROUP, DETACHED_PROCESS,
        };
        let detached = DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP;
        command.creation_flags(detached | CREATE_BREAKAWAY_FROM_JOB);
        if command.spawn().is_ok() {
            return;
        }
        command.creation_flags(detached);
    }
    drop(command.spawn().expect("it sleeps"));
}

/// Starts processes, each on its own.
pub(crate) fn breed(count: u32) {
    (0..count).for_each(|_| daemonize());
}
