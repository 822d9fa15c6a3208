//! The generator: every legal turn of a position, path by path.
//!
//! First steps are found for all stones of a side at once, by shifting bit masks in each of the
//! eight directions; the steps of a chain by looking at the eight neighbours of one stone at once.
//! Captured runs come out of ray masks without a loop. A child is two words and there is nothing
//! to undo. Whoever wants the turns is a [`Sink`]; one that needs no paths does not pay for them.

use std::ops::ControlFlow;

use super::bits::by_direction;
use super::board::Board;
use super::geometry::{BoardSize, Direction, LINES, Lines, MAX_POINTS, Point};
use super::position::Position;
use super::ruleset::{Ruleset, VelaStarved};
use super::side::Side;
use super::turn::{Capture, MAX_STEPS, Step, Turn};

/// What a turn does to the board: a stone goes from one point to another, enemy stones leave.
/// Turns along different paths may share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Effect {
    captured: u64,
    from: u8,
    to: u8,
}

impl Effect {
    /// Index of the point the stone leaves.
    #[inline]
    pub fn from(self) -> usize {
        self.from as usize
    }

    /// Index of the point the stone reaches at last.
    #[inline]
    pub fn to(self) -> usize {
        self.to as usize
    }

    /// The captured stones, bit *i* for the point with index *i*; none in a paika.
    #[inline]
    pub fn captured(self) -> u64 {
        self.captured
    }

    /// How many stones are captured.
    #[inline]
    pub fn gain(self) -> u32 {
        self.captured.count_ones()
    }

    /// Whether anything is captured; otherwise the turn is a paika.
    #[inline]
    pub fn is_capture(self) -> bool {
        self.captured != 0
    }

    /// The two points whose stone changed: exclusive or with the mover's stones plays the move.
    #[inline]
    pub(super) fn moved(self) -> u64 {
        1 << self.from | 1 << self.to
    }

    pub(super) fn new(from: usize, to: usize, captured: u64) -> Effect {
        Effect { captured, from: from as u8, to: to as u8 }
    }
}

/// How far a capturing stone goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chain {
    /// As far as its player likes.
    Optional,
    /// As long as it can.
    Forced,
    /// One step.
    Single,
}

/// Which kind of turn is legal, as stones, debtor and rules decide it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Captures if there are any, else paikas.
    Riatra(Chain),
    /// Vela phase one, the debtor to move: one step takes the nearest stone of a run.
    Debtor {
        /// Whether a debtor who cannot capture may play a paika.
        or_paika: bool,
    },
    /// Vela phase one, the creditor to move: paikas only.
    Creditor {
        /// Whether a paika has to leave the debtor a capture where one can.
        must_offer: bool,
    },
}

/// The stones as the side to move sees them.
#[derive(Clone, Copy)]
pub(super) struct Stones {
    pub(super) own: u64,
    pub(super) enemy: u64,
}

impl Stones {
    pub(super) fn of(board: &Board, mover: Side) -> Stones {
        Stones { own: board.bits(mover), enemy: board.bits(!mover) }
    }

    /// The stones after a turn, as the other side sees them.
    #[inline(always)]
    pub(super) fn after(self, effect: Effect) -> Stones {
        Stones { own: self.enemy & !effect.captured, enemy: self.own ^ effect.moved() }
    }
}

impl Mode {
    /// The mode of a side to move; `owes` says whether it is the debtor, `None` in riatra.
    #[inline]
    pub(super) fn of(size: BoardSize, stones: Stones, owes: Option<bool>, rules: &Ruleset) -> Mode {
        match owes {
            Some(true) if stones.enemy.count_ones() > 5 => {
                Mode::Debtor { or_paika: rules.vela_starved == VelaStarved::Paika }
            }
            Some(false) if stones.own.count_ones() > 5 => {
                Mode::Creditor { must_offer: rules.vela_must_offer }
            }
            _ => Mode::Riatra(Chain::of(size, stones, rules)),
        }
    }

