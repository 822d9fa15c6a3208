//! The index: every position of a layer has a number, and every number a position.
//!
//! Positions with exchanged colours share a number, because only the side to move matters; so do
//! positions that are images under a symmetry ([`Patterns`]). A number is the class of the pattern
//! times the number of colour splits, plus the index of the split. A pattern that is its own image
//! under a symmetry has splits that are images of each other; each keeps its own number, with the
//! same value. There are few of them. So when positions are counted, each split of a pattern has
//! the number of the pattern's images as its weight. A probe of such a position uses the smallest
//! of its numbers.

use std::ops::Range;
use std::sync::Arc;

use fanorona_protocol::rules::{Board, BoardSize, Position, raw};

use super::layer::{ColourSplits, Layer, MAX_STONES};
use super::patterns::Patterns;
use super::symmetry::Symmetries;

/// The numbering of the positions of one board up to a number of stones.
pub(super) struct Index {
    size: BoardSize,
    symmetries: Arc<Symmetries>,
    /// By the number of stones, from 0; 0 and 1 have no layer.
    patterns: Vec<Patterns>,
    /// By the total number of stones and that of the side with fewer.
    splits: [[Option<ColourSplits>; MAX_STONES / 2 + 1]; MAX_STONES + 1],
}

impl Index {
    /// The index of positions with up to `stones` stones.
    pub(super) fn new(size: BoardSize, stones: usize) -> Index {
        let symmetries = Arc::new(Symmetries::new(size));
        let patterns =
            (0..=stones).map(|count| Patterns::new(size, count, symmetries.clone())).collect();
        let mut splits = [const { [const { None }; MAX_STONES / 2 + 1] }; MAX_STONES + 1];
        for layer in (2..=stones).flat_map(Layer::with_stones) {
            splits[layer.stones()][layer.fewer()] = Some(ColourSplits::new(&[layer]));
        }
        Index { size, symmetries, patterns, splits }
    }

    pub(super) fn size(&self) -> BoardSize {
        self.size
    }

    /// The maximum number of stones.
    pub(super) fn stones(&self) -> usize {
        self.patterns.len() - 1
    }

    pub(super) fn symmetries(&self) -> &Symmetries {
        &self.symmetries
    }

    pub(super) fn patterns(&self, stones: usize) -> &Patterns {
        &self.patterns[stones]
    }

    /// The colour splits of a layer.
    pub(super) fn splits(&self, layer: Layer) -> &ColourSplits {
        let splits = &self.splits[layer.stones()][layer.fewer()];
        splits.as_ref().expect("every layer up to the most stones has its sharings")
    }

    /// The number of positions in a layer.
    pub(super) fn len(&self, layer: Layer) -> u64 {
        u64::from(self.patterns[layer.stones()].classes()) * self.splits(layer).len() as u64
    }

    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.patterns.iter().map(Patterns::bytes).sum()
    }

    /// The layer and number of the position with these stones of the side to move and of the other
    /// side; `None` if a side has no stones or there are too many.
    #[inline]
    pub(super) fn number(&self, own: u64, enemy: u64) -> Option<(Layer, u64)> {
        let layer = Layer::new(own.count_ones(), enemy.count_ones())?;
        let patterns = self.patterns.get(layer.stones())?;
        let place = patterns.place(own | enemy);
        let splits = self.splits(layer);
        let slot = |symmetry| splits.slot(place.mask(&self.symmetries, symmetry, own));
        let mut least = slot(place.symmetry());
        let mut others = place.ways & (place.ways - 1);
        while others != 0 {
            least = least.min(slot(others.trailing_zeros() as usize));
            others &= others - 1;
        }
        Some((layer, u64::from(place.class) * splits.len() as u64 + least as u64))
    }

    /// The stones of the side to move and of the other side in the position with a number.
    pub(super) fn stones_of(&self, layer: Layer, number: u64) -> (u64, u64) {
        let splits = self.splits(layer);
        let len = splits.len() as u64;
        let pattern = self.patterns[layer.stones()].canonical((number / len) as u32);
        let own = own_stones(pattern, splits.masks()[(number % len) as usize]);
        (own, pattern ^ own)
    }

    /// The position with a number, White to move.
    pub(super) fn position(&self, layer: Layer, number: u64) -> Position {
        let (own, enemy) = self.stones_of(layer, number);
        position(self.size, own, enemy)
    }

    /// The positions with these numbers, and the numbers, with White to move; faster than one by
    /// one.
    pub(super) fn positions(
        &self,
        layer: Layer,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = (u64, Position)> {
        let (patterns, masks) = (&self.patterns[layer.stones()], self.splits(layer).masks());
        let len = masks.len() as u64;
        let mut last = None;
        numbers.map(move |number| {
            let class = number / len;
            let known = last.filter(|&(other, _)| other == class);
            let (_, pattern) =
                *last.insert(known.unwrap_or_else(|| (class, patterns.canonical(class as u32))));
            let own = own_stones(pattern, masks[(number % len) as usize]);
            (number, position(self.size, own, pattern ^ own))
        })
    }

    /// The number of images of a pattern: the number of positions that each of its splits
    /// represents.
    pub(super) fn weight(&self, pattern: u64) -> u64 {
        let ways = self.symmetries.ways(&self.symmetries.images(pattern), pattern);
        self.symmetries.count() as u64 / u64::from(ways.count_ones())
    }
}

