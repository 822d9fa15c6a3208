//! The coverage of the arena's intervals, and the share of wrong verdicts, in simulated matches and
//! fields.
//!
//! A pair is one opening with both colours. Every opening has an advantage for the first player of
//! its own, normal around the mean with [`OPENINGS`] Elo, which both games of the pair share. A
//! game is drawn with probability `2 · d · min(s, 1 - s)`, where `s` is the expected score of its
//! players and `d` the share of draws between equals. The truth is what infinitely many pairs would
//! give: the mean scores by colour, over all openings.
//!
//! `cargo run --release -p fanorona-ratings --example coverage -- [TOURNAMENTS [PART]]`; PART is
//! one of `matches`, `superiority`, `drawn`, `fields` and `tests`, or `all`, which prints every cell of the
//! matches, otherwise the extremes. The seed of each cell follows from its place, so the figures
//! are the same every time.

mod model;
mod sequential;

use fanorona_ratings::kind::Kind;
use fanorona_ratings::{
    Entrant, Estimate, FitOptions, MatchStatistics, PairKey, Sample, Scope, ScoredGame, fit,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use model::{Cell, OPENINGS, Truth, game, holds, normal, toss};

/// The figures of many matches of a cell, as shares of them.
#[derive(Clone, Copy, Default)]
struct Figures {
    /// The share in which the interval held the truth: of a rating, of the first player's
    /// advantage, of the Elo and the normalized Elo over pairs alone.
    held: [f64; 4],
    /// The share in which a leader was named (97.5 %) who is not the stronger, by the fit and by
    /// pairs alone.
    wrong: [f64; 2],
}

const HELD: [&str; 4] = ["rating", "advantage", "pairs Elo", "pairs nElo"];

/// A match of `a` against `b`.
fn play(cell: Cell, random: &mut ChaCha8Rng) -> (Sample, [Entrant; 2]) {
    let mut sample = Sample::new(["a", "b"]).expect("names differ");
    let [a, b] = ["a", "b"].map(|name| sample.engine(name).expect("it is of the sample"));
    for pair in 0..cell.pairs {
        let advantage = cell.advantage + cell.openings * normal(random);
        for (first, second, lead) in [(a, b, cell.lead), (b, a, -cell.lead)] {
            let score = toss(random, game(advantage + lead, cell.draws));
            let (kind, pair) = (Kind::Riatra, PairKey(pair));
            sample.push(ScoredGame { first, second, kind, score, pair }).expect("they differ");
        }
    }
    (sample, [a, b])
}

/// Returns the probability that `a` is the stronger one, by the fit.
fn los_of_first(sample: &Sample) -> f64 {
    let fit = fit(sample, Scope::All, &FitOptions::default()).expect("no anchors");
    let place = usize::from(fit.engines[0].engine != "a");
    fit.los(place, 1 - place).expect("neighbours are compared")
}

fn simulate(cell: Cell, tournaments: u64, seed: u64) -> Figures {
    let truth = Truth::of(cell);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut figures = Figures::default();
    for _ in 0..tournaments {
        let (sample, [a, b]) = play(cell, &mut random);
        let fit = fit(&sample, Scope::All, &FitOptions::default()).expect("no anchors");
        let rating = fit.engines.iter().find(|rating| rating.engine == "a").expect("a played");
        let Estimate { elo_low, elo_high, .. } = rating.estimate;
        figures.held[0] += holds(elo_low, elo_high, truth.rating);
        let Estimate { elo_low, elo_high, .. } = fit.advantages[0].estimate;
        figures.held[1] += holds(elo_low, elo_high, truth.advantage);
        let pairs = sample.pentanomial(a, b, Scope::All);
        let alone = MatchStatistics::from_pairs(&pairs).expect("there are pairs");
        figures.held[2] += holds(alone.elo_low, alone.elo_high, truth.over_pairs);
        figures.held[3] += holds(alone.nelo_low, alone.nelo_high, truth.normalized);
        let los = los_of_first(&sample);
        for (which, los) in [los, alone.los].iter().enumerate() {
            let sure = los.max(1.0 - los) >= 0.975;
            figures.wrong[which] += f64::from(sure && (*los < 0.5 || cell.lead == 0.0));
        }
    }
    let share = |count: f64| count / tournaments as f64;
    Figures { held: figures.held.map(share), wrong: figures.wrong.map(share) }
}

fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for pairs in [5, 6, 8, 10, 15, 20, 30, 50, 100] {
        for advantage in [0.0, 200.0, 400.0, 600.0] {
            for lead in [0.0, 50.0, 100.0, 200.0, 400.0] {
                for draws in [0.0, 0.3, 0.6] {
                    cells.push(Cell { advantage, lead, pairs, draws, openings: OPENINGS });
                }
            }
        }
    }
    cells
}

