//! Paths of directories in addresses and on pages.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use fanorona_tournament::text::safe_text;

/// The id of a path in addresses.
pub(super) fn id_of(path: &Path) -> String {
    let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
    digest[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The absolute path of a directory that may not exist yet, without links.
pub(super) fn real_path(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let existing =
        absolute.ancestors().find_map(|above| Some((above, dunce::canonicalize(above).ok()?)));
    match existing {
        Some((above, real)) => {
            let rest = absolute.strip_prefix(above).unwrap_or(Path::new(""));
            if rest.as_os_str().is_empty() { real } else { real.join(rest) }
        }
        None => absolute,
    }
}

/// A path as pages show it: relative to the base where possible.
pub(super) fn shown(path: &Path, base: &Path) -> String {
    let path = path.strip_prefix(base).unwrap_or(path).display().to_string();
    let path = if path.is_empty() { ".".to_owned() } else { path };
    safe_text::line(&path).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_directory_has_the_same_path_before_and_after_it_exists() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results/../results/new");
        fs::create_dir(dir.path().join("results")).unwrap();
        let before = real_path(&path);
        fs::create_dir(&path).unwrap();
        assert_eq!(before, real_path(&path));
        assert_eq!(before, dunce::canonicalize(&path).unwrap());
    }
}
