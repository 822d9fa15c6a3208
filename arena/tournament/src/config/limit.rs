//! Thinking limits, as configs write them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::duration::{ParseDurationError, Written, thinking_time, whole};
use super::time_control::{ParseClockError, TimeControl};

/// The limit of an engine's thinking on one move.
///
/// ```
/// use std::time::Duration;
/// use fanorona_tournament::config::{Limit, TimeControl};
///
/// let limit: Limit = "10s+0.1s".parse().unwrap();
/// let clock = TimeControl::whole_game(Duration::from_secs(10), Duration::from_millis(100));
/// assert_eq!(limit, Limit::Clock(clock));
/// assert_eq!(limit.to_string(), "10s+100ms");
/// assert!(matches!("40/60s+15s+0.1s".parse(), Ok(Limit::Clock(_))));
/// assert_eq!("30ms".parse(), Ok(Limit::MoveTime(Duration::from_millis(30))));
/// assert_eq!("nodes=2000".parse(), Ok(Limit::Nodes(2000)));
/// ```
///
/// Times are whole milliseconds, the precision of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// A fixed time per move: `30ms`.
    MoveTime(Duration),
    /// A clock for the whole game, with an increment per move or in stages: `10s+0.1s`, `40/10s`.
    Clock(TimeControl),
    /// A number of nodes per move: `nodes=10000`.
    Nodes(u64),
    /// A search depth per move: `depth=6`.
    Depth(u32),
}

impl Limit {
    /// Whether it limits time, so that the speed of the machine matters.
    pub fn is_timed(self) -> bool {
        matches!(self, Limit::MoveTime(_) | Limit::Clock(_))
    }

    /// The limit with all times multiplied by a factor, in whole milliseconds and at least one.
    pub fn scaled(self, factor: f64) -> Limit {
        let scaled = |time: Duration| {
            let ms = (time.as_secs_f64() * factor * 1000.0).round();
            Duration::from_millis((ms as u64).max(u64::from(!time.is_zero())))
        };
        match self {
            Limit::MoveTime(time) => Limit::MoveTime(scaled(time)),
            Limit::Clock(clock) => Limit::Clock(clock.map(scaled)),
            other => other,
        }
    }
}

/// The form that a config expects of a limit.
pub(super) const EXAMPLES: &str =
    "a string, like \"100ms\", \"10s+0.1s\", \"40/60s+15s+0.1s\", \"nodes=10000\" or \"depth=6\"";

/// The text is not a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseLimitError {
    /// It is not a time to think.
    #[error(transparent)]
    Time(#[from] ParseDurationError),
    /// It is not a clock.
    #[error(transparent)]
    Clock(#[from] ParseClockError),
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
        if text.contains(['+', '/']) {
            return Ok(Limit::Clock(text.parse()?));
        }
        Ok(Limit::MoveTime(thinking_time(text)?))
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Limit::MoveTime(time) => write!(f, "{}", Written(time)),
            Limit::Clock(clock) => write!(f, "{clock}"),
            Limit::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Limit::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::duration::tests::times;
    use super::super::time_control::MAX_STAGES;
    use super::*;
    use proptest::prelude::*;

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

    fn clocks() -> impl Strategy<Value = TimeControl> {
        let stage = (1..=1_000_000_u32, times()).prop_map(|(moves, time)| {
            format!("{moves}/{}+", Written(time.max(Duration::from_millis(1))))
        });
        let counted = proptest::collection::vec(stage, 0..MAX_STAGES);
        (counted, proptest::option::of(times()), times()).prop_map(|(counted, rest, increment)| {
            let rest = rest.filter(|time| !time.is_zero() || counted.is_empty());
            let rest = rest.map(|time| format!("{}+", Written(time.max(Duration::from_millis(1)))));
            let rest = rest.unwrap_or_else(|| if counted.is_empty() { "1s+" } else { "" }.into());
            format!("{}{rest}{}", counted.concat(), Written(increment)).parse().unwrap()
        })
    }

    fn limits() -> impl Strategy<Value = Limit> {
        let positive = || times().prop_filter("some time", |time| !time.is_zero());
        prop_oneof![
            positive().prop_map(Limit::MoveTime),
            clocks().prop_map(Limit::Clock),
            (1..=i64::MAX as u64).prop_map(Limit::Nodes),
            (1..=u32::MAX).prop_map(Limit::Depth),
        ]
    }

    proptest! {
        #[test]
        fn limits_survive_a_round_trip(limit in limits()) {
            prop_assert_eq!(limit.to_string().parse(), Ok(limit));
        }
    }
}
