//! The section about accuracy in positions whose value an oracle knows.

use maud::{Markup, html};

use super::standings::label;
use super::table::{Table, titles};
use super::tabs::{Part, tabs, title};
use crate::phrase::Phrase;
use crate::statistics::accuracy::Counts;
use crate::statistics::standings::Standings;
use fanorona_ratings::{Fit, Rating};

/// The section; empty if no oracle has been asked.
pub(super) fn section(standings: &Standings) -> Markup {
    let accuracy = &standings.accuracy;
    let oracles: Vec<_> = accuracy.oracles.iter().map(String::as_str).collect();
    html! {
        @if accuracy.games > 0 {
            section id="accuracy" aria-labelledby="accuracy-title" {
                h2 id="accuracy-title" { (Phrase::new("accuracy.title")) }
                p {
                    (Phrase::new("accuracy.about").name("oracle", &oracles.join(", ")).text("n", accuracy.games))
                }
                @let part = |fit: &Fit| Part { scope: fit.scope, content: of_fit(standings, fit) };
                (tabs("accuracy", "accuracy.kinds", standings.shown().map(part).collect()))
            }
        }
    }
}

fn of_fit(standings: &Standings, fit: &Fit) -> Markup {
    let table = Table::new(label("accuracy.label", fit))
        .caption(title(fit.scope))
        .fixed(Phrase::new("table.engine"))
        .numbers(titles([
            "table.known",
            "table.wins",
            "table.thrown",
            "table.draws",
            "table.thrown",
            "table.kept",
        ]));
    html! {
        (table.rows(html! {
            @for rating in &fit.engines {
                (row(rating, standings.accuracy.of(&rating.engine, fit.scope)))
            }
        }))
    }
}

fn row(rating: &Rating, counts: Option<Counts>) -> Markup {
    let counts = counts.unwrap_or_default();
    let Counts { known, wins, thrown_wins, draws, thrown_draws } = counts;
    let kept = counts.kept().map_or(String::new(), |share| format!("{:.1} %", 100.0 * share));
    html! {
        tr {
            th scope="row" class="fixed" { bdi { (rating.engine) } }
            @for count in [known, wins, thrown_wins, draws, thrown_draws] {
                td class="number" { (count) }
            }
            td class="number" { (kept) }
        }
    }
}
