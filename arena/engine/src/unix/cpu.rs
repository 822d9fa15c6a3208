//! The processor time used by an engine, cheap enough to read around every move.

use std::collections::BTreeMap;
use std::time::Duration;

use nix::unistd::Pid;
use tokio::time::Instant;

use super::{table, tree};
use crate::waiting::Account;

/// The maximum age of the list of an engine's processes. Reading the time of one takes about a
/// microsecond; listing them takes longer.
const LIST_MAX_AGE: Duration = Duration::from_secs(1);

/// Sums the processor time of all processes of a supervisor's engine, running and ended.
#[derive(Debug)]
pub(crate) struct CpuMeter {
    supervisor: Pid,
    /// The last reading of each process of the last listing, which remains valid after the process ends.
    shown: BTreeMap<Pid, Duration>,
    listed: Option<Instant>,
    /// The last returned sum. The sum never decreases.
    sum: Duration,
}

impl CpuMeter {
    /// A meter of the processes of a supervisor's engine; the time of the supervisor does not count.
    pub(crate) fn new(supervisor: Pid) -> CpuMeter {
        CpuMeter { supervisor, shown: BTreeMap::new(), listed: None, sum: Duration::ZERO }
    }

    /// The processor time used so far. It does not include processes started since the last
    /// listing, at most a second ago, or ended processes that their parents have not waited for.
    pub(crate) fn read(&mut self) -> Duration {
        // A list that was made before the engine began must not keep its time until later.
        let is_old = self.listed.is_none_or(|listed| listed.elapsed() >= LIST_MAX_AGE);
        if is_old || self.shown.is_empty() {
            self.list();
        }
        for (&process, shown) in &mut self.shown {
            if let Some(usage) = table::usage(process) {
                *shown = usage.time;
            }
        }
        self.sum = self.sum.max(self.shown.values().sum());
        self.sum
    }

    /// The times of all processes that are there now; the system does not report those of threads.
    pub(crate) fn account(&mut self) -> Account {
        self.list();
        Account { used: self.read(), ..Account::default() }
    }

    /// Whether a process is ready to run, on a processor or waiting for one.
    pub(crate) fn is_ready(&self) -> bool {
        self.shown.keys().any(|&process| table::state(process) == Some(table::State::Ready))
    }

    /// Whether the time of processes that have ended may be missing. It matters to the waiting for a
    /// processor, which the system does not report.
    pub(crate) fn forgets(&self) -> bool {
        false
    }

    fn list(&mut self) {
        self.listed = Some(Instant::now());
        self.shown =
            tree::near(self.supervisor).into_iter().map(|it| (it, Duration::ZERO)).collect();
    }
}
