//! Fits against cases that can be worked out by hand, against laws, and against simulations.

use fanorona_ratings::kind::Kind;
use fanorona_ratings::{
    Anchor, Estimate, Fit, FitError, FitOptions, FitProgress, Intervals, MatchStatistics, PairKey,
    Prior, Rating, Sample, Scope, Score, ScoredGame, Superiority, elo_from_score, expected_score,
    fit, fit_watched,
};
use proptest::prelude::*;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const NO_PRIOR: FitOptions = FitOptions {
    prior: Prior::NONE,
    anchors: Vec::new(),
    superiority: Superiority::OfAll,
    intervals: Intervals::Profile,
};

/// Games as `first second score`, one after another, and how often they came as pairs of two.
struct Games {
    sample: Sample,
    next_pair: u64,
}

impl Games {
    fn new(engines: &[&str]) -> Games {
        Games { sample: Sample::new(engines.iter().copied()).unwrap(), next_pair: 0 }
    }

    /// `times` pairs in riatra: one game each way, with the scores of `white` and then of `black`
    /// when it is White.
    fn pairs(&mut self, times: u64, white: &str, black: &str, scores: [Score; 2]) -> &mut Games {
        self.pairs_in(Kind::Riatra, times, white, black, scores)
    }

    fn pairs_in(
        &mut self,
        kind: Kind,
        times: u64,
        white: &str,
        black: &str,
        scores: [Score; 2],
    ) -> &mut Games {
        let (white, black) =
            (self.sample.engine(white).unwrap(), self.sample.engine(black).unwrap());
        for _ in 0..times {
            let pair = PairKey(self.next_pair);
            self.next_pair += 1;
            for (first, second, score) in [(white, black, scores[0]), (black, white, scores[1])] {
                self.sample.push(ScoredGame { first, second, kind, score, pair }).unwrap();
            }
        }
        self
    }

    fn fit(&self, options: &FitOptions) -> Fit {
        fit(&self.sample, Scope::All, options).unwrap()
    }
}

fn rating<'a>(fit: &'a Fit, engine: &str) -> &'a Rating {
    fit.engines.iter().find(|rating| rating.engine == engine).unwrap()
}

fn elo(fit: &Fit, engine: &str) -> f64 {
    rating(fit, engine).estimate.elo.unwrap()
}

fn order(fit: &Fit) -> Vec<&str> {
    fit.engines.iter().map(|rating| rating.engine.as_str()).collect()
}

#[track_caller]
fn assert_near(ours: f64, expected: f64, tolerance: f64) {
    assert!((ours - expected).abs() <= tolerance, "{ours} is not {expected} within {tolerance}");
}

use Score::{Draw, Loss, Win};

#[test]
fn two_engines_have_the_elo_of_their_score() {
    // a scores 3 of 4 with either colour.
    let mut games = Games::new(&["a", "b"]);
    games.pairs(10, "a", "b", [Win, Loss]).pairs(10, "a", "b", [Draw, Draw]);
    let fit = games.fit(&NO_PRIOR);
    assert_eq!(order(&fit), ["a", "b"]);
    let lead = 400.0 * 3f64.log10();
    assert_near(elo(&fit, "a"), lead / 2.0, 1e-9);
    assert_near(elo(&fit, "b"), -lead / 2.0, 1e-9);
    assert_near(fit.advantages[0].estimate.elo.unwrap(), 0.0, 1e-9);
    assert_eq!((fit.games, fit.pairs), (40, 20));
}

#[test]
fn the_advantage_is_separated_from_strength() {
    // White scores 9 of 10 with either engine, but a loses nothing as White.
    let mut games = Games::new(&["a", "b"]);
    games.pairs(6, "a", "b", [Win, Win]).pairs(2, "a", "b", [Win, Loss]);
    games.pairs(2, "a", "b", [Loss, Win]);
    let fit = games.fit(&NO_PRIOR);
    // 8 of 10 for White in both directions.
    assert_near(elo(&fit, "a"), 0.0, 1e-9);
    let white = elo_from_score(0.8).unwrap();
    assert_near(fit.advantages[0].estimate.elo.unwrap(), white, 1e-9);

    // As White a scores .9, as Black .3: logits add.
    let mut games = Games::new(&["a", "b"]);
    games.pairs(2, "a", "b", [Win, Loss]).pairs(7, "a", "b", [Win, Win]);
    games.pairs(1, "a", "b", [Loss, Loss]);
    let fit = games.fit(&NO_PRIOR);
    let (white, black) = (elo_from_score(0.9).unwrap(), elo_from_score(0.3).unwrap());
    assert_near(elo(&fit, "a") - elo(&fit, "b"), (white + black) / 2.0, 1e-9);
    assert_near(fit.advantages[0].estimate.elo.unwrap(), (white - black) / 2.0, 1e-9);
}

