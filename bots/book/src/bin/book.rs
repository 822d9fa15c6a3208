//! `book`: builds opening books and prints them.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};
use fanorona_book::build::{Builder, PLY, Progress};
use fanorona_book::exact::ExactValues;
use fanorona_book::journal::Recipe;
use fanorona_bots::book::{Book, BookMove};
use fanorona_endgames::atomic_file;
use fanorona_endgames::program::{self, CliError, bar, eprint_line, print_line};
use fanorona_protocol::messages::Score;
use fanorona_protocol::rules::{Effect, Move, Position, Ruleset, Start};

/// Build and print the opening books of the engines
#[derive(Parser, Debug)]
#[command(name = "book", version, propagate_version = true)]
#[command(after_help = "\
Exit codes: 0 success; 2 wrong usage or an unusable file; 74 the output could not be written.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Build a book, or let one grow. Continues after an interruption
    Build(BuildArgs),
    /// Print the value of every move of a position, by default of the starts of the game
    Show(ShowArgs),
}

#[derive(Args, Debug)]
struct BuildArgs {
    /// The file to write the book to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The file that keeps every search; by default the book's name with `.journal` appended
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Total number of positions to search
    #[arg(long, value_name = "N")]
    positions: usize,
    /// Number of nodes after which a search begins no new iteration
    #[arg(long, value_name = "N", default_value_t = 1_000_000,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// A start of the games: riatra, left-right, vela, a board such as 5x3, or a FEN; may be
    /// repeated, and the same start gets more positions then [default: riatra twice, left-right,
    /// vela]
    #[arg(long = "start", value_name = "START")]
    starts: Vec<StartText>,
    /// The loss, in hundredths of a stone, that counts as much as a ply: a larger one makes the book
    /// wider, a smaller one deeper
    #[arg(long, value_name = "N", default_value_t = PLY,
        value_parser = clap::value_parser!(i64).range(1..=10_000))]
    ply: i64,
    /// Number of searches at a time; by default one for each processor
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Directory of endgame tables for the searches (see the program endgames)
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// A solved game (see the program solve) whose positions need no search; may be repeated
    #[arg(long = "solution", value_name = "FILE")]
    solutions: Vec<PathBuf>,
}

#[derive(Args, Debug)]
struct ShowArgs {
    /// A start (riatra, left-right, vela, a board such as 5x3) or a FEN
    position: Option<StartText>,
    /// Moves to play from the position first
    moves: Vec<Move>,
    /// The book; by default the one built into the engines
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

/// The position of a start, with its name.
#[derive(Clone, Debug)]
struct StartText {
    name: String,
    position: Position,
}

impl StartText {
    /// The starts of the book that the engines have.
    fn usual() -> Vec<StartText> {
        const USUAL: [&str; 3] = ["riatra", "left-right", "vela"];
        USUAL.iter().map(|name| name.parse().expect("the name of a start")).collect()
    }
}

impl std::str::FromStr for StartText {
    type Err = String;

