//! Small helpers for reading words of a line.

use alloc::string::String;
use alloc::vec::Vec;

/// A whole number of digits alone; too large ones become the largest there is.
pub(super) fn number(word: &str) -> Option<u64> {
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(word.parse().unwrap_or(u64::MAX))
}

/// Like [`number`], with everything below zero read as zero: clocks run over.
pub(super) fn clock(word: &str) -> Option<u64> {
    match word.strip_prefix('-') {
        Some(digits) => number(digits).map(|_| 0),
        None => number(word),
    }
}

/// Like [`number`], of 32 bits.
pub(super) fn small(word: &str) -> Option<u32> {
    number(word).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

/// A text that stays one line and one run of words when written: control characters become blanks,
/// runs of blanks one blank.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_control() || c == ' ').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
