//! The sections that a tournament's page shares with the report, as the report's HTML.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Html;
use serde::Serialize;

use super::blocking::blocking;
use super::directory::Directory;
use super::error::ApiError;
use super::library::Library;
use super::view::View;
use crate::game::termination::Reason;
use crate::record::{GameRecord, JournalError, Reader};
use crate::report::html::{self, section};
use crate::statistics::results::Test;
use crate::statistics::stage_table::StageTable;

/// A section of a tournament's page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::EnumString, Serialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
enum Section {
    /// The table of a Swiss tournament, or the bracket of a knockout.
    Stages,
    /// The sequential test.
    Sprt,
    /// The latest faults.
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
    let faults = faults_of(view).count() as u64;
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
fn faults_of(view: &View<'_>) -> impl Iterator<Item = (u64, bool)> {
    view.games.iter().filter_map(|game| match game.reason {
        Reason::Fault(_) => Some((game.offset, false)),
        Reason::Void => Some((game.offset, true)),
        _ => None,
    })
}

/// `GET /api/t/ID/section/NAME`.
pub(super) async fn section(
    State(library): State<Arc<Library>>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Html<String>, ApiError> {
    blocking(move || {
        let none = || ApiError::missing(format!("the tournament has no section `{name}`"));
        let directory = library.directory(&id)?;
        let text = match name.parse().map_err(|_| none())? {
            Section::Stages => directory.read(stages),
            Section::Sprt => directory.read(test),
            Section::Faults => Ok(Some(faults(&directory)?)),
        };
        text.map_err(ApiError::failed)?.map(Html).ok_or_else(none)
    })
    .await
}

fn stages(view: &View<'_>) -> Option<String> {
    let table = StageTable::new(view.tournament, view.progress.stages()?, view.progress.is_over());
    Some(section::of_stages(&table))
}

fn test(view: &View<'_>) -> Option<String> {
    Some(section::of_test(&test_of(view)?))
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

fn faults(directory: &Directory) -> Result<String, ApiError> {
    let all = directory.read(|view| faults_of(view).collect::<Vec<_>>());
    let mut all = all.map_err(ApiError::failed)?;
    let of_arena = all.iter().filter(|(_, is_of_arena)| *is_of_arena).count() as u64;
    let of_engines = all.len() as u64 - of_arena;
    // The newest stands last in the journal.
    all.sort_unstable_by(|a, b| b.cmp(a));
    let failed = |why: JournalError| ApiError::failed(why);
    let mut reader = Reader::open(directory.path()).map_err(|why| failed(why.into()))?;
    let latest = all.iter().take(html::MAX_LISTED).map(|&(offset, _)| reader.game(offset));
    let latest: Vec<GameRecord> = latest.collect::<Result<_, _>>().map_err(failed)?;
    Ok(section::of_faults(&latest, of_engines, of_arena))
}
