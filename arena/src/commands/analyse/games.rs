//! Analyses the games of a file, or single games of a tournament, and prints what was found.

use std::io::Write;

use fanorona_protocol::rules::{Move, Position, Ruleset};
use indicatif::ProgressBar;

use super::super::analyst::{Analyst, no_scores, replayed};
use super::super::error::CliError;
use super::super::exit::Exit;
use super::super::games::{self, Games};
use super::arguments::AnalyseArgs;
use crate::terminal::output::{print_line, print_wrapped};
use crate::terminal::screen;
use fanorona_report::analysis_files;
use fanorona_runner::analysis::{AnalysisError, Request, analyse as analyse_game};
use fanorona_tournament::notation::fgn::{self, FileTags};
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::record::atomic_file::NamedOutput;

/// The default number of nodes per position.
const NODES: u64 = 100_000;

/// A game that has been checked by the rules.
struct Checked {
    game: GameRecord,
    rules: Ruleset,
    start: Position,
    moves: Vec<Move>,
}

/// Analyses the games that the command line names.
pub(super) fn analyse(args: &AnalyseArgs, engine: &str) -> Result<(), CliError> {
    let limit = args.limit.limit(NODES)?;
    let games = checked(args)?;
    let Some(first) = games.first() else {
        return Err(CliError::new(Exit::Usage, format!("{} has no games", args.file.display())));
    };
    let draft = match &args.out {
        Some(path) => Some(NamedOutput::begin(path).map_err(|why| cannot_write(path, &why))?),
        None => None,
    };
    let mut annotated = Vec::new();
    let file = match args.file.is_dir() {
        true => args.file.join("games.csv"),
        false => args.file.clone(),
    };
    let about = games::about(&file);
    let mut analyst = Analyst::start(engine, &args.option, first.rules)?;
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
            lines: args.lines.unwrap_or(1),
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
            let about = FileTags { rules: *rules, ..about.clone() };
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
    Ok(())
}

/// The games to analyse. All of them are checked before the engine starts.
fn checked(args: &AnalyseArgs) -> Result<Vec<Checked>, CliError> {
    let mut games = Games::open(&args.file)?;
    let found: Vec<(GameRecord, Ruleset)> = match &args.game[..] {
        [] => games.all()?.collect::<Result<_, _>>()?,
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
