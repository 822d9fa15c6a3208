//! The arena's own machine: whether it stood still while somebody's clock ran.
//!
//! A machine that sleeps, swaps or is starved, and an arena that was stopped, make engines late that
//! are not. So the arena feels its own pulse: it looks at the clock many times a second, and a look
//! that comes late is a [`Stall`]. What an engine lost to one is no fault of it, and the game is
//! void. A stall that engines bring about themselves, by taking every processor, is theirs: see
//! [`Stall::is_owed_to`].

use std::collections::VecDeque;
use std::fs;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// How often the arena looks at the clock.
pub const TICK: Duration = Duration::from_millis(20);

/// A look that comes later than this is a stall. Below it lies what a scheduler does on any day.
const LEAST: Duration = Duration::from_millis(20);

/// A stall that makes every game void in which an engine's time ran, be it late or not: by then the
/// measured times mean nothing.
pub const LONG: Duration = Duration::from_secs(1);

/// Stalls that are remembered. A window that is asked about is as long as a move.
const REMEMBERED: usize = 256;

/// The clocks of a machine.
pub trait Clock: Send + Sync {
    /// Time since some moment, running on while the machine is suspended.
    fn now(&self) -> Duration;

    /// How long the arena has been waiting for a processor since it began, when the system knows.
    fn waited(&self) -> Option<Duration>;
}

/// The clocks of this machine.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        // Every Linux has it.
        clock_gettime(ClockId::CLOCK_BOOTTIME).map_or(Duration::ZERO, Duration::from)
    }

    fn waited(&self) -> Option<Duration> {
        // Time on a processor, time waiting for one in nanoseconds, and moves at it.
        let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
    }
}

/// A moment by the monitor's clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment(Duration);

/// Time in which the arena could not do what it should have done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stall {
    /// How long in all.
    pub lost: Duration,
    /// How long at one stretch.
    pub longest: Duration,
    /// For how much of it the arena was ready to run and had no processor; all of it where the
    /// system does not say.
    pub starved: Duration,
}

impl Stall {
    /// Whether processes that have used so much processor time meanwhile have brought the stall
    /// about: the arena was waiting for a processor for half of it or more, and half of what all of
    /// them had to give went to those processes. A suspended machine and a stopped arena wait for
    /// no processor, and one busy thread does not fill a machine of several.
    pub fn is_owed_to(&self, used: Duration, processors: u32) -> bool {
        self.starved >= self.lost / 2 && used >= self.lost * processors / 2
    }
}

/// Feels the pulse of the arena.
pub struct StallMonitor {
    clock: Box<dyn Clock>,
    processors: u32,
    pulse: Mutex<Pulse>,
}

impl StallMonitor {
    /// The machine this runs on.
    pub fn new() -> StallMonitor {
        let processors = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        StallMonitor::with(Box::new(SystemClock), processors)
    }

    /// A machine with these clocks and so many processors.
    pub fn with(clock: Box<dyn Clock>, processors: u32) -> StallMonitor {
        let pulse = Pulse {
            seen: clock.now(),
            waited: clock.waited(),
            stalls: VecDeque::new(),
            lost: Duration::ZERO,
        };
        StallMonitor { clock, processors, pulse: Mutex::new(pulse) }
    }

    /// How many processors the arena may use.
    pub fn processors(&self) -> u32 {
        self.processors
    }

    /// The present moment. To be called every [`TICK`], and whenever somebody wants to know.
    pub fn look(&self) -> Moment {
        let now = self.clock.now();
        let mut pulse = self.pulse.lock().unwrap_or_else(PoisonError::into_inner);
        pulse.look(now, || self.clock.waited());
        Moment(now)
    }

    /// The same, taking note of the present as a point from which waiting is measured.
    pub fn tick(&self) {
        self.look();
        let waited = self.clock.waited();
        self.pulse.lock().unwrap_or_else(PoisonError::into_inner).waited = waited;
    }

    /// Begins to watch over an engine's time. `used` is the processor time its processes have used
    /// so far.
    pub fn watch(&self, used: Duration) -> Watch<'_> {
        Watch { monitor: self, begin: self.look(), used }
    }

    /// What has been lost since a moment, if anything.
    pub fn lost_since(&self, begin: Moment) -> Option<Stall> {
        self.look();
        self.pulse.lock().unwrap_or_else(PoisonError::into_inner).lost_since(begin.0)
    }
}

