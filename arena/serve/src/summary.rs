//! Everything about a tournament that changes with its games: standings, crosstable, verdicts,
//! faults and the test.

use std::path::Path;

use serde::Serialize;

use super::sections::{SectionView, sections_of, test_of};
use super::tuning_view::TuningView;
use super::view::{DirectoryError, RunState, View, safe};
use fanorona_ratings::kind::Kind;
use fanorona_ratings::sprt::Decision;
use fanorona_ratings::{Scope, Tally};
use fanorona_report::html::Axis;
use fanorona_report::statistics::outcome::{Outcome, OutcomeFields, Played};
use fanorona_report::statistics::ranking;
use fanorona_report::statistics::results::Test;
use fanorona_report::statistics::stage_table::StageTable;
use fanorona_report::statistics::standings::Standings;
use fanorona_report::statistics::verdict::{self, Word};
use fanorona_report::tuning::in_words;
use fanorona_report::write::standings_of;
use fanorona_report::{terminal, words};
use fanorona_tournament::progress::extent::Extent;
use fanorona_tournament::tuning::TuningRun;

/// A tournament as its page shows it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Summary {
    id: String,
    title: String,
    name: String,
    dir: String,
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
    /// How much has been played, in words.
    extent: String,
    version: u64,
    /// Who won, and how sure that is.
    outcome: OutcomeFields,
    standings: Vec<ScopeView>,
    crosstable: Crosstable,
    verdicts: Vec<VerdictView>,
    tuning: Option<TuningView>,
    /// The withdrawn engines, each with the reason.
    withdrawn: Vec<String>,
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

#[derive(Clone, Debug, Serialize)]
struct ScopeView {
    scope: Scope,
    /// The ends of the axis of the intervals.
    axis: [f64; 2],
    ratings: Vec<RatingView>,
}

#[derive(Clone, Debug, Serialize)]
struct RatingView {
    rank: usize,
    engine: String,
    elo: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    games: u64,
    points: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    los: Option<f64>,
}

#[derive(Clone, Debug, Serialize)]
struct Crosstable {
    engines: Vec<String>,
    cells: Vec<Vec<Option<Cell>>>,
}

/// The results of the row's engine against the column's.
#[derive(Clone, Copy, Debug, Serialize)]
struct Cell {
    games: u64,
    points: f64,
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Cell {
    fn new(tally: &Tally) -> Option<Cell> {
        (tally.games() > 0).then(|| Cell {
            games: tally.games(),
            points: points(tally),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
        })
    }
}

fn points(tally: &Tally) -> f64 {
    tally.wins as f64 + tally.draws as f64 / 2.0
}

#[derive(Clone, Debug, Serialize)]
struct VerdictView {
    /// Whether the games decide it; `None` for a remark.
    decided: Option<bool>,
    text: String,
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

    /// Who won, and how sure that is.
    pub(super) fn outcome(&self) -> &OutcomeFields {
        &self.outcome
    }

    /// The version of the journal's contents that it describes.
    pub(super) fn version(&self) -> u64 {
        self.version
    }
}

/// The directory of a tournament.
pub(super) struct About<'d> {
    pub(super) id: &'d str,
    pub(super) path: &'d Path,
    /// The path as pages show it.
    pub(super) shown: &'d str,
    pub(super) state: RunState,
}

/// Summarises a tournament.
pub(super) fn summarise(about: &About<'_>, view: &View<'_>) -> Result<Summary, DirectoryError> {
    let tournament = &**view.tournament;
    let standings = standings(about.path, view)?;
    let extent = Extent::new(tournament, view.index, view.progress);
    let scopes = standings.fits.iter().map(|fit| ScopeView {
        scope: fit.scope,
        axis: Axis::of(&fit.engines).ends(),
        ratings: fit
            .engines
            .iter()
            .zip(1..)
            .map(|(rating, rank)| RatingView {
                rank,
                engine: safe(&rating.engine),
                elo: rating.estimate.elo,
                low: rating.estimate.elo_low,
                high: rating.estimate.elo_high,
                games: rating.games,
                points: points(&rating.tally),
                wins: rating.tally.wins,
                draws: rating.tally.draws,
                losses: rating.tally.losses,
                los: rating.los,
            })
            .collect(),
    });
    let test = test_of(view);
    let withdrawn = standings.withdrawn.iter();
    let race = view.progress.race();
    let is_over = view.progress.is_over() && extent.missing == 0;
    let table = view.progress.stages().map(|it| StageTable::new(tournament, it, is_over));
    let outcome = Outcome::new(&Played {
        standings: &standings,
        table: table.as_ref(),
        test: test.as_ref(),
        tuning: view.progress.tuning(),
        race: race.as_ref(),
        extent: &extent,
        is_over,
        is_whole: view.progress.schedule().is_whole(),
    });
    Ok(Summary {
        id: about.id.to_owned(),
        title: safe(tournament.title()),
        name: safe(&tournament.name),
        dir: about.shown.to_owned(),
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
        extend: !view.progress.schedule().has_stages()
            && view.progress.schedule().is_whole()
            && tournament.engines.iter().all(|engine| engine.joined == 0),
        finished: extent.finished,
        expected: (!view.progress.schedule().has_stages() || view.progress.is_over())
            .then_some(extent.finished + extent.missing),
        void: extent.void,
        extent: extent.in_words(),
        version: view.version,
        outcome: safe_fields(outcome.fields()),
        standings: scopes.collect(),
        crosstable: crosstable(&standings),
        verdicts: match view.progress.tuning() {
            Some(run) => told(&outcome).chain(tuned(run)).collect(),
            None => told(&outcome).chain(verdicts(&standings, &outcome, test.as_ref())).collect(),
        },
        tuning: view.progress.tuning().map(|run| TuningView::new(tournament, run)),
        withdrawn: withdrawn.map(|(name, why)| safe(&terminal::withdrawn(name, why))).collect(),
        skipped: skipped(view),
        sections: sections_of(view),
    })
}