/// Matches in which nearly every game is drawn.
fn drawn_cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for pairs in [10, 20, 50, 100, 200, 500] {
        for lead in [0.0, 1.0, 3.0, 10.0] {
            for draws in [0.9, 0.95, 0.98, 0.995] {
                cells.push(Cell { advantage: 5.0, lead, pairs, draws, openings: 0.0 });
            }
        }
    }
    cells
}

fn two_engines(cells: &[Cell], tournaments: u64, all: bool) {
    println!("two engines, {tournaments} matches a cell; shares in per cent");
    println!(
        "pairs  quantity     covered: least  mean  most   false verdicts between equals: fit, pairs"
    );
    let figures: Vec<Figures> = cells
        .iter()
        .enumerate()
        .map(|(place, &cell)| {
            let figures = simulate(cell, tournaments, place as u64);
            if all {
                let Cell { advantage, lead, pairs, draws, .. } = cell;
                let [rating, white, elo, nelo] = figures.held.map(|share| 100.0 * share);
                let [fit, alone] = figures.wrong.map(|share| 100.0 * share);
                println!(
                    "{pairs:4} pairs advantage {advantage:3} lead {lead:3} draws {draws}: \
                     {rating:5.1} {white:5.1} {elo:5.1} {nelo:5.1}  wrong {fit:4.1} {alone:4.1}"
                );
            }
            figures
        })
        .collect();
    for of_pairs in
        cells.iter().zip(&figures).collect::<Vec<_>>().chunk_by(|a, b| a.0.pairs == b.0.pairs)
    {
        let pairs = of_pairs[0].0.pairs;
        for (quantity, name) in HELD.iter().enumerate() {
            let shares = || of_pairs.iter().map(|(_, figures)| 100.0 * figures.held[quantity]);
            let least = shares().fold(f64::INFINITY, f64::min);
            let most = shares().fold(0.0, f64::max);
            let mean = shares().sum::<f64>() / of_pairs.len() as f64;
            let wrong = |which: usize| {
                let equal = of_pairs.iter().filter(|(cell, _)| cell.lead == 0.0);
                equal.map(|(_, figures)| 100.0 * figures.wrong[which]).fold(0.0, f64::max)
            };
            let wrong = match quantity {
                0 => format!("at most {:.1}, {:.1}", wrong(0), wrong(1)),
                _ => String::new(),
            };
            println!("{pairs:5}  {name:12} {least:12.1} {mean:6.1} {most:6.1}   {wrong}");
        }
    }
}

/// Statements about who is stronger, by what they say, with leads of which none is likelier than another
/// from -400 to 400: how many, what they say on average, and how many are right.
fn calibration(matches: u64) {
    println!("\nwho is stronger: said and right, {matches} matches, any lead from -400 to 400");
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut said = [[[0.0; 3]; BINS.len()]; 2];
    for _ in 0..matches {
        let cell = Cell {
            advantage: random.random_range(0.0..600.0),
            lead: random.random_range(-400.0..400.0),
            pairs: random.random_range(5..=100),
            draws: random.random_range(0.0..0.6),
            openings: OPENINGS,
        };
        let (sample, [a, b]) = play(cell, &mut random);
        let alone = MatchStatistics::from_pairs(&sample.pentanomial(a, b, Scope::All));
        let los = [los_of_first(&sample), alone.expect("there are pairs").los];
        for (los, said) in los.iter().zip(&mut said) {
            let certainty = los.max(1.0 - los);
            if certainty > 0.5 + 1e-6 {
                let right = f64::from((*los > 0.5) == (cell.lead > 0.0));
                let bin = BINS.iter().rposition(|&least| certainty >= least).unwrap_or(0);
                for (sum, new) in said[bin].iter_mut().zip([1.0, certainty, right]) {
                    *sum += new;
                }
            }
        }
    }
    for (name, said) in ["fit", "pairs alone"].iter().zip(&said) {
        for [count, certainty, right] in said.iter().filter(|[count, ..]| *count > 0.0) {
            println!(
                "{name:12} said {:5.1}  right {:5.1}  ({count} statements)",
                100.0 * certainty / count,
                100.0 * right / count
            );
        }
    }
}

