//! The leaderboard.

use maud::{Markup, html};

use super::style;
use fanorona_report::html::table::Table;

use super::report_of;
use super::spark::spark;
use crate::table::Round;
use fanorona_ratings::{Estimate, Rating};
use fanorona_report::figures;
use fanorona_report::html::axis::Axis;
use fanorona_report::html::numbers::{interval, minus, signed};
use fanorona_report::html::shell::{NO_GAMES, Shell, shell};
use fanorona_report::phrase::{Phrase, in_markup};
use fanorona_report::statistics::verdict::Verdict;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::text::plural::counted;

/// A bot in the ranking.
pub(crate) struct Row<'l> {
    /// The bot.
    pub(crate) bot: &'l str,
    /// Its version.
    pub(crate) version: u32,
    /// Its author.
    pub(crate) author: &'l str,
    /// Its rating.
    pub(crate) rating: &'l Rating,
    /// Its likelihood of superiority over the next row.
    pub(crate) los: Option<f64>,
    /// Its faults.
    pub(crate) faults: u64,
    /// The bot's rating after each tournament, whichever version played.
    pub(crate) history: Vec<Option<f64>>,
    /// A remark, such as that it did not start.
    pub(crate) note: Option<String>,
}

/// The leaderboard's content.
pub(crate) struct IndexPage<'l> {
    pub(crate) settings: &'l Tournament,
    /// The verdict on the first two bots; `None` if they cannot be compared.
    pub(crate) verdict: Option<Verdict>,
    /// The playing bots with games, the strongest first.
    pub(crate) rows: Vec<Row<'l>>,
    /// Playing bots without games.
    pub(crate) waiting: Vec<(&'l str, u32)>,
    /// Bots that do not play, with the version and the reason.
    pub(crate) out: Vec<(&'l str, u32, String)>,
    pub(crate) tournaments: &'l [Round],
    /// Notes about the ratings.
    pub(crate) notes: Vec<Phrase>,
    /// Pairs of games that are still to be played.
    pub(crate) missing: u64,
}

impl IndexPage<'_> {
    /// The page.
    pub(crate) fn html(&self) -> String {
        let nav = html! {
            a href="#standings" { "Leaderboard" }
            @if !self.out.is_empty() || !self.waiting.is_empty() { a href="#out" { "Not playing" } }
            a href="#tournaments" { "Tournaments" }
            a href="#rules" { "Rules of the league" }
        };
        let main = html! {
            (self.header())
            (self.leaderboard())
            (self.not_playing())
            (self.history())
            (self.rules())
        };
        let shell_of = Shell {
            languages: None,
            workspace: None,
            title: self.settings.title(),
            style: &style(),
            skip: maud::html! { ("Skip to the leaderboard") },
            before: html! {},
            nav,
            main,
            json: NO_GAMES,
        };
        shell(&shell_of).into_string()
    }

    fn header(&self) -> Markup {
        let games: u64 = self.tournaments.iter().map(|it| it.games).sum();
        let last = self.tournaments.last();
        html! {
            header {
                h1 { bdi { (self.settings.title()) } }
                p class="soft" {
                    (counted(self.rows.len() as u64, "bot", "bots")) ", "
                    (counted(games, "game", "games")) " in "
                    (counted(self.tournaments.len() as u64, "tournament", "tournaments"))
                    @if let Some(day) = last.and_then(|it| it.day.as_deref()) { ", the last on " (day) }
                    @if self.missing > 0 {
                        "; " (counted(self.missing, "pair", "pairs")) " of games still to be played"
                    }
                    "."
                }
                @if let Some(verdict) = &self.verdict { p class="lead" { (in_markup(&verdict.said().words, true)) "." } }
            }
        }
    }

    fn leaderboard(&self) -> Markup {
        let axis = Axis::of(self.rows.iter().map(|row| row.rating));
        let all = || self.rows.iter().flat_map(|row| row.history.iter().flatten().copied());
        let scale = (all().fold(-50.0, f64::min), all().fold(50.0, f64::max));
        let has_history = self.tournaments.len() > 1;
        let table = Table::new("Leaderboard")
            .class("ranking")
            .numbers(["#"])
            .fixed("bot")
            .numbers(["Elo"])
            .chart(axis.head())
            .numbers(has_history.then_some("change"))
            .texts(has_history.then_some("history"))
            .numbers(["95 % interval", "games", "W–D–L", "score %", "LOS %", "faults"]);
        html! {
            section id="standings" aria-labelledby="standings-title" {
                h2 id="standings-title" { "Leaderboard" }
                @if self.rows.is_empty() { p { "No bot has played yet." } }
                @else {
                    (table.rows(html! {
                        @for (index, row) in self.rows.iter().enumerate() {
                            (ranked(index, row, &axis, has_history.then_some(scale)))
                        }
                    }))
                    p class="soft" {
                        "Elo over all games of the league, with its 95 % interval; the mean of all \
                         versions of all bots is zero. LOS: likelihood of superiority over the next bot."
                        @if has_history {
                            " Change: since the tournament before, compared with the bots that had \
                             played before as well, so that a bot that joins moves no other one."
                        }
                    }
                    @for note in &self.notes { p class="note" { (note) } }
                }
            }
        }
    }

    fn not_playing(&self) -> Markup {
        if self.out.is_empty() && self.waiting.is_empty() {
            return html! {};
        }
        html! {
            section id="out" aria-labelledby="out-title" {
                h2 id="out-title" { "Not playing" }
                (Table::new("Bots that do not play").texts(["bot", "version", "why"]).rows(html! {
                    @for (bot, version) in &self.waiting {
                        tr {
                            th scope="row" { (link(bot)) }
                            td { (version) }
                            td { "has not played yet" }
                        }
                    }
                    @for (bot, version, why) in &self.out {
                        tr {
                            th scope="row" { (link(bot)) }
                            td { (version) }
                            td { (why) }
                        }
                    }
                }))
            }
        }
    }

    fn history(&self) -> Markup {
        html! {
            section id="tournaments" aria-labelledby="tournaments-title" {
                h2 id="tournaments-title" { "Tournaments" }
                @if self.tournaments.is_empty() { p { "None yet." } }
                @else {
                    (Table::new("Tournaments").texts(["tournament", "day"]).numbers(["bots", "games", "faults"]).rows(html! {
                        @for it in self.tournaments.iter().rev() {
                            tr {
                                th scope="row" {
                                    a href=(report_of(it.number)) { "Tournament " (it.number) }
                                    @if it.is_unfinished { " (unfinished)" }
                                }
                                td { (it.day.as_deref().unwrap_or("")) }
                                @for number in [it.engines as u64, it.games, it.faults] {
                                    td class="number" { (number) }
                                }
                            }
                        }
                    }))
                }
            }
        }
    }

    fn rules(&self) -> Markup {
        let it = self.settings;
        let kinds: Vec<_> = it.kinds.iter().map(|kind| kind.name()).collect();
        let rules = it.rules.to_string();
        html! {
            section id="rules" aria-labelledby="rules-title" {
                h2 id="rules-title" { "Rules of the league" }
                dl class="facts" {
                    dt { "Games" }
                    dd {
                        (counted(it.rounds.get(), "pair", "pairs")) " of games between every two bots in "
                        (kinds.join(" and ")) " on " (it.board) ", the same opening with sides swapped"
                    }
                    dt { "Limit" } dd { (it.limit) " (tolerance " (it.margin.as_millis()) " ms)" }
                    dt { "Memory" } dd { (it.memory) }
                    dt { "Processes" } dd { "at most " (it.max_processes) }
                    dt { "Sandbox" } dd { (<&str>::from(it.sandbox)) }
                    @if !rules.is_empty() { dt { "Rules" } dd { (rules) } }
                    dt { "Faults" }
                    dd {
                        "A crash, an illegal move or a late answer costs the game. After three such \
                         games in a row a bot waits for its next version."
                    }
                }
            }
        }
    }
}

