//! The page as a whole: head, policy, sections, script.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{
    accuracy, content_policy, embedded, faults, replay, sprt, stages, standings, summary, tables,
    trend,
};
use crate::config::Tournament;
use crate::record::GameRecord;
use crate::statistics::accuracy::Blunder;
use crate::statistics::breakdown::Breakdown;
use crate::statistics::rating_history::RatingHistory;
use crate::statistics::results::Results;
use crate::statistics::rows::SessionRow;
use std::io::{self, Write};

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

fn page(page: Page<'_>, results: &Results) -> Markup {
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

/// The page of a tournament while its games come in. They are not kept, but for those it will show.
#[derive(Clone, Debug)]
pub struct Page<'t> {
    tournament: &'t Tournament,
    breakdown: Breakdown,
    /// `None` where there are too many engines for it to be shown.
    trend: Option<RatingHistory>,
    sessions: tables::Sessions,
    faults: faults::Faults,
    embedded: embedded::Embedded,
}

impl<'t> Page<'t> {
    /// A page without a game.
    ///
    /// # Panics
    /// When two engines have one name, which no config allows.
    pub fn new(tournament: &'t Tournament) -> Page<'t> {
        let names: Vec<_> = tournament.engines.iter().map(|engine| engine.name.clone()).collect();
        let trend = (names.len() <= trend::MOST_LINES).then(|| {
            RatingHistory::new(names).expect("the engines of a config have different names")
        });
        Page {
            tournament,
            breakdown: Breakdown::new(tournament),
            trend,
            sessions: tables::Sessions::default(),
            faults: faults::Faults::default(),
            embedded: embedded::Embedded::new(tournament.rules),
        }
    }

    /// Adds the next game in the order of the schedule, with its first move that threw something
    /// away, if an oracle knows of one.
    pub fn add(&mut self, game: &GameRecord, first_slip: Option<Blunder>) {
        self.breakdown.add(game);
        self.trend.iter_mut().for_each(|trend| trend.add(game));
        self.faults.add(game);
        self.embedded.add(game, first_slip);
    }

    /// Adds the next session that is over.
    pub fn add_session(&mut self, row: &SessionRow) {
        if let (Some(trend), Ok(result)) = (&mut self.trend, row.result.parse()) {
            trend.add_session(&row.first, &row.second, result, row.pair);
        }
        self.sessions.add(row);
    }

    /// Writes the page, with what these games lead to.
    ///
    /// # Errors
    /// What `out` refuses to take.
    pub fn write(self, results: &Results, out: &mut impl Write) -> io::Result<()> {
        let page = page(self, results);
        out.write_all(page.into_string().as_bytes())
    }
}
