//! Amounts of memory in human-readable form, and memory that is needed soon.

/// A number of bytes.
///
/// ```
/// use fanorona_endgames::memory::Bytes;
///
/// assert_eq!("500M".parse(), Ok(Bytes(500 << 20)));
/// assert!("20T".parse::<Bytes>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bytes(pub u64);

/// The error for a text that is not a number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a number of bytes, like 500M or 20G")]
pub struct BytesError;

impl std::str::FromStr for Bytes {
    type Err = BytesError;

    /// Reads digits and an optional suffix K, M or G: powers of 1024, in either case.
    fn from_str(text: &str) -> Result<Bytes, BytesError> {
        let (digits, shift) = match text.split_at_checked(text.len().saturating_sub(1)) {
            Some((digits, "K" | "k")) => (digits, 10),
            Some((digits, "M" | "m")) => (digits, 20),
            Some((digits, "G" | "g")) => (digits, 30),
            _ => (text, 0),
        };
        let count = digits.parse().ok().and_then(|count: u64| count.checked_mul(1 << shift));
        count.map(Bytes).ok_or(BytesError)
    }
}

/// Tells the processor that a value will soon be read, so that it fetches its cache line meanwhile.
/// Nothing happens where there is no such instruction.
#[inline]
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "no such instruction"))]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch changes nothing and cannot fail, at any address.
        #[expect(unsafe_code, reason = "searches wait for memory more than for anything else")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_powers_of_1024_and_other_text_is_refused() {
        let read = |text: &str| text.parse().map(|Bytes(bytes)| bytes);
        assert_eq!(read("17"), Ok(17));
        assert_eq!((read("3k"), read("3K")), (Ok(3072), Ok(3072)));
        assert_eq!((read("2M"), read("1g")), (Ok(2 << 20), Ok(1 << 30)));
        for text in ["", "M", "1.5G", "-1", "20T", "99999999999G", "1 G", "1é"] {
            assert_eq!(read(text), Err(BytesError), "{text}");
        }
    }
}
