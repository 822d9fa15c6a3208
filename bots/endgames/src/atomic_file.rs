//! Files that are never seen half written: they get their name when all their bytes are on disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file in one step: after a crash it has either all of these bytes or its old content.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = part_of(path);
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    commit(&file, &part, path)
}

/// The name of a file while it is being written: that of the complete file with `.part` appended.
pub(super) fn part_of(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    part.into()
}

/// Gives a complete file its name.
pub(super) fn commit(file: &File, part: &Path, path: &Path) -> io::Result<()> {
    file.sync_all()?;
    fs::rename(part, path)
}
