//! The CSV files of a results directory, derived from the games in the journal.

use std::path::{Path, PathBuf};

use csv::Writer;

use super::figures;
use super::words::cell;
use crate::ratings::Pentanomial;
use crate::record::GameRecord;
use crate::record::atomic_file::AtomicFile;
use crate::statistics::accuracy::Counts;
use crate::statistics::rows::{BracketRow, SessionRow, SwissRow};
use crate::statistics::standings::{Difference, Standings};

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", .path.display())]
pub struct CsvError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub source: csv::Error,
}

/// Writes `games.csv` in schedule order, without holding games in memory.
pub struct Games(Table);

impl Games {
    /// Begins the file in a directory.
    pub fn begin(dir: &Path) -> Result<Games, CsvError> {
        let mut file = Table::begin(dir, "games.csv")?;
        file.row(GAME_COLUMNS)?;
        Ok(Games(file))
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), CsvError> {
        self.0.row(game_fields(game))
    }

    /// Replaces the old file.
    pub fn finish(self) -> Result<(), CsvError> {
        self.0.finish()
    }
}

/// The columns of `games.csv`.
pub const GAME_COLUMNS: [&str; 17] = [
    "game",
    "pair",
    "session",
    "kind",
    "opening",
    "white",
    "black",
    "result",
    "reason",
    "offender",
    "plies",
    "book",
    "start",
    "moves",
    "white_ms",
    "black_ms",
    "adjudicated_by",
];

/// A game as the columns of `games.csv`.
pub fn game_fields(game: &GameRecord) -> [String; 17] {
    let number = |number: Option<u64>| number.map_or(String::new(), |n| n.to_string());
    let session = game.id.of_session.map(|_| game.id.pairing.0);
    [
        game.id.to_string(),
        number(game.pair),
        number(session),
        game.kind.to_string(),
        game.opening().map_or(String::new(), |opening| opening.to_string()),
        game.white.clone(),
        game.black.clone(),
        game.result.to_string(),
        game.reason.to_string(),
        game.offender_name().unwrap_or_default().into_owned(),
        game.plies().to_string(),
        game.book.to_string(),
        game.start.clone(),
        game.moves.clone(),
        game.white_ms.to_string(),
        game.black_ms.to_string(),
        game.adjudicated_by.clone().unwrap_or_default(),
    ]
}

/// Writes `sessions.csv`: the sessions in schedule order.
pub fn sessions(
    dir: &Path,
    sessions: impl IntoIterator<Item = SessionRow>,
) -> Result<(), CsvError> {
    let mut file = Table::begin(dir, "sessions.csv")?;
    file.row(["session", "pair", "first", "second", "result", "sets", "velas", "games"])?;
    for row in sessions {
        file.row([
            &row.session.to_string(),
            &row.pair.to_string(),
            &row.first,
            &row.second,
            &row.result,
            &row.sets,
            &row.velas.to_string(),
            &row.games.to_string(),
        ])?;
    }
    file.finish()
}

/// Writes `swiss.csv`: the engines in ranking order.
pub fn swiss(dir: &Path, rows: &[SwissRow]) -> Result<(), CsvError> {
    let mut file = Table::begin(dir, "swiss.csv")?;
    file.row(["rank", "engine", "points", "opponents_points", "byes"])?;
    for (index, row) in rows.iter().enumerate() {
        file.row([
            &(index + 1).to_string(),
            &row.engine,
            &figures::points(row.points),
            &figures::points(row.opponents),
            &row.byes.to_string(),
        ])?;
    }
    file.finish()
}

/// Writes `bracket.csv`: the encounters by stage.
pub fn bracket(dir: &Path, rows: &[BracketRow]) -> Result<(), CsvError> {
    let mut file = Table::begin(dir, "bracket.csv")?;
    file.row([
        "stage",
        "encounter",
        "engine",
        "opponent",
        "points",
        "opponent_points",
        "winner",
        "by",
    ])?;
    for row in rows {
        let (winner, by) = match &row.winner {
            Some((winner, by)) => (winner.clone(), by.to_string()),
            None => Default::default(),
        };
        file.row([
            &row.stage.to_string(),
            &row.encounter.to_string(),
            &row.engines[0],
            &row.engines[1],
            &figures::points(row.points[0]),
            &figures::points(row.points[1]),
            &winner,
            &by,
        ])?;
    }
    file.finish()
}

/// The file with the standings of all engines.
pub const STANDINGS: &str = "standings.csv";

/// The file with the standings of the other engines if some have been withdrawn.
pub const STANDINGS_WITHOUT: &str = "standings-without-withdrawn.csv";

