//! The lines a manager sends to an engine.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use core::fmt;
use core::str::FromStr;

use super::limits::{Limits, LimitsError};
use super::words;

/// The vocabulary of a manager or engine: UGI or UCI. The words are the only difference, except for
/// what [`Dialect::understood`] leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `ugi`, `uginewgame`, `ugiok`, `p1time` …
    #[default]
    Ugi,
    /// `uci`, `ucinewgame`, `uciok`, `wtime` …
    Uci,
}

impl Dialect {
    /// Both dialects.
    pub const ALL: [Dialect; 2] = [Dialect::Ugi, Dialect::Uci];

    /// Returns the first line of a manager, which is also the name of the dialect.
    pub fn handshake(self) -> &'static str {
        match self {
            Dialect::Ugi => "ugi",
            Dialect::Uci => "uci",
        }
    }

    /// Returns the last line of an engine's answer to the handshake.
    pub fn handshake_ok(self) -> &'static str {
        match self {
            Dialect::Ugi => "ugiok",
            Dialect::Uci => "uciok",
        }
    }

    /// Returns the part of an engine's line that counts. An engine that speaks UCI may name the reply
    /// it expects after its move, which nobody needs: `bestmove e2e3A ponder e5e4`.
    ///
    /// ```
    /// use fanorona_protocol::messages::Dialect;
    /// let line = "bestmove e2e3A ponder e5e4";
    /// assert_eq!(Dialect::Uci.understood(line), "bestmove e2e3A");
    /// assert_eq!(Dialect::Ugi.understood(line), line);
    /// ```
    pub fn understood(self, line: &str) -> &str {
        let mut words = line.split_ascii_whitespace();
        let mut next = || words.next();
        match (self, [next(), next(), next(), next(), next()]) {
            (Dialect::Uci, [Some("bestmove"), Some(_), Some("ponder"), Some(_), None]) => {
                line.split_once("ponder").map_or(line, |(begin, _)| begin.trim_end())
            }
            _ => line,
        }
    }

    fn new_game(self) -> &'static str {
        match self {
            Dialect::Ugi => "uginewgame",
            Dialect::Uci => "ucinewgame",
        }
    }

    /// Translates a word of `go` into this dialect.
    fn limit(self, word: &str) -> &str {
        match (self, word) {
            (Dialect::Uci, "p1time") => "wtime",
            (Dialect::Uci, "p2time") => "btime",
            (Dialect::Uci, "p1inc") => "winc",
            (Dialect::Uci, "p2inc") => "binc",
            _ => word,
        }
    }
}

/// The start of a `position` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartText {
    /// `startpos`: the usual start of riatra on 9×5.
    Startpos,
    /// `fen F`: a position as text, not yet validated.
    Fen(String),
}

/// A question about the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Query {
    /// Whether the game is over: `true` or `false`.
    GameOver,
    /// Whether White is to move: `true` or `false`.
    P1Turn,
    /// The result: `p1win`, `p2win`, `draw`, or `none` while the game continues.
    Result,
    /// The position as text.
    Fen,
    /// Every legal move.
    Moves,
    /// The exact [`Value`](super::Value) for the side to move. The answer is a
    /// [`ValueResponse`](super::ValueResponse).
    Value,
}

impl Query {
    /// Every query.
    pub const ALL: [Query; 6] =
        [Query::GameOver, Query::P1Turn, Query::Result, Query::Fen, Query::Moves, Query::Value];

    /// Returns the word after `query`.
    pub fn word(self) -> &'static str {
        match self {
            Query::GameOver => "gameover",
            Query::P1Turn => "p1turn",
            Query::Result => "result",
            Query::Fen => "fen",
            Query::Moves => "moves",
            Query::Value => "value",
        }
    }
}

