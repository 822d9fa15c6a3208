//! Numbers with nouns.

use std::fmt::Display;

/// A number with its noun: `1 game`, `2 games`.
///
/// ```
/// use fanorona_tournament::text::plural::counted;
///
/// assert_eq!(counted(1_u64, "check", "checks"), "1 check");
/// assert_eq!(counted(0_usize, "check", "checks"), "0 checks");
/// ```
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, more: &str) -> String {
    let noun = if count == N::from(1) { one } else { more };
    format!("{count} {noun}")
}
