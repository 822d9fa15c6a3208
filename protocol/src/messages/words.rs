//! Parsers for the words of a line.

use alloc::string::String;
use alloc::vec::Vec;

/// Parses a whole number of decimal digits, without a sign. A number above `u64::MAX` becomes
/// `u64::MAX`.
pub(super) fn number(word: &str) -> Option<u64> {
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(word.parse().unwrap_or(u64::MAX))
}

/// Like [`number`], but a negative number becomes zero, because a clock may be overdrawn.
pub(super) fn clock(word: &str) -> Option<u64> {
    match word.strip_prefix('-') {
        Some(digits) => number(digits).map(|_| 0),
        None => number(word),
    }
}

/// Like [`number`], limited to `u32::MAX`.
pub(super) fn small(word: &str) -> Option<u32> {
    number(word).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

/// Returns the text as one line: control characters become blanks, and several blanks become one.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_control() || c == ' ').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
