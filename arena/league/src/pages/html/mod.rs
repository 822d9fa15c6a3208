//! The pages of a league: the leaderboard, and a page for every bot. They share style, script and
//! replay with the report.

mod bot;
mod index;
mod spark;

use fanorona_report::html::PAGE_STYLE;

pub(crate) use bot::{BotPage, Opponent, VersionLine};
pub(crate) use index::{IndexPage, Row};

/// The style sheet of the pages.
fn style() -> String {
    [PAGE_STYLE, include_str!("league.css")].join("\n")
}

/// The file's name of a tournament's report among the pages.
pub(crate) fn report_of(tournament: u32) -> String {
    format!("tournament-{tournament:03}.html")
}
