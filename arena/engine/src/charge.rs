//! The time an engine has for a move, and the part of a thinking time that is charged to it.

use std::time::Duration;

use tokio::time::Instant;

use super::process::Process;
use super::stall::{self, Watch};
use super::system;
use super::waiting::{self, Account};
use fanorona_tournament::game::clock::Allowance;

/// The interval in which an engine is observed that is late and may be waiting for a processor.
const LOOK: Duration = Duration::from_millis(5);

/// Observes what an engine is charged for a move that it is thinking about.
pub(super) struct Charge<'w> {
    begin: Instant,
    watch: Option<&'w Watch<'w>>,
    /// Its times when it began, if it has a time limit and waiting for a processor is not charged.
    before: Option<Account>,
    /// The number of its threads that may run at the same time.
    parallel: u32,
    /// The most waiting for a processor that is not charged.
    most: Duration,
    /// The processor time at the last look after the engine's time was over.
    looked: Option<Duration>,
}

impl<'w> Charge<'w> {
    /// Begins with a move, if there is something to watch; continues a suspended engine.
    pub(super) fn begin(
        process: &mut Process,
        watch: Option<&'w Watch<'w>>,
        is_timed: bool,
        parallel: u32,
        most: Duration,
    ) -> Charge<'w> {
        let observed = is_timed && watch.is_some() && system::thread_times::is_reported();
        let before = observed.then(|| process.cpu().account());
        process.resume();
        Charge { begin: Instant::now(), watch, before, parallel, most, looked: None }
    }

    /// Returns the time when the move began.
    pub(super) fn began(&self) -> Instant {
        self.begin
    }

    /// The time since the beginning that is not charged by now: that of stalls, and that in which
    /// engine or arena waited for a processor.
    pub(super) fn uncharged(&self, process: &mut Process) -> Duration {
        let elapsed = self.begin.elapsed();
        let Some(watch) = self.watch else { return Duration::ZERO };
        let stalled = watch.forgiven(|| process.cpu_time());
        let Some(before) = &self.before else { return stalled };
        let now = process.cpu().account();
        let mut waited = now.waited_since(before, self.parallel);
        if !waited.is_zero() && process.cpu().forgets() {
            waited = Duration::ZERO;
        }
        let waited = (waited + watch.waited()).min(self.most);
        waiting::uncharged(elapsed, stalled, waited, now.used_since(before) / self.parallel)
    }

    /// The time until which to wait for an engine that has not answered by a deadline; `None` if it
    /// is late.
    ///
    /// The system reports a thread's waiting when the thread gets a processor. A late engine that
    /// is ready to run but does not is therefore observed until it runs, for at most
    /// [`stall::LONG`].
    pub(super) fn extension(
        &mut self,
        process: &mut Process,
        deadline: Instant,
    ) -> Option<Instant> {
        let due = deadline + self.uncharged(process);
        let now = Instant::now();
        if due > now {
            return Some(due);
        }
        self.before.as_ref()?;
        let used = process.cpu_time();
        let runs = self.looked.replace(used).is_some_and(|before| used >= before + LOOK / 2);
        let waits = !runs && now < due + stall::LONG && process.cpu().is_ready();
        waits.then(|| now + LOOK)
    }

    /// Whether an answer that took this long was late after all.
    pub(super) fn is_late(&self, charged: Duration, allowance: Option<Allowance>) -> bool {
        self.looked.is_some() && allowance.is_some_and(|allowance| charged > allowance.total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_move_is_told_in_words() {
        let of_move = Allowance {
            time: Duration::from_millis(100),
            margin: Duration::from_millis(50),
            on_clock: false,
        };
        assert_eq!(of_move.to_string(), "100 ms + 50 ms margin");
        let clock = Allowance { time: Duration::from_millis(12_340), on_clock: true, ..of_move };
        assert_eq!(clock.to_string(), "the 12.3 s left on its clock + 50 ms margin");
        assert_eq!(clock.total(), Duration::from_millis(12_390));
    }
}
