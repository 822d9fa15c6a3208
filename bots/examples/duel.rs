//! A match between two settings of `bot-alphabeta`, for choosing among them.
//!
//! `cargo run --release -p fanorona-bots --example duel -- PAIRS LIMIT "A B=1" "C=2" [BOARD]`
//! plays pairs of games from random openings, each side having White once. `LIMIT` is `nodes N`,
//! `movetime N` or `depth N`; settings are words `name=value`. Prints the result of the first
//! settings and their Elo with its standard error.

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::{Bot, RootTurn, Task, Unobserved};
use fanorona_bots::budget::Budget;
use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::{History, Position, Ruleset, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Plies of an opening.
const OPENING: u32 = 4;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pairs, limit, first, second, rest @ ..] = &arguments[..] else {
        eprintln!("duel PAIRS LIMIT SETTINGS SETTINGS [POSITION]");
        std::process::exit(2);
    };
    let pairs: u64 = pairs.parse().expect("a number of pairs");
    let (word, number) = limit.split_once(' ').expect("a word and a number");
    let number: u64 = number.parse().expect("a number");
    let limits = match word {
        "nodes" => Limits::of_nodes(number),
        "depth" => Limits::of_depth(number as u32),
        _ => Limits::of_move_time(number),
    };
    let start = match rest.first() {
        Some(text) => text.parse().expect("a position"),
        None => Position::start("9x5".parse().expect("a size")),
    };
    let seed = rest.get(1).map_or(1, |text| text.parse().expect("a seed"));
    let bot = |settings: &str| {
        let mut bot = AlphaBeta::new();
        for word in settings.split_whitespace() {
            let (name, value) = word.split_once('=').expect("name=value");
            bot.set_option(name, value);
        }
        bot
    };
    let mut bots = [bot(first), bot(second)];
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let rules = Ruleset::default();
    let (mut wins, mut draws, mut losses, mut plies) = (0u32, 0u32, 0u32, 0u32);
    // Points of whole pairs, in halves.
    let mut pentanomial = [0u32; 5];
    for _ in 0..pairs {
        let opening = opening(start, &rules, &mut random);
        let mut points = 0;
        for white in 0..2 {
            bots.iter_mut().for_each(|bot| bot.new_game());
            let mut game = opening.clone();
            while game.ending(&rules).is_none() {
                let player = if game.position().turn() == Side::White { white } else { 1 - white };
                play(&mut bots[player], &mut game, &rules, &limits);
            }
            plies += game.plies();
            let winner = game.ending(&rules).and_then(|ending| ending.winner);
            let first_won = winner.map(|side| (side == Side::White) == (white == 0));
            match first_won {
                Some(true) => wins += 1,
                Some(false) => losses += 1,
                None => draws += 1,
            }
            points += match first_won {
                Some(true) => 2,
                Some(false) => 0,
                None => 1,
            };
        }
        pentanomial[points] += 1;
    }
    let games = f64::from(wins + draws + losses);
    let mean = (f64::from(wins) + f64::from(draws) / 2.0) / games;
    let variance: f64 = (0..5)
        .map(|points| f64::from(pentanomial[points]) * (points as f64 / 4.0 - mean).powi(2))
        .sum::<f64>()
        / pairs as f64;
    let error = (variance / pairs as f64).sqrt();
    let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
    println!(
        "{first:?} - {second:?}, {limit}: +{wins} ={draws} -{losses}, {:.1} %, {:+.0} ± {:.0} Elo (1 s.e.), {:.0} plies a game",
        mean * 100.0,
        elo(mean),
        (elo(mean + error) - elo(mean - error)) / 2.0,
        f64::from(plies) / games,
    );
}

/// A game of some random turns that is not over.
fn opening(start: Position, rules: &Ruleset, random: &mut ChaCha8Rng) -> History {
    loop {
        let mut game = History::new(start);
        for _ in 0..OPENING {
            let mut effects = Vec::new();
            game.position().visit_effects(rules, |effect| effects.push(effect));
            if effects.is_empty() {
                break;
            }
            game.play_unchecked(effects[random.random_range(0..effects.len())]);
        }
        if game.plies() == OPENING && game.ending(rules).is_none() {
            return game;
        }
    }
}

fn play(bot: &mut AlphaBeta, game: &mut History, rules: &Ruleset, limits: &Limits) {
    let turns = RootTurn::all(game.position(), rules);
    let budget = Budget::of_limits(limits);
    let task = Task { game, rules, turns: &turns, budget: &budget };
    let choice = bot.choose(&task, &mut Unobserved);
    game.play(rules, &choice.turn).expect("the bot plays legal turns");
}
