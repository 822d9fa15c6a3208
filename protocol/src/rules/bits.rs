//! Bit extraction for the generator: one processor instruction, and the same in portable code.

/// Returns which of the points of `mask` are in `set`, as one bit for each direction. The *n*-th
/// lowest bit of `mask` belongs to the *n*-th lowest bit of `directions`.
#[inline(always)]
pub(super) fn by_direction(set: u64, mask: u64, directions: u8) -> u8 {
    #[cfg(target_feature = "bmi2")]
    {
        extracted(set, mask, directions)
    }
    #[cfg(not(target_feature = "bmi2"))]
    {
        looped(set, mask, directions)
    }
}

#[cfg(target_feature = "bmi2")]
#[inline(always)]
#[expect(unsafe_code, reason = "the instruction more than doubles the speed of perft")]
fn extracted(set: u64, mask: u64, directions: u8) -> u8 {
    use core::arch::x86_64::{_pdep_u32, _pext_u64};
    // SAFETY: this function is compiled only for targets that have BMI2.
    unsafe { _pdep_u32(_pext_u64(set, mask) as u32, u32::from(directions)) as u8 }
}

#[cfg(any(test, not(target_feature = "bmi2")))]
#[inline(always)]
fn looped(set: u64, mask: u64, directions: u8) -> u8 {
    let (mut mask, mut directions, mut found) = (mask, directions, 0);
    while directions != 0 {
        let direction = directions & directions.wrapping_neg();
        let point = mask & mask.wrapping_neg();
        if set & point != 0 {
            found |= direction;
        }
        mask ^= point;
        directions ^= direction;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::BoardSize;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_instruction_and_the_loop_agree(set: u64, size in 0..BoardSize::COUNT, point in 0..45usize) {
            let size = BoardSize::all().nth(size).unwrap();
            let lines = size.lines();
            let point = point % size.points();
            let lines = lines.points[point];
            for (mask, directions) in
                [(lines.near, lines.near_directions), (lines.far, lines.far_directions)]
            {
                let expected = looped(set, mask, directions);
                prop_assert_eq!(by_direction(set, mask, directions), expected);
            }
        }
    }
}