#[test]
fn ratings_add_up_along_a_chain() {
    // With results only along a chain, every link is a separate match.
    let mut games = Games::new(&["a", "b", "c"]);
    games.pairs(6, "a", "b", [Win, Loss]).pairs(4, "a", "b", [Loss, Win]);
    games.pairs(9, "b", "c", [Win, Loss]).pairs(1, "b", "c", [Loss, Win]);
    let fit = games.fit(&NO_PRIOR);
    let (upper, lower) = (elo_from_score(0.6).unwrap(), elo_from_score(0.9).unwrap());
    assert_near(elo(&fit, "a") - elo(&fit, "b"), upper, 1e-9);
    assert_near(elo(&fit, "b") - elo(&fit, "c"), lower, 1e-9);
    assert_near(elo(&fit, "a") + elo(&fit, "b") + elo(&fit, "c"), 0.0, 1e-9);
}

/// The penta counts `[379, 10170, 21828, 0, 10640, 343]` with colours balanced.
fn balanced_match() -> Games {
    let mut games = Games::new(&["a", "b"]);
    for (times, scores) in [
        (379, [Loss, Win]),
        (5085, [Draw, Win]),
        (5085, [Loss, Draw]),
        (10914, [Win, Win]),
        (10914, [Loss, Loss]),
        (5320, [Draw, Loss]),
        (5320, [Win, Draw]),
        (343, [Win, Loss]),
    ] {
        games.pairs(times, "a", "b", scores);
    }
    games
}

#[test]
fn the_sandwich_of_two_engines_is_the_pentanomial_error() {
    let games = balanced_match();
    let ids: Vec<_> = games.sample.engines().map(|(id, _)| id).collect();
    let pairs = games.sample.pentanomial(ids[0], ids[1], Scope::All);
    let statistics = MatchStatistics::from_pairs(&pairs).unwrap();
    // fastchess's figure; with this many pairs the interval is the usual one.
    let error = 1.2087497306311004;
    assert_near((statistics.elo_high.unwrap() - statistics.elo_low.unwrap()) / 2.0, error, 1e-3);

    let anchors = vec![Anchor { engine: "b".to_owned(), elo: 0.0 }];
    let fit = games.fit(&FitOptions { anchors, ..NO_PRIOR });
    let Estimate { elo, elo_low, elo_high } = rating(&fit, "a").estimate;
    assert_near(elo.unwrap(), statistics.elo.unwrap(), 1e-9);
    assert_near((elo_high.unwrap() - elo_low.unwrap()) / 2.0, error, 1e-3);
    assert_near(rating(&fit, "a").los.unwrap(), statistics.los, 2e-5);

    // Mean zero halves the rating and its error.
    let fit = games.fit(&NO_PRIOR);
    let Estimate { elo_low, elo_high, .. } = rating(&fit, "a").estimate;
    assert_near(elo_high.unwrap() - elo_low.unwrap(), error, 1e-3);
    assert_near(rating(&fit, "a").los.unwrap(), statistics.los, 2e-5);
}

#[test]
fn few_pairs_widen_the_sandwich() {
    let width = |times: u64| {
        let mut games = Games::new(&["a", "b"]);
        games.pairs(times, "a", "b", [Win, Loss]).pairs(times, "a", "b", [Loss, Win]);
        games.pairs(times, "a", "b", [Draw, Draw]);
        let Estimate { elo_low, elo_high, .. } = rating(&games.fit(&NO_PRIOR), "a").estimate;
        elo_high.unwrap() - elo_low.unwrap()
    };
    // 9 pairs and 2 parameters, compared with ten times the same games.
    let factor = |pairs: f64| pairs / (pairs - 2.0);
    let expected = (factor(9.0) / factor(90.0)).sqrt();
    assert_near(width(3) / (width(30) * 10f64.sqrt()), expected, 1e-9);
}

#[test]
fn a_sweep_is_bounded_by_the_prior_alone() {
    let mut games = Games::new(&["a", "b"]);
    games.pairs(5, "a", "b", [Win, Loss]);
    let free = games.fit(&NO_PRIOR);
    assert_eq!(order(&free), ["a", "b"]);
    let Estimate { elo, elo_low, elo_high } = rating(&free, "a").estimate;
    assert_eq!((elo, elo_high), (None, None));
    // Ten wins of ten: at this score the log-likelihood has fallen by the quantile of Student's t
    // with ten degrees of freedom, one per game.
    let least = (-2.228_138_851_964_938f64.powi(2) / 2.0 / 10.0).exp();
    assert_near(elo_low.unwrap(), elo_from_score(least).unwrap() / 2.0, 1e-4);
    let Estimate { elo, elo_low, elo_high } = rating(&free, "b").estimate;
    assert_eq!((elo, elo_low), (None, None));
    assert_near(elo_high.unwrap(), -elo_from_score(least).unwrap() / 2.0, 1e-4);
    assert!(free.advantages[0].estimate.elo.is_none());
    // Signed root of the likelihood ratio: 2 * 10 ln 2, judged by the same t.
    assert_near(rating(&free, "a").los.unwrap(), 0.998, 5e-4);

    let bounded = games.fit(&FitOptions::default());
    let Estimate { elo, elo_low, elo_high } = rating(&bounded, "a").estimate;
    let (elo, elo_low, elo_high) = (elo.unwrap(), elo_low.unwrap(), elo_high.unwrap());
    assert!(0.0 < elo_low && elo_low < elo && elo < elo_high && elo_high < 2000.0);
    assert!(elo > 300.0, "a weak prior leaves a sweep a sweep, but a has {elo}");
}

