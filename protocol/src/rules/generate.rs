//! The move generator: finds every legal move of a position, path by path.
//!
//! It finds the first steps of all stones of a side at once, by shifting bit masks in each of the
//! eight directions. It finds the further steps of a chain by looking at the eight neighbours of
//! one stone at once. Ray masks give the captured runs without a loop. A child position is two
//! words, and nothing has to be undone.
//!
//! A [`Sink`] receives the moves. The compiler removes the path code for a sink that does not use
//! paths.

use alloc::vec::Vec;

use core::ops::ControlFlow;

use super::bits::ways;
use super::effect::Effect;
use super::geometry::{BoardSize, Direction, Point, lines, with_size};
use super::moves::{Capture, MAX_STEPS, Move, Step};
use super::position::{CREDITOR_STONES_IN_PHASE_TWO, Position};
use super::ruleset::{Ruleset, VelaStarved};
use super::steps::{Captures, Stones, before, has_capture_on, has_step_on, nearest, taken};

/// Whether a capturing stone may or must continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chain {
    /// The player may stop after any step.
    Optional,
    /// The stone must continue while it can.
    Forced,
    /// The move ends after one step.
    Single,
}

/// The kind of move that is legal. Stones, debtor and rules determine it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// A capture if there is one, else a paika.
    Riatra(Chain),
    /// Vela phase one, the debtor to move: one step captures the nearest stone of a run.
    Debtor {
        /// Whether a debtor who cannot capture may play a paika.
        or_paika: bool,
    },
    /// Vela phase one, the creditor to move: paikas only.
    Creditor {
        /// Whether a paika must leave the debtor a capture if any paika does.
        must_offer: bool,
    },
}

impl Stones {
    /// Returns the stones after a move, from the view of the other side.
    #[inline(always)]
    pub(super) fn after(self, effect: Effect) -> Stones {
        Stones { own: self.enemy & !effect.captured(), enemy: self.own ^ effect.moved() }
    }
}

impl Mode {
    /// Returns the mode of a side to move. `is_debtor` says whether that side is the debtor; it is
    /// `None` in riatra.
    #[inline]
    pub(super) fn new(
        size: BoardSize,
        stones: Stones,
        is_debtor: Option<bool>,
        rules: &Ruleset,
    ) -> Mode {
        match is_debtor {
            Some(true) if stones.enemy.count_ones() > CREDITOR_STONES_IN_PHASE_TWO => {
                Mode::Debtor { or_paika: rules.vela_starved == VelaStarved::Paika }
            }
            Some(false) if stones.own.count_ones() > CREDITOR_STONES_IN_PHASE_TWO => {
                Mode::Creditor { must_offer: rules.vela_must_offer }
            }
            _ => Mode::Riatra(Chain::new(size, stones, rules)),
        }
    }

    /// Returns the mode of the side to move in a position.
    #[inline]
    pub(super) fn from_position(position: &Position, rules: &Ruleset) -> Mode {
        let stones = Stones::new(position.board(), position.side_to_move());
        let is_debtor = position.debtor().map(|debtor| debtor == position.side_to_move());
        Mode::new(position.board().size(), stones, is_debtor, rules)
    }
}

impl Chain {
    fn new(size: BoardSize, stones: Stones, rules: &Ruleset) -> Chain {
        if rules.single_first_capture && stones.enemy.count_ones() >= size.stones_per_side() {
            Chain::Single
        } else if rules.forced_continuation {
            Chain::Forced
        } else {
            Chain::Optional
        }
    }
}

/// Receives generated moves.
pub(super) trait Sink {
    /// Whether the sink needs only the number of moves. The generator then calls [`Sink::count`]
    /// for many moves at once, and not [`Sink::accept`].
    const COUNTS: bool = false;

    /// The stone makes a step. It is part of all moves until [`Sink::step_back`].
    #[inline(always)]
    fn step(&mut self, _step: Step) {}

    /// The stone takes its last step back.
    #[inline(always)]
    fn step_back(&mut self) {}

