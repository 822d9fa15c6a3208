//! Zobrist keys of positions (Zobrist 1970).
//!
//! A key is the exclusive or of one random number for every stone, the side to move, the debtor and
//! the board size. A move therefore changes the key by the numbers of the stones it changes.

use super::board::Board;
use super::geometry::MAX_POINTS;
use super::side::Side;

/// The random numbers. They are generated at compile time from a fixed seed, so keys are the same
/// in every build and on every machine.
struct Keys {
    stones: [[u64; MAX_POINTS]; 2],
    black_to_move: u64,
    debtor: [u64; 2],
    size: [u64; 12],
}

static KEYS: Keys = {
    let mut state = 0x46_41_4e_4f_52_4f_4e_41;
    let mut keys =
        Keys { stones: [[0; MAX_POINTS]; 2], black_to_move: 0, debtor: [0; 2], size: [0; 12] };
    let mut i = 0;
    while i < 2 {
        let mut point = 0;
        while point < MAX_POINTS {
            (keys.stones[i][point], state) = split_mix(state);
            point += 1;
        }
        (keys.debtor[i], state) = split_mix(state);
        i += 1;
    }
    (keys.black_to_move, state) = split_mix(state);
    let mut i = 0;
    while i < keys.size.len() {
        (keys.size[i], state) = split_mix(state);
        i += 1;
    }
    keys
};

/// Returns one output of SplitMix64 and its next state (Steele, Lea and Flood 2014).
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31), state)
}

/// Returns the part of a key that stones of one side on these points contribute. Bit *i* is the
/// point with index *i*.
#[inline]
pub(super) fn of_stones(side: Side, mut bits: u64) -> u64 {
    let keys = &KEYS.stones[side as usize];
    let mut key = 0;
    while bits != 0 {
        key ^= keys[bits.trailing_zeros() as usize];
        bits &= bits - 1;
    }
    key
}

/// Returns the number that a change of the side to move adds to or removes from a key.
#[inline]
pub(super) fn of_other_side() -> u64 {
    KEYS.black_to_move
}

/// Computes the key of a position from scratch.
pub(super) fn fresh(board: &Board, side_to_move: Side, debtor: Option<Side>) -> u64 {
    let mut key = KEYS.size[board.size().index()];
    for side in Side::BOTH {
        key ^= of_stones(side, board.bits(side));
    }
    if side_to_move == Side::Black {
        key ^= of_other_side();
    }
    if let Some(debtor) = debtor {
        key ^= KEYS.debtor[debtor as usize];
    }
    key
}
