//! The scripts of the web pages without a browser: the links between all modules, and what the parts
//! that need no document compute.

use crate::programs;

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_scripts_pass_their_own_tests() {
    if !programs::are_there(&["node"], "the tests of the pages' scripts") {
        return;
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = fs::read_dir(package.join("tests/script")).expect("the tests are there");
    let mut tests: Vec<_> = tests.map(|entry| entry.expect("a file").path()).collect();
    tests.sort();
    assert!(tests.len() >= 2, "{tests:?}");
    for test in tests {
        let output = Command::new("node")
            .arg(&test)
            .args(
                ["pages/src/script", "report/src/html/script", "pages/messages", "report/messages"]
                    .map(|dir| package.join(dir)),
            )
            .output()
            .expect("node runs");
        let [said, complained] =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(output.status.success(), "{}:\n{said}\n{complained}", test.display());
    }
}
