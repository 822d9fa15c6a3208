//! How well tuning finds an optimum that is known: simulated tunings with many seeds.
//!
//!     cargo run --release -p fanorona-arena --example tune_simulation
//!     cargo run --release -p fanorona-arena --example tune_simulation -- methods
//!
//! The simulated engine has options from 0 to 100. Its strength falls by 20 Elo for every 10 away
//! from the best value, by 80 for every 20, and so on; a third of the games between equals are drawn.
//! Each tuning starts 30 away from the best value of every option, half of them above and half below.
//! The tables show, after a number of pairs of games, how far the recommended values are from the best
//! ones (root mean square over options and seeds), the Elo that this costs in all, how often the 95 %
//! interval of a value holds the best one, how often there is an interval, and, for the Gaussian
//! process, how often the interval of the lead over the start holds the true lead.
//!
//! The first table is of SPSA alone. With `methods`, SPSA with three step sizes and the Gaussian
//! process search the same optimum with the same number of games, for an engine whose options matter
//! as much as this (*steep*) and for one whose options matter a tenth (*gentle*). `methods gentle 6`
//! simulates a part of the table.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use fanorona_ratings::{Score, expected_score};
use fanorona_tournament::config::{Overrides, Tournament, parse};
use fanorona_tournament::pairing::seeds::generator;
use fanorona_tournament::tuning::TuningRun;
use rand::RngExt;

const DRAWS: f64 = 1.0 / 3.0;
const START: f64 = 50.0;
/// The Elo that an option costs at a distance of 10 from its best value.
const STEEP: f64 = 20.0;
const GENTLE: f64 = 2.0;

/// The best value of an option.
fn best(option: usize) -> f64 {
    if option.is_multiple_of(2) { 80.0 } else { 20.0 }
}

/// What is simulated.
#[derive(Clone, Copy)]
struct Setup {
    options: usize,
    pairs: u32,
    method: Method,
    /// The Elo that an option costs at a distance of 10.
    slope: f64,
}

#[derive(Clone, Copy)]
enum Method {
    Spsa { r_end: f64 },
    GaussianProcess,
}

impl Setup {
    /// The strength with these values.
    fn elo(&self, values: &[f64]) -> f64 {
        let loss =
            |(option, value): (usize, &f64)| self.slope * ((value - best(option)) / 10.0).powi(2);
        -values.iter().enumerate().map(loss).sum::<f64>()
    }

    /// What the start values cost.
    fn start(&self) -> f64 {
        -self.elo(&vec![START; self.options])
    }

    /// The pairs of an iteration.
    fn batch(&self) -> u32 {
        match self.method {
            Method::Spsa { .. } => 4,
            Method::GaussianProcess => (self.pairs / COMPARISONS).max(4),
        }
    }

    fn tournament(&self, seed: u64) -> Tournament {
        let (word, sizes) = match self.method {
            Method::Spsa { r_end } => ("spsa", format!(", c_end = 5, r_end = {r_end:?}")),
            Method::GaussianProcess => ("gaussian-process", String::new()),
        };
        let option =
            |number| format!("x{number} = {{ start = {START:?}, min = 0, max = 100{sizes} }}\n");
        let parameters: String = (0..self.options).map(option).collect();
        let text = format!(
            "format = \"tune\"\nkinds = [\"riatra\"]\nrounds = {}\nseed = {seed}\n\
             [tune]\nmethod = \"{word}\"\niterations = {}\n[tune.parameters]\n{parameters}\
             [[engine]]\nname = \"a\"\ncommand = \"a\"\n",
            self.batch(),
            NonZeroU32::new(self.pairs / self.batch()).expect("a tuning has iterations"),
        );
        let parsed = parse("simulation.toml", &text, Path::new("/"), &Overrides::default());
        parsed.expect("it is a config")
    }

    /// The tuning of one seed.
    fn tuned(&self, seed: u64) -> Found {
        let mut random = generator(seed, &["simulated games"]);
        let mut run = TuningRun::new(&self.tournament(seed)).expect("it is a tuning");
        while run.advance() {
            let sides = run.options().expect("an iteration has begun");
            let strength = |side: &[(String, String)]| {
                let values: Vec<f64> =
                    side.iter().map(|(_, text)| text.parse().expect("a number")).collect();
                self.elo(&values)
            };
            let score = expected_score(strength(&sides[0]) - strength(&sides[1]));
            // Draws are rarer between unequal engines.
            let draws = DRAWS * 4.0 * score * (1.0 - score);
            for _ in 0..2 * self.batch() {
                let toss: f64 = random.random();
                run.add(Some(match toss {
                    toss if toss < score - draws / 2.0 => Score::Win,
                    toss if toss < score + draws / 2.0 => Score::Draw,
                    _ => Score::Loss,
                }));
            }
        }
        self.judged(&run)
    }

