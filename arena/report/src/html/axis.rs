//! The axis that the intervals of all engines in a ranking share, with zero marked.

use maud::{Markup, html};

use super::numbers::{minus, signed};
use fanorona_ratings::{Estimate, Rating};

/// The range of Elo of a ranking. A few engines may lie beyond it: see [`Axis::of`].
pub struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// A range that contains all numbers of a ranking, or, where a few engines far from the others
    /// would press the intervals of all others together, those of the others.
    pub fn of<'r>(ratings: impl IntoIterator<Item = &'r Rating>) -> Axis {
        let span = |rating: &Rating| {
            let Estimate { elo, elo_low, elo_high } = rating.estimate;
            let numbers = [elo, elo_low, elo_high].into_iter().flatten();
            elo.map(|elo| numbers.fold((elo, elo), |(low, high), it| (low.min(it), high.max(it))))
        };
        let spans: Vec<(f64, f64)> = ratings.into_iter().filter_map(span).collect();
        let (mut low, mut high) = bulk(&spans);
        let wide = |low: f64, high: f64| (high - low).max(2.0 * LEAST);
        // Zero, the mean, is shown unless that, too, would press everything together.
        if wide(low.min(-LEAST), high.max(LEAST)) <= ROOM_FOR_ZERO * wide(low, high) {
            (low, high) = (low.min(-LEAST), high.max(LEAST));
        }
        let missing = (2.0 * LEAST - (high - low)).max(0.0);
        let margin = (high - low + missing) * 0.06 + 0.5 * missing;
        Axis { low: low - margin, high: high + margin }
    }

    /// Whether a number is on the axis.
    fn holds(&self, elo: f64) -> bool {
        (self.low..=self.high).contains(&elo)
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
    pub fn head(&self) -> Markup {
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

    /// An interval with its estimate. An open end is dashed and runs out of the chart; an end beyond
    /// the axis runs out of it as well, and an estimate beyond it is named there.
    pub fn bar(&self, estimate: &Estimate) -> Markup {
        let Some(elo) = estimate.elo else { return html! {} };
        let (low, high) = (estimate.elo_low, estimate.elo_high);
        let end = |end: Option<f64>| if end.is_some() { "" } else { "open" };
        let clamped = |elo: f64| self.place(elo.clamp(self.low, self.high));
        let from = low.map_or("0%".to_owned(), clamped);
        let to = high.map_or("100%".to_owned(), clamped);
        let middle = clamped(elo);
        let is_shown = self.holds(elo);
        let leaves = |end: Option<f64>| end.is_none_or(|end| !self.holds(end));
        html! {
            svg aria-hidden="true" {
                @for (index, elo) in self.marks() {
                    @let place = self.place(elo);
                    line class=(if index == 0 { "grid zero" } else { "grid" }) x1=(place) x2=(place)
                        y1="0" y2="100%" {}
                }
                @if is_shown {
                    line class=(end(low)) x1=(from) x2=(middle) y1="50%" y2="50%" {}
                    line class=(end(high)) x1=(middle) x2=(to) y1="50%" y2="50%" {}
                    @for end in [low, high].into_iter().flatten().filter(|it| self.holds(*it)) {
                        // In a drawing of its own, so that it has the same height in every row.
                        svg x=(self.place(end)) y="50%" { line y1="-6" y2="6" {} }
                    }
                    @if leaves(low) { text class="end" x="0" y="50%" dy="0.35em" { "◂" } }
                    @if leaves(high) { text class="end" x="100%" y="50%" dy="0.35em" text-anchor="end" { "▸" } }
                    circle cx=(middle) cy="50%" r="5.5" {}
                } @else if elo < self.low {
                    text class="end beyond" x="0" y="50%" dy="0.35em" { "◂ " (signed(Some(elo))) }
                } @else {
                    text class="end beyond" x="100%" y="50%" dy="0.35em" text-anchor="end" {
                        (signed(Some(elo))) " ▸"
                    }
                }
            }
        }
    }
}

/// The range of the spans, or of nearly all of them if leaving out a few makes it much smaller.
fn bulk(spans: &[(f64, f64)]) -> (f64, f64) {
    let most = match spans.len() {
        ..=2 => 0,
        count => (count / 4).clamp(1, MOST_BEYOND),
    };
    let mut by_low: Vec<usize> = (0..spans.len()).collect();
    let mut by_high = by_low.clone();
    by_low.sort_by(|&one, &other| spans[one].0.total_cmp(&spans[other].0));
    by_high.sort_by(|&one, &other| spans[other].1.total_cmp(&spans[one].1));
    // The range without the spans that reach down farthest, and those that reach up farthest.
    let without = |down: usize, up: usize| {
        let (down, up) = (&by_low[..down], &by_high[..up]);
        let both = down.iter().filter(|it| up.contains(it)).count();
        let kept = (0..spans.len()).filter(|it| !down.contains(it) && !up.contains(it));
        let range = kept.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| {
            (low.min(spans[it].0), high.max(spans[it].1))
        });
        (down.len() + up.len() - both, range)
    };
    let mut found = without(0, 0);
    for count in 1..=most {
        let ways = (0..=count).flat_map(|down| (0..=count).map(move |up| (down, up)));
        let ranges = ways.map(|(down, up)| without(down, up)).filter(|(gone, _)| *gone == count);
        let size = |(low, high): (f64, f64)| (high - low).max(2.0 * LEAST);
        let best = ranges.min_by(|(_, one), (_, other)| size(*one).total_cmp(&size(*other)));
        found = best.filter(|best| size(best.1) <= MUCH_SMALLER * size(found.1)).unwrap_or(found);
    }
    match found.1 {
        (low, high) if low <= high => (low, high),
        _ => (0.0, 0.0),
    }
}

