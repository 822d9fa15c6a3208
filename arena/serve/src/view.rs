//! The contents of a results directory at one moment.

use std::sync::Arc;

use serde::Serialize;

use fanorona_ratings::kind::Kind;
use fanorona_report::statistics::results_reader::TournamentResults;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::diagnostics::engine_reports::EngineReports;
use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::progress::Progress;
use fanorona_tournament::record::{Index, JournalError};
use fanorona_tournament::text::safe_text;

/// Why a directory cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum DirectoryError {
    /// Its config.
    #[error("{0}")]
    Config(String),
    /// Its journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// A game in the list of games.
#[derive(Clone, Debug)]
pub(super) struct GameEntry {
    pub(super) id: GameId,
    pub(super) kind: Kind,
    pub(super) opening: Option<&'static str>,
    pub(super) white: u32,
    pub(super) black: u32,
    pub(super) result: GameResult,
    pub(super) reason: Reason,
    pub(super) plies: u32,
    pub(super) offset: u64,
}

/// Whether a tournament is being played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RunState {
    /// A process is playing it.
    Running,
    /// Games are missing, and no process plays them.
    Stopped,
    /// No game is missing.
    Finished,
}

/// The state of a directory at one moment, for reading.
pub(super) struct View<'s> {
    pub(super) tournament: &'s Arc<Tournament>,
    pub(super) engines: &'s [String],
    pub(super) index: &'s Index,
    pub(super) progress: &'s Progress,
    pub(super) games: &'s [GameEntry],
    pub(super) played: Option<&'s TournamentResults>,
    pub(super) reported: &'s EngineReports,
    pub(super) version: u64,
}

/// A text that is safe to show.
pub(super) fn safe(text: &str) -> String {
    safe_text::line(text).into_owned()
}
