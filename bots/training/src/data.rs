//! Files of samples.
//!
//! The header is a line that describes how the games were played ([`Recipe`]). The
//! games follow in the order of their numbers, each with a header of twelve bytes (its number, the
//! number of its samples, the CRC-32 of their bytes; little-endian) and its samples
//! (`Sample::to_bytes`). An incomplete game at the end does not count, and the next writer
//! removes it.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fanorona_endgames::file_format::{Format, FormatError, Layout};
use fanorona_endgames::path_error::PathError;
use fanorona_protocol::rules::BoardSize;
use serde::{Deserialize, Serialize};

use super::sample::Sample;

/// The settings of the games. Together with its number, this determines a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// The size of the board, like `9x5`.
    pub board: BoardSize,
    /// The seed of the random numbers, used with the game's number.
    pub seed: u64,
    /// The number of nodes after which a search begins no new iteration.
    pub nodes: u64,
    /// The number of velas in a hundred games.
    pub vela: u32,
    /// The number of random moves in a thousand after the opening.
    pub random: u32,
    /// The maximum number of stones in the endgame tables; 0 without tables.
    pub tables: u32,
    /// The options of the player that differ from its defaults, as `Name=value`.
    pub options: Vec<String>,
}

/// The format of a file.
const FORMAT: Format = Format {
    name: "fanorona-samples",
    version: 1,
    layout: Layout::Line,
    noun: "a file of samples",
    remedy: "generate the samples again or use another file",
};

/// Bytes of a game's header.
const GAME_HEAD: usize = 12;

/// The maximum number of samples of a game.
const MOST_SAMPLES: usize = 1 << 16;

/// An error of a file of samples.
pub type DataError = PathError<DataProblem>;

/// The reason why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataProblem {
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file does not have the format of samples.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Its games were played with other settings.
    #[error("its games were played with other settings ({0}): use these settings or another file")]
    Recipe(String),
}

/// The games of a file, one after the other.
pub struct SampleReader {
    input: BufReader<File>,
    recipe: Recipe,
    /// The end of the last complete game in the file.
    end: u64,
}

impl SampleReader {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<SampleReader, DataError> {
        let file = File::open(path).map_err(|error| DataError::new(path, error))?;
        SampleReader::from_file(file).map_err(|problem| DataError::new(path, problem))
    }

    fn from_file(file: File) -> Result<SampleReader, DataProblem> {
        let mut input = BufReader::with_capacity(1 << 20, file);
        let (recipe, end) = FORMAT.read_line::<Recipe, DataProblem>(&mut input)?;
        Ok(SampleReader { input, recipe, end })
    }

    /// The settings of the games.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The next complete game: its number and its samples. `None` after the last one.
    pub fn next_game(&mut self) -> Option<(u32, Vec<Sample>)> {
        let mut head = [0; GAME_HEAD];
        self.input.read_exact(&mut head).ok()?;
        let [number, count, checksum] = [0, 4, 8].map(|at| {
            u32::from_le_bytes(head[at..at + 4].try_into().expect("four of twelve bytes"))
        });
        if count as usize > MOST_SAMPLES {
            return None;
        }
        let mut bytes = vec![0; count as usize * Sample::BYTES];
        self.input.read_exact(&mut bytes).ok()?;
        if crc32fast::hash(&bytes) != checksum {
            return None;
        }
        let outside = u64::MAX << self.recipe.board.points();
        let sample = |bytes| {
            Sample::from_bytes(bytes).filter(|sample| (sample.own | sample.enemy) & outside == 0)
        };
        let samples = bytes.as_chunks().0.iter().map(sample).collect::<Option<_>>()?;
        self.end += (GAME_HEAD + bytes.len()) as u64;
        Some((number, samples))
    }
}

/// A file that games are added to.
pub struct SampleWriter {
    output: BufWriter<File>,
    path: PathBuf,
    next: u32,
}

impl SampleWriter {
    /// Starts a file, or appends to one whose games have the same recipe.
    pub fn open(path: &Path, recipe: &Recipe) -> Result<SampleWriter, DataError> {
        SampleWriter::from_path(path, recipe).map_err(|problem| DataError::new(path, problem))
    }

    fn from_path(path: &Path, recipe: &Recipe) -> Result<SampleWriter, DataProblem> {
        if !path.exists() {
            let mut output = BufWriter::new(File::create_new(path)?);
            output.write_all(&FORMAT.header(recipe))?;
            output.flush()?;
            return Ok(SampleWriter { output, path: path.to_owned(), next: 0 });
        }
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut reader = SampleReader::from_file(file.try_clone()?)?;
        if reader.recipe() != recipe {
            let theirs = serde_json::to_string(reader.recipe()).map_err(io::Error::from)?;
            return Err(DataProblem::Recipe(theirs));
        }
        let mut next = 0;
        while let Some((number, _)) = reader.next_game() {
            next = number + 1;
        }
        file.set_len(reader.end)?;
        file.seek(SeekFrom::Start(reader.end))?;
        Ok(SampleWriter { output: BufWriter::new(file), path: path.to_owned(), next })
    }

