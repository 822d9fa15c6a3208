//! What is known of a results directory at one moment.

use std::sync::Arc;

use fanorona_protocol::rules::Side;
use serde::Serialize;

use crate::config::Tournament;
use crate::game::termination::{GameResult, Reason};
use crate::pairing::ids::GameId;
use crate::ratings::kind::Kind;
use crate::record::{Index, JournalError};
use crate::statistics::results_reader::TournamentResults;
use crate::text::safe_text;
use crate::tournament::progress::Progress;

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
    pub(super) version: u64,
}

impl View<'_> {
    /// The engine with the most points per game, by its place; `None` without games, and in a
    /// tuning, where both sides are the same engine.
    pub(super) fn leader(&self) -> Option<usize> {
        if self.tournament.tuning.is_some() {
            return None;
        }
        let mut points = vec![(0_u32, 0_u32); self.engines.len()];
        for game in self.games {
            let halves = match game.result {
                GameResult::Won(Side::White) => [2, 0],
                GameResult::Won(Side::Black) => [0, 2],
                GameResult::Drawn => [1, 1],
                GameResult::Void => continue,
            };
            for (engine, halves) in [game.white, game.black].into_iter().zip(halves) {
                let (sum, games) = &mut points[engine as usize];
                (*sum, *games) = (*sum + halves, *games + 1);
            }
        }
        let share = |&(sum, games): &(u32, u32)| f64::from(sum) / f64::from(games.max(1));
        let played = points.iter().enumerate().filter(|(_, (_, games))| *games > 0);
        played.max_by(|(_, a), (_, b)| share(a).total_cmp(&share(b))).map(|(place, _)| place)
    }
}

/// A text that is safe to show.
pub(super) fn safe(text: &str) -> String {
    safe_text::line(text).into_owned()
}
