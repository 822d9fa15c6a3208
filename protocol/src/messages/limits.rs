//! How long an engine may think: the words of `go`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use core::fmt;

use super::words;
use crate::rules::Side;

/// The limits of one search. They combine, whichever comes first; with none the search is
/// infinite and its answer waits for `stop`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds left on the clocks of White and Black.
    pub clock: [Option<u64>; 2],
    /// Milliseconds White and Black gain with every move.
    pub increment: [Option<u64>; 2],
    /// Moves until the clock is filled up again.
    pub moves_to_go: Option<u32>,
    /// Milliseconds for this move.
    pub move_time: Option<u64>,
    /// Plies to search.
    pub depth: Option<u32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Whether the word `infinite` was there; any other limit still ends the search.
    pub infinite: bool,
    /// The moves to choose from; all when empty. Always the last words of the line.
    pub search_moves: Vec<String>,
}

impl Limits {
    /// Only a time for this move.
    pub fn of_move_time(milliseconds: u64) -> Limits {
        Limits { move_time: Some(milliseconds), ..Limits::default() }
    }

    /// Only a number of nodes.
    pub fn of_nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Only a depth.
    pub fn of_depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Milliseconds on the clock of a side. A manager that sends only the other clock means ours:
    /// without it the search would never end.
    pub fn time_of(&self, side: Side) -> Option<u64> {
        self.clock[side as usize].or(self.clock[!side as usize])
    }

    /// Milliseconds a side gains with every move.
    pub fn increment_of(&self, side: Side) -> u64 {
        self.increment[side as usize].unwrap_or(0)
    }

    /// Whether anything but `stop` ends the search.
    pub fn is_finite(&self) -> bool {
        self.clock != [None; 2]
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
    }

    /// Reads the words after `go`. Words that mean nothing are passed over, each with its reason.
    pub(super) fn read<'w>(mut words: impl Iterator<Item = &'w str>) -> (Limits, Vec<LimitsError>) {
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

/// Reads the next word into a limit; if it is no number, the limit stays and the word is returned.
fn set<'w, T>(
    limit: &mut Option<T>,
    read: fn(&str) -> Option<T>,
    words: &mut impl Iterator<Item = &'w str>,
) -> Result<(), String> {
    let word = words.next().unwrap_or_default();
    *limit = Some(read(word).ok_or_else(|| word.to_owned())?);
    Ok(())
}

/// A word after `go` that says nothing we know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitsError {
    /// Not a word of `go`.
    #[error("`{0}` is no limit")]
    Unknown(String),
    /// A limit without a number.
    #[error("{word} needs a number of {expected}, not `{found}`")]
    Value {
        /// The limit.
        word: String,
        /// What stood where the number should; empty at the end of the line.
        found: String,
        /// What the number counts.
        expected: &'static str,
    },
}

impl fmt::Display for Limits {
    /// The words after `go`, each with a blank before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
