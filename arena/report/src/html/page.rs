//! The whole page: head, policy, sections and script.

use maud::{Markup, Render, html};

use super::shell::{Shell, shell};
use super::{
    Workspace, accuracy, candidates, crosstable, embedded, engine_accuracy, faults, rating_history,
    replay, search, sprt, stages, standings, summary, sweep, tables, tuning, winner, workers,
};
use crate::messages;
use crate::phrase::Phrase;
use crate::statistics::accuracy::Blunder;
use crate::statistics::breakdown::Breakdown;
use crate::statistics::rating_history::RatingHistory;
use crate::statistics::results::Results;
use crate::statistics::rows::SessionRow;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::record::GameRecord;
use std::io::{self, Write};

/// The style sheets that the page shares with the pages of the web server: what all pages have, and
/// what the results of a tournament look like.
pub const STYLES: [&str; 2] = [include_str!("style.css"), include_str!("results.css")];

/// The whole style sheet of a report.
pub const PAGE_STYLE: &str = concat!(
    include_str!("style.css"),
    "\n",
    include_str!("results.css"),
    "\n",
    include_str!("report.css")
);

fn page(page: Page<'_>, results: &Results) -> Markup {
    let Page { tournament, breakdown, history, sessions, faults, embedded, workspace } = page;
    let embedding = embedded.finish(winner::first_two(&results.standings));
    let trend = match results.tuning {
        Some(_) => None,
        None => rating_history::section(history, &results.standings),
    };
    let nav = html! {
        a href="#result" { (Phrase::new("result.title")) }
        @if let Some(table) = &results.table {
            @let (id, title) = stages::title(table);
            a href={ "#" (id) } { (title) }
        }
        @if results.test.is_some() { a href="#sprt" { (Phrase::new("setting.test")) } }
        @if results.candidates.is_some() { a href="#candidates" { (Phrase::new("candidates.heading")) } }
        @if results.tuning.is_some() { a href="#tuning" { (Phrase::new("tuning.title")) } }
        @else { a href="#standings" { (Phrase::new("tournament.standings")) } }
        a href="#replay" { (Phrase::new("games.heading")) }
        @if results.tuning.is_none() { a href="#crosstable" { (Phrase::new("crosstable.title")) } }
        @if trend.is_some() { a href="#trend" { (Phrase::new("history.nav")) } }
        a href="#kinds" { (Phrase::new("setting.openings")) }
        @if !sessions.is_empty() { a href="#sessions" { (Phrase::new("scope.session")) } }
        a href="#time" { (Phrase::new("time.title")) }
        a href="#ends" { (Phrase::new("ends.nav")) }
        a href="#search" { (Phrase::new("search.nav")) }
        a href="#faults" { (Phrase::new("tournament.faults")) }
        @if results.standings.accuracy.games > 0 { a href="#accuracy" { (Phrase::new("accuracy.title")) } }
        @if results.standings.engine_accuracy.games > 0 {
            a href="#engine-accuracy" { (Phrase::new("engine-accuracy.nav")) }
        }
        @if !results.workers.is_empty() { a href="#workers" { (Phrase::new("workers.title")) } }
        a href="#setting" { (Phrase::new("tournament.setting")) }
    };
    let main = html! {
        (summary::header(tournament, results, faults.count()))
        (winner::section(results))
        @if let Some(table) = &results.table { (stages::section(table)) }
        @if let Some(test) = &results.test { (sprt::section(test)) }
        @if let Some(all) = &results.candidates { (candidates::section(all)) }
        @if let Some(run) = &results.tuning { (tuning::section(run)) }
        (sweep::section(&results.sweeps))
        @if results.tuning.is_none() {
            (standings::section(results))
        }
        (replay::section(&embedding, &replay::in_csv()))
        @if results.tuning.is_none() { (crosstable::section(&results.standings)) }
        @if let Some(trend) = trend { (trend) }
        (tables::kinds(&breakdown))
        (tables::sessions(&sessions))
        div class="columns" {
            (tables::times(&breakdown))
            (tables::ends(&breakdown))
        }
        (search::section(tournament.names(), &results.standings.searches))
        (faults::section(&faults, &results.standings.reported, &replay::in_csv()))
        (accuracy::section(&results.standings))
        (engine_accuracy::section(&results.standings))
        (workers::section(&results.workers))
        (summary::setting(tournament, results))
    };
    shell(&Shell {
        title: tournament.title(),
        style: PAGE_STYLE,
        skip: Phrase::new("bar.skip-to-results").render(),
        before: html! {},
        nav,
        main,
        json: &embedding.json,
        languages: Some(workspace.map_or(messages::others(), |it| it.languages)),
        workspace: workspace.map(|it| (it, &tournament.rules)),
    })
}

/// Builds the page while games are added. Only the games to be shown are kept.
#[derive(Clone, Debug)]
pub struct Page<'t> {
    tournament: &'t Tournament,
    breakdown: Breakdown,
    /// `None` if there are too many engines to show it.
    history: Option<RatingHistory>,
    sessions: tables::Sessions,
    faults: faults::Faults,
    embedded: embedded::Embedded,
    workspace: Option<&'t Workspace>,
}

impl<'t> Page<'t> {
    /// A page without games.
    ///
    /// # Panics
    /// Panics if two engines have the same name, which configs do not allow.
    pub fn new(tournament: &'t Tournament) -> Page<'t> {
        let names: Vec<_> = tournament.engines.iter().map(|engine| engine.name.clone()).collect();
        let history = (names.len() <= rating_history::MAX_LINES).then(|| {
            RatingHistory::new(names).expect("the engines of a config have different names")
        });
        Page {
            tournament,
            breakdown: Breakdown::new(tournament),
            history,
            sessions: tables::Sessions::default(),
            faults: faults::Faults::default(),
            embedded: embedded::Embedded::new(tournament),
            workspace: None,
        }
    }

    /// The page with what analyses its games in it.
    pub fn with_workspace(self, workspace: Option<&'t Workspace>) -> Page<'t> {
        Page { workspace, ..self }
    }

    /// Adds the next game in schedule order, with its first blunder if an oracle knows of one.
    pub fn add(&mut self, game: &GameRecord, first_blunder: Option<Blunder>) {
        self.breakdown.add(game);
        self.history.iter_mut().for_each(|history| history.add(game));
        self.faults.add(game);
        self.embedded.add(game, first_blunder);
    }

    /// Adds the next finished session.
    pub fn add_session(&mut self, row: &SessionRow) {
        if let (Some(history), Ok(result)) = (&mut self.history, row.result.parse()) {
            history.add_session(&row.first, &row.second, result, row.pair.unwrap_or(row.session));
        }
        self.sessions.add(row);
    }

    /// Writes the page with these results.
    ///
    /// # Errors
    /// Returns an error if writing to `out` fails.
    pub fn write(self, results: &Results, out: &mut impl Write) -> io::Result<()> {
        let page = page(self, results);
        out.write_all(page.into_string().as_bytes())
    }
}
