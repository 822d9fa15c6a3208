//! The page as a whole: head, policy, sections, script.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{
    Page, accuracy, content_policy, faults, replay, sprt, stages, standings, summary, tables, trend,
};
use crate::report::write::Results;

/// The page's style.
pub(super) const STYLE: &str = include_str!("style.css");

/// The page's script: its parts in one scope of their own.
pub(super) const SCRIPT: &str = concat!(
    "(() => {\n'use strict';\n",
    include_str!("script/replay.js"),
    include_str!("script/board.js"),
    include_str!("script/viewer.js"),
    include_str!("script/list.js"),
    include_str!("script/theme.js"),
    include_str!("script/main.js"),
    "})();\n"
);

pub(super) fn page(page: Page<'_>, results: &Results) -> Markup {
    let Page { tournament, breakdown, trend, sessions, faults, embedded } = page;
    let embedding = embedded.finish();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy"
                    content=(content_policy::policy(SCRIPT, STYLE));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content=(concat!("fanorona-arena ", env!("CARGO_PKG_VERSION")));
                // Or the browser would ask a server for one.
                link rel="icon" href="data:,";
                title { (tournament.title()) " – Fanorona Arena" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a class="skip" href="#main" { "Skip to the results" }
                div class="bar" {
                    nav aria-label="Sections" {
                        @if let Some(table) = &results.table {
                            @let (id, title) = stages::title(table);
                            a href={ "#" (id) } { (title) }
                        }
                        @if results.test.is_some() { a href="#sprt" { "Test" } }
                        a href="#standings" { "Standings" }
                        a href="#replay" { "Games" }
                        a href="#kinds" { "Openings" }
                        a href="#ends" { "Ends" }
                        a href="#time" { "Time" }
                        a href="#faults" { "Faults" }
                        @if results.standings.accuracy.games > 0 { a href="#accuracy" { "Accuracy" } }
                    }
                    label id="theme-choice" hidden {
                        "Colours "
                        select id="theme" {
                            option value="" { "as the system" }
                            option value="light" { "light" }
                            option value="dark" { "dark" }
                        }
                    }
                }
                main id="main" {
                    (summary::section(tournament, results, faults.count()))
                    @if let Some(table) = &results.table { (stages::section(table)) }
                    @if let Some(test) = &results.test { (sprt::section(test)) }
                    (standings::section(&results.standings, results.without_withdrawn.as_ref()))
                    (trend::section(trend, &results.standings))
                    (replay::section(&embedding))
                    (tables::kinds(&breakdown))
                    (tables::sessions(&sessions))
                    (tables::ends(&breakdown))
                    (tables::times(&breakdown))
                    (faults::section(&faults))
                    (accuracy::section(&results.standings))
                }
                script type="application/json" id="data" { (PreEscaped(&embedding.json)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}
