//! An engine's private directory, and its removal.
//!
//! Beside the directory is a file of the same name with the ending `.lock`, which the system removes
//! when the arena closes it or is killed. A directory without that file was left behind, and the next
//! arena removes it.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_DELETE_ON_CLOSE;

/// The beginning of the name of every private directory.
const NAME: &str = "arena-engine-";

/// The ending of the file that is there as long as the directory is used.
const LOCK: &str = "lock";

/// The time and interval of tries to remove a directory: files of processes that were just ended, or
/// that another program examines, cannot be removed for a moment.
const REMOVAL: Duration = Duration::from_secs(5);
const REMOVAL_PAUSE: Duration = Duration::from_millis(50);

/// A private directory in the user's directory for temporary files, which other users cannot enter.
#[derive(Debug)]
pub(crate) struct PrivateDirectory {
    pub(crate) path: PathBuf,
    lock: File,
}

impl PrivateDirectory {
    /// Creates a directory.
    pub(crate) fn create() -> io::Result<PrivateDirectory> {
        // Every state is keyed with random bits of the system.
        let name = RandomState::new().build_hasher().finish();
        let path = std::path::absolute(std::env::temp_dir().join(format!("{NAME}{name:016x}")))?;
        let lock = File::options()
            .write(true)
            .create_new(true)
            .share_mode(0)
            .custom_flags(FILE_FLAG_DELETE_ON_CLOSE)
            .open(path.with_extension(LOCK))?;
        fs::create_dir(&path)?;
        Ok(PrivateDirectory { path, lock })
    }

    /// Removes the directory. If that fails, the next arena does it.
    pub(crate) fn remove(self) {
        remove(&self.path);
        drop(self.lock);
    }
}

/// Removes private directories that were left behind in the directory for temporary files. A failure
/// leaves them there.
pub(crate) fn remove_abandoned() {
    for entry in fs::read_dir(std::env::temp_dir()).into_iter().flatten().filter_map(Result::ok) {
        let is_private = entry.file_name().to_str().is_some_and(|name| name.starts_with(NAME));
        let path = entry.path();
        // A file that exists and cannot be examined counts as there.
        let lock = path.with_extension(LOCK);
        if is_private && path.is_dir() && matches!(lock.try_exists(), Ok(false)) {
            remove(&path);
        }
    }
}

fn remove(dir: &Path) {
    let begin = Instant::now();
    while fs::remove_dir_all(dir).is_err_and(|why| why.kind() != io::ErrorKind::NotFound)
        && begin.elapsed() < REMOVAL
    {
        sleep(REMOVAL_PAUSE);
    }
}
