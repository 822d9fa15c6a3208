//! Remarks on engines that the finished games give rise to: errors that they report, illegal lines,
//! thinking in the opponent's time, and slow answers. None of them is a fault by the rules.

pub mod engine_reports;
mod idle_thinking;
mod illegal_lines;
mod readiness;

use crate::config::Tournament;
use crate::record::GameRecord;
use engine_reports::EngineReports;
use idle_thinking::IdleThinkers;
use illegal_lines::IllegalLineCounts;
use readiness::Readiness;

/// The warnings about the engines of a tournament, while it is played.
#[derive(Clone, Debug)]
pub struct EngineWarnings {
    reports: EngineReports,
    idle_thinkers: IdleThinkers,
    readiness: Readiness,
    illegal_lines: IllegalLineCounts,
}

impl EngineWarnings {
    /// None yet, for a tournament that plays this many games at once.
    pub fn new(tournament: &Tournament, games_at_once: usize) -> EngineWarnings {
        EngineWarnings {
            reports: EngineReports::default(),
            idle_thinkers: IdleThinkers::new(tournament, games_at_once),
            readiness: Readiness::default(),
            illegal_lines: IllegalLineCounts::default(),
        }
    }

    /// Adds a finished game. Returns a sentence for each new warning: at most one of a kind for each
    /// engine.
    pub fn add(&mut self, game: &GameRecord) -> Vec<String> {
        let mut warnings = self.reports.add(game, &game.id.to_string());
        warnings.extend(self.idle_thinkers.add(game).iter().map(ToString::to_string));
        warnings.extend(self.readiness.add(game).iter().map(ToString::to_string));
        warnings.extend(self.illegal_lines.add(game).iter().map(ToString::to_string));
        warnings
    }
}
