//! How the ratings moved, as lines.

use maud::{Markup, html};

use super::super::figures;
use super::standings::unit;
use crate::kind::Kind;
use crate::trend::{Point, Track, Trend};

/// The most engines whose lines can be told apart.
pub(super) const MOST_LINES: usize = 12;

/// The looks of a line, from the style; more engines share them and differ by their number.
const LOOKS: [&str; 6] = ["track t0", "track t1", "track t2", "track t3", "track t4", "track t5"];

pub(super) fn section(trend: Option<Trend>) -> Markup {
    let Some(trend) = trend else { return html! {} };
    let engines = trend.engines().to_vec();
    let tracks = trend.finish();
    let long = |(_, track): &&(Kind, Track)| track.points.len() > 1;
    let tracks: Vec<_> = tracks.iter().filter(long).collect();
    if tracks.is_empty() {
        return html! {};
    }
    html! {
        section id="trend" aria-labelledby="trend-title" {
            h3 id="trend-title" { "How the ratings moved" }
            ul class="legend" {
                @for (place, name) in engines.iter().enumerate() {
                    li {
                        svg aria-hidden="true" {
                            line class=(look(place)) x1="0" x2="100%" y1="50%" y2="50%" {}
                        }
                        span { (place + 1) ": " bdi { (name) } }
                    }
                }
            }
            @for (kind, track) in tracks { (chart(*kind, track, &engines)) }
        }
    }
}

fn look(place: usize) -> &'static str {
    LOOKS[place % LOOKS.len()]
}

fn chart(kind: Kind, track: &Track, engines: &[String]) -> Markup {
    let numbers = || track.points.iter().flat_map(|point| point.elo.iter().flatten().copied());
    let (low, high) = (numbers().fold(-50.0, f64::min), numbers().fold(50.0, f64::max));
    let (first, last) = match &track.points[..] {
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
    let noun = match kind {
        Kind::Session => "sessions",
        _ => "games",
    };
    html! {
        figure class="trend" {
            figcaption { "Elo in " (kind) " after so many " (noun) }
            div class="plot" {
                svg role="img" aria-label=(in_words(kind, last, engines)) {
                    @for mark in marks_y {
                        @let elo = mark as f64 * unit_y;
                        line class="grid" x1="0" x2="100%" y1=(y(elo)) y2=(y(elo)) {}
                        text x="-6" y=(y(elo)) dy="0.35em" text-anchor="end" { (elo) }
                    }
                    @for mark in marks_x {
                        @let results = (mark as f64 * unit_x) as u64;
                        text x=(x(results)) y="100%" dy="1.4em" text-anchor="middle" { (results) }
                    }
                    @for place in 0..engines.len() {
                        @for two in track.points.windows(2) {
                            @if let [Some(from), Some(to)] = [two[0].elo[place], two[1].elo[place]] {
                                line class=(look(place)) x1=(x(two[0].results))
                                    x2=(x(two[1].results)) y1=(y(from)) y2=(y(to)) {}
                            }
                        }
                    }
                    @for (place, at) in labels(last, height) {
                        text class=(look(place)) x="100%" dx="6" y=(format!("{at:.2}%"))
                            dy="0.35em" { (place + 1) }
                    }
                }
            }
        }
    }
}

/// The heights of the lines' numbers in per cent from above, moved apart so that none hides another.
fn labels(last: &Point, height: impl Fn(f64) -> f64) -> Vec<(usize, f64)> {
    let ends = last.elo.iter().enumerate();
    let mut labels: Vec<_> =
        ends.filter_map(|(place, elo)| Some((place, height((*elo)?)))).collect();
    labels.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    for index in 1..labels.len() {
        labels[index].1 = labels[index].1.max(labels[index - 1].1 + LABEL);
    }
    labels
}

/// The height of a label in per cent of the chart.
const LABEL: f64 = 6.5;

/// The chart for those who do not see it: where it ends.
fn in_words(kind: Kind, last: &Point, engines: &[String]) -> String {
    let ends = engines.iter().zip(&last.elo);
    let ends: Vec<_> =
        ends.map(|(name, elo)| format!("{name} {}", figures::signed(*elo))).collect();
    format!("Elo in {kind} after {} results: {}", last.results, ends.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_hides_another() {
        let last = Point { results: 9, elo: vec![Some(10.0), Some(11.0), None, Some(90.0)] };
        let labels = labels(&last, |elo| 100.0 - elo);
        let places: Vec<_> = labels.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [3, 1, 0]);
        assert!(labels.windows(2).all(|two| two[1].1 - two[0].1 >= LABEL));
    }
}
