//! `arena convert`: converts games and positions between formats. It checks every game by the
//! rules.

mod form;
mod losses;
mod sink;

use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use fanorona_protocol::rules::Ruleset;

use self::form::{Form, Found};
use self::losses::Losses;
use self::sink::Sink;
use super::directory::{Unfinished, check_output};
use super::error::CliError;
use super::exit::Exit;
use super::games::{self, Games};
use super::recorded::RecordedTournament;
use crate::terminal::output::eprint_line;
use fanorona_tournament::notation::fen::{self, Dialect};
use fanorona_tournament::notation::fgn::{self, FileTags, Notation, WriteError};
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::record::table_writer::{columns, rows_to};
use fanorona_tournament::record::{
    GameRecord, GameRow, Journal, JournalError, MoveRow, Reader, Rows, move_rows, replay,
};
use fanorona_tournament::text::input_file;
use fanorona_tournament::text::table::plain_cell;

pub(super) const HELP: &str = "\
Examples:
  arena convert results/full/games.csv -o full.fgn
  arena convert games.fgn --to csv -o games.csv
  arena convert results/full --to fgn -o full.fgn      with the time and score of every move
  arena convert results/full --to moves -o moves.csv
  arena convert positions.txt --to fen         positions of other programs, one per line
  arena convert results/full/games.csv --to pgn -o full.pgn      for Ordo or BayesElo

Every game is replayed by the rules. Errors are reported with their line, and then nothing is \
written. The rules come from --rules; else from the tag Rules of FGN, or the config.toml of the \
results directory that a games.csv is in; else the defaults apply. A note says what the format has \
no place for. The notation of a position is detected: the protocol's, fanorona-aec's or \
Fanorona-Engine's. So is that of games: FGN, the FGN of Fanorona-Engine, moves of Abstract Play. \
moves.csv has a row per move with its time and what its engine reported: score, depth, nodes, nodes per second, table hits and principal variation. Only a results directory contains these.";

#[derive(Args, Debug)]
pub(super) struct ConvertArgs {
    /// A results directory, a games.csv file, an FGN file, or a text file with one position per
    /// line
    file: PathBuf,
    /// Output format [default: moves for a results directory, fgn for a games.csv, csv for FGN, fen
    /// for positions]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// The rules the games were played by, in the notation of the engine option Rules
    #[arg(long, value_name = "WORDS")]
    rules: Option<Ruleset>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Games as a table with the columns of games.csv
    Csv,
    /// Games as FGN text
    Fgn,
    /// The moves of a results directory as a table, with what the engines reported
    Moves,
    /// Positions in the protocol's notation
    Fen,
    /// Positions for fanorona-aec
    FanoronaAec,
    /// Positions or games for Fanorona-Engine
    FanoronaEngine,
    /// Games with moves in the notation of Abstract Play
    AbstractPlay,
    /// Players and results without moves, for programs that rate players of chess
    Pgn,
}

impl Format {
    /// The dialect of positions; `None` if the format is for games alone.
    fn dialect(self) -> Option<Dialect> {
        match self {
            Format::Fen => Some(Dialect::Ugi),
            Format::FanoronaAec => Some(Dialect::Aec),
            Format::FanoronaEngine => Some(Dialect::Engine),
            _ => None,
        }
    }

    /// The form of games; `None` if the format is for positions alone.
    fn form(self) -> Option<Form> {
        match self {
            Format::Csv => Some(Form::Row),
            Format::Fgn => Some(Form::Fgn),
            Format::FanoronaEngine => Some(Form::Other(Notation::Engine)),
            Format::AbstractPlay => Some(Form::Other(Notation::AbstractPlay)),
            Format::Pgn => Some(Form::Other(Notation::Pgn)),
            Format::Moves | Format::Fen | Format::FanoronaAec => None,
        }
    }
}

