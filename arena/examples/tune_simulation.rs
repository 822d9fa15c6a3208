//! How well tuning finds an optimum that is known: simulated tunings with many seeds.
//!
//!     cargo run --release -p fanorona-arena --example tune_simulation
//!
//! The simulated engine has options from 0 to 100. Its strength falls by 20 Elo for every 10 away
//! from the best value, by 80 for every 20, and so on; a third of the games between equals are drawn.
//! Each tuning starts 30 away from the best value of every option, half of them above and half below.
//! The tables show, after a number of pairs of games, how far the recommended values are from the best
//! ones (root mean square over options and seeds), the Elo that this costs in all, how often the 95 %
//! interval of a value holds the best one, how often there is an interval, and how often the interval
//! of the lead over the start holds the true lead.

use std::num::NonZeroU32;
use std::path::Path;

use fanorona_arena::config::{Overrides, Tournament, parse};
use fanorona_arena::pairing::seeds::generator;
use fanorona_arena::ratings::{Score, expected_score};
use fanorona_arena::tuning::TuningRun;
use rand::RngExt;

const SEEDS: u64 = 100;
const DRAWS: f64 = 1.0 / 3.0;
const START: f64 = 50.0;

/// The best value of an option.
fn best(option: usize) -> f64 {
    if option.is_multiple_of(2) { 80.0 } else { 20.0 }
}

/// The strength with these values.
fn elo(values: &[f64]) -> f64 {
    let loss = |(option, value): (usize, &f64)| 20.0 * ((value - best(option)) / 10.0).powi(2);
    -values.iter().enumerate().map(loss).sum::<f64>()
}

fn tournament(options: usize, pairs: u32, batch: u32, r_end: f64, seed: u64) -> Tournament {
    let option = |number| {
        format!(
            "x{number} = {{ start = {START:?}, min = 0, max = 100, c_end = 5, r_end = {r_end} }}\n"
        )
    };
    let parameters: String = (0..options).map(option).collect();
    let text = format!(
        "format = \"tune\"\nkinds = [\"riatra\"]\nrounds = {batch}\nseed = {seed}\n\
         [tune]\niterations = {}\n[tune.parameters]\n{parameters}\
         [[engine]]\nname = \"a\"\ncommand = \"a\"\n",
        NonZeroU32::new(pairs / batch).expect("a tuning has iterations"),
    );
    parse("simulation.toml", &text, Path::new("/"), &Overrides::default()).expect("it is a config")
}

/// What the tunings of all seeds found.
#[derive(Default)]
struct Found {
    squares: f64,
    cost: f64,
    intervals: u64,
    held: u64,
    leads: u64,
    leads_held: u64,
    options: u64,
}

fn tune(options: usize, pairs: u32, batch: u32, r_end: f64) -> Found {
    let mut found = Found::default();
    for seed in 0..SEEDS {
        let tournament = tournament(options, pairs, batch, r_end, seed);
        let mut random = generator(seed, &["simulated games"]);
        let mut run = TuningRun::new(&tournament).expect("it is a tuning");
        while run.advance() {
            let sides = run.options().expect("an iteration has begun");
            let strength = |side: &[(String, String)]| {
                let values: Vec<f64> =
                    side.iter().map(|(_, text)| text.parse().expect("a number")).collect();
                elo(&values)
            };
            let lead = strength(&sides[0]) - strength(&sides[1]);
            let score = expected_score(lead);
            // Draws are rarer between unequal engines.
            let draws = DRAWS * 4.0 * score * (1.0 - score);
            for _ in 0..2 * batch {
                let toss: f64 = random.random();
                run.add(Some(match toss {
                    toss if toss < score - draws / 2.0 => Score::Win,
                    toss if toss < score + draws / 2.0 => Score::Draw,
                    _ => Score::Loss,
                }));
            }
        }
        let (recommended, lead) = run.recommendation();
        let values: Vec<f64> = recommended.iter().map(|it| it.value).collect();
        for (option, it) in recommended.iter().enumerate() {
            found.options += 1;
            found.squares += (it.value - best(option)).powi(2);
            if let Some((low, high)) = it.interval {
                found.intervals += 1;
                found.held += u64::from((low..=high).contains(&best(option)));
            }
        }
        found.cost -= elo(&values);
        if let Some([_, low, high]) = lead {
            let truth = elo(&values) - elo(&vec![START; options]);
            found.leads += 1;
            found.leads_held += u64::from((low..=high).contains(&truth));
        }
    }
    found
}

fn main() {
    println!(
        "| options | pairs | r_end | distance | Elo lost (start) | interval there | holds | lead holds |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for options in [1, 4, 12] {
        for pairs in [500, 2000, 8000] {
            for r_end in [0.002, 0.01] {
                let found = tune(options, pairs, 4, r_end);
                let percent = |part: u64, of: u64| match of {
                    0 => "-".to_owned(),
                    _ => format!("{:.0} %", 100.0 * part as f64 / of as f64),
                };
                println!(
                    "| {options} | {pairs} | {r_end} | {:.1} | {:.0} ({:.0}) | {} | {} | {} |",
                    (found.squares / found.options as f64).sqrt(),
                    found.cost / SEEDS as f64,
                    -elo(&vec![START; options]),
                    percent(found.intervals, found.options),
                    percent(found.held, found.intervals),
                    percent(found.leads_held, found.leads),
                );
            }
        }
    }
}
