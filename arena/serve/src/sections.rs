//! The sections that a tournament's page shares with the report.

use serde::Serialize;

use super::view::View;
use fanorona_report::statistics::results::Results;
use fanorona_tournament::game::termination::Reason;

/// A section of a tournament's page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::EnumString, Serialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub(super) enum Section {
    /// The winner, and the certainty of it.
    Result,
    /// The table of a Swiss tournament, or the bracket of a knockout.
    Stages,
    /// The values of a tuning.
    Tuning,
    /// The ranking.
    Standings,
    /// The sequential test.
    Sprt,
    /// The tests of candidates.
    Candidates,
    /// The scores of all engines against each other.
    Crosstable,
    /// The latest faults, and what engines reported without a fault.
    Faults,
    /// The rules, the engines and the machine.
    Setting,
}

/// A section that a tournament has. The page asks for it again when the key changes.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct SectionView {
    section: Section,
    key: u64,
}

/// The sections of a tournament with these results.
pub(super) fn sections_of(view: &View<'_>, results: &Results) -> Vec<SectionView> {
    // Both only grow.
    let faults = faults_of(view).count() as u64 + view.reported.reporting_moves();
    let is_rated = results.tuning.is_none() && results.extent.finished > 0;
    let all = [
        (Section::Result, true),
        (Section::Stages, results.table.is_some()),
        (Section::Tuning, results.tuning.is_some()),
        (Section::Standings, is_rated),
        (Section::Sprt, results.test.is_some()),
        (Section::Candidates, results.candidates.is_some()),
        (Section::Crosstable, is_rated && view.tournament.engines.len() > 1),
        (Section::Faults, faults > 0),
        (Section::Setting, true),
    ];
    // Each run adds to the setting when it begins and when it ends.
    let runs = results.machine.iter().flat_map(|machine| machine.runs());
    let setting = runs.map(|run| 1 + u64::from(run.ended.is_some())).sum();
    let key = |section| match section {
        Section::Faults => faults,
        Section::Setting => setting,
        _ => view.version,
    };
    let there = all.into_iter().filter(|(_, is_there)| *is_there);
    there.map(|(section, _)| SectionView { section, key: key(section) }).collect()
}

/// The games with a fault of an engine or of the arena: each with its place in the journal, and
/// whether it was the arena.
pub(super) fn faults_of(view: &View<'_>) -> impl Iterator<Item = (u64, bool)> {
    view.games.iter().filter_map(|game| match game.reason {
        Reason::Fault(_) => Some((game.offset, false)),
        Reason::Void => Some((game.offset, true)),
        _ => None,
    })
}
