//! The sections that a tournament's page shares with the report, as the report's HTML.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Html;

use super::blocking::blocking;
use super::directory::Directory;
use super::error::ApiError;
use super::library::Library;
use super::sections::{Section, faults_of};
use fanorona_report::html::{self, section};
use fanorona_report::statistics::results::Results;
use fanorona_tournament::record::{GameRecord, JournalError, Reader};

/// `GET /api/t/ID/section/NAME`.
pub(super) async fn fragment(
    State(library): State<Arc<Library>>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Html<String>, ApiError> {
    blocking(move || {
        let none = || ApiError::missing(format!("the tournament has no section `{name}`"));
        let directory = library.directory(&id)?;
        let section: Section = name.parse().map_err(|_| none())?;
        if section == Section::Faults {
            return faults(&directory).map(Html);
        }
        let standing = directory.standing().map_err(ApiError::failed)?;
        if section == Section::Setting {
            let tournament = directory.read(|view| view.tournament.clone());
            let tournament = tournament.map_err(ApiError::failed)?;
            return Ok(Html(section::of_setting(&tournament, standing.results())));
        }
        written(section, standing.results()).map(Html).ok_or_else(none)
    })
    .await
}

/// A section of the results; `None` if the tournament has none.
fn written(section: Section, results: &Results) -> Option<String> {
    let Results { standings, table, test, candidates, tuning, .. } = results;
    match section {
        Section::Result => Some(section::of_result(results)),
        Section::Stages => table.as_ref().map(section::of_stages),
        Section::Tuning => tuning.as_ref().map(section::of_tuning),
        // Both sides of a tuning are the same engine.
        Section::Standings | Section::Crosstable if tuning.is_some() => None,
        Section::Standings => Some(section::of_standings(results)),
        Section::Crosstable => Some(section::of_crosstable(standings)),
        Section::Sprt => test.as_ref().map(section::of_test),
        Section::Candidates => candidates.as_ref().map(section::of_candidates),
        Section::Faults | Section::Setting => None,
    }
}

fn faults(directory: &Directory) -> Result<String, ApiError> {
    let read = directory.read(|view| (faults_of(view).collect::<Vec<_>>(), view.reported.clone()));
    let (mut all, reported) = read.map_err(ApiError::failed)?;
    let of_arena = all.iter().filter(|(_, is_of_arena)| *is_of_arena).count() as u64;
    let of_engines = all.len() as u64 - of_arena;
    // The newest stands last in the journal.
    all.sort_unstable_by(|a, b| b.cmp(a));
    let failed = |why: JournalError| ApiError::failed(why);
    let mut reader = Reader::open(directory.path()).map_err(|why| failed(why.into()))?;
    let latest = all.iter().take(html::MAX_LISTED).map(|&(offset, _)| reader.game(offset));
    let latest: Vec<GameRecord> = latest.collect::<Result<_, _>>().map_err(failed)?;
    Ok(section::of_faults(&latest, of_engines, of_arena, &reported))
}
