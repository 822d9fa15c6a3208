//! The loops of the network for the vectors of WebAssembly, of which the compiler uses half, and only
//! where it sees the whole loop.

use core::arch::wasm32::{
    i16x8_add, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i16x8_sub, i32x4_add, i32x4_dot_i16x8,
    i32x4_extract_lane, i32x4_splat, v128, v128_load, v128_store,
};

use super::{HIDDEN, Inputs, ONE, Row, for_each_point};

/// Numbers of a vector.
const LANES: usize = 8;

/// Vectors whose sums stay in registers; a processor has sixteen at least.
const PART: usize = 8;

const _: () = assert!(HIDDEN.is_multiple_of(LANES * PART));

fn load(numbers: &[i16; LANES]) -> v128 {
    // SAFETY: a vector has the size of these numbers, and may be loaded from any address.
    #[expect(unsafe_code, reason = "there is no other way to load a vector at once")]
    unsafe {
        v128_load(numbers.as_ptr().cast())
    }
}

fn store(numbers: &mut [i16; LANES], vector: v128) {
    // SAFETY: a vector has the size of these numbers, and may be stored at any address.
    #[expect(unsafe_code, reason = "there is no other way to store a vector at once")]
    unsafe {
        v128_store(numbers.as_mut_ptr().cast(), vector);
    }
}

/// The parts of a row.
fn part(row: &Row, part: usize) -> &[[i16; LANES]; PART] {
    &row.0.as_chunks::<LANES>().0.as_chunks::<PART>().0[part]
}

/// Makes a view one in which stones have been added and removed, own stones first, of `from` or of
/// itself.
#[inline(always)]
pub(super) fn update(
    view: &mut Row,
    from: Option<&Row>,
    inputs: &Inputs,
    added: [u64; 2],
    removed: [u64; 2],
) {
    for index in 0..HIDDEN / (LANES * PART) {
        let mut sums = part(from.unwrap_or(view), index).each_ref().map(load);
        for (kind, inputs) in inputs.iter().enumerate() {
            for_each_point(added[kind], |point| {
                let weights = part(&inputs[point], index);
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = i16x8_add(*sum, load(weights));
                }
            });
            for_each_point(removed[kind], |point| {
                let weights = part(&inputs[point], index);
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = i16x8_sub(*sum, load(weights));
                }
            });
        }
        let numbers = &mut view.0.as_chunks_mut::<LANES>().0.as_chunks_mut::<PART>().0[index];
        for (numbers, sum) in numbers.iter_mut().zip(sums) {
            store(numbers, sum);
        }
    }
}

/// The weighted sum of hidden numbers, clamped and squared.
#[inline(always)]
pub(super) fn weigh(hidden: &Row, weights: &Row) -> i32 {
    let (least, most) = (i16x8_splat(0), i16x8_splat(ONE as i16));
    let mut sums = [i32x4_splat(0); 2];
    let [hidden, weights] = [hidden, weights].map(|row| row.0.as_chunks::<LANES>().0);
    for (hidden, weights) in hidden.as_chunks::<2>().0.iter().zip(weights.as_chunks::<2>().0) {
        for (half, sum) in sums.iter_mut().enumerate() {
            let hidden = i16x8_min(i16x8_max(load(&hidden[half]), least), most);
            let weighted = i16x8_mul(hidden, load(&weights[half]));
            *sum = i32x4_add(*sum, i32x4_dot_i16x8(weighted, hidden));
        }
    }
    let sum = i32x4_add(sums[0], sums[1]);
    i32x4_extract_lane::<0>(sum)
        + i32x4_extract_lane::<1>(sum)
        + i32x4_extract_lane::<2>(sum)
        + i32x4_extract_lane::<3>(sum)
}
