//! Tables of kinds, openings, sessions, ends and times.

use maud::{Markup, html};

use super::super::figures;
use super::crosstable::ROOM;
use super::table::{Table, titles};
use super::tabs::{Part, tabs, title};
use crate::phrase::Phrase;
use crate::statistics::breakdown::{Breakdown, Group};
use crate::statistics::rows::SessionRow;
use crate::words;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::{Scope, Tally};
use fanorona_tournament::text::short_names::short_names;

/// Kinds and openings: the results of White, of the debtor and of each engine.
pub(super) fn kinds(breakdown: &Breakdown) -> Markup {
    let part = |kind: Kind| {
        let all = breakdown.kind(kind)?;
        Some(Part { scope: Scope::Kind(kind), content: of_kind(breakdown, kind, &all) })
    };
    html! {
        section id="kinds" aria-labelledby="kinds-title" {
            h2 id="kinds-title" { (Phrase::new("setting.openings")) }
            (tabs("kinds", "openings.kinds", Kind::ALL.iter().copied().filter_map(part).collect()))
            p class="soft" { (Phrase::new("openings.about")) }
        }
    }
}

fn of_kind(breakdown: &Breakdown, kind: Kind, all: &Group) -> Markup {
    let debtor = kind == Kind::Vela;
    let named = breakdown.openings(kind).any(|(opening, _)| opening.is_some());
    let named_rows = html! {
        @if named {
            @for (opening, group) in breakdown.openings(kind) {
                @let name = match opening {
                    Some(opening) => html! { (opening.name()) },
                    None => html! { (Phrase::new("openings.other")) },
                };
                (row(name, group, debtor, breakdown))
            }
        }
        (row(html! { (Phrase::new("openings.all")) }, all, debtor, breakdown))
    };
    let lines = breakdown.lines(kind);
    html! {
        h3 { (title(Scope::Kind(kind))) }
        (openings(breakdown, kind, "openings.label", named_rows))
        @if !lines.is_empty() {
            details {
                summary { (Phrase::new("openings.lines").text("n", lines.len())) }
                (openings(breakdown, kind, "openings.lines.label", html! {
                    @for (line, group) in lines {
                        @let name = html! {
                            bdi class="line text" {
                                @if line.is_empty() { (Phrase::new("openings.start")) } @else { (line) }
                            }
                        };
                        (row(name, group, debtor, breakdown))
                    }
                }))
            }
        }
    }
}

/// The table of a kind's openings with these rows.
fn openings(breakdown: &Breakdown, kind: Kind, label: &'static str, rows: Markup) -> Markup {
    let names: Vec<&str> = breakdown.engines.iter().map(|name| &**name).collect();
    let short = short_names(&names, ROOM);
    let table = Table::new(Phrase::new(label).phrase("kind", title(Scope::Kind(kind))))
        .fixed(Phrase::new("moves.opening"))
        .numbers(titles(["table.games", "table.mean-plies", "table.drawn", "side.w"]))
        .numbers((kind == Kind::Vela).then(|| Phrase::new("table.debtor")))
        .engines(Some("number"), names.iter().copied().zip(short.iter().map(|short| &**short)));
    html! {
        (table.rows(rows))
    }
}

fn row(name: Markup, group: &Group, debtor: bool, breakdown: &Breakdown) -> Markup {
    html! {
        tr {
            th scope="row" class="fixed" { (name) }
            td class="number" { (group.games) }
            td class="number" { (format!("{:.1}", group.plies as f64 / group.games as f64)) }
            td class="number" {
                @if let Some(share) = group.white.draw_ratio() { (figures::percent(share)) " %" }
            }
            td class="number" { (score(group.white)) }
            @if debtor { td class="number" { (score(group.debtor)) } }
            @for place in 0..breakdown.engines.len() {
                td class="number" { (score(group.of_engine(place))) }
            }
        }
    }
}

/// A score in per cent, with wins, draws and losses below.
fn score(tally: Tally) -> Markup {
    html! {
        @if let Some(score) = tally.score() {
            (figures::percent(score))
            br;
            small { (tally.wins) "–" (tally.draws) "–" (tally.losses) }
        }
    }
}