#[test]
fn a_field_split_in_one_direction_is_unbounded_across_the_split() {
    // a and b share points, c and d share points, and a and b won all games against c and d.
    let mut games = Games::new(&["a", "b", "c", "d"]);
    for (one, other) in [("a", "b"), ("c", "d")] {
        games.pairs(6, one, other, [Win, Loss]).pairs(4, one, other, [Loss, Win]);
        games.pairs(1, one, other, [Win, Win]).pairs(1, one, other, [Loss, Loss]);
    }
    games.pairs(2, "a", "c", [Win, Loss]);
    let free = games.fit(&NO_PRIOR);
    assert_eq!(order(&free), ["a", "b", "c", "d"]);
    for (engine, above) in [("a", true), ("b", true), ("c", false), ("d", false)] {
        let Estimate { elo, elo_low, elo_high } = rating(&free, engine).estimate;
        assert_eq!(elo, None);
        assert_eq!((elo_low.is_none(), elo_high.is_none()), (!above, above), "{engine}");
    }
    // White won and lost, so its advantage is bounded.
    assert!(free.advantages[0].estimate.elo.is_some());
    // Anchored inside a group, that group is bounded.
    let anchors = vec![Anchor { engine: "a".to_owned(), elo: 100.0 }];
    let anchored = games.fit(&FitOptions { anchors, ..NO_PRIOR });
    assert!(rating(&anchored, "b").estimate.elo.is_some());
    let Estimate { elo, elo_low, elo_high } = rating(&anchored, "c").estimate;
    assert_eq!((elo, elo_low), (None, None));
    assert!(elo_high.unwrap() < 100.0);
    assert_eq!(
        rating(&anchored, "a").estimate,
        Estimate { elo: Some(100.0), elo_low: Some(100.0), elo_high: Some(100.0) }
    );

    let bounded = games.fit(&FitOptions::default());
    assert!(bounded.engines.iter().all(|rating| rating.estimate.elo_high.is_some()));
    assert!(bounded.engines.iter().all(|rating| rating.estimate.elo_low.is_some()));
}

#[test]
fn a_circle_of_sweeps_is_bounded() {
    let mut games = Games::new(&["a", "b", "c"]);
    for (one, other) in [("a", "b"), ("b", "c"), ("c", "a")] {
        games.pairs(3, one, other, [Win, Loss]);
    }
    let fit = games.fit(&NO_PRIOR);
    assert_eq!(order(&fit), ["a", "b", "c"]);
    for rating in &fit.engines {
        assert_near(rating.estimate.elo.unwrap(), 0.0, 1e-9);
        assert!(rating.estimate.elo_low.unwrap() < -20.0);
    }
}

#[test]
fn groups_that_never_met_are_not_compared() {
    let mut games = Games::new(&["a", "b", "c", "d"]);
    for (one, other) in [("a", "b"), ("c", "d")] {
        games.pairs(6, one, other, [Win, Loss]).pairs(4, one, other, [Loss, Win]);
        games.pairs(4, one, other, [Win, Win]).pairs(4, one, other, [Loss, Loss]);
    }
    let free = games.fit(&NO_PRIOR);
    for rating in &free.engines {
        assert_eq!(rating.estimate, Estimate::default());
    }
    let place = |engine| order(&free).iter().position(|name| *name == engine).unwrap();
    assert_near(free.los(place("a"), place("d")).unwrap(), 0.5, 1e-6);
    assert!(free.los(place("a"), place("b")).unwrap() > 0.6);

    let bounded = games.fit(&FitOptions::default());
    assert_eq!(order(&bounded), ["a", "c", "b", "d"]);
    assert_near(elo(&bounded, "a"), elo(&bounded, "c"), 1e-9);
    assert!(rating(&bounded, "a").estimate.elo_high.unwrap() > 500.0);
}

#[test]
fn an_advantage_without_exception_is_unbounded() {
    let mut games = Games::new(&["a", "b"]);
    games.pairs_in(Kind::Vela, 4, "a", "b", [Win, Win]);
    games.pairs(5, "a", "b", [Win, Loss]).pairs(5, "a", "b", [Loss, Win]);
    games.pairs(5, "a", "b", [Draw, Draw]);
    let free = games.fit(&NO_PRIOR);
    let of = |fit: &Fit, kind| {
        let advantage = fit.advantages.iter().find(|advantage| advantage.kind == kind);
        advantage.unwrap().estimate
    };
    assert_eq!(of(&free, Kind::Vela).elo, None);
    assert!(of(&free, Kind::Vela).elo_low.unwrap() > 100.0);
    assert_near(of(&free, Kind::Riatra).elo.unwrap(), 0.0, 1e-9);
    assert_near(elo(&free, "a"), 0.0, 1e-9);

    let bounded = games.fit(&FitOptions::default());
    assert!(of(&bounded, Kind::Vela).elo_high.is_some());
    let vela = fit(&games.sample, Kind::Vela.into(), &FitOptions::default()).unwrap();
    assert_eq!((vela.games, vela.pairs, vela.advantages.len()), (8, 4, 1));
}

