//! The section about accuracy by the judgement of an analysing engine.

use maud::{Markup, html};

use super::table::Table;

use crate::figures;
use crate::statistics::engine_accuracy::Judgement;
use crate::statistics::standings::Standings;
use fanorona_ratings::Rating;
use fanorona_tournament::text::plural::counted;

/// The section; empty if no game has been analysed.
pub(super) fn section(standings: &Standings) -> Markup {
    let accuracy = &standings.engine_accuracy;
    let analysts: Vec<_> = accuracy.analysts.iter().map(String::as_str).collect();
    let analysts = analysts.join(", ");
    let titles = [
        "games",
        "moves",
        "accuracy",
        "inaccuracies per game",
        "mistakes per game",
        "blunders per game",
    ];
    html! {
        @if accuracy.games > 0 {
            section id="engine-accuracy" aria-labelledby="engine-accuracy-title" {
                h2 id="engine-accuracy-title" { "Accuracy by " bdi { (analysts) } }
                p {
                    "The engine analysed "
                    (counted(accuracy.games, "game", "games"))
                    ". A move is an inaccuracy, a mistake or a blunder if it loses at least 0.1, \
                     0.2 or 0.3 of a win. Accuracy is 100 for a player who never loses winning \
                     chance."
                }
                @for fit in standings.shown() {
                    (Table::new("Accuracy by an engine").caption(fit.scope).texts(["engine"]).numbers(titles).rows(html! {
                        @for rating in &fit.engines {
                            (row(rating, accuracy.of(&rating.engine, fit.scope)))
                        }
                    }))
                }
            }
        }
    }
}

fn row(rating: &Rating, judged: Option<Judgement>) -> Markup {
    let judged = judged.unwrap_or_default();
    html! {
        tr {
            th scope="row" { bdi { (rating.engine) } }
            td class="number" { (judged.games) }
            td class="number" { (judged.moves.judged) }
            @for figure in figures::judgement(&judged) {
                td class="number" { (figure) }
            }
        }
    }
}
