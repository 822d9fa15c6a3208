//! The clocks of a game, kept by the arena.

use std::fmt;
use std::time::Duration;

use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::Side;

use crate::config::Limit;
use crate::text::duration::duration_text;

/// The time an engine has for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// The time per move, or what is left on its clock.
    pub time: Duration,
    /// The time by which that can be exceeded.
    pub margin: Duration,
    /// Whether it has a clock for the game.
    pub on_clock: bool,
}

impl Allowance {
    /// The time after which the engine is late.
    pub fn total(self) -> Duration {
        self.time + self.margin
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (time, margin) = (duration_text(self.time), duration_text(self.margin));
        match self.on_clock {
            true => write!(f, "the {time} left on its clock + {margin} margin"),
            false => write!(f, "{time} + {margin} margin"),
        }
    }
}

/// The remaining limits of both engines in one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    limits: [Limit; 2],
    left: [Duration; 2],
}

impl Clocks {
    /// The clocks at the beginning of a game, for White and Black.
    pub fn new(limits: [Limit; 2]) -> Clocks {
        let left = limits.map(|limit| match limit {
            Limit::Clock { base, .. } => base,
            _ => Duration::ZERO,
        });
        Clocks { limits, left }
    }

    /// The limits sent to the side to move. If both sides have a clock, both are sent.
    pub fn words(&self, side: Side) -> Limits {
        match self.limits[side as usize] {
            Limit::MoveTime(time) => Limits::with_move_time(milliseconds(time)),
            Limit::Nodes(nodes) => Limits::with_nodes(nodes),
            Limit::Depth(depth) => Limits::with_depth(depth),
            Limit::Clock { .. } => {
                let mut limits = Limits::default();
                for each in Side::BOTH {
                    if let Limit::Clock { increment, .. } = self.limits[each as usize] {
                        let left = self.left[each as usize];
                        limits.clock[each as usize] = Some(milliseconds(left));
                        if !increment.is_zero() {
                            limits.increment[each as usize] = Some(milliseconds(increment));
                        }
                    }
                }
                limits
            }
        }
    }

    /// The remaining times of White and Black; `None` for a side without a clock.
    pub fn left(&self) -> [Option<Duration>; 2] {
        Side::BOTH.map(|side| match self.limits[side as usize] {
            Limit::Clock { .. } => Some(self.left[side as usize]),
            _ => None,
        })
    }

    /// The time that the side to move has for its move, with this margin; `None` if its limit is
    /// not a time.
    pub fn allowance(&self, side: Side, margin: Duration) -> Option<Allowance> {
        let (time, on_clock) = match self.limits[side as usize] {
            Limit::MoveTime(time) => (time, false),
            Limit::Clock { .. } => (self.left[side as usize], true),
            Limit::Nodes(_) | Limit::Depth(_) => return None,
        };
        Some(Allowance { time, margin, on_clock })
    }

    /// Subtracts the time of a move from the side's clock and adds the increment. A clock that is
    /// overstepped within the margin is empty, not negative.
    pub fn spend(&mut self, side: Side, time: Duration) {
        if let Limit::Clock { increment, .. } = self.limits[side as usize] {
            let left = &mut self.left[side as usize];
            *left = left.saturating_sub(time) + increment;
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: Limit =
        Limit::Clock { base: Duration::from_millis(1000), increment: Duration::from_millis(10) };

    /// The time for a move without the margin.
    fn time(clocks: &Clocks, side: Side) -> Option<Duration> {
        clocks.allowance(side, Duration::from_millis(5)).map(|allowance| allowance.time)
    }

    #[test]
    fn a_clock_runs_down_and_gains_its_increment() {
        let mut clocks = Clocks::new([CLOCK; 2]);
        assert_eq!(
            clocks.words(Side::White).to_string(),
            " p1time 1000 p2time 1000 p1inc 10 p2inc 10"
        );
        clocks.spend(Side::White, Duration::from_micros(250_400));
        assert_eq!(time(&clocks, Side::White), Some(Duration::from_micros(759_600)));
        assert_eq!(
            clocks.words(Side::Black).to_string(),
            " p1time 759 p2time 1000 p1inc 10 p2inc 10"
        );
        clocks.spend(Side::White, Duration::from_secs(2));
        assert_eq!(time(&clocks, Side::White), Some(Duration::from_millis(10)));
    }

    #[test]
    fn each_side_has_its_own_limit() {
        let mut clocks = Clocks::new([Limit::Nodes(500), CLOCK]);
        assert_eq!(clocks.words(Side::White).to_string(), " nodes 500");
        assert_eq!(time(&clocks, Side::White), None);
        assert_eq!(clocks.words(Side::Black).to_string(), " p2time 1000 p2inc 10");
        clocks.spend(Side::White, Duration::from_secs(9));
        assert_eq!(clocks, Clocks::new([Limit::Nodes(500), CLOCK]));
    }

    #[test]
    fn a_time_per_move_does_not_run_down() {
        let limit = Limit::MoveTime(Duration::from_millis(30));
        let mut clocks = Clocks::new([limit; 2]);
        clocks.spend(Side::White, Duration::from_millis(29));
        assert_eq!(time(&clocks, Side::White), Some(Duration::from_millis(30)));
        assert_eq!(clocks.words(Side::White).to_string(), " movetime 30");
    }
}
