//! The ranking of every kind, with its intervals on a common axis, and what follows from it.

use maud::{Markup, html};

use super::super::figures;
use super::axis::Axis;
use super::numbers::{interval, signed};
use super::table::{Table, titles};
use super::tabs::{self, Part, tabs};
use crate::phrase::{Phrase, in_markup};
use crate::statistics::results::Results;
use crate::statistics::standings::{Difference, Standings};
use crate::words;
use fanorona_ratings::{Fit, Pentanomial, Rating};
use fanorona_tournament::text::short_names::short_names;

pub(super) fn section(results: &Results) -> Markup {
    let Results { standings, without_withdrawn, test, candidates, .. } = results;
    html! {
        section id="standings" aria-labelledby="standings-title" {
            h2 id="standings-title" { (Phrase::new("tournament.standings")) }
            @if test.is_some() || candidates.is_some() {
                details {
                    summary { (Phrase::new("standings.without-test")) }
                    p class="soft" { (Phrase::new("standings.exaggerate")) }
                    (rankings(standings))
                }
            } @else {
                (rankings(standings))
            }
            // A single engine cannot be compared.
            @if let Some(others) = without_withdrawn.as_ref().filter(|it| it.all().engines.len() > 1) {
                details {
                    summary { (Phrase::new("standings.without-withdrawn")) }
                    @for fit in others.shown() { (of_fit(others, fit)) }
                }
            }
        }
    }
}

/// The ranking of every kind.
fn rankings(standings: &Standings) -> Markup {
    let part = |fit: &Fit| Part { scope: fit.scope, content: of_fit(standings, fit) };
    html! {
        (tabs("standings", "standings.kinds", standings.shown().map(part).collect()))
        p class="soft" { (Phrase::new("standings.about")) }
    }
}

fn of_fit(standings: &Standings, fit: &Fit) -> Markup {
    html! {
        (title(fit))
        (ranking(standings, fit))
        @for advantage in &fit.advantages {
            p { (in_markup(&[words::in_words(advantage).into()], true)) "." }
        }
        @if let Some((name, two)) = standings.of_two(fit) {
            details {
                summary { (Phrase::new("standings.pairs")) }
                p { bdi { (name) } " " (words::over_pairs(&two)) "." }
                p class="soft" { (Phrase::new("standings.pairs.about")) }
                @if let Some((name, counts)) = standings.pairs_of_two(fit) {
                    (pairs(&name, &counts))
                }
            }
        }
        (differences(standings, fit))
        (superiority(fit))
    }
}

/// The title of a ranking's tables.
pub(super) fn title(fit: &Fit) -> Markup {
    html! { h3 { (in_markup(&[words::heading(fit).into()], true)) } }
}

/// The pairs of games by an engine's points.
fn pairs(engine: &str, pairs: &Pentanomial) -> Markup {
    let points = ["0", "½", "1", "1½", "2"];
    let counts = by_points(pairs);
    html! {
        p { (Phrase::new("standings.pairs-of").name("engine", engine)) }
        (Table::new(Phrase::new("standings.pairs.label")).texts(titles(["table.points"])).numbers(points).rows(html! {
            tr {
                th scope="row" { (Phrase::new("table.pairs.row")) }
                @for count in counts { td class="number" { (count) } }
            }
        }))
    }
}

fn ranking(standings: &Standings, fit: &Fit) -> Markup {
    let axis = Axis::of(&fit.engines);
    let names: Vec<&str> = fit.engines.iter().map(|it| &*it.engine).collect();
    let is_long = names.iter().any(|name| name.chars().count() > LONG);
    let short = short_names(&names, LONG);
    let table = Table::new(label("standings.ranking.label", fit))
        .class(if is_long { "ranking long" } else { "ranking" })
        .numbers(["#"])
        .fixed(Phrase::new("table.engine"))
        .numbers(["Elo"])
        .chart(axis.head())
        .numbers(titles([
            "table.interval",
            "table.games",
            "table.counts",
            "table.score",
            "table.los",
            "table.faults",
        ]));
    html! {
        (table.rows(html! {
            @for (index, (rating, short)) in fit.engines.iter().zip(&short).enumerate() {
                (ranked(standings, fit, &axis, index, rating, short))
            }
        }))
    }
}

