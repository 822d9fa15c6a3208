//! The containers for the replay and the list of games, which the script fills.

use maud::{Markup, html};

use super::embedded::Embedding;

pub(super) fn section(games: &Embedding) -> Markup {
    html! {
        section id="replay" aria-labelledby="replay-title" {
            h2 id="replay-title" { "Games" }
            noscript {
                p class="note" {
                    "The replay needs this page's script, but scripts are disabled. The moves are \
                     in "
                    a href="games.csv" { "games.csv" } "."
                }
            }
            @if (games.games as u64) < games.of {
                p class="note" {
                    "This page holds " (games.games) " of " (games.of) " games, games with a fault \
                     first. For all games see " a href="games.csv" { "games.csv" } "."
                }
            }
            @if games.games == 0 { p { "No game is finished yet." } }
            div id="games-app" hidden {
                p id="missing" class="note" role="status" hidden {
                    "The game in this address is not part of this page."
                }
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
            form id="filters" aria-label="Filter games" {
                label { "Engine" select id="by-engine" { option value="" { "any" } } }
                label { "Kind" select id="by-kind" { option value="" { "any" } } }
                label {
                    "Result"
                    select id="by-result" {
                        option value="" { "any" }
                        option value="1-0" { "White won" }
                        option value="0-1" { "Black won" }
                        option value="1/2-1/2" { "drawn" }
                        option value="*" { "none" }
                        option value="won" class="of-engine" { "the engine won" }
                        option value="lost" class="of-engine" { "the engine lost" }
                    }
                }
                label { "Reason" select id="by-reason" { option value="" { "any" } } }
                button type="reset" { "All games" }
            }
            p id="count" class="soft" role="status" {}
            div class="scroll" role="region" tabindex="0" aria-label="Games" {
                table id="list" {
                    thead {
                        tr {
                            th { "game" }
                            th { "White" }
                            th { "Black" }
                            th { "result" }
                            th { "reason" }
                            th { "kind" }
                            th { "opening" }
                            th class="number" { "plies" }
                        }
                    }
                    tbody id="rows" {}
                }
            }
            button type="button" id="more" hidden {}
        }
    }
}
