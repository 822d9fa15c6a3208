//! A million games among twenty engines: gathering them, and rating them.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fanorona_arena::kind::Kind;
use fanorona_arena::ratings::{
    EngineId, FitOptions, GameResult, PairId, Sample, Scope, Score, expected_score, fit,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ENGINES: usize = 20;
const GAMES: usize = 1_000_000;

fn ids(sample: &Sample) -> Vec<EngineId> {
    sample.engines().map(|(id, _)| id).collect()
}

fn empty() -> Sample {
    Sample::new((0..ENGINES).map(|number| format!("engine {number:02}"))).expect("names differ")
}

/// Pairs of random engines, 40 Elo from one to the next.
fn games() -> Vec<GameResult> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let ids = ids(&empty());
    let mut games = Vec::with_capacity(GAMES);
    for pair in 0..GAMES as u64 / 2 {
        let one = random.random_range(0..ENGINES);
        let other = (one + random.random_range(1..ENGINES)) % ENGINES;
        let kind = Kind::ALL[random.random_range(0..3)];
        for (first, second) in [(one, other), (other, one)] {
            let expected = expected_score(40.0 * (second as f64 - first as f64) + 30.0);
            let toss: f64 = random.random();
            let score = if toss < 0.8 * expected {
                Score::Win
            } else if toss < 0.2 + 0.8 * expected {
                Score::Draw
            } else {
                Score::Loss
            };
            let (first, second, pair) = (ids[first], ids[second], PairId(pair));
            games.push(GameResult { first, second, kind, score, pair });
        }
    }
    games
}

fn gathered(games: &[GameResult]) -> Sample {
    let mut sample = empty();
    for &game in games {
        sample.push(game).expect("the games are of these engines");
    }
    sample
}

fn ratings(criterion: &mut Criterion) {
    let games = games();
    let sample = gathered(&games);
    let options = FitOptions::default();
    let mut group = criterion.benchmark_group("a million games of twenty engines");
    group.sample_size(10);
    group.bench_function("gather", |bench| bench.iter(|| gathered(black_box(&games))));
    group.bench_function("rate", |bench| {
        bench.iter(|| fit(black_box(&sample), Scope::All, &options).expect("no anchors"));
    });
    group.finish();
}

criterion_group!(benches, ratings);
criterion_main!(benches);