/// An eye on the machine while an engine's time runs.
#[derive(Clone, Copy)]
pub struct Watch<'h> {
    monitor: &'h StallMonitor,
    begin: Moment,
    used: Duration,
}

impl Watch<'_> {
    /// What the machine has lost since the beginning, if anything.
    pub fn lost(&self) -> Option<Stall> {
        self.monitor.lost_since(self.begin)
    }

    /// How much of it is no fault of the engine's, whose processes have used so much processor time
    /// by now as `used` says. That is asked only if there was a stall.
    pub fn forgiven(&self, used: impl FnOnce() -> Duration) -> Duration {
        let Some(stall) = self.lost() else { return Duration::ZERO };
        let owed = stall.is_owed_to(used().saturating_sub(self.used), self.monitor.processors);
        if owed { Duration::ZERO } else { stall.lost }
    }
}

impl Default for StallMonitor {
    fn default() -> StallMonitor {
        StallMonitor::new()
    }
}

/// Watches whether the arena itself gets a processor when it wants one.
#[derive(Clone, Copy, Debug)]
pub struct Lateness {
    since: Duration,
    lost: Duration,
}

impl Lateness {
    /// How long is looked at in one go.
    const SPAN: Duration = Duration::from_secs(10);

    /// The part of it that may be lost without a word.
    const SHARE: u32 = 20;

    /// Begins to watch.
    pub fn begin(monitor: &StallMonitor) -> Lateness {
        let pulse = monitor.pulse.lock().unwrap_or_else(PoisonError::into_inner);
        Lateness { since: pulse.seen, lost: pulse.lost }
    }

    /// Looks at what has been lost; says it at the end of a span in which it was a twentieth or more,
    /// with the length of that span.
    pub fn look(&mut self, monitor: &StallMonitor) -> Option<(Duration, Duration)> {
        let now = Lateness::begin(monitor);
        let (lost, within) = (now.lost - self.lost, now.since - self.since);
        if within < Lateness::SPAN {
            return None;
        }
        *self = now;
        (lost >= within / Lateness::SHARE).then_some((lost, within))
    }
}

/// The looks so far.
#[derive(Debug)]
struct Pulse {
    /// When the last look was.
    seen: Duration,
    /// What had been waited for a processor at the last tick.
    waited: Option<Duration>,
    stalls: VecDeque<Gap>,
    /// What all stalls come to, also those that are no longer remembered.
    lost: Duration,
}

/// A look that came too late.
#[derive(Clone, Copy, Debug)]
struct Gap {
    from: Duration,
    to: Duration,
    starved: Duration,
}

impl Pulse {
    fn look(&mut self, now: Duration, waited: impl FnOnce() -> Option<Duration>) {
        let from = self.seen + TICK;
        if now >= from + LEAST {
            let waited = waited();
            let starved = match (waited, self.waited) {
                (Some(now), Some(before)) => now.saturating_sub(before),
                _ => Duration::MAX,
            };
            self.lost += now - from;
            self.stalls.push_back(Gap { from, to: now, starved: starved.min(now - from) });
            self.waited = waited;
            if self.stalls.len() > REMEMBERED {
                self.stalls.pop_front();
            }
        }
        self.seen = self.seen.max(now);
    }