#[test]
fn one_anchor_shifts_the_ratings_and_two_stretch_them() {
    let mut games = Games::new(&["a", "b", "c"]);
    games.pairs(6, "a", "b", [Win, Loss]).pairs(4, "a", "b", [Loss, Win]);
    games.pairs(9, "b", "c", [Win, Draw]).pairs(2, "b", "c", [Loss, Win]);
    let anchor = |engine: &str, elo| Anchor { engine: engine.to_owned(), elo };
    let superiority = Superiority::OfAll;
    let options = |anchors| FitOptions { anchors, superiority, ..FitOptions::default() };
    let free = games.fit(&FitOptions::default());
    let shifted = games.fit(&options(vec![anchor("b", 1500.0)]));
    for engine in ["a", "b", "c"] {
        let shift = 1500.0 - elo(&free, "b");
        assert_near(elo(&shifted, engine), elo(&free, engine) + shift, 1e-8);
    }
    let stretched = games.fit(&options(vec![anchor("b", 0.0), anchor("a", 500.0)]));
    assert_eq!((elo(&stretched, "a"), elo(&stretched, "b")), (500.0, 0.0));
    assert!(elo(&stretched, "c") < 0.0 && stretched.los(0, 1) == Some(1.0));

    let refusal = |anchors| fit(&games.sample, Scope::All, &options(anchors)).unwrap_err();
    assert_eq!(refusal(vec![anchor("x", 0.0)]), FitError::UnknownAnchor("x".to_owned()));
    assert_eq!(
        refusal(vec![anchor("a", 0.0), anchor("a", 1.0)]),
        FitError::DuplicateAnchor("a".to_owned())
    );
    assert!(matches!(refusal(vec![anchor("a", f64::NAN)]), FitError::AnchorOutOfRange { .. }));
    // An anchor that played other kinds only fixes nothing here.
    let vela = fit(&games.sample, Kind::Vela.into(), &options(vec![anchor("a", 9.0)])).unwrap();
    assert!(vela.engines.iter().all(|rating| rating.estimate == Estimate::default()));
}

#[test]
fn draws_alone_leave_an_interval() {
    let mut games = Games::new(&["a", "b"]);
    games.pairs(50, "b", "a", [Draw, Draw]);
    let fit = games.fit(&FitOptions::default());
    assert_eq!(order(&fit), ["a", "b"]);
    let Estimate { elo, elo_low, elo_high } = rating(&fit, "a").estimate;
    assert_near(elo.unwrap(), 0.0, 1e-9);
    assert!(elo_low.unwrap() < -10.0 && elo_high.unwrap() > 10.0);
    assert_near(rating(&fit, "a").los.unwrap(), 0.5, 1e-6);
}

/// Where nearly every game is drawn, the few that are not tell how much pairs vary: intervals are as narrow
/// as that allows, and a few more decided games never change much at once.
#[test]
fn draws_make_an_interval_narrow() {
    let with_wins = |wins: u64| {
        let mut games = Games::new(&["a", "b"]);
        games.pairs(150 - wins, "a", "b", [Draw, Draw]).pairs(wins, "a", "b", [Win, Draw]);
        let fit = games.fit(&FitOptions::default());
        let Estimate { elo_low, elo_high, .. } = rating(&fit, "a").estimate;
        (elo_high.unwrap() - elo_low.unwrap(), rating(&fit, "a").los.or(fit.los(0, 1)).unwrap())
    };
    let (widths, chances): (Vec<f64>, Vec<f64>) = (0..9).map(with_wins).unzip();
    println!("{widths:?} {chances:?}");
    assert!(widths.iter().all(|width| (3.0..15.0).contains(width)), "{widths:?}");
    assert!(widths.windows(2).all(|two| two[1] > 0.6 * two[0]), "{widths:?}");
    assert!(chances.is_sorted() && chances[0] == 0.5, "{chances:?}");
    assert!(chances[3] < 0.975 && chances[8] > 0.975, "{chances:?}");
}

/// Where all pairs of an engine came out alike, drawn or split, only those of others tell how much pairs
/// vary: its own rating is as uncertain as theirs.
#[test]
fn an_engine_whose_pairs_came_out_alike_is_not_certain() {
    for alike in [[Score::Draw; 2], [Score::Win; 2]] {
        for intervals in [Intervals::Profile, Intervals::Line, Intervals::Quick] {
            let mut games = Games::new(&["a", "b", "c", "d"]);
            for (white, black) in [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")] {
                games.pairs(50, white, black, alike);
            }
            games.pairs(49, "a", "b", alike).pairs(1, "a", "b", [Score::Win, Score::Draw]);
            let fit = games.fit(&FitOptions { intervals, ..FitOptions::default() });
            let width = |engine: &str| {
                let Estimate { elo_low, elo_high, .. } = rating(&fit, engine).estimate;
                elo_high.unwrap() - elo_low.unwrap()
            };
            assert!(width("a") > 10.0, "{alike:?} {intervals:?}: {}", width("a"));
            assert!(width("c") > 0.5 * width("a"), "{alike:?} {intervals:?}: {}", width("c"));
            let likely = fit.engines.iter().filter_map(|engine| engine.los);
            let likely: Vec<f64> = likely.collect();
            assert!(likely.iter().all(|los| (0.2..0.8).contains(los)), "{alike:?} {likely:?}");
        }
    }
}

