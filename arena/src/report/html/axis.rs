//! The axis that the intervals of all engines in a ranking share, with zero marked.

use maud::{Markup, html};

use super::numbers::minus;
use crate::ratings::{Estimate, Fit};

/// The range of Elo of a ranking.
pub(super) struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// A range that contains all numbers of a ranking.
    pub(super) fn of(fit: &Fit) -> Axis {
        let numbers = fit.engines.iter().flat_map(|rating| {
            let Estimate { elo, elo_low, elo_high } = rating.estimate;
            [elo, elo_low, elo_high]
        });
        let (mut low, mut high) = (-50.0_f64, 50.0_f64);
        for number in numbers.flatten() {
            (low, high) = (low.min(number), high.max(number));
        }
        let margin = (high - low) * 0.06;
        Axis { low: low - margin, high: high + margin }
    }

    /// The position of a number, in per cent from the left.
    fn place(&self, elo: f64) -> String {
        format!("{:.2}%", 100.0 * (elo - self.low) / (self.high - self.low))
    }

    /// Round numbers within the range, counted from zero, which is among them.
    fn marks(&self) -> impl Iterator<Item = (i64, f64)> {
        let unit = unit(self.high - self.low, 4.0);
        let (first, last) = ((self.low / unit).ceil() as i64, (self.high / unit).floor() as i64);
        (first..=last).map(move |mark| (mark, mark as f64 * unit))
    }

    /// The numbers above the bars.
    pub(super) fn head(&self) -> Markup {
        html! {
            svg class="axis" role="img" aria-label="Elo" {
                @for (index, elo) in self.marks() {
                    text class=[class_of_mark(index)] x=(self.place(elo)) y="90%" text-anchor="middle" {
                        (minus(&elo.to_string()))
                    }
                }
            }
        }
    }

    /// An interval with its estimate. An open end is dashed and runs out of the chart.
    pub(super) fn bar(&self, estimate: &Estimate) -> Markup {
        let Some(elo) = estimate.elo else { return html! {} };
        let (low, high) = (estimate.elo_low, estimate.elo_high);
        let end = |end: Option<f64>| if end.is_some() { "" } else { "open" };
        let (from, to) = (
            low.map_or("0%".to_owned(), |low| self.place(low)),
            high.map_or("100%".to_owned(), |high| self.place(high)),
        );
        let middle = self.place(elo);
        html! {
            svg aria-hidden="true" {
                @for (index, elo) in self.marks() {
                    @let place = self.place(elo);
                    line class=(if index == 0 { "grid zero" } else { "grid" }) x1=(place) x2=(place)
                        y1="0" y2="100%" {}
                }
                line class=(end(low)) x1=(from) x2=(middle) y1="50%" y2="50%" {}
                line class=(end(high)) x1=(middle) x2=(to) y1="50%" y2="50%" {}
                @for end in [low, high].into_iter().flatten() {
                    // In a drawing of its own, so that it has the same height in every row.
                    svg x=(self.place(end)) y="50%" { line y1="-6" y2="6" {} }
                }
                @if low.is_none() { text class="end" x="0" y="68%" { "◂" } }
                @if high.is_none() { text class="end" x="100%" y="68%" text-anchor="end" { "▸" } }
                circle cx=(middle) cy="50%" r="5.5" {}
            }
        }
    }
}

/// Narrow charts have no room for every number.
fn class_of_mark(index: i64) -> Option<&'static str> {
    match index {
        0 => Some("zero"),
        index if index % 2 != 0 => Some("minor"),
        _ => None,
    }
}

/// A round step that divides a range into about this many parts.
pub(super) fn unit(stretch: f64, parts: f64) -> f64 {
    let rough = (stretch / parts).max(1.0);
    let ten = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * ten);
    steps.into_iter().find(|step| *step >= rough).unwrap_or(10.0 * ten)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!(unit(1000.0, 4.0), 500.0);
        assert_eq!(unit(790.0, 4.0), 200.0);
        assert_eq!(unit(0.0, 4.0), 1.0);
    }

    #[test]
    fn zero_is_marked_on_every_axis() {
        for (low, high) in [(-100.0, 100.0), (-7.0, 900.0), (-2350.0, 60.0)] {
            let axis = Axis { low, high };
            assert_eq!(axis.marks().filter(|(_, elo)| *elo == 0.0).count(), 1, "{low} {high}");
            assert!((2..=9).contains(&axis.marks().count()), "{low} {high}");
        }
        let bar = Axis { low: -100.0, high: 100.0 };
        let drawn = bar.bar(&Estimate { elo: Some(9.0), elo_low: None, elo_high: None });
        assert!(drawn.into_string().contains("class=\"grid zero\" x1=\"50.00%\""));
    }

    #[test]
    fn open_ends_run_out_of_the_picture() {
        let axis = Axis { low: -100.0, high: 100.0 };
        let bar = |elo_low, elo_high| {
            axis.bar(&Estimate { elo: Some(0.0), elo_low, elo_high }).into_string()
        };
        let closed = bar(Some(-50.0), Some(50.0));
        assert!(closed.contains("x1=\"25.00%\"") && !closed.contains("open"), "{closed}");
        let open = bar(Some(-50.0), None);
        assert!(open.contains("open") && open.contains("x2=\"100%\"") && open.contains('▸'));
        assert!(!open.contains('◂'), "{open}");
        assert_eq!(axis.bar(&Estimate::default()).into_string(), "");
    }
}
