//! The values of positions with fewer stones, which captures lead to.

use super::super::index::Index;
use super::super::layer::{ColourSplits, Layer, MAX_STONES};
use super::super::patterns::{Patterns, Place};

/// The bytes of finished layers.
pub(super) struct LowerLayers<'i> {
    index: &'i Index,
    /// By the total number of stones and that of the side with fewer.
    layers: [[Option<LowerLayer<'i>>; MAX_STONES / 2 + 1]; MAX_STONES + 1],
    bytes: u64,
}

struct LowerLayer<'i> {
    splits: &'i ColourSplits,
    bytes: Vec<u8>,
}

impl<'i> LowerLayers<'i> {
    /// An empty set of layers.
    pub(super) fn new(index: &'i Index) -> LowerLayers<'i> {
        let layers = [const { [const { None }; MAX_STONES / 2 + 1] }; MAX_STONES + 1];
        LowerLayers { index, layers, bytes: 0 }
    }

    /// Adds a layer, with a byte for every number.
    pub(super) fn add(&mut self, layer: Layer, bytes: Vec<u8>) {
        self.bytes += bytes.len() as u64;
        let splits = self.index.splits(layer);
        self.layers[layer.stones()][layer.fewer()] = Some(LowerLayer { splits, bytes });
    }

    /// The total number of bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The byte of the position with these stones of the side to move and of the other side. A side
    /// without stones has lost.
    #[inline]
    pub(super) fn byte(&self, places: &mut Places, own: u64, enemy: u64) -> u8 {
        if own == 0 {
            return 0;
        }
        let pattern = own | enemy;
        let (one, other) = (own.count_ones(), enemy.count_ones());
        let stones = (one + other) as usize;
        let layer = self.layers[stones % (MAX_STONES + 1)][one.min(other) as usize].as_ref();
        let layer = layer.expect("captures lead to layers that are finished");
        let place = places.find(self.index.patterns(stones), pattern);
        let mask = |set| place.mask(self.index.symmetries(), place.symmetry(), set);
        let mask =
            if one <= other { mask(own) } else { ((1u16 << stones) - 1) as u8 ^ mask(enemy) };
        layer.bytes[place.class as usize * layer.splits.len() + layer.splits.slot(mask)]
    }
}

/// A cache of pattern places: neighbours in the index lead to the same ones.
pub(super) struct Places {
    found: Vec<(u64, Place)>,
}

/// The binary logarithm of the cache size.
const REMEMBERED: u32 = 10;

impl Places {
    pub(super) fn new() -> Places {
        Places { found: vec![(0, Place::default()); 1 << REMEMBERED] }
    }

    #[inline]
    fn find(&mut self, patterns: &Patterns, pattern: u64) -> Place {
        // Fibonacci hashing (Knuth, TAOCP 6.4).
        let hash = pattern.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - REMEMBERED);
        let entry = &mut self.found[hash as usize];
        if entry.0 != pattern {
            *entry = (pattern, patterns.place(pattern));
        }
        entry.1
    }
}
