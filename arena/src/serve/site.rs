//! Everything that the server knows, and what each of its addresses needs of it.

use std::path::Path;
use std::sync::Arc;

use axum::extract::FromRef;

use super::access::Access;
use super::analysis::Analyses;
use super::engines::Engines;
use super::explorer::Explorer;
use super::library::Library;
use super::paths::{id_of, real_path};
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
    analyses: Arc<Analyses>,
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
            analyses: Arc::default(),
            streams: Streams::default(),
        }
    }

    /// Who may use it.
    pub(super) fn access(&self) -> Arc<Access> {
        self.access.clone()
    }

    /// The address to open in a browser.
    pub fn url(&self) -> String {
        self.access.url()
    }

    /// The address of a tournament's page.
    pub fn url_of(&self, dir: &Path) -> String {
        let id = id_of(&real_path(dir));
        let url = self.access.url();
        match url.split_once('?') {
            Some((base, token)) => format!("{base}t/{id}?{token}"),
            None => format!("{url}t/{id}"),
        }
    }

    /// Shows a tournament that begins in a directory, with its boards, until the returned value is
    /// dropped.
    pub fn begin(&self, dir: &Path, running: Running) -> Shown {
        self.watches.show(&self.results, dir, running)
    }
}
