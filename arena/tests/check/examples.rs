//! The bots of the guides, in every language, pass what they are made for.

use std::path::Path;
use std::process::Command;

use crate::bots::build_bots;
use crate::programs::are_there;
use crate::{ROOMY, Told, example, python};

/// Has an engine pass a level; gives what was told.
fn passes(engine: &str, level: &str) -> Told {
    let told = Told::of(engine, &[&ROOMY[..], &["--level", level]].concat());
    assert_eq!(told.numbers("failed"), [0_u64; 0], "{engine}: {:#}", told.report);
    assert_eq!(told.code, Some(0), "{engine}");
    told
}

#[test]
fn ten_lines_of_python_pass_the_basic_level() {
    let Some(first) = python("first_bot.py") else { return };
    let told = passes(&first, "basic");
    assert_eq!(told.report["engine"]["name"], "first_bot");
    // Above that it fails, but is not reproached with the same thing again and again.
    let told = Told::of(&first, &[&ROOMY[..], &["--only", "moves", "--only", "stopping"]].concat());
    assert_eq!(told.numbers("failed"), [406], "{:#}", told.report);
    assert_eq!(told.code, Some(5));
}

#[test]
fn a_bot_in_python_that_knows_the_rules_passes_the_whole_page() {
    let Some(position) = python("position_bot.py") else { return };
    passes(&position, "full");
}

#[test]
fn the_same_lines_of_c_pass_the_basic_level() {
    if !are_there(&["cc"], "the check of first_bot.c") {
        return;
    }
    let dir = tempfile::tempdir().expect("a directory");
    let program = dir.path().join("first_bot");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-o"]);
    let compiled = compiler.arg(&program).arg(example("first_bot.c")).output().expect("cc runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let told = passes(&format!("'{}'", program.display()), "basic");
    assert_eq!(told.report["engine"]["name"], "first_bot in C");
}

#[test]
fn the_same_lines_of_javascript_pass_the_basic_level() {
    if are_there(&["node"], "the check of first_bot.js") {
        let told = passes(&format!("node '{}'", example("first_bot.js").display()), "basic");
        assert_eq!(told.report["engine"]["name"], "first_bot in JavaScript");
    }
}

#[test]
fn a_bot_in_rust_on_our_crate_passes_the_whole_page() {
    build_bots();
    let beside = Path::new(env!("CARGO_BIN_EXE_arena")).with_file_name("examples");
    passes(&format!("'{}'", beside.join("rust_bot").display()), "full");
}

/// What the guide shows of an example is what it says.
#[test]
fn the_guide_shows_the_examples_as_they_are() {
    let guide = include_str!("../../guides/write-your-own-bot.md");
    for (name, text) in [
        ("first_bot.py", include_str!("../../guides/examples/first_bot.py")),
        ("first_bot.c", include_str!("../../guides/examples/first_bot.c")),
        ("first_bot.js", include_str!("../../guides/examples/first_bot.js")),
    ] {
        let (_, code) = text.split_once("\n\n").expect("a comment, and the program");
        assert!(guide.contains(code), "{name} differs from the guide");
    }
}
