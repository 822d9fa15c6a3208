//! The time that a line and its answer are under way: next to nothing for a program on this machine,
//! and much of a short time limit for one behind a network.

use std::time::Duration;

use serde::Serialize;
use tokio::time::Instant;

use super::subject::Subject;
use fanorona_tournament::config::Tournament;

/// The times from `isready` to `readyok`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RoundTrip {
    /// Half of them are shorter.
    pub median_ms: f64,
    /// The longest of them.
    pub longest_ms: f64,
    /// Their number.
    pub samples: usize,
}

/// The number of measurements; fewer if they take longer than [`PATIENCE`].
const SAMPLES: usize = 15;

/// The time for all measurements.
const PATIENCE: Duration = Duration::from_secs(2);

/// A round trip that the default margin has room for, in milliseconds.
const SHORT: f64 = 10.0;

impl RoundTrip {
    /// Measures an engine; `None` if it does not answer.
    pub(super) async fn measure(subject: &mut Subject) -> Option<RoundTrip> {
        let engine = subject.engine().await.ok()?;
        let begin = Instant::now();
        let mut times = Vec::new();
        while times.len() < SAMPLES && begin.elapsed() < PATIENCE {
            let sent = Instant::now();
            engine.ready().await.ok()?;
            times.push(sent.elapsed());
        }
        RoundTrip::from_times(times)
    }

    fn from_times(mut times: Vec<Duration>) -> Option<RoundTrip> {
        times.sort_unstable();
        let ms = |time: &Duration| (time.as_secs_f64() * 1e5).round() / 100.0;
        let (median, longest) = (times.get(times.len() / 2)?, times.last()?);
        Some(RoundTrip { median_ms: ms(median), longest_ms: ms(longest), samples: times.len() })
    }

    /// The margin that a tournament with a time limit should set, in milliseconds: the default and
    /// room for two of the longest round trips, as tens; `None` if the default is enough.
    pub(crate) fn margin_ms(&self) -> Option<u64> {
        let needed = Tournament::MARGIN.as_millis() as f64 + 2.0 * self.longest_ms;
        (self.longest_ms > SHORT).then_some((needed / 10.0).ceil() as u64 * 10)
    }

    /// The measurement and what follows from it.
    pub fn in_words(&self) -> String {
        let RoundTrip { median_ms, longest_ms, samples } = self;
        let measured = format!(
            "round trip {median_ms} ms (`isready` to `readyok`, median of {samples}; longest \
             {longest_ms} ms)"
        );
        match self.margin_ms() {
            None => format!("{measured}: the default margin is enough"),
            Some(margin) => format!(
                "{measured}: with a time limit, set margin = \"{margin}ms\", and let the engine \
                 answer that much earlier (`MoveOverhead`)"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(ms: &[u64]) -> Option<RoundTrip> {
        RoundTrip::from_times(ms.iter().map(|&ms| Duration::from_millis(ms)).collect())
    }

    #[test]
    fn a_longer_way_needs_a_larger_margin() {
        assert_eq!(round_trip(&[]), None);
        let near = round_trip(&[2, 0, 1]).unwrap();
        assert_eq!((near.median_ms, near.longest_ms, near.samples), (1.0, 2.0, 3));
        assert_eq!(near.margin_ms(), None);
        assert!(near.in_words().ends_with("the default margin is enough"));
        let far = round_trip(&[48, 52, 61]).unwrap();
        assert_eq!(far.margin_ms(), Some(180));
        let words = far.in_words();
        assert!(
            words.starts_with("round trip 52 ms") && words.contains("margin = \"180ms\""),
            "{words}"
        );
    }
}
