//! The errors and the pairs of tests of many candidates against one base, in simulated tournaments.
//!
//!     cargo run --release -p fanorona-ratings --example candidates_simulation
//!     cargo run --release -p fanorona-ratings --example candidates_simulation -- 0 10 200
//!
//! Tournaments of 4, 16 and 64 candidates, of which 0, 1 or 4 lead by `elo1` and the others by `elo0`:
//! the worst case for either error. A third of the games between equals are drawn; the risks are 5 %.
//! Arguments: `elo0` and `elo1` (0 and 40), and the number of tournaments per row (1000). The methods
//! see the same games:
//!
//! - candidates: `format = "candidates"`, with the error of 5 % over all of them;
//! - a share each: a separate SPRT per candidate, with the error of 5 % divided by their number;
//! - separate: a separate SPRT per candidate, with an error of 5 % each.
//!
//! The table shows, for each method, how often any candidate without the lead was accepted, how many of
//! those with the lead were accepted, and the mean number of pairs of all candidates together.

use fanorona_ratings::sprt::{Candidates, Decision, Model, Sprt, SprtOptions};
use fanorona_ratings::{Pentanomial, Score, expected_score};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const DRAWS: f64 = 1.0 / 3.0;
const RISK: f64 = 0.05;

/// A candidate's games against the base, played as far as a method asks for them.
struct Games {
    sprt: Sprt,
    lead: f64,
    random: ChaCha8Rng,
    pairs: Pentanomial,
    /// The log-likelihood ratio after one pair, two, and so on.
    ratios: Vec<f64>,
}

impl Games {
    /// The log-likelihood ratio after `count` pairs, at least one.
    fn ratio(&mut self, count: usize) -> f64 {
        while self.ratios.len() < count {
            let [one, other] = [self.score(), self.score()];
            self.pairs.add(one, other, 1);
            self.ratios.push(self.sprt.llr_of_pairs(&self.pairs));
        }
        self.ratios[count - 1]
    }

    fn score(&mut self) -> Score {
        let score = expected_score(self.lead);
        let draws = DRAWS * 4.0 * score * (1.0 - score);
        match self.random.random::<f64>() {
            toss if toss < score - draws / 2.0 => Score::Win,
            toss if toss < score + draws / 2.0 => Score::Draw,
            _ => Score::Loss,
        }
    }
}

/// The decisions of a method in some tournaments.
#[derive(Default)]
struct Record {
    /// Tournaments in which a candidate without a lead was accepted.
    wrong: usize,
    /// Accepted candidates with a lead.
    found: usize,
    pairs: usize,
}

impl Record {
    /// Adds a tournament: the decision about every candidate, those with a lead first.
    fn add(&mut self, good: usize, decided: &[(Decision, usize)]) {
        let is_accepted = |it: &&(Decision, usize)| it.0 == Decision::AcceptH1;
        self.wrong += usize::from(decided[good..].iter().any(|it| is_accepted(&it)));
        self.found += decided[..good].iter().filter(is_accepted).count();
        self.pairs += decided.iter().map(|(_, pairs)| pairs).sum::<usize>();
    }

    /// Its cells of the table.
    fn cells(&self, good: usize, tournaments: usize) -> String {
        let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole as f64;
        let found = match good {
            0 => "–".to_owned(),
            good => format!("{:.1} %", percent(self.found, good * tournaments)),
        };
        let pairs = self.pairs as f64 / tournaments as f64;
        format!("{:.1} % | {found} | {pairs:.0}", percent(self.wrong, tournaments))
    }
}

/// The pairs of each candidate until its decision, one round after the other.
fn together(options: SprtOptions, games: &mut [Games]) -> Vec<(Decision, usize)> {
    let mut candidates = Candidates::new(options, games.len()).expect("the options are valid");
    let mut pairs = vec![0; games.len()];
    loop {
        let mut is_over = true;
        for (place, games) in games.iter_mut().enumerate() {
            if candidates.decision(place) == Decision::Continue {
                is_over = false;
                pairs[place] += 1;
                candidates.weigh(place, games.ratio(pairs[place]));
            }
        }
        if is_over {
            let decided = pairs.into_iter().enumerate();
            return decided.map(|(place, pairs)| (candidates.decision(place), pairs)).collect();
        }
    }
}

/// The same with a test of its own for each candidate.
fn alone(options: SprtOptions, games: &mut [Games]) -> Vec<(Decision, usize)> {
    let sprt = Sprt::new(options).expect("the options are valid");
    let decided = |games: &mut Games| {
        let mut pairs = 1..;
        let ended = pairs.find_map(|pairs| match sprt.decide(games.ratio(pairs)) {
            Decision::Continue => None,
            decision => Some((decision, pairs)),
        });
        ended.expect("a test ends")
    };
    games.iter_mut().map(decided).collect()
}

fn main() {
    let given: Vec<f64> = std::env::args().skip(1).filter_map(|it| it.parse().ok()).collect();
    let [elo0, elo1] = if let [elo0, elo1, ..] = given[..] { [elo0, elo1] } else { [0.0, 40.0] };
    let tournaments = given.get(2).map_or(1000, |count| *count as usize);
    let model = Model::Logistic;
    let options = SprtOptions { elo0, elo1, alpha: RISK, beta: RISK, model };
    println!(
        "| candidates | good | candidates: wrong | found | pairs | a share each: wrong | found | pairs | \
         separate: wrong | found | pairs |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for count in [4, 16, 64] {
        for good in [0, 1, 4] {
            let share = SprtOptions { alpha: RISK / count as f64, ..options };
            let mut records: [Record; 3] = Default::default();
            for tournament in 0..tournaments {
                let mut games: Vec<Games> = (0..count)
                    .map(|place| Games {
                        sprt: Sprt::new(options).expect("the options are valid"),
                        lead: if place < good { elo1 } else { elo0 },
                        random: ChaCha8Rng::seed_from_u64((tournament * 64 + place) as u64),
                        pairs: Pentanomial::default(),
                        ratios: Vec::new(),
                    })
                    .collect();
                records[0].add(good, &together(options, &mut games));
                records[1].add(good, &alone(share, &mut games));
                records[2].add(good, &alone(options, &mut games));
            }
            let cells = records.map(|it| it.cells(good, tournaments)).join(" | ");
            println!("| {count} | {good} | {cells} |");
        }
    }
}
