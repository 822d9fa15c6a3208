//! The reasons why a file that exists cannot be executed, for its author.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::not_started::{NotStarted, Stage};

/// The failure to execute a program, with the reason if it is in the file.
pub(crate) fn not_executed(program: &Path, why: io::Error) -> NotStarted {
    let why = NotStarted::at(Stage::Exec)(why);
    match reason(program) {
        Some(reason) if !why.is_ours() => why.on(reason),
        _ => why,
    }
}

/// The reason why a file is no program; `None` if nothing is known to be wrong with it.
fn reason(path: &Path) -> Option<String> {
    if path.is_dir() {
        return Some("it is a directory".to_owned());
    }
    let mut head = Vec::new();
    File::open(path).ok()?.take(4).read_to_end(&mut head).ok()?;
    let kind = match &head[..] {
        [] => return Some("it is empty".to_owned()),
        [0x7f, b'E', b'L', b'F'] => "a program for Linux",
        [0xfe, 0xed, 0xfa, _] | [0xcf | 0xce, 0xfa, 0xed, 0xfe] => "a program for macOS",
        [b'#', b'!', ..] => {
            "a script: give its interpreter as the command, as in `command = \"python\"`, and the \
             script in `args`"
        }
        [b'P', b'K', 3, 4] => {
            "an archive (for a jar, `command = \"java\"` and `args = [\"-jar\", …]`)"
        }
        _ => return None,
    };
    Some(format!("it is {kind}"))
}
