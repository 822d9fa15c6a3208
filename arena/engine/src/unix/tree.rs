//! The processes of an engine, which are found by looking.
//!
//! The supervisor of an engine leads a session, and a process stays in the session of its parent unless
//! it begins one of its own. One that does is found by its parent, and one whose parent has exited since
//! is recognised if it was [seen](Seen) before. A process that begins a session and loses its parent
//! between two looks is not found.

use std::collections::{BTreeMap, BTreeSet};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{Pid, getpgid, getsid};

use super::table::{self, Row, State};

/// The processes of an engine that were seen, by when they began: a number is used again.
pub(crate) type Seen = BTreeMap<Pid, u64>;

/// The processes of a supervisor's engine, found by parents and groups alone, which takes little time.
pub(crate) fn near(supervisor: Pid) -> Vec<Pid> {
    let mut found: BTreeSet<Pid> = BTreeSet::new();
    let mut next = table::children(supervisor);
    while let Some(pid) = next.pop() {
        if pid != supervisor && found.insert(pid) {
            next.extend(table::children(pid));
            next.extend(table::group(pid));
        }
    }
    found.into_iter().filter(|&pid| table::row(pid).is_some()).collect()
}

/// Notes the present processes of an engine, and returns those that are left of all that were noted.
pub(crate) fn look(supervisor: Pid, seen: &mut Seen) -> Vec<Pid> {
    let rows = near(supervisor).into_iter().filter_map(table::row);
    seen.extend(rows.map(|row| (row.pid, row.began)));
    seen.retain(|&pid, &mut began| table::row(pid).is_some_and(|row| row.began == began));
    seen.keys().copied().collect()
}

/// All processes of a supervisor's engine: those of its session and those seen before, with all their
/// descendants.
pub(crate) fn all(supervisor: Pid, seen: &Seen) -> Vec<Pid> {
    let is_of_session = |pid| getsid(Some(pid)) == Ok(supervisor);
    below(&table::all(), supervisor, seen, is_of_session)
}

fn below(
    rows: &[Row],
    supervisor: Pid,
    seen: &Seen,
    is_of_session: impl Fn(Pid) -> bool,
) -> Vec<Pid> {
    let is_first = |row: &&Row| {
        let is_known = seen.get(&row.pid) == Some(&row.began);
        is_known || row.parent == supervisor || is_of_session(row.pid)
    };
    let mut found: BTreeSet<Pid> = rows.iter().filter(is_first).map(|row| row.pid).collect();
    found.remove(&supervisor);
    loop {
        let before = found.len();
        let others = rows.iter().filter(|row| row.pid != supervisor);
        let more: Vec<Pid> =
            others.filter(|row| found.contains(&row.parent)).map(|row| row.pid).collect();
        found.extend(more);
        if found.len() == before {
            return found.into_iter().collect();
        }
    }
}

/// Stops all processes of an engine, also those that are started meanwhile. Returns them.
///
/// A whole group is stopped at once: processes may multiply faster than they are listed.
pub(crate) fn stop_all(supervisor: Pid, seen: &Seen) -> BTreeSet<Pid> {
    let mut stopped = BTreeSet::new();
    loop {
        let new: Vec<Pid> =
            all(supervisor, seen).into_iter().filter(|pid| !stopped.contains(pid)).collect();
        if new.is_empty() {
            return stopped;
        }
        let groups: BTreeSet<Pid> = new.iter().filter_map(|&pid| getpgid(Some(pid)).ok()).collect();
        for &group in groups.iter().filter(|&&group| group != supervisor) {
            // It may have ended already, here and below.
            let _ = killpg(group, Signal::SIGSTOP);
        }
        for pid in new {
            let _ = kill(pid, Signal::SIGSTOP);
            stopped.insert(pid);
        }
    }
}

/// Whether every process of an engine has stopped or ended. None of them can start another then.
pub(crate) fn are_stopped(supervisor: Pid) -> bool {
    let stopped = |pid| matches!(table::state(pid), None | Some(State::Stopped));
    all(supervisor, &Seen::new()).into_iter().all(stopped)
}

/// Continues all processes of an engine. Children are continued before their parents, which may otherwise
/// take them for stopped; most have higher numbers.
pub(crate) fn continue_all(supervisor: Pid) {
    for pid in all(supervisor, &Seen::new()).into_iter().rev() {
        let _ = kill(pid, Signal::SIGCONT);
    }
}