/// The least half of an axis, in Elo.
const LEAST: f64 = 50.0;
/// The factor by which an axis may grow to show zero.
const ROOM_FOR_ZERO: f64 = 1.5;
/// A range that is smaller by this factor is worth leaving out engines.
const MUCH_SMALLER: f64 = 0.4;
/// The most engines beyond an axis.
const MOST_BEYOND: usize = 10;

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
    use fanorona_ratings::Tally;

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

    /// The range for ratings with intervals of this half width.
    fn range(ratings: &[(f64, f64)]) -> (f64, f64) {
        let rating = |&(elo, half): &(f64, f64)| Rating {
            engine: "e".to_owned(),
            estimate: Estimate {
                elo: Some(elo),
                elo_low: Some(elo - half),
                elo_high: Some(elo + half),
            },
            games: 1,
            tally: Tally::default(),
            score: None,
            los: None,
        };
        let ratings: Vec<Rating> = ratings.iter().map(rating).collect();
        let Axis { low, high } = Axis::of(&ratings);
        (low, high)
    }

    #[test]
    fn a_few_far_engines_do_not_press_the_others_together() {
        let strong = [(620.0, 30.0), (600.0, 30.0), (580.0, 30.0)];
        for far in [(-1800.0, 90.0), (3000.0, 400.0), (600.0, 3000.0)] {
            let (low, high) = range(&[&strong[..], &[far]].concat());
            assert!(low < 550.0 && high > 650.0 && high - low < 150.0, "{far:?} {low} {high}");
        }
        let two = [&strong[..], &strong, &strong, &[(-1800.0, 90.0), (2500.0, 90.0)]].concat();
        let (low, high) = range(&two);
        assert!(low < 550.0 && high > 650.0 && high - low < 150.0, "{low} {high}");
    }

    #[test]
    fn a_near_interval_stays_on_the_axis() {
        for ratings in [
            &[(900.0, 50.0), (-900.0, 50.0)][..],
            &[(300.0, 50.0), (100.0, 50.0), (-100.0, 50.0), (-300.0, 50.0)],
            &[(500.0, 20.0), (480.0, 20.0), (-480.0, 20.0), (-500.0, 20.0)],
            &[(74.0, 40.0), (33.0, 26.0), (7.0, 37.0), (4.0, 30.0), (-26.0, 28.0), (-82.0, 30.0)],
        ] {
            let (low, high) = range(ratings);
            let is_on = |(elo, half): &(f64, f64)| low < elo - half && elo + half < high;
            assert!(ratings.iter().all(is_on), "{ratings:?} {low} {high}");
            assert!(low < 0.0 && high > 0.0);
        }
        assert!(range(&[]).0 < -LEAST && range(&[]).1 > LEAST);
    }

    #[test]
    fn an_interval_beyond_the_axis_is_named() {
        let axis = Axis { low: -100.0, high: 100.0 };
        let bar = |elo: f64, half: f64| {
            let (elo_low, elo_high) = (Some(elo - half), Some(elo + half));
            axis.bar(&Estimate { elo: Some(elo), elo_low, elo_high }).into_string()
        };
        let weak = bar(-1800.0, 90.0);
        assert!(weak.contains("◂ −1800") && !weak.contains("<circle"), "{weak}");
        assert!(bar(1800.0, 90.0).contains("+1800 ▸"));
        let unsure = bar(0.0, 400.0);
        assert!(unsure.contains("<circle") && unsure.contains('◂') && unsure.contains('▸'));
        assert!(!unsure.contains("open"), "{unsure}");
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
