//! `arena puzzles`: finds puzzles in games, or endgame positions with one winning move.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use fanorona_protocol::rules::{BoardSize, Ruleset};

use super::analyst::{Analyst, LimitArgs, replayed};
use super::error::CliError;
use super::exit::Exit;
use super::games::Games;
use crate::terminal::output::{eprint_line, print_line};
use crate::terminal::work::WorkProgress;
use fanorona_runner::analysis::puzzles::{Endgames, exact, tactical};
use fanorona_runner::analysis::{AnalysisError, Request};
use fanorona_tournament::analysis::puzzles::{Puzzle, read};
use fanorona_tournament::record::atomic_file::NamedOutput;
use fanorona_tournament::text::plural::counted;

pub(super) const HELP: &str = "\
Examples:
  arena puzzles results/full --engine bot-alphabeta --out tactical.jsonl
  arena puzzles --endgames 5 --engine bot-alphabeta --option EndgameTables=tables --out exact.jsonl

In games, a puzzle is a position in which one move keeps a winning chance of 0.8 or more and every \
other one loses 0.3 or more, for at least two moves in a row. Searches of --nodes look for it, and \
searches of --confirm nodes have to agree. With --endgames, it is a random \
position with few stones in which one move wins; the engine must know the values of such positions \
(`query value`). Moves to the same position count as one. A position appears once, also as a \
reflection or with colours swapped. The file has one JSON object per line: id, fen, rules if they \
are not the usual ones, kind, plies of a proven win, rating, solution and source. `moves` in the solution are the \
right moves, `reply` is the answer to them, and `then` holds the right moves after it. Each line is \
checked by the rules.";

/// The default number of nodes per position, and per position of a solution.
const NODES: u64 = 20_000;
const CONFIRM: &str = "1000000";

#[derive(Args, Debug)]
pub(super) struct PuzzlesArgs {
    /// Results directories, games.csv files or FGN files
    #[arg(required_unless_present = "endgames", conflicts_with = "endgames")]
    dir: Vec<PathBuf>,
    /// The engine that finds the puzzles: a bot's name, or a command line in quotes
    #[arg(long, value_name = "ENGINE")]
    engine: String,
    /// Set an option of the engine; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    #[command(flatten)]
    limit: LimitArgs,
    /// Nodes of the searches that a puzzle's first move has to stand in; later moves have a fifth
    #[arg(long, value_name = "N", default_value = CONFIRM, value_parser = super::arguments::count,
          conflicts_with = "endgames")]
    confirm: std::num::NonZeroU32,
    /// The file to write; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Stop after this many puzzles
    #[arg(long, value_name = "N", default_value = "150", value_parser = super::arguments::count)]
    count: std::num::NonZeroU32,
    /// Find exact puzzles among random positions of up to N stones
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(3..=10))]
    endgames: Option<u32>,
    /// The board of --endgames, columns x rows
    #[arg(long, value_name = "BOARD", default_value = "9x5", requires = "endgames")]
    board: BoardSize,
    /// Seed of the random positions of --endgames
    #[arg(long, value_name = "N", default_value_t = 1, requires = "endgames")]
    seed: u64,
}

pub(super) fn puzzles(args: &PuzzlesArgs) -> Result<Exit, CliError> {
    let mut draft = NamedOutput::begin(&args.out).map_err(|why| cannot_write(&args.out, &why))?;
    let mut puzzles = match args.endgames {
        Some(stones) => of_endgames(args, stones)?,
        None => of_games(args)?,
    };
    puzzles.sort_by(|one, other| (one.rating, &one.id).cmp(&(other.rating, &other.id)));
    let line = |puzzle: &Puzzle| {
        serde_json::to_string(puzzle).expect("a puzzle is made of texts and numbers") + "\n"
    };
    let text: String = puzzles.iter().map(line).collect();
    // Whatever the engine said, a file that is written can be read.
    read(text.as_bytes())
        .map_err(|why| CliError::new(Exit::Bug, format!("{}: {why}", args.out.display())))?;
    let written = draft.write_all(text.as_bytes()).and_then(|()| draft.finish());
    written.map_err(|why| cannot_write(&args.out, &why))?;
    let found = counted(puzzles.len() as u64, "puzzle", "puzzles");
    print_line(format_args!("{found}: {}", args.out.display()));
    Ok(Exit::Done)
}

fn of_games(args: &PuzzlesArgs) -> Result<Vec<Puzzle>, CliError> {
    let limit = args.limit.limit(NODES)?;
    let confirm = args.confirm.get().into();
    let wanted = args.count.get() as usize;
    let mut analyst = Analyst::start(&args.engine, &args.option, Ruleset::default())?;
    let (mut found, mut seen): (Vec<Puzzle>, _) = (Vec::new(), HashSet::new());
    let open = |dir: &PathBuf| Games::open(dir)?.all();
    let sources = args.dir.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let games: usize = sources.iter().map(|source| source.len()).sum();
    let (mut progress, mut read) = (WorkProgress::new(games as u64), 0_u64);
    for source in sources {
        for game in source {
            if found.len() >= wanted {
                break;
            }
            let puzzles = counted(found.len() as u64, "puzzle", "puzzles");
            progress.at(read, format_args!("game {} of {games}; {puzzles}", read + 1));
            read += 1;
            let (game, rules) = game?;
            let (start, moves) = replayed(&game, &rules)?;
            let book = game.book as usize;
            let request = Request { rules, start, moves: &moves, book, limit, lines: 1 };
            let source = format!("game between {} and {}", game.white, game.black);
            let puzzles = analyst.with(rules, async |engine| {
                tactical(engine, &request, confirm, &mut seen, &source).await
            })?;
            found.extend(puzzles.map_err(|why| {
                CliError::new(Exit::EngineStart, format!("game {}: {why}", game.id))
            })?);
        }
    }
    progress.finish();
    found.truncate(wanted);
    Ok(found)
}

fn of_endgames(args: &PuzzlesArgs, stones: u32) -> Result<Vec<Puzzle>, CliError> {
    if args.limit.is_set() {
        let why = "--endgames asks for exact values, which have no limit";
        return Err(CliError::with_help(Exit::Usage, why, "leave out --nodes and --limit"));
    }
    let rules = Ruleset::default();
    let (count, board, seed) = (args.count.get() as usize, args.board, args.seed);
    let mut analyst = Analyst::start(&args.engine, &args.option, rules)?;
    let endgames = Endgames { rules, board, stones, count, seed };
    let mut progress = WorkProgress::new(count as u64);
    let found = analyst.with(rules, async |engine| {
        let on_position = |found: usize, tried: u64| {
            let puzzles = counted(found as u64, "puzzle", "puzzles");
            progress.at(found as u64, format_args!("position {tried}; {puzzles}"));
        };
        exact(engine, &endgames, on_position).await.map_err(AnalysisError::Engine)
    })?;
    progress.finish();
    let found = found.map_err(|why| CliError::new(Exit::EngineStart, why))?;
    if found.is_empty() {
        eprint_line(format_args!(
            "warning: {} knows no values from which puzzles follow; use an engine that answers \
             `query value` with exact values, such as bot-alphabeta with --option EndgameTables=DIR",
            analyst.name()
        ));
    }
    Ok(found)
}

fn cannot_write(path: &Path, why: &std::io::Error) -> CliError {
    CliError::new(Exit::Storage, format!("cannot write {}: {why}", path.display()))
}
