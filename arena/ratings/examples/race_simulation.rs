//! The games that a race saves, in simulated tournaments that look for the best engine.
//!
//!     cargo run --release -p fanorona-ratings --example race_simulation
//!
//! Fields of 4 and 16 engines, or of the sizes that are given as arguments. The tournaments of a
//! field are simulated on all processors; 64 engines take four minutes on two, so only four
//! tournaments are simulated instead of twenty. In a *ladder* each engine is 20 Elo weaker than the
//! one before; in a *pack* the best is 50 Elo ahead of all others, which are level. A third of the
//! games between equals are drawn. The methods:
//!
//! - race: `format = "race"`, which chooses pairings and stops by itself, with an error of 5 %;
//! - round-robin and gauntlet (every engine plays the last one): whole rounds until the same rule
//!   stops them, which looks at the results after every round, and in fields of more than 16 engines
//!   after every 1000 pairs;
//! - halving: in each stage a round-robin of those that are left, which then lose their weaker half
//!   (Karnin, Koren and Somekh 2013), with the fewest pairs per stage that had at most 5 % errors in
//!   these simulations. It knows this number in advance and gives no guarantee, so it is a yardstick.
//!
//! The table shows the mean number of pairs of games, and how often the wrong engine was named. A
//! method that had not stopped after the maximum counts with the maximum, and is marked.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};

use fanorona_ratings::kind::Kind;
use fanorona_ratings::{
    Entrant, PairKey, Race, RaceOptions, Sample, Scope, Score, ScoredGame, elo, expected_score,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEEDS: u64 = 20;
const DRAWS: f64 = 1.0 / 3.0;
const OPTIONS: RaceOptions = RaceOptions { best: 1, error: 0.05, within: 0.0 };
#[derive(Clone, Copy)]
enum Shape {
    Ladder,
    Pack,
}

/// A field of engines, of which the first is the best.
struct Field {
    elo: Vec<f64>,
    sample: Sample,
    ids: Vec<Entrant>,
    random: ChaCha8Rng,
    pairs: u64,
}

impl Field {
    fn new(shape: Shape, engines: usize, seed: u64) -> Field {
        let strength = |place: usize| match shape {
            Shape::Ladder => -20.0 * place as f64,
            Shape::Pack => {
                if place == 0 {
                    0.0
                } else {
                    -50.0
                }
            }
        };
        let sample = Sample::new((0..engines).map(|it| format!("{it:02}"))).expect("names differ");
        let ids = sample.engines().map(|(id, _)| id).collect();
        let elo = (0..engines).map(strength).collect();
        Field { elo, sample, ids, random: ChaCha8Rng::seed_from_u64(seed), pairs: 0 }
    }

    fn place(&self, id: Entrant) -> usize {
        self.ids.iter().position(|it| *it == id).expect("it is one of them")
    }

    /// Plays a pair of games.
    fn pair(&mut self, one: usize, other: usize) {
        self.pairs += 1;
        for (first, second) in [(one, other), (other, one)] {
            let score = expected_score(self.elo[first] - self.elo[second]);
            let draws = DRAWS * 4.0 * score * (1.0 - score);
            let toss: f64 = self.random.random();
            let score = match toss {
                toss if toss < score - draws / 2.0 => Score::Win,
                toss if toss < score + draws / 2.0 => Score::Draw,
                _ => Score::Loss,
            };
            let (first, second) = (self.ids[first], self.ids[second]);
            let (kind, pair) = (Kind::Riatra, PairKey(self.pairs));
            let game = ScoredGame { first, second, kind, score, pair };
            self.sample.push(game).expect("it fits the sample");
        }
    }

    fn race(&self) -> Option<Race> {
        Race::new(&self.sample, Scope::All, OPTIONS)
    }
}

/// The outcome of one simulated tournament: the pairs, whether the best was named, and whether it
/// stopped by itself.
type Outcome = (u64, bool, bool);

fn concluded(field: &Field, race: &Race, has_stopped: bool) -> Outcome {
    (field.pairs, field.place(race.leaders()[0]) == 0, has_stopped)
}

fn by_race(mut field: Field, most: u64) -> Outcome {
    let engines = field.elo.len();
    for one in 0..engines {
        field.pair(one, (one + 1) % engines);
    }
    loop {
        let race = field.race().expect("all have played");
        if race.is_decided() || field.pairs >= most {
            return concluded(&field, &race, race.is_decided());
        }
        let mut random = ChaCha8Rng::seed_from_u64(1_000_000 + field.pairs);
        // As many encounters between two looks at the results as in the arena.
        for _ in 0..engines.div_ceil(4) {
            let (one, other) = race.choose(&mut random);
            field.pair(field.place(one), field.place(other));
        }
    }
}

fn by_rounds(mut field: Field, encounters: &[(usize, usize)], most: u64) -> Outcome {
    // A look takes long in a large field, where a round of a gauntlet is a small part of the whole.
    let between = if field.elo.len() > 16 { 1000 } else { 1 };
    loop {
        let next = field.pairs + between;
        while field.pairs < next {
            encounters.iter().for_each(|&(one, other)| field.pair(one, other));
        }
        let race = field.race().expect("all have played");
        if race.is_decided() || field.pairs >= most {
            return concluded(&field, &race, race.is_decided());
        }
    }
}

/// Every two of some engines.
fn all_pairs(engines: &[usize]) -> Vec<(usize, usize)> {
    let with = |(place, &one): (usize, &usize)| {
        engines[place + 1..].iter().map(move |&other| (one, other)).collect::<Vec<_>>()
    };
    engines.iter().enumerate().flat_map(with).collect()
}

/// Successive halving with this many pairs of games for each engine in a stage.
fn by_halving(mut field: Field, per_engine: usize) -> Outcome {
    let mut left: Vec<usize> = (0..field.elo.len()).collect();
    while left.len() > 1 {
        let encounters = all_pairs(&left);
        let pairs = per_engine * left.len() / 2;
        for number in 0..pairs.max(encounters.len()) {
            let (one, other) = encounters[number % encounters.len()];
            field.pair(one, other);
        }
        let ratings = elo(&field.sample, Scope::All);
        left.sort_by(|&one, &other| ratings[other].partial_cmp(&ratings[one]).expect("all played"));
        left.truncate(left.len().div_ceil(2));
    }
    (field.pairs, left[0] == 0, true)
}

/// The results of `play` for every seed, with as many seeds at once as there are processors.
fn for_all_seeds(seeds: u64, play: impl Fn(u64) -> Outcome + Sync) -> Vec<Outcome> {
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let work = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let own = numbers.take_while(|seed| *seed < seeds);
        own.map(|seed| (seed, play(seed))).collect::<Vec<_>>()
    };
    let mut outcomes: Vec<(u64, Outcome)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|it| it.join().expect("no simulation panics")).collect()
    });
    outcomes.sort_by_key(|(seed, _)| *seed);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn mean(outcomes: &[Outcome]) -> (f64, f64, bool) {
    let count = outcomes.len() as f64;
    let pairs = outcomes.iter().map(|it| it.0 as f64).sum::<f64>() / count;
    let wrong = outcomes.iter().filter(|it| !it.1).count() as f64 / count;
    (pairs, wrong, outcomes.iter().all(|it| it.2))
}

