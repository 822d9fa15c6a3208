//! Searches for the optimum of functions that are known.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{FunctionPrior, MatchResult, Posterior, Space};
use crate::expected_score;

/// A search with simulated games between settings of this strength.
struct Search<'f> {
    elo: &'f dyn Fn(&[f64]) -> f64,
    space: Space,
    model: FunctionPrior,
    comparisons: Vec<MatchResult>,
    random: ChaCha8Rng,
}

impl<'f> Search<'f> {
    fn new(dimensions: usize, seed: u64, elo: &'f dyn Fn(&[f64]) -> f64) -> Search<'f> {
        Search {
            elo,
            space: Space::new(vec![0.0; dimensions]).unwrap(),
            model: FunctionPrior::new(dimensions),
            comparisons: Vec::new(),
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Games without draws.
    fn play(&mut self, one: Vec<f64>, other: Vec<f64>, games: u64) {
        let expected = expected_score((self.elo)(&one) - (self.elo)(&other));
        let mut results = [0; 3];
        for _ in 0..games {
            let toss = self.random.next_u64() as f64 / 2_f64.powi(64);
            results[if toss < expected { 0 } else { 2 }] += 1;
        }
        self.comparisons.push(MatchResult { one, other, results });
    }

    fn posterior(&self) -> Posterior {
        Posterior::new(&self.model, &self.comparisons)
    }

    /// Comparisons with points that are spread, then of those that are chosen.
    fn run(&mut self, chosen: usize, games: u64) -> Vec<f64> {
        let dimensions = self.space.dimensions();
        let middle = vec![0.5; dimensions];
        for number in 0..2 * (dimensions as u32 + 1) {
            let point = self.space.halton(number, &vec![0.0; dimensions]);
            self.play(point, middle.clone(), games);
        }
        let mut best = middle;
        for _ in 0..chosen {
            self.model = self.model.fitted(&self.comparisons);
            let posterior = self.posterior();
            let [one, other] = posterior.choose(&self.space, &best, games as f64, &mut self.random);
            assert_ne!(one, other);
            self.play(one, other, games);
            best = self.posterior().maximum(&self.space, &best, &mut self.random);
        }
        best
    }
}

fn paraboloid(point: &[f64]) -> f64 {
    let top = [0.8, 0.3, 0.6];
    point.iter().zip(top).map(|(value, top)| -600.0 * (value - top).powi(2)).sum()
}

#[test]
fn the_maximum_is_found_and_its_interval_covers_it() {
    let (mut held, mut narrow) = (0, 0);
    for seed in 0..10 {
        let mut search = Search::new(2, seed, &paraboloid);
        let best = search.run(20, 40);
        assert!(paraboloid(&best) > -40.0, "{best:?}");
        let posterior = search.posterior();
        let interval = posterior.interval(&search.space, &best, &mut search.random);
        for ((low, high), top) in interval.into_iter().zip([0.8, 0.3]) {
            narrow += u32::from(high - low < 0.6);
            held += u32::from((low..=high).contains(&top));
        }
    }
    assert!(held >= 17 && narrow >= 16, "{held} and {narrow} of 20");
}

#[test]
fn the_lead_has_the_deviation_of_its_games() {
    let mut held = 0;
    for seed in 0..40 {
        let mut search = Search::new(1, seed, &paraboloid);
        // A function that varies this much is hardly drawn towards zero.
        search.model.deviation = 3.0;
        search.play(vec![0.7], vec![0.3], 200);
        let lead = search.posterior().lead(&[0.7], &[0.3]);
        let truth = paraboloid(&[0.7]) - paraboloid(&[0.3]);
        held += u32::from((lead.elo - truth).abs() < 1.96 * lead.deviation);
        // 200 games determine a difference to about 27 Elo.
        assert!((22.0..34.0).contains(&lead.deviation), "{lead:?}");
        let back = search.posterior().lead(&[0.3], &[0.7]);
        assert!((back.elo + lead.elo).abs() < 1e-9);
    }
    assert!(held >= 34, "{held} of 40");
}

#[test]
fn an_option_without_effect_gets_a_long_length_scale() {
    let mut search = Search::new(2, 1, &|point| paraboloid(&point[..1]));
    search.run(15, 40);
    let length_scales = &search.model.length_scales;
    assert!(length_scales[1] > 1.5 * length_scales[0], "{length_scales:?}");
}

#[test]
fn without_any_effect_the_interval_is_wide() {
    let mut narrow = 0;
    for seed in 0..10 {
        let mut search = Search::new(1, seed, &|_| 0.0);
        let best = search.run(10, 20);
        let posterior = search.posterior();
        let (low, high) = posterior.interval(&search.space, &best, &mut search.random)[0];
        narrow += u32::from(high - low < 0.7);
    }
    assert!(narrow <= 2, "{narrow} of 10");
}

#[test]
fn a_clean_sweep_has_a_bounded_lead() {
    let search = Search::new(1, 1, &paraboloid);
    let won = MatchResult { one: vec![0.9], other: vec![0.1], results: [1000, 0, 0] };
    let posterior = Posterior::new(&search.model, &[won]);
    let lead = posterior.lead(&[0.9], &[0.1]);
    assert!((100.0..2000.0).contains(&lead.elo) && lead.deviation > 10.0, "{lead:?}");
}

#[test]
fn draws_make_games_less_noisy() {
    let draws = MatchResult { one: vec![0.9], other: vec![0.1], results: [100, 800, 100] };
    let decided = MatchResult { results: [500, 0, 500], ..draws.clone() };
    let deviation = |comparison: MatchResult| {
        let comparisons = [comparison];
        let model = FunctionPrior::new(1).fitted(&comparisons);
        Posterior::new(&model, &comparisons).lead(&[0.9], &[0.1]).deviation
    };
    assert!(deviation(draws) < 0.6 * deviation(decided));
}

#[test]
fn a_seed_determines_the_search() {
    let found = |seed| {
        let mut search = Search::new(3, seed, &paraboloid);
        (search.run(4, 10), search.comparisons)
    };
    assert_eq!(found(3), found(3));
    assert_ne!(found(3), found(4));
}

#[test]
fn before_any_game_all_means_are_equal() {
    let search = Search::new(2, 1, &paraboloid);
    let lead = search.posterior().lead(&[0.1, 0.2], &[0.9, 0.4]);
    assert!(lead.elo == 0.0 && lead.deviation > 50.0, "{lead:?}");
}
