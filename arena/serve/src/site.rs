//! Everything that the server knows, and what each of its addresses needs of it.

use std::io;
use std::path::Path;
use std::sync::Arc;

use axum::extract::FromRef;

use super::access::Access;
use super::engines::Engines;
use super::explorer::Explorer;
use super::library::Library;
use super::paths::{id_of, real_path};
use super::runs::Runs;
use super::stream::Streams;
use super::watch::{Running, Shown, Watches};

/// Everything that the server knows.
#[derive(Clone, FromRef)]
pub struct Site {
    access: Arc<Access>,
    results: Arc<Library>,
    engines: Arc<Engines>,
    watches: Arc<Watches>,
    explorer: Arc<Explorer>,
    runs: Runs,
    streams: Streams,
}

impl Site {
    /// A site that shows a library, and whose pages may start engines.
    pub fn new(access: Access, library: Library, engines: Engines) -> Site {
        Site {
            access: Arc::new(access),
            results: Arc::new(library),
            engines: Arc::new(engines),
            watches: Arc::default(),
            explorer: Arc::default(),
            runs: Runs::default(),
            streams: Streams::default(),
        }
    }

    /// Returns the access to it.
    pub(super) fn access(&self) -> Arc<Access> {
        self.access.clone()
    }

    /// The address of the first page, with the token.
    pub fn url(&self) -> String {
        self.access.url("/")
    }

    /// The address of a tournament's page, with the token.
    pub fn url_of(&self, dir: &Path) -> String {
        self.access.url(&path_of(dir))
    }

    /// The address of the first page, or of a tournament's, for a browser that is started with it.
    /// It can be used once.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub fn opening(&self, dir: Option<&Path>) -> io::Result<String> {
        self.access.opening(&dir.map_or("/".to_owned(), path_of))
    }

    /// Shows a tournament that begins in a directory, with its boards, until the returned value is
    /// dropped.
    pub fn begin(&self, dir: &Path, running: Running) -> Shown {
        self.watches.show(&self.results, dir, running)
    }
}

/// The path of a tournament's page.
fn path_of(dir: &Path) -> String {
    format!("/t/{}", id_of(&real_path(dir)))
}
