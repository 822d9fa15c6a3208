//! A solution: the value of a game, the sets of positions that prove it, and the file format.
//!
//! A file has a header of two lines and a payload; `bots/solve/SOLVED.md` describes them.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use fanorona_protocol::rules::{BoardSize, Position, Ruleset, Setup, Side};
use serde::{Deserialize, Serialize};

use super::atomic_file;
use super::file_format::{Format, FormatError, Layout};
use super::path_error::PathError;
use super::symmetry::Symmetries;

/// The format of a solution file.
const FORMAT: Format = Format {
    name: "fanorona-solution",
    version: 1,
    layout: Layout::SealedLine,
    noun: "a solution",
    remedy: "get the file again or solve the game again",
};

/// The compression level of sets.
const LEVEL: i32 = 9;

/// Bytes of a position in a set.
const RECORD: usize = 16;

/// A set is at most this many times as long as its compressed bytes; sets of games are four to ten times.
const MAX_RATIO: usize = 64;

/// Bits of one side's stones in a record.
const STONES: u32 = 45;

/// The statement about one side that a set of positions proves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// The side wins.
    Wins,
    /// The side does not lose.
    Holds,
}

/// White or Black, as named in files.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", remote = "Side")]
#[expect(missing_docs, reason = "the names say it all")]
pub enum SideName {
    White,
    Black,
}

/// A position of a set, which represents all its images: the stones of both colours. The other side,
/// not that of the set, is to move. In the set of a side that wins it has a rank, elsewhere 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Record(u128);

impl Record {
    /// The record of a position: the stones of White and Black as bits, and the rank.
    pub fn new(white: u64, black: u64, rank: u32) -> Record {
        Record(u128::from(rank) << 96 | u128::from(white) | u128::from(black) << STONES)
    }

    /// The stones of White as bits.
    pub fn white(self) -> u64 {
        self.0 as u64 & ((1 << STONES) - 1)
    }

    /// The stones of Black as bits.
    pub fn black(self) -> u64 {
        (self.0 >> STONES) as u64 & ((1 << STONES) - 1)
    }

    /// The rank.
    pub fn rank(self) -> u32 {
        (self.0 >> 96) as u32
    }

    /// Bytes of a record in a file.
    pub const BYTES: usize = 16;

    /// The record as in a file.
    pub fn to_bytes(self) -> [u8; Record::BYTES] {
        self.0.to_le_bytes()
    }

    /// The record of [`Record::to_bytes`].
    pub fn from_bytes(bytes: [u8; Record::BYTES]) -> Record {
        Record(u128::from_le_bytes(bytes))
    }

    /// A number that identifies the position, without the rank.
    pub(super) fn position(self) -> u128 {
        self.0 & ((1 << 96) - 1)
    }
}

/// The images of positions under the symmetries of a board: reflections, and the exchange of
/// columns and rows on a square board.
pub struct Images(Symmetries);

impl Images {
    /// The symmetries of a board size.
    pub fn new(size: BoardSize) -> Images {
        Images(Symmetries::new(size))
    }

    /// The record that represents a position: its image with the smallest white stones as a number,
    /// then the smallest black stones.
    pub fn record(&self, white: u64, black: u64, rank: u32) -> Record {
        let image = |symmetry| (self.0.image(symmetry, white), self.0.image(symmetry, black));
        let least = (0..self.0.count()).map(image).min();
        let (white, black) = least.expect("a board is an image of itself");
        Record::new(white, black, rank)
    }
}

/// A set of positions that proves a claim about a side. In all of them the other side is to move, and
/// whatever it does, the side has an answer that leads to a position of the set, or to an end or an
/// ending that keeps the claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The side.
    pub side: Side,
    /// The claim.
    pub claim: Claim,
    /// The positions, in the order of [`Record::position`], each once.
    records: Vec<Record>,
}

impl Proof {
    /// A proof from positions in any order. Of records of one position that with the smallest rank
    /// counts.
    pub fn new(side: Side, claim: Claim, mut records: Vec<Record>) -> Proof {
        records.sort_unstable_by_key(|record| (record.position(), record.rank()));
        records.dedup_by_key(|record| record.position());
        Proof { side, claim, records }
    }

    /// The positions.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The record with the same position as another one, of any rank.
    pub fn find(&self, record: Record) -> Option<Record> {
        let found =
            self.records.binary_search_by_key(&record.position(), |record| record.position());
        found.ok().map(|place| self.records[place])
    }
}

/// The value of a game under perfect play, or what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameValue {
    /// White wins.
    White,
    /// Black wins.
    Black,
    /// The game is a draw.
    Draw,
    /// White does not lose; whether it wins is open.
    WhiteHolds,
    /// Black does not lose; whether it wins is open.
    BlackHolds,
}

impl GameValue {
    /// All values, those that say everything first.
    pub const ALL: [GameValue; 5] = [
        GameValue::White,
        GameValue::Black,
        GameValue::Draw,
        GameValue::WhiteHolds,
        GameValue::BlackHolds,
    ];

    /// The sets of positions that prove it: each is of a side and a claim.
    pub fn sets(self) -> &'static [(Side, Claim)] {
        match self {
            GameValue::White => &[(Side::White, Claim::Wins)],
            GameValue::Black => &[(Side::Black, Claim::Wins)],
            GameValue::Draw => &[(Side::White, Claim::Holds), (Side::Black, Claim::Holds)],
            GameValue::WhiteHolds => &[(Side::White, Claim::Holds)],
            GameValue::BlackHolds => &[(Side::Black, Claim::Holds)],
        }
    }

    /// The value if this side does not lose, and no more is known.
    pub fn held_by(side: Side) -> GameValue {
        match side {
            Side::White => GameValue::WhiteHolds,
            Side::Black => GameValue::BlackHolds,
        }
    }

    /// The value if this side wins.
    pub fn won_by(side: Side) -> GameValue {
        match side {
            Side::White => GameValue::White,
            Side::Black => GameValue::Black,
        }
    }
}

