//! An engine's private directory: how much is in it, and its removal.
//!
//! An engine may fill it with hundreds of thousands of files, or with directories inside each other
//! thousands deep. So looking at it stops as soon as it holds too much, and removing it takes two
//! descriptors and short paths, however deep it is.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The most bytes of a path that is looked into; what lies deeper counts as too many files.
const DEEPEST: usize = 2048;

/// Bytes of a block, as `stat` counts them.
pub(super) const BLOCK: u64 = 512;

/// What a directory holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Held {
    /// Names of whatever kind, at all depths.
    pub(super) files: u64,
    /// Bytes on the disk. A file of several names counts for each.
    pub(super) bytes: u64,
}

/// Adds up what a directory holds until it is more than these files or bytes. What comes and goes
/// meanwhile may be missed.
pub(super) fn measure(dir: &Path, most: Held) -> Held {
    let mut held = Held::default();
    let mut found = vec![dir.to_owned()];
    while let Some(dir) = found.pop() {
        if dir.as_os_str().len() > DEEPEST {
            held.files = most.files.saturating_add(1);
        }
        let entries = fs::read_dir(&dir).or_else(|_| {
            // Its owner may have forbidden it.
            allow(&dir);
            fs::read_dir(&dir)
        });
        for entry in entries.into_iter().flatten().filter_map(Result::ok) {
            if held.files > most.files || held.bytes > most.bytes {
                return held;
            }
            held.files += 1;
            let Ok(data) = entry.metadata() else { continue };
            held.bytes += data.blocks() * BLOCK;
            if data.is_dir() {
                found.push(entry.path());
            }
        }
    }
    held
}

/// Removes a directory that nobody changes any more, even if its owner has forbidden it.
///
/// Directories in its directories are moved up into it, so that no path gets long and no directory
/// has to stay open while those in it are removed.
///
/// # Errors
/// When something cannot be removed; everything else is.
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

/// Removes the files in a directory and gives the directories.
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

/// Lets a directory be read and changed.
fn allow(dir: &Path) {
    // Where that fails, so does what comes next.
    let _ = fs::set_permissions(dir, fs::Permissions::from_mode(0o700));
}

#[cfg(test)]
mod tests {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    use super::*;

    #[test]
    fn a_directory_nobody_may_change_is_removed() {
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
        remove(&home).expect("what is not there need not be removed");
    }

    /// Makes directories inside each other, each by its short path.
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

    /// A process of its own, as the limit of descriptors is the process's.
    #[test]
    fn a_deep_tree_is_removed_with_few_descriptors() {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        let part = "engine::private_directory::tests::removes_a_deep_tree";
        let done = command.args(["--ignored", "--exact", part]).output().unwrap();
        let told = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success() && told.contains("1 passed"), "{told}");
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
    fn looking_stops_where_there_is_too_much() {
        let dir = tempfile::tempdir().unwrap();
        let most = Held { files: 20, bytes: 100_000 };
        assert_eq!(measure(dir.path(), most), Held::default());
        fs::create_dir(dir.path().join("a")).unwrap();
        for number in 0..9 {
            fs::write(dir.path().join(format!("a/{number}")), "text").unwrap();
        }
        let held = measure(dir.path(), most);
        assert!(held.files == 10 && (4..=100_000).contains(&held.bytes), "{held:?}");
        fs::write(dir.path().join("a/large"), vec![1; 200_000]).unwrap();
        assert!(measure(dir.path(), most).bytes > most.bytes);
        // A hole takes no room.
        fs::File::create(dir.path().join("a/large")).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(measure(dir.path(), most).files, 11);
        fs::set_permissions(dir.path().join("a"), fs::Permissions::from_mode(0o000)).unwrap();
        assert_eq!(measure(dir.path(), most).files, 11, "what is hidden counts");
        deep(dir.path(), 1200);
        assert!(measure(dir.path(), Held { files: 1 << 30, bytes: u64::MAX }).files > 1 << 30);
        remove(dir.path()).unwrap();
    }
}
