//! A clock that counts nodes instead of time, in builds for tuning.
//!
//! A test of time management under a real clock needs a quiet machine, and no two runs are equal.
//! With the option `NodesPerMillisecond`, the manager's clock is only a number: the session keeps
//! an account of its own from the first `go` of a game on, and a move takes from it as much time
//! as its nodes are worth. If the engine is in truth several times as fast, the manager's clock
//! never runs out.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::Position;

use crate::budget::Budget;
use crate::platform::Instant;

/// The clock of a game.
#[derive(Default)]
pub(super) struct NodeClock {
    /// The nodes of a millisecond; 0 leaves the clock to the manager.
    rate: u64,
    /// The microseconds left; `None` before the first search with a clock.
    left: Option<u64>,
    /// The microseconds that the move being searched brings, with those of a stage that begins
    /// after it.
    increment: u64,
    /// The microseconds of the first search, which every stage gives again.
    stage: u64,
}

impl NodeClock {
    pub(super) fn set_rate(&mut self, rate: u64) {
        *self = NodeClock { rate, ..NodeClock::default() };
    }

    /// Fills the clock at the next search.
    pub(super) fn new_game(&mut self) {
        self.left = None;
    }

    /// The budget of a search. `overhead` holds for the manager's clock alone.
    pub(super) fn budget(
        &mut self,
        limits: &Limits,
        position: &Position,
        overhead: Duration,
        since: Instant,
        stop: Arc<AtomicBool>,
    ) -> Budget {
        let side = position.side_to_move();
        let Some(time) = limits.time_of(side).filter(|_| self.rate > 0) else {
            return Budget::new(limits, position, overhead, since, stop);
        };
        if self.left.is_none() {
            self.stage = time * 1000;
        }
        let left = *self.left.get_or_insert(self.stage);
        let refill = if limits.moves_to_go == Some(1) { self.stage } else { 0 };
        self.increment = limits.increment_of(side) * 1000 + refill;
        let mut limits = limits.clone();
        limits.clock = [Some(left / 1000); 2];
        Budget::new(&limits, position, Duration::ZERO, since, stop).in_nodes(self.rate)
    }

    /// Takes the nodes of a finished search from the clock.
    pub(super) fn spend(&mut self, nodes: u64) {
        if let Some(left) = &mut self.left {
            let spent = nodes * 1000 / self.rate;
            *left = left.saturating_sub(spent) + self.increment;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::messages::Command;
    use fanorona_protocol::rules::Start;

    fn nodes(clock: &mut NodeClock, words: &str) -> Option<u64> {
        let Ok(Command::Go(limits)) = format!("go {words}").parse() else { panic!("{words}") };
        let (position, overhead) = (Start::TSIVY.riatra(), Duration::from_millis(5));
        clock.budget(&limits, &position, overhead, Instant::now(), Arc::default()).nodes()
    }

    #[test]
    fn moves_cost_clock_time_by_their_nodes() {
        let mut clock = NodeClock::default();
        assert_eq!(nodes(&mut clock, "p1time 1000"), None, "the manager's clock");
        clock.set_rate(10);
        let first = nodes(&mut clock, "p1time 1000 p1inc 8").unwrap();
        assert_eq!(first, (1000 / 4 + 8) * 10);
        clock.spend(5080);
        let second = nodes(&mut clock, "p1time 999 p1inc 8").unwrap();
        assert_eq!(second, (500 / 4 + 8) * 10, "half of the clock is gone");
        clock.spend(1_000_000);
        assert_eq!(nodes(&mut clock, "p1time 998 p1inc 8"), Some(8 * 10), "only the increment");
        clock.new_game();
        assert_eq!(nodes(&mut clock, "p1time 1000 p1inc 8"), Some(first));
        clock.new_game();
        assert_eq!(nodes(&mut clock, "p1time 1000 movestogo 1"), Some(1000 * 10));
        clock.spend(10_000);
        assert_eq!(nodes(&mut clock, "p1time 1009 movestogo 1"), Some(1000 * 10), "a new stage");
        assert_eq!(nodes(&mut clock, "nodes 77"), Some(77), "other limits are as ever");
    }
}
