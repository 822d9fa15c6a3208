//! Durations with their units.

use std::time::Duration;

/// A duration in milliseconds or seconds.
pub fn duration_text(time: Duration) -> String {
    match time.as_millis() {
        ms if ms < 10_000 => format!("{ms} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}
