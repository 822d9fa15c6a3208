//! The games of results directories for the opening explorer. A directory is indexed when a page
//! first asks for it, and again when it has more games.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::extract::State;
use fanorona_pages::explorer::{ExplorerRequest, ExplorerView, OpeningIndex, Source, explore};
use fanorona_tournament::mutex::lock;
use fanorona_tournament::record::{GameRecord, JournalError, Reader};

use super::blocking::blocking;
use super::directory::Directory;
use super::error::ApiError;
use super::library::Library;

/// The most games that are indexed of one directory, the latest ones.
const MAX_GAMES: usize = 100_000;

/// The games of results directories by position.
#[derive(Debug, Default)]
pub(super) struct Explorer {
    indices: Mutex<HashMap<PathBuf, Arc<OfDirectory>>>,
}

/// The index of one directory as read, with its version. It is held while its games are read.
type OfDirectory = Mutex<Option<(u64, Arc<OpeningIndex>)>>;

/// Reads the games of a directory.
fn read(directory: &Directory) -> Result<(u64, Arc<OpeningIndex>), ApiError> {
    let read = directory.read(|view| {
        let skipped = view.games.len().saturating_sub(MAX_GAMES);
        let offsets: Vec<u64> = view.games[skipped..].iter().map(|game| game.offset).collect();
        (view.version, view.tournament.rules, offsets)
    });
    let (version, rules, offsets) = read.map_err(ApiError::failed)?;
    let mut index = OpeningIndex::new(rules);
    for game in read_games(directory, offsets)? {
        index.add(&game?);
    }
    Ok((version, Arc::new(index)))
}

/// Games of a directory by their places in the journal.
pub(super) fn read_games(
    directory: &Directory,
    offsets: Vec<u64>,
) -> Result<impl Iterator<Item = Result<GameRecord, ApiError>>, ApiError> {
    let failed = |why: JournalError| ApiError::failed(why);
    let mut reader = Reader::open(directory.path()).map_err(|why| failed(why.into()))?;
    Ok(offsets.into_iter().map(move |offset| reader.game(offset).map_err(failed)))
}

impl Explorer {
    /// The index of a directory as it is now. Pages that ask at the same time wait for one reading.
    fn index(&self, directory: &Directory) -> Result<Arc<OpeningIndex>, ApiError> {
        let of_path = lock(&self.indices).entry(directory.path().to_owned()).or_default().clone();
        let mut known = lock(&of_path);
        let version = directory.version();
        match &*known {
            Some((of, index)) if *of == version => Ok(index.clone()),
            _ => Ok(known.insert(read(directory)?).1.clone()),
        }
    }
}

/// `POST /api/explorer`.
pub(super) async fn answer(
    State(library): State<Arc<Library>>,
    State(explorer): State<Arc<Explorer>>,
    Json(request): Json<ExplorerRequest>,
) -> Result<Json<ExplorerView>, ApiError> {
    blocking(move || {
        let directories = library.directories();
        let wanted = directories.iter().filter(|directory| request.wants(directory.id()));
        let known: Vec<_> = wanted
            .filter_map(|directory| {
                let index = explorer.index(directory).ok()?;
                let needed = request.needs_ratings();
                let ratings = if needed { directory.ratings() } else { BTreeMap::new() };
                Some((directory.id(), index, ratings))
            })
            .collect();
        let sources = known.iter().map(|(id, index, ratings)| Source { id, index, ratings });
        Ok(Json(explore(&request, sources)?))
    })
    .await
}
