//! An engine's private directory: creating it, measuring its size, and removing it.
//!
//! An engine can create hundreds of thousands of files in it, or directories nested thousands deep.
//! Measuring therefore stops when a bound is exceeded. Removing needs only two descriptors and
//! short paths at any depth.

use std::fs::{self, DirBuilder};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The maximum length of a path that is measured, in bytes; deeper directories count as too many
/// files.
const MAX_PATH: usize = 2048;

/// The size of a block in `stat`, in bytes.
pub(super) const BLOCK: u64 = 512;

/// The contents of a directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Usage {
    /// The number of names of any kind, at all depths.
    pub(super) files: u64,
    /// Bytes on the disk. A file with several names is counted once per name.
    pub(super) bytes: u64,
}

/// The absolute path of a new private directory. Other users cannot predict it.
pub(super) fn new_path() -> PathBuf {
    // Every state is keyed with random bits of the system.
    let name = RandomState::new().build_hasher().finish();
    let path = std::env::temp_dir().join(format!("arena-engine-{name:016x}"));
    // Without a current directory no program starts; the supervisor reports that.
    std::path::absolute(&path).unwrap_or(path)
}

/// Creates a private directory, which only this user can enter.
pub(super) fn create(dir: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(dir)
}

/// Measures a directory until it exceeds these files or bytes. Concurrent changes may be missed.
pub(super) fn measure(dir: &Path, limit: Usage) -> Usage {
    let mut usage = Usage::default();
    let mut found = vec![dir.to_owned()];
    while let Some(dir) = found.pop() {
        if dir.as_os_str().len() > MAX_PATH {
            usage.files = limit.files.saturating_add(1);
        }
        let entries = fs::read_dir(&dir).or_else(|_| {
            // The engine may have removed its read permission.
            allow(&dir);
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

/// Removes a directory without concurrent changes, even if its permissions forbid it.
///
/// Nested directories are moved up one level at a time. Paths therefore stay short, and no
/// directory must stay open while its contents are removed.
///
/// If something cannot be removed, everything else still is.
pub(super) fn remove(dir: &Path) -> io::Result<()> {
    let mut names = 0_u64..;
    loop {
        let mut progress = false;
        for inner in cleared(dir, &mut progress) {
            for deep in cleared(&inner, &mut progress) {
                let mut free = names.by_ref().map(|number| dir.join(format!("moved-{number}")));
                let free = free.find(|path| fs::symlink_metadata(path).is_err());
                allow(&deep);
                progress |= free.is_some_and(|free| fs::rename(deep, free).is_ok());
            }
            progress |= fs::remove_dir(&inner).is_ok();
        }
        match fs::remove_dir(dir) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(_) if progress => {}
            done => return done,
        }
    }
}

/// Removes the files in a directory and returns its subdirectories.
fn cleared(dir: &Path, progress: &mut bool) -> Vec<PathBuf> {
    allow(dir);
    let mut dirs = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().filter_map(Result::ok) {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => dirs.push(entry.path()),
            _ => *progress |= fs::remove_file(entry.path()).is_ok(),
        }
    }
    dirs
}

/// Makes a directory readable and writable.
fn allow(dir: &Path) {
    // If this fails, the next operation fails too.
    let _ = fs::set_permissions(dir, fs::Permissions::from_mode(0o700));
}

#[cfg(test)]
mod tests {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    use super::*;

    #[test]
    fn a_write_protected_directory_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("home");
        let inner = home.join("a/b/c");
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("file"), "text").unwrap();
        fs::write(home.join("moved-0"), "a name that is taken").unwrap();
        std::os::unix::fs::symlink(dir.path(), inner.join("link")).unwrap();
        for locked in [&inner, &home.join("a/b"), &home.join("a"), &home] {
            fs::set_permissions(locked, fs::Permissions::from_mode(0o500)).unwrap();
        }
        remove(&home).unwrap();
        assert!(!home.exists() && dir.path().exists());
        remove(&home).expect("removing a missing directory succeeds");
    }

    /// Creates nested directories with short paths only.
    fn deep(dir: &Path, depth: usize) {
        let outer = dir.join("outer");
        fs::create_dir(dir.join("d")).unwrap();
        fs::write(dir.join("d/file"), "text").unwrap();
        for _ in 1..depth {
            fs::create_dir(&outer).unwrap();
            fs::write(outer.join("file"), "text").unwrap();
            fs::rename(dir.join("d"), outer.join("d")).unwrap();
            fs::rename(&outer, dir.join("d")).unwrap();
        }
    }

    /// Runs in its own process, because the limit of descriptors applies to the process.
    #[test]
    fn a_deep_tree_is_removed_with_few_descriptors() {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        let part = "engine::private_directory::tests::removes_a_deep_tree";
        let done = command.args(["--ignored", "--exact", part]).output().unwrap();
        let output = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success() && output.contains("1 passed"), "{output}");
    }

    #[test]
    #[ignore = "a part of the test above"]
    fn removes_a_deep_tree() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("home");
        fs::create_dir(&home).unwrap();
        deep(&home, 3000);
        let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
        let open = fs::read_dir("/proc/self/fd").unwrap().count() as u64;
        setrlimit(Resource::RLIMIT_NOFILE, open + 3, hard).unwrap();
        remove(&home).unwrap();
        assert!(!home.exists());
    }

    #[test]
    fn measuring_stops_at_the_bound() {
        let dir = tempfile::tempdir().unwrap();
        let limit = Usage { files: 20, bytes: 100_000 };
        assert_eq!(measure(dir.path(), limit), Usage::default());
        fs::create_dir(dir.path().join("a")).unwrap();
        for number in 0..9 {
            fs::write(dir.path().join(format!("a/{number}")), "text").unwrap();
        }
        let usage = measure(dir.path(), limit);
        assert!(usage.files == 10 && (4..=100_000).contains(&usage.bytes), "{usage:?}");
        fs::write(dir.path().join("a/large"), vec![1; 200_000]).unwrap();
        assert!(measure(dir.path(), limit).bytes > limit.bytes);
        // A hole in a file takes no space.
        fs::File::create(dir.path().join("a/large")).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(measure(dir.path(), limit).files, 11);
        fs::set_permissions(dir.path().join("a"), fs::Permissions::from_mode(0o000)).unwrap();
        assert_eq!(measure(dir.path(), limit).files, 11, "unreadable contents count");
        deep(dir.path(), 1200);
        assert!(measure(dir.path(), Usage { files: 1 << 30, bytes: u64::MAX }).files > 1 << 30);
        remove(dir.path()).unwrap();
    }
}
