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
    /// The moves that each side has made on its clock.
    moves: [u32; 2],
}

impl Clocks {
    /// The clocks at the beginning of a game, for White and Black.
    pub fn new(limits: [Limit; 2]) -> Clocks {
        let left = limits.map(|limit| match limit {
            Limit::Clock(clock) => clock.given_after(0),
            _ => Duration::ZERO,
        });
        Clocks { limits, left, moves: [0; 2] }
    }

    /// The limits sent to the side to move. If both sides have a clock, both are sent; the moves to
    /// go are those of the side to move.
    pub fn words(&self, side: Side) -> Limits {
        match self.limits[side as usize] {
            Limit::MoveTime(time) => Limits::with_move_time(milliseconds(time)),
            Limit::Nodes(nodes) => Limits::with_nodes(nodes),
            Limit::Depth(depth) => Limits::with_depth(depth),
            Limit::Clock(own) => {
                let mut limits = Limits::default();
                limits.moves_to_go = own.moves_to_go(self.moves[side as usize]);
                for each in Side::BOTH {
                    if let Limit::Clock(clock) = self.limits[each as usize] {
                        let left = self.left[each as usize];
                        limits.clock[each as usize] = Some(milliseconds(left));
                        if !clock.increment().is_zero() {
                            limits.increment[each as usize] = Some(milliseconds(clock.increment()));
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
            Limit::Clock(_) => Some(self.left[side as usize]),
            _ => None,
        })
    }

    /// The time that the side to move has for its move, with this margin; `None` if its limit is
    /// not a time.
    pub fn allowance(&self, side: Side, margin: Duration) -> Option<Allowance> {
        let (time, on_clock) = match self.limits[side as usize] {
            Limit::MoveTime(time) => (time, false),
            Limit::Clock(_) => (self.left[side as usize], true),
            Limit::Nodes(_) | Limit::Depth(_) => return None,
        };
        Some(Allowance { time, margin, on_clock })
    }

    /// The same with a margin of seconds, for searches outside of games, where precise timing does not
    /// matter.
    pub fn loose_allowance(&self, side: Side) -> Option<Allowance> {
        self.allowance(side, Duration::from_secs(5))
    }

    /// Subtracts the time of a move from the side's clock, and adds the increment and the time of a
    /// stage that begins. A clock that is overstepped within the margin is empty, not negative.
    pub fn spend(&mut self, side: Side, time: Duration) {
        if let Limit::Clock(clock) = self.limits[side as usize] {
            let (left, moves) = (&mut self.left[side as usize], &mut self.moves[side as usize]);
            *moves += 1;
            *left = left.saturating_sub(time) + clock.increment() + clock.given_after(*moves);
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> Limit {
        text.parse().unwrap()
    }

    /// The time for a move without the margin.
    fn time(clocks: &Clocks, side: Side) -> Option<Duration> {
        clocks.allowance(side, Duration::from_millis(5)).map(|allowance| allowance.time)
    }

    #[test]
    fn a_clock_runs_down_and_gains_its_increment() {
        let mut clocks = Clocks::new([limit("1s+10ms"); 2]);
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
        let mut clocks = Clocks::new([Limit::Nodes(500), limit("1s+10ms")]);
        assert_eq!(clocks.words(Side::White).to_string(), " nodes 500");
        assert_eq!(time(&clocks, Side::White), None);
        assert_eq!(clocks.words(Side::Black).to_string(), " p2time 1000 p2inc 10");
        clocks.spend(Side::White, Duration::from_secs(9));
        assert_eq!(clocks, Clocks::new([Limit::Nodes(500), limit("1s+10ms")]));
    }

    #[test]
    fn a_time_per_move_does_not_run_down() {
        let limit = Limit::MoveTime(Duration::from_millis(30));
        let mut clocks = Clocks::new([limit; 2]);
        clocks.spend(Side::White, Duration::from_millis(29));
        assert_eq!(time(&clocks, Side::White), Some(Duration::from_millis(30)));
        assert_eq!(clocks.words(Side::White).to_string(), " movetime 30");
    }

    #[test]
    fn each_stage_fills_the_clock_of_the_side_that_reaches_it() {
        let mut clocks = Clocks::new([limit("2/1s+5s+0s"), limit("2/1s")]);
        let words = |clocks: &Clocks, side| clocks.words(side).to_string();
        assert_eq!(words(&clocks, Side::White), " p1time 1000 p2time 1000 movestogo 2");
        clocks.spend(Side::White, Duration::from_millis(300));
        assert_eq!(words(&clocks, Side::Black), " p1time 700 p2time 1000 movestogo 2");
        clocks.spend(Side::Black, Duration::from_millis(100));
        assert_eq!(words(&clocks, Side::White), " p1time 700 p2time 900 movestogo 1");
        // Time that is left is kept.
        clocks.spend(Side::White, Duration::from_millis(600));
        assert_eq!(words(&clocks, Side::Black), " p1time 5100 p2time 900 movestogo 1");
        // A clock overstepped within the margin begins the next stage without a debt.
        clocks.spend(Side::Black, Duration::from_millis(904));
        assert_eq!(words(&clocks, Side::White), " p1time 5100 p2time 1000");
        assert_eq!(words(&clocks, Side::Black), " p1time 5100 p2time 1000 movestogo 2");
        for _ in 0..9 {
            clocks.spend(Side::White, Duration::from_millis(100));
        }
        assert_eq!(words(&clocks, Side::White), " p1time 4200 p2time 1000", "the rest of the game");
        assert_eq!(time(&clocks, Side::White), Some(Duration::from_millis(4200)));
    }
}
