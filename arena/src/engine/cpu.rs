//! The processor time an engine has used, cheap enough to be asked for around every turn.

use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::Pid;

use super::tree;

/// How old the list of an engine's processes may get. Reading their clocks takes about a
/// microsecond each; finding out which there are takes longer.
const LIST_KEPT: Duration = Duration::from_secs(1);

/// Adds up the processor time of a process and of all it has started.
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
    /// A meter of a process and of whatever it starts.
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
        self.ended = Duration::ZERO;
        self.clocks.clear();
        for pid in std::iter::once(self.root).chain(tree::descendants(self.root)) {
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
    fn what_a_process_and_its_children_use_is_counted() {
        let burns = |count: u32| format!("i=0; while [ $i -lt {count} ]; do i=$((i+1)); done");
        // One child to its end, then the process itself; then nothing more.
        let script = format!("sh -c '{}'; {}; echo; read line", burns(300_000), burns(300_000));
        let mut shell = Command::new("sh")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = [0];
        std::io::Read::read_exact(shell.stdout.as_mut().unwrap(), &mut line).unwrap();
        let mut meter = CpuMeter::new(Pid::from_raw(shell.id() as i32));
        let used = meter.read();
        let stat = tree::stat(meter.root).unwrap();
        assert!(stat.waited_for > Duration::ZERO && used > stat.waited_for, "{used:?}, {stat:?}");
        std::thread::sleep(LIST_KEPT);
        assert!(meter.read() < used + Duration::from_millis(50), "it has done nothing since");
        shell.kill().unwrap();
        shell.wait().unwrap();
        assert!(meter.read() >= used, "what has been used is never given back");
        assert!(meter.read() < used + Duration::from_millis(50));
    }
}
