//! Searches a package's own sources for forbidden words. The `arrows` test of each package includes
//! this file.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns every source file below a folder of this package.
fn sources(folder: &str) -> Vec<PathBuf> {
    fn walk(path: &Path, found: &mut Vec<PathBuf>) {
        if path.is_dir() {
            let entries = fs::read_dir(path).expect("the folder exists");
            entries.for_each(|entry| walk(&entry.expect("an entry").path(), found));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path.to_owned());
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    assert!(!found.is_empty(), "{folder} has sources");
    found
}

/// Fails if a source file below a folder contains one of the words outside comments, and names file
/// and line. A file whose path contains one of the exceptions is skipped.
pub(crate) fn forbid(folder: &str, exceptions: &[&str], words: &[&str]) {
    let mut broken = Vec::new();
    for path in sources(folder) {
        let name = path.display().to_string();
        if exceptions.iter().any(|exception| name.contains(exception)) {
            continue;
        }
        for (index, line) in fs::read_to_string(&path).expect("a text").lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if let Some(word) = words.iter().find(|&&word| code.contains(word)) {
                broken.push(format!("{name}:{}: {word}", index + 1));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Returns every source of a folder of this package: its path below the folder, and its text.
#[allow(dead_code, reason = "only some packages check their modules")]
pub(crate) fn texts(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let name =
        |path: &Path| path.strip_prefix(&root).expect("below the folder").display().to_string();
    let text = |path: PathBuf| (name(&path), fs::read_to_string(&path).expect("a text"));
    sources(folder).into_iter().map(text).collect()
}
