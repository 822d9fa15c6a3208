//! The games that ended by a fault, with what is known of it.

use std::borrow::Cow;

use maud::{Markup, html};

use crate::game::termination::Reason;
use crate::record::GameRecord;

/// Faults while they are gathered: all of them counted, the first ones kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults {
    of_engines: u64,
    of_arena: u64,
    kept: Vec<Fault>,
}

#[derive(Clone, Debug)]
struct Fault {
    game: String,
    /// The engine; `None` where the arena was at fault.
    offender: Option<String>,
    opponent: String,
    reason: Reason,
    plies: usize,
    detail: String,
    transcript: Vec<String>,
}

/// The most faults that are told one by one.
const MOST_TOLD: usize = 200;

impl Faults {
    pub(super) fn add(&mut self, game: &GameRecord) {
        match game.reason {
            Reason::Fault(_) => self.of_engines += 1,
            Reason::Void => self.of_arena += 1,
            _ => return,
        }
        if self.kept.len() == MOST_TOLD {
            return;
        }
        let offender = game.offender_name().map(Cow::into_owned);
        let opponent = match &offender {
            Some(_) if game.other_fault.is_some() => "each other".to_owned(),
            Some(name) if *name == game.white => game.black.clone(),
            Some(_) => game.white.clone(),
            None => format!("{} – {}", game.white, game.black),
        };
        self.kept.push(Fault {
            game: game.id.to_string(),
            offender,
            opponent,
            reason: game.reason,
            plies: game.plies(),
            detail: game.detail.clone(),
            transcript: game.transcript.clone(),
        });
    }

    /// How many games an engine lost by a fault.
    pub(super) fn count(&self) -> u64 {
        self.of_engines
    }
}

pub(super) fn section(faults: &Faults) -> Markup {
    let all = faults.of_engines + faults.of_arena;
    html! {
        section id="faults" aria-labelledby="faults-title" {
            h2 id="faults-title" { "Faults" }
            @if all == 0 { p { "None: every game ended by the rules, by agreement or by resignation." } }
            @if faults.of_arena > 0 {
                p { (faults.of_arena) " games count for nobody, as the arena itself was at fault." }
            }
            @for fault in &faults.kept {
                details {
                    summary {
                        a href={ "#g=" (fault.game) "&p=" (fault.plies) } { "game " (fault.game) }
                        ": "
                        @match &fault.offender {
                            Some(name) => { bdi { (name) } " lost by " },
                            None => "the arena: ",
                        }
                        strong { (fault.reason) }
                        @if fault.offender.is_some() { " against " } @else { ", " }
                        bdi { (fault.opponent) }
                        ", after " (fault.plies) " plies"
                    }
                    pre { (fault.detail) }
                    @if !fault.transcript.is_empty() {
                        p class="soft" {
                            small {
                                "The last lines before it: what the engine was told after >, what \
                                 it said after <."
                            }
                        }
                        pre class="transcript" { (fault.transcript.join("\n")) }
                    }
                }
            }
            @if all > faults.kept.len() as u64 {
                p class="note" {
                    "The first " (faults.kept.len()) " of " (all) "; the columns reason and \
                     offender of " a href="games.csv" { "games.csv" } " have all of them."
                }
            }
        }
    }
}
