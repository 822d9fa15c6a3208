//! The limits of a search: the words of `go`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use core::fmt;
use core::iter::Peekable;

use super::words;
use crate::rules::Side;

/// The limits of one search. Limits combine: the search ends at the first one reached. Without
/// limits the search is endless, and the engine answers only after `stop`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Whether the word `ponder` was present: the search is one in the opponent's time, for a move
    /// that the opponent has not made. The limits hold from `ponderhit` on.
    pub ponder: bool,
    /// Milliseconds left on the clocks of White and Black.
    pub clock: [Option<u64>; 2],
    /// Milliseconds that White and Black gain with every move.
    pub increment: [Option<u64>; 2],
    /// Moves until the clock is filled up again.
    pub moves_to_go: Option<u32>,
    /// Milliseconds for this move.
    pub move_time: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Whether the word `infinite` was present. Any other limit still ends the search.
    pub infinite: bool,
    /// The moves to choose from, not yet validated; all moves if empty. They are always the last
    /// words of the line.
    pub search_moves: Vec<String>,
}

impl Limits {
    /// Returns a limit of time for this move only.
    pub fn with_move_time(milliseconds: u64) -> Limits {
        Limits { move_time: Some(milliseconds), ..Limits::default() }
    }

    /// Returns a limit of nodes only.
    pub fn with_nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Returns a limit of depth in plies only.
    pub fn with_depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Returns the milliseconds on the clock of a side. If the manager sent only the other clock,
    /// that one counts, because the search would otherwise never end.
    pub fn time_of(&self, side: Side) -> Option<u64> {
        self.clock[side as usize].or(self.clock[!side as usize])
    }

    /// Returns the milliseconds a side gains with every move.
    pub fn increment_of(&self, side: Side) -> u64 {
        self.increment[side as usize].unwrap_or(0)
    }

    /// Whether a limit ends the search without `stop`.
    pub fn is_finite(&self) -> bool {
        self.clock != [None; 2]
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
    }

    /// Parses the words after `go`. Words that are not limits are skipped, and reported with a
    /// reason.
    pub(super) fn read<'w>(words: impl Iterator<Item = &'w str>) -> (Limits, Vec<LimitsError>) {
        let mut words = words.peekable();
        let mut limits = Limits::default();
        let mut errors = Vec::new();
        while let Some(word) = words.next() {
            let [white, black] = &mut limits.clock;
            let [white_gain, black_gain] = &mut limits.increment;
            let (read, expected) = match word {
                "p1time" | "wtime" => (set(white, words::clock, &mut words), MILLISECONDS),
                "p2time" | "btime" => (set(black, words::clock, &mut words), MILLISECONDS),
                "p1inc" | "winc" => (set(white_gain, words::clock, &mut words), MILLISECONDS),
                "p2inc" | "binc" => (set(black_gain, words::clock, &mut words), MILLISECONDS),
                "movestogo" => (set(&mut limits.moves_to_go, words::small, &mut words), "moves"),
                "movetime" => (set(&mut limits.move_time, words::clock, &mut words), MILLISECONDS),
                "depth" => (set(&mut limits.depth, words::small, &mut words), "plies"),
                "nodes" => (set(&mut limits.nodes, words::number, &mut words), "nodes"),
                "infinite" => {
                    limits.infinite = true;
                    continue;
                }
                "ponder" => {
                    limits.ponder = true;
                    continue;
                }
                "searchmoves" => {
                    limits.search_moves = words.by_ref().map(str::to_owned).collect();
                    break;
                }
                unknown => {
                    errors.push(LimitsError::Unknown(unknown.to_owned()));
                    continue;
                }
            };
            if let Err(found) = read {
                errors.push(LimitsError::Value { word: word.to_owned(), found, expected });
            }
        }
        (limits, errors)
    }
}

const MILLISECONDS: &str = "milliseconds";

/// The words that begin a part of `go`.
const WORDS: [&str; 15] = [
    "p1time",
    "wtime",
    "p2time",
    "btime",
    "p1inc",
    "winc",
    "p2inc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "infinite",
    "ponder",
    "searchmoves",
];

/// Parses the next word into a limit. If it is not a number, the limit does not change and the word
/// is returned. A word that begins another part is left for it: only the number is missing.
fn set<'w, T>(
    limit: &mut Option<T>,
    read: fn(&str) -> Option<T>,
    words: &mut Peekable<impl Iterator<Item = &'w str>>,
) -> Result<(), String> {
    let word = words.next_if(|word| !WORDS.contains(word)).unwrap_or_default();
    *limit = Some(read(word).ok_or_else(|| word.to_owned())?);
    Ok(())
}

/// The reason why a word after `go` is not a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitsError {
    /// The word is not one of `go`.
    #[error("`{0}` is not a limit")]
    Unknown(String),
    /// The word after a limit is not a number.
    #[error("{word} needs a number of {expected}, not `{found}`")]
    Value {
        /// The limit.
        word: String,
        /// The word in the place of the number; empty where there is none.
        found: String,
        /// The unit of the number.
        expected: &'static str,
    },
}

impl fmt::Display for Limits {
    /// Writes the words after `go`, each with a blank before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ponder {
            f.write_str(" ponder")?;
        }
        let [white, black] = self.clock;
        let [white_gain, black_gain] = self.increment;
        for (word, value) in [
            ("p1time", white),
            ("p2time", black),
            ("p1inc", white_gain),
            ("p2inc", black_gain),
            ("movestogo", self.moves_to_go.map(u64::from)),
            ("movetime", self.move_time),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
        ] {
            if let Some(value) = value {
                write!(f, " {word} {value}")?;
            }
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves.join(" "))?;
        }
        Ok(())
    }
}
