//! A million games among twenty engines: reading them, gathering them, and rating them; and who is
//! stronger than whom among fifty in a field that their results split.

#[path = "../../protocol/benches/measure/mod.rs"]
mod measure;

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::Path;

use fanorona_ratings::kind::Kind;
use fanorona_ratings::{
    Entrant, FitOptions, PairKey, Sample, Scope, Score, ScoredGame, Superiority, expected_score,
    fit,
};
use fanorona_report::statistics::results_reader::GameResults;
use measure::Benchmarks;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ENGINES: usize = 20;
const GAMES: usize = 1_000_000;

fn main() {
    let benchmarks = Benchmarks::asked();
    reading(&benchmarks);
    ratings(&benchmarks);
    superiority(&benchmarks);
}

fn ids(sample: &Sample) -> Vec<Entrant> {
    sample.engines().map(|(id, _)| id).collect()
}

fn empty() -> Sample {
    Sample::new((0..ENGINES).map(|number| format!("engine {number:02}"))).expect("names differ")
}

/// Pairs of random engines, 40 Elo from one to the next.
fn games() -> Vec<ScoredGame> {
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
            let (first, second, pair) = (ids[first], ids[second], PairKey(pair));
            games.push(ScoredGame { first, second, kind, score, pair });
        }
    }
    games
}

fn gathered(games: &[ScoredGame]) -> Sample {
    let mut sample = empty();
    for &game in games {
        sample.push(game).expect("the games are of these engines");
    }
    sample
}

fn ratings(benchmarks: &Benchmarks) {
    let games = games();
    let sample = gathered(&games);
    let options = FitOptions::default();
    benchmarks.time("gather a million games", GAMES as u64, || gathered(black_box(&games)));
    benchmarks.time("rate twenty engines by them", GAMES as u64, || {
        fit(black_box(&sample), Scope::All, &options).expect("no anchors")
    });
}

/// A `games.csv` of these games, the columns as tournaments write them. No game repeats another.
fn write(path: &Path, games: &[ScoredGame]) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(
        out,
        "game,pair,session,kind,opening,white,black,result,reason,offender,plies,book,start,moves,\
         white_ms,black_ms,adjudicated_by"
    )?;
    let sample = empty();
    let names: Vec<&str> = sample.engines().map(|(_, name)| name).collect();
    let moves = "e2e3A f4e5We4A d4e3 ".repeat(8);
    for (number, game) in games.iter().enumerate() {
        // Sessions are in a file of their own.
        let (kind, debt) = match game.kind {
            Kind::Vela => ("vela", 'w'),
            Kind::Riatra | Kind::Session => ("riatra", '-'),
        };
        let [white, black] = [game.first, game.second]
            .map(|id| names[sample.engines().position(|(known, _)| known == id).unwrap_or(0)]);
        let result = match game.score {
            Score::Win => "1-0",
            Score::Draw => "1/2-1/2",
            Score::Loss => "0-1",
        };
        let (number, pair) = (number + 1, game.pair.0 + 1);
        writeln!(
            out,
            "{number},{pair},,{kind},,{white},{black},{result},no-stones,,24,4,\
             bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w {debt} 0 1,{moves}{number},700,700,"
        )?;
    }
    out.flush()
}

fn reading(benchmarks: &Benchmarks) {
    let dir = tempfile::tempdir().expect("there is room for a file");
    let path = dir.path().join("games.csv");
    write(&path, &games()).expect("there is room for a million games");
    benchmarks.time("read a million games", GAMES as u64, || {
        let mut contests = GameResults::default();
        contests.read(black_box(&path)).expect("the file is as tournaments write it");
        contests
    });
}

/// Two games of every two engines; the last of them loses all of its own.
fn split() -> Sample {
    const ENGINES: usize = 50;
    let mut sample = Sample::new((0..ENGINES).map(|number| format!("engine {number:02}")))
        .expect("names differ");
    let ids = ids(&sample);
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let meetings = (0..ENGINES).flat_map(|one| (0..one).map(move |other| (one, other)));
    for (pair, (weak, strong)) in meetings.enumerate() {
        for (first, second) in [(weak, strong), (strong, weak)] {
            let expected = expected_score(20.0 * (second as f64 - first as f64));
            let toss: f64 = random.random();
            let wins = if weak + 1 == ENGINES { first == strong } else { toss < expected };
            let score = if wins { Score::Win } else { Score::Loss };
            let (first, second, pair) = (ids[first], ids[second], PairKey(pair as u64));
            let game = ScoredGame { first, second, kind: Kind::Riatra, score, pair };
            sample.push(game).expect("the games are of these engines");
        }
    }
    sample
}

fn superiority(benchmarks: &Benchmarks) {
    let sample = split();
    for (name, superiority) in
        [("neighbours", Superiority::OfNeighbours), ("everybody", Superiority::OfAll)]
    {
        let options = FitOptions { superiority, ..FitOptions::default() };
        benchmarks.time(&format!("rate fifty engines of a split field, {name}"), 50, || {
            fit(black_box(&sample), Scope::All, &options).expect("no anchors")
        });
    }
}
