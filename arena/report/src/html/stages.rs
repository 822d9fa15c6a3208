//! The table of a Swiss tournament, or the bracket of a knockout.

use maud::{Markup, html};

use super::super::figures;
use super::table::Table;
use crate::statistics::rows::BracketRow;
use crate::statistics::stage_table::{Bracket, InStage, Seat, StageTable, SwissTable};
use fanorona_tournament::pairing::stages::By;

/// The anchor and the heading of the section.
pub(super) fn title(table: &StageTable) -> (&'static str, &'static str) {
    match table {
        StageTable::Swiss(_) => ("swiss", "Swiss table"),
        StageTable::Bracket(_) => ("bracket", "Bracket"),
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
    let table = Table::new("Swiss table")
        .numbers(["#"])
        .texts(["engine"])
        .numbers(["points", "Buchholz", "byes"])
        .numbers((1..=drawn).map(|stage| format!("stage {stage}")));
    html! {
        p class="soft" {
            "Ranked by points, then by the opponents' points (Buchholz; a bye counts as an \
             opponent with the same points), then by the order of the config. The maximum in a \
             stage is " (figures::points(*most)) " points; below the points stands the opponent's \
             rank."
            @if drawn < *of as usize { " " (drawn) " of " (of) " stages are drawn." }
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

fn in_stage(stage: &InStage, most: u64) -> Markup {
    html! {
        @match stage {
            InStage::Met { opponent, points } => {
                (figures::points(*points)) br; small { "against " (opponent + 1) }
            }
            InStage::Bye => { (figures::points(most)) br; small { "bye" } }
            InStage::Out => small { "withdrawn" },
        }
    }
}

fn knockout(bracket: &Bracket) -> Markup {
    let count = bracket.stages.len();
    html! {
        p class="soft" {
            "Points over all rounds, including tiebreaks. The engine with more points advances."
            @if bracket.rows.iter().any(|row| by(row) == Some(By::Withdrawal)) {
                " Games skipped because of a withdrawal are awarded to the opponent."
            }
        }
        div class="scroll" role="region" tabindex="0" aria-label="Bracket" {
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
        }
    }
}

/// The name of a stage, from its index and the number of stages.
fn stage_name(index: usize, count: usize) -> String {
    match count - index {
        1 => "Final".to_owned(),
        2 => "Semi-finals".to_owned(),
        3 => "Quarter-finals".to_owned(),
        _ => format!("Stage {}", index + 1),
    }
}

fn by(row: &BracketRow) -> Option<By> {
    row.winner.as_ref().map(|(_, by)| *by)
}

fn of_seat(bracket: &Bracket, seat: &Seat) -> Markup {
    html! {
        @match seat {
            Seat::Encounter(row) => (encounter(&bracket.rows[*row])),
            Seat::Bye(name) => {
                div class="meeting bye" {
                    p { bdi { (name) } }
                    small { "bye" }
                }
            }
            Seat::Open => { div class="meeting open" { small { "not decided yet" } } }
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
                    @if won { span class="visually-hidden" { " advances" } }
                    span class="points" { (figures::points(points)) }
                }
            }
            small {
                @match by(row) {
                    None => "in progress",
                    Some(By::Points) => "by points",
                    Some(By::Tiebreak) => "by tiebreak",
                    Some(By::Seed) => "level: settled by seed, the order of the config",
                    Some(By::Withdrawal) => "by withdrawal of the opponent",
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stages_have_names() {
        let names = |count| (0..count).map(|index| stage_name(index, count)).collect::<Vec<_>>();
        assert_eq!(names(1), ["Final"]);
        assert_eq!(names(4), ["Stage 1", "Quarter-finals", "Semi-finals", "Final"]);
    }
}
