//! The lock on a results directory: only one process can write there, and it identifies itself.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::atomic_file;
use super::journal_error::JournalError;
use super::own_file;
use super::storage::storage;
use crate::platform;

/// The name of the lock file in a results directory.
const FILE: &str = "journal.lock";

/// The maximum length of a displayed holder, in bytes.
const MAX_HOLDER: u64 = 300;

/// The right to write to a results directory. It lasts until its last clone is dropped or the
/// process ends. It is a lock on `journal.lock` with `flock`. The text in that file is only for
/// users; text left by a killed process does not block anyone. If the file is removed, an open
/// [`Journal`](super::Journal) still has its own lock.
#[derive(Clone, Debug)]
pub struct Lock(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    file: File,
    dir: PathBuf,
}

impl Lock {
    /// Locks an existing directory.
    ///
    /// If another process has the lock; the error names that process.
    pub fn take(dir: &Path) -> Result<Lock, JournalError> {
        let path = dir.join(FILE);
        let failed = |what| {
            let path = path.clone();
            move |source| JournalError::from(storage(what, &path, source))
        };
        let mut options = own_file::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = loop {
            let mut file = options.open(&path).map_err(failed("open"))?;
            match file.try_lock() {
                // If the file was removed after it was opened, its lock protects nothing.
                Ok(()) if !atomic_file::is_at(&file, &path) => continue,
                Ok(()) => break file,
                Err(TryLockError::WouldBlock) => {
                    let holder = holder_text(&mut file);
                    return Err(JournalError::Locked { dir: dir.to_owned(), holder });
                }
                Err(TryLockError::Error(source)) => return Err(failed("lock")(source)),
            }
        };
        atomic_file::sweep(dir);
        let mut write_text = || {
            file.set_len(0)?;
            file.rewind()?;
            writeln!(file, "{}", own_text())
        };
        write_text().map_err(failed("write to"))?;
        Ok(Lock(Arc::new(Inner { file, dir: dir.to_owned() })))
    }

    /// Whether a process of this machine holds the lock of a directory.
    pub fn is_held(dir: &Path) -> bool {
        platform::is_locked(&dir.join(FILE))
    }

    /// The process that holds the lock of a directory, if the system tells.
    pub fn holder(dir: &Path) -> Option<u32> {
        platform::locked_by(&dir.join(FILE))
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.0.dir
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Old text does no harm; it is removed for tidiness.
        let _ = self.file.set_len(0);
        // Closing the file would not end the lock while a program that another thread starts has a
        // copy of the descriptor.
        let _ = self.file.unlock();
    }
}

/// The text that identifies this process.
fn own_text() -> String {
    let host = platform::host_name();
    let host = host.map_or(String::new(), |name| format!(" on {name}"));
    let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC");
    format!("process {}{host} since {now}", std::process::id())
}

/// The text of a lock's holder, as far as the system lets another process read it.
fn holder_text(file: &mut File) -> String {
    let mut text = Vec::new();
    if file.take(MAX_HOLDER).read_to_end(&mut text).is_err() {
        return "another process".to_owned();
    }
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().next().unwrap_or_default().escape_debug().to_string();
    // The holder writes the text a moment after it takes the lock.
    if line.is_empty() { "a process that just started".to_owned() } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_lock_is_seen_from_outside() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!Lock::is_held(dir.path()));
        let lock = Lock::take(dir.path()).unwrap();
        assert!(Lock::is_held(dir.path()));
        drop(lock);
        assert!(!Lock::is_held(dir.path()));
    }

    #[test]
    fn a_copy_of_the_descriptor_does_not_keep_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        let lock = Lock::take(dir.path()).unwrap();
        let _copy = lock.0.file.try_clone().unwrap();
        drop(lock);
        Lock::take(dir.path()).unwrap();
    }

    #[test]
    fn the_error_names_the_holder() {
        let dir = tempfile::tempdir().unwrap();
        let first = Lock::take(dir.path()).unwrap();
        let error = Lock::take(dir.path()).unwrap_err();
        let words = format!("process {} on ", std::process::id());
        assert!(error.to_string().contains(&words), "{error}");
        drop(first);
        Lock::take(dir.path()).unwrap();
    }

    #[test]
    fn old_text_does_not_block() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        std::fs::write(&path, "process 1 on elsewhere since long ago\nand more of that").unwrap();
        let lock = Lock::take(dir.path()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&format!("process {}", std::process::id())), "{text}");
        assert!(!text.contains("ago") && !text.contains("more"), "{text}");
        drop(lock);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
    }
}
