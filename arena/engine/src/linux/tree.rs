//! Process trees, read from `/proc`.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, SysconfVar, sysconf};

/// All present descendants of a process, parents before children, without the process itself.
pub(crate) fn descendants(of: Pid) -> Vec<Pid> {
    let mut found = vec![of];
    let mut known = BTreeSet::from([of]);
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        // A reused process number must not cause a cycle.
        found.extend(children(parent).into_iter().filter(|&child| known.insert(child)));
        next += 1;
    }
    found.remove(0);
    found
}

/// Kills all descendants of a process. They are stopped first, so that none of them can start
/// another. Killed processes may take a moment to exit.
///
/// The process must be a subreaper. Each descendant is stopped as soon as it is found, and only
/// then searched for children: a complete list of endlessly multiplying processes would always be
/// out of date.
pub(crate) fn kill_all(of: Pid) {
    let mut stopped = BTreeSet::new();
    loop {
        let before = stopped.len();
        while stop_below(&[of], &mut stopped) {}
        // Find children that were started during the stopping.
        let all: Vec<Pid> = stopped.iter().copied().collect();
        stop_below(&all, &mut stopped);
        if stopped.len() == before {
            break;
        }
    }
    for pid in stopped {
        // It may have exited already, here and below.
        let _ = kill(pid, Signal::SIGKILL);
    }
}

/// Stops the unstopped descendants of some processes. Returns whether there were any.
fn stop_below(parents: &[Pid], stopped: &mut BTreeSet<Pid>) -> bool {
    let before = stopped.len();
    let mut parents = parents.to_vec();
    while let Some(parent) = parents.pop() {
        for child in children(parent) {
            if stopped.insert(child) {
                let _ = kill(child, Signal::SIGSTOP);
                parents.push(child);
            }
        }
    }
    stopped.len() > before
}

/// Stops all descendants of a process, also those that are started meanwhile.
pub(crate) fn stop_all(of: Pid) {
    let mut stopped = BTreeSet::new();
    while stop_below(&[of], &mut stopped) {}
}

/// Whether every descendant of a process has stopped or ended. None of them can start another then.
pub(crate) fn are_stopped(of: Pid) -> bool {
    descendants(of).into_iter().all(|pid| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
        stat.ok().and_then(|stat| state(&stat)).is_none_or(|state| "TtZX".contains(state))
    })
}

/// Continues all descendants of a process. Children are continued before their parents, which may
/// otherwise take them for stopped.
pub(crate) fn continue_all(of: Pid) {
    for pid in descendants(of).into_iter().rev() {
        // It may have exited already.
        let _ = kill(pid, Signal::SIGCONT);
    }
}

/// Whether a thread of a process is ready to run, on a processor or waiting for one.
pub(crate) fn is_ready(process: Pid) -> bool {
    threads(process).into_iter().any(|thread| {
        let text = fs::read_to_string(format!("/proc/{process}/task/{thread}/stat"));
        text.is_ok_and(|text| state(&text) == Some('R'))
    })
}

/// Whether a process ignores the exits of its children, so that the system forgets their processor
/// time.
pub(crate) fn forgets_children(process: Pid) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{process}/status")) else { return false };
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (Signal::SIGCHLD as u32 - 1) & 1 == 1)
}

/// The state in the contents of a `stat` file, such as `R` or `S`.
fn state(stat: &str) -> Option<char> {
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

/// The threads of a process.
pub(crate) fn threads(of: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{of}/task")) else { return Vec::new() };
    threads.filter_map(|entry| pid(entry.ok()?.file_name().to_str()?)).collect()
}

/// The children of all threads of a process.
pub(crate) fn children(parent: Pid) -> Vec<Pid> {
    let mut children = Vec::new();
    for thread in threads(parent) {
        match fs::read_to_string(format!("/proc/{parent}/task/{thread}/children")) {
            Ok(numbers) => children.extend(numbers.split_ascii_whitespace().filter_map(pid)),
            // The thread has exited, or this kernel does not provide the list.
            Err(_) if fs::exists("/proc/thread-self/children").is_ok_and(|there| there) => {}
            Err(_) => return scanned(parent),
        }
    }
    children
}

/// The children found by reading the parents of all processes.
fn scanned(parent: Pid) -> Vec<Pid> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.filter_map(|entry| pid(entry.ok()?.file_name().to_str()?));
    pids.filter(|&child| stat(child).is_some_and(|stat| stat.parent == parent)).collect()
}

fn pid(number: &str) -> Option<Pid> {
    number.parse().ok().map(Pid::from_raw)
}

