//! The identity of an engine: digests of its program and of the other files that define it. They
//! are compared before each start of a process, so that another program cannot play in the engine's
//! name.

use fanorona_tournament::mutex::lock;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use sha2::{Digest, Sha256};

use super::system::file_version::FileVersion;

/// The files of an engine with their digests at the beginning of the tournament.
#[derive(Clone, Debug)]
pub struct Identity {
    files: Vec<(PathBuf, Option<String>)>,
    digests: Digests,
}

/// A file of an engine changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} has changed since the tournament began", .file.display())]
pub struct Changed {
    /// The path of the program, or of another file that identifies the engine.
    pub file: PathBuf,
}

impl Identity {
    /// The present identity of a program and other files.
    pub(super) fn of(program: &Path, files: &[PathBuf], digests: &Digests) -> Identity {
        let all = std::iter::once(program).chain(files.iter().map(PathBuf::as_path));
        let files = all.map(|file| (file.to_owned(), digests.of(file))).collect();
        Identity { files, digests: digests.clone() }
    }

    /// The files with their SHA-256 in hexadecimal, the program first; `None` for a file that
    /// cannot be read.
    pub fn files(&self) -> impl Iterator<Item = (&Path, Option<&str>)> {
        self.files.iter().map(|(file, digest)| (file.as_path(), digest.as_deref()))
    }

    /// Checks that no file has changed.
    ///
    /// With the first changed file.
    pub(super) fn verify(&self) -> Result<(), Changed> {
        let same = |(file, digest): &&(PathBuf, Option<String>)| self.digests.of(file) == *digest;
        match self.files.iter().find(|entry| !same(entry)) {
            None => Ok(()),
            Some((file, _)) => Err(Changed { file: file.clone() }),
        }
    }
}

/// A cache of the digests of files. A digest is computed again only if the system reports a change
/// of the file. Many engines of one program need one read, and a start usually needs none.
#[derive(Clone, Debug, Default)]
pub struct Digests(Arc<Mutex<HashMap<FileVersion, String>>>);

impl Digests {
    /// The SHA-256 of a file; `None` if it cannot be read.
    fn of(&self, file: &Path) -> Option<String> {
        let version = FileVersion::of(file).ok()?;
        let known = lock(&self.0).get(&version).cloned();
        known.or_else(|| {
            let digest = digest(file).ok()?;
            lock(&self.0).insert(version, digest.clone());
            Some(digest)
        })
    }
}

/// Computes the SHA-256 of a file, which can be larger than memory.
fn digest(file: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = BufReader::with_capacity(1 << 16, File::open(file)?);
    loop {
        let bytes = match file.fill_buf() {
            Ok([]) => break,
            Ok(bytes) => bytes,
            Err(why) if why.kind() == io::ErrorKind::Interrupted => continue,
            Err(why) => return Err(why),
        };
        hasher.update(bytes);
        let read = bytes.len();
        file.consume(read);
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_changed_file_is_detected() {
        let dir = tempfile::tempdir().unwrap();
        let [program, script] = ["program", "script"].map(|name| dir.path().join(name));
        fs::write(&program, "abc").unwrap();
        fs::write(&script, "one").unwrap();
        let digests = Digests::default();
        let identity = Identity::of(&program, std::slice::from_ref(&script), &digests);
        // The test vector of FIPS 180-2.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(identity.files().next(), Some((&*program, Some(abc))));
        assert_eq!(identity.verify(), Ok(()));
        // Another file with the same content is the same engine.
        fs::remove_file(&program).unwrap();
        fs::write(&program, "abc").unwrap();
        assert_eq!(identity.verify(), Ok(()));
        fs::write(&script, "two").unwrap();
        assert_eq!(identity.verify(), Err(Changed { file: script.clone() }));
        fs::write(&script, "one").unwrap();
        assert_eq!(identity.verify(), Ok(()));
        fs::remove_file(&script).unwrap();
        assert_eq!(identity.verify(), Err(Changed { file: script }));
    }
}
