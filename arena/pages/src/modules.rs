//! The modules of which the scripts of the pages are made.

use fanorona_report::html;
use include_dir::{Dir, include_dir};

use super::messages;

/// The modules that only the pages use.
pub(crate) static MODULES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/script");

/// The text of a module of the pages.
pub(crate) fn module(name: &str) -> Option<&'static str> {
    // Of the texts a report has a part.
    let own = messages::own(name).or_else(|| MODULES.get_file(name)?.contents_utf8());
    own.or_else(|| html::module(name))
}

/// A worker runs a script of its own.
pub(crate) const WORKER: &str = include_str!("engine_worker.js");
