//! Tests that the example bots of the guides, in every language, pass their levels.

use std::path::Path;
use std::process::Command;

use crate::check::{CheckRun, ROOMY, example, python};
use crate::common::build_bots;
use crate::programs::are_there;

/// Checks that an engine passes a level and returns the report.
fn passes(engine: &str, level: &str) -> CheckRun {
    let run = CheckRun::of(engine, &[&ROOMY[..], &["--level", level]].concat());
    assert_eq!(run.numbers("failed"), [0_u64; 0], "{engine}: {:#}", run.report);
    assert_eq!(run.code, Some(0), "{engine}");
    run
}

#[test]
fn the_python_example_passes_the_basic_level() {
    let Some(first) = python("first_bot.py") else { return };
    let run = passes(&first, "basic");
    assert_eq!(run.report["engine"]["name"], "first_bot");
    // It fails the full level, but each mistake is reported only once.
    let run =
        CheckRun::of(&first, &[&ROOMY[..], &["--only", "moves", "--only", "stopping"]].concat());
    assert_eq!(run.numbers("failed"), [406], "{:#}", run.report);
    assert_eq!(run.code, Some(5));
}

#[test]
fn the_python_example_with_rules_passes_the_full_level() {
    let Some(position) = python("position_bot.py") else { return };
    passes(&position, "full");
}

#[test]
fn the_c_example_passes_the_basic_level() {
    if !are_there(&["cc"], "the check of first_bot.c") {
        return;
    }
    let dir = tempfile::tempdir().expect("a directory");
    let program = dir.path().join("first_bot");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-o"]);
    let compiled = compiler.arg(&program).arg(example("first_bot.c")).output().expect("cc runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = passes(&format!("'{}'", program.display()), "basic");
    assert_eq!(run.report["engine"]["name"], "first_bot in C");
}

#[test]
fn the_javascript_example_passes_the_basic_level() {
    if are_there(&["node"], "the check of first_bot.js") {
        let run = passes(&format!("node '{}'", example("first_bot.js").display()), "basic");
        assert_eq!(run.report["engine"]["name"], "first_bot in JavaScript");
    }
}

#[test]
fn the_rust_example_passes_the_full_level() {
    build_bots();
    let beside = Path::new(env!("CARGO_BIN_EXE_arena")).with_file_name("examples");
    passes(&format!("'{}'", beside.join("rust_bot").display()), "full");
}

/// The code in the guide equals the example files, and so does that in the README.
#[test]
fn the_guide_shows_the_example_files() {
    let guide = include_str!("../../guides/write-your-own-bot.md");
    for (name, text) in [
        ("first_bot.py", include_str!("../../guides/examples/first_bot.py")),
        ("first_bot.c", include_str!("../../guides/examples/first_bot.c")),
        ("first_bot.js", include_str!("../../guides/examples/first_bot.js")),
    ] {
        let (_, code) = text.split_once("\n\n").expect("a comment, and the program");
        assert!(guide.contains(code), "{name} differs from the guide");
        let is_in_readme = include_str!("../../../README.md").contains(code);
        assert_eq!(is_in_readme, name == "first_bot.py", "{name} differs from the README");
    }
}
