//! Waiting for a processor: how much of it an engine is not charged for.
//!
//! A thread that is ready to run and has no processor waits. On a busy machine other programs cause
//! this, and the engine must not pay for them. But threads of an engine also wait for each other,
//! and no engine can gain time by starting threads or processes. The rule is therefore
//! conservative:
//!
//! - The waiting of an engine is that of its thread that waited longest, less the time for which
//!   its other threads ran meanwhile: they may be what it waited for.
//! - An engine is always charged at least the processor time of all its processes. With the option
//!   `Threads`, this time is divided by the number of threads, but at most by that of its
//!   processors: so many may run at the same time.
//! - Processor time that is not accounted for is taken for the engine's: if a process ignores its
//!   children's exits, the system forgets their time, and no waiting counts.

use std::collections::BTreeMap;
use std::time::Duration;

/// The time a thread has run on a processor and waited for one, so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ThreadTimes {
    pub(super) ran: Duration,
    pub(super) waited: Duration,
}

/// The times of an engine's threads and processes at a moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Account {
    /// The times of each thread that runs now.
    pub(super) threads: BTreeMap<u32, ThreadTimes>,
    /// The processor time of all its processes so far, including those that have ended.
    pub(super) used: Duration,
}

impl Account {
    /// The processor time used since an earlier moment.
    pub(super) fn used_since(&self, before: &Account) -> Duration {
        let seen: Duration = self.times_since(before).map(|times| times.ran).sum();
        self.used.saturating_sub(before.used).max(seen)
    }

    /// The waiting since an earlier moment that the engine itself did not cause, if `parallel` of
    /// its threads may run at the same time.
    pub(super) fn waited_since(&self, before: &Account, parallel: u32) -> Duration {
        let used = self.used_since(before) / parallel.max(1);
        let waited = |times: ThreadTimes| {
            let by_others = used.saturating_sub(times.ran);
            times.waited.saturating_sub(by_others)
        };
        self.times_since(before).map(waited).max().unwrap_or_default()
    }

    fn times_since(&self, before: &Account) -> impl Iterator<Item = ThreadTimes> {
        self.threads.iter().map(|(id, now)| {
            // A thread that was not there has begun since.
            let then = before.threads.get(id).copied().unwrap_or_default();
            ThreadTimes {
                ran: now.ran.saturating_sub(then.ran),
                waited: now.waited.saturating_sub(then.waited),
            }
        })
    }
}

/// The part of a thinking time that is not charged: the time lost to `stalled`, and what engine and
/// arena waited for a processor, but none of the processor time `used` by the engine.
pub(super) fn uncharged(
    elapsed: Duration,
    stalled: Duration,
    waited: Duration,
    used: Duration,
) -> Duration {
    let idle = elapsed.saturating_sub(used);
    (stalled + waited).min(idle).max(stalled)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    /// An account of threads that have run and waited this long, and ended processes.
    fn account(threads: &[(u64, u64)], ended: u64) -> Account {
        let times = |&(ran, waited): &(u64, u64)| ThreadTimes { ran: ms(ran), waited: ms(waited) };
        let threads: BTreeMap<_, _> = (1..).zip(threads.iter().map(times)).collect();
        let used = threads.values().map(|times| times.ran).sum::<Duration>() + ms(ended);
        Account { threads, used }
    }

    fn waited(threads: &[(u64, u64)], ended: u64, parallel: u32) -> Duration {
        account(threads, ended).waited_since(&Account::default(), parallel)
    }

    #[test]
    fn waiting_for_other_programs_counts() {
        // One thread that shares its processor with another program.
        assert_eq!(waited(&[(50, 50)], 0, 1), ms(50));
        // A thread that only passes lines on to the one that searches.
        assert_eq!(waited(&[(1, 1), (50, 50)], 0, 1), ms(49));
        // A thread that rests, and one that began before the move.
        let before = account(&[(700, 40), (0, 900)], 0);
        assert_eq!(account(&[(750, 70), (0, 900)], 0).waited_since(&before, 1), ms(30));
    }

    #[test]
    fn waiting_for_threads_of_its_own_does_not_count() {
        // Two busy threads on one processor, and four on two.
        assert_eq!(waited(&[(50, 50), (50, 50)], 0, 1), ms(0));
        assert_eq!(waited(&[(50, 50); 4], 0, 2), ms(0));
        // A process that ended meanwhile, and a few threads more than processors.
        assert_eq!(waited(&[(10, 90)], 90, 1), ms(0));
        assert_eq!(waited(&[(20, 80)], 30, 1), ms(50));
        // A thread of low priority that waits while the other one searches.
        assert_eq!(waited(&[(100, 0), (0, 100)], 0, 1), ms(0));
        // Ever more threads earn nothing.
        for threads in 2..50 {
            let busy = vec![(100 / threads, 100 - 100 / threads); threads as usize];
            assert!(waited(&busy, 0, 1) <= ms(threads), "{threads}");
        }
    }

    #[test]
    fn an_engine_of_several_threads_waits_when_all_of_them_do() {
        // Both threads share their processors with other programs.
        assert_eq!(waited(&[(50, 50), (50, 50)], 0, 2), ms(50));
        // Both have a processor each.
        assert_eq!(waited(&[(100, 0), (100, 0)], 0, 2), ms(0));
    }

    #[test]
    fn processor_time_is_always_charged() {
        // Nothing is charged for a stall and for waiting in it.
        assert_eq!(uncharged(ms(100), ms(20), ms(30), ms(50)), ms(50));
        assert_eq!(uncharged(ms(100), ms(0), ms(90), ms(50)), ms(50));
        assert_eq!(uncharged(ms(100), ms(0), ms(10), ms(150)), ms(0));
        // The engine went on while the arena stood still.
        assert_eq!(uncharged(ms(100), ms(60), ms(30), ms(50)), ms(60));
    }
}
