//! Leaves out positions that have already been seen.

use std::collections::HashSet;

use fanorona_endgames::Symmetries;
use fanorona_protocol::rules::BoardSize;

use super::sample::Sample;

/// The positions seen so far; images of a position under the board's symmetries count as one.
pub struct DistinctPositions {
    symmetries: Symmetries,
    /// A hash of every position: of a hundred million different positions, less than one is taken
    /// for another.
    seen: HashSet<u64>,
}

impl DistinctPositions {
    /// Nothing seen yet, on boards of this size.
    pub fn new(board: BoardSize) -> DistinctPositions {
        DistinctPositions { symmetries: Symmetries::new(board), seen: HashSet::new() }
    }

    /// Adds the position of a sample. Returns whether it is new.
    pub fn add(&mut self, sample: &Sample) -> bool {
        let image = |symmetry| {
            let image = |stones| self.symmetries.image(symmetry, stones);
            (image(sample.own), image(sample.enemy))
        };
        let images = (0..self.symmetries.count()).map(image);
        let (own, enemy) = images.min().expect("a board has symmetries");
        // The role takes two of the bits that the points leave free.
        self.seen.insert(mix(mix(own | (sample.role as u64) << 62).wrapping_add(enemy)))
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014), a bijection: every bit of the number
/// changes about half of the bits of the result.
fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use fanorona_bots::evaluation::network::Role;
    use fanorona_endgames::Outcome;

    use super::*;

    fn sample(own: u64, enemy: u64, role: Role) -> Sample {
        let result = Outcome::Draw;
        Sample { own, enemy, role, result, exact: false, capture: false, score: 0, plies: 0 }
    }

    #[test]
    fn images_of_a_position_count_once() {
        let mut distinct = DistinctPositions::new(BoardSize::TSIVY);
        let (a1, i1, a5, i5, b1) = (1, 1 << 8, 1 << 36, 1 << 44, 1 << 1);
        assert!(distinct.add(&sample(a1, b1, Role::Riatra)));
        assert!(!distinct.add(&sample(a1, b1, Role::Riatra)));
        for (corner, beside) in [(i1, 1 << 7), (a5, 1 << 37), (i5, 1 << 43)] {
            assert!(!distinct.add(&sample(corner, beside, Role::Riatra)));
        }
        assert!(distinct.add(&sample(b1, a1, Role::Riatra)), "the other side's stones");
        assert!(distinct.add(&sample(a1, b1, Role::Debtor)), "another role");
        assert!(distinct.add(&sample(a1, i1, Role::Riatra)), "another stone");
    }
}
