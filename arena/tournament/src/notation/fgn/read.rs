//! Reads FGN games: strict about the game itself, lenient about comments and unknown tags.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{self, Move, Position, Ruleset, Side, Start, VelaStarter};

use super::foreign;
use super::text;
use super::write::{AnnotatedMove, Annotation, SUFFIXES};
use crate::game::referee::{self, Ruling};
use crate::game::termination::{GameResult, Reason};
use crate::notation::fen::{self, Dialect};
use crate::notation::moves::{self, Style};
use crate::pairing::ids::{GameId, PairingId};
use crate::record::GameRecord;

/// The maximal length of a line in bytes.
pub(crate) const LONGEST_LINE: usize = 1 << 20;

/// The maximal length of a game in bytes.
pub(crate) const LONGEST_GAME: usize = crate::text::input_file::MAX_ROW as usize;

/// The most variations within each other.
const MAX_NESTING: usize = 100;

/// A well-formed game, not yet replayed by the rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// The game.
    pub record: GameRecord,
    /// The rules given in the file, if any.
    pub rules: Option<Ruleset>,
    /// The tournament's name; empty if there is none.
    pub event: String,
    /// The limits of the players by name, where the file gives them.
    pub limits: BTreeMap<String, String>,
    /// The annotations of the moves besides times and scores; empty if the file has none. The
    /// variations have not been replayed either.
    pub notes: Vec<Annotation>,
    /// Whether the file has more about the game than the record keeps: comments, variations,
    /// judgements, or tags of other programs.
    pub has_more: bool,
    /// The line the game begins in, from 1.
    pub line: u64,
}

/// An error in a file of games, and its line.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct FgnError {
    /// The line, from 1.
    pub line: u64,
    /// The problem.
    pub problem: FgnProblem,
}

/// The kinds of errors.
#[derive(Debug, thiserror::Error)]
pub enum FgnProblem {
    /// The file cannot be read.
    #[error("failed to read: {0}")]
    Unreadable(#[from] io::Error),
    /// The line is not UTF-8.
    #[error("not valid UTF-8")]
    NotText,
    /// The line or game exceeds a limit.
    #[error("the {what} is longer than {most} bytes")]
    TooLong {
        /// `line` or `game`.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// A malformed tag.
    #[error("`{0}` is not a tag: expected a name and a value, like [White \"alphabeta\"]")]
    Tag(String),
    /// A tag with an invalid value.
    #[error("tag {name}: {why}")]
    Value {
        /// The tag.
        name: &'static str,
        /// The value.
        found: String,
        /// The reason.
        why: String,
    },
    /// A required tag is missing.
    #[error("the game has no {0} tag")]
    Missing(&'static str),
    /// An invalid word among the moves.
    #[error("move {number}: {why}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The word.
        found: String,
        /// The reason.
        why: String,
    },
    /// The game has no result.
    #[error(
        "the game that begins on line {0} has no result: expected 1-0, 0-1, 1/2-1/2 or * after its moves"
    )]
    NoResult(u64),
    /// Variations too deep within each other.
    #[error("more than {MAX_NESTING} variations are within each other")]
    Nesting,
    /// Text after the result.
    #[error("`{0}` follows the result of a game: expected the tags of the next game")]
    AfterResult(String),
}