    /// The mode of the side to move in a position.
    #[inline]
    pub(super) fn of_position(position: &Position, rules: &Ruleset) -> Mode {
        let stones = Stones::of(position.board(), position.turn());
        let owes = position.debtor().map(|debtor| debtor == position.turn());
        Mode::of(position.board().size(), stones, owes, rules)
    }
}

impl Chain {
    fn of(size: BoardSize, stones: Stones, rules: &Ruleset) -> Chain {
        if rules.single_first_capture && stones.enemy.count_ones() >= size.stones_per_side() {
            Chain::Single
        } else if rules.forced_continuation {
            Chain::Forced
        } else {
            Chain::Optional
        }
    }
}

/// Whoever takes generated turns.
pub(super) trait Sink {
    /// Whether the sink looks at paths; if not, they are not recorded.
    const PATHS: bool;

    /// Takes one turn. `path` is empty unless [`Sink::PATHS`].
    fn turn(&mut self, effect: Effect, path: &[Step]);

    /// Takes all paikas in one direction at once.
    #[inline(always)]
    fn paikas(&mut self, mut movers: u64, direction: usize, delta: i32) {
        let path = [Step { direction: Direction::ALL[direction], capture: None }];
        while movers != 0 {
            let from = movers.trailing_zeros();
            movers &= movers - 1;
            let to = from.wrapping_add_signed(delta);
            self.turn(Effect { captured: 0, from: from as u8, to: to as u8 }, &path);
        }
    }
}

/// Calls a visitor with every turn until it breaks.
struct Visitor<F> {
    size: BoardSize,
    visit: F,
    flow: ControlFlow<()>,
}

impl<F: FnMut(&Turn, Effect) -> ControlFlow<()>> Sink for Visitor<F> {
    const PATHS: bool = true;

    fn turn(&mut self, effect: Effect, path: &[Step]) {
        if self.flow.is_continue() {
            let from = Point::from_index(effect.from(), self.size).expect("stones are on points");
            let turn = Turn::new(from, path).expect("generated paths stay on the board");
            self.flow = (self.visit)(&turn, effect);
        }
    }
}

impl<F: FnMut(Effect)> Sink for F {
    const PATHS: bool = false;

    #[inline(always)]
    fn turn(&mut self, effect: Effect, _: &[Step]) {
        self(effect);
    }
}

/// Only counts.
struct Counter(u64);

impl Sink for Counter {
    const PATHS: bool = false;

    #[inline(always)]
    fn turn(&mut self, _: Effect, _: &[Step]) {
        self.0 += 1;
    }

    #[inline(always)]
    fn paikas(&mut self, movers: u64, _: usize, _: i32) {
        self.0 += u64::from(movers.count_ones());
    }
}

pub(super) fn turns(
    position: &Position,
    rules: &Ruleset,
    visit: impl FnMut(&Turn, Effect) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let size = position.board().size();
    let mut visitor = Visitor { size, visit, flow: ControlFlow::Continue(()) };
    generate_position(position, rules, &mut visitor);
    visitor.flow
}

#[inline]
pub(super) fn effects(position: &Position, rules: &Ruleset, mut visit: impl FnMut(Effect)) {
    generate_position(position, rules, &mut visit);
}

pub(super) fn count(position: &Position, rules: &Ruleset) -> u64 {
    let mut counter = Counter(0);
    generate_position(position, rules, &mut counter);
    counter.0
}

#[inline]
fn generate_position(position: &Position, rules: &Ruleset, sink: &mut impl Sink) {
    let stones = Stones::of(position.board(), position.turn());
    generate(position.board().size(), stones, Mode::of_position(position, rules), sink);
}

