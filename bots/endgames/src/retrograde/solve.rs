//! Solving some layers of equally many stones at once.
//!
//! Captures are compulsory and lead to fewer stones. So a position with a capture takes its final
//! value from finished layers; this is the forward pass ([`Solver::fill`]). A position without a
//! capture has only paikas, which stay within the layers being solved. It waits: it is won as soon
//! as one paika leads to a lost position, lost when all lead to won positions, and drawn if neither
//! ever happens. The backward pass ([`Solver::spread`]) sends these messages from the positions
//! that end after no ply, then from those that end after one, and so on. So the first message gives
//! the shortest win, and the last one the longest loss. Undoing a paika moves an enemy stone to an
//! adjacent empty point. The byte of the resulting position says whether it had a capture.
//!
//! All colour splits of a pattern are handled together, because the most expensive operation,
//! finding the place of a neighbouring pattern, is the same for all of them.
//!
//! A pattern that is its own image under `n` symmetries has each of its positions `n` times among
//! images and numbers, and each of them sends a message to each number of the position before. So a
//! move that leads there counts `n` times while a position waits.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, Ordering};

use fanorona_protocol::rules::{Ruleset, Side, raw};

use super::super::index::{self, Index};
use super::super::layer::{ColourSplits, Layer};
use super::super::packing::{BestValue, DRAW};
use super::super::patterns::Patterns;
use super::super::symmetry::{Images, Symmetries};
use super::super::threads::distribute;
use super::lower::{LowerLayers, Places};
use super::segments::{MessageBuffer, Segment, Segments, Update};
use super::{BuildObserver, TooLong};

/// One byte for each bit of a mask, to be added up.
struct PerStone(u64);

/// A byte of ones for every bit that is set.
static BYTES_OF_BITS: [u64; 256] = {
    let mut bytes = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut bit = 0;
        while bit < 8 {
            if bits >> bit & 1 == 1 {
                bytes[bits] |= 0xff << (8 * bit);
            }
            bit += 1;
        }
        bits += 1;
    }
    bytes
};

impl PerStone {
    /// The sum over the stones of a mask, if it fits a byte.
    #[inline]
    fn sum(&self, mask: u8) -> u8 {
        let bytes = self.0 & BYTES_OF_BITS[mask as usize];
        (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
    }
}

/// A pattern with its stones in order and its images.
struct Pattern {
    taken: u64,
    points: [u8; 8],
    stones: usize,
    images: Images,
}

impl Pattern {
    fn new(taken: u64, symmetries: &Symmetries) -> Pattern {
        let (mut points, mut stones, mut rest) = ([0; 8], 0, taken);
        while rest != 0 {
            points[stones & 7] = rest.trailing_zeros() as u8;
            stones += 1;
            rest &= rest - 1;
        }
        Pattern { taken, points, stones, images: symmetries.images(taken) }
    }
}

/// A step of a stone from some point, of either side.
#[derive(Clone, Copy, Default)]
struct Step {
    to: u8,
    /// The points that change in each image of a pattern.
    flips: Images,
}

impl Step {
    /// The images of a pattern after the step.
    #[inline]
    fn images(&self, pattern: &Pattern) -> Images {
        let mut images = pattern.images;
        for (image, flip) in images.iter_mut().zip(self.flips) {
            *image ^= flip;
        }
        images
    }
}

/// Layers with equally many stones, while they are solved.
pub(super) struct Solver<'s> {
    rules: &'s Ruleset,
    index: &'s Index,
    lower: &'s LowerLayers<'s>,
    patterns: &'s Patterns,
    splits: ColourSplits,
    /// The pattern of every class.
    list: &'s [u64],
    /// The steps from each point.
    steps: Vec<Vec<Step>>,
    segments: Segments,
    /// The least byte that says a position is undecided.
    ceiling: AtomicU8,
    /// The most plies after which a position with a capture ends.
    longest: AtomicU8,
}