/// Reads games one by one; stops after the first error.
///
/// ```
/// use fanorona_tournament::notation::fgn::Reader;
///
/// let text = "[White \"a\"]\n[Black \"b\"]\n[Termination \"resign\"]\n\n1. e2e3A {12ms cp 5} 1-0\n";
/// let game = Reader::new(text.as_bytes()).next().unwrap().unwrap();
/// assert_eq!((&*game.record.moves, game.record.times), ("e2e3A", vec![12]));
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    /// The rules of all games, whatever their tags say.
    rules: Option<Ruleset>,
    line: u64,
    games: u64,
    over: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads games from `input`.
    pub fn new(input: R) -> Reader<R> {
        Reader { input, rules: None, line: 0, games: 0, over: false }
    }

    /// The same for games that were played by these rules, whatever their tags say.
    pub fn with_rules(self, rules: Option<Ruleset>) -> Reader<R> {
        Reader { rules, ..self }
    }

    /// The next line without its line ending; `None` at the end of the file.
    fn next_line(&mut self) -> Result<Option<String>, FgnError> {
        self.line += 1;
        let wrong = |problem| FgnError { line: self.line, problem };
        let mut bytes = Vec::new();
        let mut limited = self.input.by_ref().take(LONGEST_LINE as u64 + 1);
        match limited.read_until(b'\n', &mut bytes) {
            Err(why) => Err(wrong(why.into())),
            Ok(0) => Ok(None),
            Ok(length) if length > LONGEST_LINE => {
                Err(wrong(FgnProblem::TooLong { what: "line", most: LONGEST_LINE }))
            }
            Ok(_) => {
                let text = String::from_utf8(bytes).map_err(|_| wrong(FgnProblem::NotText))?;
                let text = text.trim_end_matches(['\n', '\r']);
                // Some editors write a byte order mark.
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
                return Err(wrong(FgnProblem::TooLong { what: "game", most: LONGEST_GAME }));
            }
            let in_comment = draft.comment.is_some();
            if !in_comment && (text.trim().is_empty() || text.starts_with('%')) {
                draft.has_more |= text.starts_with('%');
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
                return draft.finish(self.games, line, self.rules).map(Some);
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

/// The tags whose values are kept.
const KNOWN: [&str; 21] = [
    "Event",
    "Game",
    "Pair",
    "White",
    "Black",
    "Result",
    "Variant",
    "Rules",
    "FEN",
    "Vela",
    "Opening",
    "Book",
    "Termination",
    "Offender",
    "Detail",
    "AdjudicatedBy",
    "TimeControl",
    "WhiteTimeControl",
    "BlackTimeControl",
    "WhiteMs",
    "BlackMs",
];

struct Tag {
    name: String,
    value: String,
    line: u64,
}

/// A variation while it is being read.
#[derive(Default)]
struct Variation {
    line: Vec<AnnotatedMove>,
    /// A word in it was no move: what follows is passed over.
    broken: bool,
}

/// A game while it is being read.
#[derive(Default)]
struct Draft {
    tags: Vec<Tag>,
    /// The line it begins in.
    line: Option<u64>,
    in_moves: bool,
    moves: Vec<Move>,
    /// Time and score of each move, where a comment gives them.
    said: Vec<Option<(u64, String)>>,
    /// An unclosed comment.
    comment: Option<String>,
    /// The other annotations of each move.
    notes: Vec<Annotation>,
    /// The variations in parentheses that are open, the innermost last.
    open: Vec<Variation>,
    /// The parts of a move that ended in a comma so far; Abstract Play writes blanks between parts.
    parts: String,
    /// Whether a move or the result is in the notation of Fanorona-Engine.
    foreign: bool,
    /// Whether something was left out.
    has_more: bool,
    result: Option<GameResult>,
}

impl Variation {
    /// Reads a move number, a move or a judgement.
    fn read_word(&mut self, word: &str) {
        let (word, suffix) = bare(word);
        if self.broken {
            return;
        }
        let suffix = suffix.unwrap_or_default();
        if word.is_empty() {
            if let Some(noted) = self.line.last_mut().filter(|_| !suffix.is_empty()) {
                noted.note.suffix = suffix;
            }
            return;
        }
        match moves::read(word) {
            Ok((mv, _)) => {
                let note = Annotation { suffix, ..Annotation::default() };
                self.line.push(AnnotatedMove { mv, note });
            }
            Err(_) => self.broken = true,
        }
    }
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
                match (time_and_score(&comment), last, self.open.is_empty()) {
                    (Some(said), Some(last), true) => *last = Some(said),
                    _ => self.comment_on_move(comment.trim()),
                }
                rest = after;
                continue;
            }
            rest = rest.trim_start();
            if rest.is_empty() || rest.starts_with(';') {
                self.has_more |= !rest.is_empty();
                return Ok(());
            }
            if let Some(after) = rest.strip_prefix('{') {
                self.comment = Some(String::new());
                rest = after;
                continue;
            }
            if let Some(after) = rest.strip_prefix('(') {
                if self.open.len() == MAX_NESTING {
                    return Err(FgnProblem::Nesting);
                }
                self.open.push(Variation::default());
                self.has_more = true;
                rest = after;
                continue;
            }
            if let Some(after) = rest.strip_prefix(')').filter(|_| !self.open.is_empty()) {
                self.close_variation();
                rest = after;
                continue;
            }
            let ends = if self.open.is_empty() { "{;(" } else { "{;()" };
            let end = rest.find(|c: char| c.is_whitespace() || ends.contains(c));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            match self.open.last_mut() {
                None => self.read_word(word)?,
                Some(variation) => variation.read_word(word),
            }
            rest = after;
        }
    }

    /// Reads a move number, a move or the result.
    fn read_word(&mut self, word: &str) -> Result<(), FgnProblem> {
        if self.result.is_some() {
            return Err(FgnProblem::AfterResult(word.to_owned()));
        }
        if let Some(result) = foreign::result(word) {
            self.foreign |= word.parse::<GameResult>().is_err();
            self.result = Some(result);
            return Ok(());
        }
        let (word, suffix) = bare(word);
        self.has_more |= suffix.is_some();
        if word.is_empty() {
            if let (Some(suffix), Some(note)) = (suffix, self.last_note()) {
                note.suffix = suffix;
            }
            return Ok(());
        }
        let number = self.moves.len() + 1;
        let word = std::mem::take(&mut self.parts) + word;
        if word.ends_with(',') {
            self.parts = word;
            return Ok(());
        }
        let (mv, style) = moves::read(&word).map_err(|why| {
            let why = why.to_string();
            FgnProblem::Move { number, found: word.clone(), why }
        })?;
        self.foreign |= style == Style::Hyphens;
        self.moves.push(mv);
        self.said.push(None);
        self.notes.push(Annotation { suffix: suffix.unwrap_or_default(), ..Annotation::default() });
        Ok(())
    }

    /// The note on the last move of the innermost line.
    fn last_note(&mut self) -> Option<&mut Annotation> {
        match self.open.last_mut() {
            None => self.notes.last_mut(),
            Some(variation) if variation.broken => None,
            Some(variation) => variation.line.last_mut().map(|noted| &mut noted.note),
        }
    }

    fn comment_on_move(&mut self, comment: &str) {
        self.has_more = true;
        let Some(note) = self.last_note() else { return };
        if !note.comment.is_empty() {
            note.comment.push(' ');
        }
        note.comment.push_str(comment);
    }

    /// Ends the innermost variation, which belongs to the last move of the line around it.
    fn close_variation(&mut self) {
        let Some(Variation { line, .. }) = self.open.pop() else { return };
        if let Some(note) = self.last_note().filter(|_| !line.is_empty()) {
            note.variations.push(line);
        }
    }

    /// A tag by its name.
    fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().rev().find(|tag| tag.name == name)
    }

    /// The parsed value of a tag.
    fn parsed<T: std::str::FromStr>(&self, name: &'static str) -> Result<Option<T>, FgnError>
    where
        T::Err: std::fmt::Display,
    {
        let Some(tag) = self.tag(name) else { return Ok(None) };
        let understood = tag.value.parse().map_err(|why: T::Err| wrong(tag, name, why.to_string()));
        understood.map(Some)
    }

    /// Completes the game after its result. Without a Game tag its number is `ordinal`; the given rules
    /// prevail over those of its tags.
    fn finish(self, ordinal: u64, end: u64, given: Option<Ruleset>) -> Result<Game, FgnError> {
        let begin = self.line.unwrap_or(end);
        let missing = |name| FgnError { line: begin, problem: FgnProblem::Missing(name) };
        let name = |name: &'static str| {
            self.tag(name).map(|tag| tag.value.clone()).ok_or_else(|| missing(name))
        };
        let (white, black) = (name("White")?, name("Black")?);
        let result = self.result.expect("a game is finished by its result");
        if let Some(tag) = self.tag("Result") {
            let said = foreign::result(&tag.value);
            let said = said.map_or_else(|| tag.value.parse::<GameResult>(), Ok);
            let said = said.map_err(|why| wrong(tag, "Result", why.to_string()))?;
            if said != result {
                let why = format!("the tag says {said}, but the game ends with {result}");
                return Err(wrong(tag, "Result", why));
            }
        }
        let (start, foreign) = self.start()?;
        let rules = match given.map_or_else(|| self.parsed("Rules"), |rules| Ok(Some(rules)))? {
            None if foreign && start.debtor().is_some() => Some(foreign::vela_rules()),
            rules => rules,
        };
        let (reason, end) = self.reason(start, rules, result, foreign)?;
        let reason = reason.ok_or_else(|| missing("Termination"))?;
        let ordinal = GameId { pairing: PairingId(ordinal), of_session: None };
        let id = self.parsed::<GameId>("Game")?.unwrap_or(ordinal);
        let book = self.parsed::<u32>("Book")?.unwrap_or(0);
        if book as usize > self.moves.len() {
            let why = format!("{book} opening moves, but the game has only {}", self.moves.len());
            return Err(wrong(self.tag("Book").expect("it was read"), "Book", why));
        }
        let moves: Vec<String> = self.moves.iter().map(Move::to_string).collect();
        // Times and scores are kept for all moves or none: a gap would shift them.
        let own = &self.said[book as usize..];
        let said = own.iter().cloned().collect::<Option<Vec<_>>>();
        let is_known = |tag: &Tag| KNOWN.contains(&&*tag.name);
        let has_more = self.has_more
            || !self.tags.iter().all(is_known)
            || (said.is_none() && own.iter().any(Option::is_some));
        let text = |name: &str| self.tag(name).map_or(String::new(), |tag| tag.value.clone());
        let (event, both) = (text("Event"), text("TimeControl"));
        let limits = [(&white, "WhiteTimeControl"), (&black, "BlackTimeControl")];
        let limits = limits.into_iter().map(|(player, name)| {
            (player.clone(), if both.is_empty() { text(name) } else { both.clone() })
        });
        let limits = limits.filter(|(_, limit)| !limit.is_empty()).collect();
        let (times, scores) = said.unwrap_or_default().into_iter().unzip();
        let neither = format!("neither {white} nor {black}");
        let record = GameRecord {
            pair: self.parsed("Pair")?,
            white,
            black,
            detail: self.tag("Detail").map(|tag| tag.value.clone()).unwrap_or(end),
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
        let is_silent = self.notes.iter().all(|note| *note == Annotation::default());
        let notes = if is_silent { Vec::new() } else { self.notes };
        Ok(Game { record, rules, event, limits, notes, has_more, line: begin })
    }

    /// The reason for the end of the game, if the tag or the rules tell, and what the tag says beyond
    /// it. Fanorona-Engine writes a sentence.
    fn reason(
        &self,
        start: Position,
        rules: Option<Ruleset>,
        result: GameResult,
        foreign: bool,
    ) -> Result<(Option<Reason>, String), FgnError> {
        let tag = self.tag("Termination").map(|tag| tag.value.as_str()).unwrap_or_default();
        if foreign && tag.parse::<Reason>().is_err() {
            let by_rules = self.by_rules(start, rules);
            let reason = by_rules.unwrap_or_else(|| foreign::reason(tag, result));
            return Ok((Some(reason), tag.to_owned()));
        }
        let reason = match self.parsed::<Reason>("Termination")? {
            Some(reason) => Some(reason),
            None if result == GameResult::Void => Some(Reason::Void),
            None => self.by_rules(start, rules),
        };
        Ok((reason, String::new()))
    }

    /// The start position, from the FEN tag or the start of the Variant tag, and whether the game is
    /// in the notation of Fanorona-Engine.
    fn start(&self) -> Result<(Position, bool), FgnError> {
        let mut foreign = self.foreign;
        let debtor = match self.tag("Vela") {
            None => None,
            Some(tag) => match (Side::from_letter(&tag.value), foreign::side(&tag.value)) {
                (Some(side), _) => Some(side),
                (None, Some(side)) => {
                    foreign = true;
                    Some(side)
                }
                (None, None) => {
                    let why = format!("`{}` is not a side: expected the debtor, w or b", tag.value);
                    return Err(wrong(tag, "Vela", why));
                }
            },
        };
        let variant = match self.tag("Variant") {
            Some(tag) if foreign::is_variant(&tag.value) => {
                foreign = true;
                foreign::variant(&tag.value).map_err(|why| wrong(tag, "Variant", why))?
            }
            _ => self.parsed::<Start>("Variant")?.unwrap_or(Start::TSIVY),
        };
        let Some(tag) = self.tag("FEN") else {
            let start = match debtor {
                None => variant.riatra(),
                // Fanorona-Engine writes a FEN if Black begins.
                Some(Side::White) => variant.vela(VelaStarter::Debtor),
                Some(Side::Black) => variant.vela(VelaStarter::Creditor),
            };
            return Ok((start, foreign));
        };
        let (start, dialect) =
            fen::read(&tag.value).map_err(|why| wrong(tag, "FEN", why.to_string()))?;
        if dialect != Dialect::Ugi {
            return Ok((start.with_debtor(debtor), true));
        }
        if debtor.is_some() && debtor != start.debtor() {
            let owes = |side: Option<Side>| {
                side.map_or("none", |s| if s == Side::White { "White" } else { "Black" })
            };
            let why = format!(
                "the debtor is {}, but the FEN tag says {}",
                owes(debtor),
                owes(start.debtor())
            );
            return Err(wrong(self.tag("Vela").expect("it was read"), "Vela", why));
        }
        Ok((start, foreign))
    }

    /// The rule that ended the game, if any.
    fn by_rules(&self, start: Position, rules: Option<Ruleset>) -> Option<Reason> {
        let mut game = rules::Game::new(rules.unwrap_or_default(), start);
        let mut over = referee::ending(&game);
        for mv in &self.moves {
            over = match referee::judge(&mut game, &BestMove::Move(*mv)) {
                Ruling::Continue => None,
                // The replay reports illegal moves.
                Ruling::Over(ending) => Some(ending),
            };
        }
        over.map(|ending| ending.reason)
    }
}

fn wrong(tag: &Tag, name: &'static str, why: String) -> FgnError {
    let found = tag.value.clone();
    FgnError { line: tag.line, problem: FgnProblem::Value { name, found, why } }
}

/// A word without the number before a move, and the judgement that follows it at once or is all of it:
/// `12.e2e3A??`, `!?`, `$4`.
fn bare(word: &str) -> (&str, Option<&'static str>) {
    let without_number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let word = match without_number.strip_prefix('.') {
        Some(mv) => mv.trim_start_matches('.'),
        // A move number separated from its move.
        None if without_number.is_empty() => "",
        None => word,
    };
    if let Some(number) = word.strip_prefix('$') {
        let place = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        return (
            "",
            Some(place.and_then(|place| SUFFIXES.get(place)).copied().unwrap_or_default()),
        );
    }
    let mv = word.trim_end_matches(['!', '?']);
    let judged = &word[mv.len()..];
    let known = SUFFIXES.into_iter().find(|suffix| *suffix == judged).unwrap_or_default();
    (mv, (!judged.is_empty()).then_some(known))
}

/// Parses a comment in our format: `31ms` or `31ms cp -20`.
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
