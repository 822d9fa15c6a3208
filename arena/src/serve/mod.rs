//! `arena serve`: a local web server that shows tournaments, live and finished, and on whose pages
//! people play, analyse and study.
//!
//! The journal stays the only source of truth: pages of a running tournament read what is on disk,
//! and only the boards of games in progress come from memory. The server runs on a thread of its
//! own, so that it never delays the clocks of games. Pages get JSON and events; their scripts decide
//! nothing about the rules.

mod access;
mod assets;
mod directory;
mod engines;
mod error;
mod explorer;
mod feed;
mod games;
mod library;
mod outbox;
mod positions;
mod runs;
mod server;
mod shell;
mod skill;
mod stream;
mod summary;
mod watch;

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use error::ApiError;
use explorer::Explorer;
use stream::Streams;
use watch::Watches;

pub use access::Access;
pub use engines::Engines;
pub use feed::{BoardEvent, Watcher};
pub use library::Library;
pub use runs::board_line;
pub use server::{bind, serve};
pub use watch::{Control, Running};

/// Everything that the server knows.
pub struct Site {
    access: Arc<Access>,
    library: RwLock<Library>,
    engines: Arc<Engines>,
    watches: Watches,
    streams: Streams,
    explorer: Explorer,
}

impl Site {
    /// A site that shows a library, and whose pages may start engines.
    pub fn new(access: Access, library: Library, engines: Engines) -> Arc<Site> {
        Arc::new(Site {
            access: Arc::new(access),
            library: RwLock::new(library),
            engines: Arc::new(engines),
            watches: Watches::default(),
            streams: Streams::default(),
            explorer: Explorer::default(),
        })
    }

    /// The address to open in a browser.
    pub fn url(&self) -> String {
        self.access.url()
    }

    /// The address of a tournament's page.
    pub fn url_of(&self, dir: &Path) -> String {
        let id = library::id_of(&library::real_path(dir));
        let url = self.access.url();
        match url.split_once('?') {
            Some((base, token)) => format!("{base}t/{id}?{token}"),
            None => format!("{url}t/{id}"),
        }
    }

    fn library(&self) -> RwLockReadGuard<'_, Library> {
        self.library.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// A tournament begins in a directory; its boards can be watched until the returned value is
    /// dropped.
    pub fn begin(self: &Arc<Site>, dir: &Path, running: Running) -> Shown {
        let dir = library::real_path(dir);
        let id = library::id_of(&dir);
        self.library.write().unwrap_or_else(PoisonError::into_inner).add_root(dir);
        self.watches.begin(&id, running);
        Shown { site: self.clone(), id }
    }

    /// Does something that reads files or computes, away from the thread that serves pages.
    async fn blocking<T: Send + 'static>(
        self: &Arc<Site>,
        work: impl FnOnce(&Arc<Site>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let site = self.clone();
        let done = tokio::task::spawn_blocking(move || work(&site)).await;
        done.unwrap_or_else(|why| Err(ApiError::failed(format!("the server failed: {why}"))))
    }
}

/// A tournament whose boards can be watched.
pub struct Shown {
    site: Arc<Site>,
    id: String,
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.site.watches.end(&self.id);
    }
}