/// Collects sessions: counts all, and keeps the first ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Sessions {
    count: usize,
    kept: Vec<SessionRow>,
}

impl Sessions {
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn add(&mut self, row: &SessionRow) {
        self.count += 1;
        if self.kept.len() < MAX_SESSIONS {
            self.kept.push(row.clone());
        }
    }
}

/// The finished sessions.
pub(super) fn sessions(sessions: &Sessions) -> Markup {
    if sessions.count == 0 {
        return html! {};
    }
    html! {
        section id="sessions" aria-labelledby="sessions-title" {
            h2 id="sessions-title" { (Phrase::new("scope.session")) }
            details open[sessions.count <= OPEN_SESSIONS] {
                summary { (Phrase::new("count.sessions").text("n", sessions.count)) }
                (Table::new(Phrase::new("scope.session")).numbers(titles(["table.session"])).texts(titles(["table.first", "table.second", "table.result", "table.sets"])).numbers(titles(["table.velas", "table.games"])).rows(html! {
                    @for row in &sessions.kept {
                        tr {
                            th scope="row" class="number" {
                                a href={ "#g=" (row.session) ".1" } { (row.session) }
                            }
                            td { bdi { (row.first) } }
                            td { bdi { (row.second) } }
                            td { (row.result) }
                            td { (row.sets) }
                            td class="number" { (row.velas) }
                            td class="number" { (row.games) }
                        }
                    }
                }))
                @if sessions.count > sessions.kept.len() {
                    p class="note" {
                        (Phrase::new("sessions.first").text("n", sessions.kept.len())) " "
                        a href="sessions.csv" { "sessions.csv" } "."
                    }
                }
            }
        }
    }
}

/// A table of more sessions is collapsed.
const OPEN_SESSIONS: usize = 20;
/// The maximal number of sessions shown; `sessions.csv` has all of them.
const MAX_SESSIONS: usize = 500;

/// The reasons for the ends of games.
pub(super) fn ends(breakdown: &Breakdown) -> Markup {
    html! {
        section id="ends" aria-labelledby="ends-title" {
            h2 id="ends-title" { (Phrase::new("ends.title")) }
            (Table::new(Phrase::new("ends.title")).texts(titles(["table.reason"])).numbers(titles(["scope.riatra", "scope.vela", "scope.all"])).rows(html! {
                @for (reason, ends) in breakdown.ends() {
                    tr {
                        th scope="row" { (words::reason(reason)) }
                        td class="number" { (ends.riatra) }
                        td class="number" { (ends.vela) }
                        td class="number" { (ends.riatra + ends.vela) }
                    }
                }
            }))
        }
    }
}

/// The engines' use of time.
pub(super) fn times(breakdown: &Breakdown) -> Markup {
    let columns =
        titles(["table.moves", "table.mean", "table.longest", "table.in-game", "table.share"]);
    html! {
        section id="time" aria-labelledby="time-title" {
            h2 id="time-title" { (Phrase::new("time.title")) }
            (Table::new(Phrase::new("time.label")).fixed(Phrase::new("table.engine")).numbers(columns).rows(html! {
                @for (name, time) in breakdown.times() {
                    tr {
                        th scope="row" class="fixed" { bdi { (name) } }
                        td class="number" { (time.moves) }
                        td class="number" {
                            @if let Some(mean) = time.mean_ms() { (format!("{mean:.1}")) " ms" }
                        }
                        @if let Some((longest, game, ply)) = time.longest {
                            td class="number" { (longest) " ms" }
                            td class="number" {
                                a href={ "#g=" (game) "&p=" (ply) } { (game) }
                            }
                        } @else {
                            td {}
                            td {}
                        }
                        td class="number" {
                            @match time.share() {
                                Some(share) => { (figures::percent(share)) " %" }
                                None => (Phrase::new("time.unlimited")),
                            }
                        }
                    }
                }
            }))
        }
    }
}