fn link(bot: &str) -> Markup {
    html! { a href={ "bots/" (bot) ".html" } { bdi { (bot) } } }
}

/// The colour of a change: none for one that is small beside the interval of the rating, as the games
/// against a newcomer give everybody.
fn class_of(change: f64, estimate: &Estimate) -> &'static str {
    let half = match (estimate.elo_low, estimate.elo_high) {
        (Some(low), Some(high)) => (high - low) / 2.0,
        _ => f64::INFINITY,
    };
    match change {
        change if change.abs() < SMALL * half => "soft",
        change if change > 0.0 => "up",
        _ => "down",
    }
}

/// A change of less than this share of half an interval is small.
const SMALL: f64 = 0.25;

fn ranked(index: usize, row: &Row, axis: &Axis, scale: Option<(f64, f64)>) -> Markup {
    let Rating { estimate, games, tally, score, .. } = row.rating;
    let numbers = [
        interval(estimate.elo_low, estimate.elo_high),
        games.to_string(),
        format!("{}–{}–{}", tally.wins, tally.draws, tally.losses),
        score.map_or(String::new(), figures::percent),
        row.los.map_or(String::new(), figures::los),
        row.faults.to_string(),
    ];
    let known: Vec<f64> = row.history.iter().rev().flatten().copied().take(2).collect();
    let change = match (&known[..], row.history.last()) {
        ([now, before], Some(Some(_))) => Some(now - before),
        _ => None,
    };
    html! {
        tr {
            td class="number" { (index + 1) }
            th scope="row" class="fixed" {
                (link(row.bot))
                small {
                    "version " (row.version)
                    @if !row.author.is_empty() { ", " bdi { (row.author) } }
                    @if let Some(note) = &row.note { "; " (note) }
                }
            }
            td class="number" { strong { (signed(estimate.elo)) } }
            td class="chart" { (axis.bar(estimate)) }
            @if let Some(scale) = scale {
                td class="number" {
                    @if let Some(change) = change {
                        span class=(class_of(change, estimate)) {
                            (minus(&signed(Some(change))))
                        }
                    }
                }
                td class="spark-cell" { (spark(&row.history, scale)) }
            }
            @for number in numbers { td class="number" { (number) } }
        }
    }
}
