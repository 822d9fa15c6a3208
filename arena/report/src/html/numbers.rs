//! Numbers as the page shows them: with a real minus sign. A hyphen is shorter than a plus sign, so
//! that columns of both do not line up, and a browser may break a line after it.

use super::super::figures;

/// An Elo difference with its sign; a dash if it is unknown.
pub fn signed(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |_| minus(&figures::signed(value)))
}

/// An interval of Elo differences.
pub fn interval(low: Option<f64>, high: Option<f64>) -> String {
    let end = |value: Option<f64>, open: &str| value.map_or(open.to_owned(), |_| signed(value));
    format!("{} … {}", end(low, "−∞"), end(high, "∞"))
}

/// A text whose negative numbers get a minus sign. A hyphen is one before a digit, unless a letter
/// or digit stands before it, as in `bot-2` or `1-0`.
pub fn minus(text: &str) -> String {
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    let mut out = String::with_capacity(text.len() + 8);
    while let Some(letter) = letters.next() {
        let is_sign = letter == '-'
            && !before.is_alphanumeric()
            && letters.peek().is_some_and(char::is_ascii_digit);
        out.push(if is_sign { '−' } else { letter });
        before = letter;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minus_is_no_hyphen() {
        assert_eq!(minus("LLR -2.94 [-2.94, 2.94]"), "LLR −2.94 [−2.94, 2.94]");
        assert_eq!(minus("-5 to -3"), "−5 to −3");
        for other in ["bot-2", "1-0", "round-robin", "a - b", "-", "set 2-1"] {
            assert_eq!(minus(other), other);
        }
        assert_eq!(signed(Some(-40.6)), "−41");
        assert_eq!(interval(Some(-3.0), None), "−3 … ∞");
    }
}
