//! The lock on a results directory: one arena writes there at a time, and says who it is.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::atomic_file;
use super::journal_error::JournalError;
use super::storage::storage;

/// The name of the file in a results directory.
const FILE: &str = "journal.lock";

/// The most of another arena's words that are shown.
const LONGEST_HOLDER: u64 = 300;

/// The right to write to a results directory, until the last clone of it is dropped or the process
/// ends, however it does. It lies on `journal.lock` by `flock`; what that file says is for people, and what a killed
/// arena has left in it holds nobody up. Somebody may remove the file: a [`Journal`](super::Journal)
/// that is open holds a lock of its own.
#[derive(Clone, Debug)]
pub struct Lock(Arc<Held>);

#[derive(Debug)]
struct Held {
    file: File,
    dir: PathBuf,
}

impl Lock {
    /// Takes a directory that exists.
    ///
    /// # Errors
    /// When another arena has it: then with what that one says of itself.
    pub fn take(dir: &Path) -> Result<Lock, JournalError> {
        let path = dir.join(FILE);
        let failed = |what| {
            let path = path.clone();
            move |source| JournalError::from(storage(what, &path, source))
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = loop {
            let mut file = options.open(&path).map_err(failed("open"))?;
            match file.try_lock() {
                // Removed since it was opened, it would hold nobody off.
                Ok(()) if !is_at(&file, &path) => continue,
                Ok(()) => break file,
                Err(TryLockError::WouldBlock) => {
                    let holder = holder(&mut file).map_err(failed("read"))?;
                    return Err(JournalError::Locked { dir: dir.to_owned(), holder });
                }
                Err(TryLockError::Error(source)) => return Err(failed("lock")(source)),
            }
        };
        atomic_file::sweep(dir);
        let mut introduce = || {
            file.set_len(0)?;
            file.rewind()?;
            writeln!(file, "{}", introduction())
        };
        introduce().map_err(failed("write to"))?;
        Ok(Lock(Arc::new(Held { file, dir: dir.to_owned() })))
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.0.dir
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Stale words do no harm; they are only not left where that is easy.
        let _ = self.file.set_len(0);
    }
}

/// Whether a path still leads to an open file.
fn is_at(file: &File, path: &Path) -> bool {
    let id = |found: Metadata| (found.dev(), found.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(there)) => id(open) == id(there),
        _ => false,
    }
}

/// Who holds a lock: this process.
fn introduction() -> String {
    let host = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    let host = host.map_or(String::new(), |name| format!(" on {name}"));
    let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC");
    format!("process {}{host} since {now}", std::process::id())
}

/// What the holder of a lock says of itself.
fn holder(file: &mut File) -> io::Result<String> {
    let mut text = Vec::new();
    file.take(LONGEST_HOLDER).read_to_end(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().next().unwrap_or_default().escape_debug().to_string();
    // Between locking and writing there is a moment.
    Ok(if line.is_empty() { "one that has just begun".to_owned() } else { line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_was_first() {
        let dir = tempfile::tempdir().unwrap();
        let first = Lock::take(dir.path()).unwrap();
        let error = Lock::take(dir.path()).unwrap_err();
        let words = format!("process {} on ", std::process::id());
        assert!(error.to_string().contains(&words), "{error}");
        drop(first);
        Lock::take(dir.path()).unwrap();
    }

    #[test]
    fn words_left_behind_hold_nobody_up() {
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
