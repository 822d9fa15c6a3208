//! Games as FGN: read for the pages, and written by them.

use fanorona_protocol::rules::{Move, Position, Ruleset};
use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::search_note::SearchNote;
use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::notation::fgn;
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

/// A game as FGN.
pub fn text(game: &GameRecord, about: &fgn::About) -> String {
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
        ..GameRecord::new(id, &start, result, reason)
    }
    .made_safe();
    let about = fgn::About { event: request.event, rules, ..fgn::About::default() };
    Ok(text(&record, &about))
}

/// A text with games.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ReadRequest {
    text: String,
}

/// The games of a file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ReadView {
    games: Vec<RecordView>,
}

/// `/api/fgn/read`.
pub(crate) fn read(request: &ReadRequest) -> Result<ReadView, Refusal> {
    let mut games = Vec::new();
    for game in fgn::Reader::new(request.text.as_bytes()).take(MAX_GAMES) {
        let game = game.map_err(Refusal::invalid)?;
        let rules = game.rules.unwrap_or_default();
        games.push(RecordView::new(&game.record.made_safe(), &rules));
    }
    if games.is_empty() {
        let why = "the text contains no game";
        return Err(Refusal::invalid(why).with_help("paste a game in FGN, or choose a file"));
    }
    Ok(ReadView { games })
}
