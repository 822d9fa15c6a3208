//! The bots, for tests that start them.

use std::process::Command;

/// Builds the bots beside the arena: they belong to another package, so nobody else may have.
pub(crate) fn build_bots() {
    build(&["--bins"]);
}

/// Builds something of the bots' package beside the arena.
pub(crate) fn build(what: &[&str]) {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--package", "fanorona-bots"]).args(what);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let built = build.output().expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}
