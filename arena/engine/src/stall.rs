//! Stalls of the arena's own machine while an engine's clock runs.
//!
//! If the machine sleeps, swaps or is overloaded, or the arena is stopped, engines seem late
//! without being at fault. The arena therefore looks at the clock many times a second, and a late
//! look is a [`Stall`]. Time that an engine loses to a stall is not its fault, and the game is
//! void. Engines that cause a stall themselves by using every processor are responsible for it: see
//! [`Stall::is_caused_by`].
//!
//! A look that is late by less is no stall, but if the arena was waiting for a processor, an engine's
//! answer may have been waiting for the arena: [`Watch::waited`].

use fanorona_tournament::mutex::lock;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use super::system;

/// The interval in which the arena looks at the clock.
pub const TICK: Duration = Duration::from_millis(20);

/// The minimum delay of a look that counts as a stall. Shorter delays are normal scheduling.
const MIN_STALL: Duration = Duration::from_millis(20);

/// The length of a stall that voids every game in which an engine was thinking, late or not,
/// because the measured times are meaningless.
pub const LONG: Duration = Duration::from_secs(1);

/// The time for which the arena may have run since a wait that delayed what it now looks at.
const JUST_NOW: Duration = Duration::from_millis(5);

/// The number of stored stalls, and of stored waits. A query covers the time of one move.
const MAX_STALLS: usize = 256;

/// The clocks of a machine.
pub trait Clock: Send + Sync {
    /// The time since a fixed moment, including time in suspension.
    fn now(&self) -> Duration;

    /// The time that the arena has waited for a processor since its start, if the system reports
    /// it.
    fn waited(&self) -> Option<Duration>;
}

/// The clocks of this machine.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        system::since_boot()
    }

    fn waited(&self) -> Option<Duration> {
        system::thread_times::of_this_thread().map(|times| times.waited)
    }
}

/// A moment of the monitor's clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment(Duration);

/// Time in which the arena could not run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stall {
    /// The total time.
    pub lost: Duration,
    /// The longest uninterrupted time.
    pub longest: Duration,
    /// The part of it in which the arena was ready to run but had no processor; all of it if the
    /// system does not report this.
    pub starved: Duration,
}

impl Stall {
    /// Whether processes that used this much processor time meanwhile caused the stall: the arena
    /// waited for a processor at least half of the time, and those processes used at least half of
    /// the time of all processors. A suspended machine or a stopped arena does not wait for a
    /// processor, and one busy thread does not fill several processors.
    pub fn is_caused_by(&self, used: Duration, processors: u32) -> bool {
        self.starved >= self.lost / 2 && used >= self.lost * processors / 2
    }
}

/// Detects stalls of the arena.
pub struct StallMonitor {
    clock: Box<dyn Clock>,
    processors: u32,
    looks: Mutex<Observations>,
}

impl StallMonitor {
    /// A monitor of this machine.
    pub fn new() -> StallMonitor {
        let processors = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        StallMonitor::with(Box::new(SystemClock), processors)
    }

    /// A monitor of a machine with these clocks and processors.
    pub fn with(clock: Box<dyn Clock>, processors: u32) -> StallMonitor {
        let looks = Observations {
            seen: clock.now(),
            waited: clock.waited(),
            stalls: VecDeque::new(),
            waits: VecDeque::new(),
            lost: Duration::ZERO,
        };
        StallMonitor { clock, processors, looks: Mutex::new(looks) }
    }

    /// The number of processors the arena can use.
    pub fn processors(&self) -> u32 {
        self.processors
    }

    /// The current moment. Must be called every [`TICK`], and whenever a result is needed.
    pub fn look(&self) -> Moment {
        let now = self.clock.now();
        let mut looks = lock(&self.looks);
        looks.look(now, || self.clock.waited());
        Moment(now)
    }

    /// The same, and stores the present waiting time as the reference for the next stall.
    pub fn tick(&self) {
        self.look();
        let (now, waited) = (self.clock.now(), self.clock.waited());
        lock(&self.looks).refer_to(now, waited);
    }

    /// Begins to watch an engine's thinking time. `used` is the processor time of its processes so
    /// far.
    pub fn watch(&self, used: Duration) -> Watch<'_> {
        Watch { monitor: self, begin: self.look(), used }
    }

    /// The stall since a moment, if there was one.
    pub fn lost_since(&self, begin: Moment) -> Option<Stall> {
        self.look();
        lock(&self.looks).lost_since(begin.0)
    }

    /// The time since a moment that the arena has just waited for a processor, outside of stalls.
    fn waited_since(&self, begin: Moment) -> Duration {
        self.look();
        let (now, waited) = (self.clock.now(), self.clock.waited());
        let mut looks = lock(&self.looks);
        looks.refer_to(now, waited);
        let last = looks.waits.iter().filter(|wait| wait.to + JUST_NOW >= now);
        last.map(|wait| wait.within(begin.0)).sum()
    }
}

