//! The arrows of the package: rules <- messages, and neither does input or output.

mod sources;

use sources::forbid;

#[test]
fn the_rules_know_nothing_but_themselves() {
    forbid("src/rules", &[], &["crate::messages", "super::super::messages"]);
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
