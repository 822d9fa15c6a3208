//! Errors as responses that say what went wrong and what to do: JSON for scripts, a page for those
//! who open an address.

use std::fmt::Display;

use axum::Json;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::page_response::page_response;
use fanorona_pages::body::{ERROR_TITLES, ErrorContent};
use fanorona_pages::{Refusal, RefusalCode, RefusalKind, shell};

/// Whether a request is for a page that a browser shows.
pub(super) fn is_page(method: &Method, uri: &Uri) -> bool {
    *method == Method::GET && !["/api/", "/assets/"].iter().any(|at| uri.path().starts_with(at))
}

/// A request that cannot be answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    error: String,
    help: Option<String>,
    said: Option<RefusalCode>,
}

impl ApiError {
    /// A request that is answered with a status.
    pub(super) fn new(status: StatusCode, error: impl ToString) -> ApiError {
        ApiError { status, error: error.to_string(), help: None, said: None }
    }

    /// The request is invalid.
    pub(super) fn invalid(error: impl ToString) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, error)
    }

    /// The request is not allowed.
    pub(super) fn forbidden(error: impl ToString) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, error)
    }

    /// The request names something that does not exist.
    pub(super) fn missing(error: impl ToString) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, error)
    }

    /// The address is that of nothing.
    pub(super) fn nothing_here() -> ApiError {
        ApiError::missing("there is nothing at this address").said("nothing-here")
    }

    /// The request contradicts the current state.
    pub(super) fn conflict(error: impl ToString) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, error)
    }

    /// The server has reached one of its bounds.
    pub(super) fn busy(error: impl ToString) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// The server failed.
    pub(super) fn failed(error: impl ToString) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }

    /// Returns the text of the error.
    pub(super) fn text(&self) -> &str {
        &self.error
    }

    /// The status in words.
    fn title(&self) -> (&'static str, &'static str) {
        let [missing, forbidden, failed] = ERROR_TITLES;
        match self.status {
            StatusCode::NOT_FOUND => missing,
            StatusCode::FORBIDDEN => forbidden,
            _ => failed,
        }
    }

    /// The response to a request: a page if one was asked for.
    pub(super) fn answer(self, method: &Method, uri: &Uri) -> Response {
        match is_page(method, uri) {
            true => PageError(self).into_response(),
            false => self.into_response(),
        }
    }

    /// Adds what the user can do.
    pub(super) fn with_help(self, help: impl ToString) -> ApiError {
        ApiError { help: Some(help.to_string()), ..self }
    }

    /// Adds what a page says in another language, which needs no values.
    pub(super) fn said(self, code: &'static str) -> ApiError {
        self.said_with(code, [])
    }

    /// The same with values.
    pub(super) fn said_with<'v>(
        self,
        code: &'static str,
        values: impl IntoIterator<Item = (&'static str, &'v dyn Display)>,
    ) -> ApiError {
        ApiError { said: Some(RefusalCode::new(code, values)), ..self }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        let status = match refusal.kind {
            RefusalKind::Invalid => StatusCode::BAD_REQUEST,
            RefusalKind::Missing => StatusCode::NOT_FOUND,
        };
        ApiError { status, error: refusal.error, help: refusal.help, said: refusal.said }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let ApiError { status, error, help, said } = self;
        (status, Json(json!({ "error": error, "help": help, "said": said }))).into_response()
    }
}

/// A page that cannot be shown.
pub(super) struct PageError(ApiError);

impl From<ApiError> for PageError {
    fn from(error: ApiError) -> PageError {
        PageError(error)
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let error = self.0;
        let page = shell::error_page(ErrorContent {
            title: error.title(),
            why: &error.error,
            help: error.help.as_deref(),
            said: error.said.as_ref(),
        });
        (error.status, page_response(page)).into_response()
    }
}
