//! Reading games: strict about what makes the game, lenient about what decorates it.

use std::io::{self, BufRead, Read};

use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{Move, Position, Ruleset, Side, Start, VelaStarter};

use super::text;
use crate::game::referee::{Referee, Ruling};
use crate::game::termination::{GameResult, Reason};
use crate::pairing::ids::{GameId, PairingId};
use crate::record::GameRecord;

/// The longest line that is read, in bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// The longest game that is read, in bytes.
pub const LONGEST_GAME: usize = crate::text::input_file::MAX_ROW as usize;

/// A game that has been read, well-formed but not yet replayed by the rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// The game.
    pub record: GameRecord,
    /// The rules it says it was played by; `None` where it says nothing.
    pub rules: Option<Ruleset>,
    /// The line it begins in, from 1.
    pub line: u64,
}

/// What is wrong with a file of games, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct FgnError {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub problem: FgnProblem,
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum FgnProblem {
    /// The file cannot be read.
    #[error("failed to read on: {0}")]
    Unreadable(#[from] io::Error),
    /// The line is no text.
    #[error("this is no UTF-8 text")]
    NotText,
    /// More than anybody plays.
    #[error("{what} is longer than {most} bytes")]
    TooLong {
        /// The line, or the game.
        what: &'static str,
        /// The bound.
        most: usize,
    },
    /// A line that begins like a tag.
    #[error("`{0}` is no tag: expected a name and a value, like [White \"alphabeta\"]")]
    Tag(String),
    /// A tag says what cannot be.
    #[error("the tag {name}: {why}")]
    Value {
        /// The tag.
        name: &'static str,
        /// What is wrong.
        why: String,
    },
    /// A tag that has to be there is not.
    #[error("the game has no tag {0}")]
    Missing(&'static str),
    /// A word among the moves.
    #[error("move {number}: {why}")]
    Move {
        /// Which one, from 1.
        number: usize,
        /// What is wrong.
        why: String,
    },
    /// The moves end without a result.
    #[error(
        "the game that begins in line {0} has no result: expected 1-0, 0-1, 1/2-1/2 or * after its moves"
    )]
    NoResult(u64),
    /// Something follows the result.
    #[error("`{0}` follows the result of a game: expected the tags of the next one")]
    AfterResult(String),
}

