//! Engines in a few lines of shell, with a mistake each.

use std::fs;

use tempfile::TempDir;

/// A correct engine: it reports its name, answers `isready`, and plays the first move it is sent.
pub(crate) const GOOD: &str = r#"
say() { printf '%s\n' "$1"; }
answer() { say "bestmove $1"; }
IFS=$(printf ' \t\r')
while read -r line; do
    set -f -- $line
    case "$1" in
        ugi) say "id name shell"; say ugiok ;;
        isready) say readyok ;;
        go) while [ $# -gt 1 ] && [ "$1" != searchmoves ]; do shift; done; answer "$2" ;;
        quit) exit 0 ;;
    esac
done
"#;

/// A script in a temporary directory, removed when dropped.
pub(crate) struct Script {
    dir: TempDir,
}

impl Script {
    pub(crate) fn new(text: &str) -> Script {
        let dir = tempfile::tempdir().expect("a directory");
        fs::write(dir.path().join("engine"), text).expect("the script is written");
        Script { dir }
    }

    /// The correct engine with pieces replaced; every piece must exist.
    pub(crate) fn with(pieces: &[(&str, &str)]) -> Script {
        let mut text = GOOD.to_owned();
        for (old, new) in pieces {
            assert!(text.contains(old), "{old}");
            text = text.replace(old, new);
        }
        Script::new(&text)
    }

    /// The path of the script.
    pub(crate) fn path(&self) -> String {
        self.dir.path().join("engine").to_str().expect("a text").to_owned()
    }

    /// The command line that runs it.
    pub(crate) fn command(&self) -> String {
        format!("sh '{}'", self.path())
    }
}