/// Observes stalls during an engine's thinking time.
#[derive(Clone, Copy)]
pub struct Watch<'h> {
    monitor: &'h StallMonitor,
    begin: Moment,
    used: Duration,
}

impl Watch<'_> {
    /// The stall since the beginning, if there was one.
    pub fn lost(&self) -> Option<Stall> {
        self.monitor.lost_since(self.begin)
    }

    /// The lost time that is not the engine's fault. `used` returns the processor time of its
    /// processes by now; it is only called after a stall.
    pub(crate) fn forgiven(&self, used: impl FnOnce() -> Duration) -> Duration {
        let Some(stall) = self.lost() else { return Duration::ZERO };
        let own = stall.is_caused_by(used().saturating_sub(self.used), self.monitor.processors);
        if own { Duration::ZERO } else { stall.lost }
    }

    /// The time since the beginning that the arena has just waited for a processor, outside of
    /// stalls: an answer may have been there for as long. Earlier waiting has delayed no answer.
    pub fn waited(&self) -> Duration {
        self.monitor.waited_since(self.begin)
    }
}

impl Default for StallMonitor {
    fn default() -> StallMonitor {
        StallMonitor::new()
    }
}

/// Observes whether the arena itself gets enough processor time.
#[derive(Clone, Copy, Debug)]
pub struct SchedulingLag {
    since: Duration,
    lost: Duration,
}

impl SchedulingLag {
    /// The length of one observation.
    const OBSERVATION: Duration = Duration::from_secs(10);

    /// The fraction of an observation that can be lost without a report (one divided by this).
    const SHARE: u32 = 20;

    /// Begins an observation.
    pub fn begin(monitor: &StallMonitor) -> SchedulingLag {
        let looks = lock(&monitor.looks);
        SchedulingLag { since: looks.seen, lost: looks.lost }
    }

    /// At the end of an observation in which at least a twentieth of the time was lost, returns the
    /// lost time and the observation's length.
    pub fn look(&mut self, monitor: &StallMonitor) -> Option<(Duration, Duration)> {
        let now = SchedulingLag::begin(monitor);
        let (lost, within) = (now.lost - self.lost, now.since - self.since);
        if within < SchedulingLag::OBSERVATION {
            return None;
        }
        *self = now;
        (lost >= within / SchedulingLag::SHARE).then_some((lost, within))
    }
}

/// The history of looks at the clock.
#[derive(Debug)]
struct Observations {
    /// The time of the last look.
    seen: Duration,
    /// The waiting time for a processor at the last tick or question.
    waited: Option<Duration>,
    stalls: VecDeque<Gap>,
    /// The waits for a processor that are too short for a stall.
    waits: VecDeque<Gap>,
    /// The total length of all stalls, including those no longer stored.
    lost: Duration,
}

/// A late look at the clock, or a wait for a processor.
#[derive(Clone, Copy, Debug)]
struct Gap {
    from: Duration,
    to: Duration,
    starved: Duration,
}

impl Gap {
    /// Its length since a moment.
    fn within(&self, begin: Duration) -> Duration {
        self.to.saturating_sub(self.from.max(begin))
    }
}

impl Observations {
    fn look(&mut self, now: Duration, waited: impl FnOnce() -> Option<Duration>) {
        let from = self.seen + TICK;
        if now >= from + MIN_STALL {
            let waited = waited();
            let starved = match (waited, self.waited) {
                (Some(now), Some(before)) => now.saturating_sub(before),
                _ => Duration::MAX,
            };
            self.lost += now - from;
            self.stalls.push_back(Gap { from, to: now, starved: starved.min(now - from) });
            self.waited = waited;
            if self.stalls.len() > MAX_STALLS {
                self.stalls.pop_front();
            }
        }
        self.seen = self.seen.max(now);
    }

    /// Notes the waiting since the last reference, and makes the present waiting time the next one.
    fn refer_to(&mut self, now: Duration, waited: Option<Duration>) {
        if let (Some(waited), Some(before)) = (waited, self.waited)
            && waited > before
        {
            let starved = waited - before;
            self.waits.push_back(Gap { from: now.saturating_sub(starved), to: now, starved });
            if self.waits.len() > MAX_STALLS {
                self.waits.pop_front();
            }
        }
        self.waited = waited;
    }