    fn lost_since(&self, begin: Duration) -> Option<Stall> {
        let mut stall = Stall::default();
        for gap in self.stalls.iter().filter(|gap| gap.to > begin) {
            let lost = gap.to - gap.from.max(begin).min(gap.to);
            stall.lost += lost;
            stall.longest = stall.longest.max(lost);
            stall.starved += gap.starved.min(lost);
        }
        (!stall.lost.is_zero()).then_some(stall)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// Clocks that show what they are told to.
    #[derive(Clone, Default)]
    struct Told(Arc<Mutex<(Duration, Option<Duration>)>>);

    impl Clock for Told {
        fn now(&self) -> Duration {
            self.0.lock().unwrap().0
        }

        fn waited(&self) -> Option<Duration> {
            self.0.lock().unwrap().1
        }
    }

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    fn monitor() -> (Told, StallMonitor) {
        let told = Told::default();
        told.0.lock().unwrap().1 = Some(ms(0));
        (told.clone(), StallMonitor::with(Box::new(told), 4))
    }

    fn at(told: &Told, now: u64, waited: u64) {
        *told.0.lock().unwrap() = (ms(now), Some(ms(waited)));
    }

    /// A pulse every so often up to a moment.
    fn beats(told: &Told, monitor: &StallMonitor, moments: impl Iterator<Item = u64>) {
        for moment in moments {
            at(told, moment, 0);
            monitor.tick();
        }
    }

    #[test]
    fn a_regular_pulse_is_no_stall() {
        let (told, monitor) = monitor();
        beats(&told, &monitor, (0..=1000).step_by(20));
        let begin = monitor.look();
        beats(&told, &monitor, (1000..=3000).step_by(31));
        assert_eq!(monitor.lost_since(begin), None);
    }

    #[test]
    fn a_late_look_is_a_stall_for_whoever_was_thinking() {
        let (told, monitor) = monitor();
        beats(&told, &monitor, (0..=1000).step_by(20));
        let begin = monitor.look();
        at(&told, 1520, 3);
        assert_eq!(
            monitor.lost_since(begin),
            Some(Stall { lost: ms(500), longest: ms(500), starved: ms(3) })
        );
        let later = monitor.look();
        at(&told, 1540, 3);
        monitor.tick();
        assert_eq!(monitor.lost_since(later), None);
        at(&told, 1660, 3);
        assert_eq!(monitor.lost_since(later).unwrap().lost, ms(100));
        let both = monitor.lost_since(begin).unwrap();
        assert_eq!((both.lost, both.longest), (ms(600), ms(500)));
    }

    #[test]
    fn an_arena_that_is_often_late_says_so_once_a_span() {
        let (told, monitor) = monitor();
        monitor.tick();
        let mut lateness = Lateness::begin(&monitor);
        let mut said = Vec::new();
        let mut looks = |moments: &mut dyn Iterator<Item = u64>| {
            for moment in moments {
                at(&told, moment, 0);
                monitor.tick();
                said.extend(lateness.look(&monitor));
            }
        };
        looks(&mut (20..=10_000).step_by(20));
        // Every look comes four fifths of a tenth of a second late.
        looks(&mut (10_000..=20_000).step_by(100));
        looks(&mut (20_020..=40_000).step_by(20));
        let [(lost, within)] = said[..] else { panic!("{said:?}") };
        assert!(lost > ms(7_000) && within >= ms(10_000), "{lost:?} {within:?}");
    }

    #[test]
    fn only_the_part_within_the_move_counts() {
        let (told, monitor) = monitor();
        monitor.tick();
        at(&told, 620, 0);
        let gap = monitor.look();
        assert_eq!(gap, Moment(ms(620)));
        assert_eq!(monitor.lost_since(Moment(ms(420))).unwrap().lost, ms(200));
        assert_eq!(monitor.lost_since(Moment(ms(620))), None);
    }

    #[test]
    fn who_takes_every_processor_owns_the_stall() {
        let stall = |starved| Stall { lost: ms(1000), longest: ms(1000), starved: ms(starved) };
        // Four processors, all of them taken while the arena wanted one.
        assert!(stall(900).is_owed_to(ms(3900), 4));
        // One busy thread on four processors starves nobody.
        assert!(!stall(900).is_owed_to(ms(1000), 4));
        // The arena was stopped: it wanted none.
        assert!(!stall(3).is_owed_to(ms(3900), 4));
        // The machine is busy with something else.
        assert!(!stall(900).is_owed_to(ms(200), 4));
    }

    #[test]
    fn without_word_from_the_system_processor_time_alone_decides() {
        let told = Told::default();
        let monitor = StallMonitor::with(Box::new(told.clone()), 1);
        let begin = monitor.look();
        *told.0.lock().unwrap() = (ms(1020), None);
        let stall = monitor.lost_since(begin).unwrap();
        assert_eq!(stall.starved, ms(1000));
        assert!(stall.is_owed_to(ms(500), 1) && !stall.is_owed_to(ms(499), 1));
    }

    #[test]
    fn this_machine_has_clocks() {
        let before = SystemClock.now();
        assert!(before > Duration::ZERO && SystemClock.now() >= before);
    }
}
