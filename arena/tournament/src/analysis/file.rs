//! `analysis.csv`: the analysed moves of the games of a results directory, one line per move, games
//! in schedule order. Moves of openings are left out.

use std::collections::BTreeMap;
use std::io::{self, BufReader, ErrorKind};
use std::path::Path;

use csv::{StringRecord, Writer};

use super::game::{GameAnalysis, PlyAnalysis, SideAnalysis};
use crate::pairing::ids::GameId;
use crate::record::atomic_file::AtomicFile;
use crate::record::own_file;
use crate::record::storage::storage;
use crate::record::{GameRecord, StorageError};

/// The file's name in a results directory.
pub const FILE: &str = "analysis.csv";

/// The columns. `checksum` is the CRC-32 of the game's start and moves, `ply` the number of moves
/// before this one, `score` and `chance` those before the move for its player, and `best` the
/// engine's move.
const COLUMNS: [&str; 13] = [
    "game", "engine", "limit", "checksum", "ply", "side", "player", "move", "score", "chance",
    "loss", "mark", "best",
];

/// The analysis of one game.
#[derive(Clone, PartialEq, Debug)]
pub struct Stored {
    /// The engine that analysed it.
    pub engine: String,
    /// The limit of each of its searches, as text.
    pub limit: String,
    checksum: String,
    /// The fields of each move from the column `ply` on.
    moves: Vec<[String; 9]>,
}

impl Stored {
    /// The judged moves of White and Black.
    pub fn sides(&self) -> [SideAnalysis; 2] {
        let mut sides = [SideAnalysis::default(); 2];
        for fields in &self.moves {
            if let Ok(loss) = fields[6].parse() {
                sides[usize::from(fields[1] == "b")].add(loss);
            }
        }
        sides
    }
}

/// The analyses of a directory by game. They are held in memory: analysing a game takes far longer
/// than reading it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Analyses {
    games: BTreeMap<GameId, Stored>,
}

/// Identifies the game that an analysis belongs to: a replayed game has other moves and loses it.
fn checksum(game: &GameRecord) -> String {
    format!("{:08x}", crc32fast::hash(format!("{} {}", game.start, game.moves).as_bytes()))
}

impl Analyses {
    /// Reads the file of a directory; a missing file holds no games.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or has other columns.
    pub fn read(dir: &Path) -> Result<Analyses, StorageError> {
        let path = dir.join(FILE);
        let file = match own_file::open(&path) {
            Ok(file) => file,
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(Analyses::default()),
            Err(why) => return Err(storage("open", &path, why)),
        };
        let foreign = || {
            let why = "not a valid analysis.csv: delete the file and analyse the games again";
            storage("read", &path, io::Error::other(why))
        };
        let unreadable = |why| storage("read", &path, io::Error::other(why));
        let mut rows = csv::Reader::from_reader(BufReader::new(file));
        if rows.headers().map_err(unreadable)? != COLUMNS.as_slice() {
            return Err(foreign());
        }
        let mut analyses = Analyses::default();
        for row in rows.into_records() {
            let row = row.map_err(unreadable)?;
            analyses.add_row(&row).ok_or_else(foreign)?;
        }
        Ok(analyses)
    }

    fn add_row(&mut self, row: &StringRecord) -> Option<()> {
        let game = row.get(0)?.parse().ok()?;
        let field = |index: usize| row.get(index).map(str::to_owned);
        let (engine, limit, checksum) = (field(1)?, field(2)?, field(3)?);
        let moves = Vec::new();
        let stored = self.games.entry(game).or_insert(Stored { engine, limit, checksum, moves });
        let fields: Vec<String> = row.iter().skip(4).map(str::to_owned).collect();
        stored.moves.push(fields.try_into().ok()?);
        Some(())
    }

