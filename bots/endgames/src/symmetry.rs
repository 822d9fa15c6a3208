//! The symmetries of a board: rotations and reflections that map its lines to its lines.

use fanorona_protocol::rules::{BoardSize, MAX_POINTS, Point, raw};

/// The maximum number of symmetries: eight, on a square board.
pub(crate) const MOST: usize = 8;

/// Bytes that hold the bits of every board.
const BYTES: usize = MAX_POINTS.div_ceil(8);

/// The images of a set of points under each symmetry. On a board with four symmetries each image
/// appears twice, so that the processor can handle all of them at once.
pub(crate) type Images = [u64; MOST];

/// The symmetries of a board, the identity first: four, or eight on a square board.
///
/// Both dimensions of every board are odd, so a reflection keeps the parity of column plus row and
/// maps strong points to strong points. So does the exchange of columns and rows on a square board.
pub struct Symmetries {
    /// The image of each point under each symmetry, by index.
    points: Vec<[u8; 64]>,
    /// The image under each symmetry of the points in each byte of a set.
    images: Vec<[[u64; 256]; BYTES]>,
}

impl Symmetries {
    /// The symmetries of a board size.
    pub fn new(size: BoardSize) -> Symmetries {
        let (columns, rows) = (size.columns(), size.rows());
        let square = columns == rows;
        let points: Vec<_> = (0..if square { MOST } else { MOST / 2 })
            .map(|symmetry| {
                let mut points = [0; 64];
                for (index, image) in points.iter_mut().enumerate().take(size.points()) {
                    let (mut column, mut row) = (index % columns, index / columns);
                    if symmetry & 1 != 0 {
                        column = columns - 1 - column;
                    }
                    if symmetry & 2 != 0 {
                        row = rows - 1 - row;
                    }
                    if symmetry & 4 != 0 {
                        (column, row) = (row, column);
                    }
                    let point = Point::new(column, row).and_then(|point| raw::index(point, size));
                    *image = point.expect("a symmetry keeps the board") as u8;
                }
                points
            })
            .collect();
        let images = points.iter().map(images_of_bytes).collect();
        Symmetries { points, images }
    }

    /// The number of symmetries.
    #[inline]
    pub fn count(&self) -> usize {
        self.points.len()
    }

    /// The image of each point under a symmetry, by index.
    #[inline]
    pub(crate) fn points(&self, symmetry: usize) -> &[u8; 64] {
        &self.points[symmetry]
    }

    /// The image of a set of points under a symmetry.
    #[inline]
    pub fn image(&self, symmetry: usize, set: u64) -> u64 {
        let images = &self.images[symmetry];
        (0..BYTES).fold(0, |image, byte| image | images[byte][(set >> (8 * byte)) as usize & 255])
    }

    /// The images of a set.
    #[inline]
    pub(crate) fn images(&self, set: u64) -> Images {
        let mut images = [set; MOST];
        for (symmetry, image) in images.iter_mut().enumerate().take(self.count()).skip(1) {
            *image = self.image(symmetry, set);
        }
        if self.count() == MOST / 2 {
            images.copy_within(..MOST / 2, MOST / 2);
        }
        images
    }

    /// The smallest of the images of a set, as numbers, and the symmetries that lead to it, as
    /// bits.
    #[inline]
    pub(crate) fn least(&self, images: &Images) -> (u64, u8) {
        let least = images.iter().fold(u64::MAX, |least, &image| least.min(image));
        (least, self.ways(images, least))
    }

    /// The symmetries that lead to one of the images of a set, as bits.
    #[inline]
    pub(crate) fn ways(&self, images: &Images, image: u64) -> u8 {
        let mut ways = 0;
        for (symmetry, &other) in images.iter().enumerate() {
            ways |= u8::from(other == image) << symmetry;
        }
        ways & ((1u16 << self.count()) - 1) as u8
    }
}

fn images_of_bytes(points: &[u8; 64]) -> [[u64; 256]; BYTES] {
    let mut images = [[0; 256]; BYTES];
    for (byte, images) in images.iter_mut().enumerate() {
        for (set, image) in images.iter_mut().enumerate() {
            for bit in (0..8).filter(|bit| set >> bit & 1 == 1) {
                *image |= 1 << points[8 * byte + bit];
            }
        }
    }
    images
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{Position, Ruleset};
    use std::ops::ControlFlow;

    #[test]
    fn symmetries_are_different_and_keep_every_line() {
        let rules = Ruleset::default();
        for size in BoardSize::all() {
            let symmetries = Symmetries::new(size);
            let steps = |point: usize| {
                let board = raw::board(1 << point, 0, size).unwrap();
                let mut steps = 0;
                let _ = Position::from_board(board).visit_moves(&rules, |_, effect| {
                    steps |= 1 << raw::to(effect);
                    ControlFlow::Continue(())
                });
                steps
            };
            for symmetry in 0..symmetries.count() {
                for point in 0..size.points() {
                    let image = usize::from(symmetries.points(symmetry)[point]);
                    assert_eq!(symmetries.image(symmetry, 1 << point), 1 << image, "{size}");
                    assert_eq!(symmetries.image(symmetry, steps(point)), steps(image), "{size}");
                }
                let same = |other: &usize| symmetries.points[*other] == symmetries.points[symmetry];
                assert_eq!((0..symmetries.count()).filter(same).count(), 1, "{size}");
            }
        }
    }
}
