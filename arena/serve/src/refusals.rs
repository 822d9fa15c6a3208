//! Refusals of the framework, in the form of all others: it answers a request whose body, query or address
//! cannot be read, or whose method an address does not take, before a handler sees it, in plain text.

use axum::body::{Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use super::error::ApiError;

/// The largest body of a request in bytes. A long game in FGN has some kilobytes.
pub(super) const MAX_BODY: usize = 2 << 20;

/// The most of a refusal's text that is read, in bytes.
const MAX_TEXT: usize = 64 << 10;

/// Puts a refusal of the framework into our form.
pub(super) async fn in_our_form(request: Request, next: Next) -> Response {
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let response = next.run(request).await;
    if !is_foreign(&response) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let text = to_bytes(body, MAX_TEXT).await.unwrap_or_default();
    let mut answer = refusal(parts.status, &text).answer(&method, &uri);
    for of_text in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
        parts.headers.remove(of_text);
    }
    answer.headers_mut().extend(parts.headers);
    answer
}

/// Whether a response is an error that is none of ours, which are JSON or a page.
fn is_foreign(response: &Response) -> bool {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_own = kind.is_some_and(|kind| {
        ["application/json", "text/html"].iter().any(|own| kind.starts_with(own))
    });
    (status.is_client_error() || status.is_server_error()) && !is_own
}

/// A refusal with the text of the framework, or what its status means.
fn refusal(status: StatusCode, text: &Bytes) -> ApiError {
    let text = String::from_utf8_lossy(text);
    let error = match text.trim() {
        "" => status.canonical_reason().unwrap_or("the request is refused"),
        text => text,
    };
    let refusal = ApiError::new(status, error);
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let most = format!("{} MiB", MAX_BODY >> 20);
            refusal.said_with("too-large", [("most", &most as _)])
        }
        _ => refusal,
    }
}
