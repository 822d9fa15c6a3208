//! Counting the outcomes of a layer.

use super::super::index::Index;
use super::super::layer::Layer;
use super::super::outcome::Outcome;
use super::super::packing::{DRAW, outcome};
use super::super::side_stats::{Longest, SideStats};

/// Counts the outcomes of a layer, position by position.
pub(super) struct Tally<'i> {
    index: &'i Index,
    sides: Vec<Counts>,
    /// The number of the next position.
    next: u64,
}

struct Counts {
    own: u32,
    enemy: u32,
    /// ColourSplits that belong to the half.
    width: usize,
    /// The number of positions by value byte, with all images counted.
    counts: [u64; 256],
    /// The longest win, and the first number with it.
    longest: Option<(u8, u64)>,
}

impl<'i> Tally<'i> {
    pub(super) fn new(index: &'i Index, layer: Layer) -> Tally<'i> {
        let sides: Vec<_> = layer.sides().collect();
        let width = index.splits(layer).len() / sides.len();
        let counts = |(own, enemy)| Counts { own, enemy, width, counts: [0; 256], longest: None };
        Tally { index, sides: sides.into_iter().map(counts).collect(), next: 0 }
    }

    /// Adds the positions of the next pattern.
    pub(super) fn add(&mut self, pattern: u64, bytes: &[u8]) {
        let weight = self.index.weight(pattern);
        let mut number = self.next;
        let mut rest = bytes;
        for side in &mut self.sides {
            let (bytes, others) = rest.split_at(side.width);
            for &byte in bytes {
                side.counts[byte as usize] += weight;
                let win = byte != DRAW && outcome(byte) == Outcome::Win;
                if win && side.longest.is_none_or(|(longest, _)| longest < byte) {
                    side.longest = Some((byte, number));
                }
                number += 1;
            }
            rest = others;
        }
        self.next = number;
    }

    /// The statistics.
    pub(super) fn sides(&self) -> Vec<SideStats> {
        let side = |side: &Counts| {
            let count = |wanted| {
                let bytes = (0..=255u8).filter(|&byte| outcome(byte) == wanted);
                bytes.map(|byte| side.counts[byte as usize]).sum()
            };
            SideStats {
                own: side.own,
                enemy: side.enemy,
                wins: count(Outcome::Win),
                draws: count(Outcome::Draw),
                losses: count(Outcome::Loss),
                longest: side.longest.map(|(plies, number)| Longest { plies, number }),
            }
        };
        self.sides.iter().map(side).collect()
    }
}
