//! The dialogues of games, kept beside the journal: one compressed file per game.
//!
//! They are no part of the truth about a game, so that they are not synced to disk.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::atomic_file::AtomicFile;
use super::own_file;
use super::storage::{StorageError, storage};
use crate::game::dialogue::{self, Dialogue};
use crate::pairing::ids::GameId;
use crate::platform;

/// The directory of the files, in the results directory.
pub const DIRECTORY: &str = "dialogues";

/// The longest dialogue that is read, in bytes.
const LONGEST: u64 = 256 << 20;

/// The file of a game.
pub fn path(dir: &Path, game: GameId) -> PathBuf {
    dir.join(DIRECTORY).join(format!("{game}.txt.zst"))
}

/// The dialogues of White and Black as one text.
pub fn text(dialogues: &[Option<Dialogue>; 2]) -> String {
    let said = ['W', 'B'].into_iter().zip(dialogues);
    let said: Vec<_> = said.filter_map(|(side, said)| Some((side, said.as_ref()?))).collect();
    dialogue::transcript(&said)
}

/// Writes the dialogue of a game, in place of an earlier one.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write(dir: &Path, game: GameId, text: &str) -> Result<(), StorageError> {
    let path = path(dir, game);
    let write = || {
        let packed = platform::pack(text.as_bytes())?;
        fs::create_dir_all(dir.join(DIRECTORY))?;
        let mut draft = AtomicFile::begin(&path)?;
        draft.write_all(&packed)?;
        draft.finish()
    };
    write().map_err(|why| storage("write", &path, why))
}

/// Reads the dialogue of a game; `None` if it is not kept.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn read(dir: &Path, game: GameId) -> Result<Option<String>, StorageError> {
    let path = path(dir, game);
    let read = || {
        let mut text = String::new();
        let mut unpacked = platform::unpack(own_file::open(&path)?)?.take(LONGEST);
        unpacked.read_to_string(&mut text)?;
        Ok(text)
    };
    match read() {
        Ok(text) => Ok(Some(text)),
        Err(why) if io::Error::kind(&why) == io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(storage("read", &path, why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_text_is_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let game = |text: &str| text.parse::<GameId>().unwrap();
        assert_eq!(read(dir.path(), game("7.2")).unwrap(), None);
        let said = "0.0 W> go\n".repeat(1000);
        write(dir.path(), game("7.2"), "an earlier one").unwrap();
        write(dir.path(), game("7.2"), &said).unwrap();
        assert_eq!(read(dir.path(), game("7.2")).unwrap(), Some(said));
        let file = path(dir.path(), game("7.2"));
        assert!(fs::metadata(&file).unwrap().len() < 200);
        fs::write(&file, "no archive").unwrap();
        assert!(read(dir.path(), game("7.2")).unwrap_err().to_string().contains("7.2.txt.zst"));
    }
}
