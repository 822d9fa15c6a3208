//! The section about games that ended by a fault.

use std::borrow::Cow;

use maud::{Markup, html};

use crate::phrase::{Phrase, in_markup};
use crate::{reported, words};
use fanorona_tournament::diagnostics::engine_reports::EngineReports;
use fanorona_tournament::game::termination::Reason;
use fanorona_tournament::record::GameRecord;

/// Collects faults: counts all, and keeps the first ones. A page of a running tournament has the
/// latest ones.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    of_engines: u64,
    of_arena: u64,
    kept: Vec<Fault>,
    /// Whether the latest ones are kept instead.
    are_latest: bool,
}

#[derive(Clone, Debug)]
struct Fault {
    game: String,
    /// The engine at fault; `None` if it was the arena.
    offender: Option<String>,
    /// `None` if both sides lost.
    opponent: Option<String>,
    reason: Reason,
    plies: usize,
    detail: String,
    transcript: Vec<String>,
}

/// The maximal number of faults shown.
pub const MAX_LISTED: usize = 200;

impl Faults {
    /// The latest games with faults, the newest first, with the counts of all faults.
    pub(super) fn latest(games: &[GameRecord], of_engines: u64, of_arena: u64) -> Faults {
        let mut faults = Faults { are_latest: true, ..Faults::default() };
        games.iter().for_each(|game| faults.add(game));
        Faults { of_engines, of_arena, ..faults }
    }

    /// Adds a game, if it ended by a fault.
    pub(super) fn add(&mut self, game: &GameRecord) {
        self.add_as(game, game.id.to_string());
    }

    /// Adds a game under another number than its own.
    pub fn add_as(&mut self, game: &GameRecord, number: String) {
        match game.reason {
            Reason::Fault(_) => self.of_engines += 1,
            Reason::Void => self.of_arena += 1,
            _ => return,
        }
        if self.kept.len() == MAX_LISTED {
            return;
        }
        let offender = game.offender_name().map(Cow::into_owned);
        let opponent = match &offender {
            Some(_) if game.other_fault.is_some() => None,
            Some(name) if *name == game.white => Some(game.black.clone()),
            Some(_) => Some(game.white.clone()),
            None => Some(format!("{} – {}", game.white, game.black)),
        };
        self.kept.push(Fault {
            game: number,
            offender,
            opponent,
            reason: game.reason,
            plies: game.plies(),
            detail: game.detail.clone(),
            transcript: game.transcript.clone(),
        });
    }

    /// The number of games that engines lost by a fault.
    pub fn count(&self) -> u64 {
        self.of_engines
    }
}

/// The faults, and what engines reported without a fault; `everywhere` tells where the faults are that
/// the page lacks.
pub fn section(faults: &Faults, reported: &EngineReports, everywhere: &Markup) -> Markup {
    let all = faults.of_engines + faults.of_arena;
    html! {
        section id="faults" aria-labelledby="faults-title" {
            h2 id="faults-title" { (Phrase::new("tournament.faults")) }
            @if all == 0 { p { (Phrase::new("faults.none")) } }
            @if faults.of_arena > 0 {
                p { (Phrase::new("faults.of-arena").text("n", faults.of_arena)) }
            }
            @let (first, more) = faults.kept.split_at(faults.kept.len().min(MAX_OPEN));
            @for fault in first { (entry(fault)) }
            @if !more.is_empty() {
                details class="more" {
                    summary { (Phrase::new("list.n-more").text("n", more.len())) }
                    @for fault in more { (entry(fault)) }
                }
            }
            @if all > faults.kept.len() as u64 {
                p class="note" {
                    (Phrase::new(if faults.are_latest { "faults.latest" } else { "faults.first" })
                        .text("n", faults.kept.len()).text("all", all))
                    " " (everywhere) "."
                }
            }
            (of_reports(reported))
        }
    }
}

/// The errors after which engines played on, and output on standard error.
fn of_reports(reported: &EngineReports) -> Markup {
    let errors = reported::errors(reported);
    html! {
        @if !errors.is_empty() {
            h3 { (Phrase::new("faults.reported")) }
            p class="soft" { (Phrase::new("faults.reported.about")) }
            ul { @for sentence in &errors { li { (in_markup(&[sentence.clone().into()], true)) } } }
            @let explained = reported.errors().filter(|(_, first)| !first.lines.is_empty());
            @for (place, (named, first)) in explained.take(MAX_OPEN).enumerate() {
                details open[place == 0] {
                    summary {
                        (Phrase::new("faults.stderr").name("engine", named.engine)) " "
                        a href={ "#g=" (first.game) } { (Phrase::new("faults.game").text("game", &first.game)) }
                    }
                    pre class="transcript" { (first.lines.join("\n")) }
                }
            }
        }
        @for sentence in reported::output(reported) { p class="note" { (in_markup(&[sentence.into()], true)) } }
    }
}

/// The detail of a fault, with the line breaks that an engine's last words have lost in the record.
pub(super) fn in_lines(detail: &str) -> String {
    match detail.split_once(LAST_WORDS) {
        Some((before, words)) => format!("{before}{LAST_WORDS}\n{}", words.replace(" | ", "\n")),
        None => detail.to_owned(),
    }
}

/// The words of the record before the end of an engine's standard error.
const LAST_WORDS: &str = "its standard error ends with: ";

/// This many faults are listed at once, and the others on demand.
const MAX_OPEN: usize = 10;

/// The fault in a sentence, after the number of the game.
fn said(fault: &Fault) -> Phrase {
    let said = match (&fault.offender, &fault.opponent) {
        (Some(engine), Some(opponent)) => {
            Phrase::new("faults.lost").name("engine", engine).name("opponent", opponent)
        }
        (Some(engine), None) => Phrase::new("faults.both").name("engine", engine),
        (None, opponent) => {
            Phrase::new("faults.arena").name("engines", opponent.as_deref().unwrap_or_default())
        }
    };
    said.phrase("reason", words::reason(fault.reason)).text("n", fault.plies)
}

fn entry(fault: &Fault) -> Markup {
    html! {
        details {
            summary {
                a href={ "#g=" (fault.game) "&p=" (fault.plies) } { (Phrase::new("faults.game").text("game", &fault.game)) }
                (Phrase::new("list.colon")) (said(fault))
            }
            @if let Reason::Fault(kind) = fault.reason {
                p class="soft" { (Phrase::new(format!("faults.about.{}", kind.word()))) }
            }
            pre lang="en" { (in_lines(&fault.detail)) }
            @if !fault.transcript.is_empty() {
                p class="soft" {
                    small { (Phrase::new("faults.transcript")) }
                }
                pre class="transcript" { (fault.transcript.join("\n")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words_stand_in_lines() {
        let detail = "exited with code 3; its standard error ends with: one |   two | three";
        let shown = "exited with code 3; its standard error ends with: \none\n  two\nthree";
        assert_eq!(in_lines(detail), shown);
        for other in ["a | b", "timeout", "one\ntwo"] {
            assert_eq!(in_lines(other), other);
        }
    }
}
