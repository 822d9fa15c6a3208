//! The games of a tournament for the pages: the list, and single games.

use std::cmp::Ordering;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use fanorona_protocol::rules::{Move, Position, Ruleset};
use serde::{Deserialize, Serialize};

use super::blocking::blocking;
use super::directory::Directory;
use super::error::ApiError;
use super::library::Library;
use super::view::{GameEntry, View};
use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::search_note::SearchNote;
use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::notation::fgn;
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::text::short_score::{long_score, short_score};

/// The most games of one answer.
const MAX_GAMES: usize = 500;

/// Which games a page asks for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ListRequest {
    offset: usize,
    limit: Option<usize>,
    engine: String,
    opponent: String,
    result: String,
    kind: String,
    reason: String,
    sort: String,
    desc: String,
}

/// Games of a tournament.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ListView {
    total: usize,
    games: Vec<RowView>,
    reasons: Vec<String>,
}

/// A row of the list.
#[derive(Clone, Debug, Serialize)]
struct RowView {
    id: String,
    kind: Kind,
    opening: Option<&'static str>,
    white: String,
    black: String,
    result: String,
    reason: String,
    plies: u32,
}

impl ListRequest {
    /// Whether a game is asked for.
    fn takes(&self, view: &View<'_>, game: &GameEntry) -> bool {
        let [white, black] = [game.white, game.black].map(|place| &*view.engines[place as usize]);
        let is_player = |name: &str| name.is_empty() || [white, black].contains(&name);
        let won = |name: &str| match game.result {
            GameResult::Won(side) => Some([white, black][side as usize] == name),
            _ => None,
        };
        let result = match &*self.result {
            "won" => won(&self.engine) == Some(true),
            "lost" => won(&self.engine) == Some(false),
            word => word.is_empty() || game.result.to_string() == word,
        };
        result
            && is_player(&self.engine)
            && is_player(&self.opponent)
            && (self.kind.is_empty() || game.kind.to_string() == self.kind)
            && (self.reason.is_empty() || game.reason.to_string() == self.reason)
    }

    /// The order of two games.
    fn order(&self, view: &View<'_>, a: &GameEntry, b: &GameEntry) -> Ordering {
        let name = |place: u32| &*view.engines[place as usize];
        let by = match &*self.sort {
            "plies" => a.plies.cmp(&b.plies),
            "white" => name(a.white).cmp(name(b.white)),
            "black" => name(a.black).cmp(name(b.black)),
            "result" => a.result.to_string().cmp(&b.result.to_string()),
            "reason" => a.reason.to_string().cmp(&b.reason.to_string()),
            "kind" => a.kind.cmp(&b.kind),
            "opening" => a.opening.cmp(&b.opening),
            _ => Ordering::Equal,
        };
        let by = by.then_with(|| a.id.cmp(&b.id));
        if self.desc == "1" { by.reverse() } else { by }
    }

    fn answer(&self, view: &View<'_>) -> ListView {
        let mut taken: Vec<&GameEntry> =
            view.games.iter().filter(|game| self.takes(view, game)).collect();
        taken.sort_by(|a, b| self.order(view, a, b));
        let mut reasons: Vec<_> = view.games.iter().map(|game| game.reason).collect();
        reasons.sort_by_key(ToString::to_string);
        reasons.dedup();
        let limit = self.limit.unwrap_or(100).min(MAX_GAMES);
        ListView {
            total: taken.len(),
            games: taken
                .iter()
                .skip(self.offset)
                .take(limit)
                .map(|game| RowView {
                    id: game.id.to_string(),
                    kind: game.kind,
                    opening: game.opening,
                    white: view.engines[game.white as usize].clone(),
                    black: view.engines[game.black as usize].clone(),
                    result: game.result.to_string(),
                    reason: game.reason.to_string(),
                    plies: game.plies,
                })
                .collect(),
            reasons: reasons.iter().map(ToString::to_string).collect(),
        }
    }
}