/// The label of a ranking's table.
pub(super) fn label(key: &'static str, fit: &Fit) -> Phrase {
    Phrase::new(key).phrase("kind", tabs::title(fit.scope))
}

/// Names of more characters get more of the width, and the chart less.
const LONG: usize = 24;

fn ranked(
    standings: &Standings,
    fit: &Fit,
    axis: &Axis,
    index: usize,
    rating: &Rating,
    short: &str,
) -> Markup {
    let Rating { engine, estimate, games, tally, .. } = rating;
    let numbers = [
        interval(estimate.elo_low, estimate.elo_high),
        games.to_string(),
        format!("{}–{}–{}", tally.wins, tally.draws, tally.losses),
        rating.score.map_or(String::new(), figures::percent),
        rating.los.map_or(String::new(), figures::los),
        standings.faults(engine, fit.scope).to_string(),
    ];
    html! {
        tr {
            td class="number" { (index + 1) }
            th scope="row" class="fixed" {
                @if short == engine { bdi { (engine) } }
                @else {
                    bdi class="brief" aria-hidden="true" { (short) }
                    bdi class="whole" { (engine) }
                }
            }
            td class="number" { strong { (signed(estimate.elo)) } }
            td class="chart" { (axis.bar(estimate)) }
            @for number in numbers { td class="number" { (number) } }
        }
    }
}

/// The lead of each engine over each lower-ranked one, and their pairs.
fn differences(standings: &Standings, fit: &Fit) -> Markup {
    let differences = standings.differences(fit);
    if fit.engines.len() < 3 || differences.is_empty() {
        return html! {};
    }
    let table = Table::new(label("standings.leads.label", fit))
        .caption(Phrase::new("standings.leads"))
        .texts(titles(["table.engine", "table.opponent"]))
        .numbers(titles(["table.lead", "table.interval", "table.los"]))
        .numbers(["0", "½", "1", "1½", "2"]);
    html! {
        details {
            summary { (Phrase::new("standings.differences")) }
            (table.rows(html! {
                @for Difference { engine, opponent, lead, los, pentanomial, .. } in &differences {
                    tr {
                        th scope="row" { bdi { (engine) } }
                        td { bdi { (opponent) } }
                        @if let Some(los) = los {
                            td class="number" { (signed(lead.elo)) }
                            td class="number" { (interval(lead.elo_low, lead.elo_high)) }
                            td class="number" { (figures::los(*los)) }
                        } @else { td {} td {} td {} }
                        @for count in by_points(pentanomial) {
                            td class="number" { (count) }
                        }
                    }
                }
            }))
        }
    }
}

/// The number of pairs for 0, ½, 1, 1½ and 2 points.
fn by_points(pairs: &Pentanomial) -> [u64; 5] {
    [pairs.ll, pairs.ld, pairs.dd + pairs.wl, pairs.wd, pairs.ww]
}

/// The likelihood of superiority for every two engines, if known and not already in the ranking.
fn superiority(fit: &Fit) -> Markup {
    let known = fit.compares_all() && fit.engines.iter().all(|it| it.games > 0);
    if fit.engines.len() < 3 || !known {
        return html! {};
    }
    let table = Table::new(label("standings.los.label", fit))
        .caption(Phrase::new("standings.los"))
        .numbers(["#"])
        .fixed(Phrase::new("table.engine"))
        .numbers((1..=fit.engines.len()).map(|rank| Phrase::new("table.than").text("rank", rank)));
    html! {
        details {
            summary { (Phrase::new("standings.superiority")) }
            (table.rows(html! {
                @for (index, rating) in fit.engines.iter().enumerate() {
                    tr {
                        td class="number" { (index + 1) }
                        th scope="row" class="fixed" { bdi { (rating.engine) } }
                        @for column in 0..fit.engines.len() {
                            td class="number" {
                                @if index == column { span class="self" { "–" } }
                                @else if let Some(los) = fit.los(index, column) {
                                    (figures::los(los))
                                }
                            }
                        }
                    }
                }
            }))
        }
    }
}
