//! Durations and counts, as configs write them.

use std::fmt;
use std::time::Duration;

/// The longest duration a config can set.
pub const LONGEST: Duration = Duration::from_secs(1000 * 60 * 60);

/// The text is not a duration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseDurationError {
    /// Not a number and a unit.
    #[error(
        "`{0}` is not a duration: expected a number and a unit (ms, s, m or h), like 30ms or 1.5s"
    )]
    Form(String),
    /// Not a whole number of milliseconds.
    #[error("`{0}` is not a whole number of milliseconds, the precision of the protocol")]
    TooFine(String),
    /// It is zero where an engine is to think.
    #[error("`{0}` leaves no time to think")]
    NoTime(String),
    /// Longer than [`LONGEST`].
    #[error("`{0}` is too long: the maximum is 1000h")]
    TooLong(String),
}

/// Parses a duration: `30ms`, `1.5s`, `2m`, `1h`.
pub fn duration(text: &str) -> Result<Duration, ParseDurationError> {
    let form = || ParseDurationError::Form(text.to_owned());
    let unit_at = text.find(|letter: char| letter.is_ascii_alphabetic()).ok_or_else(form)?;
    let (number, unit) = text.split_at(unit_at);
    let unit_ms: u128 = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60 * 1000,
        "h" => 60 * 60 * 1000,
        _ => return Err(form()),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return Err(form());
    }
    // The arithmetic is exact, so the number of decimals is limited. Nine are plenty.
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 9 {
        return Err(ParseDurationError::TooFine(text.to_owned()));
    }
    let too_long = || ParseDurationError::TooLong(text.to_owned());
    let scale = 10_u128.pow(fraction.len() as u32);
    let whole: u64 = whole.parse().map_err(|_| too_long())?;
    let part: u128 = if fraction.is_empty() { 0 } else { fraction.parse().map_err(|_| form())? };
    let scaled_ms = (u128::from(whole) * scale + part) * unit_ms;
    if !scaled_ms.is_multiple_of(scale) {
        return Err(ParseDurationError::TooFine(text.to_owned()));
    }
    let time = u64::try_from(scaled_ms / scale).map(Duration::from_millis);
    time.ok().filter(|&time| time <= LONGEST).ok_or_else(too_long)
}

/// Parses a duration in which an engine thinks, which is not zero.
pub(super) fn thinking_time(text: &str) -> Result<Duration, ParseDurationError> {
    match duration(text)? {
        Duration::ZERO => Err(ParseDurationError::NoTime(text.to_owned())),
        time => Ok(time),
    }
}

/// Displays a duration so that [`duration`] can parse it: in seconds if they are whole, otherwise
/// in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Written(pub Duration);

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_millis() {
            ms if ms > 0 && ms % 1000 == 0 => write!(f, "{}s", ms / 1000),
            ms => write!(f, "{ms}ms"),
        }
    }
}

/// A positive whole number, written with digits only.
pub(super) fn whole(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().filter(|&count| count > 0)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_have_a_unit_and_optional_decimals() {
        for (text, ms) in [
            ("30ms", 30),
            ("0ms", 0),
            ("1s", 1000),
            ("0.1s", 100),
            ("1.5s", 1500),
            ("1.50s", 1500),
            ("0.25m", 15_000),
            ("2m", 120_000),
            ("1h", 3_600_000),
            ("5.0ms", 5),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(ms)), "{text}");
        }
    }

    #[test]
    fn an_invalid_duration_gives_the_reason() {
        for text in ["", "30", "ms", "-1s", "+1s", "1 s", "1d", "1.s", ".5s", "1e3s", "1m30s", "١s"]
        {
            assert_eq!(duration(text), Err(ParseDurationError::Form(text.into())), "{text}");
        }
        for text in ["0.5ms", "0.0001s", "0.00000000001h"] {
            assert_eq!(duration(text), Err(ParseDurationError::TooFine(text.into())), "{text}");
        }
        for text in ["1001h", "99999999999999999999s", "1000.5h"] {
            assert_eq!(duration(text), Err(ParseDurationError::TooLong(text.into())), "{text}");
        }
    }

    /// Every duration that a config can set.
    pub(in super::super) fn times() -> impl Strategy<Value = Duration> {
        (0..=LONGEST.as_millis() as u64).prop_map(Duration::from_millis)
    }

    proptest! {
        #[test]
        fn durations_survive_a_round_trip(time in times()) {
            prop_assert_eq!(duration(&Written(time).to_string()), Ok(time));
        }
    }
}