#[test]
fn priors_off_the_scale_are_refused() {
    assert_eq!(Prior::new(0.0), Ok(Prior::NONE));
    assert_eq!(Prior::new(1000.0), Ok(Prior::default()));
    for deviation in [-1.0, 0.5, 1e6, f64::NAN, f64::INFINITY] {
        assert!(Prior::new(deviation).is_err(), "{deviation}");
    }
}

/// A game of the model, with a third of the decided games made draws.
fn play(random: &mut impl Rng, lead: f64) -> Score {
    let expected = expected_score(lead);
    let draw = 0.4 * expected.min(1.0 - expected);
    let toss: f64 = random.random();
    if toss < expected - draw / 2.0 {
        Win
    } else if toss < expected + draw / 2.0 {
        Draw
    } else {
        Loss
    }
}

const TRUTH: [(&str, f64); 5] =
    [("a", 310.0), ("b", 90.0), ("c", 20.0), ("d", -120.0), ("e", -300.0)];
const ADVANTAGES: [(Kind, f64); 3] =
    [(Kind::Riatra, 60.0), (Kind::Vela, -200.0), (Kind::Session, 10.0)];

fn simulate(seed: u64, rounds: u64) -> Games {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut games = Games::new(&TRUTH.map(|(name, _)| name));
    for (place, (one, strength)) in TRUTH.iter().enumerate() {
        for (other, opponent) in &TRUTH[place + 1..] {
            for (kind, advantage) in ADVANTAGES {
                for _ in 0..rounds {
                    let scores = [strength - opponent, opponent - strength]
                        .map(|lead| play(&mut random, lead + advantage));
                    games.pairs_in(kind, 1, one, other, scores);
                }
            }
        }
    }
    games
}

#[test]
fn the_fit_recovers_known_ratings() {
    let fit = simulate(7, 3000).fit(&FitOptions::default());
    assert_eq!(order(&fit), TRUTH.map(|(name, _)| name));
    for (name, truth) in TRUTH {
        assert_near(elo(&fit, name), truth, 8.0);
    }
    for (advantage, (kind, truth)) in fit.advantages.iter().zip(ADVANTAGES) {
        assert_eq!(advantage.kind, kind);
        assert_near(advantage.estimate.elo.unwrap(), truth, 8.0);
    }
}

#[test]
fn intervals_have_their_coverage() {
    let (mut held, mut all) = (0, 0);
    for seed in 0..600 {
        let fit = simulate(seed, 10).fit(&FitOptions::default());
        let engines = TRUTH.iter().map(|(name, truth)| (rating(&fit, name).estimate, truth));
        let advantages = fit.advantages.iter().zip(&ADVANTAGES);
        let advantages = advantages.map(|(advantage, (_, truth))| (advantage.estimate, truth));
        for (Estimate { elo_low, elo_high, .. }, &truth) in engines.chain(advantages) {
            all += 1;
            held += u32::from(elo_low.unwrap() <= truth && truth <= elo_high.unwrap());
        }
    }
    let share = f64::from(held) / f64::from(all);
    println!("{share}");
    assert!((0.935..=0.96).contains(&share), "{held} of {all}");
}

#[test]
fn one_decided_pair_of_thirty_proves_nothing() {
    // White won every other game, so that the advantage is bounded by the prior alone.
    let split = |one: [Score; 2]| {
        let mut games = Games::new(&["a", "b"]);
        games.pairs(29, "a", "b", [Win, Win]).pairs(1, "a", "b", one);
        let fit = games.fit(&FitOptions::default());
        (rating(&fit, "a").estimate, fit.los(0, 1).unwrap())
    };
    let (estimate, los) = split([Win, Loss]);
    assert!((0.6..0.9).contains(&los), "{los}");
    assert!(estimate.elo_low.unwrap() < 0.0, "{estimate:?}");
    // With six such pairs it is different.
    let mut games = Games::new(&["a", "b"]);
    games.pairs(24, "a", "b", [Win, Win]).pairs(6, "a", "b", [Win, Loss]);
    assert!(games.fit(&FitOptions::default()).los(0, 1).unwrap() > 0.975);
}

