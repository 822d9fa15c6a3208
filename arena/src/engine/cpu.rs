//! The processor time an engine has used, cheap enough to be asked for around every move.

use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;

use super::tree;

/// How old the list of an engine's processes may get. Reading their clocks takes about a
/// microsecond each; finding out which there are takes longer.
const LIST_KEPT: Duration = Duration::from_secs(1);

/// Adds up the processor time of everything a process has started, now and before.
#[derive(Debug)]
pub(super) struct CpuMeter {
    root: Pid,
    clocks: Vec<Clock>,
    /// What ended processes had used, as far as somebody has waited for them.
    ended: Duration,
    listed: Option<Instant>,
    /// The sum given last: what has been used is never given back.
    sum: Duration,
}

#[derive(Debug)]
struct Clock {
    id: ClockId,
    /// What it showed last, which stands once the process is gone.
    shown: Duration,
}

impl CpuMeter {
    /// A meter of whatever a process starts; its own time does not count.
    pub(super) fn new(root: Pid) -> CpuMeter {
        CpuMeter {
            root,
            clocks: Vec::new(),
            ended: Duration::ZERO,
            listed: None,
            sum: Duration::ZERO,
        }
    }

    /// The processor time used so far. Processes that have come since the last look, at most a
    /// second ago, are not in it yet, nor is what was used by one that nobody has waited for.
    pub(super) fn read(&mut self) -> Duration {
        if self.listed.is_none_or(|listed| listed.elapsed() >= LIST_KEPT) {
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

    fn list(&mut self) {
        self.listed = Some(Instant::now());
        self.clocks.clear();
        self.ended = tree::stat(self.root).map_or(Duration::ZERO, |stat| stat.waited_for);
        for pid in tree::descendants(self.root) {
            if let (Some(stat), Ok(id)) = (tree::stat(pid), clock_getcpuclockid(pid)) {
                self.ended += stat.waited_for;
                self.clocks.push(Clock { id, shown: Duration::ZERO });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn what_a_process_starts_is_counted() {
        // A child and its child, one after the other; then nothing more.
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
        std::thread::sleep(LIST_KEPT);
        assert!(meter.read() < used + Duration::from_millis(50), "it has done nothing since");
        drop(shell.stdin.take());
        shell.wait().unwrap();
        std::thread::sleep(LIST_KEPT);
        assert!(meter.read() >= used, "what has been used is never given back");
        assert!(meter.read() < used + Duration::from_millis(50));
    }
}