    /// Receives the move that consists of the steps made so far.
    fn accept(&mut self, effect: Effect);

    /// Receives a number of moves without their effects.
    #[inline(always)]
    fn count(&mut self, _moves: u32) {}
}

/// Receives a move with its effect, and decides whether to continue.
type Visit<'v> = &'v mut dyn FnMut(&Move, Effect) -> ControlFlow<()>;

/// A sink that calls a visitor with every move until the visitor breaks.
struct Visitor<'v> {
    size: BoardSize,
    path: [Step; MAX_STEPS],
    steps: usize,
    visit: Visit<'v>,
    flow: ControlFlow<()>,
}

impl Sink for Visitor<'_> {
    #[inline(always)]
    fn step(&mut self, step: Step) {
        self.path[self.steps] = step;
        self.steps += 1;
    }

    #[inline(always)]
    fn step_back(&mut self) {
        self.steps -= 1;
    }

    fn accept(&mut self, effect: Effect) {
        if self.flow.is_continue() {
            let from = Point::from_index(effect.from(), self.size).expect("stones are on points");
            let mv = Move::new(from, &self.path[..self.steps])
                .expect("generated paths stay on the board");
            self.flow = (self.visit)(&mv, effect);
        }
    }
}

impl<F: FnMut(Effect)> Sink for F {
    #[inline(always)]
    fn accept(&mut self, effect: Effect) {
        self(effect);
    }
}

/// A sink that only counts.
struct Counter(u64);

impl Sink for Counter {
    const COUNTS: bool = true;

    #[inline(always)]
    fn accept(&mut self, _: Effect) {
        self.0 += 1;
    }

    #[inline(always)]
    fn count(&mut self, moves: u32) {
        self.0 += u64::from(moves);
    }
}

impl Position {
    /// Whether the side to move has a step that would capture a stone. This concerns the board
    /// only: a creditor in vela phase one may have such a step and still not be allowed to capture.
    #[inline]
    pub fn has_capture(&self) -> bool {
        let stones = Stones::new(self.board(), self.side_to_move());
        with_size!(self.board().size(), I => has_capture_on::<I>(stones))
    }

    /// Whether the side to move has a legal move.
    pub fn has_move(&self, rules: &Ruleset) -> bool {
        let stones = Stones::new(self.board(), self.side_to_move());
        let mode = Mode::from_position(self, rules);
        with_size!(self.board().size(), I => match mode {
            // A stone that can capture also has a step.
            Mode::Riatra(_) | Mode::Debtor { or_paika: true } | Mode::Creditor { .. } => {
                has_step_on::<I>(stones)
            }
            Mode::Debtor { or_paika: false } => has_capture_on::<I>(stones),
        })
    }

    /// Returns every legal move. [`Position::visit_moves`] also tells the effect of each, and
    /// [`Position::visit_effects`] the effects alone. [`perft`](super::perft) with depth 1 counts
    /// the moves without listing them.
    ///
    /// The stones alone determine the moves. [`Ruleset::ending`] and
    /// [`Game::ending`](super::Game::ending) tell whether the game is already over: no stones
    /// left, repetition, a limit. A starved or blocked side has no move.
    pub fn legal_moves(&self, rules: &Ruleset) -> Vec<Move> {
        let mut moves = Vec::new();
        // The visitor never breaks.
        let _ = self.visit_moves(rules, |mv, _| {
            moves.push(*mv);
            ControlFlow::Continue(())
        });
        moves
    }

    /// Calls a visitor with every legal move and its effect, until the visitor breaks. Allocates no
    /// memory.
    pub fn visit_moves(
        &self,
        rules: &Ruleset,
        mut visit: impl FnMut(&Move, Effect) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_moves_dyn(rules, &mut visit)
    }

    /// Not generic, so that it is compiled here once and not in every crate that visits moves.
    fn visit_moves_dyn(&self, rules: &Ruleset, visit: Visit) -> ControlFlow<()> {
        let size = self.board().size();
        let path = [Step { direction: Direction::South, capture: None }; MAX_STEPS];
        let flow = ControlFlow::Continue(());
        let mut visitor = Visitor { size, path, steps: 0, visit, flow };
        self.generate(rules, &mut visitor);
        visitor.flow
    }

