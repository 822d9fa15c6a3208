//! `tactics`: how many nodes engines take to find the right moves of the tactical suite, and how the
//! suite was made.
//!
//! ```console
//! $ cargo run --release -p fanorona-bots --example tactics -- solve target/release/bot-alphabeta
//! $ cargo run --release -p fanorona-bots --example tactics -- mine
//! ```

#[path = "../../tests/tactical/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod tactics;

mod mine;
mod program;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, Parser, Subcommand};
use fanorona_bots::bot::RootMove;
use fanorona_protocol::rules::{Game, Move, Ruleset, Start};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use mine::{Difficulty, Miner};
use program::Program;
use tactics::{LIMITS, Solved, Tactic};

/// Measure what searches see: nodes to solution of the tactical suite
#[derive(Parser, Debug)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Print the nodes to solution of engines, by theme
    Solve(SolveArgs),
    /// Play games and print their tactics
    Mine(MineArgs),
}

#[derive(Args, Debug)]
struct SolveArgs {
    /// The engines
    #[arg(required = true)]
    engines: Vec<String>,
    /// An option of every engine, for example Pruning=false; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// The file of positions
    #[arg(long, value_name = "FILE", default_value = "bots/tests/data/tactical-suite.tsv")]
    suite: PathBuf,
    /// Print the nodes to solution of each position as well
    #[arg(long)]
    each: bool,
}

#[derive(Args, Debug)]
struct MineArgs {
    /// A file of openings of riatras; may be repeated
    #[arg(long, value_name = "FILE",
        default_values = ["configs/openings/even.txt", "configs/openings/biased-large.txt"])]
    openings: Vec<PathBuf>,
    /// Number of riatras from each file
    #[arg(long, value_name = "N", default_value_t = 600)]
    games: usize,
    /// Number of velas, from openings of eight random moves
    #[arg(long, value_name = "N", default_value_t = 200)]
    velas: usize,
    /// The maximum number of tactics of a theme
    #[arg(long, value_name = "N", default_value_t = 150)]
    most: usize,
    /// The nodes of the first search of a position, which must find the right move
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    within: u64,
    /// The nodes that the first search must take to find it
    #[arg(long, value_name = "N", default_value_t = 500)]
    beyond: u64,
    /// Number of games at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Solve(args) => solve(&args),
        Command::Mine(args) => mine(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tactics: {error}");
            ExitCode::from(2)
        }
    }
}

fn solve(args: &SolveArgs) -> Result<(), Box<dyn Error>> {
    let suite = Tactic::all(&std::fs::read_to_string(&args.suite)?)?;
    for engine in &args.engines {
        let mut program = Program::start(engine, &args.options)?;
        let mut solved = Solved::default();
        for tactic in &suite {
            let reports = program.search(&tactic.position, LIMITS[LIMITS.len() - 1])?;
            let nodes = tactic.nodes_to_solution(&reports);
            if args.each {
                println!("{}\t{tactic}", nodes.map_or("-".to_owned(), |nodes| nodes.to_string()));
            }
            solved.add(tactic.theme, nodes);
        }
        println!("{engine} {}\n{solved}", args.options.join(" "));
    }
    Ok(())
}

/// The random moves at the beginning of a vela.
const VELA_OPENING: usize = 8;

fn mine(args: &MineArgs) -> Result<(), Box<dyn Error>> {
    let mut games = Vec::new();
    for file in &args.openings {
        let lines = std::fs::read_to_string(file)?;
        let lines = lines.lines().filter(|line| line.starts_with("startpos"));
        for line in lines.take(args.games) {
            games.push(riatra(line)?);
        }
    }
    games.extend((0..args.velas).filter_map(|number| vela(number as u64)));

    let difficulty = Difficulty { most: args.within, least: args.beyond };
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            scope.spawn(|| {
                let mut miner = Miner::new(difficulty);
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(game) = games.get(number) else { break };
                    let tactics = miner.game(game.clone());
                    let mut found = found.lock().expect("no miner panics");
                    found.insert(number, tactics);
                    let tactics: usize = found.values().map(Vec::len).sum();
                    eprintln!("{} games, {tactics} tactics", found.len());
                }
            });
        }
    });

    let (mut known, mut counts) = (HashSet::new(), HashMap::new());
    for tactic in found.into_inner()?.into_values().flatten() {
        let count: &mut usize = counts.entry(tactic.theme.to_string()).or_default();
        if *count < args.most && known.insert(tactic.position.key()) {
            *count += 1;
            println!("{tactic}");
        }
    }
    Ok(())
}

/// The game of an opening: `startpos`, moves, and perhaps a comment after `#`.
fn riatra(line: &str) -> Result<Game, Box<dyn Error>> {
    let mut game = Game::new(Ruleset::default(), Start::TSIVY.riatra());
    let moves = line.split('#').next().unwrap_or_default();
    for word in moves.split_whitespace().skip(1) {
        game.play(&word.parse::<Move>()?)?;
    }
    Ok(game)
}

/// A vela after random moves; `None` if they end it.
fn vela(number: u64) -> Option<Game> {
    let rules = Ruleset::default();
    let mut game = Game::new(rules, Start::TSIVY.vela(rules.vela_starter));
    let mut random = ChaCha8Rng::seed_from_u64(number);
    for _ in 0..VELA_OPENING {
        let moves = RootMove::all(game.position(), game.rules());
        let mv = (!moves.is_empty()).then(|| moves[random.random_range(0..moves.len())].mv)?;
        game.play(&mv).expect("a legal move");
    }
    game.ending().is_none().then_some(game)
}
