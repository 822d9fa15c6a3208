//! The figures of single matches against those of the established tools.

use fanorona_arena::ratings::{MatchStatistics, Pentanomial, Tally, Z95, elo_from_score};
use fanorona_arena::sprt::{Sprt, SprtOptions};
use serde_json::Value;

const CASES: &str = include_str!("data/statistics.json");

fn cases(group: &str) -> Vec<Value> {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    cases[group].as_array().unwrap().clone()
}

enum Counts {
    Games(Tally),
    Pairs(Pentanomial),
}

fn counts(case: &Value) -> Counts {
    let count = |cell: &str| case[cell].as_u64().unwrap();
    if case["kind"].as_str().unwrap().ends_with("penta") {
        let (ll, ld, wl) = (count("LL"), count("LD"), count("WL"));
        let (dd, wd, ww) = (count("DD"), count("WD"), count("WW"));
        Counts::Pairs(Pentanomial { ll, ld, wl, dd, wd, ww })
    } else {
        Counts::Games(Tally { wins: count("W"), draws: count("D"), losses: count("L") })
    }
}

#[track_caller]
fn assert_close(ours: f64, theirs: f64, relative: f64, what: &str, case: &Value) {
    let error = (ours - theirs).abs();
    assert!(error <= relative * theirs.abs(), "{what} is {ours}, not {theirs}, in {case}");
}

#[test]
fn matches_agree_with_fastchess() {
    let cases = cases("match");
    assert_eq!(cases.len(), 8);
    for case in &cases {
        let ours = match counts(case) {
            Counts::Games(tally) => MatchStatistics::of_games(&tally),
            Counts::Pairs(pairs) => MatchStatistics::of_pairs(&pairs),
        }
        .unwrap();
        // Their interval is that of many trials; ours is made of the same score and variance.
        let margin = Z95 * (ours.variance / ours.trials as f64).sqrt();
        let end = |margin: f64| elo_from_score(ours.score + margin);
        let error = end(margin).zip(end(-margin)).map(|(high, low)| (high - low) / 2.0);
        for (what, ours) in [
            ("score", Some(ours.score)),
            ("variance", Some(ours.variance)),
            ("elo", ours.elo),
            ("elo_err95", error),
            ("nelo", ours.nelo),
        ] {
            match case[what].as_f64() {
                Some(theirs) => assert_close(ours.expect(what), theirs, 1e-9, what, case),
                // They print NaN or infinity; ours is a number or unbounded.
                None => assert!(ours.is_none_or(f64::is_finite), "{what} in {case}"),
            }
        }
        if let Some(theirs) = case["los"].as_f64() {
            // With few trials we are less sure than the normal distribution.
            assert!((ours.los - 0.5).abs() <= (theirs - 0.5).abs() + 0.005, "{} {case}", ours.los);
            let many = ours.trials >= 100;
            assert!(!many || (ours.los - theirs).abs() <= 0.005, "los is {} in {case}", ours.los);
        }
    }
}

#[test]
fn ratios_agree_with_the_exact_ones() {
    let cases = cases("sprt");
    assert_eq!(cases.len(), 10);
    for case in &cases {
        let options: SprtOptions = serde_json::from_value(case.clone()).unwrap();
        let sprt = Sprt::new(options).unwrap();
        let llr = match counts(case) {
            Counts::Games(tally) => sprt.llr_of_games(&tally),
            Counts::Pairs(pairs) => sprt.llr_of_pairs(&pairs),
        };
        let number = |field: &str| case[field].as_f64().unwrap();
        assert_close(llr, number("exact_llr"), 1e-9, "llr", case);
        assert_close(sprt.lower(), number("lower"), 1e-12, "lower bound", case);
        assert_close(sprt.upper(), number("upper"), 1e-12, "upper bound", case);
    }
}
