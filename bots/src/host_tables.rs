//! Endgame tables from the host of a program without files: it hands over the files, for example a page
//! those that its site has.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fanorona_endgames::{FileError, Tables};
use fanorona_protocol::rules::BoardSize;

/// The tables that the host has handed over, and the board whose tables it may be asked for.
struct HostTables {
    /// The files by their names. Tables refer to their bytes, so they stay.
    files: BTreeMap<String, &'static [u8]>,
    tables: BTreeMap<BoardSize, Arc<Tables>>,
    /// The board for which tables have been looked for last.
    wanted: Option<BoardSize>,
}

static FROM_HOST: Mutex<HostTables> =
    Mutex::new(HostTables { files: BTreeMap::new(), tables: BTreeMap::new(), wanted: None });

fn host() -> MutexGuard<'static, HostTables> {
    FROM_HOST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes over a file of tables as `endgames build` writes it. It is used from [`use_tables`] on.
pub fn add_file(name: String, bytes: Vec<u8>) {
    host().files.insert(name, bytes.leak());
}

/// Begins to use the files of a board; those that cannot be used are left out and returned.
pub fn use_tables(board: BoardSize) -> Vec<FileError> {
    let mut host = host();
    let mut refused = Vec::new();
    loop {
        match Tables::from_files(&host.files, board) {
            Ok(tables) => {
                host.tables.insert(board, Arc::new(tables));
                return refused;
            }
            Err(error) => match host.files.remove(&*error.path.to_string_lossy()) {
                Some(_) => refused.push(error),
                // There are none.
                None => return refused,
            },
        }
    }
}

/// The board for which tables have been looked for last.
pub fn wanted() -> Option<BoardSize> {
    host().wanted
}

/// The tables of a board, if the host has handed over any.
pub(crate) fn tables(board: BoardSize) -> Option<Arc<Tables>> {
    let mut host = host();
    host.wanted = Some(board);
    host.tables.get(&board).cloned()
}
