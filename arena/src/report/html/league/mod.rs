//! The pages of a league: the leaderboard, and a page for every bot. They share style, script and
//! replay with the report.

mod bot;
mod index;
mod spark;

pub(in crate::report) use bot::{BotPage, Opponent, VersionLine};
pub(in crate::report) use index::{IndexPage, Row};

/// The style sheet of the pages.
const STYLE: &str = concat!(
    include_str!("../style.css"),
    "\n",
    include_str!("../report.css"),
    "\n",
    include_str!("league.css")
);

/// The file's name of a tournament's report among the pages.
pub(in crate::report) fn report_of(tournament: u32) -> String {
    format!("tournament-{tournament:03}.html")
}