/// Two engines, White far ahead: a match in which few pairs are not split. The whole simulation is
/// `cargo run --release -p fanorona-ratings --example coverage`.
#[test]
fn few_pairs_of_two_engines_give_wide_intervals() {
    const MATCHES: u32 = 120;
    for (advantage, lead, pairs) in [(400.0, 0.0, 10), (600.0, 100.0, 30), (0.0, 200.0, 8)] {
        let mut random = ChaCha8Rng::seed_from_u64(pairs);
        let (mut held, mut wrong) = (0, 0);
        for _ in 0..MATCHES {
            let mut games = Games::new(&["a", "b"]);
            for _ in 0..pairs {
                let scores = [lead, -lead].map(|lead| play(&mut random, lead + advantage));
                games.pairs(1, "a", "b", scores);
            }
            let fit = games.fit(&FitOptions::default());
            let Estimate { elo_low, elo_high, .. } = rating(&fit, "a").estimate;
            held += u32::from((elo_low.unwrap()..=elo_high.unwrap()).contains(&(lead / 2.0)));
            wrong += u32::from(fit.los(0, 1).unwrap() >= 0.975 && order(&fit) == ["b", "a"]);
            wrong += u32::from(fit.los(0, 1).unwrap() >= 0.975 && lead == 0.0);
        }
        let share = |count: u32| f64::from(count) / f64::from(MATCHES);
        assert!(share(held) >= 0.92, "{advantage} {lead} {pairs}: {held} of {MATCHES}");
        assert!(share(wrong) <= 0.06, "{advantage} {lead} {pairs}: {wrong} of {MATCHES}");
    }
}

#[test]
fn a_repeated_pair_is_no_new_observation() {
    let once = |games: &mut Games| {
        games.pairs(3, "a", "b", [Win, Win]).pairs(3, "a", "b", [Draw, Draw]);
        games.pairs(2, "a", "b", [Win, Loss]);
    };
    let mut games = Games::new(&["a", "b"]);
    once(&mut games);
    let known = games.fit(&FitOptions::default());
    let [a, b] = ["a", "b"].map(|name| games.sample.engine(name).unwrap());
    let kind = Kind::Riatra;
    for pair in (100..150).map(PairKey) {
        for (first, second, score) in [(a, b, Win), (b, a, Loss)] {
            games.sample.push_repeat(ScoredGame { first, second, kind, score, pair }).unwrap();
        }
    }
    let fit = games.fit(&FitOptions::default());
    for (one, other) in known.engines.iter().zip(&fit.engines) {
        assert_eq!((one.estimate, one.los), (other.estimate, other.los));
    }
    assert_eq!((known.pairs, known.repeated_pairs), (8, 0));
    assert_eq!((fit.pairs, fit.repeated_pairs, fit.games), (58, 50, 116));
    assert_eq!(games.sample.repeated_pairs(a, b, Scope::All), 50);
    assert_eq!(games.sample.pentanomial(a, b, Scope::All).pairs(), 8);
    // A pair with one new game adds information.
    let pair = PairKey(1000);
    let game = |first, second, score| ScoredGame { first, second, kind, score, pair };
    games.sample.push_repeat(game(a, b, Win)).unwrap();
    games.sample.push(game(b, a, Draw)).unwrap();
    assert_eq!(games.sample.pentanomial(a, b, Scope::All).pairs(), 9);
}

#[test]
fn engines_that_no_game_connects_are_groups() {
    let mut games = Games::new(&["a", "b", "c", "d", "e", "idle"]);
    games.pairs(1, "a", "d", [Win, Loss]).pairs(1, "c", "b", [Win, Win]);
    let groups = |games: &Games| {
        let names: Vec<_> = games.sample.engines().collect();
        let name = |id| names.iter().find(|(known, _)| *known == id).unwrap().1.to_owned();
        let groups = games.sample.groups(Scope::All);
        let groups =
            groups.into_iter().map(|group| group.into_iter().map(name).collect::<String>());
        groups.collect::<Vec<_>>()
    };
    assert_eq!(groups(&games), ["ad", "bc"]);
    games.pairs_in(Kind::Vela, 1, "e", "d", [Win, Loss]).pairs(1, "c", "e", [Draw, Draw]);
    assert_eq!(groups(&games), ["abcde"]);
    assert_eq!(games.sample.groups(Kind::Vela.into()).len(), 1);
}

#[test]
fn a_lead_is_more_certain_than_its_two_ratings() {
    let fit = simulate(3, 20)
        .fit(&FitOptions { superiority: Superiority::OfAll, ..FitOptions::default() });
    for (rank, engine) in fit.engines.iter().enumerate() {
        for (lower, opponent) in fit.engines.iter().enumerate().skip(rank + 1) {
            let lead = fit.lead(rank, lower).unwrap();
            let apart = engine.estimate.elo.unwrap() - opponent.estimate.elo.unwrap();
            assert_near(lead.elo.unwrap(), apart, 1e-9);
            let width = |it: &Estimate| it.elo_high.unwrap() - it.elo_low.unwrap();
            assert!(width(&lead) < width(&engine.estimate) + width(&opponent.estimate));
            assert_eq!(lead.elo_low.unwrap() > 0.0, fit.los(rank, lower).unwrap() > 0.975);
        }
        assert!((0..=rank).all(|higher| fit.lead(rank, higher).is_none()));
    }
}