pub(super) fn convert(args: &ConvertArgs) -> Result<Exit, CliError> {
    let path = &args.file;
    if path.is_dir() {
        Unfinished::check(path)?;
    }
    args.out.iter().try_for_each(|out| check_output(out, path))?;
    let has_journal = path.is_dir() && Journal::path_in(path).exists();
    match args.to {
        None if has_journal => return moves_of(args),
        Some(Format::Moves) if has_journal => return moves_of(args),
        Some(Format::Moves) => {
            let what = format!("{} is not a results directory with a journal", path.display());
            let help = "only the journal of a results directory contains what engines reported";
            return Err(CliError::with_help(Exit::Usage, what, help));
        }
        Some(to) if has_journal => return of_journal(args, form(path, to)?),
        _ => {}
    }
    // Results without their journal still have the table.
    let table = path.join("games.csv");
    let path = if path.is_dir() && table.exists() { &table } else { path };
    if path.is_dir() {
        return Err(games::no_results(path));
    }
    let input = input_file::open_text(path).map(BufReader::new);
    let mut input = input.map_err(|why| unreadable(path, &why))?;
    let found = games::Form::detect(path, &mut input).map_err(|why| unreadable(path, &why))?;
    let to = args.to.unwrap_or(match found {
        games::Form::Csv => Format::Fgn,
        games::Form::Fgn => Format::Csv,
        games::Form::Positions => Format::Fen,
    });
    if matches!(found, games::Form::Positions) {
        let Some(dialect) = to.dialect() else {
            let why = format!("{} holds positions, not games", path.display());
            return Err(CliError::new(Exit::Usage, why));
        };
        return positions(args, input, dialect);
    }
    let to = form(path, to)?;
    match found {
        games::Form::Csv => {
            let rows = Rows::new(input).map_err(|why| wrong(path, &why))?;
            let about = games::about(path);
            let rows = rows.map(|row| {
                let about = about.clone();
                row.map(|(line, game)| Found { line, game, about, has_more: false })
            });
            games_of(args, path, rows, to)
        }
        _ => {
            let read = fgn::Reader::new(input).with_rules(args.rules).map(|game| {
                game.map(|game| Found {
                    line: game.line,
                    // Without the tag the rules are the default ones.
                    about: FileTags {
                        event: game.event,
                        rules: game.rules.unwrap_or_default(),
                        limits: game.limits,
                    },
                    has_more: game.has_more,
                    game: game.record,
                })
            });
            games_of(args, path, read, to)
        }
    }
}

/// Returns the form of games in a format.
fn form(path: &Path, to: Format) -> Result<Form, CliError> {
    to.form().ok_or_else(|| {
        let formats = "csv, fgn, fanorona-engine, abstract-play and pgn";
        let why = format!("{} holds games; the formats for games are {formats}", path.display());
        CliError::new(Exit::Usage, why)
    })
}

/// Writes the games of a results directory that count, in the order of `games.csv`.
fn of_journal(args: &ConvertArgs, to: Form) -> Result<Exit, CliError> {
    let dir = &args.file;
    let recorded = RecordedTournament::read(dir, false)?;
    let mut journal = Reader::open(dir)?;
    let about = FileTags::tournament(&recorded.tournament);
    let games = recorded.games().into_iter().zip(1..).map(|(game, line)| {
        let game = journal.game(game.offset)?;
        Ok::<_, JournalError>(Found { line, game, about: about.clone(), has_more: false })
    });
    games_of(args, dir, games, to)
}

fn unreadable(path: &Path, why: &io::Error) -> CliError {
    CliError::new(Exit::Usage, format!("failed to read {}: {why}", path.display()))
}

/// An error in a file. The message `why` begins with the line number.
fn wrong(path: &Path, why: &impl std::fmt::Display) -> CliError {
    CliError::new(Exit::Usage, format!("{}: {why}", path.display()))
}

/// Writes the moves of a results directory.
fn moves_of(args: &ConvertArgs) -> Result<Exit, CliError> {
    let games = Games::open(&args.file)?.all()?;
    let mut sink = Sink::new(args.out.as_deref())?;
    let mut rows = rows_to(Vec::new());
    let header = rows.write_record(&columns::<MoveRow>()).map_err(io::Error::other);
    header.map_err(|why| sink.failed(&why))?;
    for game in games {
        let (game, _) = game?;
        let added = move_rows(&game).try_for_each(|row| rows.serialize(row));
        added.map_err(io::Error::other).map_err(|why| sink.failed(&why))?;
        let full = std::mem::replace(&mut rows, rows_to(Vec::new()));
        let bytes = full.into_inner().map_err(|error| sink.failed(&error.into_error()))?;
        sink.write_all(&bytes).map_err(|why| sink.failed(&why))?;
    }
    sink.finish()?;
    Ok(Exit::Done)
}

/// The number of errors that are reported one by one.
const MAX_LISTED: usize = 10;

