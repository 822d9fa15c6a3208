//! The section of a tuning: the recommended values, and the values over the iterations. The two
//! sides of a game have other values in every iteration, so their ratings mean nothing and are not
//! shown.

use maud::{Markup, html};

use super::numbers::minus;
use super::table::{Table, titles};
use crate::phrase::Phrase;
use crate::tuning::{certainty, shown};
use fanorona_tournament::tuning::{Recommendation, TuningRun};

/// The most points of a line.
const POINTS: usize = 400;

/// The section, with a chart for every parameter.
pub(super) fn section(run: &TuningRun) -> Markup {
    let (recommended, _) = run.recommendation();
    html! {
        section id="tuning" aria-labelledby="tuning-title" {
            h2 id="tuning-title" { (Phrase::new("tuning.title")) }
            (Table::new(Phrase::new("tuning.values")).texts(titles(["table.option"])).numbers(titles(["table.recommended", "table.start", "table.range"])).texts(titles(["table.certainty"])).rows(html! {
                @for it in &recommended {
                    @let of = &it.parameter;
                    @let text = |value| minus(&of.text(value));
                    tr {
                        th scope="row" { bdi { (of.name) } }
                        td class="number" { strong { (text(it.value)) } }
                        td class="number" { (text(of.start)) }
                        td class="number" { (text(of.min)) " … " (text(of.max)) }
                        td { (certainty(it)) }
                    }
                }
            }))
            p class="soft" {
                @let is_known = recommended.iter().any(|it| it.interval.is_some());
                (Phrase::new(if is_known { "tuning.about.band" } else { "tuning.about" })
                    .text("done", run.iterations().len()).text("n", run.planned()))
            }
            div class="plots" {
                @for (place, it) in recommended.iter().enumerate() { (chart(run, place, it)) }
            }
        }
    }
}

/// The iterations of a parameter, each with the value after it, from the start value on.
fn course(run: &TuningRun, place: usize) -> Vec<(usize, f64)> {
    let iterations = run.iterations();
    let step = iterations.len().div_ceil(POINTS).max(1);
    let after = iterations.iter().zip(1..).map(|(it, number)| (number, it.values[place]));
    let is_shown =
        |(number, _): &(usize, f64)| number.is_multiple_of(step) || *number == iterations.len();
    let start = (0, run.parameters()[place].start);
    std::iter::once(start).chain(after.filter(is_shown)).collect()
}

/// The values of a parameter by iteration. The iterations to come are empty space on the right.
fn chart(run: &TuningRun, place: usize, of: &Recommendation) -> Markup {
    let name = &of.parameter.name;
    let start = of.parameter.start;
    let points = course(run, place);
    let (low, high) = range(of, &points);
    let all = run.planned().max(run.iterations().len()).max(1);
    let x = |index: usize| format!("{:.2}%", 100.0 * index as f64 / all as f64);
    let part = |value: f64| 100.0 * (high - value.clamp(low, high)) / (high - low);
    let y = |value: f64| format!("{:.2}%", part(value));
    let last = points[points.len() - 1];
    let label = Phrase::new("tuning.chart.label").name("option", name);
    let label = label.text("start", short(start)).text("end", short(last.1));
    html! {
        figure class="trend" {
            figcaption { (Phrase::new("tuning.chart").name("option", name)) }
            div class="plot" {
                p class="visually-hidden" { (label) }
                svg aria-hidden="true" {
                    @if let Some((from, to)) = of.interval {
                        @let height = format!("{:.2}%", part(from) - part(to));
                        rect class="band" x="0" width="100%" y=(y(to)) height=(height) {}
                    }
                    line class="bound" x1="0" x2="100%" y1=(y(start)) y2=(y(start)) {}
                    @for value in marks(low, high, start) {
                        text x="-6" y=(y(value)) dy="0.35em" text-anchor="end" { (short(value)) }
                    }
                    @for index in [0, all] {
                        text x=(x(index)) y="100%" dy="1.4em" text-anchor="middle" { (index) }
                    }
                    @for two in points.windows(2) {
                        line class="track t0" x1=(x(two[0].0)) x2=(x(two[1].0))
                            y1=(y(two[0].1)) y2=(y(two[1].1)) {}
                    }
                    circle class="t0" cx=(x(last.0)) cy=(y(last.1)) r="4" {}
                }
            }
        }
    }
}

/// The part of a parameter's range that the values have been in, with the start, the interval of the
/// best value, and some room on both sides.
fn range(of: &Recommendation, points: &[(usize, f64)]) -> (f64, f64) {
    let (min, max) = (of.parameter.min, of.parameter.max);
    let ends = of.interval.into_iter().flat_map(|(low, high)| [low, high]);
    let seen = points.iter().map(|(_, value)| *value).chain(ends);
    let (low, high) = seen
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)));
    let room = ((high - low) / 4.0).max((max - min) / 50.0);
    ((low - room).max(min), (high + room).min(max))
}

/// Both ends of an axis, and the start if it is not too close to them.
fn marks(low: f64, high: f64, start: f64) -> Vec<f64> {
    let is_far = |end: f64| (start - end).abs() > (high - low) / 8.0;
    match is_far(low) && is_far(high) {
        true => vec![high, start, low],
        false => vec![high, low],
    }
}

/// A number without needless zeros.
fn short(value: f64) -> String {
    let text = shown(value);
    minus(if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::config::{Number, Parameter};

    #[test]
    fn an_axis_is_marked_at_its_ends_and_at_the_start() {
        assert_eq!(marks(0.0, 100.0, 40.0), [100.0, 40.0, 0.0]);
        assert_eq!(marks(0.0, 100.0, 95.0), [100.0, 0.0]);
    }

    #[test]
    fn numbers_have_no_needless_zeros() {
        assert_eq!([102.4907, 100.0, 24.27, 20.0].map(short), ["102", "100", "24.3", "20"]);
        assert_eq!([-0.5, 0.0, -3.0].map(short), ["−0.5", "0", "−3"]);
    }

    #[test]
    fn an_axis_shows_where_the_values_have_been() {
        let parameter = Parameter {
            name: "Margin".to_owned(),
            number: Number::Int,
            start: 40.0,
            min: 0.0,
            max: 100.0,
            c_end: 5.0,
            r_end: 0.1,
        };
        let points = [(0, 40.0), (1, 44.0)];
        let of = |interval| Recommendation { parameter: parameter.clone(), value: 44.0, interval };
        assert_eq!(range(&of(None), &points), (38.0, 46.0));
        assert_eq!(range(&of(Some((20.0, 100.0))), &points), (0.0, 100.0));
    }
}