    fn from_str(name: &str) -> Result<StartText, String> {
        let position = match name {
            "riatra" => Start::TSIVY.riatra(),
            "vela" => Start::TSIVY.vela(Ruleset::default().vela_starter),
            _ if name.contains('/') => {
                name.parse().map_err(|error| format!("not a position: {error}"))?
            }
            _ => name
                .parse::<Start>()
                .map_err(|_| {
                    "expected riatra, left-right, vela, a board such as 5x3, or a FEN".to_owned()
                })?
                .riatra(),
        };
        Ok(StartText { name: name.to_owned(), position })
    }
}

fn main() -> ExitCode {
    program::run("book", |cli: Cli| match cli.command {
        Command::Build(args) => build(args),
        Command::Show(args) => show(&args),
    })
}

type Done = Result<(), CliError>;

/// Shows how far a build is: a bar at a terminal, otherwise a line for every tenth of the positions.
struct Shown {
    bar: indicatif::ProgressBar,
    positions: usize,
    tenths: usize,
}

impl Progress for Shown {
    fn round(&mut self, positions: usize, searches: usize) {
        self.bar.set_position(positions as u64);
        self.bar.set_message(format!("{searches} searches"));
        let tenths = positions * 10 / self.positions;
        if self.bar.is_hidden() && tenths > self.tenths {
            self.tenths = tenths;
            eprint_line(format_args!(
                "book: {positions} of {} positions, {searches} searches",
                self.positions
            ));
        }
    }
}

fn build(args: BuildArgs) -> Done {
    let BuildArgs { out, journal, positions, nodes, starts, ply, threads, tables, solutions } =
        args;
    let mut starts: Vec<Position> = starts.into_iter().map(|start| start.position).collect();
    if starts.is_empty() {
        // Riatra is the game that is played most.
        starts.push(Start::TSIVY.riatra());
        starts.extend(StartText::usual().iter().map(|start| start.position));
    }
    let journal = journal.unwrap_or_else(|| {
        let mut name = out.as_os_str().to_owned();
        name.push(".journal");
        name.into()
    });
    let threads = match threads {
        Some(threads) => threads.get(),
        None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
    };
    let recipe = Recipe { nodes, tables };
    let exact = ExactValues::open(&solutions)?;
    let builder = Builder::new(&starts, &recipe, &journal, threads)?;
    let mut builder = builder.with_ply(ply).with_exact(exact);
    let bar = bar("{wide_bar} {pos}/{len} positions, {msg}", Some(positions as u64));
    let mut shown = Shown { bar, positions, tenths: 0 };
    builder.grow(positions, &mut shown)?;
    shown.bar.finish_and_clear();
    if builder.positions() < positions {
        eprint_line(format_args!(
            "book: nothing more to search after {} positions",
            builder.positions()
        ));
    }
    let book = builder.book();
    let bytes = book.to_bytes();
    atomic_file::write(&out, &bytes).map_err(|error| CliError::unwritten(&out, &error))?;
    print_line(format_args!(
        "{}: {} positions searched, {} in the book, {} bytes",
        out.display(),
        builder.positions(),
        book.len(),
        bytes.len()
    ));
    Ok(())
}

fn show(args: &ShowArgs) -> Done {
    let rules = Ruleset::default();
    let book = match &args.book {
        None => Book::shipped(),
        Some(path) => Arc::new(read(path)?),
    };
    let starts = match &args.position {
        None => StartText::usual(),
        Some(start) => vec![start.clone()],
    };
    print_line(format_args!(
        "{} positions, searches of {} nodes; values for the side to move",
        book.len(),
        book.nodes()
    ));
    for StartText { name, mut position } in starts {
        for mv in &args.moves {
            position = position
                .play(&rules, mv)
                .map_err(|error| CliError::usage(format!("{mv} in {position}: {error}")))?;
        }
        print_line(format_args!("\n{name}: {position}"));
        let moves = book.moves(&position, &rules);
        if moves.is_empty() {
            print_line("  not in the book");
            continue;
        }
        print_line(format_args!("  {:<16} {:>8} {:>6}  continuation", "move", "value", "plies"));
        for BookMove { effect, score } in moves {
            let after = position.apply_unchecked(effect);
            let mut line = vec![effect];
            line.extend(book.line(&after, &rules));
            let words = words(&position, &rules, &line);
            let (first, rest) = words.split_first().expect("the line begins with the move");
            print_line(format_args!(
                "  {first:<16} {:>8} {:>6}  {}",
                show_score(score),
                line.len(),
                rest.join(" ")
            ));
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Book, CliError> {
    let failed =
        |why: &dyn std::fmt::Display| CliError::usage(format!("{}: {why}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| failed(&error))?;
    Book::read(&bytes).map_err(|error| failed(&error))
}

/// A score as a number of stones, or as a proof.
fn show_score(score: Score) -> String {
    match score {
        Score::Cp(hundredths) => format!("{:+.2}", f64::from(hundredths) / 100.0),
        proof => proof.to_string(),
    }
}

/// The moves of a line of effects, each by its first path.
fn words(position: &Position, rules: &Ruleset, line: &[Effect]) -> Vec<String> {
    let (mut position, mut words) = (*position, Vec::new());
    for &effect in line {
        let moves = position.legal_moves(rules);
        let mv = moves.iter().find(|mv| position.effect_of(rules, mv) == Ok(effect));
        words.push(mv.expect("the book's moves are legal").to_string());
        position = position.apply_unchecked(effect);
    }
    words
}
