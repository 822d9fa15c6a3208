//! The section about accuracy by the judgement of an analysing engine.

use maud::{Markup, html};

use super::standings::label;
use super::table::{Table, titles};
use super::tabs::title;

use crate::figures;
use crate::phrase::Phrase;
use crate::statistics::engine_accuracy::Judgement;
use crate::statistics::standings::Standings;
use fanorona_ratings::Rating;

/// The section; empty if no game has been analysed.
pub(super) fn section(standings: &Standings) -> Markup {
    let accuracy = &standings.engine_accuracy;
    let analysts: Vec<_> = accuracy.analysts.iter().map(String::as_str).collect();
    let analysts = analysts.join(", ");
    let columns = [
        "table.games",
        "table.moves",
        "table.accuracy",
        "table.inaccuracies",
        "table.mistakes",
        "table.blunders",
    ];
    html! {
        @if accuracy.games > 0 {
            section id="engine-accuracy" aria-labelledby="engine-accuracy-title" {
                h2 id="engine-accuracy-title" { (Phrase::new("engine-accuracy.title").name("engine", &analysts)) }
                p { (Phrase::new("engine-accuracy.about").text("n", accuracy.games)) }
                @for fit in standings.shown() {
                    (Table::new(label("engine-accuracy.label", fit)).caption(title(fit.scope)).texts(titles(["table.engine"])).numbers(titles(columns)).rows(html! {
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
