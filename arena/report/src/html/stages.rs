//! The table of a Swiss tournament, or the bracket of a knockout.

use maud::{Markup, PreEscaped, html};

use super::super::figures;
use super::table::{Table, titles};
use crate::phrase::{Phrase, labelled};
use crate::statistics::rows::BracketRow;
use crate::statistics::stage_table::{Bracket, Seat, StageOutcome, StageTable, SwissTable};
use fanorona_tournament::pairing::stages::WinReason;

/// The anchor and the heading of the section.
pub(super) fn title(table: &StageTable) -> (&'static str, Phrase) {
    match table {
        StageTable::Swiss(_) => ("swiss", Phrase::new("swiss.title")),
        StageTable::Bracket(_) => ("bracket", Phrase::new("bracket.title")),
    }
}

pub(super) fn section(table: &StageTable) -> Markup {
    let (id, title) = title(table);
    html! {
        section id=(id) aria-labelledby="stages-title" {
            h2 id="stages-title" { (title) }
            @match table {
                StageTable::Swiss(table) => (swiss(table)),
                StageTable::Bracket(bracket) => (knockout(bracket)),
            }
        }
    }
}

fn swiss(table: &SwissTable) -> Markup {
    let SwissTable { rows, stages, of, most, .. } = table;
    let drawn = stages.first().map_or(0, Vec::len);
    let table = Table::new(Phrase::new("swiss.title"))
        .numbers(["#"])
        .texts(titles(["table.engine"]))
        .numbers(titles(["table.points", "table.buchholz", "table.byes"]))
        .numbers((1..=drawn).map(|stage| Phrase::new("swiss.stage").text("n", stage)));
    html! {
        p class="soft" {
            (Phrase::new("swiss.about").text("most", figures::points(*most)))
            @if drawn < *of as usize { " " (Phrase::new("swiss.drawn").text("drawn", drawn).text("of", of)) }
        }
        (table.rows(html! {
            @for (index, (row, stages)) in rows.iter().zip(stages).enumerate() {
                tr {
                    td class="number" { (index + 1) }
                    th scope="row" { bdi { (row.engine) } }
                    td class="number" { strong { (figures::points(row.points)) } }
                    td class="number" { (figures::points(row.opponents)) }
                    td class="number" { (row.byes) }
                    @for stage in stages {
                        td class="number" { (in_stage(stage, *most)) }
                    }
                }
            }
        }))
    }
}

fn in_stage(stage: &StageOutcome, most: u64) -> Markup {
    html! {
        @match stage {
            StageOutcome::Met { opponent, points } => {
                (figures::points(*points)) br; small { (Phrase::new("swiss.against").text("rank", opponent + 1)) }
            }
            StageOutcome::Bye => { (figures::points(most)) br; small { (Phrase::new("swiss.bye")) } }
            StageOutcome::Out => small { (Phrase::new("candidate.withdrawn")) },
        }
    }
}

fn knockout(bracket: &Bracket) -> Markup {
    let count = bracket.stages.len();
    html! {
        p class="soft" {
            (Phrase::new("bracket.about"))
            @if bracket.rows.iter().any(|row| by(row) == Some(WinReason::Withdrawal)) {
                " " (Phrase::new("bracket.skipped"))
            }
        }
        (labelled("div class=\"scroll\" role=\"region\" tabindex=\"0\"", &Phrase::new("bracket.title").into()))
        ol class="bracket" {
            @for (index, seats) in bracket.stages.iter().enumerate() {
                li class="bracket-stage" {
                    h3 { (stage_name(index, count)) }
                    ol class="bracket-seats" {
                        @for seat in seats { li class="bracket-seat" { (of_seat(bracket, seat)) } }
                    }
                }
            }
        }
        (PreEscaped("</div>"))
    }
}

/// The name of a stage, from its index and the number of stages.
fn stage_name(index: usize, count: usize) -> Phrase {
    match count - index {
        1 => Phrase::new("bracket.final"),
        2 => Phrase::new("bracket.semi-finals"),
        3 => Phrase::new("bracket.quarter-finals"),
        _ => Phrase::new("bracket.stage").text("n", index + 1),
    }
}

fn by(row: &BracketRow) -> Option<WinReason> {
    row.winner.as_ref().map(|(_, by)| *by)
}

fn of_seat(bracket: &Bracket, seat: &Seat) -> Markup {
    html! {
        @match seat {
            Seat::Encounter(row) => (encounter(&bracket.rows[*row])),
            Seat::Bye(name) => {
                div class="meeting bye" {
                    p { bdi { (name) } }
                    small { (Phrase::new("swiss.bye")) }
                }
            }
            Seat::Open => { div class="meeting open" { small { (Phrase::new("bracket.open")) } } }
        }
    }
}

fn encounter(row: &BracketRow) -> Markup {
    let winner = row.winner.as_ref().map(|(name, _)| name);
    html! {
        div class="meeting" {
            @for (name, points) in row.engines.iter().zip(row.points) {
                @let won = winner == Some(name);
                p class=[won.then_some("won")] {
                    span class="sign" aria-hidden="true" { @if won { "✓" } }
                    bdi { (name) }
                    @if won { span class="visually-hidden" { " " (Phrase::new("bracket.advances")) } }
                    span class="points" { (figures::points(points)) }
                }
            }
            small {
                (Phrase::new(match by(row) {
                    None => "bracket.running",
                    Some(WinReason::Points) => "bracket.by-points",
                    Some(WinReason::Tiebreak) => "bracket.by-tiebreak",
                    Some(WinReason::Seed) => "bracket.by-seed",
                    Some(WinReason::Withdrawal) => "bracket.by-withdrawal",
                }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stages_have_names() {
        let names = |count| {
            (0..count).map(|index| stage_name(index, count).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(1), ["Final"]);
        assert_eq!(names(4), ["Stage 1", "Quarter-finals", "Semi-finals", "Final"]);
    }
}
