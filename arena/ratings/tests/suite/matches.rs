//! The figures of single matches against those of the established tools.

use fanorona_ratings::sprt::{Decision, Model, Sprt, SprtOptions};
use fanorona_ratings::{
    MatchStatistics, Pentanomial, Score, Tally, Z95, elo_from_score, expected_score,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

const CASES: &str = include_str!("../data/matches.json");

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
            Counts::Games(tally) => MatchStatistics::from_games(&tally),
            Counts::Pairs(pairs) => MatchStatistics::from_pairs(&pairs),
        }
        .unwrap();
        // Their interval assumes many trials; ours follows from the same score and variance.
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
                // They print NaN or infinity; we print a number or unbounded.
                None => assert!(ours.is_none_or(f64::is_finite), "{what} in {case}"),
            }
        }
        if let Some(theirs) = case["los"].as_f64() {
            // With few trials our intervals are wider than those of the normal distribution.
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

/// A sequential test that ends at a bound or at its maximal number of pairs.
fn stopped(sprt: &Sprt, random: &mut ChaCha8Rng, lead: f64, most: u64) -> (Decision, Pentanomial) {
    let mut pairs = Pentanomial::default();
    loop {
        let mut game = || {
            let toss: f64 = random.random();
            if toss < expected_score(lead) { Score::Win } else { Score::Loss }
        };
        pairs.add(game(), game(), 1);
        match sprt.decide(sprt.llr_of_pairs(&pairs)) {
            Decision::Continue if pairs.pairs() < most => {}
            decision => return (decision, pairs),
        }
    }
}

/// The whole simulation is `cargo run --release -p fanorona-ratings --example coverage`.
#[test]
fn the_lead_after_a_test_is_as_often_too_high_as_too_low() {
    const TESTS: u32 = 300;
    let model = Model::Logistic;
    let options = SprtOptions { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05, model };
    let sprt = Sprt::new(options).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let lead = 60.0;
    let (mut high, mut held, mut h1, mut mean) = (0, 0, 0, [0.0; 2]);
    for _ in 0..TESTS {
        let (decision, pairs) = stopped(&sprt, &mut random, lead, u64::MAX);
        let estimate = sprt.estimate(&pairs);
        // An SPRT that is won almost without a loss has no upper end.
        let end = |end: Option<f64>| end.unwrap_or(f64::INFINITY);
        let low = estimate.elo_low.unwrap_or(f64::NEG_INFINITY);
        high += u32::from(end(estimate.elo) > lead);
        held += u32::from(low <= lead && lead <= end(estimate.elo_high));
        if decision == Decision::AcceptH1 {
            h1 += 1;
            // If there is no number, a high value stands for it.
            let naive = MatchStatistics::from_pairs(&pairs).unwrap().elo;
            mean[0] += naive.unwrap_or(400.0);
            mean[1] += estimate.elo.unwrap_or(400.0);
        }
    }
    let share = |count: u32| f64::from(count) / f64::from(TESTS);
    assert!((0.43..0.57).contains(&share(high)), "{high} of {TESTS}");
    assert!(share(held) > 0.92, "{held} of {TESTS}");
    let [naive, made] = mean.map(|sum| sum / f64::from(h1));
    assert!(naive > 66.0 && made < naive - 3.0, "{naive} {made}");
}

fn logistic(elo1: f64) -> Sprt {
    let model = Model::Logistic;
    Sprt::new(SprtOptions { elo0: 0.0, elo1, alpha: 0.05, beta: 0.05, model }).unwrap()
}

#[test]
fn no_end_after_a_test_is_a_lead_that_the_pairs_exclude() {
    for pairs in [
        Pentanomial { ld: 1, wl: 12, wd: 9, ww: 3, ..Default::default() },
        Pentanomial { ld: 2, wl: 30, wd: 18, ww: 6, ..Default::default() },
        Pentanomial { ll: 1, ld: 2, wl: 20, wd: 12, ww: 8, ..Default::default() },
    ] {
        let alone = MatchStatistics::from_pairs(&pairs).unwrap();
        let made = logistic(10.0).estimate(&pairs);
        // None of these tests has ended, so that luck did not end them.
        for (made, alone) in [(made.elo_low, alone.elo_low), (made.elo_high, alone.elo_high)] {
            let (made, alone) = (made.unwrap(), alone.unwrap());
            assert!((made - alone).abs() < 15.0, "{pairs:?}: {made} {alone}");
        }
    }
}

#[test]
fn no_end_after_a_decision_is_a_lead_that_the_pairs_exclude() {
    // A score of 56 % in 75 pairs: its lowest cell is empty and the next one nearly so, and no distribution
    // far below may get its variance from them.
    let pairs = Pentanomial { ld: 2, wl: 33, dd: 22, wd: 16, ww: 2, ..Default::default() };
    let (model, alone) = (Model::Logistic, MatchStatistics::from_pairs(&pairs).unwrap());
    let options = SprtOptions { elo0: 0.0, elo1: 60.0, alpha: 0.005, beta: 0.05, model };
    let sprt = Sprt::new(options).unwrap();
    assert_eq!(sprt.decide(sprt.llr_of_pairs(&pairs)), Decision::AcceptH1);
    let made = sprt.estimate(&pairs);
    let length = |low: Option<f64>, high: Option<f64>| high.unwrap() - low.unwrap();
    let (made, alone) =
        (length(made.elo_low, made.elo_high), length(alone.elo_low, alone.elo_high));
    // Luck may have ended it, which makes the interval longer, but not four times.
    assert!((1.0..2.5).contains(&(made / alone)), "{made} {alone}");
}

#[test]
fn one_lost_pair_lowers_both_ends_a_little() {
    let without = Pentanomial { ld: 2, wl: 20, wd: 12, ww: 8, ..Default::default() };
    let with = Pentanomial { ll: 1, ..without };
    let ends = |pairs| {
        let made = logistic(10.0).estimate(pairs);
        [made.elo_low, made.elo, made.elo_high].map(Option::unwrap)
    };
    for (one, other) in ends(&without).into_iter().zip(ends(&with)) {
        assert!((0.0..25.0).contains(&(one - other)), "{one} {other}");
    }
}

/// The whole simulation is `cargo run --release -p fanorona-ratings --example coverage -- 2000 tests`.
#[test]
fn ends_after_few_pairs_are_bounded_and_hold_the_lead() {
    const TESTS: u32 = 600;
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for (elo1, lead) in [(10.0, 0.0), (10.0, 120.0), (100.0, 0.0), (100.0, 120.0)] {
        let sprt = logistic(elo1);
        let (mut held, mut bounded, mut lengths) = (0, 0, [0.0; 2]);
        for _ in 0..TESTS {
            let pairs = stopped(&sprt, &mut random, lead, 12).1;
            let made = sprt.estimate(&pairs);
            let low = made.elo_low.unwrap_or(f64::NEG_INFINITY);
            let high = made.elo_high.unwrap_or(f64::INFINITY);
            held += u32::from((low..=high).contains(&lead));
            let alone = MatchStatistics::from_pairs(&pairs).unwrap();
            if let (Some(from), Some(to)) = (alone.elo_low, alone.elo_high) {
                bounded += u32::from(low.is_finite() && high.is_finite());
                lengths[0] += to - from;
                lengths[1] += high - low;
            }
        }
        assert!(f64::from(held) >= 0.93 * f64::from(TESTS), "{elo1} {lead}: {held} of {TESTS}");
        assert!(bounded >= TESTS - 3, "{elo1} {lead}: {bounded} of {TESTS}");
        assert!(lengths[1] < 1.3 * lengths[0], "{elo1} {lead}: {lengths:?}");
    }
}

#[test]
fn the_lead_of_a_running_test_is_that_of_its_pairs() {
    // With distant bounds nothing is stopped early, and both methods agree.
    let model = Model::Normalized;
    let pairs = Pentanomial { ll: 10, ld: 60, wl: 100, dd: 50, wd: 75, ww: 15 };
    let alone = MatchStatistics::from_pairs(&pairs).unwrap();
    let of = |model, elo0, elo1| {
        let options = SprtOptions { elo0, elo1, alpha: 1e-6, beta: 1e-6, model };
        Sprt::new(options).unwrap().estimate(&pairs)
    };
    let logistic = of(Model::Logistic, 0.0, 5.0);
    let normalized = of(model, 0.0, 5.0);
    for (made, [low, middle, high]) in [
        (logistic, [alone.elo_low, alone.elo, alone.elo_high]),
        (normalized, [alone.nelo_low, alone.nelo, alone.nelo_high]),
    ] {
        for (made, usual) in [(made.elo_low, low), (made.elo, middle), (made.elo_high, high)] {
            let (made, usual) = (made.unwrap(), usual.unwrap());
            assert!((made - usual).abs() < 1.0, "{made} {usual}");
        }
    }
    assert_eq!(
        Sprt::new(SprtOptions { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model })
            .unwrap()
            .estimate(&Pentanomial::default()),
        Default::default()
    );
}
