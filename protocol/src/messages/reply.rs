//! The lines an engine sends to a manager.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use core::fmt;
use core::str::FromStr;

use super::command::Dialect;
use super::info::Info;
use super::option::{OptionSpec, OptionSpecError};
use super::words;
use crate::rules::{Move, ParseMoveError};

/// The answer of an engine to `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// A move.
    Move(Move),
    /// `0000`: there is no legal move, or no position.
    None,
    /// `resign`: the engine gives up the game.
    Resign,
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BestMove::Move(mv) => mv.fmt(f),
            BestMove::None => f.write_str("0000"),
            BestMove::Resign => f.write_str("resign"),
        }
    }
}

/// The exact value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The side to move wins in this number of plies.
    Win(u32),
    /// The side to move loses in this number of plies.
    Loss(u32),
    /// The game is a draw with best play.
    Draw,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(plies) => write!(f, "win {plies}"),
            Value::Loss(plies) => write!(f, "loss {plies}"),
            Value::Draw => f.write_str("draw"),
        }
    }
}

/// The text of the `response` to [`Query::Value`](super::Query::Value); `None` is written
/// `unknown`.
///
/// ```
/// use fanorona_protocol::messages::{Value, ValueResponse};
/// assert_eq!("win 5".parse(), Ok(ValueResponse(Some(Value::Win(5)))));
/// assert_eq!(ValueResponse(None).to_string(), "unknown");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueResponse(pub Option<Value>);

impl fmt::Display for ValueResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("unknown"),
        }
    }
}

impl FromStr for ValueResponse {
    type Err = ReplyError;

    fn from_str(text: &str) -> Result<ValueResponse, ReplyError> {
        let wrong = || ReplyError::Value(text.to_owned());
        let value = match text.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            ["win", plies] => Some(Value::Win(words::small(plies).ok_or_else(wrong)?)),
            ["loss", plies] => Some(Value::Loss(words::small(plies).ok_or_else(wrong)?)),
            ["draw"] => Some(Value::Draw),
            ["unknown"] => None,
            _ => return Err(wrong()),
        };
        Ok(ValueResponse(value))
    }
}