    /// The number of the next game.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Adds the next game.
    pub fn add(&mut self, samples: &[Sample]) -> Result<(), DataError> {
        let bytes: Vec<u8> = samples.iter().copied().flat_map(Sample::to_bytes).collect();
        let head = [self.next, samples.len() as u32, crc32fast::hash(&bytes)];
        let written = head
            .iter()
            .try_for_each(|number| self.output.write_all(&number.to_le_bytes()))
            .and_then(|()| self.output.write_all(&bytes));
        self.next += 1;
        written
            .and_then(|()| self.output.flush())
            .map_err(|error| DataError::new(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_bots::evaluation::network::Role;
    use fanorona_endgames::Outcome;
    use fanorona_endgames::file_format::FormatProblem;

    fn recipe(seed: u64) -> Recipe {
        Recipe {
            board: BoardSize::TSIVY,
            seed,
            nodes: 10,
            vela: 0,
            random: 0,
            tables: 0,
            options: Vec::new(),
        }
    }

    fn game(number: u64) -> Vec<Sample> {
        let sample = |ply: u8| Sample {
            own: 1 << number,
            enemy: 1 << 40,
            role: Role::Riatra,
            result: Outcome::Win,
            exact: false,
            capture: ply == 0,
            score: 5 * i16::from(ply),
            plies: ply,
        };
        (0..3).map(sample).collect()
    }

    fn write(path: &Path, games: std::ops::Range<u64>) {
        let mut writer = SampleWriter::open(path, &recipe(1)).unwrap();
        assert_eq!(u64::from(writer.next()), games.start);
        games.for_each(|number| writer.add(&game(number)).unwrap());
    }

    fn read(path: &Path) -> Vec<(u32, Vec<Sample>)> {
        let mut reader = SampleReader::open(path).unwrap();
        assert_eq!(*reader.recipe(), recipe(1));
        std::iter::from_fn(|| reader.next_game()).collect()
    }

    #[test]
    fn appending_removes_an_incomplete_game() {
        let dir = tempfile::tempdir().unwrap();
        let (path, whole) = (dir.path().join("samples"), dir.path().join("whole"));
        write(&whole, 0..4);
        let expected: Vec<_> = (0..4).map(|number| (number as u32, game(number))).collect();
        assert_eq!(read(&whole), expected);

        let bytes = std::fs::read(&whole).unwrap();
        let block = GAME_HEAD + 3 * Sample::BYTES;
        for lost in [1, Sample::BYTES + 1, block - 1, block, 2 * block - 3] {
            std::fs::write(&path, &bytes[..bytes.len() - lost]).unwrap();
            let kept = 4 - lost.div_ceil(block);
            assert_eq!(read(&path), expected[..kept]);
            write(&path, kept as u64..4);
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
        // A byte that changed ends the games before it.
        let mut changed = bytes.clone();
        changed[bytes.len() - block - 1] ^= 1;
        std::fs::write(&path, changed).unwrap();
        assert_eq!(read(&path), expected[..2]);
    }

    #[test]
    fn stones_outside_of_the_board_end_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("samples");
        write(&path, 0..1);
        let bytes = std::fs::read(&path).unwrap();
        let text = |from: &str, to: &str| {
            let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
            [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
        };
        std::fs::write(&path, text("9x5", "5x5")).unwrap();
        let mut reader = SampleReader::open(&path).unwrap();
        assert_eq!((reader.recipe().board, reader.next_game()), (BoardSize::DIMY, None));
    }

    #[test]
    fn only_the_same_recipe_appends_to_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("samples");
        write(&path, 0..1);
        let error = SampleWriter::open(&path, &recipe(2)).err().unwrap().to_string();
        assert!(error.contains("\"seed\":1") && error.contains("another file"), "{error}");
        std::fs::write(&path, "[sprt]\n").unwrap();
        for error in [SampleReader::open(&path).err(), SampleWriter::open(&path, &recipe(1)).err()]
        {
            let DataProblem::Format(error) = error.unwrap().problem else { panic!() };
            assert_eq!(error.problem, FormatProblem::Foreign);
        }
        let newer = r#"{"format":"fanorona-samples","version":9,"seed":1}"#;
        std::fs::write(&path, format!("{newer}\n")).unwrap();
        let error = SampleReader::open(&path).err().unwrap().to_string();
        assert!(error.contains("version 9"), "{error}");
    }
}
