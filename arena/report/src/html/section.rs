//! Sections of the report on their own, for the pages of the web server.

use maud::Render;

use super::{candidates, crosstable, faults, sprt, stages, standings, summary, tuning, winner};
use crate::phrase::Phrase;
use crate::statistics::candidates::Candidates;
use crate::statistics::results::Results;
use crate::statistics::sprt_state::Test;
use crate::statistics::stage_table::StageTable;
use crate::statistics::standings::Standings;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::diagnostics::engine_reports::EngineReports;
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::tuning::TuningRun;

/// Writes the section of the winner, and the certainty of it.
pub fn of_result(results: &Results) -> String {
    winner::section(results).into_string()
}

/// The ranking of every kind.
pub fn of_standings(results: &Results) -> String {
    standings::section(results).into_string()
}

/// The crosstable of every kind.
pub fn of_crosstable(standings: &Standings) -> String {
    crosstable::section(standings).into_string()
}

/// The recommended values of a tuning, and their course.
pub fn of_tuning(run: &TuningRun) -> String {
    tuning::section(run).into_string()
}

/// The table of a Swiss tournament, or the bracket of a knockout.
pub fn of_stages(table: &StageTable) -> String {
    stages::section(table).into_string()
}

/// A sequential test, with its chart.
pub fn of_test(test: &Test) -> String {
    sprt::section(test).into_string()
}

/// The candidates of a tournament.
pub fn of_candidates(candidates: &Candidates) -> String {
    candidates::section(candidates).into_string()
}

/// The rules, the engines and the machine.
pub fn of_setting(tournament: &Tournament, results: &Results) -> String {
    summary::setting(tournament, results).into_string()
}

/// The latest faults, the newest first. The counts are those of all faults: of engines, and of the
/// arena. What engines reported without a fault follows.
pub fn of_faults(
    latest: &[GameRecord],
    of_engines: u64,
    of_arena: u64,
    reported: &EngineReports,
) -> String {
    let faults = faults::Faults::latest(latest, of_engines, of_arena);
    faults::section(&faults, reported, &Phrase::new("faults.list").render()).into_string()
}
