//! Files written atomically: the content goes to a draft in the same directory, which is renamed
//! when it is complete and on disk. Readers and full disks therefore never see half a file.
//!
//! A killed process leaves its drafts behind. A process holds a lock (`flock`) on each draft it
//! writes, and the lock ends with the process. [`sweep`] therefore removes the drafts without a
//! lock.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;
use tempfile::NamedTempFile;

use crate::platform;

/// The suffix of the names of drafts; they begin with a dot.
const SUFFIX: &str = ".arena-draft";

/// Removes abandoned drafts from a directory, but none that is being written.
pub fn sweep(dir: &Path) {
    // A draft that cannot be removed uses space but does no other harm.
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_draft = name.starts_with('.') && name.ends_with(SUFFIX);
        if !is_draft || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.path();
        let Ok(file) = OpenOptions::new().read(true).write(true).open(&path) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(&path);
        }
    }
}

/// A file that is being written. Dropping it removes it. Several drafts of one file can exist in
/// one process or several; the last one finished stays.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    file: NamedTempFile,
}

/// An output that the user named: a file, of which there is a draft until it is complete, or something
/// else, a device or a pipe, which takes every byte at once.
#[derive(Debug)]
pub enum NamedOutput {
    /// A file.
    File(AtomicFile),
    /// A device or a pipe.
    Stream(File),
}

impl NamedOutput {
    /// Opens an output by its name. The file that a symbolic link points to is replaced, not the
    /// link.
    pub fn begin(path: &Path) -> io::Result<NamedOutput> {
        match fs::metadata(path) {
            Ok(there) if there.is_file() => {
                AtomicFile::begin(&fs::canonicalize(path)?).map(NamedOutput::File)
            }
            Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(_) => OpenOptions::new().write(true).open(path).map(NamedOutput::Stream),
            Err(_) => AtomicFile::begin(path).map(NamedOutput::File),
        }
    }

    /// Completes the output.
    pub fn finish(self) -> io::Result<()> {
        match self {
            NamedOutput::File(file) => file.finish(),
            NamedOutput::Stream(mut stream) => stream.flush(),
        }
    }
}

impl Write for NamedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            NamedOutput::File(file) => file.write(bytes),
            NamedOutput::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            NamedOutput::File(file) => file.flush(),
            NamedOutput::Stream(stream) => stream.flush(),
        }
    }
}

impl AtomicFile {
    /// Creates a draft of the file `path`, with a hidden unique name in the same directory.
    pub fn begin(path: &Path) -> io::Result<AtomicFile> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        loop {
            let prefix = format!(".{name}.");
            let mut draft = tempfile::Builder::new();
            platform::share(draft.prefix(&prefix).suffix(SUFFIX));
            let file = draft.tempfile_in(directory(path))?;
            // If files cannot be locked, `sweep` cannot lock one to remove it either.
            let _ = file.as_file().try_lock();
            // Before it was locked, `sweep` may have taken it for an abandoned one.
            if is_at(file.as_file(), file.path()) {
                return Ok(AtomicFile { path: path.to_owned(), file });
            }
        }
    }

    /// Syncs the file and renames it to its final name.
    pub fn finish(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        let file = self.file.persist(&self.path)?;
        // The file may be a journal, which its writer locks next: a program that another thread
        // starts has a copy of the descriptor for a moment, and with it the lock.
        let _ = file.unlock();
        platform::sync_directory(directory(&self.path))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// Whether a path refers to an open file.
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    let open = file.try_clone().and_then(Handle::from_file);
    open.is_ok_and(|open| Handle::from_path(path).is_ok_and(|there| open == there))
}

fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    #[cfg(unix)]
    use std::os::unix::fs::PermissionsExt;

    /// The names in a directory.
    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn the_file_appears_when_finished() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        fs::write(&path, "before").unwrap();
        let mut draft = AtomicFile::begin(&path).unwrap();
        draft.write_all(b"after").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        draft.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(names(dir.path()), ["a.csv"]);
    }

    #[test]
    fn a_finished_file_is_not_locked() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        let draft = AtomicFile::begin(&path).unwrap();
        let _copy = draft.file.as_file().try_clone().unwrap();
        draft.finish().unwrap();
        File::open(&path).unwrap().try_lock().unwrap();
    }

    #[test]
    fn a_dropped_draft_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let mut draft = AtomicFile::begin(&dir.path().join("a.csv")).unwrap();
        draft.write_all(b"half").unwrap();
        assert_eq!(names(dir.path()).len(), 1);
        drop(draft);
        assert!(names(dir.path()).is_empty());
    }

    #[test]
    fn several_drafts_of_one_file_can_exist() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        let [mut one, mut other] = [(); 2].map(|()| AtomicFile::begin(&path).unwrap());
        one.write_all(b"one, which is longer").unwrap();
        other.write_all(b"other").unwrap();
        other.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "other");
        one.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one, which is longer");
        assert_eq!(names(dir.path()), ["a.csv"]);
    }

    #[test]
    fn abandoned_drafts_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        // The state after a kill: the file exists, and the lock is gone.
        let left = AtomicFile::begin(&path).unwrap();
        left.file.as_file().unlock().unwrap();
        let left = left.file.into_temp_path().keep().unwrap();
        let own = [".hidden", ".a.csv.new", "b.arena-draft"];
        own.iter().for_each(|name| fs::write(dir.path().join(name), "").unwrap());
        let mut draft = AtomicFile::begin(&path).unwrap();
        draft.write_all(b"whole").unwrap();
        sweep(dir.path());
        assert!(!left.exists());
        assert!(own.iter().all(|name| dir.path().join(name).exists()));
        draft.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
        sweep(dir.path());
        assert_eq!(names(dir.path()).len(), 1 + own.len());
    }

    #[cfg(unix)]
    #[test]
    fn an_output_replaces_files_but_no_link_or_device() {
        let dir = tempfile::tempdir().unwrap();
        let [file, link, pipe] = ["file", "link", "pipe"].map(|name| dir.path().join(name));
        let write = |path: &Path, text: &str| {
            let mut output = NamedOutput::begin(path)?;
            output.write_all(text.as_bytes())?;
            output.finish()
        };
        write(&file, "one").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        write(&link, "other").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "other");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write(&pipe, "third").unwrap();
        assert_eq!(reader.join().unwrap(), "third");
        assert!(write(dir.path(), "").is_err());
        assert_eq!(names(dir.path()).len(), 3);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_output_to_a_full_device_fails() {
        let mut output = NamedOutput::begin(Path::new("/dev/full")).unwrap();
        let full = output.write_all(b"text").unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
    }

    #[cfg(unix)]
    #[test]
    fn the_mode_is_that_of_any_new_file() {
        let dir = tempfile::tempdir().unwrap();
        let (drafted, plain) = (dir.path().join("drafted"), dir.path().join("plain"));
        AtomicFile::begin(&drafted).unwrap().finish().unwrap();
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&drafted), mode(&plain));
    }
}
