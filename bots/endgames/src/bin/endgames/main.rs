//! `endgames`: builds, verifies, summarizes and probes endgame tables.

mod puzzles;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand};
use fanorona_endgames::memory::Bytes;
use fanorona_endgames::program::{self, CliError, eprint_line, print_line};
use fanorona_endgames::{
    self as endgame, BuildObserver, Inspection, Layer, MAX_STONES, Plan, Tables,
};
use fanorona_protocol::rules::{BoardSize, Position, Ruleset};
use indicatif::ProgressBar;

use self::puzzles::PuzzlesArgs;

/// Endgame tables for Fanorona: the exact value of every position with few stones.
#[derive(Parser, Debug)]
#[command(name = "endgames", version, propagate_version = true)]
#[command(after_help = "\
Exit codes: 0 success; 1 a table is wrong; 2 wrong usage or an unusable file; 74 the output could not \
be written.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Build all tables up to a number of stones. Finished tables are kept, so an interrupted build
    /// continues
    #[command(after_help = "\
Examples:
  endgames build --stones 5
  endgames build --stones 7 --memory 4G
  endgames build --stones 8 --layer 5v3 --memory 10G")]
    Build(BuildArgs),
    /// Verify tables against the rules: every position's value must follow from those of its moves
    Verify(VerifyArgs),
    /// Print the share of wins, draws and losses for each number of stones, the side to move first
    Stats {
        /// The directory of the tables
        dir: PathBuf,
    },
    /// Print a page of puzzles: the longest wins, positions with a single right move, and three
    /// stones against five
    #[command(after_help = "\
Examples:
  endgames puzzles tables > puzzles.md
  endgames puzzles tables --board 5x5 --wins 5

The page is Markdown. Sections that need more stones than the tables have are omitted.")]
    Puzzles(PuzzlesArgs),
    /// Print the value of a position and of each of its moves
    #[command(after_help = "\
Example:
  endgames probe \"9/9/2W1b4/5b3/1W7 b\"")]
    Probe {
        /// The position in FEN
        fen: String,
        /// The directory of the tables
        #[arg(long, default_value = "tables")]
        dir: PathBuf,
    },
}

#[derive(Args, Debug)]
struct BuildArgs {
    /// Maximum number of stones of both sides, 2 to 8
    #[arg(long, value_name = "N")]
    stones: usize,
    /// Build only this layer of those with that many stones, for example 5v3; may be repeated
    /// [default: all]
    #[arg(long, value_name = "L")]
    layer: Vec<Layer>,
    /// The board, columns x rows
    #[arg(long, value_name = "B", default_value = "9x5")]
    board: BoardSize,
    /// The directory to write the tables to
    #[arg(long, value_name = "DIR", default_value = "tables")]
    out: PathBuf,
    /// Rule switches to turn on: `forced-continuation`, `blocked-is-draw` or both. Each set of
    /// rules needs its own directory
    #[arg(long, value_name = "RULES", default_value = "")]
    rules: Ruleset,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "T", value_parser = count)]
    threads: Option<NonZeroUsize>,
    /// Memory limit, for example 500M or 20G
    #[arg(long, value_name = "M", default_value = "4G")]
    memory: Bytes,
}

#[derive(Args, Debug)]
struct VerifyArgs {
    /// The directory of the tables
    dir: PathBuf,
    /// Number of positions to verify in each layer; all if it has no more
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    sample: u64,
    /// Verify every position
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    /// Seed of the random sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Verify only this layer, for example 3v2; may be repeated [default: all]
    #[arg(long, value_name = "L")]
    layer: Vec<Layer>,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "T", value_parser = count)]
    threads: Option<NonZeroUsize>,
    /// Memory limit for unpacking large samples, for example 500M or 20G
    #[arg(long, value_name = "M", default_value = "4G")]
    memory: Bytes,
}

fn main() -> ExitCode {
    program::run("endgames", |cli: Cli| match cli.command {
        Command::Build(args) => build(&args),
        Command::Verify(args) => verify(&args),
        Command::Stats { dir } => stats(&dir),
        Command::Puzzles(args) => puzzles::page(&args).map(|page| {
            print_line(page.trim_end());
            ExitCode::SUCCESS
        }),
        Command::Probe { fen, dir } => probe(&fen, &dir),
    })
}

/// Parses a positive whole number.
fn count(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a whole number of at least 1".to_owned())
}

