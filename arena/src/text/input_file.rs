//! Files that a person names: opened if they are files or pipes, and read with a bound, so that
//! neither a device nor an endless line takes all memory.

use std::fs::{self, File};
use std::io::{self, BufRead, IsTerminal, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// The longest row of a table, and the longest game of a text, that is read, in bytes.
pub(crate) const LONGEST_ROW: u64 = 16 << 20;

/// The longest text that is read as a whole, in bytes: far more than anybody writes by hand.
pub(crate) const LONGEST_TEXT: u64 = 16 << 20;

/// Opens a file, a pipe or a terminal.
///
/// # Errors
/// When it is something else, as a directory or a device, or cannot be opened.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    let refuse = |what: &str| {
        let why = format!("it is {what}; expected a file or a pipe");
        Err(io::Error::new(io::ErrorKind::InvalidInput, why))
    };
    if kind.is_dir() {
        return refuse("a directory");
    }
    if kind.is_block_device() || kind.is_socket() {
        return refuse("a device or a socket");
    }
    let file = File::open(path)?;
    if kind.is_char_device() && !file.is_terminal() {
        return refuse("a device");
    }
    Ok(file)
}

/// Reads a whole text.
///
/// # Errors
/// When it cannot be opened or read, or is longer than [`LONGEST_TEXT`].
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(LONGEST_TEXT + 1).read_to_end(&mut bytes)?;
    match read as u64 > LONGEST_TEXT {
        true => Err(too_long("it", LONGEST_TEXT)),
        false => Ok(bytes),
    }
}

/// The same of a text that has to be UTF-8.
///
/// # Errors
/// Those of [`read`], and where it is not.
pub(crate) fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

fn too_long(what: &str, most: u64) -> io::Error {
    let why = format!("{what} is longer than {} MiB", most >> 20);
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// The lines of a text without their ends; an error where one is longer than [`LONGEST_TEXT`].
pub(crate) fn lines(mut input: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    std::iter::from_fn(move || {
        let mut line = String::new();
        match input.by_ref().take(LONGEST_TEXT + 1).read_line(&mut line) {
            Ok(0) => None,
            Ok(read) if read as u64 > LONGEST_TEXT => Some(Err(too_long("a line", LONGEST_TEXT))),
            Ok(_) => {
                let end = line.trim_end_matches('\n').trim_end_matches('\r').len();
                line.truncate(end);
                Some(Ok(line))
            }
            Err(why) => Some(Err(why)),
        }
    })
}

/// A stream of rows that fails when one is longer than [`LONGEST_ROW`]. Its reader says with
/// [`Rows::next_row`] when a row has come to its end.
#[derive(Debug)]
pub(crate) struct Rows<R> {
    input: R,
    /// Bytes the present row may still have.
    left: u64,
}

impl<R> Rows<R> {
    pub(crate) fn new(input: R) -> Rows<R> {
        Rows { input, left: LONGEST_ROW }
    }

    /// A row has ended.
    pub(crate) fn next_row(&mut self) {
        self.left = LONGEST_ROW;
    }
}

impl<R: Read> Read for Rows<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(too_long("a row", LONGEST_ROW)),
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_opened_and_devices_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.toml");
        fs::write(&path, "text").unwrap();
        assert_eq!(read_to_string(&path).unwrap(), "text");
        let why = |path: &Path| open(path).unwrap_err().to_string();
        assert!(why(dir.path()).contains("a directory"));
        assert!(why(Path::new("/dev/zero")).contains("a device"));
        let sparse = File::create(&path).unwrap();
        sparse.set_len(LONGEST_TEXT + 1).unwrap();
        assert!(read_to_string(&path).unwrap_err().to_string().contains("16 MiB"));
    }

    #[test]
    fn rows_are_bounded_each_and_not_together() {
        let mut rows = Rows::new(io::repeat(b'x'));
        let mut half = vec![0; LONGEST_ROW as usize / 2];
        for _ in 0..5 {
            rows.read_exact(&mut half).unwrap();
            rows.next_row();
        }
        rows.read_exact(&mut half).unwrap();
        rows.read_exact(&mut half).unwrap();
        assert!(rows.read(&mut half).unwrap_err().to_string().contains("a row is longer"));
    }
}
