//! `arena analyse`: finds the mistakes in games by an engine.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use fanorona_protocol::rules::{Move, Position, Ruleset};
use indicatif::ProgressBar;

use super::analyst::{Analyst, LimitArgs, no_scores, replayed};
use super::error::CliError;
use super::exit::Exit;
use super::games::{self, Games};
use crate::terminal::output::{print_line, print_wrapped};
use crate::terminal::screen;
use fanorona_report::analysis_files;
use fanorona_runner::analysis::{AnalysisError, Request, analyse as analyse_game};
use fanorona_tournament::notation::fgn::{self, About};
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::record::atomic_file::AtomicFile;

pub(super) const HELP: &str = "\
Examples:
  arena analyse games.fgn --engine bot-alphabeta
  arena analyse results/full --game 17 --engine bot-alphabeta --nodes 500000
  arena analyse games.fgn --engine bot-alphabeta --out annotated.fgn

The engine searches every position after the opening. A move that gives away winning chance is \
marked: 0.1 of a win or more is an inaccuracy (?!), 0.2 a mistake (?), 0.3 a blunder (??). The \
winning chance is 0.5 in an even position and 0.73 with a lead of 360 hundredths of a stone. \
Accuracy is 100 for a player who gives away nothing. A move without an alternative is not judged. \
ENGINE is looked up beside the arena, in the current directory and on PATH; put it in quotes if it \
has arguments. --json prints one object per game with all positions.";

/// The default number of nodes per position.
const NODES: u64 = 100_000;

#[derive(Args, Debug)]
pub(super) struct AnalyseArgs {
    /// An FGN file, a games.csv file or a results directory
    file: PathBuf,
    /// The analysing engine: a bot's name, or a command line in quotes
    #[arg(long, value_name = "ENGINE")]
    engine: String,
    /// Set an option of the engine; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    #[command(flatten)]
    limit: LimitArgs,
    /// Lines to search in each position, for engines with the option MultiPV; --json shows them
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=64))]
    lines: u32,
    /// Analyse only this game: 17, or 17.2 in a session; may be given several times
    #[arg(long, value_name = "GAME")]
    game: Vec<GameId>,
    /// Write the games with comments to an FGN file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON, one object per game
    #[arg(long)]
    json: bool,
}

/// A game that has been checked by the rules.
struct Checked {
    game: GameRecord,
    rules: Ruleset,
    start: Position,
    moves: Vec<Move>,
}

pub(super) fn analyse(args: &AnalyseArgs) -> Result<Exit, CliError> {
    let limit = args.limit.limit(NODES)?;
    let games = checked(args)?;
    let Some(first) = games.first() else {
        return Err(CliError::new(Exit::Usage, format!("{} has no games", args.file.display())));
    };
    let draft = match &args.out {
        Some(path) => Some(AtomicFile::begin(path).map_err(|why| cannot_write(path, &why))?),
        None => None,
    };
    let mut annotated = Vec::new();
    let file = match args.file.is_dir() {
        true => args.file.join("games.csv"),
        false => args.file.clone(),
    };
    let about = games::about(&file);
    let mut analyst = Analyst::start(&args.engine, &args.option, first.rules)?;
    let name = analyst.name().to_owned();
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();
    let bar = ProgressBar::new(positions as u64);
    for (index, Checked { game, rules, start, moves }) in games.iter().enumerate() {
        let request = Request {
            rules: *rules,
            start: *start,
            moves,
            book: game.book as usize,
            limit,
            lines: args.lines,
        };
        let analysis = analyst
            .with(*rules, async |engine| analyse_game(engine, &request, |_| bar.inc(1)).await)?;
        let analysis = analysis.map_err(|why| failed(game, &why))?;
        let had_to_search = moves.len() > game.book as usize;
        if had_to_search && !analysis.has_scores() {
            return Err(no_scores(&name));
        }
        bar.suspend(|| match args.json {
            true => print_line(analysis_files::json(game, &name, &limit.to_string(), &analysis)),
            false => {
                let gap = if index > 0 { "\n" } else { "" };
                let text = analysis_files::text(game, &analysis, screen::width());
                print_wrapped(format_args!("{gap}{}", text.trim_end()));
            }
        });
        if args.out.is_some() {
            let about = About { rules: *rules, ..about.clone() };
            let annotations = analysis_files::annotations(game, &name, &analysis);
            fgn::write_annotated(&mut annotated, game, &about, &annotations)
                .expect("memory takes every byte");
        }
    }
    bar.finish_and_clear();
    if let (Some(mut draft), Some(path)) = (draft, &args.out) {
        let written = draft.write_all(&annotated).and_then(|()| draft.finish());
        written.map_err(|why| cannot_write(path, &why))?;
    }
    Ok(Exit::Done)
}

/// The games to analyse. All of them are checked before the engine starts.
fn checked(args: &AnalyseArgs) -> Result<Vec<Checked>, CliError> {
    if args.file.is_dir() && args.game.is_empty() {
        return Err(CliError::with_help(
            Exit::Usage,
            format!("{} is a results directory: name the games to analyse", args.file.display()),
            format!(
                "add --game 1, or analyse all games with `arena report {} --analyse {}`",
                args.file.display(),
                args.engine
            ),
        ));
    }
    let mut games = Games::open(&args.file)?;
    let found: Vec<(GameRecord, Ruleset)> = match &args.game[..] {
        [] => games.all().collect::<Result<_, _>>()?,
        ids => ids.iter().map(|id| games.find(*id)).collect::<Result<_, _>>()?,
    };
    let checked = |(game, rules): (GameRecord, Ruleset)| {
        let (start, moves) = replayed(&game, &rules)?;
        Ok(Checked { game, rules, start, moves })
    };
    found.into_iter().map(checked).collect()
}

fn failed(game: &GameRecord, why: &AnalysisError) -> CliError {
    CliError::new(Exit::EngineStart, format!("game {}: {why}", game.id))
}

fn cannot_write(path: &std::path::Path, why: &std::io::Error) -> CliError {
    CliError::new(Exit::Storage, format!("cannot write {}: {why}", path.display()))
}
