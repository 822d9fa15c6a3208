//! The page of one bot: its place, what would improve it, its versions, opponents, faults and games.

use maud::{Markup, html};

use super::spark::spark;
use super::style;
use crate::advice::Advice;
use fanorona_protocol::rules::Side;
use fanorona_ratings::{Rating, Tally};
use fanorona_report::figures;
use fanorona_report::html::embedded::Embedded;
use fanorona_report::html::faults::{self, Faults};
use fanorona_report::html::numbers::{interval, signed};
use fanorona_report::html::replay;
use fanorona_report::html::shell::{Shell, shell};
use fanorona_report::html::table::Table;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::diagnostics::engine_reports::EngineReports;
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::text::plural::counted;

/// A version of the bot.
pub(crate) struct VersionLine<'l> {
    pub(crate) version: u32,
    pub(crate) added: &'l str,
    pub(crate) author: &'l str,
    /// Its state.
    pub(crate) status: String,
    /// The failed checks, if it was refused.
    pub(crate) details: &'l str,
    /// Its rating, if it has games.
    pub(crate) rating: Option<&'l Rating>,
}

/// An opponent of the bot's present version.
pub(crate) struct Opponent<'l> {
    pub(crate) bot: &'l str,
    pub(crate) version: u32,
    pub(crate) rating: &'l Rating,
    pub(crate) tally: Tally,
}

/// A bot's page.
pub(crate) struct BotPage<'l> {
    pub(crate) settings: &'l Tournament,
    pub(crate) bot: &'l str,
    /// Its place among the playing bots and their number.
    pub(crate) place: Option<(usize, usize)>,
    /// The versions, the latest first.
    pub(crate) versions: Vec<VersionLine<'l>>,
    /// The version that the sections below are about, the latest with games.
    pub(crate) shown: Option<(u32, &'l Rating)>,
    pub(crate) advice: Vec<Advice>,
    pub(crate) opponents: Vec<Opponent<'l>>,
    pub(crate) history: Vec<Option<f64>>,
    faults: Faults,
    /// The reports of all versions besides their moves.
    reported: EngineReports,
    games: Embedded,
}

