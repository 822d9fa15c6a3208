//! Tests of `arena check` with engines that pass, and with engines that make one of the usual
//! mistakes and must get the right hint.
//!
//! The engines with mistakes are a few lines of shell ([`bad`]), one mistake each.

mod bad;
mod examples;
mod good;
mod mistakes;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::programs;

/// Options for a busy machine: long timeouts and few positions of every kind.
const ROOMY: [&str; 6] = ["--timeout", "60s", "--margin", "5s", "--positions", "4"];

/// Runs `arena check` with some arguments.
fn check(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.arg("check").args(args).output().expect("the arena runs")
}

/// The JSON report of a run.
struct CheckRun {
    code: Option<i32>,
    report: Value,
}

impl CheckRun {
    fn of(engine: &str, args: &[&str]) -> CheckRun {
        let output = check(&[&[engine, "--json"], args].concat());
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let report = serde_json::from_str(&text).unwrap_or_else(|why| {
            panic!("{why}: {text}{}", String::from_utf8_lossy(&output.stderr))
        });
        CheckRun { code: output.status.code(), report }
    }

    fn checks(&self) -> &[Value] {
        self.report["checks"].as_array().expect("checks")
    }

    /// The numbers of the checks with this verdict.
    fn numbers(&self, verdict: &str) -> Vec<u64> {
        let ended = self.checks().iter().filter(|check| check["verdict"] == verdict);
        ended.map(|check| check["number"].as_u64().expect("a number")).collect()
    }

    /// The report of one check.
    fn check(&self, number: u64) -> &Value {
        let found = self.checks().iter().find(|check| check["number"] == number);
        found.unwrap_or_else(|| panic!("no check {number}"))
    }
}

/// The path of an example of the guides.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("guides/examples").join(name)
}

/// The command line of an example in Python; `None`, with a note, without an interpreter.
fn python(name: &str) -> Option<String> {
    let there = programs::are_there(&["python3"], &format!("the check of {name}"));
    there.then(|| format!("python3 '{}'", example(name).display()))
}
