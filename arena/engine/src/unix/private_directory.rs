//! An engine's private directory: measuring its size, and removing it.
//!
//! The supervisor that creates a directory holds a lock on it until it exits. A directory without
//! that lock was left behind when arena and supervisor were killed at once, and the next arena
//! removes it.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::posix::home::{self, NAME, Usage};

/// The absolute path of a new private directory.
pub(crate) fn new_path() -> PathBuf {
    home::new_path(NAME)
}

/// Removes this user's private directories that were left behind in the directory for temporary
/// files. A failure leaves them there.
pub(crate) fn remove_abandoned() {
    for (dir, _lock) in home::abandoned(NAME, allow) {
        let _ = remove(&dir);
    }
}

/// Measures a directory until it exceeds these files or bytes.
pub(crate) fn measure(dir: &Path, limit: Usage) -> Usage {
    home::measure(dir, limit, allow)
}

/// Removes a directory, even if its permissions forbid it.
pub(crate) fn remove(dir: &Path) -> io::Result<()> {
    let remove = || match fs::remove_dir_all(dir) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    };
    remove().or_else(|_| {
        allow_all(dir);
        remove()
    })
}

/// Makes all directories in a directory readable and writable, and itself.
fn allow_all(dir: &Path) {
    let mut found = vec![dir.to_owned()];
    while let Some(dir) = found.pop() {
        // If this fails, the removal fails too.
        let _ = allow(&dir);
        for entry in fs::read_dir(&dir).into_iter().flatten().filter_map(Result::ok) {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                found.push(entry.path());
            }
        }
    }
}

/// Makes a directory readable and writable; a link to one is none.
fn allow(dir: &Path) -> io::Result<()> {
    match fs::symlink_metadata(dir)?.is_dir() {
        true => fs::set_permissions(dir, Permissions::from_mode(0o700)),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_protected_directory_is_removed_and_no_link_followed() {
        let dir = tempfile::tempdir().unwrap();
        let (home, other) = (dir.path().join("home"), dir.path().join("other"));
        let inner = home.join("a/b");
        fs::create_dir_all(&inner).unwrap();
        fs::create_dir(&other).unwrap();
        fs::set_permissions(&other, Permissions::from_mode(0o755)).unwrap();
        fs::write(other.join("file"), "text").unwrap();
        fs::write(inner.join("file"), "text").unwrap();
        std::os::unix::fs::symlink(&other, inner.join("link")).unwrap();
        for locked in [&inner, &home.join("a"), &home] {
            fs::set_permissions(locked, Permissions::from_mode(0o500)).unwrap();
        }
        let limit = Usage { files: 100, bytes: 1 << 20 };
        assert_eq!(measure(&home, limit).files, 4);
        allow_all(&home);
        remove(&home).unwrap();
        assert!(!home.exists() && other.join("file").exists());
        assert_eq!(fs::metadata(&other).unwrap().permissions().mode() & 0o777, 0o755);
        remove(&home).expect("removing a missing directory succeeds");
    }
}