/// The stones of a pattern that a mask gives to the side to move.
pub(super) fn own_stones(pattern: u64, mask: u8) -> u64 {
    let (mut rest, mut own, mut bit) = (pattern, 0, 0);
    while rest != 0 {
        let stone = rest & rest.wrapping_neg();
        if mask >> bit & 1 == 1 {
            own |= stone;
        }
        rest ^= stone;
        bit += 1;
    }
    own
}

/// The position with these stones of White, who is to move, and of Black.
#[inline]
pub(super) fn position(size: BoardSize, own: u64, enemy: u64) -> Position {
    Position::from_board(board(size, own, enemy))
}

/// The board with these white and black stones, which must be on a board of that size.
#[inline]
pub(super) fn board(size: BoardSize, white: u64, black: u64) -> Board {
    raw::board(white, black, size).expect("stones of a board are on it, and apart")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::Side;

    #[test]
    fn every_number_has_a_position_and_every_position_a_number() {
        for (text, most) in [("3x3", 8), ("5x3", 5), ("3x5", 5), ("5x5", 4), ("9x5", 3)] {
            let size: BoardSize = text.parse().unwrap();
            let index = Index::new(size, most);
            let points = size.points() as u64;
            for layer in (2..=most).flat_map(Layer::with_stones) {
                let mut positions = 0;
                let len = index.len(layer);
                assert!(index.positions(layer, 1..len).all(|(n, p)| p == index.position(layer, n)));
                for number in 0..len {
                    let (own, enemy) = index.stones_of(layer, number);
                    positions += index.weight(own | enemy);
                    let (same, found) = index.number(own, enemy).unwrap();
                    assert_eq!(same, layer);
                    // A split of a symmetric pattern may be found as one of its images.
                    if index.weight(own | enemy) == index.symmetries().count() as u64 {
                        assert_eq!(found, number, "{layer} on {size}");
                    } else {
                        let (other, _) = index.stones_of(layer, found);
                        let count = index.symmetries().count();
                        assert!((0..count).any(|s| index.symmetries().image(s, own) == other));
                    }
                }
                let choose = |n: u64, k: u64| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
                let expected: u64 = layer
                    .sides()
                    .map(|(own, enemy)| {
                        let (own, enemy) = (u64::from(own), u64::from(enemy));
                        choose(points, own) * choose(points - own, enemy)
                    })
                    .sum();
                assert_eq!(positions, expected, "{layer} on {size}");
            }
        }
    }

    #[test]
    fn images_of_a_position_share_a_number() {
        let size = BoardSize::DIMY;
        let index = Index::new(size, 4);
        for layer in (2..=4).flat_map(Layer::with_stones) {
            for number in 0..index.len(layer) {
                let (own, enemy) = index.stones_of(layer, number);
                let found = index.number(own, enemy);
                for symmetry in 0..index.symmetries().count() {
                    let image = |set| index.symmetries().image(symmetry, set);
                    assert_eq!(index.number(image(own), image(enemy)), found);
                }
            }
        }
    }

    #[test]
    fn positions_outside_the_tables_have_no_number() {
        let index = Index::new(BoardSize::TELO, 3);
        assert_eq!(index.number(0b11, 0), None);
        assert_eq!(index.number(0, 0b1), None);
        assert_eq!(index.number(0b11, 0b1100), None);
        let position = index.position(Layer::new(2, 1).unwrap(), 0);
        assert_eq!(
            (position.side_to_move(), position.board().count(Side::White)),
            (Side::White, 2)
        );
    }
}