/// Small samples of up to four engines, sweeps and draws among them.
fn small_results() -> impl Strategy<Value = Vec<(usize, usize, usize, Score, u64)>> {
    let score = prop_oneof![
        Just(vec![Win]),
        Just(vec![Draw]),
        Just(vec![Loss, Win]),
        Just(vec![Loss, Draw, Win])
    ];
    score.prop_flat_map(|scores| {
        let score = prop::sample::select(scores);
        let game = (0..4usize, 1..4usize, 0..3usize, score);
        prop::collection::vec(game, 0..14).prop_map(|games| {
            let numbered = games.into_iter().enumerate();
            numbered
                .map(|(number, (first, further, kind, score))| {
                    (first, (first + further) % 4, kind, score, number as u64 / 2)
                })
                .collect()
        })
    })
}

fn sample_of(results: &[(usize, usize, usize, Score, u64)]) -> Sample {
    let mut sample = Sample::new(["a", "b", "c", "d"]).unwrap();
    let ids: Vec<_> = sample.engines().map(|(id, _)| id).collect();
    for &(first, second, kind, score, pair) in results {
        let (first, second, kind) = (ids[first], ids[second], Kind::ALL[kind]);
        sample.push(ScoredGame { first, second, kind, score, pair: PairKey(pair) }).unwrap();
    }
    sample
}

fn sane(estimate: &Estimate) -> bool {
    let Estimate { elo, elo_low, elo_high } = *estimate;
    let finite = [elo, elo_low, elo_high].into_iter().flatten().all(f64::is_finite);
    let above = elo_low.zip(elo).is_none_or(|(low, elo)| low <= elo + 1e-6);
    let below = elo_high.zip(elo).is_none_or(|(high, elo)| high >= elo - 1e-6);
    finite && above && below && (elo.is_none() || elo_low.is_some() && elo_high.is_some())
}

/// Whether the probability of superiority is beyond 97.5 % exactly if the interval of the lead excludes 0.
fn agree(los: f64, lead: &Estimate) -> bool {
    let sides = [
        (los, lead.elo_low.unwrap_or(f64::NEG_INFINITY)),
        (1.0 - los, -lead.elo_high.unwrap_or(f64::INFINITY)),
    ];
    sides.iter().all(|&(los, end)| {
        (los > 0.975) == (end > 0.0) || (los - 0.975).abs() < 1e-6 || end.abs() < 1e-6
    })
}

