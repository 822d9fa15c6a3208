//! A position as planes of numbers, for a network.

use fanorona_protocol::rules::{PartialMove, Side, raw};
use numpy::{PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use super::require_numpy;

/// The number of planes.
pub(super) const PLANES: usize = 10;

/// A new array of planes, rows and columns, filled by [`fill`].
pub(crate) fn array<'py>(
    py: Python<'py>,
    partial: &PartialMove,
    occurrences: u32,
    viewer: Side,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    require_numpy(py)?;
    let size = partial.position().board().size();
    let array = PyArray3::<u8>::zeros(py, [PLANES, size.rows(), size.columns()], false);
    fill(array.readwrite().as_slice_mut()?, partial, occurrences, viewer);
    Ok(array)
}

/// Fills the planes of a position and the move that is being made, as a side sees them. `occurrences`
/// is how often the position has occurred, including now. Each plane has one byte for every point, row
/// by row from `a1`:
///
/// 0. own stones, 1. enemy stones, both after the steps so far;
/// 2. the stone that has to go on or end its move; 3. the points it has visited in this move;
/// 4. the point where its last step began;
///
/// and filled with one number everywhere:
///
/// 5. one if the viewer has White; 6. one if the viewer is the debtor of a vela; 7. one if the viewer
///    is the creditor; 8. the plies without a capture, at most 255; 9. how often the position
///    before the move has occurred before, at most 255.
pub(super) fn fill(planes: &mut [u8], partial: &PartialMove, occurrences: u32, viewer: Side) {
    let position = partial.position();
    let points = position.board().size().points();
    let board = partial.board();
    planes.fill(0);
    let mut sets = [raw::stones(&board, viewer), raw::stones(&board, !viewer), 0, 0, 0];
    if let Some((here, before)) = moving_stone(partial) {
        sets[2] = 1 << here;
        sets[3] = raw::mask(partial.visited());
        sets[4] = 1 << before;
    }
    for (plane, mut bits) in planes.chunks_exact_mut(points).zip(sets) {
        while bits != 0 {
            plane[bits.trailing_zeros() as usize] = 1;
            bits &= bits - 1;
        }
    }
    let numbers = [
        u8::from(viewer == Side::White),
        u8::from(position.debtor() == Some(viewer)),
        u8::from(position.debtor() == Some(!viewer)),
        position.quiet_plies().min(255) as u8,
        occurrences.saturating_sub(1).min(255) as u8,
    ];
    for (plane, number) in planes.chunks_exact_mut(points).skip(sets.len()).zip(numbers) {
        if number != 0 {
            plane.fill(number);
        }
    }
}

/// The points where the moving stone stands and where its last step began, between two steps.
fn moving_stone(partial: &PartialMove) -> Option<(usize, usize)> {
    let here = raw::to(partial.effect()?);
    let (columns, rows) = partial.last_step()?.direction.step();
    let width = partial.position().board().size().columns() as isize;
    let before = here as isize - isize::from(columns) - isize::from(rows) * width;
    Some((here, before as usize))
}