fn games_of<E: std::fmt::Display>(
    args: &ConvertArgs,
    path: &Path,
    found: impl Iterator<Item = Result<Found, E>>,
    to: Form,
) -> Result<Exit, CliError> {
    let mut sink = Sink::new(args.out.as_deref())?;
    let mut table = (to == Form::Row).then(|| rows_to(Vec::new()));
    let put = |sink: &mut Sink, table: &mut Option<csv::Writer<Vec<u8>>>| match table {
        Some(rows) => {
            let full = std::mem::replace(rows, rows_to(Vec::new()));
            let bytes = full.into_inner().map_err(|error| error.into_error())?;
            sink.write_all(&bytes)
        }
        None => Ok(()),
    };
    if let Some(rows) = &mut table {
        rows.write_record(&columns::<GameRow>())
            .map_err(io::Error::other)
            .map_err(|why| sink.failed(&why))?;
    }
    let (mut mistakes, mut numbers) = (Vec::new(), HashSet::<GameId>::new());
    let mut losses = Losses::default();
    for found in found {
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                // A broken record may make the rest of the file unreadable.
                mistakes.push(format!("{}: {why}", path.display()));
                break;
            }
        };
        let rules = args.rules.unwrap_or(found.about.rules);
        losses.see(&found, &rules);
        let Found { line, game, about, .. } = found;
        let replayed = replay(&rules, &game.start, &game.moves, game.result, game.reason);
        if let Err(why) = replayed {
            mistakes.push(format!("{}: line {line}: game {}: {why}", path.display(), game.id));
        } else if !numbers.insert(game.id) {
            let id = game.id;
            mistakes.push(format!("{}: line {line}: game {id} appears twice", path.display()));
        }
        if !mistakes.is_empty() {
            continue;
        }
        let about = FileTags { rules, ..about };
        let written = match (&mut table, to) {
            // FGN escapes unsafe characters and reads them back; CSV has no such escapes.
            (Some(rows), _) => {
                let game = game.made_safe();
                let [white, black] = [&game.white, &game.black].map(|name| plain_cell(name));
                let (white, black) = (white.into_owned(), black.into_owned());
                let game = GameRecord { white, black, ..game };
                rows.serialize(GameRow::new(&game)).map_err(io::Error::other)
            }
            (None, Form::Other(notation)) => {
                match fgn::write_as(&mut sink, &game, &about, notation) {
                    Ok(()) => Ok(()),
                    Err(WriteError::Io(why)) => Err(why),
                    Err(WriteError::Unsupported(why)) => {
                        let id = game.id;
                        mistakes.push(format!("{}: line {line}: game {id}: {why}", path.display()));
                        continue;
                    }
                }
            }
            (None, _) => fgn::write_game(&mut sink, &game, &about),
        };
        written.and_then(|()| put(&mut sink, &mut table)).map_err(|why| sink.failed(&why))?;
    }
    if !mistakes.is_empty() {
        return Err(of_mistakes(mistakes));
    }
    put(&mut sink, &mut table).map_err(|why| sink.failed(&why))?;
    sink.finish()?;
    if let lost @ [_, ..] = &losses.in_words(to)[..] {
        let lost = lost.join(", ");
        eprint_line(format_args!("note: left out, as {} has no place for it: {lost}", to.name()));
    }
    Ok(Exit::Done)
}

/// An error with the first few mistakes and the number of the others.
fn of_mistakes(mut mistakes: Vec<String>) -> CliError {
    let more = mistakes.len().saturating_sub(MAX_LISTED);
    mistakes.truncate(MAX_LISTED);
    if more > 0 {
        mistakes.push(format!("and {more} more"));
    }
    CliError::new(Exit::Usage, mistakes.join("\n"))
}

fn positions(args: &ConvertArgs, input: impl BufRead, to: Dialect) -> Result<Exit, CliError> {
    let path = &args.file;
    let mut sink = Sink::new(args.out.as_deref())?;
    // The number of positions read.
    let mut read = 0_u64;
    let mut is_quiet = false;
    let mut mistakes = Vec::new();
    for (index, line) in input_file::lines(input).enumerate() {
        let line = line.map_err(|why| unreadable(path, &why))?;
        let (text, comment) = match line.find('#') {
            Some(at) => line.split_at(at),
            None => (&*line, ""),
        };
        let gap = if text.trim().is_empty() || comment.is_empty() { "" } else { " " };
        let converted = match text.trim() {
            "" => Ok(String::new()),
            text => fen::read(text).and_then(|(position, _)| {
                read += 1;
                is_quiet |= position.quiet_plies() > 0;
                fen::write(&position, to)
            }),
        };
        match converted {
            Ok(text) => {
                let written = writeln!(sink, "{text}{gap}{comment}");
                written.map_err(|why| sink.failed(&why))?;
            }
            Err(why) => mistakes.push(format!("{}: line {}: {why}", path.display(), index + 1)),
        }
    }
    match mistakes.is_empty() {
        true => {
            sink.finish()?;
            if is_quiet && to == Dialect::Aec {
                eprint_line(
                    "note: left out, as fanorona-aec has no place for it: plies since the last capture",
                );
            }
            Ok(Exit::Done)
        }
        false if read == 0 => Err(CliError::with_help(
            Exit::Usage,
            format!(
                "{} holds neither games nor positions: none of its lines is a position",
                path.display()
            ),
            "a games.csv begins with its column names, an FGN file with a tag in brackets, and a \
             list of positions has one position per line",
        )),
        false => Err(of_mistakes(mistakes)),
    }
}
