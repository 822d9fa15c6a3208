//! Layers (groups of positions by their numbers of stones), and the ways to colour a pattern.

use std::fmt;
use std::str::FromStr;

/// The maximum number of stones in a table: their colours fit a byte.
pub const MAX_STONES: usize = 8;

/// The positions with given numbers of stones for each side, with either side to move. They are
/// solved together and stored in one file, because a paika leads from one side's positions to the
/// other's and a capture leads to a lower layer.
///
/// ```
/// use fanorona_endgames::Layer;
/// assert_eq!(Layer::new(2, 3), Layer::new(3, 2));
/// assert_eq!(Layer::new(2, 3).unwrap().to_string(), "3v2");
/// assert_eq!(Layer::new(3, 0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Layer {
    more: u8,
    /// Between 1 and `more`; both together at most [`MAX_STONES`].
    fewer: u8,
}

impl Layer {
    /// The layer of two numbers of stones, in either order; `None` if one of them is 0 or there are
    /// more than [`MAX_STONES`] in total.
    #[inline]
    pub fn new(one: u32, other: u32) -> Option<Layer> {
        let (more, fewer) = (one.max(other), one.min(other));
        let known = fewer > 0 && more.saturating_add(fewer) <= MAX_STONES as u32;
        known.then_some(Layer { more: more as u8, fewer: fewer as u8 })
    }

    /// The layers with a total number of stones, the most uneven one first.
    pub fn with_stones(stones: usize) -> impl Iterator<Item = Layer> {
        let stones = stones as u32;
        (1..=stones / 2).filter_map(move |fewer| Layer::new(stones - fewer, fewer))
    }

    /// The stones of the side with fewer stones (or with the same number).
    #[inline]
    pub(super) fn fewer(self) -> usize {
        self.fewer as usize
    }

    /// Stones of both sides.
    #[inline]
    pub fn stones(self) -> usize {
        self.more as usize + self.fewer as usize
    }

    /// The layers that moves lead to, from few stones to many: one side has as many stones, and the
    /// other as many or fewer.
    pub(super) fn after(self) -> impl Iterator<Item = Layer> {
        let Layer { more, fewer } = self;
        (2..=self.stones()).flat_map(Layer::with_stones).filter(move |to| {
            let by_more = to.more == more && to.fewer <= fewer;
            let by_fewer = to.fewer == fewer && to.more <= more || to.more == fewer;
            by_more || by_fewer
        })
    }

    /// The numbers of stones of the side to move and of the other side: two cases, or one if the
    /// numbers are equal.
    pub fn sides(self) -> impl Iterator<Item = (u32, u32)> {
        let (more, fewer) = (u32::from(self.more), u32::from(self.fewer));
        [(more, fewer), (fewer, more)].into_iter().take(if more == fewer { 1 } else { 2 })
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.more, self.fewer)
    }
}

/// A text that is not a layer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a layer: expected the stones of both sides, at most 8 in total, for example 3v2"
)]
pub struct ParseLayerError(String);

impl FromStr for Layer {
    type Err = ParseLayerError;

    fn from_str(text: &str) -> Result<Layer, ParseLayerError> {
        text.split_once('v')
            .and_then(|(one, other)| Layer::new(one.parse().ok()?, other.parse().ok()?))
            .ok_or_else(|| ParseLayerError(text.to_owned()))
    }
}

/// The ways to colour the stones of a pattern in some layers of equal size, in order. A way is a
/// mask: bit *n* means that the *n*-th stone of the pattern belongs to the side to move.
pub(super) struct ColourSplits {
    masks: Vec<u8>,
    /// The index of each mask; meaningless for masks of other layers.
    slots: [u8; 256],
}

impl ColourSplits {
    /// The colour splits of some layers, one side to move after the other.
    pub(super) fn new(layers: &[Layer]) -> ColourSplits {
        let mut masks = Vec::new();
        for layer in layers {
            for (own, _) in layer.sides() {
                let all = 0..=((1u16 << layer.stones()) - 1) as u8;
                masks.extend(all.filter(|mask| mask.count_ones() == own));
            }
        }
        let mut slots = [0; 256];
        for (slot, &mask) in masks.iter().enumerate() {
            slots[mask as usize] = slot as u8;
        }
        ColourSplits { masks, slots }
    }

    /// The number of splits, at most 254.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.masks.len()
    }

    /// All masks, in order.
    #[inline]
    pub(super) fn masks(&self) -> &[u8] {
        &self.masks
    }

    /// The index of a mask.
    #[inline]
    pub(super) fn slot(&self, mask: u8) -> usize {
        self.slots[mask as usize] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_read_as_they_are_written() {
        let mut names = Vec::new();
        for stones in 2..=MAX_STONES {
            for layer in Layer::with_stones(stones) {
                assert_eq!(layer.stones(), stones);
                assert_eq!(layer.to_string().parse(), Ok(layer));
                names.push(layer.to_string());
            }
        }
        let after = |name: &str| {
            let layers = name.parse::<Layer>().unwrap().after();
            layers.map(|layer| layer.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(after("1v1"), "1v1");
        assert_eq!(after("2v2"), "2v1 2v2");
        assert_eq!(after("4v2"), "2v1 2v2 4v1 3v2 4v2");
        assert_eq!(names[..6], ["1v1", "2v1", "3v1", "2v2", "4v1", "3v2"]);
        for text in ["", "3", "3v0", "5v4", "3v2v1", "av1"] {
            assert!(text.parse::<Layer>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_colouring_of_a_pattern_has_one_slot() {
        for stones in 2..=MAX_STONES {
            let layers: Vec<Layer> = Layer::with_stones(stones).collect();
            let splits = ColourSplits::new(&layers);
            assert_eq!(splits.len(), (1 << stones) - 2);
            for (slot, &mask) in splits.masks().iter().enumerate() {
                assert_eq!(splits.slot(mask), slot);
            }
        }
        assert_eq!(ColourSplits::new(&[Layer::new(2, 1).unwrap()]).masks(), [3, 5, 6, 1, 2, 4]);
    }
}
