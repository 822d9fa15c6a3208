//! Time management: converts the limits of `go` into a soft and a hard bound.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::{BoardSize, Position};

use crate::platform::Instant;

/// Divides a clock while more than a third of the board is covered, unless fewer moves are to go until
/// it is filled up again. A game is
/// decided early: most stones leave the board within ten moves. The rest of the game is long, but
/// easier to play, so most of the time belongs to the opening.
const OPENING_MOVES: u32 = 10;

/// The divisor while more than a sixth of the board is covered.
const MIDDLE_MOVES: u32 = 14;

/// The divisor with fewer stones.
const ENDING_MOVES: u32 = 20;

/// A single move uses at most this fraction (1 / `HARD_DIVISOR`) of the clock, or twice the even
/// share of the moves until the clock is filled up again and one more, if that is longer: the last
/// move before may use all of it.
const HARD_DIVISOR: u32 = 4;

/// The number of moves among which a clock is divided. In phase one of a vela, the creditor must
/// give away its stones one per move before the game becomes as sharp as an early middle game, so
/// each of these stones adds a move.
fn expected_moves(position: &Position) -> u32 {
    let (board, side) = (position.board(), position.side_to_move());
    let stones = board.count(side) + board.count(!side);
    let points = board.size().points() as u32;
    match position.debtor() {
        Some(debtor) if position.is_vela_phase_one() => {
            MIDDLE_MOVES + board.count(!debtor).saturating_sub(5)
        }
        _ if 3 * stones > points => OPENING_MOVES,
        _ if 6 * stones > points => MIDDLE_MOVES,
        _ => ENDING_MOVES,
    }
}

/// The limits of one search.
#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    /// The time when the clock began to run; not set while the search is one in the opponent's
    /// time.
    clock: Arc<OnceLock<Instant>>,
    soft: Option<Duration>,
    hard: Option<Duration>,
    depth: Option<u32>,
    nodes: Option<u64>,
    soft_nodes: Option<u64>,
    /// The nodes that pass for a millisecond, if they are the clock.
    node_rate: Option<u64>,
    stop: Arc<AtomicBool>,
    /// Called before each look at `stop`.
    listener: Option<Listener>,
}

/// Hears what the manager says during a search, where only the search can ask for it: without threads
/// nobody else listens.
#[derive(Clone)]
pub(crate) struct Listener(Arc<dyn Fn() + Send + Sync>);

impl Listener {
    pub(crate) fn new(listen: impl Fn() + Send + Sync + 'static) -> Listener {
        Listener(Arc::new(listen))
    }

