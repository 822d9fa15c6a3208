//! The common form of files: a header, which names the format and its version, and a payload.
//!
//! A header is a JSON object. Its first fields are `format` and `version`, the others are those of
//! the format. A [`Format`] says where in the file the header is, and writes and reads it. Its
//! errors say what the file is, what is wrong with it, and what to do about it.
//!
//! ```
//! use fanorona_endgames::file_format::{Format, FormatProblem, Layout};
//! use serde::{Deserialize, Serialize};
//!
//! const FORMAT: Format = Format {
//!     name: "fanorona-example",
//!     version: 1,
//!     layout: Layout::Line,
//!     noun: "an example",
//!     remedy: "write it again",
//! };
//!
//! #[derive(Serialize, Deserialize)]
//! struct Header {
//!     games: u32,
//! }
//!
//! let mut bytes = FORMAT.header(&Header { games: 7 });
//! assert_eq!(bytes, b"{\"format\":\"fanorona-example\",\"version\":1,\"games\":7}\n");
//! bytes.extend(b"payload");
//! let (header, payload) = FORMAT.read::<Header>(&bytes)?;
//! assert_eq!((header.games, payload), (7, &b"payload"[..]));
//!
//! let error = FORMAT.read::<Header>(b"something else\n").err().unwrap();
//! assert_eq!(error.problem, FormatProblem::Foreign);
//! assert_eq!(error.to_string(), "not an example: write it again");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::io::{self, BufRead, Read};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The maximum length of a header in bytes.
const MAX_HEADER: usize = 1 << 16;

/// Bytes of a seal: the CRC-32 of a header as eight hexadecimal digits, and a newline.
const SEAL: usize = 9;

/// A file format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name in the header.
    pub name: &'static str,
    /// The version, the only one that is read.
    pub version: u32,
    /// The place of the header.
    pub layout: Layout,
    /// A file of this format, like `an endgame table`.
    pub noun: &'static str,
    /// The advice for a user whose file cannot be used, like `build the table again`.
    pub remedy: &'static str,
}

/// The place of a header in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// The whole file; there is no payload.
    Whole,
    /// The first line.
    Line,
    /// The first line. The second line is its seal: its CRC-32 as eight hexadecimal digits.
    SealedLine,
    /// The first bytes of the file, this many. Blanks fill the page up to its seal, which is the
    /// CRC-32 of everything before it as eight hexadecimal digits, and a newline.
    SealedPage(usize),
}

/// The reason why a file does not have its format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct FormatError {
    noun: &'static str,
    remedy: &'static str,
    /// The reason.
    pub problem: FormatProblem,
}

/// The deviation of a file from its format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatProblem {
    /// The file has another format.
    Foreign,
    /// The format has another version.
    Version {
        /// The version of the file.
        found: u64,
        /// The version that this program reads.
        known: u32,
    },
    /// The file ends within its header.
    Truncated,
    /// The length is wrong.
    Length {
        /// The length of the file in bytes.
        found: u64,
        /// The length according to the header.
        expected: u64,
    },
    /// A part does not fit its checksum, or has invalid content.
    Damaged {
        /// The part, like `header`.
        part: String,
    },
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FormatError { noun, remedy, problem } = self;
        match problem {
            FormatProblem::Foreign => write!(f, "not {noun}"),
            FormatProblem::Version { found, known } => {
                write!(f, "{noun} of version {found}, but this program reads version {known}")
            }
            FormatProblem::Truncated => write!(f, "{noun} that ends within its header"),
            FormatProblem::Length { found, expected } => {
                write!(f, "{noun} of {found} bytes instead of {expected}")
            }
            FormatProblem::Damaged { part } => write!(f, "{noun} whose {part} is damaged"),
        }?;
        write!(f, ": {remedy}")
    }
}

/// A header as it is written.
#[derive(Serialize)]
struct Tagged<'f, F> {
    format: &'f str,
    version: u32,
    #[serde(flatten)]
    fields: &'f F,
}

