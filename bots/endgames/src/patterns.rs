//! Patterns (sets of occupied points), numbered without gaps.
//!
//! The smallest image of a pattern under the board's symmetries represents all of them. A bit for
//! every pattern marks these representatives, and the number of marks before a pattern is its
//! class. The index of a pattern's bit is its rank in the combinatorial number system (Lehmer 1964;
//! Knuth, TAOCP 7.2.1.3), which orders sets of equal size like the numbers of their bits.

use std::sync::Arc;

use fanorona_protocol::rules::{BoardSize, MAX_POINTS};

use super::layer::MAX_STONES;
use super::symmetry::Symmetries;

/// The patterns of a number of stones on a board.
pub(super) struct Patterns {
    symmetries: Arc<Symmetries>,
    /// A bit for each pattern, in order of rank.
    words: Vec<Word>,
    classes: u32,
    stones: usize,
}

/// The marks of 64 patterns, and the number of marks in all words before.
#[derive(Clone, Copy, Default)]
struct Word {
    marks: u64,
    before: u32,
}

/// The place of a pattern: its class, the representative of the class, and the symmetries that lead
/// to it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// The representative of the class.
    pub(super) canonical: u64,
    /// The number of the class.
    pub(super) class: u32,
    /// The symmetries that map the pattern to its representative, as bits: more than one if the
    /// pattern is its own image.
    pub(super) ways: u8,
}

