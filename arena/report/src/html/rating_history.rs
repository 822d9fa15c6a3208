//! Charts of the rating history.

use maud::{Markup, html};

use super::axis::unit;
use super::numbers::{minus, signed};
use super::tabs::{Part, tabs};
use crate::phrase::{Phrase, Word, list};
use crate::statistics::rating_history::{Point, RatingHistory, Series};
use crate::statistics::standings::Standings;
use fanorona_ratings::Scope;
use fanorona_ratings::kind::Kind;

/// The maximal number of engines in a chart, so that the lines can be told apart.
pub(super) const MAX_LINES: usize = 12;

/// The line styles; more engines share them and differ by their number.
const LINE_STYLES: [&str; 6] =
    ["track t0", "track t1", "track t2", "track t3", "track t4", "track t5"];

/// The section; `None` without results over time. `standings` numbers the engines: a line has the number of its engine in the table
/// of its kind.
pub(super) fn section(history: Option<RatingHistory>, standings: &Standings) -> Option<Markup> {
    let history = history?;
    let engines = history.engines().to_vec();
    let all_series = history.finish();
    let long = |(_, series): &&(Kind, Series)| series.points.len() > 1;
    let all_series: Vec<_> = all_series.iter().filter(long).collect();
    if all_series.is_empty() {
        return None;
    }
    let part = |(kind, series): &(Kind, Series)| {
        let content = chart(*kind, series, &ranked(&engines, *kind, standings));
        Part { scope: Scope::Kind(*kind), content }
    };
    Some(html! {
        section id="trend" aria-labelledby="trend-title" {
            h2 id="trend-title" { (Phrase::new("history.title")) }
            (tabs("trend", "history.kinds", all_series.into_iter().map(part).collect()))
        }
    })
}

/// An engine's line in a chart.
struct Line<'n> {
    name: &'n str,
    /// Its index in the config, which gives it the same style in every chart.
    place: usize,
}

/// The engines in the order of a kind's table, which numbers them from 1.
fn ranked<'n>(engines: &'n [String], kind: Kind, standings: &Standings) -> Vec<Line<'n>> {
    let fit = standings.fits.iter().find(|fit| fit.scope == Scope::Kind(kind));
    let rank = |name: &str| fit?.engines.iter().position(|rating| rating.engine == name);
    let line = |(place, name): (usize, &'n String)| Line { name, place };
    let mut lines: Vec<_> = engines.iter().enumerate().map(line).collect();
    lines.sort_by_key(|line| rank(line.name).unwrap_or(usize::MAX));
    lines
}

fn look(place: usize) -> &'static str {
    LINE_STYLES[place % LINE_STYLES.len()]
}

fn chart(kind: Kind, series: &Series, lines: &[Line]) -> Markup {
    let numbers = || series.points.iter().flat_map(|point| point.elo.iter().flatten().copied());
    let (low, high) = (numbers().fold(-50.0, f64::min), numbers().fold(50.0, f64::max));
    let (first, last) = match &series.points[..] {
        [first, .., last] => (first, last),
        _ => return html! {},
    };
    let stretch = (last.results - first.results) as f64;
    let x = |results: u64| format!("{:.2}%", 100.0 * (results - first.results) as f64 / stretch);
    let height = |elo: f64| 100.0 * (high - elo) / (high - low);
    let y = |elo: f64| format!("{:.2}%", height(elo));
    let unit_y = unit(high - low, 5.0);
    let marks_y = (low / unit_y).ceil() as i64..=(high / unit_y).floor() as i64;
    let unit_x = unit(stretch, 4.0);
    let marks_x =
        (first.results as f64 / unit_x).ceil() as u64..=(last.results as f64 / unit_x) as u64;
    let by = Phrase::new(match kind {
        Kind::Riatra => "history.riatra",
        Kind::Vela => "history.vela",
        Kind::Session => "history.session",
    });
    html! {
        figure class="trend" {
            figcaption { (by) }
            ul class="legend" {
                @for (index, line) in lines.iter().enumerate() {
                    li {
                        svg aria-hidden="true" {
                            line class=(look(line.place)) x1="0" x2="100%" y1="50%" y2="50%" {}
                        }
                        span { (index + 1) ": " bdi { (line.name) } }
                    }
                }
            }
            div class="plot" {
                p class="visually-hidden" { (in_words(last, lines)) }
                svg aria-hidden="true" {
                    @for mark in marks_y {
                        @let elo = mark as f64 * unit_y;
                        line class="grid" x1="0" x2="100%" y1=(y(elo)) y2=(y(elo)) {}
                        text x="-6" y=(y(elo)) dy="0.35em" text-anchor="end" { (minus(&elo.to_string())) }
                    }
                    @for mark in marks_x {
                        @let results = (mark as f64 * unit_x) as u64;
                        text x=(x(results)) y="100%" dy="1.4em" text-anchor="middle" { (results) }
                    }
                    @for &Line { place, .. } in lines {
                        @for two in series.points.windows(2) {
                            @if let [Some(from), Some(to)] = [two[0].elo[place], two[1].elo[place]] {
                                line class=(look(place)) x1=(x(two[0].results))
                                    x2=(x(two[1].results)) y1=(y(from)) y2=(y(to)) {}
                            }
                        }
                    }
                    @for (index, at) in labels(last, lines, height) {
                        text class=(look(lines[index].place)) x="100%" dx="6"
                            y=(format!("{at:.2}%")) dy="0.35em" { (index + 1) }
                    }
                }
            }
        }
    }
}

/// The positions of the lines' labels in per cent from the top, by the index of the line, spread so
/// that they do not overlap.
fn labels(last: &Point, lines: &[Line], height: impl Fn(f64) -> f64) -> Vec<(usize, f64)> {
    let ends = lines.iter().map(|line| last.elo[line.place]).enumerate();
    let mut labels: Vec<_> = ends.filter_map(|(index, elo)| Some((index, height(elo?)))).collect();
    labels.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    for index in 1..labels.len() {
        labels[index].1 = labels[index].1.max(labels[index - 1].1 + LABEL);
    }
    labels
}

/// The height of a label in per cent of the chart.
const LABEL: f64 = 6.5;

/// A text alternative to the chart: its final values.
fn in_words(last: &Point, lines: &[Line]) -> Phrase {
    let end = |line: &Line| {
        let elo = Word::Text(format!(" {}", signed(last.elo[line.place])));
        vec![Word::name(line.name), elo]
    };
    let said = Phrase::new("history.ends").text("n", last.results);
    said.words("ends", list(lines.iter().map(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_hides_another() {
        let last = Point { results: 9, elo: vec![Some(10.0), Some(11.0), None, Some(90.0)] };
        let lines = [0, 1, 2, 3].map(|place| Line { name: "", place });
        let labels = labels(&last, &lines, |elo| 100.0 - elo);
        let places: Vec<_> = labels.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [3, 1, 0]);
        assert!(labels.windows(2).all(|two| two[1].1 - two[0].1 >= LABEL));
    }
}
