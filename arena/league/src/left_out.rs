//! What tools make beside a program, which is no part of a submission.

use std::path::Path;

/// The names of such files and directories.
const NAMES: [&str; 6] = [".git", "__pycache__", ".venv", "node_modules", "__MACOSX", ".DS_Store"];

/// Whether a path in a submission leads to or into what is not part of it.
pub(super) fn is_left_out(path: &Path) -> bool {
    path.components().any(|part| NAMES.iter().any(|name| part.as_os_str() == *name))
}