/// `CHOOSE[k][n]`: the number of ways to choose `k` of `n`, for `k` up to [`MAX_STONES`] and `n` up
/// to [`MAX_POINTS`]; the array is padded to round lengths.
static CHOOSE: [[u32; 64]; 16] = {
    let mut choose = [[0; 64]; 16];
    let mut n = 0;
    while n <= MAX_POINTS {
        choose[0][n] = 1;
        let mut k = 1;
        while k <= MAX_STONES && n > 0 {
            choose[k][n] = choose[k - 1][n - 1] + choose[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// The rank of a set: the number of sets of its size that come before it, in the order of the
/// numbers of their bits.
#[inline]
fn rank(mut set: u64) -> usize {
    let (mut rank, mut size) = (0, 1);
    while set != 0 {
        rank += CHOOSE[size & 15][set.trailing_zeros() as usize & 63];
        set &= set - 1;
        size += 1;
    }
    rank as usize
}

/// The set of a given size and rank.
fn unrank(rank: usize, size: usize) -> u64 {
    let (mut rank, mut set) = (rank as u32, 0);
    for size in (1..=size).rev() {
        let point = CHOOSE[size][..=MAX_POINTS].partition_point(|&before| before <= rank) - 1;
        rank -= CHOOSE[size][point];
        set |= 1 << point;
    }
    set
}

/// The next larger number with the same number of bits (Gosper, HAKMEM 175); meaningless if there
/// is none.
fn next_of_size(set: u64) -> u64 {
    let lowest = set & set.wrapping_neg();
    let ripple = set.wrapping_add(lowest);
    let moved = (set ^ ripple) >> 2;
    ripple | moved.checked_shr(lowest.trailing_zeros()).unwrap_or(0)
}

impl Patterns {
    /// The patterns of `stones` stones, 1 to [`MAX_STONES`].
    pub(super) fn new(size: BoardSize, stones: usize, symmetries: Arc<Symmetries>) -> Patterns {
        let total = CHOOSE[stones][size.points()] as usize;
        let mut words = vec![Word::default(); total.div_ceil(64)];
        let (mut set, mut classes) = ((1 << stones) - 1, 0);
        for (index, word) in words.iter_mut().enumerate() {
            word.before = classes;
            for bit in 0..(total - 64 * index).min(64) {
                if symmetries.images(set).iter().all(|&image| set <= image) {
                    word.marks |= 1 << bit;
                    classes += 1;
                }
                set = next_of_size(set);
            }
        }
        Patterns { symmetries, words, classes, stones }
    }

    /// The number of classes.
    pub(super) fn classes(&self) -> u32 {
        self.classes
    }

    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        size_of_val(&self.words[..]) as u64
    }

    /// The class of a pattern that is the smallest of its images.
    #[inline]
    pub(super) fn class(&self, canonical: u64) -> u32 {
        let rank = rank(canonical);
        let word = self.words[rank / 64];
        word.before + (word.marks & ((1 << (rank % 64)) - 1)).count_ones()
    }

    /// The representative of a class.
    pub(super) fn canonical(&self, class: u32) -> u64 {
        let index = self.words.partition_point(|word| word.before <= class) - 1;
        let mut marks = self.words[index].marks;
        for _ in self.words[index].before..class {
            marks &= marks - 1;
        }
        unrank(64 * index + marks.trailing_zeros() as usize, self.stones)
    }

    /// The representatives of all classes, in order.
    pub(super) fn list(&self) -> Vec<u64> {
        let mut list = Vec::with_capacity(self.classes as usize);
        let mut set = (1 << self.stones) - 1;
        for word in &self.words {
            for bit in 0..64 {
                if word.marks >> bit & 1 == 1 {
                    list.push(set);
                }
                set = next_of_size(set);
            }
        }
        list
    }

    /// The place of a pattern.
    #[inline]
    pub(super) fn place(&self, pattern: u64) -> Place {
        let (canonical, ways) = self.symmetries.least(&self.symmetries.images(pattern));
        Place { canonical, class: self.class(canonical), ways }
    }
}

impl Place {
    /// A symmetry that maps the pattern to its representative.
    #[inline]
    pub(super) fn symmetry(&self) -> usize {
        self.ways.trailing_zeros() as usize
    }

    /// The mask of some of the pattern's stones, given by their points before a symmetry that maps
    /// the pattern to its representative. The bits of a mask are in the order of the
    /// representative's stones.
    #[inline]
    pub(super) fn mask(&self, symmetries: &Symmetries, symmetry: usize, mut stones: u64) -> u8 {
        let (mut mask, points) = (0, symmetries.points(symmetry));
        while stones != 0 {
            let image = points[stones.trailing_zeros() as usize & 63];
            mask |= 1 << (self.canonical & ((1 << image) - 1)).count_ones();
            stones &= stones - 1;
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_sets_in_order() {
        for (size, choose) in CHOOSE.iter().enumerate().take(5).skip(1) {
            let mut set = (1 << size) - 1;
            for expected in 0..choose[20] as usize {
                assert_eq!(rank(set), expected);
                assert_eq!(unrank(expected, size), set);
                set = next_of_size(set);
            }
            assert_eq!(set >> 20, 1, "the next set is the first with another point");
        }
        assert_eq!(CHOOSE[6][45], 8_145_060);
        assert_eq!(CHOOSE[8][45], 215_553_195);
    }

    #[test]
    fn classes_have_no_gap_and_images_share_one() {
        for size in BoardSize::all() {
            let symmetries = Arc::new(Symmetries::new(size));
            for (stones, choose) in CHOOSE.iter().enumerate().take(5).skip(1) {
                let patterns = Patterns::new(size, stones, symmetries.clone());
                let list = patterns.list();
                assert_eq!(list.len(), patterns.classes() as usize);
                let mut images = 0;
                for (class, &pattern) in list.iter().enumerate() {
                    assert_eq!(patterns.canonical(class as u32), pattern);
                    let mut orbit: Vec<u64> =
                        (0..symmetries.count()).map(|s| symmetries.image(s, pattern)).collect();
                    orbit.sort_unstable();
                    orbit.dedup();
                    images += orbit.len();
                    for image in orbit {
                        let place = patterns.place(image);
                        assert_eq!((place.class as usize, place.canonical), (class, pattern));
                        assert_eq!(symmetries.image(place.symmetry(), image), pattern);
                        let mask = place.mask(&symmetries, place.symmetry(), image);
                        assert_eq!(mask, ((1u16 << stones) - 1) as u8);
                    }
                }
                assert_eq!(images, choose[size.points()] as usize, "{size}");
            }
        }
    }
}
