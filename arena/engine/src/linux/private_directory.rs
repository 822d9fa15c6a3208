//! An engine's private directory: creating it, measuring its size, and removing it.
//!
//! An engine can create hundreds of thousands of files in it, or directories nested thousands deep.
//! Measuring therefore stops when a bound is exceeded. Removing needs only a few descriptors and
//! short paths at any depth, and never leaves the directory, even if a process replaces a part of it
//! by a link meanwhile.
//!
//! The supervisor that creates a directory holds a lock on it until it exits. A directory without
//! that lock was left behind when arena and supervisor were killed at once, and the next arena
//! removes it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::libc::{O_DIRECTORY, O_NOFOLLOW, O_PATH};

use crate::posix::home::{self, NAME, Usage};

/// The maximum number of passes over a directory that another process may still fill.
const MOST_PASSES: usize = 10_000;

/// The absolute path of a new private directory.
pub(crate) fn new_path() -> PathBuf {
    home::new_path(&prefix())
}

/// The beginning of the names of this machine's private directories, until it is started anew: a
/// lock is known to one running system, and a directory can be shared by several.
fn prefix() -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let boot = boot.split('-').next().unwrap_or_default();
    format!("{NAME}{boot}-")
}

/// Removes this user's private directories that were left behind in the directory for temporary
/// files. A failure leaves them there.
pub(crate) fn remove_abandoned() {
    for (dir, _lock) in home::abandoned(&prefix(), allow_at) {
        let _ = remove(&dir);
    }
}

/// Measures a directory until it exceeds these files or bytes.
pub(crate) fn measure(dir: &Path, limit: Usage) -> Usage {
    home::measure(dir, limit, allow_at)
}

/// Makes the directory that is at a path readable and writable, if there is one and no link.
fn allow_at(path: &Path) -> io::Result<()> {
    allow(&Held::open(path)?);
    Ok(())
}

/// A directory itself, whatever is at its path later.
struct Held {
    dir: File,
}

impl Held {
    /// If it is not a directory; a link to one is not.
    fn open(path: &Path) -> io::Result<Held> {
        let flags = O_PATH | O_DIRECTORY | O_NOFOLLOW;
        Ok(Held { dir: File::options().read(true).custom_flags(flags).open(path)? })
    }

    /// The path of a name in it.
    fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        Path::new("/proc/self/fd").join(self.dir.as_raw_fd().to_string()).join(name)
    }
}

/// Removes a directory, even if its permissions forbid it. If something cannot be removed,
/// everything else still is.
///
/// Nested directories are moved up one level at a time. Paths therefore stay short, and no
/// directory must stay open while its contents are removed.
pub(crate) fn remove(dir: &Path) -> io::Result<()> {
    let mut names = 0_u64..;
    for pass in 0.. {
        let mut progress = false;
        match Held::open(dir) {
            Ok(outer) => {
                for inner in cleared(&outer, &mut progress) {
                    progress |= empty_into(&outer, &inner, &mut names);
                    progress |= fs::remove_dir(outer.join(inner)).is_ok();
                }
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(why) => return Err(why),
        }
        match fs::remove_dir(dir) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(_) if progress && pass < MOST_PASSES => {}
            done => return done,
        }
    }
    Ok(())
}

/// Removes the files in a directory of `outer`, and moves its subdirectories there. Returns whether
/// there was any.
fn empty_into(outer: &Held, inner: &OsStr, names: &mut impl Iterator<Item = u64>) -> bool {
    let mut progress = false;
    let Ok(inner) = Held::open(&outer.join(inner)) else { return progress };
    for deep in cleared(&inner, &mut progress) {
        let mut free = names.by_ref().map(|number| outer.join(format!("moved-{number}")));
        let free = free.find(|path| fs::symlink_metadata(path).is_err());
        let deep = inner.join(deep);
        if let Ok(deep) = Held::open(&deep) {
            // Moving a directory changes its entry for the one above.
            allow(&deep);
        }
        progress |= free.is_some_and(|free| fs::rename(deep, free).is_ok());
    }
    progress
}

/// Removes the files in a directory and returns the names of its subdirectories.
fn cleared(dir: &Held, progress: &mut bool) -> Vec<OsString> {
    allow(dir);
    let mut dirs = Vec::new();
    for entry in fs::read_dir(dir.join("")).into_iter().flatten().filter_map(Result::ok) {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => dirs.push(entry.file_name()),
            _ => *progress |= fs::remove_file(dir.join(entry.file_name())).is_ok(),
        }
    }
    dirs
}

/// Makes a directory readable and writable.
fn allow(dir: &Held) {
    // If this fails, the next operation fails too.
    let _ = fs::set_permissions(dir.join(""), fs::Permissions::from_mode(0o700));
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use std::os::unix::fs::MetadataExt;

    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    use super::*;
    use crate::posix::home::create;

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

    /// A process that outlives its arena may put a link where there was a directory.
    #[test]
    fn removing_never_follows_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let (home, other) = (dir.path().join("home"), dir.path().join("other"));
        fs::create_dir_all(home.join("a")).unwrap();
        fs::create_dir(&other).unwrap();
        fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(other.join("file"), "text").unwrap();
        let outer = Held::open(&home).unwrap();
        let found = cleared(&outer, &mut false);
        assert_eq!(found, ["a"]);
        fs::remove_dir(home.join("a")).unwrap();
        std::os::unix::fs::symlink(&other, home.join("a")).unwrap();
        assert!(!empty_into(&outer, &found[0], &mut (0_u64..)));
        assert!(Held::open(&home.join("a")).is_err());
        remove(&home).unwrap();
        assert!(!home.exists() && other.join("file").exists());
        assert_eq!(fs::metadata(&other).unwrap().mode() & 0o777, 0o755);
        // Neither is the directory itself.
        std::os::unix::fs::symlink(&other, &home).unwrap();
        assert!(abandoned(&home).is_none() && remove(&home).is_err());
        assert!(other.join("file").exists());
    }

    #[test]
    fn only_directories_without_a_supervisor_are_abandoned() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("home");
        let lock = create(&home).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        assert!(abandoned(&home).is_none(), "its supervisor lives");
        fs::set_permissions(&home, fs::Permissions::from_mode(0o000)).unwrap();
        drop(lock);
        assert!(abandoned(&home).is_some());
        assert!(abandoned(&dir.path().join("nothing")).is_none());
        match std::os::unix::fs::chown(&home, Some(65534), None) {
            Ok(()) => assert!(abandoned(&home).is_none(), "it belongs to another user"),
            Err(_) => {
                let what = "NOT RUN: directories of another user: only root can make them";
                let _ = writeln!(io::stderr(), "{what}");
            }
        }
    }

    fn abandoned(dir: &Path) -> Option<File> {
        home::lock_of_abandoned(dir, allow_at)
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
        let part =
            "linux::private_directory::tests::a_deep_tree_is_removed_in_a_process_of_its_own";
        let done = command.args(["--ignored", "--exact", part]).output().unwrap();
        let output = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success() && output.contains("1 passed"), "{output}");
    }

    #[test]
    #[ignore = "a part of the test above"]
    fn a_deep_tree_is_removed_in_a_process_of_its_own() {
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
