//! A page as a response.

use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use fanorona_pages::shell::Page;

/// A page with its policy.
pub(super) fn page_response(page: Page) -> Response {
    ([(header::CONTENT_SECURITY_POLICY, page.policy)], Html(page.html)).into_response()
}
