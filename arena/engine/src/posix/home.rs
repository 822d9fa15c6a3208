//! An engine's private directory, its home: its path, its lock, and the measure of its contents.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use nix::libc::{O_DIRECTORY, O_NOFOLLOW};
use rustix::process::geteuid;

/// The maximum length of a path that is measured, in bytes; deeper directories count as too many
/// files.
const MAX_PATH: usize = 2048;

/// The size of a block in `stat`, in bytes.
pub(crate) const BLOCK: u64 = 512;

/// The beginning of the name of every private directory.
pub(crate) const NAME: &str = "arena-engine-";

/// The beginning of the name of a directory that has no lock yet.
const NEW: &str = "new-";

/// The contents of a directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Usage {
    /// The number of names of any kind, at all depths.
    pub(crate) files: u64,
    /// Bytes on the disk. A file with several names is counted once per name.
    pub(crate) bytes: u64,
}

/// The absolute path of a new private directory whose name begins so. Other users cannot predict it.
pub(crate) fn new_path(prefix: &str) -> PathBuf {
    // Every state is keyed with random bits of the system.
    let name = RandomState::new().build_hasher().finish();
    let path = std::env::temp_dir().join(format!("{prefix}{name:016x}"));
    // Without a current directory no program starts; the supervisor reports that.
    std::path::absolute(&path).unwrap_or(path)
}

/// Creates a private directory, which only this user can enter. Returns its lock.
pub(crate) fn create(dir: &Path) -> io::Result<File> {
    // It gets its name with its lock, and is never taken for one that was left behind.
    let name = dir.file_name().unwrap_or(OsStr::new(NAME)).to_string_lossy();
    let new = dir.with_file_name(format!("{NEW}{name}"));
    DirBuilder::new().mode(0o700).create(&new)?;
    let lock = File::open(&new)?;
    // Some file systems have no locks. There, nothing is removed for the lack of one.
    let _ = lock.try_lock();
    fs::rename(&new, dir)?;
    Ok(lock)
}

/// This user's private directories in the directory for temporary files whose names begin so and that no
/// supervisor holds, each with its lock. `allow` makes a directory readable.
pub(crate) fn abandoned(
    prefix: &str,
    allow: fn(&Path) -> io::Result<()>,
) -> impl Iterator<Item = (PathBuf, File)> {
    let entries = fs::read_dir(std::env::temp_dir()).into_iter().flatten().filter_map(Result::ok);
    entries.filter_map(move |entry| {
        let is_private = entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        let lock = is_private.then(|| lock_of_abandoned(&entry.path(), allow)).flatten()?;
        Some((entry.path(), lock))
    })
}

/// The lock of a directory if this user owns it and no supervisor holds it.
pub(crate) fn lock_of_abandoned(dir: &Path, allow: fn(&Path) -> io::Result<()>) -> Option<File> {
    let flags = O_DIRECTORY | O_NOFOLLOW;
    let open = || File::options().read(true).custom_flags(flags).open(dir);
    let is_own = |data: fs::Metadata| data.is_dir() && data.uid() == geteuid().as_raw();
    if !fs::symlink_metadata(dir).is_ok_and(is_own) {
        return None;
    }
    let lock = open().or_else(|_| {
        // The engine may have removed its read permission.
        allow(dir)?;
        open()
    });
    let lock = lock.ok()?;
    match lock.try_lock() {
        Ok(()) => Some(lock),
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => None,
    }
}

/// Measures a directory until it exceeds these files or bytes. Concurrent changes may be missed. `allow`
/// makes a directory readable.
pub(crate) fn measure(dir: &Path, limit: Usage, allow: fn(&Path) -> io::Result<()>) -> Usage {
    let mut usage = Usage::default();
    let mut found = vec![dir.to_owned()];
    while let Some(dir) = found.pop() {
        if dir.as_os_str().len() > MAX_PATH {
            usage.files = limit.files.saturating_add(1);
        }
        let entries = fs::read_dir(&dir).or_else(|_| {
            // The engine may have removed its read permission.
            allow(&dir)?;
            fs::read_dir(&dir)
        });
        for entry in entries.into_iter().flatten().filter_map(Result::ok) {
            if usage.files > limit.files || usage.bytes > limit.bytes {
                return usage;
            }
            usage.files += 1;
            let Ok(data) = entry.metadata() else { continue };
            usage.bytes += data.blocks() * BLOCK;
            if data.is_dir() {
                found.push(entry.path());
            }
        }
    }
    usage
}
