//! Fits the scale of winning chances to the results of games: with which scale the chances of the
//! scores that engines reported explain the results best.
//!
//! `cargo run --release -p fanorona-arena --example fit_chance -- DIR… [--engine NAME]`, where DIR is
//! a results directory; with `--engine` only that engine's scores count. Every move after the
//! opening with a score in hundredths of a stone is one position, and its result is that of the game
//! for the player, a draw as half. The scale has the greatest likelihood. Positions of one game share
//! their result, so the error is that of a bootstrap over games.

use std::path::PathBuf;
use std::process::ExitCode;

use fanorona_protocol::messages::{Reply, Score};
use fanorona_protocol::rules::{Position, Side};
use fanorona_ratings::kind::Kind;
use fanorona_tournament::analysis::chance::{SCALE, logistic};
use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::pairing::seeds;
use fanorona_tournament::record::{GameRecord, Journal, Reader};
use rand::RngExt;

/// The samples of the bootstrap.
const SAMPLES: u32 = 200;

/// The scores of a game, each with the result for its player.
struct Game {
    kind: Kind,
    positions: Vec<(f64, f64)>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let (mut dirs, mut engine) = (Vec::new(), None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match &*arg {
            "--engine" => engine = Some(args.next().ok_or("--engine: expected a name")?),
            _ => dirs.push(PathBuf::from(arg)),
        }
    }
    if dirs.is_empty() {
        return Err("usage: fit_chance DIR… [--engine NAME]".into());
    }
    let mut games = Vec::new();
    for dir in dirs {
        let contents = Journal::read(&dir, [])?;
        let mut reader = Reader::open(&dir)?;
        for summary in contents.index.games() {
            games.extend(positions(&reader.game(summary.offset)?, engine.as_deref()));
        }
    }
    for (title, kind) in [("riatra", Some(Kind::Riatra)), ("vela", Some(Kind::Vela)), ("all", None)]
    {
        let of_kind: Vec<&Game> =
            games.iter().filter(|game| kind.is_none_or(|kind| game.kind == kind)).collect();
        if of_kind.iter().any(|game| !game.positions.is_empty()) {
            show(title, &of_kind);
        }
    }
    Ok(())
}

/// The positions of a game with a result.
fn positions(game: &GameRecord, engine: Option<&str>) -> Option<Game> {
    let for_white = match game.result {
        GameResult::Won(Side::White) => 1.0,
        GameResult::Won(Side::Black) => 0.0,
        GameResult::Drawn => 0.5,
        _ => return None,
    };
    let start: Position = game.start.parse().ok()?;
    let mut positions = Vec::new();
    for (index, text) in game.scores.iter().enumerate() {
        let ply = game.book as usize + index;
        let is_white = (start.side_to_move() == Side::White) == ply.is_multiple_of(2);
        let player = if is_white { &game.white } else { &game.black };
        let score = match format!("info score {text}").parse() {
            Ok(Reply::Info(info)) => info.score,
            _ => None,
        };
        if let Some(Score::Cp(hundredths)) = score
            && engine.is_none_or(|engine| engine == player)
        {
            let result = if is_white { for_white } else { 1.0 - for_white };
            positions.push((f64::from(hundredths), result));
        }
    }
    Some(Game { kind: game.kind, positions })
}

/// Prints the fit and how good it is.
fn show(title: &str, games: &[&Game]) {
    let scale = fit(games);
    let mut random = seeds::generator(1, &["fit_chance", title]);
    let samples: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let draw = |_| games[random.random_range(0..games.len())];
            fit(&(0..games.len()).map(draw).collect::<Vec<_>>())
        })
        .collect();
    let mean = samples.iter().sum::<f64>() / f64::from(SAMPLES);
    let variance =
        samples.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / f64::from(SAMPLES - 1);
    let mut all: Vec<(f64, f64)> = games.iter().flat_map(|game| &game.positions).copied().collect();
    let count = all.len();
    println!(
        "{title}: {} games, {count} positions; scale {scale:.0} ± {:.0}; log loss {:.3} with it, \
         {:.3} with {SCALE:.0}, {:.3} with chances of 0.5",
        games.len(),
        variance.sqrt(),
        -likelihood(games, scale) / count as f64,
        -likelihood(games, SCALE) / count as f64,
        std::f64::consts::LN_2,
    );
    println!("| score | positions | result | chance |\n|---:|---:|---:|---:|");
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    for tenth in all.chunks(count.div_ceil(10)) {
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| {
            tenth.iter().map(of).sum::<f64>() / tenth.len() as f64
        };
        println!(
            "| {:.0} | {} | {:.3} | {:.3} |",
            mean(&|it| it.0),
            tenth.len(),
            mean(&|it| it.1),
            mean(&|it| logistic(it.0, scale)),
        );
    }
    println!();
}

/// The scale of the greatest likelihood. The likelihood has one maximum in the inverse of the scale,
/// which is found by golden section.
fn fit(games: &[&Game]) -> f64 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (1.0 / 5000.0, 1.0 / 20.0);
    for _ in 0..60 {
        let one = high - golden * (high - low);
        let other = low + golden * (high - low);
        if likelihood(games, 1.0 / one) > likelihood(games, 1.0 / other) {
            high = other;
        } else {
            low = one;
        }
    }
    2.0 / (low + high)
}

/// The logarithm of the likelihood of the results.
fn likelihood(games: &[&Game], scale: f64) -> f64 {
    // ln(1 + exp(x)) without overflow.
    let softplus = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
    let positions = games.iter().flat_map(|game| &game.positions);
    positions
        .map(|(score, result)| {
            let lead = score / scale;
            -result * softplus(-lead) - (1.0 - result) * softplus(lead)
        })
        .sum()
}