impl Format {
    /// The header with these fields.
    ///
    /// # Panics
    /// Panics when the fields are not a JSON object or exceed the page of [`Layout::SealedPage`].
    pub fn header(&self, fields: &impl Serialize) -> Vec<u8> {
        let tagged = Tagged { format: self.name, version: self.version, fields };
        let mut bytes = serde_json::to_vec(&tagged).expect("a header is plain data");
        match self.layout {
            Layout::Whole => {}
            Layout::Line => bytes.push(b'\n'),
            Layout::SealedLine => {
                let seal = seal(&bytes);
                bytes.push(b'\n');
                bytes.extend(seal);
            }
            Layout::SealedPage(length) => {
                assert!(bytes.len() + SEAL <= length, "the header fits its page");
                bytes.resize(length - SEAL, b' ');
                bytes.extend(seal(&bytes));
            }
        }
        bytes
    }

    /// Reads the header of a file with these bytes: its fields, and the payload after it.
    ///
    /// # Errors
    /// Fails when the header is not one of this format and version, or is incomplete or damaged.
    pub fn read<'b, F: DeserializeOwned>(
        &self,
        bytes: &'b [u8],
    ) -> Result<(F, &'b [u8]), FormatError> {
        let Some((text, payload)) = self.split(bytes) else {
            let begin = format!("{{\"format\":\"{}\"", self.name);
            return Err(self.error(match bytes.starts_with(begin.as_bytes()) {
                true => FormatProblem::Truncated,
                false => FormatProblem::Foreign,
            }));
        };
        let foreign = || self.error(FormatProblem::Foreign);
        let mut object: Map<String, Value> = serde_json::from_slice(text).map_err(|_| foreign())?;
        if object.remove("format").is_none_or(|format| format != self.name) {
            return Err(foreign());
        }
        let version = object.remove("version").and_then(|version| version.as_u64());
        let damaged = || self.damaged("header");
        match version.ok_or_else(damaged)? {
            found if found == u64::from(self.version) => {}
            found => {
                let known = self.version;
                return Err(self.error(FormatProblem::Version { found, known }));
            }
        }
        let payload = match self.layout {
            Layout::Whole | Layout::Line => payload,
            Layout::SealedLine | Layout::SealedPage(_) => {
                payload.strip_prefix(&seal(text)).ok_or_else(damaged)?
            }
        };
        let fields = F::deserialize(Value::Object(object)).map_err(|_| damaged())?;
        Ok((fields, payload))
    }

    /// Reads the header of a stream, which is a [`Layout::Line`]: its fields, and its length in
    /// bytes.
    ///
    /// # Errors
    /// Fails when the stream cannot be read, or as [`Format::read`].
    pub fn read_line<F: DeserializeOwned, E: From<FormatError> + From<io::Error>>(
        &self,
        input: &mut impl BufRead,
    ) -> Result<(F, u64), E> {
        let mut line = Vec::new();
        input.take(MAX_HEADER as u64).read_until(b'\n', &mut line)?;
        let (fields, _) = self.read(&line)?;
        Ok((fields, line.len() as u64))
    }

    /// The bytes of the header without its seal, and those after them. `None` if the file ends
    /// before.
    fn split<'b>(&self, bytes: &'b [u8]) -> Option<(&'b [u8], &'b [u8])> {
        match self.layout {
            Layout::Whole => Some((bytes, &[])),
            Layout::Line | Layout::SealedLine => {
                let end = bytes.iter().take(MAX_HEADER).position(|&byte| byte == b'\n')?;
                Some((&bytes[..end], &bytes[end + 1..]))
            }
            Layout::SealedPage(length) => {
                (bytes.len() >= length).then(|| bytes.split_at(length - SEAL))
            }
        }
    }

    /// The error of a file with this problem.
    pub fn error(&self, problem: FormatProblem) -> FormatError {
        FormatError { noun: self.noun, remedy: self.remedy, problem }
    }

    /// The error of a file of which this part is damaged.
    pub fn damaged(&self, part: impl Into<String>) -> FormatError {
        self.error(FormatProblem::Damaged { part: part.into() })
    }

    /// Compares a payload with its CRC-32 in the header.
    ///
    /// # Errors
    /// Fails when they differ.
    pub fn check(&self, payload: &[u8], checksum: u32) -> Result<(), FormatError> {
        match crc32fast::hash(payload) == checksum {
            true => Ok(()),
            false => Err(self.damaged("payload")),
        }
    }
}

