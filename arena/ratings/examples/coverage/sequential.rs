//! Matches that a sequential test ends.

use fanorona_ratings::sprt::{Decision, Model, Sprt, SprtOptions};
use fanorona_ratings::{Estimate, MatchStatistics, Pentanomial};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::model::{Cell, OPENINGS, Truth, game, holds, normal, toss};

/// Matches that end with their test: what the mean of the pairs says of the lead, and what the test does.
pub(crate) fn stopped(matches: u64) {
    println!("\nSPRT with risks of 5 %, {matches} tests a row; a third of the games drawn");
    for (elo0, elo1, leads) in
        [(0.0, 10.0, [0.0, 5.0, 10.0, 15.0]), (0.0, 100.0, [0.0, 50.0, 100.0, 150.0])]
    {
        for lead in leads {
            let model = Model::Logistic;
            let options = SprtOptions { elo0, elo1, alpha: 0.05, beta: 0.05, model };
            let sprt = Sprt::new(options).expect("they make a test");
            let cell = Cell { advantage: 60.0, lead, pairs: 1, draws: 0.33, openings: OPENINGS };
            let truth = Truth::of(cell).over_pairs;
            let mut random = ChaCha8Rng::seed_from_u64(lead as u64 + elo1 as u64);
            let (mut accepted, mut stopped) = (0.0, 0.0);
            let mut sums = [[0.0; 2]; 2];
            let mut held = [0.0; 2];
            let mut medians = 0.0;
            for _ in 0..matches {
                let mut pairs = Pentanomial::default();
                let decision = loop {
                    add_pair(&mut pairs, cell, &mut random);
                    match sprt.decide(sprt.llr_of_pairs(&pairs)) {
                        Decision::Continue => {}
                        decision => break decision,
                    }
                };
                let h1 = decision == Decision::AcceptH1;
                accepted += f64::from(h1);
                stopped += pairs.pairs() as f64;
                let naive = MatchStatistics::from_pairs(&pairs).expect("there are pairs");
                let made = sprt.estimate(&pairs);
                medians += f64::from(made.elo.is_some_and(|elo| elo > truth));
                let ends = [(naive.elo_low, naive.elo_high), (made.elo_low, made.elo_high)];
                for (way, (low, high)) in ends.into_iter().enumerate() {
                    held[way] += holds(low, high, truth);
                    let elo = [naive.elo, made.elo][way].unwrap_or(1000.0);
                    sums[way][0] += elo;
                    sums[way][1] += if h1 { elo } else { 0.0 };
                }
            }
            let n = matches as f64;
            println!(
                "[{elo0}, {elo1}] lead {truth:6.1}: H1 {:5.1} %, {:6.0} pairs; mean {:6.1} -> {:6.1}, \
                 after H1 {:6.1} -> {:6.1}; too high {:4.1} %; covered {:4.1} -> {:4.1}",
                100.0 * accepted / n,
                stopped / n,
                sums[0][0] / n,
                sums[1][0] / n,
                sums[0][1] / accepted,
                sums[1][1] / accepted,
                100.0 * medians / n,
                100.0 * held[0] / n,
                100.0 * held[1] / n
            );
        }
    }
}

