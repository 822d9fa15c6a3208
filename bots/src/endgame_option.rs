//! The option `EndgameTables`: the endgame tables that an engine uses.
//!
//! By default every engine has the small tables, which it builds in memory: they are the same on
//! every machine, need no setup and write no files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

#[cfg(feature = "native")]
use fanorona_endgames::{FileError, MAX_STONES};
use fanorona_endgames::{Tables, build_in_memory, value_in_game};
use fanorona_protocol::messages::{OptionSpec, Value};
use fanorona_protocol::rules::{BoardSize, Game, Position, Side};

use crate::bot::OptionError;
use crate::budget::Budget;
#[cfg(not(feature = "native"))]
use crate::host_tables;
use crate::platform;

/// The option's name.
pub(crate) const NAME: &str = "EndgameTables";

/// The value that turns tables off.
const NONE: &str = "none";

/// The number of stones in the small tables. They take a tenth of a second to build, and half a
/// megabyte of memory.
pub const SMALL: usize = 4;

/// Positions with more stones are searched without the small tables, so that a short game does not
/// build tables that it hardly ever uses.
const NEAR: u32 = 20;

/// The tables selected by the option.
#[derive(Clone, Default)]
pub(crate) struct EndgameOption {
    chosen: TableChoice,
}

#[derive(Clone, Default)]
enum TableChoice {
    /// The small tables.
    #[default]
    Small,
    None,
    /// The tables of a directory, by board.
    Directory(BTreeMap<BoardSize, Arc<Tables>>),
}

/// The reason why a directory cannot be used.
#[derive(Debug, thiserror::Error)]
enum EndgameOptionError {
    #[cfg(feature = "native")]
    #[error("{}: directory not found: name a directory filled by `endgames build`", .0.display())]
    Missing(PathBuf),
    #[cfg(feature = "native")]
    #[error("{}: no endgame tables here: build them with `endgames build --out DIR`", .0.display())]
    Empty(PathBuf),
    #[cfg(feature = "native")]
    #[error(transparent)]
    File(#[from] FileError),
    #[cfg(not(feature = "native"))]
    #[error("{}: this build cannot read files: leave the option empty or set `none`", .0.display())]
    NoFiles(PathBuf),
}

impl EndgameOption {
    /// The declaration of the option.
    pub(crate) fn option() -> OptionSpec {
        OptionSpec::string(NAME, "")
    }

    /// Sets the option's value: a directory, `none`, or the empty string for the small tables.
    ///
    /// # Errors
    /// Fails when the directory has no tables, or when a table cannot be used. Nothing changes
    /// then.
    pub(crate) fn set(&mut self, value: &str) -> Result<(), OptionError> {
        self.chosen = match value {
            "" => TableChoice::Small,
            NONE => TableChoice::None,
            dir => {
                let failed =
                    |why: EndgameOptionError| OptionError { name: NAME.into(), why: why.into() };
                TableChoice::Directory(open(Path::new(dir)).map_err(failed)?)
            }
        };
        Ok(())
    }

    /// The tables for a search of a position within a budget. A search without a clock builds the
    /// small tables when it needs them first, and waits for that. A search with a clock that may need
    /// them has them built beside it, and runs without tables until they are ready. So every
    /// reproducible search finds the same tables.
    pub(crate) fn for_search(&self, position: &Position, budget: &Budget) -> Option<SearchTables> {
        let board = position.board().size();
        if let Some(tables) = self.tables_of_host(position) {
            return Some(SearchTables::Ready(tables));
        }
        match &self.chosen {
            TableChoice::None => None,
            TableChoice::Directory(boards) => boards.get(&board).cloned().map(SearchTables::Ready),
            TableChoice::Small if stones(position) > NEAR => None,
            TableChoice::Small if budget.is_timed() => {
                small_if_ready(board).map(SearchTables::Ready)
            }
            TableChoice::Small => Some(SearchTables::Small(board)),
        }
    }

    /// The tables that the host has handed over, in place of the small ones.
    #[cfg(not(feature = "native"))]
    fn tables_of_host(&self, position: &Position) -> Option<Arc<Tables>> {
        let may_matter = matches!(self.chosen, TableChoice::Small) && stones(position) <= NEAR;
        may_matter.then(|| host_tables::tables(position.board().size())).flatten()
    }

    /// None: this build reads files itself.
    #[cfg(feature = "native")]
    fn tables_of_host(&self, _: &Position) -> Option<Arc<Tables>> {
        None
    }

    /// Builds the small tables of the usual board, where nothing can build them beside a search: before
    /// a game no clock runs.
    #[cfg(not(feature = "native"))]
    pub(crate) fn new_game(&self) {
        if matches!(self.chosen, TableChoice::Small) {
            small(BoardSize::TSIVY);
        }
    }