    fn lost_since(&self, begin: Duration) -> Option<Stall> {
        let mut stall = Stall::default();
        for gap in self.stalls.iter().filter(|gap| gap.to > begin) {
            let lost = gap.within(begin);
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

    /// Clocks with a set time.
    #[derive(Clone, Default)]
    struct FakeClock(Arc<Mutex<(Duration, Option<Duration>)>>);

    impl Clock for FakeClock {
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

    fn monitor() -> (FakeClock, StallMonitor) {
        let clock = FakeClock::default();
        clock.0.lock().unwrap().1 = Some(ms(0));
        (clock.clone(), StallMonitor::with(Box::new(clock), 4))
    }

    fn at(clock: &FakeClock, now: u64, waited: u64) {
        *clock.0.lock().unwrap() = (ms(now), Some(ms(waited)));
    }

    /// Ticks at the given moments.
    fn ticks(clock: &FakeClock, monitor: &StallMonitor, moments: impl Iterator<Item = u64>) {
        for moment in moments {
            at(clock, moment, 0);
            monitor.tick();
        }
    }

    #[test]
    fn regular_ticks_are_not_a_stall() {
        let (clock, monitor) = monitor();
        ticks(&clock, &monitor, (0..=1000).step_by(20));
        let begin = monitor.look();
        ticks(&clock, &monitor, (1000..=3000).step_by(31));
        assert_eq!(monitor.lost_since(begin), None);
    }

    #[test]
    fn a_late_look_is_a_stall() {
        let (clock, monitor) = monitor();
        ticks(&clock, &monitor, (0..=1000).step_by(20));
        let begin = monitor.look();
        at(&clock, 1520, 3);
        assert_eq!(
            monitor.lost_since(begin),
            Some(Stall { lost: ms(500), longest: ms(500), starved: ms(3) })
        );
        let later = monitor.look();
        at(&clock, 1540, 3);
        monitor.tick();
        assert_eq!(monitor.lost_since(later), None);
        at(&clock, 1660, 3);
        assert_eq!(monitor.lost_since(later).unwrap().lost, ms(100));
        let both = monitor.lost_since(begin).unwrap();
        assert_eq!((both.lost, both.longest), (ms(600), ms(500)));
    }

    #[test]
    fn short_waits_for_a_processor_are_known_but_no_stall() {
        let (clock, monitor) = monitor();
        monitor.tick();
        let watch = monitor.watch(ms(0));
        at(&clock, 30, 10);
        monitor.tick();
        // The tick and the answer wait together.
        at(&clock, 31, 12);
        assert_eq!((watch.lost(), watch.waited()), (None, ms(12)));
        assert_eq!(watch.waited(), ms(12), "it is counted once");
        // Earlier waiting has not delayed a later answer.
        at(&clock, 60, 14);
        assert_eq!(watch.waited(), ms(2));
        let later = monitor.watch(ms(0));
        // A stall contains its own waiting.
        at(&clock, 200, 150);
        assert_eq!(later.lost().map(|stall| stall.lost), Some(ms(120)));
        assert_eq!(later.waited(), ms(0));
        // A wait that began before the move only counts in it.
        at(&clock, 215, 170);
        assert_eq!(Watch { begin: Moment(ms(210)), ..later }.waited(), ms(5));
    }

    #[test]
    fn frequent_lateness_is_reported_once_per_observation() {
        let (clock, monitor) = monitor();
        monitor.tick();
        let mut lateness = SchedulingLag::begin(&monitor);
        let mut reports = Vec::new();
        let mut looks = |moments: &mut dyn Iterator<Item = u64>| {
            for moment in moments {
                at(&clock, moment, 0);
                monitor.tick();
                reports.extend(lateness.look(&monitor));
            }
        };
        looks(&mut (20..=10_000).step_by(20));
        // Every look is 80 milliseconds late.
        looks(&mut (10_000..=20_000).step_by(100));
        looks(&mut (20_020..=40_000).step_by(20));
        let [(lost, within)] = reports[..] else { panic!("{reports:?}") };
        assert!(lost > ms(7_000) && within >= ms(10_000), "{lost:?} {within:?}");
    }

    #[test]
    fn only_the_part_during_the_move_counts() {
        let (clock, monitor) = monitor();
        monitor.tick();
        at(&clock, 620, 0);
        let gap = monitor.look();
        assert_eq!(gap, Moment(ms(620)));
        assert_eq!(monitor.lost_since(Moment(ms(420))).unwrap().lost, ms(200));
        assert_eq!(monitor.lost_since(Moment(ms(620))), None);
    }

    #[test]
    fn using_every_processor_causes_the_stall() {
        let stall = |starved| Stall { lost: ms(1000), longest: ms(1000), starved: ms(starved) };
        // All four processors were used while the arena waited for one.
        assert!(stall(900).is_caused_by(ms(3900), 4));
        // One busy thread on four processors does not block the arena.
        assert!(!stall(900).is_caused_by(ms(1000), 4));
        // The arena was stopped, so it did not wait for a processor.
        assert!(!stall(3).is_caused_by(ms(3900), 4));
        // Other programs used the processors.
        assert!(!stall(900).is_caused_by(ms(200), 4));
    }

    #[test]
    fn without_waiting_times_processor_time_alone_decides() {
        let clock = FakeClock::default();
        let monitor = StallMonitor::with(Box::new(clock.clone()), 1);
        let begin = monitor.look();
        *clock.0.lock().unwrap() = (ms(1020), None);
        let stall = monitor.lost_since(begin).unwrap();
        assert_eq!(stall.starved, ms(1000));
        assert!(stall.is_caused_by(ms(500), 1) && !stall.is_caused_by(ms(499), 1));
    }

    #[test]
    fn this_machine_has_clocks() {
        let before = SystemClock.now();
        assert!(before > Duration::ZERO && SystemClock.now() >= before);
    }
}
