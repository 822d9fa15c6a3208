//! Input files given by the user. Only files and pipes are opened, and reading is bounded, so that
//! neither a device nor an endless line uses all memory. Texts are UTF-8; the byte order mark that
//! some editors write before one is skipped here, so that no reader meets it.

use std::fs::{self, File};
use std::io::{self, BufRead, IsTerminal, Read};
use std::path::Path;

use crate::platform;

/// The maximum length of a row of a table or of a game in a text, in bytes.
pub(crate) const MAX_ROW: u64 = 16 << 20;

/// The maximum length of a text that is read as a whole, in bytes: far more than anyone writes by
/// hand.
pub(crate) const MAX_TEXT: u64 = 16 << 20;

/// Opens a file, a pipe or a terminal.
///
/// If it is something else, such as a directory or a device, or cannot be opened.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    let refuse = |what: &str| {
        let why = format!("it is {what}; expected a file or a pipe");
        Err(io::Error::new(io::ErrorKind::InvalidInput, why))
    };
    if kind.is_dir() {
        return refuse("a directory");
    }
    let device = platform::device(kind);
    // Opening some devices has effects, so only one that may be a terminal is opened.
    if let Some(device) = device.filter(|_| !platform::may_be_terminal(kind)) {
        return refuse(device);
    }
    let file = File::open(path)?;
    match device {
        Some(device) if !file.is_terminal() => refuse(device),
        _ => Ok(file),
    }
}

/// An open text without its byte order mark.
#[derive(Debug)]
pub struct Text {
    /// Bytes that are read already.
    begin: Vec<u8>,
    file: File,
}

impl Read for Text {
    /// Fills the buffer as far as the file does, so that a reader sees more than the first bytes when
    /// it looks for the form of a text.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = self.begin.len().min(buffer.len());
        buffer[..taken].copy_from_slice(&self.begin[..taken]);
        self.begin.drain(..taken);
        match self.file.read(&mut buffer[taken..]) {
            Ok(read) => Ok(taken + read),
            // The next call meets the error again.
            Err(_) if taken > 0 => Ok(taken),
            Err(why) => Err(why),
        }
    }
}

/// Opens a text.
///
/// Those of `open`, and if its first bytes show that it is UTF-16 or UTF-32.
pub fn open_text(path: &Path) -> io::Result<Text> {
    Text::begin(open(path)?)
}

impl Text {
    /// Reads the beginning of an open text.
    fn begin(mut file: File) -> io::Result<Text> {
        let mut begin = Vec::new();
        file.by_ref().take(4).read_to_end(&mut begin)?;
        if begin.starts_with(&[0xef, 0xbb, 0xbf]) {
            begin.drain(..3);
        }
        let is_wide = match begin[..] {
            // A mark of either byte order.
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 0, 0xfe, 0xff] => true,
            // The first letter of a text without a mark.
            [first, second, ..] => (first == 0) != (second == 0),
            _ => false,
        };
        if is_wide {
            let why = "it is UTF-16 or UTF-32; save it as UTF-8";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(Text { begin, file })
    }
}

/// Reads a whole text.
///
/// Those of [`open_text`], and if it cannot be read, or is longer than [`MAX_TEXT`].
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_all(open(path)?)
}

/// Reads the whole text of an open file.
///
/// If it cannot be read, or is longer than [`MAX_TEXT`].
pub(crate) fn read_all(file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = Text::begin(file)?.take(MAX_TEXT + 1).read_to_end(&mut bytes)?;
    match read as u64 > MAX_TEXT {
        true => Err(too_long("it", MAX_TEXT)),
        false => Ok(bytes),
    }
}

/// Reads a whole text that must be UTF-8.
///
/// Those of `read`, and if the text is not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not valid UTF-8"))
}