impl fmt::Display for GameValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameValue::White => "White wins",
            GameValue::Black => "Black wins",
            GameValue::Draw => "a draw",
            GameValue::WhiteHolds => "White does not lose",
            GameValue::BlackHolds => "Black does not lose",
        })
    }
}

/// A solved game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The start of the game.
    pub start: Position,
    /// The rules of the game, without their limits.
    pub rules: Ruleset,
    /// The maximum number of stones in the endgame tables used; 0 without tables.
    pub stones: usize,
    /// The value of the game.
    pub value: GameValue,
    /// The proofs of the value.
    pub proofs: Vec<Proof>,
}

/// The header of a file.
#[derive(Serialize, Deserialize)]
struct Header {
    start: String,
    rules: String,
    stones: usize,
    #[serde(rename = "worth")]
    value: GameValue,
    proofs: Vec<ProofHeader>,
}

/// The header of a proof.
#[derive(Serialize, Deserialize)]
struct ProofHeader {
    #[serde(with = "SideName")]
    side: Side,
    claim: Claim,
    positions: u64,
    /// The compressed length in the payload.
    bytes: u64,
    /// The CRC-32 of these bytes.
    checksum: u32,
}

/// An error of a solution file.
pub type SolutionError = PathError<SolutionProblem>;

/// The reason why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SolutionProblem {
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file does not have the format of a solution.
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl Solution {
    /// The position of a record in the set of a side of this game; `None` if there is none on its board.
    pub fn position(&self, side: Side, record: Record) -> Option<Position> {
        let size = self.start.board().size();
        let (white, black) = (record.white(), record.black());
        let is_sound = record == Record::new(white, black, record.rank());
        if !is_sound || white & black != 0 || (white | black) >> size.points() != 0 {
            return None;
        }
        let stone = |point: usize| match (white >> point & 1, black >> point & 1) {
            (1, _) => Some(Side::White),
            (_, 1) => Some(Side::Black),
            _ => None,
        };
        let row =
            |row: usize| (0..size.columns()).map(|c| stone(row * size.columns() + c)).collect();
        let setup = Setup {
            rows: (0..size.rows()).rev().map(row).collect(),
            side_to_move: !side,
            debtor: self.start.debtor(),
            quiet: 0,
            full_move: 1,
        };
        setup.try_into().ok()
    }

    /// Writes the solution to a file, which gets its name when it is complete.
    pub fn write(&self, path: &Path) -> Result<(), SolutionError> {
        let io = |error: io::Error| SolutionError::new(path, error);
        let (mut payload, mut proofs) = (Vec::new(), Vec::new());
        for Proof { side, claim, records } in &self.proofs {
            let bytes: Vec<u8> = records.iter().flat_map(|record| record.to_bytes()).collect();
            let bytes = zstd::bulk::compress(&bytes, LEVEL).map_err(io)?;
            proofs.push(ProofHeader {
                side: *side,
                claim: *claim,
                positions: records.len() as u64,
                bytes: bytes.len() as u64,
                checksum: crc32fast::hash(&bytes),
            });
            payload.extend_from_slice(&bytes);
        }
        let header = Header {
            start: self.start.to_string(),
            rules: self.rules.to_string(),
            stones: self.stones,
            value: self.value,
            proofs,
        };
        let mut bytes = FORMAT.header(&header);
        bytes.extend_from_slice(&payload);
        atomic_file::write(path, &bytes).map_err(io)
    }

    /// Reads a file. Checks that it is intact and well-formed, but not that its claims are true.
    pub fn read(path: &Path) -> Result<Solution, SolutionError> {
        let bytes = fs::read(path).map_err(|error| SolutionError::new(path, error))?;
        Solution::parse(&bytes).map_err(|error| SolutionError::new(path, error))
    }

    fn parse(bytes: &[u8]) -> Result<Solution, FormatError> {
        let (header, mut payload) = FORMAT.read::<Header>(bytes)?;
        let mut proofs = Vec::new();
        for ProofHeader { side, claim, positions, bytes, checksum } in header.proofs {
            let found = || {
                let (bytes, rest) = payload.split_at_checked(usize::try_from(bytes).ok()?)?;
                let sound = crc32fast::hash(bytes) == checksum;
                let length = usize::try_from(positions).ok()?.checked_mul(RECORD)?;
                // Limit the allocation: a wrong header must not exhaust the memory.
                let is_plausible = length <= bytes.len().saturating_mul(MAX_RATIO);
                let records =
                    (sound && is_plausible).then(|| zstd::bulk::decompress(bytes, length));
                let records = records?.ok().filter(|records| records.len() == length)?;
                Some((records, rest))
            };
            let (bytes, rest) = found().ok_or_else(|| FORMAT.damaged("set of positions"))?;
            payload = rest;
            let record = |bytes: &[u8]| Record::from_bytes(bytes.try_into().expect("16 bytes"));
            let records: Vec<Record> = bytes.chunks_exact(RECORD).map(record).collect();
            if !records.is_sorted_by(|one, other| one.position() < other.position()) {
                return Err(FORMAT.damaged("order of positions"));
            }
            proofs.push(Proof { side, claim, records });
        }
        if !payload.is_empty() {
            return Err(FORMAT.damaged("end"));
        }
        Ok(Solution {
            start: header.start.parse().map_err(|_| FORMAT.damaged("start position"))?,
            rules: header.rules.parse().map_err(|_| FORMAT.damaged("list of rules"))?,
            stones: header.stones,
            value: header.value,
            proofs,
        })
    }
}