/// Calls `$body` with the constant `$index` that equals the size's index, so that everything known
/// of the board is known to the compiler.
macro_rules! with_size {
    ($size:expr, $index:ident => $body:expr) => {
        match $size.index() {
            0 => {
                const $index: usize = 0;
                $body
            }
            1 => {
                const $index: usize = 1;
                $body
            }
            2 => {
                const $index: usize = 2;
                $body
            }
            3 => {
                const $index: usize = 3;
                $body
            }
            4 => {
                const $index: usize = 4;
                $body
            }
            5 => {
                const $index: usize = 5;
                $body
            }
            6 => {
                const $index: usize = 6;
                $body
            }
            7 => {
                const $index: usize = 7;
                $body
            }
            8 => {
                const $index: usize = 8;
                $body
            }
            9 => {
                const $index: usize = 9;
                $body
            }
            10 => {
                const $index: usize = 10;
                $body
            }
            _ => {
                const $index: usize = 11;
                $body
            }
        }
    };
}

/// Shows every legal turn to a sink.
pub(super) fn generate<S: Sink>(size: BoardSize, stones: Stones, mode: Mode, sink: &mut S) {
    with_size!(size, I => generate_on::<I, S>(stones, mode, sink));
}

#[inline(always)]
pub(super) fn generate_on<const I: usize, S: Sink>(stones: Stones, mode: Mode, sink: &mut S) {
    match mode {
        Mode::Riatra(chain) => {
            let mut generator = Generator::<I, S>::new(stones, sink);
            let any = match chain {
                Chain::Optional => generator.captures::<OPTIONAL>(),
                Chain::Forced => generator.captures::<FORCED>(),
                Chain::Single => generator.captures::<SINGLE>(),
            };
            if !any {
                generator.paikas();
            }
        }
        Mode::Debtor { or_paika } => {
            let mut generator = Generator::<I, S>::new(stones, sink);
            if !generator.captures::<NEAREST>() && or_paika {
                generator.paikas();
            }
        }
        Mode::Creditor { must_offer: false } => Generator::<I, S>::new(stones, sink).paikas(),
        Mode::Creditor { must_offer: true } => {
            let offers = |effect: Effect| {
                let after = stones.after(effect);
                has_capture_on::<I>(after)
            };
            let mut any = false;
            let mut look = |effect: Effect| any |= offers(effect);
            Generator::<I, _>::new(stones, &mut look).paikas();
            let mut filter = Filter { sink, keep: |effect| !any || offers(effect) };
            Generator::<I, _>::new(stones, &mut filter).paikas();
        }
    }
}

/// Passes on the turns whose effect is wanted.
struct Filter<'s, S, F> {
    sink: &'s mut S,
    keep: F,
}

impl<S: Sink, F: Fn(Effect) -> bool> Sink for Filter<'_, S, F> {
    const PATHS: bool = S::PATHS;

    fn turn(&mut self, effect: Effect, path: &[Step]) {
        if (self.keep)(effect) {
            self.sink.turn(effect, path);
        }
    }
}

/// The ways a capture goes on, as constants a function can be compiled for.
const OPTIONAL: u8 = 0;
const FORCED: u8 = 1;
const SINGLE: u8 = 2;
/// Vela phase one: a single step that takes the nearest stone only.
const NEAREST: u8 = 3;

/// One generation on the board with index `I`.
struct Generator<'s, const I: usize, S> {
    stones: Stones,
    sink: &'s mut S,
    path: [Step; MAX_STEPS],
    from: u32,
    /// Points without a stone of the side to move, the moving one aside.
    open: u64,
}

impl<'s, const I: usize, S: Sink> Generator<'s, I, S> {
    const LINES: &'static Lines = &LINES[I];

    #[inline(always)]
    fn new(stones: Stones, sink: &'s mut S) -> Self {
        let path = [Step { direction: Direction::South, capture: None }; MAX_STEPS];
        Generator { stones, sink, path, from: 0, open: 0 }
    }

