//! The head of the page, and the tournament's settings.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::{candidates, setting, sprt};
use crate::phrase::{Phrase, Word, Words, in_markup, list};
use crate::statistics::results::Results;
use crate::words;
use fanorona_tournament::config::{Adjudication, Format, Limit, OpeningSource, Tournament};

/// The title, and the tournament in a line.
pub(super) fn header(tournament: &Tournament, results: &Results, faults: u64) -> Markup {
    let kinds = tournament.kinds.iter().map(|kind| vec![words::kind(*kind).into()]);
    html! {
        header {
            h1 { bdi { (tournament.title()) } }
            p class="soft" {
                (words::format(tournament.format)) ", " (in_markup(&list(kinds), false)) ", "
                bdi { (tournament.board) }
                @if let [limit] = &distinct_limits(tournament)[..] { ", " (limit) }
                (Phrase::new("list.semicolon")) (in_markup(&words::extent(&results.extent), false))
                (Phrase::new("list.semicolon"))
                @if faults == 0 { (Phrase::new("summary.no-faults")) }
                @else { a href="#faults" { (Phrase::new("summary.faults").text("n", faults)) } }
            }
        }
    }
}

/// Writes the setting of the games: players, times, machines, conditions, and how to repeat them.
pub(super) fn setting(tournament: &Tournament, results: &Results) -> Markup {
    let rules = tournament.rules.to_string();
    html! {
        section id="setting" aria-labelledby="setting-title" {
            h2 id="setting-title" { (Phrase::new("tournament.setting")) }
            (facts(tournament, results, &rules))
            (setting::engines(tournament, results.machine.as_ref()))
        }
    }
}

fn facts(tournament: &Tournament, results: &Results, rules: &str) -> Markup {
    html! {
        dl class="facts" {
            dt { (Phrase::new("setting.format")) }
            dd {
                (words::format(tournament.format)) ", " (rounds(tournament))
            }
            @if let Some(test) = &results.test {
                dt { (Phrase::new("setting.test")) }
                dd { (sprt::asked(test)) }
            }
            @if let Some(all) = &results.candidates {
                dt { (Phrase::new("setting.tests")) }
                dd { (candidates::asked(all)) }
            }
            @if let Some(machine) = &results.machine { (setting::played(machine)) }
            dt { (Phrase::new("setting.limit")) }
            dd { (limits(tournament)) }
            dt { (Phrase::new("setting.board")) }
            dd { bdi { (tournament.board) } }
            dt { (Phrase::new("setting.openings")) }
            dd { (openings(&tournament.openings)) }
            @if !rules.is_empty() {
                dt { (Phrase::new("setting.rules")) }
                dd { (rules) }
            }
            @if let Some(how) = adjudication(tournament) {
                dt { (Phrase::new("setting.adjudication")) }
                dd { (in_markup(&how, false)) }
            }
            dt { (Phrase::new("setting.seed")) }
            dd { (tournament.seed) }
            dt { (Phrase::new("setting.reproduce")) }
            dd {
                (how_alike(tournament).name("command", "arena run config.toml --out again"))
            }
        }
    }
}

/// Describes the adjudication of games; `None` if there is none.
fn adjudication(tournament: &Tournament) -> Option<Words> {
    let Adjudication { scores, oracle } = &tournament.adjudication;
    let by = [
        scores.draw.map(|_| Phrase::new("setting.by-draws")),
        scores.resign.map(|_| Phrase::new("setting.by-wins")),
        oracle.as_ref().map(|oracle| Phrase::new("setting.by-values").name("oracle", &oracle.name)),
    ];
    let by = list(by.into_iter().flatten().map(|by| vec![by.into()]));
    (!by.is_empty()).then_some(by)
}

/// Describes the number of rounds.
fn rounds(tournament: &Tournament) -> Phrase {
    let said = match tournament.format {
        Format::Swiss { stages } => Phrase::new("rounds.stages").text("stages", stages),
        Format::Knockout { tiebreaks } => {
            Phrase::new("rounds.tiebreaks").text("tiebreaks", tiebreaks)
        }
        Format::Candidates => Phrase::new("rounds.most"),
        _ if tournament.sprt.is_some() => Phrase::new("rounds.most"),
        _ => Phrase::new("rounds.all"),
    };
    said.phrase("rounds", Phrase::new("count.rounds").text("n", tournament.rounds))
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
            @if alone { (limit) }
            @else {
                @let names = list(engines.iter().map(|name| vec![Word::name(name)]));
                (Phrase::new("setting.limit-of").text("limit", limit).words("engines", names))
            }
        }
    }
}

fn openings(source: &OpeningSource) -> Phrase {
    match source {
        OpeningSource::Start => Phrase::new("openings.none"),
        OpeningSource::Named => Phrase::new("openings.named"),
        OpeningSource::Random { plies } => Phrase::new("openings.random").text("n", plies),
        OpeningSource::File { path, order } => {
            let file = Phrase::new(format!("openings.file.{}", <&str>::from(*order)));
            file.name("file", &path.display().to_string())
        }
    }
}

/// Describes the extent to which another run repeats the games.
fn how_alike(tournament: &Tournament) -> Phrase {
    let counted = |limit| matches!(limit, Limit::Nodes(_) | Limit::Depth(_));
    match tournament.engines.iter().all(|engine| counted(tournament.limit_of(engine))) {
        true => Phrase::new("setting.same-games"),
        false => Phrase::new("setting.other-games"),
    }
}