    /// Calls a visitor with the effect of every legal move, in the order of
    /// [`Position::visit_moves`]. Allocates no memory, and is faster than `visit_moves` because it
    /// does not track paths.
    ///
    /// The compiler generates separate code for every visitor and every board size. Use this method
    /// on hot paths; elsewhere `visit_moves` keeps the program smaller.
    #[inline]
    pub fn visit_effects(&self, rules: &Ruleset, mut visit: impl FnMut(Effect)) {
        self.generate(rules, &mut visit);
    }

    #[inline]
    fn generate(&self, rules: &Ruleset, sink: &mut impl Sink) {
        let stones = Stones::new(self.board(), self.side_to_move());
        generate(self.board().size(), stones, Mode::from_position(self, rules), sink);
    }
}

/// Sends every legal move to a sink.
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
            // The first pass finds out whether any paika leaves a capture, and the second one
            // generates the moves.
            let mut any = false;
            let mut look = |effect: Effect| any |= offers(effect);
            Generator::<I, _>::new(stones, &mut look).paikas();
            let mut filter = Filter { sink, keep: |effect| !any || offers(effect) };
            Generator::<I, _>::new(stones, &mut filter).paikas();
        }
    }
}

/// A sink that passes on the moves whose effect `keep` accepts.
struct Filter<'s, S, F> {
    sink: &'s mut S,
    keep: F,
}

impl<S: Sink, F: Fn(Effect) -> bool> Sink for Filter<'_, S, F> {
    fn step(&mut self, step: Step) {
        self.sink.step(step);
    }

    fn step_back(&mut self) {
        self.sink.step_back();
    }

    fn accept(&mut self, effect: Effect) {
        if (self.keep)(effect) {
            self.sink.accept(effect);
        }
    }
}

/// The ways in which a capture continues, as constants that specialise functions at compile time.
const OPTIONAL: u8 = 0;
const FORCED: u8 = 1;
const SINGLE: u8 = 2;
/// Vela phase one: a single step that captures the nearest stone only.
const NEAREST: u8 = 3;

/// One run of the generator on the board with index `I`.
struct Generator<'s, const I: usize, S> {
    stones: Stones,
    sink: &'s mut S,
    /// The index of the point where the moving stone started.
    from: u32,
}

impl<'s, const I: usize, S: Sink> Generator<'s, I, S> {
    #[inline(always)]
    fn new(stones: Stones, sink: &'s mut S) -> Self {
        Generator { stones, sink, from: 0 }
    }

    /// Generates every move that begins with a capture. Returns whether there is one.
    #[inline(always)]
    fn captures<const CHAIN: u8>(&mut self) -> bool {
        let Stones { own, enemy } = self.stones;
        let empty = self.stones.empty::<I>();
        let continues = CHAIN == OPTIONAL || CHAIN == FORCED;
        // The captures of imagined stones on empty points show where a chain can continue.
        let from = if continues { own | empty } else { own };
        let captures = Captures::new::<I>(from, enemy, empty);
        let any = captures.any() & own != 0;
        if !any {
            return false;
        }
        let onward = if continues { captures.onward::<I>() } else { [0; 8] };
        for (d, onward) in onward.into_iter().enumerate() {
            self.first_steps::<CHAIN>(d, captures.approach[d] & own, onward, empty);
            self.first_steps::<CHAIN>(d + 8, captures.withdrawal[d] & own, onward, empty);
        }
        true
    }

