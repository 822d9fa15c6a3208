//! The containers for the replay and the list of games, which the script fills.

use maud::{Markup, html};

use super::embedded::Embedding;

/// Where all games of a tournament's report are.
pub(super) fn in_csv() -> Markup {
    html! { a href="games.csv" { "games.csv" } }
}

/// The games; `all` tells where those are that the page lacks.
pub fn section(games: &Embedding, all: &Markup) -> Markup {
    html! {
        section id="replay" aria-labelledby="replay-title" {
            h2 id="replay-title" { "Games" }
            noscript {
                p class="note" {
                    "The replay needs this page's script, but scripts are disabled. The moves are \
                     in " (all) "."
                }
            }
            @if (games.games as u64) < games.of {
                p class="note" {
                    "This page holds " (games.games) " of " (games.of) " games, games with a fault \
                     first. For all games see " (all) "."
                }
            }
            @if games.games == 0 { p { "No game is finished yet." } }
            div id="games-app" hidden {
                p id="missing" class="note" role="status" hidden {
                    "The game in this address is not part of this page."
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
        div class="viewer" id="viewer" tabindex="0" role="group" aria-label="Replay" {}
    }
}

fn list() -> Markup {
    html! {
        div id="games-list" {
            form id="filters" class="filters" aria-label="Filter games" {
                (field("Engine", "by-engine", html! {}))
                (field("Opponent", "by-opponent", html! {}))
                (field("Kind", "by-kind", html! {}))
                (field("Result", "by-result", html! {
                    option value="1-0" { "White won" }
                    option value="0-1" { "Black won" }
                    option value="1/2-1/2" { "drawn" }
                    option value="*" { "none" }
                    option value="won" class="of-engine" { "the engine won" }
                    option value="lost" class="of-engine" { "the engine lost" }
                }))
                (field("Reason", "by-reason", html! {}))
                button type="reset" { "All games" }
            }
            p id="count" class="soft" role="status" tabindex="-1" {}
            div class="scroll fifteen" id="games-box" role="region" tabindex="0" aria-label="List of games" {
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
    ("id", "game"),
    ("white", "White"),
    ("black", "Black"),
    ("result", "result"),
    ("reason", "ended by"),
    ("kind", "kind"),
    ("opening", "opening"),
    ("plies", "plies"),
];

fn column(key: &str, title: &str) -> Markup {
    let class = match key {
        "id" => Some("fixed"),
        "plies" => Some("number"),
        _ => None,
    };
    html! {
        th scope="col" class=[class] { button type="button" class="sort" data-by=(key) { (title) } }
    }
}

/// A choice that filters the list, with these options after the one that filters nothing.
fn field(title: &str, id: &str, options: Markup) -> Markup {
    html! {
        label { (title) select id=(id) { option value="" { "any" } (options) } }
    }
}
