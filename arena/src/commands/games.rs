//! The input of commands that read games: a results directory or a file.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use fanorona_protocol::rules::Ruleset;

use super::directory::Unfinished;
use super::error::CliError;
use super::exit::Exit;
use super::recorded::RecordedTournament;
use fanorona_tournament::config::{self, Overrides};
use fanorona_tournament::notation::fgn::{self, FileTags};
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::record::{GameRecord, Journal, Reader, Rows, Summary, effective_config};
use fanorona_tournament::text::input_file;

/// The content of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Games as a table.
    Csv,
    /// Games as text.
    Fgn,
    /// Positions, one per line.
    Positions,
}

impl Form {
    /// Detects the form by the file's extension, else by its first bytes.
    pub(super) fn detect(path: &Path, input: &mut impl BufRead) -> io::Result<Form> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => return Ok(Form::Csv),
            Some("fgn" | "pgn") => return Ok(Form::Fgn),
            Some("fen" | "epd") => return Ok(Form::Positions),
            _ => {}
        }
        let begin = String::from_utf8_lossy(input.fill_buf()?).into_owned();
        let begin = begin.trim_start();
        let line = begin.lines().next().unwrap_or_default();
        Ok(match line {
            line if line.starts_with('[') => Form::Fgn,
            line if line.contains(',') => Form::Csv,
            _ => Form::Positions,
        })
    }
}

/// The facts about the games of a `games.csv` from the config of the results directory it is in;
/// defaults where that is missing or unreadable. A `config.toml` beside any other file says nothing
/// about its games.
pub(super) fn about(file: &Path) -> FileTags {
    let is_table = file.file_name().is_some_and(|name| name == "games.csv");
    let dir = file.parent().unwrap_or(Path::new(""));
    if !is_table && !Journal::path_in(dir).exists() {
        return FileTags::default();
    }
    let config = file.with_file_name(effective_config::CONFIG);
    let tournament = config::load(&config, &Overrides::default());
    tournament.map_or(FileTags::default(), |tournament| FileTags::tournament(&tournament))
}

/// A collection of games, and the rules they were played by.
pub(super) struct Games {
    source: Source,
    rules: Ruleset,
}

/// All games of a source that count, in order, each with its rules.
pub(super) type AllGames =
    Box<dyn ExactSizeIterator<Item = Result<(GameRecord, Ruleset), CliError>>>;

enum Source {
    /// The journal of a results directory, from which single games are read on demand.
    Journal { dir: PathBuf, reader: Reader },
    /// The games of a file, each with its rules where the file gives them.
    List(Vec<(GameRecord, Option<Ruleset>)>),
}

impl Games {
    /// The games of a results directory, or of a `games.csv` or a file of FGN.
    pub(super) fn open(path: &Path) -> Result<Games, CliError> {
        if path.is_dir() {
            Unfinished::check(path)?;
            let file = path.join("games.csv");
            let rules = about(&file).rules;
            let source = if Journal::path_in(path).exists() {
                Source::Journal { dir: path.to_owned(), reader: Reader::open(path)? }
            } else if file.exists() {
                list(&file)?
            } else {
                return Err(no_results(path));
            };
            return Ok(Games { source, rules });
        }
        Ok(Games { source: list(path)?, rules: about(path).rules })
    }

    /// Finds a game and the rules it was played by.
    pub(super) fn find(&mut self, id: GameId) -> Result<(GameRecord, Ruleset), CliError> {
        let (found, ids): (_, Vec<GameId>) = match &mut self.source {
            Source::Journal { dir, reader } => {
                let index = Journal::read(dir, [])?.index;
                let summary = index.of(id.pairing).iter().find(|game| game.id() == id);
                let game = summary.map(|summary| reader.game(summary.offset)).transpose()?;
                (
                    game.map(|game| (game, None)),
                    index.games().iter().map(|game| game.id()).collect(),
                )
            }
            Source::List(games) => (
                games.iter().find(|(game, _)| game.id == id).cloned(),
                games.iter().map(|(game, _)| game.id).collect(),
            ),
        };
        let rules = self.rules;
        found.map(|(game, said)| (game.made_safe(), said.unwrap_or(rules))).ok_or_else(|| {
            let why = format!("there is no game {id}");
            CliError::with_help(Exit::Usage, why, existing_games(&ids, id))
        })
    }

    /// All games that count: those of `games.csv`, not games of a journal beyond the end of a test or of an
    /// engine that is withdrawn. Games of a journal are read one by one.
    pub(super) fn all(self) -> Result<AllGames, CliError> {
        let rules = self.rules;
        Ok(match self.source {
            Source::Journal { dir, mut reader } => {
                let offset = |game: &Summary| game.offset;
                let offsets: Vec<u64> = match dir.join(effective_config::CONFIG).exists() {
                    true => RecordedTournament::read(&dir, false)?
                        .games()
                        .into_iter()
                        .map(offset)
                        .collect(),
                    // Only the config says which games count.
                    false => Journal::read(&dir, [])?.index.games().iter().map(offset).collect(),
                };
                Box::new(offsets.into_iter().map(move |offset| Ok((reader.game(offset)?, rules))))
            }
            Source::List(games) => Box::new(
                games
                    .into_iter()
                    .map(move |(game, said)| Ok((game.made_safe(), said.unwrap_or(rules)))),
            ),
        })
    }
}

/// Lists the existing games in words, for a request of a game that does not exist.
fn existing_games(ids: &[GameId], id: GameId) -> String {
    let shown = |ids: &[GameId]| ids.iter().map(GameId::to_string).collect::<Vec<_>>().join(", ");
    let of_session: Vec<GameId> =
        ids.iter().copied().filter(|other| other.pairing == id.pairing).collect();
    match ids {
        _ if !of_session.is_empty() => format!("there is {}", shown(&of_session)),
        [] => "no game is finished yet".to_owned(),
        ids if ids.len() <= 20 => format!("there is {}", shown(ids)),
        [first, .., last] => format!("there are {}, from {first} to {last}", ids.len()),
        [only] => format!("there is {only}"),
    }
}

/// The error for a directory without games.
pub(super) fn no_results(dir: &Path) -> CliError {
    CliError::with_help(
        Exit::Usage,
        format!(
            "{} is not a results directory: it has neither a journal nor a games.csv",
            dir.display()
        ),
        "name a directory that `arena run` has written, a games.csv file or an FGN file",
    )
}

/// Reads the games of a file.
fn list(path: &Path) -> Result<Source, CliError> {
    let wrong = |why: &dyn std::fmt::Display| {
        CliError::new(Exit::Usage, format!("{}: {why}", path.display()))
    };
    let mut input = BufReader::new(input_file::open_text(path).map_err(|why| wrong(&why))?);
    let games = match Form::detect(path, &mut input).map_err(|why| wrong(&why))? {
        Form::Csv => {
            let rows = Rows::new(input).map_err(|why| wrong(&why))?;
            rows.map(|row| row.map(|(_, game)| (game, None)).map_err(|why| wrong(&why))).collect()
        }
        // Without the tag Rules they are the default ones.
        Form::Fgn => fgn::Reader::new(input)
            .map(|game| game.map_err(|why| wrong(&why)))
            .map(|game| game.map(|game| (game.record, Some(game.rules.unwrap_or_default()))))
            .collect(),
        Form::Positions => Err(wrong(&"it holds no games: expected a games.csv or FGN")),
    };
    Ok(Source::List(games?))
}
