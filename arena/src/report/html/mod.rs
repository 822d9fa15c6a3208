//! `report.html`: a whole tournament in one page that needs nothing beside it and no network.
//!
//! The page is written from the standings and one pass over the games. Tables and charts are finished here and can be read without a script; the
//! replay of games is the page's own script, from the games it holds as data. Whatever comes from
//! outside is escaped: text by the template, data for the script by `embedded`; and the policy of
//! `content_policy` lets the browser run nothing but that script.

mod accuracy;
mod content_policy;
mod embedded;
mod faults;
mod page;
mod replay;
mod setting;
mod sprt;
mod stages;
mod standings;
mod summary;
mod tables;
mod trend;

use std::io::{self, Write};

use super::csv::SessionRow;
use super::write::Results;
use crate::config::Tournament;
use crate::record::GameRecord;
use crate::statistics::accuracy::Slip;
use crate::statistics::breakdown::Breakdown;
use crate::statistics::rating_history::Trend;

/// The name of the file in a results directory.
pub const FILE: &str = "report.html";

/// The page of a tournament while its games come in. They are not kept, but for those it will show.
#[derive(Clone, Debug)]
pub struct Page<'t> {
    tournament: &'t Tournament,
    breakdown: Breakdown,
    /// `None` where there are too many engines for it to be shown.
    trend: Option<Trend>,
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
        let trend = (names.len() <= trend::MOST_LINES)
            .then(|| Trend::new(names).expect("the engines of a config have different names"));
        Page {
            tournament,
            breakdown: Breakdown::new(tournament),
            trend,
            sessions: tables::Sessions::default(),
            faults: faults::Faults::default(),
            embedded: embedded::Embedded::new(tournament.rules),
        }
    }

    /// Adds the next game in the order of the schedule, with its first turn that threw something
    /// away, if an oracle knows of one.
    pub fn add(&mut self, game: &GameRecord, first_slip: Option<Slip>) {
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
        let page = page::page(self, results);
        out.write_all(page.into_string().as_bytes())
    }
}

#[cfg(test)]
mod tests;