/// Kills all processes of an engine, which are stopped first, so that none of them can start another.
/// Returns whether there were any; they may take a moment to exit.
pub(crate) fn kill_all(supervisor: Pid, seen: &Seen) -> bool {
    let stopped = stop_all(supervisor, seen);
    for &pid in &stopped {
        let _ = kill(pid, Signal::SIGKILL);
    }
    !stopped.is_empty()
}

/// Whether this process started another one, itself or through processes that it started. An
/// unknown process counts as started.
pub fn started_by_this_process(process: i32) -> bool {
    let own = Pid::this();
    let mut next = table::row(Pid::from_raw(process));
    loop {
        match next {
            Some(row) if row.parent == own => return true,
            Some(row) if row.parent.as_raw() <= 1 => return false,
            Some(row) => next = table::row(row.parent),
            None => return true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use nix::unistd::setsid;

    use super::*;

    /// Processes, each with its parent and when it began.
    fn rows(rows: &[(i32, i32, u64)]) -> Vec<Row> {
        let row = |&(pid, parent, began): &(i32, i32, u64)| Row {
            pid: Pid::from_raw(pid),
            parent: Pid::from_raw(parent),
            began,
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn an_engine_is_its_session_what_was_seen_and_all_below() {
        let [supervisor, engine, escaped] = [10, 11, 40].map(Pid::from_raw);
        let table = rows(&[
            (1, 0, 0),
            (10, 1, 5),
            (11, 10, 6),
            // Orphans: in the session, seen before, and its child; others of the system.
            (20, 1, 7),
            (40, 1, 8),
            (41, 40, 9),
            (50, 1, 3),
        ]);
        let in_session = |pid: Pid| [10, 11, 20].contains(&pid.as_raw());
        let found = |seen: &Seen| {
            let found = below(&table, supervisor, seen, in_session);
            found.into_iter().map(Pid::as_raw).collect::<Vec<_>>()
        };
        assert_eq!(found(&Seen::new()), [11, 20]);
        assert_eq!(found(&Seen::from([(engine, 6), (escaped, 8)])), [11, 20, 40, 41]);
        // Another process has the number now.
        assert_eq!(found(&Seen::from([(escaped, 2)])), [11, 20]);
        // After the supervisor's end its children have another parent.
        let orphans = rows(&[(1, 0, 0), (11, 1, 6), (20, 1, 7), (21, 11, 8)]);
        let found = below(&orphans, supervisor, &Seen::new(), in_session);
        assert_eq!(found.into_iter().map(Pid::as_raw).collect::<Vec<_>>(), [11, 20, 21]);
    }

    /// The part that leads a session and starts a shell, as a supervisor starts an engine.
    #[test]
    #[ignore = "a part of the test below"]
    fn a_process_leads_a_session() {
        setsid().unwrap();
        let script = "sh -c 'sleep 600 & exec sleep 600' & echo started; wait";
        let mut shell = Command::new("sh").args(["-c", script]).spawn().unwrap();
        shell.wait().unwrap();
    }

    #[test]
    fn a_session_is_stopped_continued_and_killed_after_its_leader() {
        let part = "unix::tree::tests::a_process_leads_a_session";
        let mut leader = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", part])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let supervisor = Pid::from_raw(leader.id().cast_signed());
        // A shell, the one that it starts, and two programs of that.
        let seen = Seen::new();
        while all(supervisor, &seen).len() < 3 {
            std::thread::yield_now();
        }
        assert_eq!(near(supervisor), all(supervisor, &seen));
        assert!(!all(supervisor, &seen).contains(&supervisor));
        while !are_stopped(supervisor) {
            stop_all(supervisor, &seen);
        }
        continue_all(supervisor);
        while are_stopped(supervisor) {
            std::thread::yield_now();
        }
        assert!(started_by_this_process(all(supervisor, &seen)[0].as_raw()));
        leader.kill().unwrap();
        leader.wait().unwrap();
        assert_eq!(near(supervisor), [], "their parent is another one");
        while kill_all(supervisor, &seen) {
            std::thread::yield_now();
        }
        assert_eq!(all(supervisor, &seen), []);
    }
}
