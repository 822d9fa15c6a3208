//! The package is pure computation, and its modules do not use each other in a circle.

use crate::modules::Modules;
use crate::sources;

#[test]
fn there_are_no_files_clocks_or_output() {
    sources::forbid("src", &[], &["std::fs", "std::io", "std::time", "std::env", "println!"]);
}

#[test]
fn no_modules_use_each_other_in_a_circle() {
    let texts = sources::texts("src");
    let texts = texts.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let circles = Modules::read(texts).circles();
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}