    /// Generates every move whose first step is on this way (see [`WAYS`](super::geometry::WAYS))
    /// and begins at one of `movers`. From a point of `onward` a second step can follow.
    #[inline(always)]
    fn first_steps<const CHAIN: u8>(&mut self, way: usize, movers: u64, onward: u64, empty: u64) {
        let mut movers = movers;
        if S::COUNTS {
            // Moves that end after their first step are counted all at once.
            let ends = if CHAIN == FORCED { movers & !onward } else { movers };
            self.sink.count(ends.count_ones());
            movers &= onward;
        }
        while movers != 0 {
            let from = movers.trailing_zeros();
            let continues = onward >> from & 1 == 1;
            movers &= movers - 1;
            self.from = from;
            self.step::<CHAIN>(way, from, self.stones.enemy, empty, continues);
        }
    }

    /// Makes one capturing step and generates the moves that end with it or continue after it.
    ///
    /// `enemy` holds the enemy stones left. `free` holds the points without a stone that the moving
    /// stone has not visited. `continues` says whether another step may follow.
    #[inline(always)]
    fn step<const CHAIN: u8>(
        &mut self,
        way: usize,
        at: u32,
        enemy: u64,
        free: u64,
        continues: bool,
    ) {
        let lines = lines::<I>();
        let to = at.wrapping_add_signed(i32::from(lines.delta[way % 8]));
        let taken =
            if CHAIN == NEAREST { nearest(lines, way, at) } else { taken(lines, way, at, enemy) };
        let left = enemy ^ taken;
        let capture = if way < 8 { Capture::Approach } else { Capture::Withdrawal };
        self.sink.step(Step { direction: Direction::ALL[way % 8], capture: Some(capture) });
        if CHAIN != FORCED {
            self.finish(to, left);
        }
        let free = (free | taken) & !(1 << to);
        // The next step may not have the same direction, neither by approach nor by withdrawal.
        let further =
            if continues { ways(lines, to, left, free) & !(0x101 << (way % 8)) } else { 0 };
        if S::COUNTS {
            // Without `forced-continuation` one move ends after each further step.
            let ends = if CHAIN == FORCED { u32::from(further == 0) } else { further.count_ones() };
            self.sink.count(ends);
        }
        if further != 0 {
            self.continue_chain::<CHAIN>(further, to, left, free);
        } else if CHAIN == FORCED {
            self.finish(to, left);
        }
        self.sink.step_back();
    }

    /// Sends the move that ends here to the sink.
    #[inline(always)]
    fn finish(&mut self, to: u32, left: u64) {
        if !S::COUNTS {
            let captured = self.stones.enemy ^ left;
            let effect = Effect::new(self.from as usize, to as usize, captured);
            self.sink.accept(effect);
        }
    }

    /// Makes the steps of the stone on `at`, one for each of `ways`.
    fn continue_chain<const CHAIN: u8>(&mut self, mut ways: u32, at: u32, enemy: u64, free: u64) {
        while ways != 0 {
            let way = ways.trailing_zeros() as usize;
            ways &= ways - 1;
            self.step::<CHAIN>(way, at, enemy, free, true);
        }
    }

    /// Generates every paika.
    #[inline(always)]
    fn paikas(&mut self) {
        let empty = self.stones.empty::<I>();
        for d in 0..8 {
            let movers = self.stones.own & before::<I>(d, empty);
            if S::COUNTS {
                self.sink.count(movers.count_ones());
            } else {
                self.paikas_of(d, movers);
            }
        }
    }

    /// Generates the paikas of the stones `movers` in one direction.
    #[inline(always)]
    fn paikas_of(&mut self, d: usize, mut movers: u64) {
        self.sink.step(Step { direction: Direction::ALL[d], capture: None });
        while movers != 0 {
            let from = movers.trailing_zeros();
            movers &= movers - 1;
            let to = from.wrapping_add_signed(i32::from(lines::<I>().delta[d]));
            self.sink.accept(Effect::new(from as usize, to as usize, 0));
        }
        self.sink.step_back();
    }
}

/// Returns the number of legal moves of a side with these stones.
#[inline]
pub(super) fn count_on<const I: usize>(stones: Stones, mode: Mode) -> u64 {
    let mut counter = Counter(0);
    generate_on::<I, _>(stones, mode, &mut counter);
    counter.0
}