impl<'l> BotPage<'l> {
    pub(crate) fn new(settings: &'l Tournament, bot: &'l str) -> BotPage<'l> {
        BotPage {
            settings,
            bot,
            place: None,
            versions: Vec::new(),
            shown: None,
            advice: Vec::new(),
            opponents: Vec::new(),
            history: Vec::new(),
            faults: Faults::default(),
            reported: EngineReports::default(),
            games: Embedded::new(settings),
        }
    }

    /// Begins a tournament, whose games follow.
    pub(crate) fn begin(&mut self, number: u32, tournament: &Tournament) {
        self.games.begin(number, tournament);
    }

    /// Adds a game in which these sides were the bot's; `is_at_fault` if it lost the game by a fault.
    pub(crate) fn add(
        &mut self,
        number: String,
        game: &GameRecord,
        own: &[Side],
        is_at_fault: bool,
    ) {
        for &side in own {
            self.reported.add_side(game, side, &number);
        }
        if is_at_fault {
            self.faults.add_as(game, number);
        }
        self.games.add(game, None);
    }

    /// The page.
    pub(crate) fn html(self) -> String {
        let title = format!("{} – {}", self.bot, self.settings.title());
        let nav = html! {
            a href="#improve" { "Improve it" }
            a href="#versions" { "Versions" }
            a href="#opponents" { "Opponents" }
            a href="#faults" { "Faults" }
            a href="#replay" { "Games" }
        };
        let elsewhere =
            html! { "the reports of the " a href="../index.html#tournaments" { "tournaments" } };
        let above = html! {
            (self.header())
            (self.improve())
            (self.of_versions())
            (self.of_opponents())
            (faults::section(&self.faults, &self.reported, &elsewhere))
        };
        let games = self.games.finish(None);
        let main = html! {
            (above)
            (replay::section(&games, &elsewhere))
        };
        let page = Shell {
            languages: None,
            workspace: None,
            title: &title,
            style: &style(),
            skip: maud::html! { ("Skip to the bot") },
            before: html! { a class="back" href="../index.html" { "← League" } },
            nav,
            main,
            json: &games.json,
        };
        shell(&page).into_string()
    }

    fn header(&self) -> Markup {
        let author = self.versions.first().map_or("", |it| it.author);
        html! {
            header {
                h1 { bdi { (self.bot) } }
                p class="soft" {
                    bdi { (self.settings.title()) }
                    @if !author.is_empty() { "; by " bdi { (author) } }
                }
                @if let Some((version, rating)) = self.shown {
                    dl class="tiles" {
                        div {
                            dt { "Place" }
                            dd {
                                strong { @match self.place { Some((place, _)) => { (place) } None => "–" } }
                                span class="soft" {
                                    @match self.place {
                                        Some((_, bots)) => { "of " (counted(bots as u64, "bot", "bots")) }
                                        None => "does not play",
                                    }
                                }
                            }
                        }
                        div {
                            dt { "Elo of version " (version) }
                            dd {
                                strong { (signed(rating.estimate.elo)) }
                                span class="soft" { (interval(rating.estimate.elo_low, rating.estimate.elo_high)) }
                            }
                        }
                        div {
                            dt { "Score" }
                            dd {
                                strong { (rating.score.map_or(String::new(), figures::percent)) " %" }
                                span class="soft" { (of_tally(rating.tally)) " in " (counted(rating.games, "result", "results")) }
                            }
                        }
                        div {
                            dt { "Faults, all versions" }
                            dd { strong { (self.faults.count()) } span class="soft" { "games lost by a fault" } }
                        }
                    }
                } @else { p { "It has not played yet." } }
            }
        }
    }

    fn improve(&self) -> Markup {
        let refused = self.versions.first().filter(|it| !it.details.is_empty());
        html! {
            section id="improve" aria-labelledby="improve-title" {
                h2 id="improve-title" { "How to improve it" }
                @if let Some(refused) = refused {
                    p { "Version " (refused.version) " is " (refused.status) "." }
                    pre { (refused.details) }
                }
                @if !self.advice.is_empty() {
                    ol class="advice" {
                        @for Advice { seen, fix, games, lines } in &self.advice {
                            li {
                                b { (seen) }
                                (fix)
                                @if !lines.is_empty() { pre class="transcript" { (lines.join("\n")) } }
                                @if !games.is_empty() {
                                    " Games: "
                                    @for (place, game) in games.iter().enumerate() {
                                        @if place > 0 { ", " }
                                        a href={ "#g=" (game) } { (game) }
                                    }
                                    "."
                                }
                            }
                        }
                    }
                } @else if refused.is_none() { p { "Nothing stands out in its games so far." } }
                p class="soft" {
                    "Check a new version before you hand it in: "
                    code { "arena check COMMAND" } "; play it against the old one: "
                    code { "arena quick COMMAND COMMAND" } "."
                }
            }
        }
    }

    fn of_versions(&self) -> Markup {
        let known = || self.history.iter().flatten().copied();
        let scale = (known().fold(-50.0, f64::min), known().fold(50.0, f64::max));
        html! {
            section id="versions" aria-labelledby="versions-title" {
                h2 id="versions-title" { "Versions" }
                (Table::new("Versions").texts(["version", "added", "status"]).numbers(["Elo", "95 % interval", "games", "W–D–L"]).rows(html! {
                    @for it in &self.versions {
                        tr {
                            th scope="row" { (it.version) }
                            td { (it.added.get(..10).unwrap_or(it.added)) }
                            td { (it.status) }
                            @if let Some(rating) = it.rating {
                                td class="number" { (signed(rating.estimate.elo)) }
                                td class="number" { (interval(rating.estimate.elo_low, rating.estimate.elo_high)) }
                                td class="number" { (rating.games) }
                                td class="number" { (of_tally(rating.tally)) }
                            } @else { td {} td {} td {} td {} }
                        }
                    }
                }))
                @if known().count() > 1 {
                    figure class="trend history" {
                        figcaption { "Elo after each tournament, on the scale of the last one; the grey line is the mean of the league" }
                        (spark(&self.history, scale))
                    }
                }
            }
        }
    }

    fn of_opponents(&self) -> Markup {
        html! {
            section id="opponents" aria-labelledby="opponents-title" {
                h2 id="opponents-title" { "Opponents" }
                @if let Some((version, _)) = self.shown { p class="soft" { "Of version " (version) ", the strongest first." } }
                @if self.opponents.is_empty() { p { "None yet." } }
                @else {
                    (Table::new("Opponents").texts(["opponent"]).numbers(["Elo", "games", "W–D–L", "score %"]).rows(html! {
                        @for it in &self.opponents {
                            tr {
                                th scope="row" {
                                    a href={ (it.bot) ".html" } { bdi { (it.bot) } }
                                    " " small { "version " (it.version) }
                                }
                                td class="number" { (signed(it.rating.estimate.elo)) }
                                td class="number" { (it.tally.games()) }
                                td class="number" { (of_tally(it.tally)) }
                                td class="number" { (it.tally.score().map_or(String::new(), figures::percent)) }
                            }
                        }
                    }))
                }
            }
        }
    }
}

fn of_tally(tally: Tally) -> String {
    format!("{}–{}–{}", tally.wins, tally.draws, tally.losses)
}
