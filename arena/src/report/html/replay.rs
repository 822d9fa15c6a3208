//! The place of the replay and of the list of games; the script fills both.

use maud::{Markup, html};

use super::embedded::Embedding;

pub(super) fn section(games: &Embedding) -> Markup {
    html! {
        section id="replay" aria-labelledby="replay-title" {
            h2 id="replay-title" { "Games" }
            noscript {
                p class="note" {
                    "Games are replayed by this page's script, which is switched off. Their moves are \
                     in " a href="games.csv" { "games.csv" } "."
                }
            }
            @if (games.games as u64) < games.of {
                p class="note" {
                    "This page holds " (games.games) " of " (games.of) " games, those with a fault \
                     first. All are in " a href="games.csv" { "games.csv" } "."
                }
            }
            @if games.games == 0 { p { "No game has been finished." } }
            div id="games-app" hidden {
                p id="missing" class="note" role="status" hidden {
                    "The game of this address is not among those of this page."
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
                p id="game-slip" class="note" hidden {}
                div id="upper" class="player" {}
                svg id="board" class="board" role="img" {}
                div id="lower" class="player" {}
                p id="now" class="now" aria-live="polite" {}
                div class="way" {
                    input id="ply" type="range" min="0" value="0" aria-label="Ply";
                    span id="where" class="soft" {}
                }
                div class="controls" role="toolbar" aria-label="Moving through the game" {
                    button type="button" id="first" aria-label="To the start" { "⇤" }
                    button type="button" id="back" aria-label="Back one move" { "←" }
                    button type="button" id="play" { "Play" }
                    button type="button" id="forward" aria-label="On one move" { "→" }
                    button type="button" id="last" aria-label="To the end" { "⇥" }
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
                    button type="button" id="flip" { "Move the board" }
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
                        "Keys: ← → move by move, Home and End, space to play. Dots are strong points. \
                         A: approach, the arrow runs on over the captured stones; W: withdrawal, the \
                         dotted arrow runs back over them. Rings with a cross are where stones were \
                         captured."
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
            form id="filters" aria-label="Which games are listed" {
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
