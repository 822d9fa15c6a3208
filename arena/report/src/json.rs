//! Ratings and SPRT states as JSON.

use serde::Serialize;

use crate::statistics::candidates::{Candidate, Candidates, Standing};
use crate::statistics::outcome::{Outcome, OutcomeFields};
use crate::statistics::ranking::Ranking;
use crate::statistics::sprt_state::Test;
use crate::statistics::standings::{Difference, Standings};
use fanorona_ratings::sprt::SprtOptions;
use fanorona_ratings::{Advantage, Estimate, Fit, Rating, Scope};
use fanorona_tournament::progress::race_run::RaceState;
use fanorona_tournament::progress::sprt_run::State;

#[derive(Serialize)]
struct RatingReport<'s> {
    /// The strongest engine, and the certainty of it.
    outcome: OutcomeFields,
    /// The ratings over all kinds.
    ratings: &'s [Rating],
    /// The ratings for every kind that was played, and over all kinds.
    fits: Vec<FitEntry<'s>>,
    notes: &'s [String],
}

#[derive(Serialize)]
struct FitEntry<'s> {
    kind: Scope,
    ratings: &'s [Rating],
    advantages: &'s [Advantage],
    /// `None` if not every two engines were compared.
    los: Option<Vec<Vec<Option<f64>>>>,
    /// Every two engines that are compared or have met.
    differences: Vec<Difference>,
    games: u64,
    pairs: u64,
    repeated_pairs: u64,
    /// Tiers, the check of the fit, circles.
    ranking: Ranking,
}

/// A JSON object: `outcome`, `ratings` over all kinds, `fits` by kind, and `notes` about the files. Rows and
/// columns of `los` follow the order of the `ratings` beside it; it is `null` where only neighbours
/// were compared. `differences` holds the lead of every engine over every lower-ranked one, and their
/// pairs by the first one's score. An open end of an interval is `null`.
pub fn ratings(standings: &Standings, notes: &[String]) -> String {
    let fits = standings.fits.iter().map(|fit| FitEntry {
        kind: fit.scope,
        ratings: &fit.engines,
        advantages: &fit.advantages,
        los: los(fit),
        differences: standings.differences(fit),
        repeated_pairs: fit.repeated_pairs,
        ranking: Ranking::new(standings, fit),
        games: fit.games,
        pairs: fit.pairs,
    });
    let outcome = Outcome::from_games(standings).fields();
    let report =
        RatingReport { outcome, ratings: &standings.all().engines, fits: fits.collect(), notes };
    serde_json::to_string_pretty(&report).expect("ratings are numbers and names")
}

/// The likelihood of superiority of every engine of a ranking over every other.
fn los(fit: &Fit) -> Option<Vec<Vec<Option<f64>>>> {
    let ranks = 0..fit.engines.len();
    let row = |rank| ranks.clone().map(|other| fit.los(rank, other)).collect();
    fit.compares_all().then(|| ranks.clone().map(row).collect())
}

/// The file with the state of a match's SPRT.
pub(crate) const TEST: &str = "sprt.json";

#[derive(Serialize)]
struct TestReport<'s> {
    /// The engine whose lead is tested.
    engine: &'s str,
    #[serde(flatten)]
    state: &'s State,
    /// The median-unbiased estimate of the lead with its interval.
    estimate: &'s Estimate,
}

/// The state of an SPRT as a JSON object.
pub fn test(test: &Test) -> String {
    let Test { engine, state, estimate, .. } = test;
    let test = serde_json::to_string_pretty(&TestReport { engine, state, estimate });
    test.expect("a test is made of numbers and words") + "\n"
}

/// The file with the tests of candidates.
pub(crate) const CANDIDATES: &str = "candidates.json";

#[derive(Serialize)]
struct CandidatesReport<'s> {
    base: &'s str,
    /// The hypotheses and risks; `alpha` is the error over all candidates.
    #[serde(flatten)]
    options: &'s SprtOptions,
    candidates: Vec<CandidateReport<'s>>,
}

/// A candidate, as in [`CANDIDATES`]. Its `alpha` is its share of the error.
#[derive(Serialize)]
struct CandidateReport<'s> {
    #[serde(flatten)]
    test: TestReport<'s>,
    standing: Standing,
    /// The pairs that an open candidate takes if its lead is as it looks.
    more_pairs: Option<u64>,
}

/// The tests of candidates as a JSON object.
pub fn candidates(candidates: &Candidates) -> String {
    let Candidates { base, options, candidates, .. } = candidates;
    let candidates = candidates.iter().map(|it| {
        let Candidate { test: Test { engine, state, estimate, .. }, standing, more_pairs } = it;
        let test = TestReport { engine, state, estimate };
        CandidateReport { test, standing: *standing, more_pairs: *more_pairs }
    });
    let report = CandidatesReport { base, options, candidates: candidates.collect() };
    serde_json::to_string_pretty(&report).expect("tests are made of numbers and words") + "\n"
}

/// The file with the state of a race.
pub(crate) const RACE: &str = "race.json";

#[derive(Serialize)]
struct RaceReport<'s> {
    /// The best engines, the strongest first.
    leaders: &'s [String],
    /// Whether they are the best with the error that is asked for.
    decided: bool,
    /// The smallest lead of a leader over another engine, as a share of the lead that decides it.
    margin: f64,
    error: f64,
    within: f64,
}

/// The state of a race as a JSON object.
pub fn race(state: &RaceState) -> String {
    let RaceState { leaders, is_decided, margin, options } = state;
    let report = RaceReport {
        leaders,
        decided: *is_decided,
        margin: *margin,
        error: options.error,
        within: options.within,
    };
    serde_json::to_string_pretty(&report).expect("a race is numbers and names") + "\n"
}
