//! Ratings and tests for programs.

use serde::Serialize;

use crate::ratings::{Advantage, Estimate, Rating, Scope};
use crate::statistics::results::Test;
use crate::statistics::standings::{Difference, Standings};
use crate::tournament::sprt_run::State;

#[derive(Serialize)]
struct Report<'s> {
    /// The ratings over everything.
    ratings: &'s [Rating],
    /// The same for every kind that was played, and over all.
    fits: Vec<OneFit<'s>>,
    notes: &'s [String],
}

#[derive(Serialize)]
struct OneFit<'s> {
    kind: Scope,
    ratings: &'s [Rating],
    advantages: &'s [Advantage],
    los: &'s [Vec<Option<f64>>],
    /// Every two engines that are compared or have met.
    differences: Vec<Difference>,
    games: u64,
    pairs: u64,
    repeated_pairs: u64,
}

/// One JSON object: `ratings` over everything, `fits` by kind, `notes` on the files. Row and column
/// of `los` are places in the `ratings` beside it. `differences` has the lead of every engine over every
/// one below it, with the pairs of the two by what they gave the former. An open end of an interval is `null`.
pub fn ratings(standings: &Standings, notes: &[String]) -> String {
    let fits = standings.fits.iter().map(|fit| OneFit {
        kind: fit.scope,
        ratings: &fit.engines,
        advantages: &fit.advantages,
        los: &fit.los,
        differences: standings.differences(fit),
        repeated_pairs: fit.repeated_pairs,
        games: fit.games,
        pairs: fit.pairs,
    });
    let report = Report { ratings: &standings.all().engines, fits: fits.collect(), notes };
    serde_json::to_string_pretty(&report).expect("ratings are numbers and names")
}

/// The name of the file that says how the test of a match stands.
pub const TEST: &str = "sprt.json";

#[derive(Serialize)]
struct TestReport<'s> {
    /// The engine whose lead is tested.
    engine: &'s str,
    #[serde(flatten)]
    state: &'s State,
    /// The median-unbiased lead with its interval.
    estimate: &'s Estimate,
}

/// One JSON object: how the test of an engine's lead stands.
pub fn test(test: &Test) -> String {
    let Test { engine, state, estimate, .. } = test;
    let test = serde_json::to_string_pretty(&TestReport { engine, state, estimate });
    test.expect("a test is made of numbers and words") + "\n"
}
