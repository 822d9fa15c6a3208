//! The sections that a tournament's page shares with the report.

use serde::Serialize;

use super::view::View;
use fanorona_report::statistics::results::Test;
use fanorona_tournament::game::termination::Reason;

/// A section of a tournament's page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::EnumString, Serialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub(super) enum Section {
    /// The table of a Swiss tournament, or the bracket of a knockout.
    Stages,
    /// The sequential test.
    Sprt,
    /// The latest faults, and what engines reported without a fault.
    Faults,
}

/// A section that a tournament has. The page asks for it again when the key changes.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct SectionView {
    section: Section,
    key: u64,
}

/// The sections of a tournament.
pub(super) fn sections_of(view: &View<'_>) -> Vec<SectionView> {
    // Both only grow.
    let faults = faults_of(view).count() as u64 + view.reported.reporting_moves();
    let all = [
        (Section::Stages, view.progress.stages().map(|_| view.version)),
        (Section::Sprt, view.progress.test().map(|_| view.version)),
        (Section::Faults, Some(faults).filter(|&count| count > 0)),
    ];
    let there = all.into_iter().filter_map(|(section, key)| Some((section, key?)));
    there.map(|(section, key)| SectionView { section, key }).collect()
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

/// The sequential test of a tournament, if it has one.
pub(super) fn test_of(view: &View<'_>) -> Option<Test> {
    let test = view.progress.test()?;
    Some(Test {
        engine: view.tournament.engines[0].name.clone(),
        state: test.state(),
        estimate: test.estimate(),
        history: test.history(),
    })
}
