//! The ranking of every kind, with its intervals on a common axis, and what follows from it.

use maud::{Markup, html};

use super::super::figures;
use super::axis::Axis;
use super::numbers::{interval, minus, signed};
use super::table::Table;
use super::tabs::{self, Part, tabs};
use crate::statistics::results::Results;
use crate::statistics::standings::{Difference, Standings};
use crate::words;
use fanorona_ratings::{Fit, Pentanomial, Rating};
use fanorona_tournament::text::short_names::short_names;

pub(super) fn section(results: &Results) -> Markup {
    let Results { standings, without_withdrawn, test, candidates, .. } = results;
    html! {
        section id="standings" aria-labelledby="standings-title" {
            h2 id="standings-title" data-say="tournament.standings" { "Standings" }
            @if test.is_some() || candidates.is_some() {
                details {
                    summary data-say="standings.without-test" { "Ratings without regard to the test" }
                    p class="soft" {
                        "These are as if the number of games had been fixed before. A test ends when its \
                         result is extreme, so that they exaggerate it; the lead above accounts for that."
                    }
                    (rankings(standings))
                }
            } @else {
                (rankings(standings))
            }
            // A single engine cannot be compared.
            @if let Some(others) = without_withdrawn.as_ref().filter(|it| it.all().engines.len() > 1) {
                details {
                    summary data-say="standings.without-withdrawn" { "Without the games of withdrawn engines" }
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
        (tabs("standings", "Kinds of games in the standings", standings.shown().map(part).collect()))
        p class="soft" data-say="standings.about" {
            "Elo with its 95 % interval; the mean of all engines is zero. LOS: likelihood of \
             superiority over the next engine in the table."
        }
    }
}

fn of_fit(standings: &Standings, fit: &Fit) -> Markup {
    let heading = words::heading(fit);
    html! {
        (title(fit))
        (ranking(standings, fit, &heading))
        @for advantage in &fit.advantages {
            p { (capital(&minus(&words::in_words(advantage)))) "." }
        }
        @if let Some((name, two)) = standings.of_two(fit) {
            details {
                summary data-say="standings.pairs" { "Over pairs of games alone" }
                p { bdi { (name) } " " (minus(&words::over_pairs(&two))) "." }
                p class="soft" {
                    "These figures are of the points of the pairs and nothing else; the table also knows                      the advantage of the first move, and bounds a lead by its likelihood. The answer                      goes by the table."
                }
                @if let Some((name, counts)) = standings.pairs_of_two(fit) {
                    (pairs(&name, &counts))
                }
            }
        }
        (differences(standings, fit, &heading))
        (superiority(fit, &heading))
    }
}

/// The title of a ranking's tables.
pub(super) fn title(fit: &Fit) -> Markup {
    let scope = tabs::word(fit.scope);
    html! {
        h3 data-say={ "heading." (scope) } data-n=(fit.games) data-pairs=(fit.pairs) { (capital(&words::heading(fit))) }
    }
}

/// A phrase as the beginning of a sentence.
pub(super) fn capital(phrase: &str) -> String {
    let mut letters = phrase.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The pairs of games by an engine's points.
fn pairs(engine: &str, pairs: &Pentanomial) -> Markup {
    let points = ["0", "½", "1", "1½", "2"];
    let counts = by_points(pairs);
    html! {
        p data-say="standings.pairs-of" { "Pairs of games by the points of " bdi data-value="engine" { (engine) } ":" }
        (Table::new("Pairs by points").texts(["points"]).numbers(points).rows(html! {
            tr {
                th scope="row" { "pairs" }
                @for count in counts { td class="number" { (count) } }
            }
        }))
    }
}

fn ranking(standings: &Standings, fit: &Fit, heading: &str) -> Markup {
    let axis = Axis::of(&fit.engines);
    let names: Vec<&str> = fit.engines.iter().map(|it| &*it.engine).collect();
    let is_long = names.iter().any(|name| name.chars().count() > LONG);
    let short = short_names(&names, LONG);
    let table = Table::new(format_args!("Ranking, {heading}"))
        .class(if is_long { "ranking long" } else { "ranking" })
        .numbers(["#"])
        .fixed("engine")
        .numbers(["Elo"])
        .chart(axis.head())
        .numbers(["95 % interval", "games", "W–D–L", "score %", "LOS %", "faults"]);
    html! {
        (table.rows(html! {
            @for (index, (rating, short)) in fit.engines.iter().zip(&short).enumerate() {
                (ranked(standings, fit, &axis, index, rating, short))
            }
        }))
    }
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
fn differences(standings: &Standings, fit: &Fit, heading: &str) -> Markup {
    let differences = standings.differences(fit);
    if fit.engines.len() < 3 || differences.is_empty() {
        return html! {};
    }
    let table = Table::new(format_args!("Leads, {heading}"))
        .caption(
            "Lead of the first engine over the second in Elo, and the number of their pairs by the \
             first engine's points, from 0 to 2",
        )
        .texts(["engine", "opponent"])
        .numbers(["lead", "95 % interval", "LOS %", "0", "½", "1", "1½", "2"]);
    html! {
        details {
            summary data-say="standings.differences" { "Rating differences, and pairs of games by points" }
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
fn superiority(fit: &Fit, heading: &str) -> Markup {
    let known = fit.compares_all() && fit.engines.iter().all(|it| it.games > 0);
    if fit.engines.len() < 3 || !known {
        return html! {};
    }
    let table = Table::new(format_args!("LOS, {heading}"))
        .caption("LOS in per cent: likelihood that the row's engine is stronger")
        .numbers(["#"])
        .fixed("engine")
        .numbers((1..=fit.engines.len()).map(|rank| format!("than {rank}")));
    html! {
        details {
            summary data-say="standings.superiority" { "Likelihood of superiority, pairwise" }
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
