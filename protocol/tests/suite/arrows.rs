//! The dependencies between the package's modules: `messages` uses `rules`, no modules depend on
//! each other in a circle, and neither folder does input or output.

use crate::modules::Modules;
use crate::sources::{self, forbid};

fn modules() -> Modules {
    let sources = sources::texts("src");
    Modules::read(sources.iter().map(|(name, text)| (name.as_str(), text.as_str())))
}

#[test]
fn modules_have_no_circular_dependencies() {
    let circles = modules().circles();
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn the_rules_use_only_themselves() {
    let modules = modules();
    assert_eq!(Vec::from_iter(modules.rooms()), ["messages", "rules", "text_serde"]);
    let arrows = modules.between_rooms();
    let arrows: Vec<_> = arrows.keys().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    assert_eq!(
        arrows,
        [("messages", "rules"), ("text_serde", "messages"), ("text_serde", "rules")]
    );
}

#[test]
fn the_package_does_no_input_or_output_and_reads_no_clock() {
    let words = ["std::io", "std::fs", "std::net", "std::process", "std::time", "std::thread"];
    forbid("src", &[], &words);
    forbid("src", &[], &["println!", "print!", "dbg!", "rand::"]);
}

#[test]
fn unsafe_code_is_in_one_place() {
    forbid("src", &["rules/bits.rs"], &["unsafe {", "unsafe fn"]);
}
