//! `arena check` as authors of engines run it: good engines pass, and whoever has made one of the
//! usual mistakes is told which.
//!
//! The engines that make them are a few lines of shell ([`bad`]), one mistake each.

mod bad;
#[path = "../common/bots.rs"]
mod bots;
mod examples;
mod good;
mod mistakes;
#[path = "../common/programs.rs"]
mod programs;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Patience for a machine that has other things to do; a few positions of every kind.
const ROOMY: [&str; 6] = ["--timeout", "60s", "--margin", "5s", "--positions", "4"];

/// Runs `arena check` with some arguments.
fn check(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.arg("check").args(args).output().expect("the arena runs")
}

/// What came of a check, told as JSON.
struct Told {
    code: Option<i32>,
    report: Value,
}

impl Told {
    fn of(engine: &str, args: &[&str]) -> Told {
        let output = check(&[&[engine, "--json"], args].concat());
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let report = serde_json::from_str(&text).unwrap_or_else(|why| {
            panic!("{why}: {text}{}", String::from_utf8_lossy(&output.stderr))
        });
        Told { code: output.status.code(), report }
    }

    fn checks(&self) -> &[Value] {
        self.report["checks"].as_array().expect("checks")
    }

    /// The numbers of the checks that ended this way.
    fn numbers(&self, verdict: &str) -> Vec<u64> {
        let ended = self.checks().iter().filter(|check| check["verdict"] == verdict);
        ended.map(|check| check["number"].as_u64().expect("a number")).collect()
    }

    /// Everything that was told about one check.
    fn check(&self, number: u64) -> &Value {
        let found = self.checks().iter().find(|check| check["number"] == number);
        found.unwrap_or_else(|| panic!("no check {number}"))
    }
}

/// Where an example of the guides lies.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("guides/examples").join(name)
}

/// The command line of an example in Python; `None`, and a word, where there is no interpreter.
fn python(name: &str) -> Option<String> {
    let there = programs::are_there(&["python3"], &format!("the check of {name}"));
    there.then(|| format!("python3 '{}'", example(name).display()))
}