    /// Hears what has been said since the last call.
    pub(crate) fn listen(&self) {
        self.0();
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

impl Budget {
    /// The budget of the side to move in a position. `start` is the time when the limits were read.
    /// `overhead` is left unused for communication with the manager. `stop` ends the search from
    /// outside.
    pub fn new(
        limits: &Limits,
        position: &Position,
        overhead: Duration,
        start: Instant,
        stop: Arc<AtomicBool>,
    ) -> Budget {
        let side = position.side_to_move();
        let mut soft = None;
        let mut hard = None;
        // When the time is shorter than twice the overhead, half of it is used: the bot must find
        // some move.
        let usable = |time: Duration| time.saturating_sub(overhead).max((time / 2).min(overhead));
        if let Some(time) = limits.time_of(side) {
            let time = usable(Duration::from_millis(time));
            let gain = Duration::from_millis(limits.increment_of(side));
            let expected = expected_moves(position);
            let moves = limits.moves_to_go.map_or(expected, |left| left.clamp(1, expected));
            let share = (time / moves).saturating_add(gain * 3 / 4);
            let most = (time / HARD_DIVISOR).max(time * 2 / (moves + 1)).saturating_add(gain);
            hard = Some(most.max(share).min(time));
            soft = Some(share.min(time));
        }
        if let Some(time) = limits.move_time {
            let time = usable(Duration::from_millis(time));
            hard = Some(hard.map_or(time, |hard| hard.min(time)));
            soft = Some(soft.map_or(time, |soft| soft.min(time)));
        }
        Budget {
            start,
            clock: Arc::new(OnceLock::from(start)),
            soft,
            hard,
            depth: limits.depth,
            nodes: limits.nodes,
            soft_nodes: None,
            node_rate: None,
            stop,
            listener: None,
        }
    }

    /// A budget for a search by nodes or depth, without a clock and without a way to stop it.
    pub fn from_limits(limits: &Limits) -> Budget {
        let stop = Arc::new(AtomicBool::new(false));
        let position = Position::start(BoardSize::TSIVY);
        Budget::new(limits, &position, Duration::ZERO, Instant::now(), stop)
    }

    /// The same budget in the opponent's time: no bound of time holds before this clock is set.
    pub(crate) fn pondering(self, clock: Arc<OnceLock<Instant>>) -> Budget {
        Budget { clock, ..self }
    }

    /// The same budget with a listener, which every check for `stop` calls first.
    pub(crate) fn listening(self, listener: Listener) -> Budget {
        Budget { listener: Some(listener), ..self }
    }

    /// The same budget, but the search begins no new iteration after this many nodes. A finished
    /// iteration gives a better value than the same number of nodes cut off in the middle.
    pub fn with_soft_nodes(self, nodes: u64) -> Budget {
        Budget { soft_nodes: Some(nodes), ..self }
    }

    /// The same budget under a clock that counts nodes: `rate` nodes are a millisecond. The search
    /// then depends on its nodes alone, so any machine repeats it under any load.
    pub fn in_nodes(self, rate: u64) -> Budget {
        let of_clock = self.hard.map(|hard| (hard.as_micros() as u64).saturating_mul(rate) / 1000);
        let nodes = self.nodes.into_iter().chain(of_clock).min();
        Budget { node_rate: Some(rate), nodes, ..self }
    }

    /// Time since the limits were read.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Time since the clock began to run, which the bounds limit; none in the opponent's time.
    pub(crate) fn on_clock(&self) -> Duration {
        self.clock.get().map_or(Duration::ZERO, Instant::elapsed)
    }

    /// Whether the search is one in the opponent's time.
    pub(crate) fn is_pondering(&self) -> bool {
        self.clock.get().is_none()
    }

    /// Time of the clock in force, after a number of nodes.
    pub(crate) fn elapsed_after(&self, nodes: u64) -> Duration {
        match self.node_rate {
            Some(rate) => Duration::from_micros(nodes.saturating_mul(1000) / rate.max(1)),
            None => self.on_clock(),
        }
    }

    /// Whether the machine's clock limits the search, so that it cannot be reproduced.
    pub fn is_timed(&self) -> bool {
        self.hard.is_some() && self.node_rate.is_none()
    }

    /// The time after which no new iteration begins; `None` without a clock.
    pub fn soft(&self) -> Option<Duration> {
        self.soft
    }

    /// The time at which the search ends in any case; `None` without a clock.
    pub fn hard(&self) -> Option<Duration> {
        self.hard
    }

    /// The maximum depth in plies.
    pub fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// The maximum number of nodes.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// The number of nodes after which no new iteration begins.
    pub(crate) fn soft_nodes(&self) -> Option<u64> {
        self.soft_nodes
    }

    /// Whether the manager has sent `stop`.
    pub fn is_stopped(&self) -> bool {
        if let Some(listener) = &self.listener {
            listener.listen();
        }
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the search must end now: it is stopped, or past the hard bound. This reads the
    /// clock, so do not call it at every node; the search counts its nodes itself.
    pub fn is_over(&self) -> bool {
        self.is_stopped()
            || self.is_timed() && self.hard.is_some_and(|hard| self.on_clock() >= hard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w";

    fn budget(words: &str, overhead: u64) -> Budget {
        budget_in(START, words, overhead)
    }

    fn budget_in(position: &str, words: &str, overhead: u64) -> Budget {
        let line = format!("go {words}");
        let Ok(fanorona_protocol::messages::Command::Go(limits)) = line.parse() else {
            panic!("{line}")
        };
        Budget::new(
            &limits,
            &position.parse().unwrap(),
            Duration::from_millis(overhead),
            Instant::now(),
            Arc::default(),
        )
    }

    #[test]
    fn no_clock_is_ever_overstepped() {
        for time in [0, 1, 5, 20, 100, 1000, 60_000] {
            for gain in [0, 10, 1000, 100_000] {
                for moves in ["", "movestogo 1", "movestogo 0", "movestogo 40"] {
                    for overhead in [0, 10, 5000] {
                        let words = format!("p1time {time} p1inc {gain} {moves}");
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
    fn the_beginning_gets_more_than_the_end_and_a_long_vela_less_a_move() {
        let share = |position: &str| budget_in(position, "p1time 60000", 0).soft().unwrap();
        let middle = share("3b1b2b/1b5b1/b3W2b1/2W1W3W/1W2W1W2 w");
        let ending = share("4b4/9/2b1b4/9/1W2W2W1 w");
        assert!(share(START) > middle && middle > ending);
        let vela = share("bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w");
        assert!(vela < middle);
        let given = share("b7b/2b6/4WW3/3W1WW1b/WWWW1WWWW w w");
        assert_eq!(given, share("b7b/2b6/4WW3/3W1WW1b/WWWW1WWWW w"), "phase two is riatra");
        assert!(budget("p1time 60000 movestogo 2", 0).soft() > budget("p1time 60000", 0).soft());
    }

    #[test]
    fn a_stage_of_a_clock_is_used_up_by_its_last_move_and_not_before() {
        for moves in 1..=40 {
            let (mut left, overhead) = (10_000, 5);
            for to_go in (1..=moves).rev() {
                let budget = budget(&format!("p1time {left} movestogo {to_go}"), overhead);
                let (soft, hard) = (budget.soft().unwrap(), budget.hard().unwrap());
                let share = Duration::from_millis(left - overhead) / to_go;
                assert!(soft >= share, "{to_go} of {moves}: {soft:?} is less than an even share");
                match to_go {
                    1 => assert_eq!(soft, hard, "the last move has all that is left"),
                    _ => assert!(soft * 5 / 4 <= hard, "{to_go} of {moves}: no room to think on"),
                }
                left -= soft.as_millis() as u64;
                assert!(left >= u64::from(to_go - 1) * 5, "{to_go} of {moves}: {left} ms");
            }
            assert!(left <= 20, "{moves} moves leave {left} ms unused");
        }
    }

    #[test]
    fn limits_combine_to_the_tightest_bounds() {
        let budget = budget("p1time 100000 movetime 30 nodes 7", 10);
        assert_eq!(budget.hard(), Some(Duration::from_millis(20)));
        assert_eq!(budget.nodes(), Some(7));
    }

    #[test]
    fn a_node_clock_replaces_that_of_the_machine() {
        let budget = budget("p1time 1000", 0).in_nodes(400);
        let hard = budget.hard().unwrap();
        assert_eq!(budget.nodes(), Some(hard.as_micros() as u64 * 400 / 1000));
        assert_eq!(budget.elapsed_after(400 * 7), Duration::from_millis(7));
        assert!(!budget.is_timed());
        let clock = Arc::new(OnceLock::from(Instant::now() - 2 * hard));
        let past = Budget { clock, ..budget };
        assert!(!past.is_over(), "the machine's clock does not count");
    }

    #[test]
    fn no_time_passes_before_the_clock_of_a_pondering_search_runs() {
        let clock = Arc::new(OnceLock::new());
        let before = Instant::now() - Duration::from_secs(9);
        let limits = Limits::with_move_time(20);
        let position = START.parse().unwrap();
        let budget = Budget::new(&limits, &position, Duration::ZERO, before, Arc::default());
        assert!(budget.is_over());
        let budget = budget.pondering(clock.clone());
        assert!(!budget.is_over() && budget.on_clock().is_zero());
        assert!(budget.elapsed() >= Duration::from_secs(9), "reports tell the time of the search");
        clock.set(before).unwrap();
        assert!(budget.is_over());
    }

    #[test]
    fn without_a_clock_there_is_no_bound() {
        let budget = budget("nodes 5", 10);
        assert_eq!((budget.soft(), budget.hard()), (None, None));
        assert!(!budget.is_over());
    }
}
