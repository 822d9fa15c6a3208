//! Bit mask arithmetic for the generator: steps of many stones at once, and the captures of a step.
//!
//! Every function knows the board as a constant, by the index of its size, so that shifts and masks
//! are constants too.

use super::board::Board;
use super::geometry::{Lines, WAYS, lines};
use super::side::Side;

/// The stones from the view of one side.
#[derive(Clone, Copy)]
pub(super) struct Stones {
    pub(super) own: u64,
    pub(super) enemy: u64,
}

impl Stones {
    pub(super) fn new(board: &Board, side: Side) -> Stones {
        Stones { own: board.bits(side), enemy: board.bits(!side) }
    }

    /// Returns the points without a stone.
    #[inline(always)]
    pub(super) fn empty<const I: usize>(self) -> u64 {
        lines::<I>().board & !(self.own | self.enemy)
    }
}

/// Returns the points from which a step in direction `d` reaches a point of the set.
#[inline(always)]
pub(super) fn before<const I: usize>(d: usize, set: u64) -> u64 {
    let delta = lines::<I>().delta[d];
    let shifted = if delta > 0 { set >> delta } else { set << -delta };
    shifted & lines::<I>().source[d]
}

/// The starting points of capturing steps, by direction.
pub(super) struct Captures {
    pub(super) approach: [u64; 8],
    pub(super) withdrawal: [u64; 8],
}

impl Captures {
    /// Finds the capturing steps of stones on the points of `from`, whether or not there are
    /// stones.
    #[inline(always)]
    pub(super) fn new<const I: usize>(from: u64, enemy: u64, empty: u64) -> Captures {
        let mut captures = Captures { approach: [0; 8], withdrawal: [0; 8] };
        for d in 0..8 {
            let movers = from & before::<I>(d, empty);
            captures.approach[d] = movers & before::<I>(d, before::<I>(d, enemy));
            captures.withdrawal[d] = movers & before::<I>(7 - d, enemy);
        }
        captures
    }

    /// Returns the starting points of all capturing steps.
    #[inline(always)]
    pub(super) fn any(&self) -> u64 {
        (0..8).fold(0, |any, d| any | self.approach[d] | self.withdrawal[d])
    }

    /// Returns, by direction, the points from which a step leads to a point where another capturing
    /// step begins. `self` must include the captures of imagined stones on the empty points.
    ///
    /// The captures of the first step do not affect the second one. The second step goes along
    /// another line than the first, so the captured stones are neither its targets nor in its way.
    #[inline(always)]
    pub(super) fn onward<const I: usize>(&self) -> [u64; 8] {
        let (mut once, mut twice) = (0, 0);
        for d in 0..8 {
            let here = self.approach[d] | self.withdrawal[d];
            twice |= once & here;
            once |= here;
        }
        // The second step may have any direction but that of the first.
        core::array::from_fn(|d| {
            before::<I>(d, twice | once & !(self.approach[d] | self.withdrawal[d]))
        })
    }
}

/// Returns the stones that a step from a point captures on one of the [`WAYS`]: the unbroken run of
/// enemy stones.
#[inline(always)]
pub(super) fn taken(lines: &Lines, way: usize, from: u32, enemy: u64) -> u64 {
    let reach = lines.reach[way % WAYS][from as usize % 64];
    let gaps = reach & !enemy;
    // The run is everything before the first gap. Approaches in the directions up to West and
    // withdrawals in the directions from East on capture stones with smaller indices, the others
    // stones with larger indices.
    let downward = 0xf00f >> way & 1 == 1;
    let above = !0 << ((64 - gaps.leading_zeros()) % 64);
    let below = (gaps & gaps.wrapping_neg()).wrapping_sub(1);
    reach & core::hint::select_unpredictable(downward, above, below)
}

/// Returns the first stone of that run only, as in vela phase one.
#[inline(always)]
pub(super) fn nearest(lines: &Lines, way: usize, from: u32) -> u64 {
    let delta = i32::from(lines.delta[way % 8]);
    let steps = if way < 8 { 2 } else { -1 };
    1 << from.wrapping_add_signed(steps * delta)
}

/// Whether a side has a capturing step.
#[inline(always)]
pub(super) fn has_capture_on<const I: usize>(stones: Stones) -> bool {
    Captures::new::<I>(stones.own, stones.enemy, stones.empty::<I>()).any() != 0
}

/// Whether a side has a step to an empty point.
#[inline(always)]
pub(super) fn has_step_on<const I: usize>(stones: Stones) -> bool {
    (0..8).any(|d| stones.own & before::<I>(d, stones.empty::<I>()) != 0)
}