impl<'s> Solver<'s> {
    /// Solves some layers of equally many stones. `list` has the patterns of all their classes,
    /// `lower` the layers with fewer stones.
    pub(super) fn solve(
        rules: &'s Ruleset,
        index: &'s Index,
        lower: &'s LowerLayers<'s>,
        list: &'s [u64],
        layers: &[Layer],
        threads: usize,
        watch: &dyn BuildObserver,
    ) -> Result<Solver<'s>, TooLong> {
        let patterns = index.patterns(layers[0].stones());
        let splits = ColourSplits::new(layers);
        let segments = Segments::new(patterns.classes(), splits.len());
        let steps = (0..index.size().points()).map(|point| steps(index, point)).collect();
        let (ceiling, longest) = (AtomicU8::new(DRAW), AtomicU8::new(0));
        let solver = Solver {
            rules,
            index,
            lower,
            patterns,
            splits,
            list,
            steps,
            segments,
            ceiling,
            longest,
        };
        solver.go_forward(threads, watch);
        solver.go_backward(threads, watch)?;
        Ok(solver)
    }

    /// Shows the bytes of all positions, class by class, each class in the order of the sharings
    /// of the layers that are solved.
    pub(super) fn visit(&self, mut visit: impl FnMut(&[u8])) {
        let ceiling = self.ceiling.load(Ordering::Relaxed);
        let mut known = vec![0; self.segments.width()];
        for segment in 0..self.segments.len() {
            self.segments.with(segment, |segment| {
                for bytes in segment.bytes.chunks_exact(self.segments.width()) {
                    for (known, &byte) in known.iter_mut().zip(bytes) {
                        *known = if byte >= ceiling { DRAW } else { byte };
                    }
                    visit(&known);
                }
            });
        }
    }

    /// The colour splits of all layers being solved.
    pub(super) fn splits(&self) -> &ColourSplits {
        &self.splits
    }

    fn go_forward(&self, threads: usize, watch: &dyn BuildObserver) {
        let mut workers: Vec<_> = (0..threads).map(|_| Places::new()).collect();
        let fill = |places: &mut Places, segment| {
            let first = self.segments.first_class(segment) as usize;
            let past = self.segments.first_class(segment + 1) as usize;
            let classes = &self.list[first..past.min(self.list.len())];
            let mut bytes = Vec::with_capacity(classes.len() * self.segments.width());
            classes.iter().for_each(|&pattern| self.fill(pattern, places, &mut bytes));
            watch.advance(bytes.len() as u64);
            self.segments.with(segment, |segment| *segment = Segment::new(bytes));
        };
        distribute(&mut workers, self.segments.len(), fill, |_| {});
    }

    /// Adds the bytes of all positions of a pattern, as far as captures and blocked stones decide
    /// them.
    fn fill(&self, pattern: u64, places: &mut Places, bytes: &mut Vec<u8>) {
        let symmetries = self.index.symmetries();
        let pattern = Pattern::new(pattern, symmetries);
        let mut moves = PerStone(0);
        for bit in 0..pattern.stones {
            for step in self.steps(&pattern, bit) {
                let images = step.images(&pattern);
                let same = symmetries.ways(&images, images[0]).count_ones();
                moves.0 += u64::from(same) << (8 * bit);
            }
        }
        let (size, rules) = (self.index.size(), self.rules);
        let (mut ceiling, mut longest) = (DRAW, 0);
        if moves.0.to_le_bytes().into_iter().map(u32::from).sum::<u32>() >= DRAW.into() {
            // With so many moves no byte is left for the plies.
            longest = DRAW;
        }
        for &mask in self.splits.masks() {
            let own = index::own_stones(pattern.taken, mask);
            let enemy = pattern.taken ^ own;
            let board = index::board(size, own, enemy);
            let byte = if !board.capturing(Side::White).is_empty() {
                let mut best = BestValue::NONE;
                index::position(size, own, enemy).visit_effects(rules, |effect| {
                    let enemy = enemy & !raw::captured(effect);
                    let own = own ^ raw::moved(effect);
                    best.add(self.lower.byte(places, enemy, own));
                });
                let byte = best.byte();
                longest = longest.max(if byte == DRAW { 0 } else { byte });
                byte
            } else {
                match moves.sum(mask) {
                    0 if rules.blocked_is_draw => DRAW,
                    0 => 0,
                    moves => {
                        ceiling = ceiling.min(DRAW - moves);
                        DRAW - moves
                    }
                }
            };
            bytes.push(byte);
        }
        self.ceiling.fetch_min(ceiling, Ordering::Relaxed);
        self.longest.fetch_max(longest, Ordering::Relaxed);
    }

    /// All steps of a stone, given by its bit.
    #[inline]
    fn steps(&self, pattern: &Pattern, bit: usize) -> impl Iterator<Item = &Step> {
        let (from, taken) = (pattern.points[bit] as usize, pattern.taken);
        self.steps[from].iter().filter(move |step| taken >> step.to & 1 == 0)
    }

    fn go_backward(&self, threads: usize, watch: &dyn BuildObserver) -> Result<(), TooLong> {
        let ceiling = self.ceiling.load(Ordering::Relaxed);
        if self.longest.load(Ordering::Relaxed) >= ceiling {
            return Err(TooLong);
        }
        let mut workers: Vec<_> =
            (0..threads).map(|_| MessageBuffer::new(&self.segments)).collect();
        for plies in 0..ceiling {
            let ends = |segment| self.segments.with(segment, |segment| segment.decided(plies) > 0);
            if !(0..self.segments.len()).any(ends) {
                continue;
            }
            if plies + 1 >= ceiling {
                return Err(TooLong);
            }
            let update = Update::new(plies, ceiling);
            let send = |buffer: &mut MessageBuffer, segment| {
                let ends = self.ends(segment, plies);
                for ends in ends.chunk_by(|one, other| one.0 == other.0) {
                    self.spread(ends, buffer, &update);
                }
                watch.advance(ends.len() as u64);
            };
            let finish = |buffer: &mut MessageBuffer| buffer.deliver_all(&self.segments, &update);
            distribute(&mut workers, self.segments.len(), send, finish);
        }
        Ok(())
    }

    /// The positions of a segment that end after this many plies: class and mask.
    fn ends(&self, segment: usize, plies: u8) -> Vec<(u32, u8)> {
        let mut class = self.segments.first_class(segment);
        self.segments.with(segment, |segment| {
            let count = segment.decided(plies) as usize;
            let mut ends = Vec::with_capacity(count);
            if count == 0 {
                return ends;
            }
            for bytes in segment.bytes.chunks_exact(self.segments.width()) {
                if bytes.contains(&plies) {
                    let same = bytes.iter().zip(self.splits.masks()).filter(|e| *e.0 == plies);
                    ends.extend(same.map(|(_, &mask)| (class, mask)));
                }
                class += 1;
            }
            ends
        })
    }

    /// Sends a message to every position before some positions of one class.
    fn spread(&self, ends: &[(u32, u8)], buffer: &mut MessageBuffer, update: &Update) {
        let symmetries = self.index.symmetries();
        let pattern = Pattern::new(self.list[ends[0].0 as usize], symmetries);
        let all = ((1u16 << pattern.stones) - 1) as u8;
        let enemies = ends.iter().fold(0, |enemies, &(_, mask)| enemies | all ^ mask);
        for bit in (0..pattern.stones).filter(|bit| enemies >> bit & 1 == 1) {
            for step in self.steps(&pattern, bit) {
                let (canonical, ways) = symmetries.least(&step.images(&pattern));
                let class = self.patterns.class(canonical);
                let (segment, first) = self.segments.place(class);
                let queue = buffer.queue(segment);
                queue.reserve(ends.len() * ways.count_ones() as usize);
                let mut points = pattern.points;
                points[bit] = step.to;
                let mut ways = ways;
                while ways != 0 {
                    let images = symmetries.points(ways.trailing_zeros() as usize);
                    ways &= ways - 1;
                    // The bit of each stone in the canonical pattern.
                    let mut bits = PerStone(0);
                    for (stone, &point) in points[..pattern.stones].iter().enumerate() {
                        let image = images[point as usize & 63];
                        let before = (canonical & ((1 << image) - 1)).count_ones();
                        bits.0 |= 1 << (8 * stone as u32 + before);
                    }
                    for &(_, mask) in ends.iter().filter(|(_, mask)| mask >> bit & 1 == 0) {
                        // The stones of the side that moved here belong to the side to move there.
                        queue.push(first + self.splits.slot(bits.sum(all ^ mask)) as u32);
                    }
                }
                buffer.deliver_full(&self.segments, segment, update);
            }
        }
    }
}

/// The steps from a point: the moves of a single stone under the rules.
fn steps(index: &Index, point: usize) -> Vec<Step> {
    let stone = index::position(index.size(), 1 << point, 0);
    let mut steps = Vec::new();
    // The visitor never breaks.
    let _ = stone.visit_moves(&Ruleset::default(), |_, effect| {
        let flips = index.symmetries().images(raw::moved(effect));
        steps.push(Step { to: raw::to(effect) as u8, flips });
        ControlFlow::Continue(())
    });
    steps
}
