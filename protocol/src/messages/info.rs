//! The progress of a search: `info` lines.

use alloc::string::String;
use alloc::vec::Vec;

use core::fmt;

use super::words;
use crate::rules::Move;

/// An evaluation from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// The evaluation in hundredths of a stone.
    Cp(i32),
    /// A proven win in this number of plies.
    Win(u32),
    /// A proven loss in this number of plies.
    Loss(u32),
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(hundredths) => write!(f, "cp {hundredths}"),
            Score::Win(plies) => write!(f, "win {plies}"),
            Score::Loss(plies) => write!(f, "loss {plies}"),
        }
    }
}

/// The chances to win, draw and lose, in thousandths, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wdl {
    /// The chance to win, 0 to 1000.
    pub win: u32,
    /// The chance to draw, 0 to 1000.
    pub draw: u32,
    /// The chance to lose, 0 to 1000.
    pub loss: u32,
}

/// An `info` line. Fields that the engine does not report are `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Length in plies of the longest line examined.
    pub seldepth: Option<u32>,
    /// The number of this line among several, from 1.
    pub multipv: Option<u32>,
    /// The evaluation.
    pub score: Option<Score>,
    /// The evaluation as chances.
    pub wdl: Option<Wdl>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Fill of the hash table in thousandths.
    pub hashfull: Option<u32>,
    /// The number of positions found in endgame tables.
    pub tbhits: Option<u64>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// The expected moves of both sides. They end the line, apart from `string`.
    pub pv: Vec<Move>,
    /// Any text, to the end of the line.
    pub string: Option<String>,
    /// `info error …`: an error of the engine itself, in one line. It goes on nevertheless.
    pub error: Option<String>,
}

impl Info {
    /// Returns an `info string` line. Control characters and line ends in the text become blanks.
    pub fn text(text: impl AsRef<str>) -> Info {
        Info { string: Some(words::one_line(text.as_ref())), ..Info::default() }
    }

    /// Returns an `info error` line. Control characters and line ends in the text become blanks.
    pub fn failure(text: impl AsRef<str>) -> Info {
        Info { error: Some(words::one_line(text.as_ref())), ..Info::default() }
    }

    /// Parses the words after `info`. Unknown and invalid words are ignored, because no line of
    /// this kind changes a game.
    pub(super) fn read(text: &str) -> Info {
        let mut info = Info::default();
        let mut rest = text.split_ascii_whitespace().peekable();
        // Only as the first word: elsewhere it may be a figure of the engine's own.
        if rest.next_if_eq(&"error").is_some() {
            info.error = Some(rest.collect::<Vec<_>>().join(" "));
            return info;
        }
        while let Some(word) = rest.next() {
            match word {
                "depth" => info.depth = rest.next().and_then(words::small),
                "seldepth" => info.seldepth = rest.next().and_then(words::small),
                "multipv" => info.multipv = rest.next().and_then(words::small),
                "nodes" => info.nodes = rest.next().and_then(words::number),
                "nps" => info.nps = rest.next().and_then(words::number),
                "hashfull" => info.hashfull = rest.next().and_then(words::small),
                "tbhits" => info.tbhits = rest.next().and_then(words::number),
                "time" => info.time = rest.next().and_then(words::number),
                "score" => {
                    let (kind, value) = (rest.next(), rest.next());
                    info.score = match (kind, value) {
                        (Some("cp"), Some(value)) => value.parse().ok().map(Score::Cp),
                        (Some("win"), Some(value)) => words::small(value).map(Score::Win),
                        (Some("loss"), Some(value)) => words::small(value).map(Score::Loss),
                        _ => None,
                    };
                }
                "wdl" => {
                    let mut next = || rest.next().and_then(words::small);
                    if let (Some(win), Some(draw), Some(loss)) = (next(), next(), next()) {
                        info.wdl = Some(Wdl { win, draw, loss });
                    }
                }
                "pv" => {
                    while let Some(mv) = rest.peek().and_then(|word| word.parse().ok()) {
                        info.pv.push(mv);
                        rest.next();
                    }
                }
                "string" => {
                    info.string = Some(rest.by_ref().collect::<Vec<_>>().join(" "));
                }
                _ => {}
            }
        }
        info
    }
}

impl fmt::Display for Info {
    /// Writes the whole line, `info` included.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        if let Some(text) = &self.error {
            return write!(f, " error {text}");
        }
        let number = |f: &mut fmt::Formatter<'_>, word, value: Option<u64>| match value {
            Some(value) => write!(f, " {word} {value}"),
            None => Ok(()),
        };
        number(f, "depth", self.depth.map(u64::from))?;
        number(f, "seldepth", self.seldepth.map(u64::from))?;
        number(f, "multipv", self.multipv.map(u64::from))?;
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
        }
        if let Some(Wdl { win, draw, loss }) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        number(f, "nodes", self.nodes)?;
        number(f, "nps", self.nps)?;
        number(f, "hashfull", self.hashfull.map(u64::from))?;
        number(f, "tbhits", self.tbhits)?;
        number(f, "time", self.time)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
            self.pv.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        match &self.string {
            Some(text) => write!(f, " string {text}"),
            None => Ok(()),
        }
    }
}