/// Tests that end with their decision, or without one after some number of pairs: how often the
/// intervals hold the truth, over the leads and shares of draws of [`LEADS`] and [`DRAWS`], and how long
/// they are.
pub(crate) fn at_most(matches: u64) {
    println!(
        "\nSPRT with risks of 5 % of at most some pairs, {matches} tests a cell, 12 cells a row"
    );
    println!(
        "test                  pairs  covered: least, mean   length: median, 95 % below   unbounded   \
         by pairs alone"
    );
    for (elo0, elo1, model) in [
        (0.0, 10.0, Model::Logistic),
        (0.0, 100.0, Model::Logistic),
        (0.0, 10.0, Model::Normalized),
        (0.0, 100.0, Model::Normalized),
    ] {
        let options = SprtOptions { elo0, elo1, alpha: 0.05, beta: 0.05, model };
        let sprt = Sprt::new(options).expect("they make a test");
        for most in [5, 10, 20, 50, 100, 200, 500] {
            let mut made = Ends::default();
            let mut alone = Ends::default();
            for (place, (lead, draws)) in
                LEADS.iter().flat_map(|&lead| DRAWS.map(|draws| (lead, draws))).enumerate()
            {
                let cell = Cell { advantage: 60.0, lead, pairs: most, draws, openings: OPENINGS };
                let truth = Truth::of(cell);
                let mut random = ChaCha8Rng::seed_from_u64(1000 * most + place as u64);
                made.held.push(0.0);
                alone.held.push(0.0);
                for _ in 0..matches {
                    let pairs = until(&sprt, cell, &mut random);
                    let naive = MatchStatistics::from_pairs(&pairs).expect("there are pairs");
                    let Estimate { elo_low, elo_high, .. } = sprt.estimate(&pairs);
                    let (truth, low, high) = match model {
                        Model::Logistic => (truth.over_pairs, naive.elo_low, naive.elo_high),
                        Model::Normalized => (truth.normalized, naive.nelo_low, naive.nelo_high),
                    };
                    made.add(elo_low, elo_high, truth, matches);
                    alone.add(low, high, truth, matches);
                }
            }
            println!("[{elo0}, {elo1:3}] {model:10} {most:5}  {made}  {alone}");
        }
    }
}

const LEADS: [f64; 4] = [0.0, 40.0, 120.0, 300.0];
const DRAWS: [f64; 3] = [0.0, 0.3, 0.6];

/// The pairs of a test until its decision, or the most that the cell allows.
fn until(sprt: &Sprt, cell: Cell, random: &mut ChaCha8Rng) -> Pentanomial {
    let mut pairs = Pentanomial::default();
    while pairs.pairs() < cell.pairs && sprt.decide(sprt.llr_of_pairs(&pairs)) == Decision::Continue
    {
        add_pair(&mut pairs, cell, random);
    }
    pairs
}

fn add_pair(pairs: &mut Pentanomial, cell: Cell, random: &mut ChaCha8Rng) {
    let advantage = cell.advantage + OPENINGS * normal(random);
    let one = toss(random, game(advantage + cell.lead, cell.draws));
    let other = toss(random, game(advantage - cell.lead, cell.draws));
    pairs.add(one, other.of_opponent(), 1);
}

/// The intervals of many tests.
#[derive(Default)]
struct Ends {
    /// By cell, the share of intervals that hold the truth.
    held: Vec<f64>,
    /// The lengths of the bounded ones.
    lengths: Vec<f64>,
    unbounded: u64,
}

impl Ends {
    fn add(&mut self, low: Option<f64>, high: Option<f64>, truth: f64, matches: u64) {
        *self.held.last_mut().expect("a cell was begun") +=
            holds(low, high, truth) / matches as f64;
        match low.zip(high) {
            Some((low, high)) => self.lengths.push(high - low),
            None => self.unbounded += 1,
        }
    }
}

impl std::fmt::Display for Ends {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let least = self.held.iter().copied().fold(1.0, f64::min);
        let mean = self.held.iter().sum::<f64>() / self.held.len() as f64;
        let mut lengths = self.lengths.clone();
        lengths.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = (share * lengths.len() as f64) as usize;
            lengths.get(place.min(lengths.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
        };
        let unbounded = self.unbounded as f64 / (lengths.len() as u64 + self.unbounded) as f64;
        write!(
            f,
            "{:5.1} {:5.1}  {:6.1} {:6.1}  {:4.1} %",
            100.0 * least,
            100.0 * mean,
            at(0.5),
            at(0.95),
            100.0 * unbounded
        )
    }
}
