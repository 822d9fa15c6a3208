//! The section of a tuning: the recommended values, and the values over the iterations. The two
//! sides of a game have other values in every iteration, so their ratings mean nothing and are not
//! shown.

use maud::{Markup, html};

use super::axis::unit;
use super::numbers::minus;
use crate::tuning::certainty;
use fanorona_tournament::config::Parameter;
use fanorona_tournament::tuning::{Iteration, TuningRun};

/// The most points of a line.
const POINTS: usize = 400;

/// The section, with a chart for every parameter.
pub(super) fn section(run: &TuningRun) -> Markup {
    html! {
        section id="tuning" aria-labelledby="tuning-title" {
            h2 id="tuning-title" { "Tuning" }
            div class="scroll" role="region" tabindex="0" aria-label="Recommended values" {
                table {
                    thead {
                        tr {
                            th scope="col" { "option" }
                            th scope="col" class="number" { "recommended" }
                            th scope="col" class="number" { "start" }
                            th scope="col" class="number" { "range" }
                            th scope="col" { "certainty" }
                        }
                    }
                    tbody {
                        @for it in run.recommendation().0 {
                            @let of = &it.parameter;
                            @let text = |value| minus(&of.text(value));
                            tr {
                                th scope="row" { bdi { (of.name) } }
                                td class="number" { strong { (text(it.value)) } }
                                td class="number" { (text(of.start)) }
                                td class="number" { (text(of.min)) " … " (text(of.max)) }
                                td { (certainty(&it)) }
                            }
                        }
                    }
                }
            }
            @if run.iterations().len() > 1 {
                @for (place, parameter) in run.parameters().iter().enumerate() {
                    (chart(place, parameter, run.iterations()))
                }
            }
        }
    }
}

/// The values of a parameter by iteration.
fn chart(place: usize, parameter: &Parameter, iterations: &[Iteration]) -> Markup {
    let Parameter { name, min, max, .. } = parameter;
    let step = iterations.len().div_ceil(POINTS).max(1);
    let start = (0, parameter.start);
    let after = iterations.iter().enumerate().map(|(index, it)| (index + 1, it.values[place]));
    let is_shown =
        |(index, _): &(usize, f64)| index.is_multiple_of(step) || *index == iterations.len();
    let points: Vec<(usize, f64)> = [start].into_iter().chain(after.filter(is_shown)).collect();
    let x = |index: usize| format!("{:.2}%", 100.0 * index as f64 / iterations.len() as f64);
    let y = |value: f64| format!("{:.2}%", 100.0 * (max - value) / (max - min));
    let unit_y = unit(max - min, 5.0);
    let marks = (min / unit_y).ceil() as i64..=(max / unit_y).floor() as i64;
    let last = points.last().map_or(parameter.start, |(_, value)| *value);
    let label = format!("{name} from {} to {last:.2}", parameter.text(parameter.start));
    html! {
        figure class="trend" {
            figcaption { bdi { (name) } " by iteration" }
            div class="plot" {
                svg role="img" aria-label=(label) {
                    @for mark in marks {
                        @let value = mark as f64 * unit_y;
                        line class="grid" x1="0" x2="100%" y1=(y(value)) y2=(y(value)) {}
                        text x="-6" y=(y(value)) dy="0.35em" text-anchor="end" { (minus(&value.to_string())) }
                    }
                    @for index in [0, iterations.len()] {
                        text x=(x(index)) y="100%" dy="1.4em" text-anchor="middle" { (index) }
                    }
                    @for two in points.windows(2) {
                        line class="track t0" x1=(x(two[0].0)) x2=(x(two[1].0))
                            y1=(y(two[0].1)) y2=(y(two[1].1)) {}
                    }
                }
            }
        }
    }
}
