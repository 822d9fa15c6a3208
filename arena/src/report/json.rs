//! Ratings and tests for programs.

use serde::Serialize;

use crate::ratings::{Advantage, Rating, Scope};
use crate::sequential::State;
use crate::standings::Standings;

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
    games: u64,
    pairs: u64,
}

/// One JSON object: `ratings` over everything, `fits` by kind, `notes` on the files. Row and column
/// of `los` are places in the `ratings` beside it. An open end of an interval is `null`.
pub fn ratings(standings: &Standings, notes: &[String]) -> String {
    let fits = standings.fits.iter().map(|fit| OneFit {
        kind: fit.scope,
        ratings: &fit.engines,
        advantages: &fit.advantages,
        los: &fit.los,
        games: fit.games,
        pairs: fit.pairs,
    });
    let report = Report { ratings: &standings.all().engines, fits: fits.collect(), notes };
    serde_json::to_string_pretty(&report).expect("ratings are numbers and names")
}

/// The name of the file that says how the test of a match stands.
pub const TEST: &str = "sprt.json";

#[derive(Serialize)]
struct Test<'s> {
    /// The engine whose lead is tested.
    engine: &'s str,
    #[serde(flatten)]
    state: &'s State,
}

/// One JSON object: how the test of an engine's lead stands.
pub fn test(engine: &str, state: &State) -> String {
    let test = serde_json::to_string_pretty(&Test { engine, state });
    test.expect("a test is made of numbers and words") + "\n"
}
