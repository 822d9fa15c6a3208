//! Games as FGN: read for the pages, and written by them.

use fanorona_protocol::rules::{Move, Position, Ruleset};
use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::search_note::SearchNote;
use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::notation::fgn::{self, AnnotatedMove, Annotation};
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::text::short_score::{long_score, short_score};
use serde::{Deserialize, Serialize};

use super::positions::{Replayed, rules_of};
use super::refusal::Refusal;

/// The most games of one text.
const MAX_GAMES: usize = 500;

/// A recorded game for the pages.
#[derive(Clone, Debug, Serialize)]
pub struct RecordView {
    id: String,
    kind: Kind,
    opening: Option<&'static str>,
    start: String,
    rules: String,
    white: String,
    black: String,
    result: String,
    reason: String,
    offender: Option<char>,
    book: u32,
    single: usize,
    moves: Vec<String>,
    scores: Vec<String>,
    times: Vec<u64>,
    info: Vec<SearchNote>,
    detail: String,
    transcript: Vec<String>,
}

impl RecordView {
    /// Describes a recorded game that was played by these rules.
    pub fn new(game: &GameRecord, rules: &Ruleset) -> RecordView {
        RecordView {
            id: game.id.to_string(),
            kind: game.kind,
            opening: game.opening().map(|opening| opening.name()),
            start: game.start.clone(),
            rules: rules.to_string(),
            white: game.white.clone(),
            black: game.black.clone(),
            result: game.result.to_string(),
            reason: game.reason.to_string(),
            offender: game.offender,
            book: game.book,
            single: game.first_phase(rules),
            moves: game.moves.split_ascii_whitespace().map(str::to_owned).collect(),
            scores: game.scores.iter().map(|score| short_score(score)).collect(),
            times: game.times.clone(),
            info: game.searches.clone(),
            detail: game.detail.clone(),
            transcript: game.transcript.clone(),
        }
    }
}

/// The annotation of a move: a glyph like `!?`, a comment, and other moves in its place.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct NoteView {
    glyph: String,
    comment: String,
    variations: Vec<Vec<NotedView>>,
}

/// A move of a variation with what is said about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct NotedView {
    mv: String,
    #[serde(flatten)]
    note: NoteView,
}

impl NoteView {
    /// Reads a file's annotation of the next move of a game. A variation counts as far as it is
    /// legal.
    fn new(note: &Annotation, before: Position, rules: &Ruleset) -> NoteView {
        let line = |line: &Vec<AnnotatedMove>| {
            let mut now = before;
            let legal = line.iter().map_while(|AnnotatedMove { mv, note }| {
                let at = now;
                now = now.play(rules, mv).ok()?;
                Some(NotedView { mv: mv.to_string(), note: NoteView::new(note, at, rules) })
            });
            legal.collect::<Vec<_>>()
        };
        let variations = note.variations.iter().map(line).filter(|line| !line.is_empty());
        NoteView {
            glyph: note.suffix.to_owned(),
            comment: note.comment.clone(),
            variations: variations.collect(),
        }
    }

    /// The same for a file; an illegal move in it would make the file unreadable.
    fn annotation(&self, before: Position, rules: &Ruleset) -> Result<Annotation, Refusal> {
        let glyph = fgn::SUFFIXES.into_iter().find(|suffix| *suffix == self.glyph);
        let suffix = match glyph {
            Some(suffix) => suffix,
            None if self.glyph.is_empty() => "",
            None => return Err(Refusal::invalid(format!("`{}` is not a glyph", self.glyph))),
        };
        let line = |line: &Vec<NotedView>| {
            let mut now = before;
            let noted = line.iter().map(|NotedView { mv, note }| {
                let at = now;
                let why = |why: &dyn std::fmt::Display| Refusal::invalid(format!("`{mv}`: {why}"));
                let mv: Move = mv.parse().map_err(|it| why(&it))?;
                now = now.play(rules, &mv).map_err(|it| why(&it))?;
                Ok(AnnotatedMove { mv, note: note.annotation(at, rules)? })
            });
            noted.collect::<Result<Vec<_>, Refusal>>()
        };
        let variations = self.variations.iter().map(line).collect::<Result<_, _>>()?;
        Ok(Annotation { suffix, comment: self.comment.clone(), variations })
    }
}

/// The positions in which the moves of a game were played.
fn positions(start: Position, rules: &Ruleset, moves: &[Move]) -> Vec<Position> {
    let mut now = start;
    let before = moves.iter().map_while(|mv| {
        let at = now;
        now = now.play(rules, mv).ok()?;
        Some(at)
    });
    before.collect()
}

/// A game as FGN.
pub fn text(game: &GameRecord, about: &fgn::FileTags) -> String {
    let mut text = Vec::new();
    fgn::write_game(&mut text, game, about).expect("memory takes every byte");
    String::from_utf8(text).expect("FGN is text")
}

