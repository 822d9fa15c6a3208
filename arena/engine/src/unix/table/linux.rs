//! The table of processes of Linux, read from `/proc`, for tests of this module there.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use nix::unistd::{Pid, SysconfVar, sysconf};

use super::{Row, State, Usage};

/// The fields of `/proc/PID/stat` after the name, of which the first is number 3 (proc(5)).
struct Stat(Vec<String>);

impl Stat {
    /// The fields of a process, if it is there and no zombie.
    fn of(pid: Pid) -> Option<Stat> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (_, fields) = text.rsplit_once(')')?;
        let stat = Stat(fields.split_ascii_whitespace().map(str::to_owned).collect());
        (!"ZX".contains(stat.word(3)?)).then_some(stat)
    }

    fn word(&self, number: usize) -> Option<&str> {
        self.0.get(number - 3).map(String::as_str)
    }

    fn number(&self, number: usize) -> Option<u64> {
        self.word(number)?.parse().ok()
    }

    fn pid(&self, number: usize) -> Option<Pid> {
        self.word(number)?.parse().ok().map(Pid::from_raw)
    }
}

/// All processes.
pub(crate) fn all() -> Vec<Row> {
    numbers().filter_map(row).collect()
}

/// A process, if it is there.
pub(crate) fn row(pid: Pid) -> Option<Row> {
    let stat = Stat::of(pid)?;
    Some(Row { pid, parent: stat.pid(4)?, began: stat.number(22)? })
}

/// The children of a process.
pub(crate) fn children(parent: Pid) -> Vec<Pid> {
    all().into_iter().filter(|row| row.parent == parent).map(|row| row.pid).collect()
}

/// The processes of a group.
pub(crate) fn group(leader: Pid) -> Vec<Pid> {
    let is_in = |&pid: &Pid| Stat::of(pid).and_then(|stat| stat.pid(5)) == Some(leader);
    numbers().filter(is_in).collect()
}

/// The processes of a user.
pub(crate) fn of_user(user: u32) -> Vec<Pid> {
    let owner = |pid: Pid| fs::metadata(format!("/proc/{pid}")).ok().map(|data| data.uid());
    numbers().filter(|&pid| owner(pid) == Some(user)).collect()
}

/// The state of a process, if it is there.
pub(crate) fn state(pid: Pid) -> Option<State> {
    Some(match Stat::of(pid)?.word(3)? {
        "R" => State::Ready,
        "T" | "t" => State::Stopped,
        _ => State::Asleep,
    })
}

/// Returns the usage of a process, if it is there.
pub(crate) fn usage(pid: Pid) -> Option<Usage> {
    let stat = Stat::of(pid)?;
    let ticks: u64 = (14..=17).map(|field| stat.number(field)).sum::<Option<_>>()?;
    let per_second = sysconf(SysconfVar::CLK_TCK).ok()??.unsigned_abs();
    let page = sysconf(SysconfVar::PAGE_SIZE).ok()??.unsigned_abs();
    Some(Usage {
        time: Duration::from_millis(ticks * 1000 / per_second.max(1)),
        memory: stat.number(24)? * page,
        threads: stat.number(20)?,
    })
}

/// The number of open descriptors of a process.
pub(crate) fn descriptors(pid: Pid) -> u64 {
    fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, |open| open.count() as u64)
}

fn numbers() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).map(Pid::from_raw)
}