#[test]
fn an_interval_excludes_0_exactly_if_superiority_is_beyond_97_5_percent() {
    for won in 0..=20 {
        for lost in 0..=3 {
            for drawn in [0, 5] {
                let mut games = Games::new(&["a", "b"]);
                games.pairs(won, "a", "b", [Win, Loss]).pairs(lost, "a", "b", [Loss, Win]);
                games.pairs(drawn, "a", "b", [Draw, Draw]);
                for options in [NO_PRIOR, FitOptions::default()] {
                    let fit = games.fit(&options);
                    let Some((los, lead)) = fit.los(0, 1).zip(fit.lead(0, 1)) else { continue };
                    assert!(agree(los, &lead), "{won} {lost} {drawn}: {los} {lead:?}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn small_samples_give_ordered_intervals_and_probabilities(
        results in small_results(),
        prior in prop::sample::select(vec![0.0, 1.0, 1000.0, 100_000.0]),
        anchored in 0..4usize,
    ) {
        let sample = sample_of(&results);
        let anchors = ["a", "b", "c"].iter().zip([0.0, 800.0, -10_000.0]).take(anchored);
        let anchors =
            anchors.map(|(engine, elo)| Anchor { engine: (*engine).to_owned(), elo }).collect();
        let superiority = Superiority::OfAll;
        let options = FitOptions {
            prior: Prior::new(prior).unwrap(),
            anchors,
            superiority,
            ..FitOptions::default()
        };
        for scope in Scope::ALL {
            let fit = fit(&sample, scope, &options).unwrap();
            prop_assert_eq!(fit.engines.len(), 4);
            for rating in &fit.engines {
                prop_assert!(sane(&rating.estimate), "{:?}", rating);
                prop_assert_eq!(
                    rating.estimate.elo.is_some() || prior == 0.0,
                    rating.games > 0 || prior == 0.0
                );
            }
            for advantage in &fit.advantages {
                prop_assert!(sane(&advantage.estimate), "{:?}", advantage);
            }
            for los in (0..16).filter_map(|it| fit.los(it / 4, it % 4)) {
                prop_assert!((0.0..=1.0).contains(&los));
            }
            for (rank, lower) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                let compared = fit.los(rank, lower).zip(fit.lead(rank, lower));
                prop_assert!(compared.is_none_or(|(los, lead)| agree(los, &lead)), "{:?}", compared);
            }
        }
    }

    #[test]
    fn the_order_of_results_makes_no_difference(
        results in small_results(),
        shuffled in any::<u64>(),
        prior in prop::sample::select(vec![0.0, 1000.0]),
    ) {
        let options = FitOptions { prior: Prior::new(prior).unwrap(), ..FitOptions::default() };
        let mut random = ChaCha8Rng::seed_from_u64(shuffled);
        let mut others = results.clone();
        for place in (1..others.len()).rev() {
            others.swap(place, random.random_range(0..=place));
        }
        let (one, other) = (sample_of(&results), sample_of(&others));
        for scope in Scope::ALL {
            prop_assert_eq!(fit(&one, scope, &options), fit(&other, scope, &options));
        }
    }
}

#[test]
fn samples_without_games_have_an_empty_fit() {
    for engines in [&[][..], &["only"], &["a", "b"]] {
        let games = Games::new(engines);
        for options in [NO_PRIOR, FitOptions::default()] {
            let fit = games.fit(&options);
            assert_eq!(order(&fit), engines);
            assert!(fit.engines.iter().all(|rating| rating.estimate == Estimate::default()));
            assert_eq!((fit.games, fit.pairs, fit.advantages.len()), (0, 0, 0));
        }
    }
}

/// A table needs no more than neighbours; programs may ask for everybody.
#[test]
fn superiority_compares_neighbours_by_default() {
    let mut games = Games::new(&["a", "b", "c"]);
    games.pairs(3, "a", "b", [Score::Win, Score::Draw]).pairs(3, "b", "c", [Score::Win; 2]);
    games.pairs(1, "c", "a", [Score::Win, Score::Loss]);
    let neighbours = games.fit(&FitOptions::default());
    let options = FitOptions { superiority: Superiority::OfAll, ..FitOptions::default() };
    let all = games.fit(&options);
    for (one, other) in (0..9).map(|it| (it / 3, it % 3)) {
        let [los, whole] = [&neighbours, &all].map(|fit| fit.los(one, other));
        match one.abs_diff(other) {
            0 => assert_eq!((los, whole), (None, None)),
            1 => assert_eq!((los, los.is_some()), (whole, true)),
            _ => assert_eq!((los, whole.is_some()), (None, true)),
        }
    }
    assert_eq!(neighbours.engines, all.engines);
    assert!(all.compares_all() && !neighbours.compares_all());
}

#[test]
fn line_intervals_of_many_games_equal_those_of_the_profile() {
    let line = FitOptions { intervals: Intervals::Line, ..FitOptions::default() };
    let games = simulate(7, 40);
    let (one, other) = (games.fit(&line), games.fit(&FitOptions::default()));
    for (line, whole) in one.engines.iter().zip(&other.engines) {
        assert_eq!(line.engine, whole.engine);
        assert_near(line.estimate.elo.unwrap(), whole.estimate.elo.unwrap(), 1e-9);
        assert_near(line.estimate.elo_low.unwrap(), whole.estimate.elo_low.unwrap(), 1e-6);
        assert_near(line.estimate.elo_high.unwrap(), whole.estimate.elo_high.unwrap(), 1e-6);
    }
}

#[test]
fn line_intervals_of_few_games_have_the_same_ratings_and_are_bounded() {
    let mut games = Games::new(&["a", "b", "c"]);
    games.pairs(1, "a", "b", [Score::Win, Score::Loss]);
    games.pairs(1, "b", "c", [Score::Draw, Score::Loss]);
    let line = FitOptions { intervals: Intervals::Line, ..FitOptions::default() };
    let (one, other) = (games.fit(&line), games.fit(&FitOptions::default()));
    for (line, whole) in one.engines.iter().zip(&other.engines) {
        assert_eq!((&line.engine, line.estimate.elo), (&whole.engine, whole.estimate.elo));
        let width = |it: &Estimate| it.elo_high.unwrap() - it.elo_low.unwrap();
        let ratio = width(&line.estimate) / width(&whole.estimate);
        assert!((0.5..2.0).contains(&ratio), "{line:?} {whole:?}");
    }
    assert!(one.engines[0].los.unwrap() > 0.5);
}

#[test]
fn quick_intervals_are_rough_and_of_the_same_ratings() {
    let games = simulate(7, 40);
    let quick = FitOptions { intervals: Intervals::Quick, ..FitOptions::default() };
    let (one, other) = (games.fit(&quick), games.fit(&FitOptions::default()));
    for (quick, whole) in one.engines.iter().zip(&other.engines) {
        assert_eq!((&quick.engine, quick.estimate.elo), (&whole.engine, whole.estimate.elo));
        let width = |it: &Estimate| it.elo_high.unwrap() - it.elo_low.unwrap();
        let ratio = width(&quick.estimate) / width(&whole.estimate);
        assert!((0.6..1.4).contains(&ratio), "{quick:?} {whole:?}");
    }
}

#[test]
fn a_fit_reports_its_progress() {
    let games = simulate(3, 2);
    let told = std::cell::RefCell::new(Vec::new());
    let watch = |at: FitProgress| told.borrow_mut().push((at.done, at.all));
    fit_watched(&games.sample, Scope::All, &FitOptions::default(), &watch).unwrap();
    let told = told.into_inner();
    assert!(told.is_sorted() && told[0].0 == 0, "{told:?}");
    assert_eq!(told.last().map(|(done, all)| done + 1 == *all), Some(true), "{told:?}");
}
