//! How long a search may take: limits in, soft and hard bound out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::Side;

/// Turns a game is expected to last from any of its positions: a clock without `movestogo` is
/// divided by it.
const EXPECTED_TURNS: u32 = 20;

/// The largest part of a clock one turn may use, as its inverse.
const HARD_DIVISOR: u32 = 4;

/// The bounds of one search.
#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
    depth: Option<u32>,
    nodes: Option<u64>,
    stop: Arc<AtomicBool>,
}

impl Budget {
    /// The budget of a side under some limits. `start` is when the limits were read, `overhead`
    /// what is left unused of every time for the way to the manager and back, `stop` what ends the
    /// search from outside.
    pub fn new(
        limits: &Limits,
        side: Side,
        overhead: Duration,
        start: Instant,
        stop: Arc<AtomicBool>,
    ) -> Budget {
        let mut soft = None;
        let mut hard = None;
        // Of a time shorter than twice the overhead half is used: some turn has to be found.
        let usable = |time: Duration| time.saturating_sub(overhead).max((time / 2).min(overhead));
        if let Some(time) = limits.time_of(side) {
            let time = usable(Duration::from_millis(time));
            let gain = Duration::from_millis(limits.increment_of(side));
            let turns = limits.moves_to_go.unwrap_or(EXPECTED_TURNS).clamp(1, EXPECTED_TURNS);
            let share = (time / turns).saturating_add(gain * 3 / 4);
            let most = if turns == 1 { time } else { time / HARD_DIVISOR + gain };
            hard = Some(most.max(share).min(time));
            soft = Some(share.min(time));
        }
        if let Some(time) = limits.move_time {
            let time = usable(Duration::from_millis(time));
            hard = Some(hard.map_or(time, |hard| hard.min(time)));
            soft = Some(soft.map_or(time, |soft| soft.min(time)));
        }
        Budget { start, soft, hard, depth: limits.depth, nodes: limits.nodes, stop }
    }

    /// A budget of nodes, depth or whatever the limits say that needs no clock and no stop.
    pub fn of_limits(limits: &Limits) -> Budget {
        let stop = Arc::new(AtomicBool::new(false));
        Budget::new(limits, Side::White, Duration::ZERO, Instant::now(), stop)
    }

    /// Time since the limits were read.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// When to begin nothing new; `None` without a clock.
    pub fn soft(&self) -> Option<Duration> {
        self.soft
    }

    /// When to end whatever happens; `None` without a clock.
    pub fn hard(&self) -> Option<Duration> {
        self.hard
    }

    /// Plies to search at most.
    pub fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// Nodes to search at most.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// Whether the manager has said stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether to end now: stopped, or past the hard bound. Reads the clock, so it is not for every
    /// node; nodes are counted by the search.
    pub fn is_over(&self) -> bool {
        self.is_stopped() || self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(words: &str, overhead: u64) -> Budget {
        let line = format!("go {words}");
        let Ok(fanorona_protocol::messages::Command::Go(limits)) = line.parse() else {
            panic!("{line}")
        };
        Budget::new(
            &limits,
            Side::White,
            Duration::from_millis(overhead),
            Instant::now(),
            Arc::default(),
        )
    }

    #[test]
    fn no_clock_is_ever_overstepped() {
        for time in [0, 1, 5, 20, 100, 1000, 60_000] {
            for gain in [0, 10, 1000, 100_000] {
                for turns in ["", "movestogo 1", "movestogo 0", "movestogo 40"] {
                    for overhead in [0, 10, 5000] {
                        let words = format!("p1time {time} p1inc {gain} {turns}");
                        let budget = budget(&words, overhead);
                        let (soft, hard) = (budget.soft().unwrap(), budget.hard().unwrap());
                        assert!(soft <= hard, "{words}: {soft:?} {hard:?}");
                        assert!(hard <= Duration::from_millis(time), "{words}: {hard:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn limits_combine_whichever_comes_first() {
        let budget = budget("p1time 100000 movetime 30 nodes 7", 10);
        assert_eq!(budget.hard(), Some(Duration::from_millis(20)));
        assert_eq!(budget.nodes(), Some(7));
    }

    #[test]
    fn without_a_clock_there_is_no_bound() {
        let budget = budget("nodes 5", 10);
        assert_eq!((budget.soft(), budget.hard()), (None, None));
        assert!(!budget.is_over());
    }
}