    /// Every turn that begins with a capture; whether there was one.
    #[inline(always)]
    fn captures<const CHAIN: u8>(&mut self) -> bool {
        let Stones { own, enemy } = self.stones;
        let empty = Self::LINES.board & !(own | enemy);
        let mut any = false;
        for d in 0..8 {
            let (approach, withdrawal) = first_steps::<I>(d, own, enemy, empty);
            any |= approach | withdrawal != 0;
            let delta = i32::from(Self::LINES.delta[d]);
            for (mut movers, capture) in
                [(approach, Capture::Approach), (withdrawal, Capture::Withdrawal)]
            {
                while movers != 0 {
                    let from = movers.trailing_zeros();
                    movers &= movers - 1;
                    self.from = from;
                    self.open = Self::LINES.board & !own | 1 << from;
                    let to = from.wrapping_add_signed(delta);
                    self.step::<CHAIN>(d, from, to, capture, 0, 1 << from, 0);
                }
            }
        }
        any
    }

    /// One capturing step in direction `d` and whatever may follow it.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the state of a chain, kept in registers")]
    fn step<const CHAIN: u8>(
        &mut self,
        d: usize,
        from: u32,
        to: u32,
        capture: Capture,
        captured: u64,
        visited: u64,
        depth: usize,
    ) {
        let enemy = self.stones.enemy & !captured;
        let (start, towards) = match capture {
            Capture::Approach => (to, d),
            Capture::Withdrawal => (from, 7 - d),
        };
        let captured = captured
            | if CHAIN == NEAREST {
                1 << start.wrapping_add_signed(i32::from(Self::LINES.delta[towards]))
            } else {
                run(Self::LINES, towards, start, enemy)
            };
        if S::PATHS {
            self.path[depth] = Step { direction: Direction::ALL[d], capture: Some(capture) };
        }
        let effect = Effect { captured, from: self.from as u8, to: to as u8 };
        let path = if S::PATHS { depth + 1 } else { 0 };
        match CHAIN {
            OPTIONAL => {
                self.sink.turn(effect, &self.path[..path]);
                self.go_on::<OPTIONAL>(d, to, captured, visited | 1 << to, depth + 1);
            }
            FORCED => {
                if !self.go_on::<FORCED>(d, to, captured, visited | 1 << to, depth + 1) {
                    self.sink.turn(effect, &self.path[..path]);
                }
            }
            _ => self.sink.turn(effect, &self.path[..path]),
        }
    }

    /// Every further capturing step of the stone on `at`, which came in direction `last`; whether
    /// there was one.
    fn go_on<const CHAIN: u8>(
        &mut self,
        last: usize,
        at: u32,
        captured: u64,
        visited: u64,
        depth: usize,
    ) -> bool {
        let lines = Self::LINES;
        let point = at as usize & 63;
        let enemy = self.stones.enemy & !captured;
        let free = self.open & !enemy & !visited;
        let (near, near_directions) = (lines.near[point], lines.near_directions[point]);
        let free = by_direction(free, near, near_directions) & !(1 << last);
        if free == 0 {
            return false;
        }
        let behind = by_direction(enemy, near, near_directions).reverse_bits();
        let beyond = by_direction(enemy, lines.far[point], lines.far_directions[point]);
        let (approach, withdrawal) = (free & beyond, free & behind);
        for (mut directions, capture) in
            [(approach, Capture::Approach), (withdrawal, Capture::Withdrawal)]
        {
            while directions != 0 {
                let d = directions.trailing_zeros() as usize;
                directions &= directions - 1;
                let to = at.wrapping_add_signed(i32::from(lines.delta[d & 7]));
                self.step::<CHAIN>(d & 7, at, to, capture, captured, visited, depth);
            }
        }
        approach | withdrawal != 0
    }

    /// Every paika.
    #[inline(always)]
    fn paikas(&mut self) {
        let Stones { own, enemy } = self.stones;
        let empty = Self::LINES.board & !(own | enemy);
        for d in 0..8 {
            let movers = own & can_step::<I>(d, empty);
            self.sink.paikas(movers, d, i32::from(Self::LINES.delta[d]));
        }
    }
}

