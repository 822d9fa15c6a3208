//! The processor time used by an engine, cheap enough to read around every move.

use std::time::Duration;

use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;
use tokio::time::Instant;

use super::thread_times::threads_of;
use super::tree;
use crate::waiting::Account;

/// The maximum age of the list of an engine's processes. Reading a process's clock takes about a
/// microsecond; listing the processes takes longer.
const LIST_MAX_AGE: Duration = Duration::from_secs(1);

/// Sums the processor time of all descendants of a process, running and ended.
#[derive(Debug)]
pub(crate) struct CpuMeter {
    root: Pid,
    clocks: Vec<Clock>,
    /// The time used by ended processes that their parents have waited for.
    ended: Duration,
    listed: Option<Instant>,
    /// The last returned sum. The sum never decreases.
    sum: Duration,
}

#[derive(Debug)]
struct Clock {
    process: Pid,
    id: ClockId,
    /// The last reading, which remains valid after the process ends.
    shown: Duration,
}

impl CpuMeter {
    /// A meter of the descendants of a process; the time of the process itself does not count.
    pub(crate) fn new(root: Pid) -> CpuMeter {
        CpuMeter {
            root,
            clocks: Vec::new(),
            ended: Duration::ZERO,
            listed: None,
            sum: Duration::ZERO,
        }
    }

    /// The processor time used so far. It does not include processes started since the last
    /// listing, at most a second ago, or ended processes that their parents have not waited for.
    pub(crate) fn read(&mut self) -> Duration {
        if self.listed.is_none_or(|listed| listed.elapsed() >= LIST_MAX_AGE) {
            self.list();
        }
        for clock in &mut self.clocks {
            if let Ok(now) = clock.id.now() {
                clock.shown = now.into();
            }
        }
        let running: Duration = self.clocks.iter().map(|clock| clock.shown).sum();
        self.sum = self.sum.max(running + self.ended);
        self.sum
    }

    /// The times of all processes and threads that are there now. Takes longer than
    /// [`CpuMeter::read`].
    pub(crate) fn account(&mut self) -> Account {
        self.list();
        let threads = self.processes().flat_map(threads_of).collect();
        Account { threads, used: self.read() }
    }

    /// Whether a thread is ready to run, on a processor or waiting for one.
    pub(crate) fn is_ready(&self) -> bool {
        self.processes().any(tree::is_ready)
    }

    /// Whether the time of processes that have ended may be missing.
    pub(crate) fn forgets(&self) -> bool {
        self.processes().any(tree::forgets_children)
    }

    /// The processes of the last listing.
    fn processes(&self) -> impl Iterator<Item = Pid> {
        self.clocks.iter().map(|clock| clock.process)
    }

    fn list(&mut self) {
        self.listed = Some(Instant::now());
        self.clocks.clear();
        self.ended = tree::stat(self.root).map_or(Duration::ZERO, |stat| stat.waited_for);
        for process in tree::descendants(self.root) {
            if let (Some(stat), Ok(id)) = (tree::stat(process), clock_getcpuclockid(process)) {
                self.ended += stat.waited_for;
                self.clocks.push(Clock { process, id, shown: Duration::ZERO });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    /// The age of the list is on a clock that the test advances; processor time does not depend on
    /// how busy the machine is.
    #[tokio::test(start_paused = true)]
    async fn descendants_are_counted() {
        // A child and a grandchild, one after the other; then no more work.
        let burn = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
        let script = format!("sh -c 'sh -c \"$BURN\"; {burn}; echo; read line; true'; true");
        let mut shell = Command::new("sh")
            .args(["-c", &script])
            .env("BURN", burn)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = [0];
        std::io::Read::read_exact(shell.stdout.as_mut().unwrap(), &mut line).unwrap();
        let mut meter = CpuMeter::new(Pid::from_raw(shell.id() as i32));
        let used = meter.read();
        assert_eq!(meter.clocks.len(), 1);
        assert!(used > meter.ended && meter.ended > Duration::ZERO, "{used:?}, {meter:?}");
        tokio::time::advance(LIST_MAX_AGE).await;
        assert!(meter.read() < used + Duration::from_millis(50), "no work since");
        drop(shell.stdin.take());
        shell.wait().unwrap();
        tokio::time::advance(LIST_MAX_AGE).await;
        assert!(meter.read() >= used, "the sum never decreases");
        assert!(meter.read() < used + Duration::from_millis(50));
    }
}
