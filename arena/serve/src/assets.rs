//! The files that pages load, and the answers that need no server.

use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use fanorona_pages::{Answer, Puzzles};
use sha2::{Digest, Sha256};

use super::error::ApiError;

/// `GET /assets/NAME`. A browser asks again each time, and gets the file only if it has changed:
/// the next version of the program may listen at the same address.
pub(super) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(file) = fanorona_pages::asset(&name) else {
        return ApiError::missing(format!("there is no file {name}")).into_response();
    };
    let digest = Sha256::digest(file.text);
    let tag: String = digest[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let about = [
        (header::CONTENT_TYPE, file.kind.to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    match known {
        true => (StatusCode::NOT_MODIFIED, about).into_response(),
        false => (about, file.text).into_response(),
    }
}

/// An address whose answer follows from the question.
pub(super) async fn answer(uri: Uri, body: Bytes) -> Result<Response, ApiError> {
    let answer = fanorona_pages::answer(uri.path(), &body, Puzzles::own());
    let (kind, text) = match answer.ok_or_else(ApiError::nothing_here)?? {
        Answer::Json(text) => ("application/json", text),
        Answer::Text(text) => ("text/plain; charset=utf-8", text),
    };
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}
