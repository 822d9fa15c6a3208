//! The bots, for tests that start them.

use std::process::Command;

/// Builds the bots and their examples beside the arena: they belong to another package, so nobody
/// else may have.
///
/// All packages with examples have the very features that `cargo test` gave them, and nothing is
/// built twice.
pub(crate) fn build_bots() {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--workspace", "--bins", "--examples"]);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let built = build.output().expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}