fn shown((pairs, wrong, has_stopped): (f64, f64, bool)) -> String {
    let mark = if has_stopped { "" } else { "over " };
    format!("{mark}{pairs:.0} ({:.0} %)", 100.0 * wrong)
}

fn main() {
    println!("| engines | field | race | round-robin | gauntlet | halving | round-robin : race |");
    println!("|---|---|---|---|---|---|---|");
    let given: Vec<usize> = std::env::args().skip(1).filter_map(|it| it.parse().ok()).collect();
    let sizes = if given.is_empty() { vec![4, 16] } else { given };
    for engines in sizes {
        // Large fields take long.
        let seeds = if engines > 16 { SEEDS / 5 } else { SEEDS };
        for (name, shape) in [("ladder", Shape::Ladder), ("pack", Shape::Pack)] {
            let most = 3000 * engines as u64;
            let all = |play: &(dyn Fn(Field) -> Outcome + Sync)| {
                mean(&for_all_seeds(seeds, |seed| play(Field::new(shape, engines, seed))))
            };
            let race = all(&|field| by_race(field, most));
            let everybody: Vec<usize> = (0..engines).collect();
            let encounters = all_pairs(&everybody);
            let round_robin = all(&|field| by_rounds(field, &encounters, most));
            let against_last: Vec<_> = (0..engines - 1).map(|one| (one, engines - 1)).collect();
            let gauntlet = all(&|field| by_rounds(field, &against_last, most));
            let budgets = [25, 50, 100, 200, 400, 800];
            let halvings = budgets.map(|pairs| all(&|field| by_halving(field, pairs)));
            let halving = halvings.into_iter().find(|it| it.1 <= 0.05).unwrap_or(halvings[5]);
            println!(
                "| {engines} | {name} | {} | {} | {} | {} | {:.1} |",
                shown(race),
                shown(round_robin),
                shown(gauntlet),
                shown(halving),
                round_robin.0 / race.0
            );
        }
    }
}
