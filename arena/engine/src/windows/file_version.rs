//! Whether a file is the same as before without reading it.

use std::io;
use std::os::windows::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The path and the metadata that identify a version of a file. A program can set the times, as
/// nothing on this system prevents.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FileVersion {
    file: PathBuf,
    length: u64,
    created: u64,
    modified: u64,
}

impl FileVersion {
    /// The version of a file that is there now.
    pub(crate) fn of(file: &Path) -> io::Result<FileVersion> {
        let data = file.metadata()?;
        Ok(FileVersion {
            file: file.canonicalize()?,
            length: data.file_size(),
            created: data.creation_time(),
            modified: data.last_write_time(),
        })
    }
}