/// Reads games one by one; ends after the first mistake.
///
/// ```
/// use fanorona_arena::notation::fgn::Reader;
///
/// let text = "[White \"a\"]\n[Black \"b\"]\n[Termination \"resign\"]\n\n1. e2e3A {12ms cp 5} 1-0\n";
/// let game = Reader::new(text.as_bytes()).next().unwrap().unwrap();
/// assert_eq!((&*game.record.moves, game.record.times), ("e2e3A", vec![12]));
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    line: u64,
    games: u64,
    over: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads from here on.
    pub fn new(input: R) -> Reader<R> {
        Reader { input, line: 0, games: 0, over: false }
    }

    /// The next line without its end; `None` at the end of the file.
    fn next_line(&mut self) -> Result<Option<String>, FgnError> {
        self.line += 1;
        let wrong = |problem| FgnError { line: self.line, problem };
        let mut bytes = Vec::new();
        let mut limited = self.input.by_ref().take(LONGEST_LINE as u64 + 1);
        match limited.read_until(b'\n', &mut bytes) {
            Err(why) => Err(wrong(why.into())),
            Ok(0) => Ok(None),
            Ok(length) if length > LONGEST_LINE => {
                Err(wrong(FgnProblem::TooLong { what: "the line", most: LONGEST_LINE }))
            }
            Ok(_) => {
                let text = String::from_utf8(bytes).map_err(|_| wrong(FgnProblem::NotText))?;
                let text = text.trim_end_matches(['\n', '\r']);
                // Some editors begin a text so.
                let text = if self.line == 1 { text.trim_start_matches('\u{feff}') } else { text };
                Ok(Some(text.to_owned()))
            }
        }
    }

    fn next_game(&mut self) -> Result<Option<Game>, FgnError> {
        let mut draft = Draft::default();
        let mut length = 0;
        while let Some(text) = self.next_line()? {
            let line = self.line;
            let wrong = |problem| FgnError { line, problem };
            length += text.len();
            if length > LONGEST_GAME {
                return Err(wrong(FgnProblem::TooLong { what: "the game", most: LONGEST_GAME }));
            }
            let in_comment = draft.comment.is_some();
            if !in_comment && (text.trim().is_empty() || text.starts_with('%')) {
                continue;
            }
            draft.line.get_or_insert(line);
            if !in_comment && text.trim_start().starts_with('[') {
                if draft.in_moves {
                    return Err(wrong(FgnProblem::NoResult(draft.line.unwrap_or(line))));
                }
                let (name, value) =
                    text::tag(&text).ok_or_else(|| wrong(FgnProblem::Tag(text.clone())))?;
                draft.tags.push(Tag { name: name.to_owned(), value, line });
                continue;
            }
            draft.read_moves(&text).map_err(wrong)?;
            if draft.result.is_some() && draft.comment.is_none() {
                self.games += 1;
                return draft.finish(self.games, line).map(Some);
            }
        }
        match draft.line {
            None => Ok(None),
            Some(line) => Err(FgnError { line: self.line, problem: FgnProblem::NoResult(line) }),
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, FgnError>;

    fn next(&mut self) -> Option<Result<Game, FgnError>> {
        if self.over {
            return None;
        }
        let game = self.next_game().transpose();
        self.over = !matches!(game, Some(Ok(_)));
        game
    }
}

struct Tag {
    name: String,
    value: String,
    line: u64,
}

/// A game as far as it has been read.
#[derive(Default)]
struct Draft {
    tags: Vec<Tag>,
    /// Where it begins.
    line: Option<u64>,
    in_moves: bool,
    moves: Vec<Move>,
    /// Time and score said of each move, as far as they are.
    said: Vec<Option<(u64, String)>>,
    /// A comment that has not been closed yet.
    comment: Option<String>,
    result: Option<GameResult>,
}

impl Draft {
    /// Reads a line of moves, or a part of one.
    fn read_moves(&mut self, line: &str) -> Result<(), FgnProblem> {
        self.in_moves = true;
        let mut rest = line;
        loop {
            if let Some(comment) = &mut self.comment {
                let Some((inside, after)) = rest.split_once('}') else {
                    comment.push_str(rest);
                    comment.push(' ');
                    return Ok(());
                };
                comment.push_str(inside);
                let (comment, last) = (std::mem::take(comment), self.said.last_mut());
                self.comment = None;
                if let (Some(said), Some(last)) = (time_and_score(&comment), last) {
                    *last = Some(said);
                }
                rest = after;
                continue;
            }
            rest = rest.trim_start();
            if rest.is_empty() || rest.starts_with(';') {
                return Ok(());
            }
            if let Some(after) = rest.strip_prefix('{') {
                self.comment = Some(String::new());
                rest = after;
                continue;
            }
            let end = rest.find(|c: char| c.is_whitespace() || "{;".contains(c));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            self.read_word(word)?;
            rest = after;
        }
    }

    /// Reads a number, a move or the result.
    fn read_word(&mut self, word: &str) -> Result<(), FgnProblem> {
        if self.result.is_some() {
            return Err(FgnProblem::AfterResult(word.to_owned()));
        }
        if let Ok(result) = word.parse() {
            self.result = Some(result);
            return Ok(());
        }
        let without_number = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let word = match without_number.strip_prefix('.') {
            Some(mv) => mv.trim_start_matches('.'),
            // A number alone, as some write it.
            None if without_number.is_empty() => "",
            None => word,
        };
        // `$1` is a judgement, as programs for chess write it.
        if word.is_empty() || word.starts_with('$') {
            return Ok(());
        }
        let number = self.moves.len() + 1;
        let mv: Move = word.parse().map_err(|why: fanorona_protocol::rules::ParseMoveError| {
            FgnProblem::Move { number, why: why.to_string() }
        })?;
        self.moves.push(mv);
        self.said.push(None);
        Ok(())
    }

    /// What a tag says, with its line.
    fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().rev().find(|tag| tag.name == name)
    }

    /// What a tag says once it is understood.
    fn parsed<T: std::str::FromStr>(&self, name: &'static str) -> Result<Option<T>, FgnError>
    where
        T::Err: std::fmt::Display,
    {
        let Some(tag) = self.tag(name) else { return Ok(None) };
        let understood = tag.value.parse().map_err(|why: T::Err| wrong(tag, name, why.to_string()));
        understood.map(Some)
    }

    /// The game, once its result has been read; the `ordinal` is its number if it says none.
    fn finish(self, ordinal: u64, end: u64) -> Result<Game, FgnError> {
        let begin = self.line.unwrap_or(end);
        let missing = |name| FgnError { line: begin, problem: FgnProblem::Missing(name) };
        let name = |name: &'static str| {
            self.tag(name).map(|tag| tag.value.clone()).ok_or_else(|| missing(name))
        };
        let (white, black) = (name("White")?, name("Black")?);
        let result = self.result.expect("a game is finished by its result");
        if let Some(said) = self.parsed::<GameResult>("Result")?.filter(|said| *said != result) {
            let why = format!("it says {said}, the game ends with {result}");
            return Err(wrong(self.tag("Result").expect("it was read"), "Result", why));
        }
        let start = self.start()?;
        let rules = self.parsed::<Ruleset>("Rules")?;
        let reason = match self.parsed::<Reason>("Termination")? {
            Some(reason) => reason,
            None if result == GameResult::Void => Reason::Void,
            None => self.by_rules(start, rules).ok_or_else(|| missing("Termination"))?,
        };
        let ordinal = GameId { pairing: PairingId(ordinal), of_session: None };
        let id = self.parsed::<GameId>("Game")?.unwrap_or(ordinal);
        let book = self.parsed::<u32>("Book")?.unwrap_or(0);
        if book as usize > self.moves.len() {
            let why = format!("{book} moves of an opening, but {} in all", self.moves.len());
            return Err(wrong(self.tag("Book").expect("it was read"), "Book", why));
        }
        let moves: Vec<String> = self.moves.iter().map(Move::to_string).collect();
        // All or nothing: what is said of some moves alone would be taken for the others.
        let said = self.said[book as usize..].iter().cloned().collect::<Option<Vec<_>>>();
        let (times, scores) = said.unwrap_or_default().into_iter().unzip();
        let neither = format!("neither {white} nor {black}");
        let record = GameRecord {
            pair: self.parsed("Pair")?,
            white,
            black,
            detail: self.tag("Detail").map(|tag| tag.value.clone()).unwrap_or_default(),
            adjudicated_by: self.tag("AdjudicatedBy").map(|tag| tag.value.clone()),
            moves: moves.join(" "),
            book,
            white_ms: self.parsed("WhiteMs")?.unwrap_or(0),
            black_ms: self.parsed("BlackMs")?.unwrap_or(0),
            times,
            scores,
            ..GameRecord::new(id, &start, result, reason)
        };
        let record = match self.tag("Offender") {
            None => record,
            Some(tag) => record
                .with_offender(&tag.value)
                .ok_or_else(|| wrong(tag, "Offender", format!("`{}` is {neither}", tag.value)))?,
        };
        Ok(Game { record, rules, line: begin })
    }

    /// The position the game begins with: what FEN says, or the start of what Variant names.
    fn start(&self) -> Result<Position, FgnError> {
        let debtor = match self.tag("Vela") {
            None => None,
            Some(tag) => match Side::from_letter(&tag.value) {
                Some(side) => Some(side),
                None => {
                    let why = format!("`{}` is no side: expected the debtor, w or b", tag.value);
                    return Err(wrong(tag, "Vela", why));
                }
            },
        };
        let Some(start) = self.parsed::<Position>("FEN")? else {
            let variant = self.parsed::<Start>("Variant")?.unwrap_or(Start::TSIVY);
            return Ok(match debtor {
                None => variant.riatra(),
                Some(Side::White) => variant.vela(VelaStarter::Debtor),
                Some(Side::Black) => variant.vela(VelaStarter::Creditor),
            });
        };
        if debtor.is_some() && debtor != start.debtor() {
            let owes = |side: Option<Side>| {
                side.map_or("nobody", |s| if s == Side::White { "White" } else { "Black" })
            };
            let why = format!("{} owes, {} by the tag FEN", owes(debtor), owes(start.debtor()));
            return Err(wrong(self.tag("Vela").expect("it was read"), "Vela", why));
        }
        Ok(start)
    }

    /// By what the rules have ended the game, if they have.
    fn by_rules(&self, start: Position, rules: Option<Ruleset>) -> Option<Reason> {
        let mut referee = Referee::new(rules.unwrap_or_default(), start);
        let mut over = referee.over();
        for mv in &self.moves {
            over = match referee.judge(&BestMove::Move(*mv)) {
                Ruling::Continue => None,
                // What is wrong with a move is for the replay to say.
                Ruling::Over(ending) => Some(ending),
            };
        }
        over.map(|ending| ending.reason)
    }
}

fn wrong(tag: &Tag, name: &'static str, why: String) -> FgnError {
    FgnError { line: tag.line, problem: FgnProblem::Value { name, why } }
}

/// What a comment says of the move before it, if it is of our form: `31ms`, `31ms cp -20`.
fn time_and_score(comment: &str) -> Option<(u64, String)> {
    let mut words = comment.split_ascii_whitespace();
    let time = words.next()?.strip_suffix("ms")?.parse().ok()?;
    let score = match (words.next(), words.next(), words.next()) {
        (None, ..) => String::new(),
        (Some("cp"), Some(value), None) => format!("cp {}", value.parse::<i32>().ok()?),
        (Some(word @ ("win" | "loss")), Some(plies), None) => {
            format!("{word} {}", plies.parse::<u32>().ok()?)
        }
        _ => return None,
    };
    Some((time, score))
}
