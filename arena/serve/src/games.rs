//! The games of a tournament for the pages: the list, and single games.

use std::cmp::Ordering;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use fanorona_pages::game_files::{self, RecordView};
use serde::{Deserialize, Serialize};

use super::blocking::blocking;
use super::directory::Directory;
use super::error::ApiError;
use super::library::Library;
use super::view::{GameEntry, View};
use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::notation::fgn;
use fanorona_tournament::record::GameRecord;

/// The most games of one answer.
const MAX_GAMES: usize = 500;

/// The games that a page asks for.
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

/// The directory and the game of a request.
fn find(library: &Library, id: &str, game: &str) -> Result<(Arc<Directory>, GameRecord), ApiError> {
    let directory = library.directory(id)?;
    let found = directory.game(game).map_err(ApiError::failed)?;
    let why = || {
        let missing = ApiError::missing(format!("there is no finished game {game}"));
        missing.said_with("no-finished-game", [("game", &game as _)])
    };
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
        let about = fgn::FileTags::tournament(&*tournament.map_err(ApiError::failed)?);
        let headers = [
            (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
            (
                header::CONTENT_DISPOSITION,
                format!("attachment; filename=\"game-{}.fgn\"", record.id),
            ),
        ];
        Ok((headers, game_files::text(&record, &about)).into_response())
    })
    .await
}