    /// The exact value of a game's position for the side to move, if the tables know it.
    pub(crate) fn value(&self, game: &Game) -> Option<Value> {
        let position = game.position();
        let board = position.board().size();
        let chosen = || match &self.chosen {
            TableChoice::None => None,
            TableChoice::Directory(boards) => boards.get(&board).cloned(),
            TableChoice::Small if stones(position) > SMALL as u32 => None,
            TableChoice::Small => small(board),
        };
        let tables = self.tables_of_host(position).or_else(chosen);
        // The values in a damaged table are unknown.
        value_in_game(&*tables?, game).ok().flatten()
    }
}

/// The tables of one search.
#[derive(Clone)]
pub(crate) enum SearchTables {
    Ready(Arc<Tables>),
    /// The small tables of a board. Few searches reach a position that they cover.
    Small(BoardSize),
}

impl SearchTables {
    /// The largest number of stones in them.
    pub(crate) fn stones(&self) -> u32 {
        match self {
            SearchTables::Ready(tables) => tables.stones() as u32,
            SearchTables::Small(_) => SMALL as u32,
        }
    }

    /// The tables themselves, built if necessary.
    pub(crate) fn get(&self) -> Option<Arc<Tables>> {
        match self {
            SearchTables::Ready(tables) => Some(tables.clone()),
            SearchTables::Small(board) => small(*board),
        }
    }
}

/// Stones of both sides.
fn stones(position: &Position) -> u32 {
    Side::BOTH.iter().map(|&side| position.board().count(side)).sum()
}

/// This build has no files.
#[cfg(not(feature = "native"))]
fn open(dir: &Path) -> Result<BTreeMap<BoardSize, Arc<Tables>>, EndgameOptionError> {
    Err(EndgameOptionError::NoFiles(dir.to_owned()))
}

/// Opens every table in a directory. An error is reported at once, not in the middle of a game.
#[cfg(feature = "native")]
fn open(dir: &Path) -> Result<BTreeMap<BoardSize, Arc<Tables>>, EndgameOptionError> {
    if !dir.is_dir() {
        return Err(EndgameOptionError::Missing(dir.to_owned()));
    }
    let mut boards = BTreeMap::new();
    for board in Tables::boards(dir) {
        boards.insert(board, Arc::new(Tables::open(dir, board, MAX_STONES)?));
    }
    match boards.is_empty() {
        true => Err(EndgameOptionError::Empty(dir.to_owned())),
        false => Ok(boards),
    }
}

/// Tables that are built once; the inner `None` means that the board is too small for them.
type Small = Arc<OnceLock<Option<Arc<Tables>>>>;

/// The small tables of every board in use, shared by the whole program.
static ALL_SMALL: Mutex<BTreeMap<BoardSize, Small>> = Mutex::new(BTreeMap::new());

fn small_entry(board: BoardSize) -> (Small, bool) {
    let mut all = ALL_SMALL.lock().unwrap_or_else(PoisonError::into_inner);
    let first = !all.contains_key(&board);
    (all.entry(board).or_default().clone(), first)
}

fn fill(small: &Small, board: BoardSize) -> Option<Arc<Tables>> {
    // Every board of the rules has enough points. A smaller board would have no tables.
    small.get_or_init(|| build_in_memory(board, SMALL).ok().map(Arc::new)).clone()
}

/// The small tables of a board; builds them first if necessary.
fn small(board: BoardSize) -> Option<Arc<Tables>> {
    fill(&small_entry(board).0, board)
}

/// The small tables of a board if they are ready. The first call starts building them.
fn small_if_ready(board: BoardSize) -> Option<Arc<Tables>> {
    let (small, first) = small_entry(board);
    if first {
        let small = small.clone();
        // If the system has no more threads, the search runs without tables.
        platform::in_background("endgames", move || {
            fill(&small, board);
        });
    }
    small.get().cloned().flatten()
}

#[cfg(test)]
mod tests {
    use fanorona_protocol::messages::Limits;

    use super::*;

    #[test]
    fn a_search_without_a_clock_builds_tables_when_it_needs_them() {
        // No other test of this program uses this board.
        let position: Position = "1b1/3/3/3/3/3/1W1 w".parse().unwrap();
        let board = position.board().size();
        let budget = Budget::from_limits(&Limits::with_nodes(20));
        let tables = EndgameOption::default().for_search(&position, &budget).unwrap();
        assert_eq!(tables.stones(), SMALL as u32);
        assert!(small_entry(board).0.get().is_none());
        assert_eq!(tables.get().unwrap().stones(), SMALL);
        assert!(small_entry(board).0.get().is_some());
    }
}
