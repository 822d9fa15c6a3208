//! The cost of a fit against the size of the field, and how often its intervals hold the truth there.
//!
//! `cargo run --release -p fanorona-ratings --example scale -- [ENGINES [GAMES [swiss|groups [FILE]]]]`; with a
//! FILE the games are written to it as a table for `arena rate` instead.

use std::cell::OnceCell;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::Instant;

use fanorona_ratings::kind::Kind;
use fanorona_ratings::{
    FitCheck, FitOptions, FitProgress, PairKey, Sample, Scope, Score, ScoredGame, expected_score,
    fit_watched,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The pairing of the engines.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Field {
    /// In every round, engines with about the same points so far.
    Swiss,
    /// Round robins in groups of twenty.
    Groups,
}

/// A tournament of engines whose strengths are normally distributed with 300 Elo.
struct Played {
    /// In Elo, with mean zero.
    strengths: Vec<f64>,
    /// The first engine and the second one, and the score of the first; two games are a pair.
    games: Vec<([usize; 2], Score)>,
}

impl Played {
    fn new(field: Field, engines: usize, games: usize) -> Played {
        let mut random = ChaCha8Rng::seed_from_u64(engines as u64);
        let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
        let mut strengths: Vec<f64> = (0..engines).map(|_| 300.0 * normal()).collect();
        let mean = strengths.iter().sum::<f64>() / engines.max(1) as f64;
        strengths.iter_mut().for_each(|strength| *strength -= mean);
        let mut points = vec![0; engines];
        let mut played = Played { strengths, games: Vec::with_capacity(games) };
        let mut meet = |points: &mut [usize], one: usize, other: usize| {
            for [first, second] in [[one, other], [other, one]] {
                let lead = played.strengths[first] - played.strengths[second] + ADVANTAGE;
                let expected = expected_score(lead);
                let draw = 0.4 * expected.min(1.0 - expected);
                let score = match random.random::<f64>() {
                    toss if toss < expected - draw / 2.0 => Score::Win,
                    toss if toss < expected + draw / 2.0 => Score::Draw,
                    _ => Score::Loss,
                };
                points[first] += score as usize;
                points[second] += score.of_opponent() as usize;
                played.games.push(([first, second], score));
            }
        };
        let pairs = games / 2;
        match field {
            Field::Swiss => {
                let mut order: Vec<usize> = (0..engines).collect();
                for round in 0..pairs.div_ceil((engines / 2).max(1)) {
                    // Among equal points the order changes from round to round.
                    let turn = |engine: usize| (engine * (2 * round + 7919)) % engines;
                    order.sort_by_key(|&engine| (usize::MAX - points[engine], turn(engine)));
                    order.chunks_exact(2).for_each(|two| meet(&mut points, two[0], two[1]));
                }
            }
            Field::Groups => {
                let groups: Vec<Vec<usize>> =
                    (0..engines).collect::<Vec<_>>().chunks(GROUP).map(<[usize]>::to_vec).collect();
                let couples = groups.iter().flat_map(|group| {
                    group.iter().flat_map(|&one| {
                        group.iter().filter(move |other| one < **other).map(move |&it| (one, it))
                    })
                });
                let couples: Vec<(usize, usize)> = couples.collect();
                let again = couples.iter().cycle().take(pairs);
                again.for_each(|&(one, other)| meet(&mut points, one, other));
            }
        }
        played
    }

    fn sample(&self) -> Sample {
        let names = (0..self.strengths.len()).map(name);
        let mut sample = Sample::new(names).expect("names differ");
        let ids: Vec<_> = sample.engines().map(|(id, _)| id).collect();
        for (number, &([first, second], score)) in self.games.iter().enumerate() {
            let (first, second, pair) = (ids[first], ids[second], PairKey(number as u64 / 2));
            let game = ScoredGame { first, second, kind: Kind::Riatra, score, pair };
            sample.push(game).expect("the games are of these engines");
        }
        sample
    }

    fn write(&self, path: &str) -> std::io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        writeln!(file, "pair,kind,white,black,result")?;
        for (number, &([first, second], score)) in self.games.iter().enumerate() {
            let score = ["0-1", "1/2-1/2", "1-0"][score as usize];
            writeln!(file, "{},riatra,{},{},{score}", number / 2, name(first), name(second))?;
        }
        file.flush()
    }
}

/// Names are in the order of numbers.
fn name(engine: usize) -> String {
    format!("{engine:05}")
}

/// The worth of the first move, in Elo.
const ADVANTAGE: f64 = 30.0;
/// The engines of a group.
const GROUP: usize = 20;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let engines: usize = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(150);
    let games = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(100 * engines);
    let field =
        if arguments.next().as_deref() == Some("groups") { Field::Groups } else { Field::Swiss };
    let played = Played::new(field, engines, games);
    if let Some(path) = arguments.next() {
        return played.write(&path);
    }
    let begin = Instant::now();
    let sample = played.sample();
    let gathered = begin.elapsed();
    let begin = Instant::now();
    let first = OnceCell::new();
    let watch = |at: FitProgress<'_>| {
        if !at.first.is_empty() {
            first.get_or_init(|| begin.elapsed());
        }
    };
    let fit = fit_watched(&sample, Scope::All, &FitOptions::default(), &watch);
    let fit = fit.expect("there are no anchors");
    let first = first.into_inner().unwrap_or_default();
    let fitted = begin.elapsed();
    let begin = Instant::now();
    let check = FitCheck::new(&sample, &fit);
    let checked = begin.elapsed();
    let holds = |low: Option<f64>, high: Option<f64>, truth: f64| {
        f64::from(low.is_none_or(|low| low <= truth) && high.is_none_or(|high| truth <= high))
    };
    let strength = |rank: usize| {
        played.strengths[fit.engines[rank].engine.parse::<usize>().expect("names are numbers")]
    };
    let ratings = fit.engines.iter().enumerate().filter(|(_, it)| it.games > 0);
    let ratings: Vec<f64> = ratings
        .map(|(rank, it)| holds(it.estimate.elo_low, it.estimate.elo_high, strength(rank)))
        .collect();
    let leads: Vec<f64> = (1..engines)
        .filter_map(|rank| {
            let lead = fit.lead(rank - 1, rank)?;
            Some(holds(lead.elo_low, lead.elo_high, strength(rank - 1) - strength(rank)))
        })
        .collect();
    let share = |held: &[f64]| 100.0 * held.iter().sum::<f64>() / held.len().max(1) as f64;
    println!(
        "{field:?}, {engines} engines, {games} games: gathered {gathered:.2?}, first places \
         {first:.2?}, fitted {fitted:.2?}, checked {checked:.2?}; held {:.1} % of ratings, {:.1} % of neighbours' leads; p {:.3}",
        share(&ratings),
        share(&leads),
        check.map_or(1.0, |check| check.p)
    );
    Ok(())
}
