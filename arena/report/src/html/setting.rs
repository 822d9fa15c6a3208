//! When, where and with which engines the games were played.

use std::fmt::Display;

use maud::{Markup, html};

use super::table::{Table, titles};
use crate::phrase::{Phrase, Word, Words, in_markup, list};

use fanorona_tournament::config::{EngineConfig, Tournament};
use fanorona_tournament::machine::runs::{Computer, Run};
use fanorona_tournament::machine::{Machine, Program};

/// Lists the times and the computers of the games, as far as known, as entries of a list.
pub(super) fn played(machine: &Machine) -> Markup {
    let runs = machine.runs();
    let mut computers: Vec<Words> = runs.iter().map(|run| computer(&run.computer)).collect();
    computers.retain(|words| !words.is_empty());
    computers.dedup();
    let mut arenas: Vec<&str> = runs.iter().map(|run| &*run.arena).collect();
    arenas.dedup();
    html! {
        @if let Some(time) = time(runs) {
            dt { (Phrase::new("setting.played")) }
            dd { (time) }
        }
        @if !computers.is_empty() {
            dt { (Phrase::new("setting.computers").text("n", computers.len())) }
            dd { @for words in &computers { div { (in_markup(words, false)) } } }
        }
        @if !arenas.is_empty() {
            dt { (Phrase::new("setting.arena")) }
            dd { (Phrase::new("setting.version").text("version", arenas.join(", "))) }
        }
    }
}

/// The known facts about a computer.
fn computer(of: &Computer) -> Words {
    let text = |text: &str| (!text.is_empty()).then(|| vec![Word::name(text)]);
    let processors =
        |key: &'static str, count: &dyn Display| vec![Phrase::new(key).text("n", count).into()];
    let quota = of.quota_percent.map(|percent| f64::from(percent) / 100.0);
    let known = [
        text(&of.processor),
        (of.processors > 0).then(|| processors("setting.processors", &of.processors)),
        quota.map(|quota| processors("setting.quota", &quota)),
        text(&of.system),
    ];
    list(known.into_iter().flatten())
}

/// The period in UTC, to the minute; `None` without a run.
fn time(runs: &[Run]) -> Option<Phrase> {
    let (first, last) = (runs.first()?, runs.last()?);
    let began = minute(&first.began);
    let time = match &last.ended {
        Some(ended) => {
            let ended = minute(ended);
            let to = |end: &str| Phrase::new("setting.time.to").text("end", end);
            match ended.split_once(' ').filter(|(date, _)| began.starts_with(date)) {
                _ if began == ended => Phrase::new("setting.time.at"),
                Some((_, clock)) => to(clock),
                None => to(&ended),
            }
        }
        None => Phrase::new("setting.time.since"),
    };
    let time = time.text("begin", began);
    Some(match runs.len() {
        1 => time,
        count => Phrase::new("setting.time.runs").phrase("time", time).text("n", count),
    })
}

/// The time `2026-11-22T08:35:16Z` in readable form, without seconds.
fn minute(time: &str) -> String {
    let (date, clock) = time.split_once('T').unwrap_or((time, ""));
    format!("{date} {}", clock.get(..5).unwrap_or(clock)).trim_end().to_owned()
}

/// The engines with their programs, options and limits.
pub(super) fn engines(tournament: &Tournament, machine: Option<&Machine>) -> Markup {
    let program = |engine: &EngineConfig| {
        machine?.programs().iter().find(|program| program.name == engine.name)
    };
    html! {
        details open[tournament.engines.len() <= MAX_OPEN] {
            summary { (Phrase::new("setting.programs")) }
            (Table::new(Phrase::new("setting.programs")).texts(titles(["table.engine", "table.identity", "table.options", "table.limit", "table.program"])).rows(html! {
                @for engine in &tournament.engines {
                    (row(engine, &limit(tournament, engine), program(engine)))
                }
            }))
        }
    }
}

/// The limit of an engine, and whether it thinks in its opponents' time as well.
fn limit(tournament: &Tournament, engine: &EngineConfig) -> Word {
    let limit = tournament.limit_of(engine);
    match tournament.ponders(engine) {
        true => Phrase::new("setting.ponders").text("limit", limit).into(),
        false => Word::Text(limit.to_string()),
    }
}

/// A table with more engines is collapsed.
const MAX_OPEN: usize = 8;

fn row(engine: &EngineConfig, limit: &Word, program: Option<&Program>) -> Markup {
    html! {
        tr {
            th scope="row" { bdi { (engine.name) } }
            td {
                @if let Some(Program { identity, author, .. }) = program {
                    bdi { (identity) }
                    @if !author.is_empty() { br; small { (Phrase::new("setting.author").name("author", author)) } }
                }
            }
            td { bdi { (options(engine)) } }
            td { (limit) }
            td {
                @match program {
                    Some(program) => {
                        code { (program.program.display()) }
                        @if let Some(checksum) = &program.sha256 {
                            br; small { (Phrase::new("setting.checksum").name("checksum", checksum.get(..8).unwrap_or(checksum))) }
                        }
                    }
                    None => code { (engine.command) },
                }
            }
        }
    }
}

/// The options of an engine. Other settings of a config may be confidential and are not shown.
fn options(engine: &EngineConfig) -> String {
    let options = engine.options.iter().map(|(name, value)| format!("{name} = {value}"));
    options.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_ponders_is_known_by_it() {
        let engines = ["a", "b"].map(|name| EngineConfig::new(name, "x")).to_vec();
        let mut tournament = Tournament::new("t", "", engines);
        tournament.limit = "40/10s".parse().unwrap();
        tournament.engines[1].ponder = Some(true);
        let limits = tournament.engines.iter().map(|engine| limit(&tournament, engine).to_string());
        assert_eq!(limits.collect::<Vec<_>>(), ["40/10s", "40/10s, ponders"]);
    }

    #[test]
    fn times_are_said_as_far_as_they_are_known() {
        let run = |began: &str, ended: Option<&str>| Run {
            began: began.to_owned(),
            ended: ended.map(str::to_owned),
            arena: "1".to_owned(),
            computer: Computer::default(),
        };
        let (one, other) = ("2026-11-22T08:35:16Z", "2026-11-23T00:01:59Z");
        assert!(time(&[]).is_none());
        assert_eq!(time(&[run(one, None)]).unwrap().to_string(), "since 2026-11-22 08:35 UTC");
        assert_eq!(time(&[run(one, Some(one))]).unwrap().to_string(), "2026-11-22 08:35 UTC");
        let later = Some("2026-11-22T09:00:00Z");
        assert_eq!(time(&[run(one, later)]).unwrap().to_string(), "2026-11-22 08:35 to 09:00 UTC");
        let whole = time(&[run(one, Some(one)), run(other, Some(other))]).unwrap();
        assert_eq!(whole.to_string(), "2026-11-22 08:35 to 2026-11-23 00:01 UTC, in 2 runs");
    }
}
