//! The routes, and the loop that serves them.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use super::access::Access;
use super::blocking::blocking;
use super::connections::{self, PATIENCE};
use super::engines::Engines;
use super::error::{ApiError, PageError};
use super::library::Library;
use super::page_response::page_response;
use super::refusals::{self, MAX_BODY};
use super::site::Site;
use super::{access, assets, engines, explorer, form, fragments, games, runs, watch};
use fanorona_pages::body::{Host, PAGES};
use fanorona_pages::files::listed;
use fanorona_pages::shell;
use fanorona_report::html;
use fanorona_tournament::record::own_file;

/// The policy of an answer that is no page: it loads, sends and runs nothing.
const POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A report is a page of its own with its own policy. It runs apart from the server's pages: a
/// file in a results directory may have been changed by anybody.
const REPORT_POLICY: &str = "sandbox allow-scripts allow-downloads; frame-ancestors 'none'";

/// Opens a port. Port 0 takes any free one.
///
/// # Errors
/// Returns an error if the address cannot be used.
pub fn bind(address: SocketAddr) -> io::Result<(std::net::TcpListener, SocketAddr)> {
    let listener = std::net::TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Serves the pages until the future is dropped.
///
/// # Errors
/// Returns an error if the port cannot be used any more.
pub async fn serve(site: Site, listener: std::net::TcpListener) -> io::Result<()> {
    connections::serve(listener, router(site)).await
}

/// Every address of the server.
fn router(site: Site) -> Router {
    let pages = PAGES.into_iter().fold(Router::new(), |router, (name, title)| {
        let show = async move |State(access): Page| page(&access, name, title);
        router.route(&Host::Server { token: None }.address(name), get(show))
    });
    let pages = pages.route("/t/{id}", get(tournament)).route("/assets/{name}", get(assets::asset));
    let api = Router::new()
        .route("/api/alive", get(access::alive))
        .route("/api/library", get(all_results))
        .route("/api/config", post(form::config))
        .route("/api/run", post(runs::run))
        .route("/api/t/{id}", get(watch::summary))
        .route("/api/t/{id}/resume", post(runs::resume))
        .route("/api/t/{id}/live", get(watch::live))
        .route("/api/t/{id}/control", post(watch::control))
        .route("/api/t/{id}/section/{name}", get(fragments::fragment))
        .route("/api/t/{id}/games", get(games::list))
        .route("/api/t/{id}/games/{game}", get(games::record))
        .route("/api/t/{id}/games/{game}/fgn", get(games::fgn))
        .route("/api/explorer", post(explorer::answer))
        .route("/api/engines", get(engines::list))
        .route("/api/engine", post(engines::open))
        .route("/api/engine/{id}/lines", get(engines::lines).post(engines::send))
        .route("/api/engine/{id}/quit", post(engines::quit));
    let api = fanorona_pages::ADDRESSES
        .iter()
        .fold(api, |router, path| router.route(path, get(assets::answer).post(assets::answer)));
    let set = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    pages
        .merge(api)
        .route("/t/{id}/report", get(report))
        .fallback(|method: Method, uri: Uri| async move {
            ApiError::nothing_here().answer(&method, &uri)
        })
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(RequestBodyTimeoutLayer::new(PATIENCE))
        .layer(CatchPanicLayer::new())
        .layer(from_fn(refusals::in_our_form))
        .layer(from_fn_with_state(site.access(), access::guard))
        .layer(set(header::CONTENT_SECURITY_POLICY, POLICY))
        .layer(set(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(set(header::REFERRER_POLICY, "no-referrer"))
        .layer(set(header::CACHE_CONTROL, "no-store"))
        .layer(set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin"))
        .layer(set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin"))
        .with_state(site)
}

type Page = State<Arc<Access>>;

fn page(access: &Access, name: &str, title: &str) -> Response {
    let host = Host::Server { token: Some(access.token()) };
    page_response(shell::page(host, name, title, None, listed()))
}

/// `GET /t/ID`.
async fn tournament(
    State(access): State<Arc<Access>>,
    State(library): State<Arc<Library>>,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let page = blocking(move || {
        let directory = library.directory(&id)?;
        let title = directory.read(|view| view.tournament.title().to_owned());
        let title = title.unwrap_or_else(|_| directory.shown().to_owned());
        let host = Host::Server { token: Some(access.token()) };
        Ok(page_response(shell::page(host, "tournament", &title, Some(&id), listed())))
    });
    Ok(page.await?)
}

/// `GET /t/ID/report`: the report in the results directory.
async fn report(
    State(library): State<Arc<Library>>,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let report = blocking(move || {
        let directory = library.directory(&id)?;
        let path = directory.path().join(html::FILE);
        let report = own_file::read(&path).map_err(|why| {
            let what = format!("failed to read {}: {why}", html::FILE);
            ApiError::missing(what)
                .with_help(format!("write it: arena report {}", directory.shown()))
                .said_with("no-report", [("dir", &directory.shown() as _)])
        })?;
        Ok(([(header::CONTENT_SECURITY_POLICY, REPORT_POLICY)], Html(report)).into_response())
    });
    Ok(report.await?)
}

/// `GET /api/library`.
async fn all_results(
    State(library): State<Arc<Library>>,
    State(engines): State<Arc<Engines>>,
) -> Result<Response, ApiError> {
    blocking(move || {
        let engines = engines.names().map(str::to_owned).collect();
        Ok(axum::Json(library.view(engines)).into_response())
    })
    .await
}
