//! The files that the games of `arena play` are saved to.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use fanorona_tournament::notation::fgn::{self, FileTags};
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::record::storage::write_file;
use fanorona_tournament::text::plural::counted;

/// The files that were created here. No other file is ever replaced.
#[derive(Default)]
pub(super) struct GameFiles {
    own: Vec<PathBuf>,
}

impl GameFiles {
    /// Creates an empty file.
    ///
    /// # Errors
    /// Returns an error if something has this name, or nothing can be written there.
    pub(super) fn create(&mut self, path: &Path) -> io::Result<()> {
        match File::create_new(path) {
            Ok(_) => self.own.push(path.to_owned()),
            Err(why) if why.kind() == ErrorKind::AlreadyExists => {
                return Err(io::Error::new(why.kind(), "it exists; choose another name"));
            }
            Err(why) => return Err(why),
        }
        Ok(())
    }

    /// Writes games to a new file, or again to one that was created here; returns their number in words.
    pub(super) fn write(
        &mut self,
        path: &Path,
        games: &[&GameRecord],
        about: &FileTags,
    ) -> io::Result<String> {
        if !self.own.iter().any(|own| own == path) {
            self.create(path)?;
        }
        let mut text = Vec::new();
        fgn::write(&mut text, games.iter().copied(), about)?;
        write_file(path, &text).map_err(|why| why.source)?;
        Ok(counted(games.len(), "game", "games"))
    }
}
