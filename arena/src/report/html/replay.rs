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

fn viewer() -> Markup {
    html! {
        div class="viewer" id="viewer" tabindex="0" role="group" aria-label="Replay"
            aria-describedby="keys" {
            div class="replay-stage" {
                h3 id="game-title" {}
                p id="game-facts" class="soft" {}
                p id="game-end" class="note" hidden {}
                p id="game-blunder" class="note" hidden {}
                div id="upper" class="player" {}
                svg id="board" class="board" role="img" {}
                div id="lower" class="player" {}
                p id="now" class="now" aria-live="polite" {}
                div class="way" {
                    input id="ply" type="range" min="0" value="0" aria-label="Ply";
                    span id="where" class="soft" {}
                }
                div class="controls" role="toolbar" aria-label="Replay controls" {
                    button type="button" id="first" aria-label="Go to the start" { "⇤" }
                    button type="button" id="back" aria-label="Previous move" { "←" }
                    button type="button" id="play" { "Play" }
                    button type="button" id="forward" aria-label="Next move" { "→" }
                    button type="button" id="last" aria-label="Go to the end" { "⇥" }
                }
                div id="graph" class="graph" {
                    p aria-hidden="true" { small { "White better ↑" } small { "scores: White —, Black ┄" } }
                    svg id="scores" viewBox="0 0 100 100" preserveAspectRatio="none"
                        aria-hidden="true" {}
                    p aria-hidden="true" { small { "Black better ↓" } }
                }
                div class="controls" {
                    button type="button" id="previous" { "Previous game" }
                    button type="button" id="next" { "Next game" }
                    button type="button" id="flip" { "Flip board" }
                    label {
                        span class="visually-hidden" { "Speed" }
                        select id="pace" {
                            option value="2" { "slow" }
                            option value="1" selected { "normal" }
                            option value="0.4" { "fast" }
                        }
                    }
                }
                p id="keys" class="soft" {
                    small {
                        "Keys: ← → previous and next move, Home and End, space to play. Dots mark \
                         strong points. A: approach, with an arrow onwards over the captured \
                         stones. W: withdrawal, with a dotted arrow back over them. Crossed rings \
                         mark captured stones."
                    }
                }
            }
            div class="side" {
                h4 { "Moves" }
                ol id="moves" tabindex="0" aria-label="Moves" {}
            }
        }
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
