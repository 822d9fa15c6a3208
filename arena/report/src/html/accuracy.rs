//! The section about accuracy in positions whose value an oracle knows.

use maud::{Markup, html};

use super::table::Table;
use super::tabs::{Part, tabs};
use crate::statistics::accuracy::Counts;
use crate::statistics::standings::Standings;
use fanorona_ratings::{Fit, Rating};
use fanorona_tournament::text::plural::counted;

/// The section; empty if no oracle has been asked.
pub(super) fn section(standings: &Standings) -> Markup {
    let accuracy = &standings.accuracy;
    let oracles: Vec<_> = accuracy.oracles.iter().map(String::as_str).collect();
    html! {
        @if accuracy.games > 0 {
            section id="accuracy" aria-labelledby="accuracy-title" {
                h2 id="accuracy-title" { "Accuracy" }
                p {
                    bdi { (oracles.join(", ")) } " was asked about "
                    (counted(accuracy.games, "game", "games"))
                    ". The table counts moves in positions whose value it knows, and how often \
                     they threw away a win or a draw. The first blunder of every game is marked \
                     in its replay."
                }
                @let part = |fit: &Fit| Part { scope: fit.scope, content: of_fit(standings, fit) };
                (tabs("accuracy", "Kinds of games for the accuracy", standings.shown().map(part).collect()))
            }
        }
    }
}

fn of_fit(standings: &Standings, fit: &Fit) -> Markup {
    let table = Table::new(format_args!("Accuracy, {}", fit.scope))
        .caption(fit.scope)
        .fixed("engine")
        .numbers(["known", "wins", "thrown away", "draws", "thrown away", "kept"]);
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
