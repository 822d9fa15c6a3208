//! The reasons why a file that exists cannot be executed, for its author.
//!
//! The system reports most of them as "No such file or directory", although it is not the file that
//! is missing, but the interpreter or loader that it names.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::errno::Errno;

use super::launch_spec::LaunchSpec;
use crate::not_started::{NotStarted, Stage};
use crate::supervisor_message::SupervisorMessage;

/// The bytes at the beginning of a file by which the system chooses how to execute it.
const HEAD: usize = 256;

/// A program in the format of macOS, which there is one for another processor.
const OF_MACOS: &str = match cfg!(target_os = "macos") {
    true => "a program for another processor",
    false => "a program for macOS",
};

/// The maximum number of interpreters that are executed by interpreters.
const MOST_INTERPRETERS: usize = 4;

/// The maximum length of a shown line, in characters.
const MAX_SHOWN: usize = 80;

/// The exit codes of a program that was told to execute another and could not.
const NOT_EXECUTED: [i32; 2] = [126, 127];

/// The directories that are searched if there is no `PATH`.
const NO_PATH: &str = "/bin:/usr/bin";

/// The failure to execute a program, with the reason if it is in the file.
pub(crate) fn not_executed(program: &Path, errno: Errno) -> NotStarted {
    let why = NotStarted::at(Stage::Exec)(errno);
    match reason(program, MOST_INTERPRETERS) {
        Some(reason) if !why.is_ours() => why.on(reason),
        _ => why,
    }
}

/// The message about an engine that exited with a code. If it is a script for `env` that cannot
/// have begun, because there is no program of that name, it was not started.
pub(crate) fn exited(code: i32, spec: &LaunchSpec) -> SupervisorMessage {
    let reason = NOT_EXECUTED.contains(&code).then(|| reason_of_env(spec)).flatten();
    match reason {
        Some(reason) => {
            SupervisorMessage::NotStarted(NotStarted::at(Stage::Exec)(Errno::ENOENT).on(reason))
        }
        None => SupervisorMessage::Exited(code),
    }
}

/// The reason why a file cannot be executed; `None` if nothing is wrong with it, or if it cannot be
/// examined.
fn reason(path: &Path, interpreters: usize) -> Option<String> {
    let data = fs::metadata(path).ok()?;
    if !data.is_file() {
        return Some(
            if data.is_dir() { "it is a directory" } else { "it is not a file" }.to_owned(),
        );
    }
    if data.mode() & 0o111 == 0 {
        return Some(format!("it is not executable: run `chmod +x {}`", path.display()));
    }
    if is_mounted_without_programs(path) {
        return Some("it is on a file system that is mounted with `noexec`".to_owned());
    }
    let file = File::open(path).ok()?;
    let head = head_of(&file)?;
    match &*head {
        [] => Some("it is empty".to_owned()),
        [b'#', b'!', ..] => reason_of_script(&head, path, interpreters),
        #[cfg(target_os = "linux")]
        [0x7f, b'E', b'L', b'F', ..] => reason_of_elf(&file, interpreters),
        [0xef, 0xbb, 0xbf, b'#', b'!', ..] => {
            Some("a byte order mark precedes its `#!`: save the file without one".to_owned())
        }
        head => foreign(head).map(|kind| format!("it is {kind}, which this system cannot run")),
    }
}

/// The beginning of a file.
fn head_of(file: &File) -> Option<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD);
    file.take(HEAD as u64).read_to_end(&mut head).ok()?;
    Some(head)
}

#[cfg(target_os = "linux")]
fn is_mounted_without_programs(path: &Path) -> bool {
    use rustix::fs::{StatVfsMountFlags, statvfs};
    statvfs(path).is_ok_and(|system| system.f_flag.contains(StatVfsMountFlags::NOEXEC))
}

/// This system does not tell.
#[cfg(not(target_os = "linux"))]
fn is_mounted_without_programs(_: &Path) -> bool {
    false
}

/// The kind of a file for another system; `None` if it is unknown.
fn foreign(head: &[u8]) -> Option<&'static str> {
    match head {
        [0x7f, b'E', b'L', b'F', ..] => Some("a program for Linux or a similar system"),
        [b'M', b'Z', ..] => Some("a program for Windows"),
        [0xfe, 0xed, 0xfa, 0xce | 0xcf, ..] | [0xce | 0xcf, 0xfa, 0xed, 0xfe, ..] => Some(OF_MACOS),
        // Two formats begin alike. The next number counts processors in one, and is a version of
        // Java, from 45 on, in the other.
        [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, ..45, ..] => Some(OF_MACOS),
        [0xca, 0xfe, 0xba, 0xbe, ..] => {
            Some("a class of Java (`command = \"java\"` with the class in `args`)")
        }
        [b'P', b'K', 3, 4, ..] => {
            Some("an archive (for a jar, `command = \"java\"` and `args = [\"-jar\", …]`)")
        }
        [0, b'a', b's', b'm', ..] => Some("a WebAssembly module"),
        _ => None,
    }
}

