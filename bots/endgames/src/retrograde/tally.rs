//! Counting what the positions of a layer are worth.

use super::super::half::{Half, Longest};
use super::super::index::Index;
use super::super::layer::Layer;
use super::super::outcome::Outcome;
use super::super::packing::{DRAW, outcome};

/// The counts of a layer's halves, position by position.
pub(super) struct Tally<'i> {
    index: &'i Index,
    halves: Vec<Counts>,
    /// The number of the next position.
    next: u64,
}

struct Counts {
    own: u32,
    enemy: u32,
    /// Sharings that belong to the half.
    width: usize,
    /// Positions by the byte of their value, images counted each.
    counts: [u64; 256],
    /// The longest win, and the first number with it.
    longest: Option<(u8, u64)>,
}

impl<'i> Tally<'i> {
    pub(super) fn new(index: &'i Index, layer: Layer) -> Tally<'i> {
        let halves: Vec<_> = layer.halves().collect();
        let width = index.sharings(layer).len() / halves.len();
        let counts = |(own, enemy)| Counts { own, enemy, width, counts: [0; 256], longest: None };
        Tally { index, halves: halves.into_iter().map(counts).collect(), next: 0 }
    }

    /// Adds the positions of the next pattern.
    pub(super) fn add(&mut self, pattern: u64, bytes: &[u8]) {
        let weight = self.index.weight(pattern);
        let mut number = self.next;
        let mut rest = bytes;
        for half in &mut self.halves {
            let (bytes, others) = rest.split_at(half.width);
            for &byte in bytes {
                half.counts[byte as usize] += weight;
                let win = byte != DRAW && outcome(byte) == Outcome::Win;
                if win && half.longest.is_none_or(|(longest, _)| longest < byte) {
                    half.longest = Some((byte, number));
                }
                number += 1;
            }
            rest = others;
        }
        self.next = number;
    }

    /// What has been counted.
    pub(super) fn halves(&self) -> Vec<Half> {
        let half = |half: &Counts| {
            let count = |wanted| {
                let bytes = (0..=255u8).filter(|&byte| outcome(byte) == wanted);
                bytes.map(|byte| half.counts[byte as usize]).sum()
            };
            Half {
                own: half.own,
                enemy: half.enemy,
                wins: count(Outcome::Win),
                draws: count(Outcome::Draw),
                losses: count(Outcome::Loss),
                longest: half.longest.map(|(plies, number)| Longest { plies, number }),
            }
        };
        self.halves.iter().map(half).collect()
    }
}
