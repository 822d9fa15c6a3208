//! Everything about a tournament that changes with its games.

use std::path::Path;

use serde::Serialize;

use super::headline::Headline;
use super::sections::{SectionView, sections_of};
use super::view::{DirectoryError, RunState, View, safe};
use fanorona_ratings::kind::Kind;
use fanorona_report::statistics::outcome::OutcomeFields;
use fanorona_report::statistics::results::Results;
use fanorona_report::write::results_so_far;
use fanorona_tournament::machine::Machine;
use fanorona_tournament::pairing::ids::Pairing;
use fanorona_tournament::progress::extent::Extent;

/// A tournament as its page shows it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Summary {
    id: String,
    title: String,
    state: RunState,
    format: &'static str,
    kinds: Vec<Kind>,
    engines: Vec<EngineView>,
    /// The number of rounds.
    rounds: u32,
    /// Whether it can be extended to more rounds.
    extend: bool,
    finished: u64,
    expected: Option<u64>,
    void: u64,
    version: u64,
    /// The winner, and the certainty of it.
    outcome: OutcomeFields,
    /// The leaders, and the engines that are out.
    headline: Headline,
    /// The games that are not played because of withdrawals.
    skipped: u64,
    /// The sections of the report that the page shows.
    sections: Vec<SectionView>,
}

#[derive(Clone, Debug, Serialize)]
struct EngineView {
    name: String,
    limit: String,
}

impl Summary {
    /// Whether games are missing or may be added, and no process plays.
    pub(super) fn is_idle(&self) -> bool {
        self.state != RunState::Running
    }

    /// The games that are finished and those that are still expected, while it is being played.
    pub(super) fn to_play(&self) -> Option<(u64, u64)> {
        let expected = self.expected.filter(|_| self.state == RunState::Running)?;
        Some((self.finished, expected.saturating_sub(self.finished)))
    }

    /// Returns the winner, and the certainty of it.
    pub(super) fn outcome(&self) -> &OutcomeFields {
        &self.outcome
    }

    /// Returns the leaders, and the engines that are out.
    pub(super) fn headline(&self) -> &Headline {
        &self.headline
    }

    /// The games that are finished, and all that are expected, as far as known.
    pub(super) fn games(&self) -> (u64, Option<u64>) {
        (self.finished, self.expected)
    }

    /// The version of the journal's contents that it describes.
    pub(super) fn version(&self) -> u64 {
        self.version
    }
}

/// The standing of a tournament: as its page shows it, and the results that its sections are
/// written from.
#[derive(Debug)]
pub(super) struct Standing {
    summary: Summary,
    results: Results,
}

impl Standing {
    pub(super) fn summary(&self) -> &Summary {
        &self.summary
    }

    pub(super) fn results(&self) -> &Results {
        &self.results
    }
}

/// The directory of a tournament.
pub(super) struct DirectoryInfo<'d> {
    pub(super) id: &'d str,
    pub(super) path: &'d Path,
    pub(super) state: RunState,
}

/// Rates the engines of a tournament and summarises it.
pub(super) fn summarise(
    about: &DirectoryInfo<'_>,
    view: &View<'_>,
) -> Result<Standing, DirectoryError> {
    let View { tournament, index, progress, played, .. } = view;
    let mut results = results_so_far(about.path, tournament, index, progress, *played)?;
    results.machine = Machine::read(about.path);
    let schedule = progress.schedule();
    let Extent { finished, missing, void, .. } = results.extent;
    let summary = Summary {
        id: about.id.to_owned(),
        title: safe(tournament.title()),
        state: about.state,
        format: tournament.format.word(),
        kinds: tournament.kinds.clone(),
        engines: tournament
            .engines
            .iter()
            .map(|engine| EngineView {
                name: safe(&engine.name),
                limit: tournament.limit_of(engine).to_string(),
            })
            .collect(),
        rounds: tournament.rounds.get(),
        extend: !schedule.has_stages()
            && schedule.is_whole()
            && tournament.engines.iter().all(|engine| engine.joined == 0),
        finished,
        expected: (!schedule.has_stages() || progress.is_over()).then_some(finished + missing),
        void,
        version: view.version,
        outcome: safe_fields(results.outcome.fields()),
        headline: Headline::new(&results),
        skipped: skipped(view),
        sections: sections_of(view, &results),
    };
    Ok(Standing { summary, results })
}

/// The games that are not played because an engine is withdrawn.
fn skipped(view: &View<'_>) -> u64 {
    let progress = view.progress;
    match progress.withdrawals() {
        [] => 0,
        // After the end of a test nothing is played anyway.
        _ if progress.is_stopped() => 0,
        withdrawals => {
            let is_out = |engine| withdrawals.iter().any(|it| it.engine == engine);
            let is_skipped =
                |it: &Pairing| [it.first, it.second].into_iter().any(is_out) && progress.skips(it);
            progress.schedule().iter().filter(is_skipped).count() as u64
        }
    }
}

/// The fields with names that are safe to show.
fn safe_fields(fields: OutcomeFields) -> OutcomeFields {
    let winner = fields.winner.as_deref().map(safe);
    OutcomeFields { winner, sentence: safe(&fields.sentence), ..fields }
}
