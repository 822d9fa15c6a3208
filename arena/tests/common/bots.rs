//! The bots and other programs, for tests that start them.

use std::process::Command;
use std::sync::Once;

/// Builds the bots and their examples beside the arena: they belong to another package, so nobody
/// else may have.
///
/// All packages with examples have the very features that `cargo test` gave them, and nothing is
/// built twice. What Cargo tells a test about its own package is not passed on: build scripts of
/// dependencies depend on these variables, and would run again.
pub(crate) fn build_bots() {
    static BUILT: Once = Once::new();
    BUILT.call_once(build);
}

/// The variable with the script of the engine of the tests.
pub(crate) const SCRIPT: &str = "SCRIPTED_ENGINE";

/// The path of the engine of the tests, which is built if necessary: `arena/examples/scripted_engine/main.rs`
/// says what it does for every word of its script.
pub(crate) fn scripted_engine() -> String {
    build_bots();
    let test = std::env::current_exe().unwrap();
    let beside = test.parent().and_then(|deps| deps.parent()).unwrap();
    beside.join("examples/scripted_engine").to_str().unwrap().to_owned()
}

fn build() {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--workspace", "--exclude=fanorona-cluster", "--bins", "--examples"]);
    for (name, _) in std::env::vars_os() {
        let of_package = ["CARGO_MANIFEST_", "CARGO_PKG_"];
        if of_package.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
            build.env_remove(name);
        }
    }
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let built = build.output().expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}
