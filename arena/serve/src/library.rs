//! The results directories that the server shows, and the configs that it may start.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::directory::{Directory, Overview};
use super::error::ApiError;
use super::paths::{id_of, real_path, shown};
use fanorona_tournament::config::owned_by_other;
use fanorona_tournament::mutex::lock;
use fanorona_tournament::record::Journal;
use fanorona_tournament::text::{input_file, safe_text};

/// The depth to which results directories are looked for below a given directory.
const MAX_DEPTH: usize = 4;

/// The most directories that a search looks into.
const MAX_VISITED: usize = 20_000;

/// The most results directories that are shown.
const MAX_DIRECTORIES: usize = 1000;

/// The shortest time between two searches.
const PAUSE: Duration = Duration::from_secs(2);

/// The directories given by the user, and what has been found below them.
#[derive(Debug)]
pub struct Library {
    roots: Mutex<Vec<PathBuf>>,
    /// The place where configs are looked for: this directory and `configs` in it.
    base: PathBuf,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    directories: HashMap<String, Arc<Directory>>,
    searched: Option<Instant>,
}

/// A config that a page may start.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ConfigView {
    id: String,
    name: String,
    path: String,
    /// Why it cannot be started.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

/// A directory that looks like results but cannot be read.
#[derive(Clone, Debug, Serialize)]
struct Unreadable {
    dir: String,
    why: String,
}

/// Everything that the first page shows.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LibraryView {
    tournaments: Vec<Overview>,
    configs: Vec<ConfigView>,
    engines: Vec<String>,
    unreadable: Vec<Unreadable>,
}

impl LibraryView {
    /// A list of tournaments without a server that could start any.
    pub(super) fn from_tournaments(tournaments: Vec<Overview>) -> LibraryView {
        let (configs, engines, unreadable) = (Vec::new(), Vec::new(), Vec::new());
        LibraryView { tournaments, configs, engines, unreadable }
    }
}

impl Library {
    /// A library of the results directories at and below these directories.
    pub fn new(roots: Vec<PathBuf>, base: PathBuf) -> Library {
        Library { roots: Mutex::new(roots), base, found: Mutex::default() }
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        lock(&self.found)
    }

    /// Searches for results directories, unless that was done a moment ago.
    fn search(&self) {
        let now = Instant::now();
        let mut found = self.found();
        if found.searched.is_some_and(|last| now.duration_since(last) < PAUSE) {
            return;
        }
        let (mut paths, mut visited) = (Vec::new(), 0);
        let roots = lock(&self.roots).clone();
        for root in &roots {
            walk(&real_path(root), MAX_DEPTH, &mut visited, &mut paths);
        }
        paths.truncate(MAX_DIRECTORIES);
        let before = std::mem::take(&mut found.directories);
        for path in paths {
            let id = id_of(&path);
            let known = before.get(&id).cloned();
            let directory =
                known.unwrap_or_else(|| Arc::new(Directory::new(id.clone(), path, &self.base)));
            found.directories.insert(id, directory);
        }
        found.searched = Some(now);
    }

    /// The results directory of an id.
    pub(super) fn directory(&self, id: &str) -> Result<Arc<Directory>, ApiError> {
        if let Some(found) = self.found().directories.get(id) {
            return Ok(found.clone());
        }
        self.search();
        let why = "there is no such results directory any more";
        let missing = || ApiError::missing(why).said("no-results");
        self.found().directories.get(id).cloned().ok_or_else(missing)
    }

    /// All results directories.
    pub(super) fn directories(&self) -> Vec<Arc<Directory>> {
        self.search();
        let mut all: Vec<_> = self.found().directories.values().cloned().collect();
        all.sort_by(|a, b| a.path().cmp(b.path()));
        all
    }

    /// Whether there is no results directory.
    pub fn is_empty(&self) -> bool {
        self.directories().is_empty()
    }

    /// Shows a directory as well, which may not exist yet.
    pub(super) fn add_root(&self, root: PathBuf) {
        lock(&self.roots).push(root);
        self.found().searched = None;
    }

