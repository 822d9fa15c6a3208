//! Files that are never seen half written: they get their name when all their bytes are on disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file in one step: after a crash it has either all of these bytes or its old content. The file
/// that a symbolic link points to is replaced, not the link; a device or a pipe takes the bytes.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = match fs::metadata(path) {
        Ok(there) if there.is_file() => &fs::canonicalize(path)?,
        Ok(there) if !there.is_dir() => {
            return File::options().write(true).open(path)?.write_all(bytes);
        }
        _ => path,
    };
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_but_no_links_or_devices() {
        let dir = tempfile::tempdir().unwrap();
        let [file, link, null] = ["file", "link", "null"].map(|name| dir.path().join(name));
        write(&file, b"one").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        write(&link, b"other").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"other");
        std::os::unix::fs::symlink("/dev/null", &null).unwrap();
        write(&null, b"third").unwrap();
        assert!(fs::symlink_metadata(&null).unwrap().is_symlink());
    }
}