/// Writes standings to one of these files: every engine's rank in every scope.
pub fn standings(dir: &Path, name: &str, standings: &Standings) -> Result<(), CsvError> {
    let mut file = Table::begin(dir, name)?;
    file.row([
        "rank",
        "engine",
        "kind",
        "elo",
        "elo_low",
        "elo_high",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "faults",
        "withdrawn",
        "known",
        "known_wins",
        "thrown_wins",
        "known_draws",
        "thrown_draws",
    ])?;
    for fit in &standings.fits {
        for (index, rating) in fit.engines.iter().enumerate() {
            let estimate = &rating.estimate;
            let withdrawal = standings.withdrawal(&rating.engine);
            let counts = standings.accuracy.of(&rating.engine, fit.scope);
            let count = |of: fn(&Counts) -> u64| {
                counts.map_or(String::new(), |counts| of(&counts).to_string())
            };
            file.row([
                (index + 1).to_string(),
                rating.engine.clone(),
                fit.scope.to_string(),
                figures::elo(estimate.elo),
                figures::elo(estimate.elo_low),
                figures::elo(estimate.elo_high),
                rating.games.to_string(),
                rating.tally.wins.to_string(),
                rating.tally.draws.to_string(),
                rating.tally.losses.to_string(),
                rating.score.map_or(String::new(), |score| format!("{score:.4}")),
                standings.faults(&rating.engine, fit.scope).to_string(),
                withdrawal.map_or(String::new(), |withdrawal| {
                    withdrawal.after().map_or("0".to_owned(), |game| game.to_string())
                }),
                count(|counts| counts.known),
                count(|counts| counts.wins),
                count(|counts| counts.thrown_wins),
                count(|counts| counts.draws),
                count(|counts| counts.thrown_draws),
            ])?;
        }
    }
    file.finish()
}

/// Writes `crosstable.csv`: for every scope, each engine's points against each opponent. The
/// opponents are columns in the order of the config or file.
pub fn crosstable(dir: &Path, standings: &Standings, engines: &[&str]) -> Result<(), CsvError> {
    let mut file = Table::begin(dir, "crosstable.csv")?;
    file.row(["kind", "engine"].iter().chain(engines))?;
    for fit in &standings.fits {
        for rating in &fit.engines {
            let mut row = vec![fit.scope.to_string(), rating.engine.clone()];
            for &name in engines {
                let opponent = fit.engines.iter().find(|rating| rating.engine == name);
                row.push(opponent.map_or(String::new(), |opponent| {
                    cell(standings, fit.scope, rating, opponent)
                }));
            }
            file.row(row)?;
        }
    }
    file.finish()
}

/// Writes `differences.csv`: for every scope, the lead of each engine over each lower-ranked one,
/// and their pairs by the first one's score. Fields are empty if two engines were not compared: in
/// large fields only neighbours are.
pub fn differences(dir: &Path, standings: &Standings) -> Result<(), CsvError> {
    let mut file = Table::begin(dir, "differences.csv")?;
    file.row([
        "kind",
        "engine",
        "opponent",
        "elo",
        "elo_low",
        "elo_high",
        "los",
        "pairs",
        "ll",
        "ld",
        "wl",
        "dd",
        "wd",
        "ww",
        "repeated_pairs",
    ])?;
    for fit in &standings.fits {
        for Difference { engine, opponent, lead, los, pentanomial, repeated_pairs } in
            standings.differences(fit)
        {
            let elo = |value| if los.is_some() { figures::elo(value) } else { String::new() };
            let Pentanomial { ll, ld, wl, dd, wd, ww } = pentanomial;
            let counts = [pentanomial.pairs(), ll, ld, wl, dd, wd, ww, repeated_pairs];
            let leads = [lead.elo, lead.elo_low, lead.elo_high].map(elo);
            let los = los.map_or(String::new(), |los| format!("{los:.4}"));
            let row = [fit.scope.to_string(), engine, opponent].into_iter().chain(leads);
            file.row(row.chain([los]).chain(counts.map(|count| count.to_string())))?;
        }
    }
    file.finish()
}

/// A CSV file that is complete or unchanged.
struct Table {
    path: PathBuf,
    out: Writer<AtomicFile>,
}

impl Table {
    fn begin(dir: &Path, name: &str) -> Result<Table, CsvError> {
        let path = dir.join(name);
        match AtomicFile::begin(&path) {
            Ok(draft) => Ok(Table { path, out: Writer::from_writer(draft) }),
            Err(error) => Err(CsvError { path, source: error.into() }),
        }
    }

    fn row<F: AsRef<[u8]>>(&mut self, fields: impl IntoIterator<Item = F>) -> Result<(), CsvError> {
        self.out.write_record(fields).map_err(|source| CsvError { path: self.path.clone(), source })
    }

    fn finish(self) -> Result<(), CsvError> {
        let Table { path, out } = self;
        let finished = match out.into_inner() {
            Ok(draft) => draft.finish(),
            Err(unwritten) => Err(unwritten.into_error()),
        };
        finished.map_err(|error| CsvError { path, source: error.into() })
    }
}