    /// The configs that a page may start: those in the directory of the server and in `configs`.
    pub(super) fn configs(&self) -> Vec<ConfigView> {
        let files = [self.base.clone(), self.base.join("configs")];
        let files = files.iter().filter_map(|dir| fs::read_dir(dir).ok()).flatten();
        let mut paths: Vec<_> = files.filter_map(|entry| Some(entry.ok()?.path())).collect();
        // A pipe may never end.
        paths.retain(|path| path.extension().is_some_and(|end| end == "toml") && path.is_file());
        paths.sort();
        let is_config = |path: &Path| {
            // Other TOML files, like Cargo.toml, have no engines.
            let text = input_file::read_to_string(path).unwrap_or_default();
            text.contains("[[engine]]")
        };
        paths.retain(|path| is_config(path));
        let views = paths.iter().map(|path| ConfigView {
            id: id_of(path),
            name: safe_text::line(&path.file_stem().unwrap_or_default().to_string_lossy())
                .into_owned(),
            path: shown(path, &self.base),
            refused: foreign(path).map(|why| why.text().to_owned()),
        });
        views.collect()
    }

    /// The path of a config that a page may start.
    pub(super) fn config(&self, id: &str) -> Result<PathBuf, ApiError> {
        let found = self.configs().into_iter().find(|config| config.id == id);
        let missing = || ApiError::missing("there is no such config any more").said("no-config");
        let found = found.ok_or_else(missing)?;
        let path = self.base.join(found.path);
        foreign(&path).map_or(Ok(path), Err)
    }

    /// The directory in which the server was started.
    pub(super) fn base(&self) -> &Path {
        &self.base
    }

    /// Returns the contents of the first page.
    pub(super) fn view(&self, engines: Vec<String>) -> LibraryView {
        let (mut tournaments, mut unreadable) = (Vec::new(), Vec::new());
        for directory in self.directories() {
            match directory.overview() {
                Ok(overview) => tournaments.push(overview),
                Err(why) => unreadable.push(Unreadable {
                    dir: shown(directory.path(), &self.base),
                    why: why.to_string(),
                }),
            }
        }
        tournaments.sort_by(|a, b| b.modified().cmp(a.modified()));
        LibraryView { tournaments, configs: self.configs(), engines, unreadable }
    }
}

/// Why a page cannot start a config: one that belongs to another user may name any program.
pub(super) fn foreign(config: &Path) -> Option<ApiError> {
    let owner = owned_by_other(config)?;
    let why = format!("it belongs to another user (number {owner})");
    let help = "read it, and copy it if it is what you want to run";
    Some(ApiError::forbidden(why).with_help(help).said("other-user"))
}

/// Collects the results directories at and below a directory. A results directory has none below.
fn walk(dir: &Path, depth: usize, visited: &mut usize, found: &mut Vec<PathBuf>) {
    *visited += 1;
    if *visited > MAX_VISITED {
        return;
    }
    if Journal::path_in(dir).is_file() {
        found.push(dir.to_owned());
        return;
    }
    let Ok(entries) = fs::read_dir(dir) else { return };
    if depth == 0 {
        return;
    }
    let mut below: Vec<_> = entries
        .filter_map(|entry| entry.ok())
        // Links could lead round in a circle.
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .filter(|path| !is_skipped(path))
        .collect();
    below.sort();
    below.iter().for_each(|path| walk(path, depth - 1, visited, found));
}

/// Whether a directory never holds results: hidden ones, and those that build tools fill.
fn is_skipped(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || ["target", "node_modules"].contains(&&*name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::record::{Header, Lock};

    #[test]
    fn results_are_found_below_the_roots() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["results/a", "results/b/c", ".hidden/d", "target/e", "1/2/3/4/5"] {
            let path = dir.path().join(name);
            fs::create_dir_all(&path).unwrap();
            Journal::create(Lock::take(&path).unwrap(), &Header::new("x", "y")).unwrap();
        }
        let (mut found, mut visited) = (Vec::new(), 0);
        walk(dir.path(), MAX_DEPTH, &mut visited, &mut found);
        let names: Vec<_> = found.iter().map(|path| shown(path, dir.path())).collect();
        assert_eq!(names, ["results/a", "results/b/c"]);
    }

    #[test]
    fn only_configs_with_engines_can_be_started() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("configs")).unwrap();
        fs::write(dir.path().join("Cargo.toml"), "[package]\n").unwrap();
        fs::write(dir.path().join("configs/quick.toml"), "[[engine]]\n").unwrap();
        let library = Library::new(Vec::new(), dir.path().to_owned());
        let configs = library.configs();
        assert_eq!(configs.len(), 1);
        assert_eq!((&*configs[0].name, &*configs[0].path), ("quick", "configs/quick.toml"));
        assert_eq!(library.config(&configs[0].id).unwrap(), dir.path().join("configs/quick.toml"));
        library.config("../../etc/passwd").unwrap_err();
    }
}
