//! Whether a file is the same as before without reading it.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The metadata that identifies a version of a file. A program cannot set the change time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FileVersion {
    device: u64,
    inode: u64,
    length: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileVersion {
    /// The version of a file that is there now.
    pub(crate) fn of(file: &Path) -> io::Result<FileVersion> {
        let data = file.metadata()?;
        Ok(FileVersion {
            device: data.dev(),
            inode: data.ino(),
            length: data.size(),
            modified: (data.mtime(), data.mtime_nsec()),
            changed: (data.ctime(), data.ctime_nsec()),
        })
    }
}