const BINS: [f64; 5] = [0.5, 0.75, 0.9, 0.975, 0.999];

/// Round-robins of several engines at equal distances: rating and advantage. At 400 Elo most fields are
/// split: some engine wins or loses all of its games. Where nearly every game is drawn, some engine draws
/// all of its games.
fn fields(tournaments: u64) {
    println!("\nround-robins; {tournaments} a row");
    let cells = [(80.0, 3_usize), (80.0, 4), (80.0, 8), (400.0, 3), (400.0, 4), (4.0, 4)];
    for (gap, engines) in cells {
        let (draws, advantage, all_rounds) = match gap {
            4.0 => (0.98, 5.0, [10, 20, 40, 100]),
            _ => (0.3, 60.0, [1, 2, 4, 10]),
        };
        for rounds in all_rounds {
            let names: Vec<String> = (0..engines).map(|number| format!("e{number}")).collect();
            let middle = (engines as f64 - 1.0) / 2.0;
            let truth: Vec<f64> = (0..engines).map(|n| gap * (middle - n as f64)).collect();
            let mut random = ChaCha8Rng::seed_from_u64(engines as u64 * 1000 + rounds);
            let (mut held, mut white, mut wrong) = (0.0, 0.0, 0.0);
            for _ in 0..tournaments {
                let mut sample = Sample::new(names.clone()).expect("names differ");
                let ids: Vec<_> = sample.engines().map(|(id, _)| id).collect();
                let mut pair = 0;
                for one in 0..engines {
                    for other in one + 1..engines {
                        for _ in 0..rounds {
                            pair += 1;
                            for (first, second) in [(one, other), (other, one)] {
                                let lead = truth[first] - truth[second] + advantage;
                                let score = toss(&mut random, game(lead, draws));
                                let (first, second) = (ids[first], ids[second]);
                                let (kind, pair) = (Kind::Riatra, PairKey(pair));
                                let game = ScoredGame { first, second, kind, score, pair };
                                sample.push(game).expect("they differ");
                            }
                        }
                    }
                }
                let fit = fit(&sample, Scope::All, &FitOptions::default()).expect("no anchors");
                for rating in &fit.engines {
                    let place: usize = rating.engine[1..].parse().expect("names have numbers");
                    let Estimate { elo_low, elo_high, .. } = rating.estimate;
                    held += holds(elo_low, elo_high, truth[place]) / engines as f64;
                }
                for two in fit.engines.windows(2) {
                    let sure = two[0].los.is_some_and(|los| los >= 0.975);
                    wrong += f64::from(sure && two[0].engine > two[1].engine);
                }
                let Estimate { elo_low, elo_high, .. } = fit.advantages[0].estimate;
                white += holds(elo_low, elo_high, advantage);
            }
            let [held, white, wrong] =
                [held, white, wrong].map(|count| 100.0 * count / tournaments as f64);
            println!(
                "{engines} engines {gap} Elo apart, {rounds:3} rounds: ratings {held:.1}, advantage {white:.1}, \
                 verdicts the wrong way round {wrong:.1}"
            );
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let tournaments = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(2000);
    let only = arguments.next();
    let runs = |part: &str| only.as_deref().is_none_or(|only| only == part || only == "all");
    if runs("matches") {
        two_engines(&cells(), tournaments, only.as_deref() == Some("all"));
    }
    if runs("superiority") {
        calibration(20 * tournaments);
    }
    if runs("drawn") {
        two_engines(&drawn_cells(), tournaments, only.as_deref() == Some("all"));
    }
    if runs("fields") {
        fields(tournaments);
    }
    if runs("tests") {
        sequential::stopped(tournaments);
        sequential::at_most(tournaments);
    }
}
