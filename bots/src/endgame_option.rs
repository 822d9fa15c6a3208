//! The tables an engine plays by: what its option `EndgameTables` says.
//!
//! Without a word every engine has the small ones, which are built in memory: the same on every
//! machine, with nothing to set up and nothing written anywhere.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

#[cfg(feature = "native")]
use fanorona_endgames::{FileError, MAX_STONES};
use fanorona_endgames::{Tables, build_in_memory, value_in_game};
use fanorona_protocol::messages::{OptionSpec, Value};
use fanorona_protocol::rules::{BoardSize, History, Position, Ruleset, Side};

use crate::bot::OptionError;
use crate::budget::Budget;
use crate::platform;

/// The option's name.
pub const NAME: &str = "EndgameTables";

/// The value for no tables at all.
const NONE: &str = "none";

/// Stones the small tables know: a tenth of a second of work, half a megabyte.
pub const SMALL: usize = 4;

/// Searches of positions with more stones do without the small tables, so that a short game or a
/// test need not build what it hardly ever sees.
const NEAR: u32 = 20;

/// Which tables there are.
#[derive(Clone, Default)]
pub struct EndgameOption {
    chosen: Chosen,
}

#[derive(Clone, Default)]
enum Chosen {
    /// The small ones.
    #[default]
    Small,
    None,
    /// Those of a directory, by board.
    Directory(BTreeMap<BoardSize, Arc<Tables>>),
}

/// Why a directory is of no use.
#[derive(Debug, thiserror::Error)]
enum EndgameOptionError {
    #[cfg(feature = "native")]
    #[error("{}: no such directory: give the one that `endgames build` has filled", .0.display())]
    Missing(PathBuf),
    #[cfg(feature = "native")]
    #[error("{}: no endgame tables here: build some with `endgames build --out DIR`", .0.display())]
    Empty(PathBuf),
    #[cfg(feature = "native")]
    #[error(transparent)]
    File(#[from] FileError),
    #[cfg(not(feature = "native"))]
    #[error("{}: this build reads no files: only the small tables or `none`", .0.display())]
    NoFiles(PathBuf),
}

impl EndgameOption {
    /// The declaration of the option.
    pub fn option() -> OptionSpec {
        OptionSpec::string(NAME, "")
    }

    /// Takes the option's value: a directory; `none`; or nothing, for the small tables.
    ///
    /// # Errors
    /// When there are no tables in the directory, or one cannot be used; nothing changes then.
    pub fn set(&mut self, value: &str) -> Result<(), OptionError> {
        self.chosen = match value {
            "" => Chosen::Small,
            NONE => Chosen::None,
            dir => {
                let failed =
                    |why: EndgameOptionError| OptionError { name: NAME.into(), why: why.into() };
                Chosen::Directory(open(Path::new(dir)).map_err(failed)?)
            }
        };
        Ok(())
    }

    /// The tables for a search of a position within a budget. Small ones are built for the first
    /// search that may come across them: a search without a clock waits for that, one with a clock
    /// does without until they are there. So whatever can be repeated finds the same tables.
    pub fn for_search(&self, position: &Position, budget: &Budget) -> Option<Arc<Tables>> {
        let board = position.board().size();
        match &self.chosen {
            Chosen::None => None,
            Chosen::Directory(boards) => boards.get(&board).cloned(),
            Chosen::Small if stones(position) > NEAR => None,
            Chosen::Small if budget.hard().is_some() => small_if_ready(board),
            Chosen::Small => small(board),
        }
    }

    /// The exact value of a game's position for the side to move, if the tables know it.
    pub fn value(&self, game: &History, rules: &Ruleset) -> Value {
        let position = game.position();
        let board = position.board().size();
        let tables = match &self.chosen {
            Chosen::None => None,
            Chosen::Directory(boards) => boards.get(&board).cloned(),
            Chosen::Small if stones(position) > SMALL as u32 => None,
            Chosen::Small => small(board),
        };
        // What a damaged table holds is not known.
        let value = |tables: Arc<Tables>| value_in_game(&tables, game, rules).ok();
        tables.and_then(value).unwrap_or(Value::Unknown)
    }
}

/// Stones of both sides.
fn stones(position: &Position) -> u32 {
    Side::BOTH.iter().map(|&side| position.board().count(side)).sum()
}

/// There are no files.
#[cfg(not(feature = "native"))]
fn open(dir: &Path) -> Result<BTreeMap<BoardSize, Arc<Tables>>, EndgameOptionError> {
    Err(EndgameOptionError::NoFiles(dir.to_owned()))
}

/// Every table in a directory; what is wrong is told at once, not in the middle of a game.
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

/// Tables that are built once; `None` inside when the board is too small to have them.
type Small = Arc<OnceLock<Option<Arc<Tables>>>>;

/// The small tables of every board that has been asked for, shared by the whole program.
static ALL_SMALL: Mutex<BTreeMap<BoardSize, Small>> = Mutex::new(BTreeMap::new());

fn small_entry(board: BoardSize) -> (Small, bool) {
    let mut all = ALL_SMALL.lock().unwrap_or_else(PoisonError::into_inner);
    let first = !all.contains_key(&board);
    (all.entry(board).or_default().clone(), first)
}

fn fill(small: &Small, board: BoardSize) -> Option<Arc<Tables>> {
    // Every board of the rules has enough points; one that had not would do without tables.
    small.get_or_init(|| build_in_memory(board, SMALL).ok().map(Arc::new)).clone()
}

/// The small tables of a board, after as long as it takes.
fn small(board: BoardSize) -> Option<Arc<Tables>> {
    fill(&small_entry(board).0, board)
}

/// The small tables of a board if they are there; the first to ask has them built.
fn small_if_ready(board: BoardSize) -> Option<Arc<Tables>> {
    let (small, first) = small_entry(board);
    if first {
        let small = small.clone();
        // Without a thread to be had the search goes on without tables.
        platform::in_background("endgames", move || {
            fill(&small, board);
        });
    }
    small.get().cloned().flatten()
}