/// The requested number of threads, or one per processor.
fn threads(asked: Option<NonZeroUsize>) -> usize {
    asked.or(thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

fn build(args: &BuildArgs) -> Result<ExitCode, CliError> {
    let plan = Plan {
        board: args.board,
        stones: args.stones,
        only: args.layer.clone(),
        dir: args.out.clone(),
        threads: threads(args.threads),
        memory: args.memory.0,
    };
    let begin = Instant::now();
    endgame::build_by(&plan, &args.rules, &Progress::new())?;
    eprint_line(format_args!("built in {:.1} s", begin.elapsed().as_secs_f64()));
    Ok(ExitCode::SUCCESS)
}

/// From this number of positions on, unpacking a layer is faster than unpacking its blocks again
/// and again.
const MANY: u64 = 10_000;

fn verify(args: &VerifyArgs) -> Result<ExitCode, CliError> {
    let sample = if args.all { u64::MAX } else { args.sample };
    let inspection = Inspection { sample, seed: args.seed, threads: threads(args.threads) };
    for board in boards(&args.dir)? {
        let mut tables = Tables::open(&args.dir, board, MAX_STONES)?;
        let mut layers: Vec<Layer> = tables.layers().collect();
        if let Some(layer) = args.layer.iter().find(|layer| !layers.contains(layer)) {
            let stones = tables.stones();
            let why =
                format!("no table of {layer} on {board}: the tables have up to {stones} stones");
            return Err(CliError::usage(why));
        }
        layers.retain(|layer| args.layer.is_empty() || args.layer.contains(layer));
        for layer in layers {
            if sample.min(tables.len(layer)) >= MANY {
                tables.unpack(layer, args.memory.0)?;
            }
            let bar = bar(sample.min(tables.len(layer)));
            bar.set_message(format!("{board} {layer}"));
            let verified = endgame::verify(&tables, layer, &inspection, |count| bar.inc(count));
            bar.finish_and_clear();
            match verified {
                Ok(verified) => {
                    let all = if verified.all { "all" } else { "a sample" };
                    print_line(format_args!(
                        "{board} {layer}: {} positions, {all}",
                        verified.positions
                    ));
                }
                Err(endgame::VerifyError::Mismatch(mismatch)) => {
                    return Err(CliError::wrong(mismatch.to_string()));
                }
                Err(endgame::VerifyError::File(error)) => return Err(error.into()),
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn stats(dir: &Path) -> Result<ExitCode, CliError> {
    for board in boards(dir)? {
        let tables = Tables::open(dir, board, MAX_STONES)?;
        print_line(format_args!(
            "{board}  {:>8} {:>8} {:>8}  {:>12} {:>12} {:>12}  longest win",
            "win %", "draw %", "loss %", "wins", "draws", "losses"
        ));
        for layer in tables.layers() {
            for side in tables.sides(layer) {
                let all = side.wins + side.draws + side.losses;
                let longest = side.longest.map_or("-".to_owned(), |longest| {
                    let position = tables.position(layer, longest.number);
                    format!("{:>3} {position}", longest.plies)
                });
                print_line(format_args!(
                    "{:>3}  {:>8.4} {:>8.4} {:>8.4}  {:>12} {:>12} {:>12}  {longest}",
                    format!("{}v{}", side.own, side.enemy),
                    percent(side.wins, all),
                    percent(side.draws, all),
                    percent(side.losses, all),
                    side.wins,
                    side.draws,
                    side.losses,
                ));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn probe(fen: &str, dir: &Path) -> Result<ExitCode, CliError> {
    let position: Position = fen.parse()?;
    let tables = Tables::open(dir, position.board().size(), MAX_STONES)?;
    let rules = *tables.rules();
    let missing = || {
        let stones = tables.stones();
        CliError::usage(format!(
            "`{position}` is not in the tables, which have up to {stones} stones"
        ))
    };
    let value = tables.value(&position, &rules)?.ok_or_else(missing)?;
    let mut moves = tables.moves(&position, &rules)?.ok_or_else(missing)?;
    print_line(value);
    moves.sort_by_key(|&(_, value)| std::cmp::Reverse(endgame::rank(value)));
    for (mv, value) in moves {
        print_line(format_args!("{mv}: {value}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// A share in per cent.
fn percent(part: u64, all: u64) -> f64 {
    100.0 * part as f64 / all as f64
}

/// The boards with tables in a directory, at least one.
fn boards(dir: &Path) -> Result<Vec<BoardSize>, CliError> {
    let boards = Tables::boards(dir);
    if boards.is_empty() {
        let why = format!("{}: no endgame tables here: build them first", dir.display());
        return Err(CliError::usage(why));
    }
    Ok(boards)
}

/// Shows the progress of a build: bars at a terminal, otherwise a line for every group of layers.
struct Progress {
    now: Mutex<Option<(String, Instant, ProgressBar)>>,
}

impl Progress {
    fn new() -> Progress {
        Progress { now: Mutex::new(None) }
    }

    fn with<R>(&self, work: impl FnOnce(&mut Option<(String, Instant, ProgressBar)>) -> R) -> R {
        work(&mut self.now.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl BuildObserver for Progress {
    fn begin(&self, layers: &[Layer], steps: u64) {
        let names: Vec<_> = layers.iter().map(Layer::to_string).collect();
        let names = names.join(" ");
        let bar = bar(steps);
        bar.set_message(names.clone());
        self.with(|now| *now = Some((names, Instant::now(), bar)));
    }

    fn advance(&self, steps: u64) {
        self.with(|now| now.iter().for_each(|(_, _, bar)| bar.inc(steps)));
    }

    fn end(&self) {
        if let Some((names, begin, bar)) = self.with(Option::take) {
            bar.finish_and_clear();
            eprint_line(format_args!("{names}: {:.1} s", begin.elapsed().as_secs_f64()));
        }
    }

    fn found(&self, layer: Layer) {
        eprint_line(format_args!("{layer}: already built"));
    }
}

/// A progress bar with the remaining time.
fn bar(steps: u64) -> ProgressBar {
    let form = "{msg} {bar:30} {percent}% {elapsed} (left: {eta})";
    let bar = program::bar(form, Some(steps));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
