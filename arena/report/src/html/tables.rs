//! Tables of kinds, openings, sessions, ends and times.

use maud::{Markup, html};

use super::super::figures;
use super::crosstable::ROOM;
use super::standings::capital;
use super::table::Table;
use super::tabs::{Part, tabs};
use crate::statistics::breakdown::{Breakdown, Group};
use crate::statistics::rows::SessionRow;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::{Scope, Tally};
use fanorona_tournament::text::plural::counted;
use fanorona_tournament::text::short_names::short_names;

/// Kinds and openings: the results of White, of the debtor and of each engine.
pub(super) fn kinds(breakdown: &Breakdown) -> Markup {
    let part = |kind: Kind| {
        let all = breakdown.kind(kind)?;
        Some(Part { scope: Scope::Kind(kind), content: of_kind(breakdown, kind, &all) })
    };
    html! {
        section id="kinds" aria-labelledby="kinds-title" {
            h2 id="kinds-title" { "Openings" }
            (tabs("kinds", "Kinds of games in the openings", Kind::ALL.iter().copied().filter_map(part).collect()))
            p class="soft" {
                "Scores in per cent, and below them won–drawn–lost. Games of sessions are included."
            }
        }
    }
}

fn of_kind(breakdown: &Breakdown, kind: Kind, all: &Group) -> Markup {
    let debtor = kind == Kind::Vela;
    let named = breakdown.openings(kind).any(|(opening, _)| opening.is_some());
    let named_rows = html! {
        @if named {
            @for (opening, group) in breakdown.openings(kind) {
                @let name = opening.map_or("other", |opening| opening.name());
                (row(html! { (name) }, group, debtor, breakdown))
            }
        }
        (row(html! { "all" }, all, debtor, breakdown))
    };
    let lines = breakdown.lines(kind);
    html! {
        h3 { (capital(kind.name())) }
        (openings(breakdown, kind, &format!("Openings in {kind}"), named_rows))
        @if !lines.is_empty() {
            details {
                summary { "All " (lines.len()) " openings" }
                (openings(breakdown, kind, &format!("Each opening in {kind}"), html! {
                    @for (line, group) in lines {
                        @let line = if line.is_empty() { "the start" } else { &**line };
                        @let name = html! { span class="line text" { (line) } };
                        (row(name, group, debtor, breakdown))
                    }
                }))
            }
        }
    }
}

/// The table of a kind's openings with these rows.
fn openings(breakdown: &Breakdown, kind: Kind, label: &str, rows: Markup) -> Markup {
    let names: Vec<&str> = breakdown.engines.iter().map(|name| &**name).collect();
    let short = short_names(&names, ROOM);
    let table = Table::new(label)
        .fixed("opening")
        .numbers(["games", "mean plies", "drawn", "White"])
        .numbers((kind == Kind::Vela).then_some("debtor"))
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
            h2 id="sessions-title" { "Sessions" }
            details open[sessions.count <= OPEN_SESSIONS] {
                summary { (counted(sessions.count, "session", "sessions")) }
                (Table::new("Sessions").numbers(["session"]).texts(["first", "second", "result", "sets"]).numbers(["velas", "games"]).rows(html! {
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
                        "The first " (sessions.kept.len()) "; for all of them see "
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
            h2 id="ends-title" { "How games ended" }
            (Table::new("How games ended").texts(["reason"]).numbers(["riatra", "vela", "all"]).rows(html! {
                @for (reason, ends) in breakdown.ends() {
                    tr {
                        th scope="row" { (reason) }
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
    let titles = ["moves", "mean", "longest", "in game", "share of its limit"];
    html! {
        section id="time" aria-labelledby="time-title" {
            h2 id="time-title" { "Time" }
            (Table::new("Time by engine").fixed("engine").numbers(titles).rows(html! {
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
                                None => "no time limit",
                            }
                        }
                    }
                }
            }))
        }
    }
}
