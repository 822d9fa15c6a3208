//! The head of the page, and the tournament's settings.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::{candidates, setting, sprt};
use crate::statistics::results::Results;
use fanorona_tournament::config::{Adjudication, Format, Limit, OpeningSource, Tournament};
use fanorona_tournament::text::plural::counted;

/// The title, and the tournament in a line.
pub(super) fn header(tournament: &Tournament, results: &Results, faults: u64) -> Markup {
    let kinds: Vec<_> = tournament.kinds.iter().map(|kind| kind.name()).collect();
    html! {
        header {
            h1 { bdi { (tournament.title()) } }
            p class="soft" {
                (tournament.format.word()) ", " (kinds.join(", ")) " on " (tournament.board)
                @if let [limit] = &distinct_limits(tournament)[..] { ", limit " (limit) }
                "; " (results.extent.in_words()) "; "
                @if faults == 0 { "no faults" }
                @else { a href="#faults" { (counted(faults, "fault", "faults")) } }
            }
        }
    }
}

/// What played, when, where and how, and how to repeat it.
pub(super) fn setting(tournament: &Tournament, results: &Results) -> Markup {
    let rules = tournament.rules.to_string();
    html! {
        section id="setting" aria-labelledby="setting-title" {
            h2 id="setting-title" data-say="tournament.setting" { "Setting" }
            (facts(tournament, results, &rules))
            (setting::engines(tournament, results.machine.as_ref()))
        }
    }
}

fn facts(tournament: &Tournament, results: &Results, rules: &str) -> Markup {
    html! {
        dl class="facts" {
            dt data-say="setting.format" { "Format" }
            dd {
                (tournament.format.word()) ", "
                @match tournament.format {
                    Format::Swiss { stages } => { (stages) " stages of " },
                    Format::Knockout { tiebreaks } => {
                        "up to " (tiebreaks) " tiebreak rounds after "
                    }
                    Format::Candidates => "at most ",
                    _ if tournament.sprt.is_some() => "at most ",
                    _ => {}
                }
                (counted(tournament.rounds.get(), "round", "rounds"))
            }
            @if let Some(test) = &results.test {
                dt data-say="setting.test" { "Test" }
                dd { (sprt::asked(test)) }
            }
            @if let Some(all) = &results.candidates {
                dt data-say="setting.tests" { "Tests" }
                dd { (candidates::asked(all)) }
            }
            @if let Some(machine) = &results.machine { (setting::played(machine)) }
            dt data-say="setting.limit" { "Limit" }
            dd { (limits(tournament)) }
            dt data-say="setting.board" { "Board" }
            dd { (tournament.board) }
            dt data-say="setting.openings" { "Openings" }
            dd { (openings(&tournament.openings)) }
            @if !rules.is_empty() {
                dt data-say="setting.rules" { "Rules" }
                dd { (rules) }
            }
            @if let Some(how) = adjudication(tournament) {
                dt data-say="setting.adjudication" { "Adjudication" }
                dd { (how) }
            }
            dt data-say="setting.seed" { "Seed" }
            dd { (tournament.seed) }
            dt data-say="setting.reproduce" { "Reproduce" }
            dd {
                code { "arena run config.toml --out again" }
                " in the directory of this page" (how_alike(tournament))
            }
        }
    }
}

/// How games may be adjudicated.
fn adjudication(tournament: &Tournament) -> Option<String> {
    let Adjudication { scores, oracle } = &tournament.adjudication;
    let by = [
        scores.draw.map(|_| "draws by score".to_owned()),
        scores.resign.map(|_| "wins by score".to_owned()),
        oracle.as_ref().map(|oracle| format!("exact values of {}", oracle.name)),
    ];
    let by: Vec<_> = by.into_iter().flatten().collect();
    (!by.is_empty()).then(|| by.join(", "))
}

/// Each limit with its engines.
fn by_limit(tournament: &Tournament) -> BTreeMap<String, Vec<&str>> {
    let mut limits: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for engine in &tournament.engines {
        let limit = tournament.limit_of(engine).to_string();
        limits.entry(limit).or_default().push(&engine.name);
    }
    limits
}

fn distinct_limits(tournament: &Tournament) -> Vec<String> {
    by_limit(tournament).into_keys().collect()
}

/// The limit of all engines, or each limit with its engines.
fn limits(tournament: &Tournament) -> Markup {
    let limits = by_limit(tournament);
    let alone = limits.len() == 1;
    html! {
        @for (index, (limit, engines)) in limits.iter().enumerate() {
            @if index > 0 { "; " }
            (limit)
            @if !alone {
                " for "
                @for (index, engine) in engines.iter().enumerate() {
                    @if index > 0 { ", " }
                    bdi { (engine) }
                }
            }
        }
    }
}

fn openings(source: &OpeningSource) -> String {
    match source {
        OpeningSource::Start => "none".to_owned(),
        OpeningSource::Named => "the five named first captures".to_owned(),
        OpeningSource::Random { plies } => format!("{plies} random moves"),
        OpeningSource::File { path, order } => {
            format!("{}, {}", path.display(), <&str>::from(*order))
        }
    }
}

/// How far another run repeats the games.
fn how_alike(tournament: &Tournament) -> &'static str {
    let counted = |limit| matches!(limit, Limit::Nodes(_) | Limit::Depth(_));
    match tournament.engines.iter().all(|engine| counted(tournament.limit_of(engine))) {
        true => "; engines that respect their seed play the same games",
        false => "; timed games vary from run to run",
    }
}