    /// Writes the file; it is complete or unchanged.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write(&self, dir: &Path) -> Result<(), StorageError> {
        let path = dir.join(FILE);
        let failed = |why| storage("write", &path, why);
        let draft = AtomicFile::begin(&path).map_err(failed)?;
        let mut out = Writer::from_writer(draft);
        let unwritten = |why: csv::Error| failed(io::Error::other(why));
        out.write_record(COLUMNS).map_err(unwritten)?;
        for (game, stored) in &self.games {
            let game = game.to_string();
            let Stored { engine, limit, checksum, moves } = stored;
            for fields in moves {
                let head = [&game, engine, limit, checksum];
                out.write_record(head.into_iter().chain(fields)).map_err(unwritten)?;
            }
        }
        match out.into_inner() {
            Ok(draft) => draft.finish().map_err(failed),
            Err(unwritten) => Err(failed(unwritten.into_error())),
        }
    }

    /// The analysis of a game, if its moves are still the same.
    pub fn of(&self, game: &GameRecord) -> Option<&Stored> {
        self.games.get(&game.id).filter(|stored| stored.checksum == checksum(game))
    }

    /// Adds or replaces the analysis of a game.
    pub fn add(&mut self, game: &GameRecord, engine: &str, limit: &str, analysis: &GameAnalysis) {
        let judged = analysis.plies.iter().filter(|ply| ply.ply >= game.book as usize);
        let moves = judged.map(|ply| fields(game, ply)).collect();
        let (engine, limit) = (engine.to_owned(), limit.to_owned());
        let stored = Stored { engine, limit, checksum: checksum(game), moves };
        self.games.insert(game.id, stored);
    }
}

/// The fields of a move from the column `ply` on.
fn fields(game: &GameRecord, ply: &PlyAnalysis) -> [String; 9] {
    let white = ply.side == fanorona_protocol::rules::Side::White;
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
    let text = |value: Option<String>| value.unwrap_or_default();
    [
        ply.ply.to_string(),
        ply.side.letter().to_string(),
        if white { game.white.clone() } else { game.black.clone() },
        ply.played.to_string(),
        text(ply.before.score.map(|score| score.to_string())),
        number(ply.before.chance),
        number(ply.loss),
        text(ply.mark.map(|mark| mark.to_string())),
        text(ply.before.best.map(|best| best.to_string())),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::game::PositionAnalysis;
    use crate::record::example::game;
    use fanorona_protocol::messages::Score;
    use fanorona_protocol::rules::Side;

    fn analysis() -> GameAnalysis {
        let ply = |ply: usize, loss| PlyAnalysis {
            ply,
            side: if ply.is_multiple_of(2) { Side::White } else { Side::Black },
            played: "e2e3A".parse().unwrap(),
            before: PositionAnalysis::default().with_score(Score::Cp(12), false),
            after: None,
            loss,
            mark: loss.and_then(crate::analysis::Mark::from_loss),
        };
        let plies = vec![ply(0, None), ply(1, Some(0.0)), ply(2, Some(0.31)), ply(3, None)];
        GameAnalysis::new(plies, PositionAnalysis::default())
    }

    #[test]
    fn analyses_are_kept_by_game() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Analyses::read(dir.path()).unwrap(), Analyses::default());
        let one = GameRecord { book: 1, ..game("1") };
        let mut analyses = Analyses::default();
        analyses.add(&game("7.2"), "sage, \"old\"", "nodes=9", &analysis());
        analyses.add(&one, "sage", "nodes=9", &analysis());
        analyses.write(dir.path()).unwrap();
        let read = Analyses::read(dir.path()).unwrap();
        assert_eq!(read, analyses);
        let stored = read.of(&one).unwrap();
        assert_eq!((&*stored.engine, &*stored.limit), ("sage", "nodes=9"));
        assert_eq!(stored.sides(), [analysis().white, analysis().black]);
        assert_eq!(read.of(&game("7.2")).unwrap().moves.len(), 4);
        // A game with the same number but other moves is another game.
        let other = GameRecord { moves: "c1b1W".into(), ..one };
        assert_eq!((read.of(&other), read.of(&game("8"))), (None, None));
    }

    #[test]
    fn another_file_of_that_name_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let columns = COLUMNS.join(",");
        for text in ["game,ply\n1,2\n".to_owned(), format!("{columns}\nx,,,,,,,,,,,,\n")] {
            std::fs::write(dir.path().join(FILE), text).unwrap();
            let why = Analyses::read(dir.path()).unwrap_err();
            assert!(why.to_string().contains("analysis.csv"), "{why}");
        }
    }
}
