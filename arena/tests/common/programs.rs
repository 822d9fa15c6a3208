//! Programs of other projects that tests use where they are there.

use std::io::{Write, stderr};
use std::process::{Command, Stdio};

/// Whether every one of these programs is on PATH. Where one is not, it is said what has not been
/// run, also by a test that passes: the words do not go through what captures a test's output.
pub(crate) fn are_there(programs: &[&str], what: &str) -> bool {
    let missing = programs.iter().find(|program| !is_there(program));
    if let Some(missing) = missing {
        // If standard error is closed, the note is dropped.
        let _ = writeln!(stderr(), "NOT RUN: {what}: there is no {missing} on PATH");
    }
    missing.is_none()
}

fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok()
}