/// A game as a page sends it, to be written as a file.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct WriteRequest {
    white: String,
    black: String,
    #[serde(default = "unfinished")]
    result: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    rules: String,
    start: String,
    moves: Vec<String>,
    #[serde(default)]
    scores: Vec<String>,
    #[serde(default)]
    times: Vec<u64>,
    #[serde(default)]
    event: String,
    /// The number of moves that belong to the opening.
    #[serde(default)]
    book: u32,
    /// The annotation of each move; moves beyond these have none.
    #[serde(default)]
    notes: Vec<NoteView>,
}

fn unfinished() -> String {
    "*".to_owned()
}

/// `/api/fgn/write`.
pub(crate) fn write(request: WriteRequest) -> Result<String, Refusal> {
    let rules = rules_of(&request.rules)?;
    let start: Position = request.start.parse().map_err(Refusal::invalid)?;
    // An illegal move in a file would make it unreadable.
    Replayed::new(start, rules, &request.moves)?;
    let result: GameResult = request.result.parse().map_err(Refusal::invalid)?;
    let reason = match &*request.reason {
        "" => Reason::Void,
        word => word.parse().map_err(Refusal::invalid)?,
    };
    let id = "1".parse().expect("1 is the number of a game");
    let moves: Vec<Move> = request.moves.iter().filter_map(|mv| mv.parse().ok()).collect();
    let record = GameRecord {
        white: request.white,
        black: request.black,
        moves: moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        scores: request.scores.iter().map(|score| long_score(score)).collect(),
        times: request.times,
        book: request.book.min(moves.len() as u32),
        ..GameRecord::new(id, &start, result, reason)
    }
    .made_safe();
    let about = fgn::FileTags { event: request.event, rules, ..fgn::FileTags::default() };
    let noted = request.notes.iter().zip(positions(start, &rules, &moves));
    let noted = noted.map(|(note, before)| note.annotation(before, &rules));
    let moves = noted.collect::<Result<_, _>>()?;
    let mut text = Vec::new();
    let annotations = fgn::Annotations { moves, ..fgn::Annotations::default() };
    fgn::write_annotated(&mut text, &record, &about, &annotations)
        .expect("memory takes every byte");
    Ok(String::from_utf8(text).expect("FGN is text"))
}

/// A text with games.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ReadRequest {
    text: String,
}

/// The games of a file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ReadView {
    games: Vec<NotedGame>,
}

/// A game with what its file says about each move; nothing if it says nothing.
#[derive(Clone, Debug, Serialize)]
struct NotedGame {
    #[serde(flatten)]
    record: RecordView,
    notes: Vec<NoteView>,
}

/// `/api/fgn/read`.
pub(crate) fn read(request: &ReadRequest) -> Result<ReadView, Refusal> {
    let mut games = Vec::new();
    for game in fgn::Reader::new(request.text.as_bytes()).take(MAX_GAMES) {
        let game = game.map_err(|why| Refusal::from_games(&why))?;
        let rules = game.rules.unwrap_or_default();
        let record = game.record.made_safe();
        let start = record.start.parse().map_err(Refusal::invalid)?;
        let moves: Vec<Move> =
            record.moves.split_ascii_whitespace().filter_map(|mv| mv.parse().ok()).collect();
        let noted = game.notes.iter().zip(positions(start, &rules, &moves));
        let notes = noted.map(|(note, before)| NoteView::new(note, before, &rules)).collect();
        games.push(NotedGame { record: RecordView::new(&record, &rules), notes });
    }
    if games.is_empty() {
        let why = "the text contains no game";
        return Err(Refusal::invalid(why)
            .with_help("paste a game in FGN, or choose a file")
            .said("no-game", []));
    }
    Ok(ReadView { games })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const START: &str = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1";

    fn written(notes: Value) -> Result<String, Refusal> {
        let request = json!({
            "white": "a", "black": "b", "start": START, "moves": ["e2e3A"], "notes": notes,
        });
        write(serde_json::from_value(request).unwrap())
    }

    #[test]
    fn notes_are_written_and_read_again() {
        let variation = json!([{ "mv": "d2e3A", "glyph": "!?", "comment": "", "variations": [] }]);
        let notes =
            json!([{ "glyph": "??", "comment": "a note", "variations": [variation.clone()] }]);
        let text = written(notes.clone()).unwrap();
        assert!(text.contains("1. e2e3A?? {a note} (1. d2e3A!?) *"), "{text}");
        let seen =
            serde_json::to_value(read(&ReadRequest { text: text.clone() }).unwrap()).unwrap();
        assert_eq!(
            (&seen["games"][0]["notes"], &seen["games"][0]["moves"]),
            (&notes, &json!(["e2e3A"]))
        );
        // What is not legal there is left out when it is read, and refused when it is written.
        let odd = text.replace("d2e3A!?", "d2e3A!? d2e3A");
        let seen = serde_json::to_value(read(&ReadRequest { text: odd }).unwrap()).unwrap();
        assert_eq!(seen["games"][0]["notes"][0]["variations"], json!([variation]));
        let wrong = json!([{ "variations": [[{ "mv": "a1a2" }]] }]);
        assert!(written(wrong).unwrap_err().error.starts_with("`a1a2`: "));
        assert!(written(json!([{ "glyph": "=" }])).is_err());
    }
}