/// A line from manager to engine.
///
/// ```
/// use fanorona_protocol::messages::{Command, Dialect};
/// let command: Command = "go wtime 1000 btime 900".parse().unwrap();
/// assert_eq!(command.to_string(), "go p1time 1000 p2time 900");
/// assert_eq!(command.in_dialect(Dialect::Uci), "go wtime 1000 btime 900");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Command {
    /// `ugi` or `uci`: the engine identifies itself and declares its options.
    Handshake(Dialect),
    /// `isready`: the engine answers `readyok` when everything before it is done.
    IsReady,
    /// `setoption name N [value V]`: sets an option.
    SetOption {
        /// The name of the option, possibly of several words.
        name: String,
        /// The text after the word `value`; `None` without that word.
        value: Option<String>,
    },
    /// `uginewgame`: the next position belongs to another game.
    NewGame,
    /// `position (startpos | fen F…) [moves t…]`: sets the position.
    Position {
        /// The position before the moves.
        start: StartText,
        /// The moves from there, not yet validated.
        moves: Vec<String>,
    },
    /// `go …`: starts a search.
    Go(Limits),
    /// `go perft n`: counts the sequences of this many legal moves.
    Perft(u32),
    /// `stop`: ends the running search.
    Stop,
    /// `ponderhit`: the opponent has made the expected move, and the clock runs.
    PonderHit,
    /// `quit`: ends the engine.
    Quit,
    /// `query …`: asks about the current position.
    Query(Query),
    /// `bench`: searches fixed positions to measure the speed.
    Bench,
}

impl Command {
    /// Returns the line in a dialect. Words that the dialects share are those of `Display`.
    pub fn in_dialect(&self, dialect: Dialect) -> String {
        match (self, dialect) {
            (Command::NewGame, _) => dialect.new_game().to_owned(),
            (Command::Go(limits), Dialect::Uci) => {
                // `searchmoves` comes last, and its moves contain no words of the dialects.
                let text = limits.to_string();
                let words: Vec<_> = text.split(' ').map(|word| dialect.limit(word)).collect();
                format!("go{}", words.join(" "))
            }
            _ => self.to_string(),
        }
    }
}

/// The reason why a line is not a command. Each message names the wrong word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The line contains nothing but blanks.
    #[error("the line is empty")]
    Empty,
    /// The first word is not a command.
    #[error("unknown command `{0}`")]
    Unknown(String),
    /// Words follow a command that takes none.
    #[error("{command} takes no further words, found `{found}`")]
    Trailing {
        /// The command.
        command: &'static str,
        /// The first word after the command.
        found: String,
    },
    /// `setoption` is not followed by `name` and a name.
    #[error("setoption needs a name: setoption name N [value V]")]
    OptionName,
    /// `position` is followed by something other than `startpos` or `fen`. The engine has no
    /// position until the next one.
    #[error("position needs startpos or fen, found `{0}`")]
    Position(String),
    /// `startpos` is followed by a word other than `moves`. The engine has no position until the
    /// next one.
    #[error("startpos may only be followed by moves, found `{0}`")]
    PositionTrailing(String),
    /// Some words after `go` are not limits. The other limits apply.
    #[error("go: {}", .problems.iter().map(|p| p.to_string()).collect::<Vec<_>>().join("; "))]
    Go {
        /// The limits that were understood.
        limits: Box<Limits>,
        /// The words that were not understood.
        problems: Vec<LimitsError>,
    },
    /// `go perft` is not followed by exactly one number.
    #[error("go perft needs a number of plies, not `{0}`")]
    Perft(String),
    /// The words after `query` are not a query.
    #[error("query needs one of gameover, p1turn, result, fen, moves, value, found `{0}`")]
    Query(String),
}

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Command, CommandError> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            [] => Err(CommandError::Empty),
            ["ugi"] => Ok(Command::Handshake(Dialect::Ugi)),
            ["uci"] => Ok(Command::Handshake(Dialect::Uci)),
            ["isready"] => Ok(Command::IsReady),
            ["uginewgame" | "ucinewgame"] => Ok(Command::NewGame),
            ["stop"] => Ok(Command::Stop),
            ["ponderhit"] => Ok(Command::PonderHit),
            ["quit"] => Ok(Command::Quit),
            ["bench"] => Ok(Command::Bench),
            ["setoption", ..] => set_option(line),
            ["position", "startpos"] => Ok(position(StartText::Startpos, &[])),
            ["position", "startpos", "moves", ref moves @ ..] => {
                Ok(position(StartText::Startpos, moves))
            }
            ["position", "startpos", found, ..] => {
                Err(CommandError::PositionTrailing(found.to_owned()))
            }
            ["position", "fen", ref rest @ ..] => {
                let end = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
                let moves = rest.get(end + 1..).unwrap_or_default();
                Ok(position(StartText::Fen(rest[..end].join(" ")), moves))
            }
            ["position", ref rest @ ..] => {
                Err(CommandError::Position(rest.first().copied().unwrap_or_default().to_owned()))
            }
            ["go", "perft", ref rest @ ..] => match rest {
                [depth] => words::small(depth).map(Command::Perft),
                _ => None,
            }
            .ok_or_else(|| CommandError::Perft(rest.join(" "))),
            ["go", ref rest @ ..] => match Limits::read(rest.iter().copied()) {
                (limits, problems) if problems.is_empty() => Ok(Command::Go(limits)),
                (limits, problems) => Err(CommandError::Go { limits: Box::new(limits), problems }),
            },
            ["query", ref rest @ ..] => {
                let text = rest.join(" ");
                let found = Query::ALL.into_iter().find(|query| query.word() == text);
                found.map(Command::Query).ok_or(CommandError::Query(text))
            }
            [first, found, ..] => Err(match single_word(first) {
                Some(command) => CommandError::Trailing { command, found: found.to_owned() },
                None => CommandError::Unknown(first.to_owned()),
            }),
            [first] => Err(CommandError::Unknown(first.to_owned())),
        }
    }
}

