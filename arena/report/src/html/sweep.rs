//! The section of a sweep: strength against a parameter with its band, or over two as a map.

use maud::{Markup, html};

use super::axis::unit;
use super::numbers::{minus, signed};
use crate::phrase::{Phrase, in_markup};
use crate::statistics::sweep::{CurvePoint, Parameter, Setting, Sweep, band};

/// The shades of a map.
const SHADES: f64 = 9.0;

/// The section; empty without families.
pub(super) fn section(sweeps: &[Sweep]) -> Markup {
    html! {
        @if !sweeps.is_empty() {
            section id="sweep" aria-labelledby="sweep-title" {
                h2 id="sweep-title" { (Phrase::new("sweep.title")) }
                @for sweep in sweeps {
                    // A single family's answer is that of the tournament.
                    @if sweeps.len() > 1 { p { (in_markup(&sweep.words(), true)) "." } }
                    @for line in sweep.warnings() { p { (in_markup(&[line.into()], true)) "." } }
                    @match &sweep.numeric()[..] {
                        [place] => {
                            @for points in curves(sweep, *place) { (chart(sweep, *place, &points)) }
                        }
                        [row, column] => (map(sweep, *row, *column)),
                        _ => {}
                    }
                }
            }
        }
    }
}

/// The curve of every combination of words.
fn curves(sweep: &Sweep, place: usize) -> Vec<Vec<&CurvePoint>> {
    let mut curves: Vec<Vec<&CurvePoint>> = Vec::new();
    for point in &sweep.curve {
        match curves.last_mut().filter(|curve| is_same(&curve[0].values, &point.values, &[place])) {
            Some(curve) => curve.push(point),
            None => curves.push(vec![point]),
        }
    }
    curves
}

/// Whether two settings are the same apart from some parameters.
fn is_same(one: &[String], other: &[String], apart_from: &[usize]) -> bool {
    let mut values = one.iter().zip(other).enumerate();
    values.all(|(place, (one, other))| apart_from.contains(&place) || one == other)
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_default()
}

/// The position of a value in a parameter's range, from 0 to 1.
fn position(parameter: &Parameter, value: f64) -> f64 {
    let (low, high) = parameter.range.unwrap_or((0.0, 1.0));
    match parameter.is_logarithmic {
        true => (value / low).ln() / (high / low).ln(),
        false => (value - low) / (high - low),
    }
}

fn chart(sweep: &Sweep, place: usize, points: &[&CurvePoint]) -> Markup {
    let parameter = &sweep.parameters[place];
    let is_here = |it: &&Setting| is_same(&it.values, &points[0].values, &[place]);
    let settings: Vec<&Setting> = sweep.settings.iter().filter(is_here).collect();
    let ends = |it: &Setting| [it.estimate.elo_low, it.estimate.elo_high];
    let of_settings = settings.iter().flat_map(|it| ends(it)).flatten();
    let of_curve = points.iter().flat_map(|it| <[f64; 2]>::from(band(&it.smoothed)));
    let (low, high) = of_settings
        .chain(of_curve)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)));
    let x = |value: f64| 100.0 * position(parameter, value);
    let y = |elo: f64| 100.0 * (high - elo) / (high - low).max(1.0);
    let percent = |it: f64| format!("{it:.2}%");
    let unit_y = unit(high - low, 5.0);
    let marks = (low / unit_y).ceil() as i64..=(high / unit_y).floor() as i64;
    let words = sweep.parameters.iter().zip(&points[0].values).enumerate();
    let words: Vec<String> = words
        .filter(|(at, _)| *at != place)
        .map(|(_, (it, value))| format!("{} = {value}", it.name))
        .collect();
    let half = 50.0 / (points.len() - 1).max(1) as f64;
    html! {
        figure class="trend" {
            figcaption {
                @let by = Phrase::new("sweep.chart").name("family", &sweep.family).name("option", &parameter.name);
                @if words.is_empty() { (by) }
                @else { (by) " (" bdi { (words.join(", ")) } ")" }
            }
            div class="plot" {
                svg aria-hidden="true" {
                    @for mark in marks {
                        @let elo = mark as f64 * unit_y;
                        line class="grid" x1="0" x2="100%" y1=(percent(y(elo))) y2=(percent(y(elo))) {}
                        text x="-6" y=(percent(y(elo))) dy="0.35em" text-anchor="end" { (minus(&elo.to_string())) }
                    }
                    @for point in points {
                        @let (low, high) = band(&point.smoothed);
                        @let at = x(number(&point.values[place]));
                        @let (from, to) = ((at - half).max(0.0), (at + half).min(100.0));
                        rect class="band" x=(percent(from)) width=(percent(to - from))
                            y=(percent(y(high))) height=(percent(y(low) - y(high))) {}
                    }
                    @for two in points.windows(2) {
                        line class="track t0" x1=(percent(x(number(&two[0].values[place]))))
                            x2=(percent(x(number(&two[1].values[place]))))
                            y1=(percent(y(two[0].smoothed.elo))) y2=(percent(y(two[1].smoothed.elo))) {}
                    }
                    @for setting in settings {
                        @let at = percent(x(number(&setting.values[place])));
                        @if let (Some(elo), [Some(low), Some(high)]) = (setting.estimate.elo, ends(setting)) {
                            line class="whisker" x1=(at) x2=(at) y1=(percent(y(low))) y2=(percent(y(high))) {}
                            circle class="setting" cx=(at) cy=(percent(y(elo))) r="3" {}
                        }
                        text x=(at) y="100%" dy="1.4em" text-anchor="middle" { (setting.values[place]) }
                    }
                }
            }
        }
    }
}

/// The strength over two parameters, the darker the stronger.
fn map(sweep: &Sweep, row: usize, column: usize) -> Markup {
    let numbers = sweep.curve.iter().map(|it| it.smoothed.elo);
    let (low, high) = numbers
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)));
    let shade = |elo: f64| format!("q{:.0}", SHADES * (elo - low) / (high - low).max(1e-9));
    let mut tables: Vec<Vec<&CurvePoint>> = Vec::new();
    for point in &sweep.curve {
        let both = [row, column];
        match tables.last_mut().filter(|it| is_same(&it[0].values, &point.values, &both)) {
            Some(table) => table.push(point),
            None => tables.push(vec![point]),
        }
    }
    let short = |text: &str| format!("{:.1}", number(text));
    html! {
        @for table in &tables {
            @let rows: Vec<&[&CurvePoint]> = table.chunk_by(|a, b| a.values[row] == b.values[row]).collect();
            div class="scroll" {
                table class="map" {
                    caption {
                        (Phrase::new("sweep.map").name("family", &sweep.family)
                            .name("row", &sweep.parameters[row].name)
                            .name("column", &sweep.parameters[column].name))
                    }
                    tr {
                        th {}
                        @for point in rows[0] { th scope="col" { (short(&point.values[column])) } }
                    }
                    @for points in &rows {
                        tr {
                            th scope="row" { (short(&points[0].values[row])) }
                            @for point in *points {
                                td class=(shade(point.smoothed.elo))
                                    title=(format!("± {:.0}", point.smoothed.deviation)) {
                                    (signed(Some(point.smoothed.elo)))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
