//! The containers for the replay and the list of games, which the script fills.

use maud::{Markup, html};

use super::embedded::Embedding;
use crate::phrase::Phrase;

/// Links to the file with all games of a tournament's report.
pub(super) fn in_csv() -> Markup {
    html! { a href="games.csv" { "games.csv" } }
}

/// The games; `all` tells where those are that the page lacks.
pub fn section(games: &Embedding, all: &Markup) -> Markup {
    html! {
        section id="replay" aria-labelledby="replay-title" {
            h2 id="replay-title" { (Phrase::new("games.heading")) }
            noscript {
                p class="note" { (Phrase::new("replay.no-script")) " " (all) "." }
            }
            @if (games.games as u64) < games.of {
                p class="note" {
                    (Phrase::new("replay.some").text("n", games.games).text("all", games.of)) " " (all) "."
                }
            }
            @if games.games == 0 { p { (Phrase::new("games.not-yet")) } }
            div id="games-app" hidden {
                p id="missing" class="note" role="status" hidden {
                    (Phrase::new("replay.missing"))
                }
                p id="why" class="soft" {}
                (viewer())
                (list())
            }
        }
    }
}

/// The element of the replay. Its content is built by the script, without which it has no use.
fn viewer() -> Markup {
    html! {
        div class="viewer" id="viewer" tabindex="0" role="group" aria-label="Replay" data-say-label="replay.title" {}
    }
}

fn list() -> Markup {
    html! {
        div id="games-list" {
            form id="filters" class="filters" aria-label="Filter games" data-say-label="games.filter" {
                (field("games.engine", "by-engine", html! {}))
                (field("games.opponent", "by-opponent", html! {}))
                (field("games.kind", "by-kind", html! {}))
                (field("games.result", "by-result", html! {
                    option value="1-0" data-say="games.1-0" { (Phrase::new("games.1-0").to_string()) }
                    option value="0-1" data-say="games.0-1" { (Phrase::new("games.0-1").to_string()) }
                    option value="1/2-1/2" data-say="games.drawn" { (Phrase::new("games.drawn").to_string()) }
                    option value="*" data-say="games.none" { (Phrase::new("games.none").to_string()) }
                    option value="won" class="of-engine" data-say="games.won" { (Phrase::new("games.won").to_string()) }
                    option value="lost" class="of-engine" data-say="games.lost" { (Phrase::new("games.lost").to_string()) }
                }))
                (field("games.reason", "by-reason", html! {}))
                button type="reset" { (Phrase::new("games.all")) }
            }
            p id="count" class="soft" role="status" tabindex="-1" {}
            div class="scroll fifteen" id="games-box" role="region" tabindex="0" aria-label="List of games" data-say-label="games.list" {
                table id="list" {
                    thead { tr { @for (key, title) in COLUMNS { (column(key, title)) } } }
                    tbody id="rows" {}
                }
            }
        }
    }
}

/// The columns of the list: the field that a column sorts by, and its title.
const COLUMNS: [(&str, &str); 8] = [
    ("id", "games.game"),
    ("white", "side.w"),
    ("black", "side.b"),
    ("result", "games.result"),
    ("reason", "games.reason"),
    ("kind", "games.kind"),
    ("opening", "games.opening"),
    ("plies", "games.plies"),
];

fn column(key: &str, title: &'static str) -> Markup {
    let class = match key {
        "id" => Some("fixed"),
        "plies" => Some("number"),
        _ => None,
    };
    html! {
        th scope="col" class=[class] { button type="button" class="sort" data-by=(key) { (Phrase::new(title)) } }
    }
}

/// A choice that filters the list, with these options after the one that filters nothing.
fn field(title: &'static str, id: &str, options: Markup) -> Markup {
    html! {
        label {
            (Phrase::new(title))
            select id=(id) {
                option value="" data-say="games.any" { (Phrase::new("games.any").to_string()) }
                (options)
            }
        }
    }
}
