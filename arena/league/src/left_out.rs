//! Files and directories that tools leave beside a program and that are not part of a submission.

use std::path::Path;

/// Their names.
const NAMES: [&str; 6] = [".git", "__pycache__", ".venv", "node_modules", "__MACOSX", ".DS_Store"];

/// Whether a path in a submission is one of them, or is inside one.
pub(super) fn is_left_out(path: &Path) -> bool {
    path.components().any(|part| NAMES.iter().any(|name| part.as_os_str() == *name))
}
