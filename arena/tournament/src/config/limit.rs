//! Thinking limits and durations, as configs write them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The limit of an engine's thinking on one move.
///
/// ```
/// use std::time::Duration;
/// use fanorona_tournament::config::Limit;
///
/// let limit: Limit = "10s+0.1s".parse().unwrap();
/// assert_eq!(
///     limit,
///     Limit::Clock { base: Duration::from_secs(10), increment: Duration::from_millis(100) }
/// );
/// assert_eq!(limit.to_string(), "10s+100ms");
/// assert_eq!("30ms".parse(), Ok(Limit::MoveTime(Duration::from_millis(30))));
/// assert_eq!("nodes=2000".parse(), Ok(Limit::Nodes(2000)));
/// ```
///
/// Times are whole milliseconds, the precision of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// A fixed time per move: `30ms`.
    MoveTime(Duration),
    /// A clock for the whole game with an increment per move: `10s+0.1s`.
    Clock {
        /// The time at the start of the game.
        base: Duration,
        /// The time added after each move.
        increment: Duration,
    },
    /// A number of nodes per move: `nodes=10000`.
    Nodes(u64),
    /// A search depth per move: `depth=6`.
    Depth(u32),
}

impl Limit {
    /// Whether it limits time, so that the speed of the machine matters.
    pub fn is_timed(self) -> bool {
        matches!(self, Limit::MoveTime(_) | Limit::Clock { .. })
    }

    /// The limit with all times multiplied by a factor, in whole milliseconds and at least one.
    pub fn scaled(self, factor: f64) -> Limit {
        let scaled = |time: Duration| {
            let ms = (time.as_secs_f64() * factor * 1000.0).round();
            Duration::from_millis((ms as u64).max(u64::from(!time.is_zero())))
        };
        match self {
            Limit::MoveTime(time) => Limit::MoveTime(scaled(time)),
            Limit::Clock { base, increment } => {
                Limit::Clock { base: scaled(base), increment: scaled(increment) }
            }
            other => other,
        }
    }
}

/// The longest duration a config can set.
pub const LONGEST: Duration = Duration::from_secs(1000 * 60 * 60);

/// The text is not a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseLimitError {
    /// A part of it is not a duration.
    #[error(transparent)]
    Time(#[from] ParseDurationError),
    /// The time is zero.
    #[error("`{0}` leaves no time to think")]
    NoTime(String),
    /// The count is not a positive whole number.
    #[error("`{0}` is not a limit: `{1}=` takes a whole number, 1 or more")]
    Count(String, &'static str),
    /// The word before `=` is neither `nodes` nor `depth`.
    #[error("`{0}` is not a limit: expected nodes=… or depth=…")]
    Counted(String),
}

impl FromStr for Limit {
    type Err = ParseLimitError;

    fn from_str(text: &str) -> Result<Limit, ParseLimitError> {
        let some_time = |time: Duration| match time {
            Duration::ZERO => Err(ParseLimitError::NoTime(text.to_owned())),
            time => Ok(time),
        };
        if let Some((word, count)) = text.split_once('=') {
            let wrong = |word| ParseLimitError::Count(text.to_owned(), word);
            return match word {
                "nodes" => {
                    // Parts of the protocol and TOML use signed integers.
                    let nodes = whole(count).filter(|&nodes| nodes <= i64::MAX as u64);
                    nodes.map(Limit::Nodes).ok_or(wrong("nodes"))
                }
                "depth" => {
                    let depth = whole(count).and_then(|depth| u32::try_from(depth).ok());
                    depth.map(Limit::Depth).ok_or(wrong("depth"))
                }
                _ => Err(ParseLimitError::Counted(text.to_owned())),
            };
        }
        match text.split_once('+') {
            Some((base, increment)) => Ok(Limit::Clock {
                base: some_time(duration(base)?)?,
                increment: duration(increment)?,
            }),
            None => Ok(Limit::MoveTime(some_time(duration(text)?)?)),
        }
    }
}

/// A positive whole number, written with digits only.
fn whole(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().filter(|&count| count > 0)
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Limit::MoveTime(time) => write!(f, "{}", Written(time)),
            Limit::Clock { base, increment } => {
                write!(f, "{}+{}", Written(base), Written(increment))
            }
            Limit::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Limit::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

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

#[cfg(test)]
mod tests {
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

    #[test]
    fn an_invalid_limit_gives_the_reason() {
        for (text, part) in [
            ("0ms", "no time to think"),
            ("0s+1s", "no time to think"),
            ("10s+", "`` is not a duration"),
            ("nodes=0", "1 or more"),
            ("nodes=", "1 or more"),
            ("nodes=1e6", "1 or more"),
            ("depth=99999999999", "1 or more"),
            ("plies=3", "expected nodes=… or depth=…"),
            ("100", "number and a unit"),
        ] {
            let error = text.parse::<Limit>().expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!("10s+0s".parse::<Limit>().is_ok(), "a clock's increment can be zero");
    }

    fn times() -> impl Strategy<Value = Duration> {
        (0..=LONGEST.as_millis() as u64).prop_map(Duration::from_millis)
    }

    fn limits() -> impl Strategy<Value = Limit> {
        let positive = || times().prop_filter("some time", |time| !time.is_zero());
        prop_oneof![
            positive().prop_map(Limit::MoveTime),
            (positive(), times()).prop_map(|(base, increment)| Limit::Clock { base, increment }),
            (1..=i64::MAX as u64).prop_map(Limit::Nodes),
            (1..=u32::MAX).prop_map(Limit::Depth),
        ]
    }

    proptest! {
        #[test]
        fn limits_survive_a_round_trip(limit in limits()) {
            prop_assert_eq!(limit.to_string().parse(), Ok(limit));
        }

        #[test]
        fn durations_survive_a_round_trip(time in times()) {
            prop_assert_eq!(duration(&Written(time).to_string()), Ok(time));
        }
    }
}