/// The first line of a script as the system reads it: without `#!` and outer blanks. `None` if it
/// is longer than the system reads.
fn first_line(head: &[u8]) -> Option<&[u8]> {
    let line = head.strip_prefix(b"#!")?;
    match line.iter().position(|&byte| byte == b'\n') {
        Some(end) => Some(trimmed(&line[..end])),
        // A file may end without a line end.
        None if head.len() < HEAD => Some(trimmed(line)),
        // What follows the interpreter may be cut off.
        None => Some(trimmed(line)).filter(|line| line.iter().any(is_blank)),
    }
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A line without blanks at both ends; the system does not count a carriage return among them.
fn trimmed(line: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| !is_blank(byte);
    let begin = line.iter().position(is_text).unwrap_or(line.len());
    let end = line.iter().rposition(is_text).map_or(begin, |last| last + 1);
    &line[begin..end]
}

/// The interpreter in a first line, and the rest of the line.
fn interpreter(line: &[u8]) -> (&Path, &[u8]) {
    let end = line.iter().position(is_blank).unwrap_or(line.len());
    (Path::new(OsStr::from_bytes(&line[..end])), trimmed(&line[end..]))
}

fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line).escape_debug().to_string();
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("`#!{}…`", &text[..end]),
        None => format!("`#!{text}`"),
    }
}

fn ends_like_windows(line: &[u8], path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).display();
    format!(
        "its first line {} ends with a Windows line end (CR LF): save the file with Unix line ends, as \
         by `sed -i 's/\\r$//' {name}`",
        shown(line)
    )
}

fn reason_of_script(head: &[u8], path: &Path, interpreters: usize) -> Option<String> {
    let Some(line) = first_line(head) else {
        return Some(format!(
            "its first line is longer than the {HEAD} bytes that the system reads"
        ));
    };
    let (program, _) = interpreter(line);
    let bytes = program.as_os_str().as_bytes();
    if bytes.ends_with(b"\r") {
        return Some(ends_like_windows(line, path));
    }
    let line = shown(line);
    if bytes.is_empty() {
        return Some(format!("its first line {line} names no interpreter"));
    }
    let name = program.display();
    if fs::symlink_metadata(program).is_err_and(|why| why.kind() == io::ErrorKind::NotFound) {
        return Some(format!(
            "its first line {line} names an interpreter that does not exist: {name}"
        ));
    }
    let Some(fewer) = interpreters.checked_sub(1) else {
        return Some(format!("its first line {line} names one script too many"));
    };
    match reason(program, fewer) {
        Some(reason) => Some(format!("its first line {line} names {name}, but {reason}")),
        None if fs::metadata(program).is_err() => {
            Some(format!("its first line {line} names {name}, which cannot be reached"))
        }
        None => None,
    }
}

/// Returns the fault of a script for `env`; `None` for another program, or if the program it asks
/// for is there.
fn reason_of_env(spec: &LaunchSpec) -> Option<String> {
    let head = head_of(&File::open(&spec.program).ok()?)?;
    let line = first_line(&head)?;
    let (env, rest) = interpreter(line);
    if env.file_name() != Some(OsStr::new("env")) {
        return None;
    }
    let name = asked_for(rest)?;
    if name.ends_with(b"\r") {
        return Some(ends_like_windows(line, &spec.program));
    }
    let path = Path::new(OsStr::from_bytes(name));
    let search = spec.env.iter().rev().find(|(variable, _)| variable == "PATH");
    let search = search.map_or(OsStr::new(NO_PATH), |(_, value)| value);
    let places: Vec<PathBuf> = match name.contains(&b'/') {
        true => vec![spec.dir.join(path)],
        false => std::env::split_paths(search).map(|dir| spec.dir.join(dir).join(path)).collect(),
    };
    let found = places.iter().find(|place| place.exists());
    let (line, name) = (shown(line), String::from_utf8_lossy(name).escape_debug().to_string());
    match found {
        Some(found) => {
            let reason = reason(found, MOST_INTERPRETERS)?;
            Some(format!("its first line {line} asks for {}, but {reason}", found.display()))
        }
        None if name.contains(' ') => Some(format!(
            "its first line {line} asks `env` for a program called `{name}`: with arguments it must \
             be `env -S`"
        )),
        None => Some(format!(
            "its first line {line} asks for `{name}`, which is in no directory of the engine's PATH: {}",
            search.display()
        )),
    }
}

/// The program that `env` is asked for by the rest of a first line. The system passes that as one
/// argument, which `-S` makes `env` split.
fn asked_for(rest: &[u8]) -> Option<&[u8]> {
    let Some(split) = rest.strip_prefix(b"-S") else {
        return (!rest.is_empty() && !rest.starts_with(b"-")).then_some(rest);
    };
    let mut words = split.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    // Variables come first. Options of `env` are not examined.
    words.find(|word| !word.contains(&b'=')).filter(|word| !word.starts_with(b"-"))
}

#[cfg(target_os = "linux")]
fn reason_of_elf(file: &File, interpreters: usize) -> Option<String> {
    use super::elf::{Elf, Kind};
    let program = Elf::read(file).ok()?;
    match program.kind() {
        Kind::Object => return Some("it is an object file, which has not been linked".to_owned()),
        Kind::CoreDump => return Some("it is the core dump of a program".to_owned()),
        Kind::Program => {}
    }
    match program.loader(file) {
        Ok(Some(loader)) if fs::metadata(&loader).is_err() => {
            return Some(format!(
                "it needs the loader {}, which does not exist: it was built for another system or C \
                 library",
                loader.display()
            ));
        }
        Ok(Some(loader)) if interpreters > 0 => {
            if let Some(reason) = reason(&loader, 0) {
                return Some(format!("it needs the loader {}, but {reason}", loader.display()));
            }
        }
        Ok(_) => {}
        Err(_) => return Some("it is a program that has been cut short".to_owned()),
    }
    let own = Elf::read(&File::open("/proc/self/exe").ok()?).ok()?;
    let [theirs, ours] = [&program, &own].map(Elf::machine_name);
    (program.machine() != own.machine())
        .then(|| format!("it is a program for {theirs}, and this machine is {ours}"))
}