    fn judged(&self, run: &TuningRun) -> Found {
        let (recommended, lead) = run.recommendation();
        let values: Vec<f64> = recommended.iter().map(|it| it.value).collect();
        let mut found = Found { seeds: 1, cost: -self.elo(&values), ..Found::default() };
        for (option, it) in recommended.iter().enumerate() {
            found.options += 1;
            found.squares += (it.value - best(option)).powi(2);
            if let Some((low, high)) = it.interval {
                found.intervals += 1;
                found.held += u64::from((low..=high).contains(&best(option)));
            }
        }
        if let Some([_, low, high]) = lead {
            let truth = self.elo(&values) + self.start();
            found.leads += 1;
            found.leads_held += u64::from((low..=high).contains(&truth));
        }
        found
    }

    /// What the tunings of all seeds found, with as many at once as there are processors.
    fn tune(&self, seeds: u64) -> Found {
        let next = AtomicU64::new(0);
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let work = || {
            let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            let own = numbers.take_while(|seed| *seed < seeds);
            own.map(|seed| (seed, self.tuned(seed))).collect::<Vec<_>>()
        };
        let mut all: Vec<(u64, Found)> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|it| it.join().expect("no tuning panics")).collect()
        });
        // The sums depend on the order.
        all.sort_by_key(|(seed, _)| *seed);
        all.into_iter().fold(Found::default(), |sum, (_, one)| sum.and(one))
    }
}

/// What the tunings of some seeds found.
#[derive(Default)]
struct Found {
    seeds: u64,
    squares: f64,
    cost: f64,
    intervals: u64,
    held: u64,
    leads: u64,
    leads_held: u64,
    options: u64,
}

impl Found {
    fn and(self, other: Found) -> Found {
        Found {
            seeds: self.seeds + other.seeds,
            squares: self.squares + other.squares,
            cost: self.cost + other.cost,
            intervals: self.intervals + other.intervals,
            held: self.held + other.held,
            leads: self.leads + other.leads,
            leads_held: self.leads_held + other.leads_held,
            options: self.options + other.options,
        }
    }

    fn distance(&self) -> f64 {
        (self.squares / self.options as f64).sqrt()
    }

    fn loss(&self) -> f64 {
        self.cost / self.seeds as f64
    }
}

fn percent(part: u64, of: u64) -> String {
    match of {
        0 => "-".to_owned(),
        _ => format!("{:.0} %", 100.0 * part as f64 / of as f64),
    }
}

/// SPSA alone, with the intervals.
fn spsa() {
    println!("| options | pairs | r_end | distance | Elo lost (start) | interval there | holds |");
    println!("|---|---|---|---|---|---|---|");
    for options in [1, 4, 12] {
        for pairs in [500, 2000, 8000] {
            for r_end in [0.002, 0.01] {
                let setup = Setup { options, pairs, method: Method::Spsa { r_end }, slope: STEEP };
                let found = setup.tune(100);
                println!(
                    "| {options} | {pairs} | {r_end} | {:.1} | {:.0} ({:.0}) | {} | {} |",
                    found.distance(),
                    found.loss(),
                    setup.start(),
                    percent(found.intervals, found.options),
                    percent(found.held, found.intervals),
                );
            }
        }
    }
}

/// Both methods with the same games, for engines and numbers of options in `only` if there are any.
fn methods(only: &[String]) {
    let is_wanted = |all: &[&str], one: &str| {
        let mut named = only.iter().filter(|it| all.contains(&it.as_str())).peekable();
        named.peek().is_none() || named.any(|it| it == one)
    };
    println!(
        "| engine | options | pairs | Elo lost at the start | SPSA 0.01 | SPSA 0.05 | SPSA 0.2 | \
         Gaussian process | interval there | holds | lead holds |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (name, slope) in [("steep", STEEP), ("gentle", GENTLE)] {
        for options in [1, 2, 4, 6] {
            let is_left_out = !is_wanted(&["steep", "gentle"], name)
                || !is_wanted(&["1", "2", "4", "6"], &options.to_string());
            if is_left_out {
                continue;
            }
            for pairs in [250, 1000, 4000] {
                let by = |method| Setup { options, pairs, method, slope };
                let shown =
                    |found: &Found| format!("{:.1} ({:.0})", found.loss(), found.distance());
                let spsa = [0.01, 0.05, 0.2].map(|r_end| by(Method::Spsa { r_end }).tune(20));
                let [one, two, three] = spsa.each_ref().map(shown);
                let setup = by(Method::GaussianProcess);
                let found = setup.tune(20);
                println!(
                    "| {name} | {options} | {pairs} | {:.0} | {one} | {two} | {three} | {} | {} | \
                     {} | {} |",
                    setup.start(),
                    shown(&found),
                    percent(found.intervals, found.options),
                    percent(found.held, found.intervals),
                    percent(found.leads_held, found.leads),
                );
            }
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((first, only)) if first == "methods" => methods(only),
        _ => spsa(),
    }
}

/// The most comparisons of a Gaussian process.
const COMPARISONS: u32 = 60;