/// The games that are not played because an engine is withdrawn.
fn skipped(view: &View<'_>) -> u64 {
    let progress = view.progress;
    match progress.withdrawals() {
        [] => 0,
        // After the end of a test nothing is played anyway.
        _ if progress.is_stopped() => 0,
        _ => progress.schedule().iter().filter(|pairing| progress.skips(pairing)).count() as u64,
    }
}

/// The standings of the games so far.
fn standings(path: &Path, view: &View<'_>) -> Result<Standings, DirectoryError> {
    let View { tournament, index, progress, played, .. } = view;
    Ok(standings_of(path, tournament, index, progress, *played)?)
}

fn crosstable(standings: &Standings) -> Crosstable {
    let Some(fit) = standings.fits.iter().find(|fit| fit.scope == Scope::All) else {
        return Crosstable { engines: Vec::new(), cells: Vec::new() };
    };
    let cell = |row, column| Cell::new(&standings.score(Scope::All, row, column)?);
    Crosstable {
        engines: fit.engines.iter().map(|rating| safe(&rating.engine)).collect(),
        cells: fit
            .engines
            .iter()
            .map(|row| fit.engines.iter().map(|column| cell(row, column)).collect())
            .collect(),
    }
}

/// The present values of a tuning, line by line. A tuned engine plays against itself, so its
/// standings say nothing.
fn tuned(run: &TuningRun) -> Vec<VerdictView> {
    let text = in_words(run);
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| VerdictView { decided: None, text: safe(line) }).collect()
}

/// The sentence that says who won.
fn told(outcome: &Outcome) -> impl Iterator<Item = VerdictView> {
    let sentence = outcome.sentence();
    std::iter::once(VerdictView { decided: sentence.decided, text: safe(&sentence.to_string()) })
}

/// The fields with names that are safe to show.
fn safe_fields(fields: OutcomeFields) -> OutcomeFields {
    let winner = fields.winner.as_deref().map(safe);
    OutcomeFields { winner, sentence: safe(&fields.sentence), ..fields }
}

/// The verdicts as sentences, except for what the outcome says. In a match with an SPRT, the test is
/// the verdict.
fn verdicts(standings: &Standings, outcome: &Outcome, test: Option<&Test>) -> Vec<VerdictView> {
    if let Some(test) = test {
        let decided = Some(test.state.decision != Decision::Continue);
        return vec![VerdictView { decided, text: test_text(test) }];
    }
    let said = [verdict::summary(standings), ranking::summary(standings)].concat();
    let text = |words: &[Word<'_>]| {
        words
            .iter()
            .map(|word| match word {
                Word::Engine(name) => safe(name),
                Word::Text(text) => text.to_string(),
            })
            .collect::<String>()
    };
    let notes = standings.notes().into_iter();
    let notes = notes.map(|note| VerdictView { decided: None, text: format!("{note}.") });
    said.iter()
        .filter(|said| !outcome.contains(said))
        .map(|said| VerdictView { decided: said.decided, text: text(&said.words) })
        .chain(notes)
        .collect()
}

fn test_text(test: &Test) -> String {
    let pairs = words::pairs(&test.state);
    let outcome = match test.state.accepted() {
        Some((hypothesis, lead)) => {
            format!("{hypothesis} accepted: the lead of {} is {lead}", safe(&test.engine))
        }
        None => "undecided".to_owned(),
    };
    let estimate = words::estimate(test).map_or(String::new(), |lead| format!("; {lead}"));
    format!("SPRT: {outcome} after {pairs}; {}{estimate}", words::ratio(&test.state))
}