/// A line from engine to manager.
///
/// ```
/// use fanorona_protocol::messages::Reply;
/// assert!(matches!("bestmove e2e3A".parse(), Ok(Reply::BestMove(_))));
/// assert!("bestmove e2e3A ponder e5e4".parse::<Reply>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reply {
    /// `id name …`: the name of the engine.
    Name(String),
    /// `id author …`: the authors of the engine.
    Author(String),
    /// `option …`: the declaration of an option.
    Option(OptionSpec),
    /// `ugiok` or `uciok`: the end of the answer to the handshake.
    HandshakeOk(Dialect),
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info …`: the progress of a search.
    Info(Box<Info>),
    /// `bestmove …`: the answer to `go`.
    BestMove(BestMove),
    /// `response …`: the answer to a query. Its meaning depends on the [`Query`](super::Query).
    Response(String),
    /// `<move>: <count>`: one move of a perft and the count below it.
    PerftMove(Move, u64),
    /// `nodes <total>`: the last line of a perft.
    PerftTotal(u64),
    /// `<n> nodes`: the nodes searched in a bench, near its end.
    BenchNodes(u64),
    /// `<n> nps`: the nodes per second of a bench, near its end.
    BenchNps(u64),
}

/// The reason why a line is not a reply. A manager ignores lines that are [`ReplyError::Unknown`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// The line is not part of the protocol. Engines may print such lines.
    #[error("`{0}` is not a line of the protocol")]
    Unknown(String),
    /// An `option` line does not declare an option.
    #[error(transparent)]
    Option(#[from] OptionSpecError),
    /// A `bestmove` line does not have exactly two words.
    #[error("a bestmove line must have two words, found `{0}`")]
    BestMoveWords(String),
    /// The second word of a `bestmove` line is not a move.
    #[error("bestmove: {0}")]
    NoBestMove(#[from] ParseMoveError),
    /// The text is not a [`ValueResponse`].
    #[error("`{0}` is not a value: expected win n, loss n, draw or unknown")]
    Value(String),
}

impl FromStr for Reply {
    type Err = ReplyError;

    fn from_str(line: &str) -> Result<Reply, ReplyError> {
        let line = line.trim_matches(|c: char| c.is_ascii_whitespace());
        let (first, rest) = match line.split_once(|c: char| c.is_ascii_whitespace()) {
            Some((first, rest)) => {
                (first, rest.trim_start_matches(|c: char| c.is_ascii_whitespace()))
            }
            None => (line, ""),
        };
        let unknown = || ReplyError::Unknown(line.to_owned());
        match (first, rest) {
            ("ugiok", "") => Ok(Reply::HandshakeOk(Dialect::Ugi)),
            ("uciok", "") => Ok(Reply::HandshakeOk(Dialect::Uci)),
            ("readyok", "") => Ok(Reply::ReadyOk),
            ("info", rest) => Ok(Reply::Info(Box::new(Info::read(rest)))),
            ("bestmove", rest) => {
                if rest.is_empty() || rest.contains(|c: char| c.is_ascii_whitespace()) {
                    return Err(ReplyError::BestMoveWords(line.to_owned()));
                }
                Ok(Reply::BestMove(match rest {
                    "0000" => BestMove::None,
                    "resign" => BestMove::Resign,
                    mv => BestMove::Move(mv.parse()?),
                }))
            }
            ("response", rest) => Ok(Reply::Response(rest.to_owned())),
            ("option", _) => Ok(Reply::Option(line.parse()?)),
            ("id", rest) => {
                let (what, text) =
                    rest.split_once(|c: char| c.is_ascii_whitespace()).ok_or_else(unknown)?;
                match (what, words::one_line(text)) {
                    // Only control characters, which are blanks here.
                    (_, text) if text.is_empty() => Err(unknown()),
                    ("name", name) => Ok(Reply::Name(name)),
                    ("author", author) => Ok(Reply::Author(author)),
                    _ => Err(unknown()),
                }
            }
            ("nodes", count) => words::number(count).map(Reply::PerftTotal).ok_or_else(unknown),
            (count, "nodes") => words::number(count).map(Reply::BenchNodes).ok_or_else(unknown),
            (count, "nps") => words::number(count).map(Reply::BenchNps).ok_or_else(unknown),
            (mv, count) => {
                let mv = mv.strip_suffix(':').and_then(|mv| mv.parse().ok());
                mv.zip(words::number(count))
                    .map(|(mv, count)| Reply::PerftMove(mv, count))
                    .ok_or_else(unknown)
            }
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {name}"),
            Reply::Author(author) => write!(f, "id author {author}"),
            Reply::Option(option) => option.fmt(f),
            Reply::HandshakeOk(dialect) => f.write_str(dialect.handshake_ok()),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => info.fmt(f),
            Reply::BestMove(best) => write!(f, "bestmove {best}"),
            Reply::Response(text) if text.is_empty() => f.write_str("response"),
            Reply::Response(text) => write!(f, "response {text}"),
            Reply::PerftMove(mv, count) => write!(f, "{mv}: {count}"),
            Reply::PerftTotal(total) => write!(f, "nodes {total}"),
            Reply::BenchNodes(count) => write!(f, "{count} nodes"),
            Reply::BenchNps(count) => write!(f, "{count} nps"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parsing_a_printed_reply_returns_the_same_line() {
        for line in [
            "id name bot-random 0.1.0",
            "id author The Fanorona Arena developers",
            "option name Seed type spin default 0 min 0 max 9223372036854775807",
            "ugiok",
            "uciok",
            "readyok",
            "info depth 7 seldepth 12 multipv 1 score cp -35 wdl 300 200 500 nodes 120 nps 9 \
             hashfull 17 tbhits 3 time 40 pv e2e3A e5e4 string so far so good",
            "info score win 5",
            "info string hello",
            "info error ValueError: no such point (bot.py, line 4)",
            "info",
            "bestmove e2e3A",
            "bestmove 0000",
            "bestmove resign",
            "response p1win",
            "response e2e3A f2e3A",
            "e2e3A: 724",
            "nodes 18026",
            "431852 nodes",
            "5000000 nps",
        ] {
            assert_eq!(line.parse::<Reply>().expect(line).to_string(), line);
        }
    }

    /// Found by fuzzing: a name of control characters was read as an empty name, which is printed as
    /// a line that is not a reply.
    #[test]
    fn an_empty_name_is_not_a_reply() {
        for line in ["id", "id name", "id name ", "id name \0", "id author \u{98}\u{9b} \u{1}"] {
            assert!(matches!(line.parse::<Reply>(), Err(ReplyError::Unknown(_))), "{line:?}");
        }
        assert_eq!("id name \0a\0\0b".parse(), Ok(Reply::Name("a b".to_owned())));
    }

    #[test]
    fn unknown_words_of_an_info_line_are_ignored() {
        let read = |line: &str| match line.parse::<Reply>() {
            Ok(Reply::Info(info)) => *info,
            other => panic!("{other:?}"),
        };
        let info = read("info currmove x depth 3 score cp banana nodes -1 pv e2e3A ?? time 9");
        assert_eq!((info.depth, info.score, info.nodes, info.time), (Some(3), None, None, Some(9)));
        assert_eq!(info.pv.len(), 1);
        assert_eq!(read("info score cp 12 lowerbound").score, Some(crate::messages::Score::Cp(12)));
        // A figure of that name is not an error, nor is a text that speaks of one.
        for line in ["info depth 3 error 0.1 score cp 5", "info string error: no book"] {
            assert_eq!(read(line).error, None, "{line}");
        }
        assert_eq!(read("info  error").error.as_deref(), Some(""));
    }

    #[test]
    fn a_bestmove_line_has_two_words_and_a_move() {
        let why = |line: &str| line.parse::<Reply>().unwrap_err();
        for line in ["bestmove", "bestmove ", "bestmove e2e3A ponder e5e4"] {
            assert!(matches!(why(line), ReplyError::BestMoveWords(_)), "{line}");
        }
        for line in ["bestmove e2e4", "bestmove (none)", "bestmove e2e3Ad4"] {
            assert!(matches!(why(line), ReplyError::NoBestMove(_)), "{line}");
        }
    }

    #[test]
    fn parsing_a_printed_value_returns_the_same_value() {
        for text in ["win 5", "loss 0", "draw", "unknown"] {
            assert_eq!(text.parse::<ValueResponse>().unwrap().to_string(), text);
        }
        for text in ["", "win", "loss x", "draw 3", "unknown value"] {
            let error = ReplyError::Value(text.to_owned());
            assert_eq!(text.parse::<ValueResponse>(), Err(error));
        }
    }

    proptest! {
        #[test]
        fn printing_and_parsing_a_parsed_line_changes_nothing(line in "[ -~é\\x00-\\x1f\\x{80}-\\x{9f}]{0,40}") {
            for word in ["", "info ", "bestmove ", "response ", "id name ", "option name ", "nodes "] {
                if let Ok(reply) = format!("{word}{line}").parse::<Reply>() {
                    prop_assert_eq!(reply.to_string().parse(), Ok(reply));
                }
            }
            for word in ["", "go ", "position fen ", "setoption name ", "query "] {
                if let Ok(command) = format!("{word}{line}").parse::<super::super::Command>() {
                    prop_assert_eq!(command.to_string().parse(), Ok(command));
                }
            }
        }
    }
}
