//! The SPRT of a match: its state, and the history of the likelihood ratio.

use maud::{Markup, html};

use super::super::figures;
use super::axis::unit;
use super::numbers::minus;
use crate::phrase::{Phrase, in_markup};
use crate::statistics::sprt_state::Test;
use crate::words;

/// The hypotheses and error rates.
pub(super) fn asked(test: &Test) -> Phrase {
    let options = &test.state.options;
    let asked = Phrase::new("sprt.asked").text("zero", options.elo0).text("one", options.elo1);
    asked.phrase("unit", words::unit(options.model)).phrase("risks", risks(test))
}

/// The probabilities of the two wrong decisions.
pub(super) fn risks(test: &Test) -> Phrase {
    let [alpha, beta] = [test.state.options.alpha, test.state.options.beta].map(figures::percent);
    Phrase::new("sprt.risks").text("alpha", alpha).text("beta", beta)
}

pub(super) fn section(test: &Test) -> Markup {
    html! {
        section id="sprt" aria-labelledby="sprt-title" {
            h2 id="sprt-title" { (Phrase::new("sprt.title")) }
            p { (Phrase::new("sprt.said")) (in_markup(&words::tested(test), false)) "." }
            p class="soft" { (asked(test)) ". " (Phrase::new("sprt.about")) }
            (chart(test))
        }
    }
}

/// The most points of the line.
const MAX_POINTS: usize = 500;

/// A chart of the ratio over the pairs, with the bounds.
fn chart(test: &Test) -> Markup {
    let Test { state, history, .. } = test;
    let Some((pairs, _)) = history.last().filter(|(pairs, _)| *pairs > 0) else { return html! {} };
    let step = history.len().div_ceil(MAX_POINTS);
    // The last one is among the points.
    let mut points: Vec<_> = history.iter().rev().copied().step_by(step).collect();
    points.reverse();
    let ratios = || history.iter().map(|(_, llr)| *llr).chain([state.lower, state.upper, 0.0]);
    let (low, high) = (ratios().fold(0.0, f64::min), ratios().fold(0.0, f64::max));
    let margin = (high - low) * 0.05;
    let (low, high) = (low - margin, high + margin);
    let x = |after: u64| format!("{:.2}%", 100.0 * after as f64 / *pairs as f64);
    let y = |llr: f64| format!("{:.2}%", 100.0 * (high - llr) / (high - low));
    let unit_x = unit(*pairs as f64, 4.0);
    let marks = (0..=(*pairs as f64 / unit_x) as u64).map(|mark| (mark as f64 * unit_x) as u64);
    let two = |number: f64| format!("{number:.2}");
    let label = Phrase::new("sprt.chart.label").text("n", pairs).text("llr", two(state.llr));
    let label = label.text("low", two(state.lower)).text("high", two(state.upper));
    html! {
        figure class="trend" {
            figcaption { (Phrase::new("sprt.chart")) }
            div class="plot" {
                p class="visually-hidden" { (label) }
                svg aria-hidden="true" {
                    line class="grid" x1="0" x2="100%" y1=(y(0.0)) y2=(y(0.0)) {}
                    text x="-6" y=(y(0.0)) dy="0.35em" text-anchor="end" { "0" }
                    @for (bound, name) in [(state.lower, "H0"), (state.upper, "H1")] {
                        line class="bound" x1="0" x2="100%" y1=(y(bound)) y2=(y(bound)) {}
                        text x="-6" y=(y(bound)) dy="0.35em" text-anchor="end" {
                            (minus(&format!("{bound:.2}")))
                        }
                        text x="100%" dx="6" y=(y(bound)) dy="0.35em" { (name) }
                    }
                    @for after in marks {
                        text x=(x(after)) y="100%" dy="1.4em" text-anchor="middle" { (after) }
                    }
                    @for two in points.windows(2) {
                        line class="track t0" x1=(x(two[0].0)) x2=(x(two[1].0)) y1=(y(two[0].1))
                            y2=(y(two[1].1)) {}
                    }
                }
            }
        }
    }
}