/// The seal of a header.
fn seal(header: &[u8]) -> [u8; SEAL] {
    let text = format!("{:08x}\n", crc32fast::hash(header));
    text.into_bytes().try_into().expect("eight digits and a newline")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
    struct Fields {
        board: String,
        numbers: u64,
    }

    fn fields() -> Fields {
        Fields { board: "9x5".to_owned(), numbers: 7 }
    }

    fn format(layout: Layout) -> Format {
        Format { name: "fanorona-test", version: 3, layout, noun: "a test", remedy: "stop" }
    }

    const LAYOUTS: [Layout; 4] =
        [Layout::Whole, Layout::Line, Layout::SealedLine, Layout::SealedPage(100)];

    #[test]
    fn headers_have_their_layout() {
        let json = r#"{"format":"fanorona-test","version":3,"board":"9x5","numbers":7}"#;
        let page = format!("{json:91}");
        let seal = |text: &str| format!("{:08x}\n", crc32fast::hash(text.as_bytes()));
        for (layout, expected) in LAYOUTS.into_iter().zip([
            json.to_owned(),
            format!("{json}\n"),
            format!("{json}\n{}", seal(json)),
            format!("{page}{}", seal(&page)),
        ]) {
            let header = format(layout).header(&fields());
            assert_eq!(String::from_utf8(header).unwrap(), expected);
        }
    }

    #[test]
    fn written_headers_are_read_with_their_payload() {
        for layout in LAYOUTS {
            let payload = if layout == Layout::Whole { &b""[..] } else { b"\0\npayload" };
            let bytes = [&format(layout).header(&fields()), payload].concat();
            assert_eq!(format(layout).read(&bytes), Ok((fields(), payload)), "{layout:?}");
        }
        let line = format(Layout::Line).header(&fields());
        let bytes = [&line[..], b"payload\n"].concat();
        let mut input = &bytes[..];
        let read: Result<_, Box<dyn std::error::Error>> =
            format(Layout::Line).read_line(&mut input);
        assert_eq!(read.unwrap(), (fields(), line.len() as u64));
        assert_eq!(input, b"payload\n");
    }

    fn problem(format: Format, bytes: &[u8]) -> FormatProblem {
        format.read::<Fields>(bytes).unwrap_err().problem
    }

    #[test]
    fn changed_seals_are_damage() {
        for layout in [Layout::SealedLine, Layout::SealedPage(100)] {
            let mut bytes = format(layout).header(&fields());
            let digit = bytes.len() - 2;
            bytes[digit] ^= 1;
            let damaged = FormatProblem::Damaged { part: "header".to_owned() };
            assert_eq!(problem(format(layout), &bytes), damaged);
        }
    }

    #[test]
    fn headers_cut_short_are_reported() {
        for layout in [Layout::Line, Layout::SealedPage(100)] {
            let whole = format(layout).header(&fields());
            let cut = &whole[..whole.len() - 1];
            assert_eq!(problem(format(layout), cut), FormatProblem::Truncated);
            assert_eq!(problem(format(layout), b""), FormatProblem::Foreign);
            assert_eq!(problem(format(layout), b"other"), FormatProblem::Foreign);
        }
    }

    #[test]
    fn messages_say_what_is_wrong_and_what_to_do() {
        for (text, message) in [
            ("[package]\n", "not a test: stop"),
            ("{}\n", "not a test: stop"),
            (
                r#"{"format":"fanorona-test","version":4}"#,
                "a test of version 4, but this program reads version 3: stop",
            ),
            (r#"{"format":"fanorona-test","board":"9x5"}"#, "a test whose header is damaged: stop"),
            (
                r#"{"format":"fanorona-test","version":3,"board":"9x5"}"#,
                "a test whose header is damaged: stop",
            ),
        ] {
            let error = format(Layout::Whole).read::<Fields>(text.as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        }
        let format = format(Layout::Line);
        let length = FormatProblem::Length { found: 7, expected: 9 };
        assert_eq!(format.error(length).to_string(), "a test of 7 bytes instead of 9: stop");
        let error = format.check(b"payload", 0).unwrap_err();
        assert_eq!(error.to_string(), "a test whose payload is damaged: stop");
        assert_eq!(format.check(b"payload", crc32fast::hash(b"payload")), Ok(()));
    }
}
