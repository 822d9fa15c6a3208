//! The files of a results directory. A directory may come from others, so only regular files are opened in
//! it: a link leads anywhere, and a pipe may never end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, Read};
use std::path::Path;

use crate::platform;

/// The maximum length of a line of a journal in bytes: far more than the longest game.
const MAX_LINE: u64 = 64 << 20;

/// The maximum length of a file that is read as a whole in bytes: far more than the largest report.
const MAX_FILE: u64 = 512 << 20;

/// Fails unless a path is a file.
///
/// # Errors
/// Returns an error if it is missing or something else, such as a link.
pub fn check(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path)?.is_file() {
        true => Ok(()),
        false => {
            let why = "it is not a file but a link, a pipe or the like";
            Err(io::Error::new(io::ErrorKind::InvalidInput, why))
        }
    }
}

/// Opens a file to read it.
///
/// # Errors
/// Those of [`check`], and if it cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    check(path)?;
    options().read(true).open(path)
}

/// Reads a whole file.
///
/// # Errors
/// Those of [`open`], and if it cannot be read or is far too long.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MAX_FILE {
        true => Err(too_long("it", MAX_FILE)),
        false => Ok(bytes),
    }
}

/// Options that open no link.
pub fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    platform::open_no_link(&mut options);
    options
}

/// Reads a line of a journal with its end, and returns its length; 0 at the end of the file.
pub(super) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let read = input.by_ref().take(MAX_LINE + 1).read_until(b'\n', line)?;
    match read as u64 > MAX_LINE {
        true => Err(too_long("a line", MAX_LINE)),
        false => Ok(read),
    }
}

fn too_long(what: &str, most: u64) -> io::Error {
    let why = format!("{what} is longer than {} MiB", most >> 20);
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_bounded() {
        let mut line = Vec::new();
        let mut endless = io::BufReader::new(io::repeat(0));
        let error = read_line(&mut endless, &mut line).unwrap_err();
        assert!(error.to_string().contains("64 MiB"), "{error}");
        assert!(line.len() as u64 <= MAX_LINE + 1);
        line.clear();
        assert_eq!(read_line(&mut &b"ab\nc"[..], &mut line).unwrap(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_are_not_opened() {
        let dir = tempfile::tempdir().unwrap();
        let [file, link, pipe] = ["file", "link", "pipe"].map(|name| dir.path().join(name));
        fs::write(&file, "text").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        assert_eq!(read(&file).unwrap(), b"text");
        for other in [&link, &pipe] {
            assert!(read(other).unwrap_err().to_string().contains("not a file"));
        }
        assert!(options().write(true).create(true).open(&link).is_err());
        assert_eq!(fs::read(&file).unwrap(), b"text");
    }
}
