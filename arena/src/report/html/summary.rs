//! The top of the page: the tournament's settings, and the verdicts.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::{setting, sprt, stages};
use crate::config::{Adjudication, Format, Limit, OpeningSource, Tournament};
use crate::report::words;
use crate::statistics::results::Results;
use crate::statistics::verdict::{Sentence, Word, summary};
use crate::text::plural::counted;

pub(super) fn section(tournament: &Tournament, results: &Results, faults: u64) -> Markup {
    let kinds: Vec<_> = tournament.kinds.iter().map(|kind| kind.name()).collect();
    let rules = tournament.rules.to_string();
    html! {
        header {
            h1 { bdi { (tournament.title()) } }
            p class="soft" {
                (results.extent.in_words()) "; " (kinds.join(", ")) "; "
                @if faults == 0 { "no faults" } @else { (counted(faults, "fault", "faults")) }
            }
        }
        (said(results))
        @for (name, withdrawal) in &results.standings.withdrawn {
            p class="note" { bdi { (name) } " " (words::why_withdrawn(withdrawal)) }
        }
        dl class="facts" {
            dt { "Format" }
            dd {
                (tournament.format.word()) ", "
                @match tournament.format {
                    Format::Swiss { stages } => { (stages) " stages of " },
                    Format::Knockout { tiebreaks } => {
                        "up to " (tiebreaks) " tiebreak rounds after "
                    }
                    _ if tournament.sprt.is_some() => "at most ",
                    _ => {}
                }
                (counted(tournament.rounds.get(), "round", "rounds"))
            }
            @if let Some(test) = &results.test {
                dt { "Test" }
                dd { (sprt::asked(test)) }
            }
            @if let Some(machine) = &results.machine { (setting::played(machine)) }
            dt { "Limit" }
            dd { (limits(tournament)) }
            dt { "Board" }
            dd { (tournament.board) }
            dt { "Openings" }
            dd { (openings(&tournament.openings)) }
            @if !rules.is_empty() {
                dt { "Rules" }
                dd { (rules) }
            }
            @if let Some(how) = adjudication(tournament) {
                dt { "Adjudication" }
                dd { (how) }
            }
            dt { "Seed" }
            dd { (tournament.seed) }
            dt { "Reproduce" }
            dd {
                code { "arena run config.toml --out again" }
                " in the directory of this page" (how_alike(tournament))
            }
        }
        (setting::engines(tournament, results.machine.as_ref()))
    }
}

/// The verdicts, each with a symbol of the same meaning. In a match with an SPRT, the test is the
/// verdict, as it uses the same games.
fn said(results: &Results) -> Markup {
    let of_format = [
        results.test.as_ref().map(sprt::verdict),
        results.table.as_ref().and_then(stages::verdict),
    ];
    let verdicts = match results.test {
        Some(_) => Vec::new(),
        None => summary(&results.standings),
    };
    let sign = |decided| {
        html! { span class="sign" aria-hidden="true" { @if decided { "✓" } @else { "?" } } }
    };
    html! {
        ul class="verdicts" aria-label="Verdicts" {
            @for (decided, words) in of_format.into_iter().flatten() {
                li class=[decided.then_some("decided")] { (sign(decided)) (words) }
            }
            @for said in verdicts.iter().filter(|said| said.decided.is_some()) {
                @let decided = said.decided == Some(true);
                li class=[decided.then_some("decided")] { (sign(decided)) (words(said)) }
            }
        }
        @for remark in verdicts.iter().filter(|said| said.decided.is_none()) {
            p class="soft" { (words(remark)) "." }
        }
        @for note in results.standings.notes() {
            p class="note" { (note) "." }
        }
    }
}

fn words(said: &Sentence) -> Markup {
    html! {
        @for word in &said.words {
            @match word {
                Word::Engine(name) => bdi { (name) },
                Word::Text(text) => (text),
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

/// The limit of all engines, or each limit with its engines.
fn limits(tournament: &Tournament) -> Markup {
    let mut limits: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for engine in &tournament.engines {
        let limit = tournament.limit_of(engine).to_string();
        limits.entry(limit).or_default().push(&engine.name);
    }
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
        OpeningSource::File { path, order } => format!("{}, {}", path.display(), order.word()),
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