fn too_long(what: &str, most: u64) -> io::Error {
    let why = format!("{what} is longer than {} MiB", most >> 20);
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// The lines of a text without line ends; an error if one is longer than `MAX_TEXT`.
pub fn lines(mut input: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    std::iter::from_fn(move || {
        let mut line = String::new();
        match input.by_ref().take(MAX_TEXT + 1).read_line(&mut line) {
            Ok(0) => None,
            Ok(read) if read as u64 > MAX_TEXT => Some(Err(too_long("a line", MAX_TEXT))),
            Ok(_) => {
                let end = line.trim_end_matches('\n').trim_end_matches('\r').len();
                line.truncate(end);
                Some(Ok(line))
            }
            Err(why) => Some(Err(why)),
        }
    })
}

/// A stream of rows that fails if one is longer than [`MAX_ROW`]. The reader calls
/// [`Rows::next_row`] at the end of each row.
#[derive(Debug)]
pub(crate) struct Rows<R> {
    input: R,
    /// The remaining bytes of the current row.
    left: u64,
}

impl<R> Rows<R> {
    pub(crate) fn new(input: R) -> Rows<R> {
        Rows { input, left: MAX_ROW }
    }

    /// Marks the end of a row.
    pub(crate) fn next_row(&mut self) {
        self.left = MAX_ROW;
    }
}

impl<R: Read> Read for Rows<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(too_long("a row", MAX_ROW)),
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_and_directories_are_not_opened() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.toml");
        fs::write(&path, "text").unwrap();
        assert_eq!(read_to_string(&path).unwrap(), "text");
        let why = |path: &Path| open(path).unwrap_err().to_string();
        assert!(why(dir.path()).contains("a directory"));
        assert!(why(Path::new("/dev/zero")).contains("a device"));
        let sparse = File::create(&path).unwrap();
        sparse.set_len(MAX_TEXT + 1).unwrap();
        assert!(read_to_string(&path).unwrap_err().to_string().contains("16 MiB"));
    }

    #[test]
    fn texts_begin_after_their_byte_order_mark() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            read_to_string(&path).map_err(|why| why.to_string())
        };
        for text in ["", "a", "ab", "abc", "abcdef", "é", "\u{3b1}\u{3b2}", "\u{feff}twice"] {
            assert_eq!(read(text.as_bytes()).as_deref(), Ok(text.trim_start_matches('\u{feff}')));
            assert_eq!(read(format!("\u{feff}{text}").as_bytes()).as_deref(), Ok(text));
        }
        let wide = |text: &str, order: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(order).collect()
        };
        for text in ["\u{feff}a", "\u{feff}", "ab", "a\u{e9}"] {
            for order in [u16::to_le_bytes, u16::to_be_bytes] {
                assert!(
                    read(&wide(text, order)).unwrap_err().contains("save it as UTF-8"),
                    "{text}"
                );
            }
        }
        for text in [b"\xff\xfe\0\0a\0\0\0", b"\0\0\xfe\xff\0\0\0a"] {
            assert!(read(text).unwrap_err().contains("UTF-32"));
        }
        assert!(read(b"ab\xff").unwrap_err().contains("not valid UTF-8"));
    }

    #[test]
    fn the_form_of_a_text_is_seen_at_the_first_look() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        for mark in ["", "\u{feff}"] {
            fs::write(&path, format!("{mark}white,black,result")).unwrap();
            let mut input = io::BufReader::new(open_text(&path).unwrap());
            assert_eq!(input.fill_buf().unwrap(), b"white,black,result");
            // Buffers smaller than what is read already.
            let mut text = open_text(&path).unwrap();
            let mut bytes = Vec::new();
            let mut one = [0];
            while text.read(&mut one).unwrap() > 0 {
                bytes.extend(one);
            }
            assert_eq!(bytes, b"white,black,result");
        }
    }

    #[test]
    fn only_single_rows_are_bounded() {
        let mut rows = Rows::new(io::repeat(b'x'));
        let mut half = vec![0; MAX_ROW as usize / 2];
        for _ in 0..5 {
            rows.read_exact(&mut half).unwrap();
            rows.next_row();
        }
        rows.read_exact(&mut half).unwrap();
        rows.read_exact(&mut half).unwrap();
        assert!(rows.read(&mut half).unwrap_err().to_string().contains("a row is longer"));
    }
}
