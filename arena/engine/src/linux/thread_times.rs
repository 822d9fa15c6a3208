//! The times of threads: on a processor, and waiting for one. Linux reports them in
//! `/proc/PID/task/TID/schedstat` if it is built with `CONFIG_SCHED_INFO`, as distributions do.

use std::fs;
use std::time::Duration;

use nix::unistd::Pid;

use super::tree;
use crate::waiting::ThreadTimes;

/// The times of a process's threads; empty if the system does not report them.
pub(crate) fn threads_of(process: Pid) -> Vec<(u32, ThreadTimes)> {
    let of_thread = |thread: Pid| {
        let text = fs::read_to_string(format!("/proc/{process}/task/{thread}/schedstat")).ok()?;
        Some((thread.as_raw().cast_unsigned(), parse(&text)?))
    };
    tree::threads(process).into_iter().filter_map(of_thread).collect()
}

/// The times of the calling thread; `None` if the system does not report them.
pub(crate) fn of_this_thread() -> Option<ThreadTimes> {
    parse(&fs::read_to_string("/proc/thread-self/schedstat").ok()?)
}

/// Whether the system reports how long threads wait for a processor.
pub fn is_reported() -> bool {
    of_this_thread().is_some()
}

/// The fields are the time on a processor, the time waiting for one, both in nanoseconds, and the
/// number of turns on it. All are zero if the system does not count.
fn parse(text: &str) -> Option<ThreadTimes> {
    let mut fields = text.split_whitespace().map(str::parse::<u64>);
    let (ran, waited, turns) = (fields.next()?.ok()?, fields.next()?.ok()?, fields.next()?.ok()?);
    let times =
        ThreadTimes { ran: Duration::from_nanos(ran), waited: Duration::from_nanos(waited) };
    (turns > 0).then_some(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_reports_times_or_does_not() {
        let times =
            ThreadTimes { ran: Duration::from_nanos(91_156), waited: Duration::from_nanos(7) };
        assert_eq!(parse("91156 7 2\n"), Some(times));
        assert_eq!(parse("91156 0 2\n"), Some(ThreadTimes { waited: Duration::ZERO, ..times }));
        assert_eq!([parse("0 0 0\n"), parse(""), parse("1 2\n"), parse("a b c\n")], [None; 4]);
        if is_reported() {
            let (own, of_all) = (of_this_thread().unwrap(), threads_of(Pid::this()));
            assert!(of_all.iter().any(|(_, it)| it.ran >= own.ran && it.waited >= own.waited));
        }
    }
}
