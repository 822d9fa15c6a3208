//! When, where and with which engines the games were played.

use maud::{Markup, html};

use super::table::Table;

use fanorona_tournament::config::{EngineConfig, Tournament};
use fanorona_tournament::machine::runs::Run;
use fanorona_tournament::machine::{Machine, Program};

/// When and where the games were played, as far as known, as entries of a list.
pub(super) fn played(machine: &Machine) -> Markup {
    let runs = machine.runs();
    let mut computers: Vec<String> = runs.iter().map(|run| run.computer.in_words()).collect();
    computers.retain(|words| !words.is_empty());
    computers.dedup();
    let mut arenas: Vec<&str> = runs.iter().map(|run| &*run.arena).collect();
    arenas.dedup();
    html! {
        @if let Some(time) = time(runs) {
            dt data-say="setting.played" { "Played" }
            dd { (time) }
        }
        @if !computers.is_empty() {
            dt data-say={ "setting." (if computers.len() == 1 { "computer" } else { "computers" }) } {
                @if computers.len() == 1 { "Computer" } @else { "Computers" }
            }
            dd { @for words in &computers { div { (words) } } }
        }
        @if !arenas.is_empty() {
            dt data-say="setting.arena" { "Arena" }
            dd { "version " (arenas.join(", ")) }
        }
    }
}

/// The period in UTC, to the minute; `None` without a run.
fn time(runs: &[Run]) -> Option<String> {
    let (first, last) = (runs.first()?, runs.last()?);
    let began = minute(&first.began);
    let text = match &last.ended {
        Some(ended) => {
            let ended = minute(ended);
            match ended.split_once(' ').filter(|(date, _)| began.starts_with(date)) {
                _ if began == ended => began,
                Some((_, clock)) => format!("{began} to {clock}"),
                None => format!("{began} to {ended}"),
            }
        }
        None => format!("since {began}"),
    };
    let times = if runs.len() > 1 { format!(", in {} runs", runs.len()) } else { String::new() };
    Some(format!("{text} UTC{times}"))
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
            summary data-say="setting.programs" { "Engine programs" }
            (Table::new("Engine programs").texts(["engine", "name it reports", "options", "limit", "program"]).rows(html! {
                @for engine in &tournament.engines {
                    (row(engine, &limit(tournament, engine), program(engine)))
                }
            }))
        }
    }
}

/// The limit of an engine, and whether it thinks in its opponents' time as well.
fn limit(tournament: &Tournament, engine: &EngineConfig) -> String {
    let limit = tournament.limit_of(engine);
    if tournament.ponders(engine) { format!("{limit}, ponders") } else { limit.to_string() }
}

/// A table with more engines is collapsed.
const MAX_OPEN: usize = 8;

fn row(engine: &EngineConfig, limit: &str, program: Option<&Program>) -> Markup {
    html! {
        tr {
            th scope="row" { bdi { (engine.name) } }
            td {
                @if let Some(Program { identity, author, .. }) = program {
                    bdi { (identity) }
                    @if !author.is_empty() { br; small { "by " bdi { (author) } } }
                }
            }
            td { (options(engine)) }
            td { (limit) }
            td {
                @match program {
                    Some(program) => {
                        code { (program.program.display()) }
                        @if let Some(checksum) = &program.sha256 {
                            br; small { "checksum " (checksum.get(..8).unwrap_or(checksum)) }
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
    use fanorona_tournament::machine::runs::Computer;

    #[test]
    fn an_engine_that_ponders_is_known_by_it() {
        let engines = ["a", "b"].map(|name| EngineConfig::new(name, "x")).to_vec();
        let mut tournament = Tournament::new("t", "", engines);
        tournament.limit = "40/10s".parse().unwrap();
        tournament.engines[1].ponder = Some(true);
        let limits = tournament.engines.iter().map(|engine| limit(&tournament, engine));
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
        assert_eq!(time(&[]), None);
        assert_eq!(time(&[run(one, None)]).unwrap(), "since 2026-11-22 08:35 UTC");
        assert_eq!(time(&[run(one, Some(one))]).unwrap(), "2026-11-22 08:35 UTC");
        let later = Some("2026-11-22T09:00:00Z");
        assert_eq!(time(&[run(one, later)]).unwrap(), "2026-11-22 08:35 to 09:00 UTC");
        let whole = time(&[run(one, Some(one)), run(other, Some(other))]).unwrap();
        assert_eq!(whole, "2026-11-22 08:35 to 2026-11-23 00:01 UTC, in 2 runs");
    }
}