/// The contents of `/proc/PID/stat`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stat {
    /// The parent process.
    pub(crate) parent: Pid,
    /// The processor time of its children that were waited for, recursively.
    pub(crate) waited_for: Duration,
    /// The number of threads.
    pub(crate) threads: u64,
    /// The session leader.
    pub(crate) session: Pid,
}

/// Whether this process started another one, itself or through processes that it started. An
/// unknown process counts as started.
pub fn started_by_this_process(process: i32) -> bool {
    let own = Pid::this();
    let mut next = stat(Pid::from_raw(process));
    loop {
        match next {
            Some(stat) if stat.parent == own => return true,
            Some(stat) if stat.parent.as_raw() <= 1 => return false,
            Some(found) => next = stat(found.parent),
            None => return true,
        }
    }
}

/// The state of this process, with its number in the mounted `/proc`.
pub(crate) fn own_stat() -> Option<Stat> {
    parse_stat(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// The state of a process; `None` if it does not exist.
pub(crate) fn stat(pid: Pid) -> Option<Stat> {
    parse_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

fn parse_stat(text: &str) -> Option<Stat> {
    // The second field is a name in parentheses, which can contain any characters.
    let (_, fields) = text.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    // proc(5) counts from 1, and these fields begin with number 3.
    let field = |number: usize| fields.get(number - 3);
    let ticks = field(16)?.parse::<u64>().ok()? + field(17)?.parse::<u64>().ok()?;
    let per_second = sysconf(SysconfVar::CLK_TCK).ok()??.unsigned_abs();
    Some(Stat {
        parent: pid(field(4)?)?,
        session: pid(field(6)?)?,
        threads: field(20)?.parse().ok()?,
        waited_for: Duration::from_millis(ticks * 1000 / per_second.max(1)),
    })
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn names_can_contain_any_characters() {
        let text = "42 (a) R 1) (b)) S 7 42 42 0 -1 4194560 1 2 3 4 5 6 150 50 20 0 1 0 9";
        assert_eq!(
            parse_stat(text),
            Some(Stat {
                parent: Pid::from_raw(7),
                session: Pid::from_raw(42),
                waited_for: Duration::from_secs(2),
                threads: 1
            })
        );
        assert_eq!((state(text), state("42 (R")), (Some('S'), None));
        assert_eq!(parse_stat("42 (a"), None);
        assert_eq!(parse_stat("42 (a) S 7"), None);
    }

    #[test]
    fn children_and_their_children_are_descendants() {
        // A shell that waits for another one, which waits for the end of its input.
        let mut shell = Command::new("sh")
            .args(["-c", "sh -c 'echo; read line; true'; true"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = [0];
        std::io::Read::read_exact(shell.stdout.as_mut().unwrap(), &mut line).unwrap();
        let id = Pid::from_raw(shell.id() as i32);
        assert_eq!(descendants(id).len(), 1, "{:?}", descendants(id));
        assert!(descendants(Pid::this()).contains(&descendants(id)[0]));
        assert!(scanned(Pid::this()).contains(&id));
        assert_eq!(children(id), scanned(id));
        assert_eq!(stat(id).unwrap().parent, Pid::this());
        drop(shell.stdin.take());
        shell.wait().unwrap();
        assert!(descendants(id).is_empty());
        assert_eq!(stat(id), None);
    }

    #[test]
    fn processes_that_start_others_without_end_are_stopped() {
        let script = "while :; do (i=0; while [ $i -lt 100 ]; do i=$((i+1)); done) & \
                      (sh -c :) & wait; done";
        let mut shell =
            Command::new("sh").args(["-c", script]).stdin(Stdio::null()).spawn().unwrap();
        let own = Pid::this();
        let below = |of: Pid| descendants(of).into_iter().collect::<BTreeSet<_>>();
        // Other tests have children, too: here, only those of the shell are looked at.
        let id = Pid::from_raw(shell.id() as i32);
        let stop = || {
            let _ = kill(id, Signal::SIGSTOP);
            stop_all(id);
        };
        let is_stopped = |pid| {
            fs::read_to_string(format!("/proc/{pid}/stat")).ok().and_then(|it| state(&it))
                == Some('T')
        };
        for _ in 0..20 {
            stop();
            while !is_stopped(id) || !are_stopped(id) {
                stop();
            }
            let before = below(id);
            std::thread::sleep(Duration::from_millis(5));
            assert_eq!(below(id), before, "none was started");
            assert!(are_stopped(id) && descendants(own).contains(&id));
            continue_all(id);
            kill(id, Signal::SIGCONT).unwrap();
            while !is_stopped(id) && before == below(id) && !before.is_empty() {
                std::thread::yield_now();
            }
        }
        shell.kill().unwrap();
        kill_all(id);
        shell.wait().unwrap();
    }
}
