//! The engine of these tests, a program of its own: `arena/examples/scripted_engine/main.rs` says what it does
//! for every word of its script.

use crate::common::build_bots;

/// The variable with the script.
pub(crate) const SCRIPT: &str = "SCRIPTED_ENGINE";

/// The path of the program, which is built if necessary.
pub(crate) fn program() -> String {
    build_bots();
    let test = std::env::current_exe().unwrap();
    let beside = test.parent().and_then(|deps| deps.parent()).unwrap();
    beside.join("examples/scripted_engine").to_str().unwrap().to_owned()
}