/// Returns the command if it is one that takes no further words.
fn single_word(word: &str) -> Option<&'static str> {
    ["ugi", "uci", "isready", "uginewgame", "ucinewgame", "stop", "ponderhit", "quit", "bench"]
        .into_iter()
        .find(|&known| known == word)
}

fn position(start: StartText, moves: &[&str]) -> Command {
    Command::Position { start, moves: moves.iter().map(|&mv| mv.to_owned()).collect() }
}

/// Parses `setoption name N [value V]`. A name may have several words, but none of them may be
/// `value`. The value is the rest of the line.
fn set_option(line: &str) -> Result<Command, CommandError> {
    let mut rest = line;
    let mut next = || {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        word
    };
    if (next(), next()) != ("setoption", "name") {
        return Err(CommandError::OptionName);
    }
    let mut name = Vec::new();
    let value = loop {
        match next() {
            "" => break None,
            "value" => break Some(rest.trim_matches(|c: char| c.is_ascii_whitespace()).to_owned()),
            word => name.push(word),
        }
    };
    if name.is_empty() {
        return Err(CommandError::OptionName);
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Handshake(dialect) => f.write_str(dialect.handshake()),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::NewGame => f.write_str(Dialect::Ugi.new_game()),
            Command::Position { start, moves } => {
                match start {
                    StartText::Startpos => f.write_str("position startpos")?,
                    StartText::Fen(fen) => write!(f, "position fen {fen}")?,
                }
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            Command::Go(limits) => write!(f, "go{limits}"),
            Command::Perft(depth) => write!(f, "go perft {depth}"),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Query(query) => write!(f, "query {}", query.word()),
            Command::Bench => f.write_str("bench"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Side;

    #[test]
    fn only_a_reply_expected_by_a_uci_engine_is_left_out() {
        for (line, understood) in [
            ("bestmove e2e3A ponder e5e4", "bestmove e2e3A"),
            ("  bestmove\te2e3A  ponder  (none)  ", "  bestmove\te2e3A"),
            ("bestmove resign ponder a1a2", "bestmove resign"),
            ("bestmove ponder ponder ponder", "bestmove"),
        ] {
            assert_eq!(Dialect::Uci.understood(line), understood);
            assert_eq!(Dialect::Ugi.understood(line), line);
        }
        for line in [
            "bestmove e2e3A",
            "bestmove e2e3A ponder",
            "bestmove e2e3A ponder e5e4 e4e3",
            "bestmove e2e3A score 5",
            "info string bestmove e2e3A ponder e5e4",
            "",
        ] {
            assert_eq!(Dialect::Uci.understood(line), line);
        }
    }

    #[test]
    fn parsing_a_printed_command_returns_the_same_line() {
        for line in [
            "ugi",
            "uci",
            "isready",
            "setoption name Clear Hash",
            "setoption name Rules value forced-continuation quiet=60",
            "uginewgame",
            "position startpos",
            "position startpos moves e2e3A e5e4",
            "position fen bbb/b1W/WWW w - 0 1",
            "position fen bbb/b1W/WWW w - 0 1 moves c1b2A",
            "go",
            "go infinite",
            "go p1time 1000 p2time 900 p1inc 10 p2inc 20 movestogo 7",
            "go movetime 30 depth 5 nodes 1000 searchmoves e2e3A f2e3A",
            "go ponder p1time 1000 p2time 900",
            "go perft 5",
            "stop",
            "ponderhit",
            "quit",
            "query gameover",
            "query value",
            "bench",
        ] {
            assert_eq!(line.parse::<Command>().expect(line).to_string(), line);
        }
    }

    #[test]
    fn uci_words_can_be_read_and_written() {
        let read = |line: &str| line.parse::<Command>().unwrap();
        assert_eq!(read("ucinewgame"), Command::NewGame);
        assert_eq!(Command::NewGame.in_dialect(Dialect::Uci), "ucinewgame");
        let go = read("go wtime -5 btime 2 winc 3 binc 4");
        assert_eq!(go.in_dialect(Dialect::Uci), "go wtime 0 btime 2 winc 3 binc 4");
        let Command::Go(limits) = go else { panic!("{go}") };
        assert_eq!((limits.time_of(Side::White), limits.increment_of(Side::Black)), (Some(0), 4));
    }

    #[test]
    fn an_option_value_is_the_rest_of_the_line() {
        let read = |line: &str| line.parse::<Command>().unwrap();
        let set = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.into(),
            value: value.map(str::to_owned),
        };
        assert_eq!(read("setoption name Rules value"), set("Rules", Some("")));
        assert_eq!(read("setoption  name A  B value x  value y "), set("A B", Some("x  value y")));
        assert_eq!(read("setoption name Clear"), set("Clear", None));
        assert_eq!("setoption Hash 5".parse::<Command>(), Err(CommandError::OptionName));
        assert_eq!("setoption name".parse::<Command>(), Err(CommandError::OptionName));
    }

    #[test]
    fn invalid_limits_do_not_affect_valid_ones() {
        let Err(CommandError::Go { limits, problems }) =
            "go depth x nodes 5 mate movetime".parse::<Command>()
        else {
            panic!("expected an error")
        };
        assert_eq!(*limits, Limits::with_nodes(5));
        let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            problems,
            [
                "depth needs a number of plies, not `x`",
                "`mate` is not a limit",
                "movetime needs a number of milliseconds, not ``",
            ]
        );
        for (text, rest) in [("movetime", "searchmoves a1b1"), ("depth", "nodes 5")] {
            let Err(CommandError::Go { limits, problems }) =
                format!("go {text} {rest}").parse::<Command>()
            else {
                panic!("expected an error: {text}")
            };
            assert_eq!(Command::Go(*limits), format!("go {rest}").parse().unwrap());
            assert_eq!(problems.len(), 1, "{text}");
        }
        assert_eq!(
            "go nodes 99999999999999999999".parse(),
            Ok(Command::Go(Limits::with_nodes(u64::MAX)))
        );
    }

    #[test]
    fn each_invalid_line_is_rejected_with_its_reason() {
        for (line, part) in [
            ("", "empty"),
            ("hello", "unknown command `hello`"),
            ("hello world", "unknown command `hello`"),
            ("stop now", "stop takes no further words, found `now`"),
            ("position", "startpos or fen"),
            ("position start", "found `start`"),
            ("position startpos e2e3A", "found `e2e3A`"),
            ("go perft", "number of plies"),
            ("go perft 3 4", "number of plies, not `3 4`"),
            ("query", "one of gameover"),
            ("query fen please", "found `fen please`"),
        ] {
            let error = line.parse::<Command>().expect_err(line).to_string();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