/// The points from which a step in direction `d` reaches a point of the set.
#[inline(always)]
fn can_step<const I: usize>(d: usize, set: u64) -> u64 {
    let delta = LINES[I].delta[d];
    let shifted = if delta > 0 { set >> delta } else { set << -delta };
    shifted & LINES[I].source[d]
}

/// The stones that may step in direction `d` capturing by approach, and by withdrawal.
#[inline(always)]
fn first_steps<const I: usize>(d: usize, own: u64, enemy: u64, empty: u64) -> (u64, u64) {
    let movers = own & can_step::<I>(d, empty);
    let approach = movers & can_step::<I>(d, can_step::<I>(d, enemy));
    let withdrawal = movers & can_step::<I>(7 - d, enemy);
    (approach, withdrawal)
}

/// The unbroken run of enemy stones onward from a point in direction `d`.
#[inline(always)]
fn run(lines: &Lines, d: usize, point: u32, enemy: u64) -> u64 {
    let ray = lines.ray[d & 7][point as usize % MAX_POINTS];
    let blockers = ray & !enemy;
    // Everything on the ray before its first point without an enemy stone. Directions from West
    // down lead to smaller indices, those from East up to larger ones.
    let before = if d < 4 {
        !0 << (64 - blockers.leading_zeros())
    } else {
        (blockers & blockers.wrapping_neg()).wrapping_sub(1)
    };
    ray & before
}

#[inline(always)]
fn has_capture_on<const I: usize>(stones: Stones) -> bool {
    let Stones { own, enemy } = stones;
    let empty = LINES[I].board & !(own | enemy);
    (0..8).any(|d| {
        let (approach, withdrawal) = first_steps::<I>(d, own, enemy, empty);
        approach | withdrawal != 0
    })
}

/// Whether the side to move has a step that takes a stone.
pub(super) fn has_capture(position: &Position) -> bool {
    let stones = Stones::of(position.board(), position.turn());
    with_size!(position.board().size(), I => has_capture_on::<I>(stones))
}

/// The stones of a side with a step that takes an enemy stone.
#[inline]
pub(super) fn capturing_stones(board: &Board, side: Side) -> u64 {
    let Stones { own, enemy } = Stones::of(board, side);
    with_size!(board.size(), I => {
        let empty = LINES[I].board & !(own | enemy);
        (0..8).fold(0, |found, d| {
            let (approach, withdrawal) = first_steps::<I>(d, own, enemy, empty);
            found | approach | withdrawal
        })
    })
}

/// How many steps to empty points the stones of a side have.
#[inline]
pub(super) fn count_steps(board: &Board, side: Side) -> u32 {
    let Stones { own, enemy } = Stones::of(board, side);
    with_size!(board.size(), I => {
        let empty = LINES[I].board & !(own | enemy);
        (0..8).map(|d| (own & can_step::<I>(d, empty)).count_ones()).sum()
    })
}

/// Whether the side to move has a legal turn.
pub(super) fn has_turn(position: &Position, rules: &Ruleset) -> bool {
    let stones = Stones::of(position.board(), position.turn());
    let mode = Mode::of_position(position, rules);
    let capture = has_capture(position);
    let paika = || {
        with_size!(position.board().size(), I => {
            let empty = LINES[I].board & !(stones.own | stones.enemy);
            (0..8).any(|d| stones.own & can_step::<I>(d, empty) != 0)
        })
    };
    match mode {
        Mode::Riatra(_) | Mode::Debtor { or_paika: true } => capture || paika(),
        Mode::Debtor { or_paika: false } => capture,
        Mode::Creditor { .. } => paika(),
    }
}

/// How many turns there are for stones alone.
#[inline]
pub(super) fn count_stones(size: BoardSize, stones: Stones, mode: Mode) -> u64 {
    let mut counter = Counter(0);
    generate(size, stones, mode, &mut counter);
    counter.0
}
