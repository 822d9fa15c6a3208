//! The section about accuracy in positions whose value an oracle knows.

use maud::{Markup, html};

use crate::ratings::Rating;
use crate::statistics::accuracy::Counts;
use crate::statistics::standings::Standings;
use crate::text::plural::counted;

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
                @for fit in standings.shown() {
                    div class="scroll" role="region" tabindex="0" aria-label="Accuracy" {
                        table {
                            caption { (fit.scope.to_string()) }
                            thead {
                                tr {
                                    th scope="col" { "engine" }
                                    th scope="col" class="number" { "known" }
                                    th scope="col" class="number" { "wins" }
                                    th scope="col" class="number" { "thrown away" }
                                    th scope="col" class="number" { "draws" }
                                    th scope="col" class="number" { "thrown away" }
                                    th scope="col" class="number" { "kept" }
                                }
                            }
                            tbody {
                                @for rating in &fit.engines {
                                    (row(rating, accuracy.of(&rating.engine, fit.scope)))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn row(rating: &Rating, counts: Option<Counts>) -> Markup {
    let counts = counts.unwrap_or_default();
    let Counts { known, wins, thrown_wins, draws, thrown_draws } = counts;
    let kept = counts.kept().map_or(String::new(), |share| format!("{:.1} %", 100.0 * share));
    html! {
        tr {
            th scope="row" { bdi { (rating.engine) } }
            @for count in [known, wins, thrown_wins, draws, thrown_draws] {
                td class="number" { (count) }
            }
            td class="number" { (kept) }
        }
    }
}