/// `GET /api/t/ID/games`.
pub(super) async fn list(
    State(library): State<Arc<Library>>,
    Path(id): Path<String>,
    Query(request): Query<ListRequest>,
) -> Result<Json<ListView>, ApiError> {
    blocking(move || {
        let directory = library.directory(&id)?;
        directory.read(|view| Json(request.answer(view))).map_err(ApiError::failed)
    })
    .await
}

/// A recorded game for the pages.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RecordView {
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
    pub(super) fn new(game: &GameRecord, rules: &Ruleset) -> RecordView {
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

/// The directory and the game of a request.
fn find(library: &Library, id: &str, game: &str) -> Result<(Arc<Directory>, GameRecord), ApiError> {
    let directory = library.directory(id)?;
    let found = directory.game(game).map_err(ApiError::failed)?;
    let why = || ApiError::missing(format!("there is no finished game {game}"));
    Ok((directory, found.ok_or_else(why)?))
}

/// `GET /api/t/ID/games/GAME`.
pub(super) async fn record(
    State(library): State<Arc<Library>>,
    Path((id, game)): Path<(String, String)>,
) -> Result<Json<RecordView>, ApiError> {
    blocking(move || {
        let (directory, record) = find(&library, &id, &game)?;
        let rules = directory.read(|view| view.tournament.rules).map_err(ApiError::failed)?;
        Ok(Json(RecordView::new(&record, &rules)))
    })
    .await
}

/// `GET /api/t/ID/games/GAME/fgn`: the game as a file.
pub(super) async fn fgn(
    State(library): State<Arc<Library>>,
    Path((id, game)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    blocking(move || {
        let (directory, record) = find(&library, &id, &game)?;
        let tournament = directory.read(|view| view.tournament.clone());
        let about = fgn::About::tournament(&*tournament.map_err(ApiError::failed)?);
        Ok(fgn_file(&record, &about, &format!("game-{}.fgn", record.id)))
    })
    .await
}

/// A response that a browser saves as a file.
pub(super) fn fgn_file(game: &GameRecord, about: &fgn::About, name: &str) -> Response {
    let mut text = Vec::new();
    fgn::write_game(&mut text, game, about).expect("memory takes every byte");
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, text).into_response()
}

/// A game as a page sends it, to be written as a file.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct WriteRequest {
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

/// `POST /api/fgn/write`.
pub(super) async fn write(Json(request): Json<WriteRequest>) -> Result<Response, ApiError> {
    let rules = super::positions::rules_of(&request.rules)?;
    let start: Position = request.start.parse().map_err(ApiError::invalid)?;
    // An illegal move in a file would make it unreadable.
    super::positions::Replayed::new(start, rules, &request.moves)?;
    let result: GameResult = request.result.parse().map_err(ApiError::invalid)?;
    let reason = match &*request.reason {
        "" => fanorona_tournament::game::termination::Reason::Void,
        word => word.parse().map_err(ApiError::invalid)?,
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
    Ok(fgn_file(&record, &about, "game.fgn"))
}

/// The body of `POST /api/fgn/read`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ReadRequest {
    text: String,
}

/// The games of a file.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ReadView {
    games: Vec<RecordView>,
}

/// `POST /api/fgn/read`.
pub(super) async fn read(Json(request): Json<ReadRequest>) -> Result<Json<ReadView>, ApiError> {
    let mut games = Vec::new();
    for game in fgn::Reader::new(request.text.as_bytes()).take(MAX_GAMES) {
        let game = game.map_err(ApiError::invalid)?;
        let rules = game.rules.unwrap_or_default();
        games.push(RecordView::new(&game.record.made_safe(), &rules));
    }
    if games.is_empty() {
        let why = "the text contains no game";
        return Err(ApiError::invalid(why).with_help("paste a game in FGN, or choose a file"));
    }
    Ok(Json(ReadView { games }))
}
