//! The check of a fit against simulations: how often it is wrong, and what it finds.

use fanorona_ratings::kind::Kind;
use fanorona_ratings::{
    FitCheck, FitOptions, PairKey, Sample, Scope, Score, ScoredGame, expected_score, fit,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ENGINES: usize = 6;

/// A round-robin in which `lead` gives the lead in Elo of one engine over another, White has an
/// advantage, every opening favours one colour, and a third of the level games are drawn.
fn tournament(seed: u64, pairs: u64, lead: impl Fn(usize, usize) -> f64) -> Sample {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let names: Vec<String> = (0..ENGINES).map(|engine| format!("e{engine}")).collect();
    let mut sample = Sample::new(names.iter().map(String::as_str)).unwrap();
    let id = |sample: &Sample, engine: usize| sample.engine(&names[engine]).unwrap();
    let mut number = 0;
    for one in 0..ENGINES {
        for other in one + 1..ENGINES {
            for _ in 0..pairs {
                number += 1;
                let opening = 400.0 * (random.random::<f64>() - 0.5);
                for (first, second) in [(one, other), (other, one)] {
                    let score = expected_score(lead(first, second) + 50.0 + opening);
                    let draws = 4.0 / 3.0 * score * (1.0 - score);
                    let toss: f64 = random.random();
                    let score = match toss {
                        toss if toss < score - draws / 2.0 => Score::Win,
                        toss if toss < score + draws / 2.0 => Score::Draw,
                        _ => Score::Loss,
                    };
                    let (first, second) = (id(&sample, first), id(&sample, second));
                    let (kind, pair) = (Kind::Riatra, PairKey(number));
                    sample.push(ScoredGame { first, second, kind, score, pair }).unwrap();
                }
            }
        }
    }
    sample
}

fn check(sample: &Sample) -> FitCheck {
    let fit = fit(sample, Scope::All, &FitOptions::default()).unwrap();
    FitCheck::new(sample, &fit).unwrap()
}

/// Strengths from 0 to 250 Elo, on one line.
fn on_a_line(one: usize, other: usize) -> f64 {
    50.0 * (one as f64 - other as f64)
}

#[test]
fn the_test_keeps_its_error_rate() {
    for pairs in [6, 40] {
        let (mut alarms, mut large, mut all) = (0, 0, 0);
        const TOURNAMENTS: u32 = 400;
        for seed in 0..TOURNAMENTS {
            let check = check(&tournament(seed.into(), pairs, on_a_line));
            assert_eq!((check.degrees, check.error_degrees), (10, 15 * (pairs - 1)));
            alarms += u32::from(check.p < 0.05);
            let z = check.pairings.iter().filter_map(|pairing| pairing.z);
            all += check.pairings.len();
            large += z.filter(|z| z.abs() > 1.96).count();
        }
        let alarms = f64::from(alarms) / f64::from(TOURNAMENTS);
        let large = large as f64 / all as f64;
        println!("{pairs} pairs: p < 0.05 in {alarms}, |z| > 1.96 in {large}");
        assert!((0.02..0.09).contains(&alarms), "{pairs}: {alarms}");
        assert!((0.03..0.08).contains(&large), "{pairs}: {large}");
    }
}

#[test]
fn a_cycle_is_detected_and_its_worst_pairing_named() {
    // Three engines beat each other in a circle by 80 Elo; the others are on the line.
    let circle = |one: usize, other: usize| match (one, other) {
        (0, 1) | (1, 2) | (2, 0) => 80.0,
        (1, 0) | (2, 1) | (0, 2) => -80.0,
        _ => on_a_line(one, other),
    };
    let mut found = 0;
    for seed in 0..50 {
        let check = check(&tournament(seed, 100, circle));
        found += u32::from(check.p < 0.01);
        let worst = check.worst().unwrap();
        if check.p < 0.01 {
            let both = [&*worst.engine, &*worst.opponent];
            assert!(both.iter().all(|name| ["e0", "e1", "e2"].contains(name)), "{check:?}");
        }
    }
    assert!(found >= 45, "{found} of 50");
}

#[test]
fn nothing_is_checked_where_every_pairing_is_needed() {
    let mut sample = Sample::new(["a", "b", "c"]).unwrap();
    let ids: Vec<_> = sample.engines().map(|(id, _)| id).collect();
    for (pair, (first, second)) in [(0, 1), (0, 1), (1, 2), (1, 2)].into_iter().enumerate() {
        for (first, second) in [(first, second), (second, first)] {
            let (first, second, pair) = (ids[first], ids[second], PairKey(pair as u64));
            let (kind, score) = (Kind::Vela, Score::Win);
            sample.push(ScoredGame { first, second, kind, score, pair }).unwrap();
        }
    }
    let fit = fit(&sample, Scope::All, &FitOptions::default()).unwrap();
    assert_eq!(FitCheck::new(&sample, &fit), None);
}
