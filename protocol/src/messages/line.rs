//! Splits bytes into lines of limited length.

use alloc::string::String;
use alloc::vec::Vec;

use alloc::borrow::Cow;

/// The length of the longest line a manager may send, in bytes without the line end.
pub const MAX_LINE: usize = 64 * 1024;

/// The error for a line that was discarded because it is longer than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a line is longer than {limit} bytes")]
pub struct TooLong {
    /// The largest number of bytes in a line.
    pub limit: usize,
    /// Whether the first word of the line is `position`: the position that it names is lost.
    pub is_position: bool,
}

/// Splits bytes into lines that end in `\n` or `\r\n`.
///
/// The buffer limits its memory: it discards the bytes of a line longer than the limit. It replaces
/// bytes that are not UTF-8 instead of rejecting the line, because they may be in a part of the
/// line that does not matter.
///
/// ```
/// use fanorona_protocol::messages::LineBuffer;
/// let mut lines = LineBuffer::new(8);
/// lines.push(b"ugi\r\nisre");
/// assert_eq!(lines.next_line().unwrap().unwrap(), "ugi");
/// assert_eq!(lines.next_line(), None);
/// lines.push(b"ady\nfar too long\nquit");
/// assert_eq!(lines.next_line().unwrap().unwrap(), "isready");
/// assert!(lines.next_line().unwrap().is_err());
/// assert_eq!(lines.next_line(), None);
/// assert_eq!(lines.unfinished(), "quit");
/// assert_eq!(lines.finish().unwrap().unwrap(), "quit");
/// ```
#[derive(Debug)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// The position in `bytes` of the first line not yet returned.
    start: usize,
    /// The position in `bytes` up to which there is no line end.
    searched: usize,
    /// Set when the beginning of the line at `start` was discarded because the line is too long.
    overlong: Option<TooLong>,
    limit: usize,
}

impl LineBuffer {
    /// Creates a buffer for lines of at most `limit` bytes.
    pub fn new(limit: usize) -> LineBuffer {
        LineBuffer { bytes: Vec::new(), start: 0, searched: 0, overlong: None, limit }
    }

    /// Appends bytes. Take all lines out before you push more, because lines that are not taken out
    /// stay in memory.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the next complete line without its end, or `None` if there is none yet.
    ///
    /// # Errors
    /// Returns [`TooLong`] for a line longer than the limit. The line is discarded, and the next
    /// call returns the line after it.
    pub fn next_line(&mut self) -> Option<Result<Cow<'_, str>, TooLong>> {
        let end = self.bytes[self.searched..].iter().position(|&byte| byte == b'\n');
        let Some(end) = end.map(|offset| self.searched + offset) else {
            self.searched = self.bytes.len();
            // One byte more than the limit may be the `\r` of a line that just fits.
            if self.bytes.len() - self.start > self.limit + 1 {
                let line = &self.bytes[self.start..];
                self.overlong = self.overlong.or_else(|| Some(self.too_long(line)));
                self.start = self.bytes.len();
            }
            return None;
        };
        let start = self.start;
        self.start = end + 1;
        self.searched = end + 1;
        Some(self.line(start, end))
    }

    /// Returns an error if the incomplete line at the end is already too long. A caller can react
    /// before the line ends, which may never happen.
    pub fn overlong(&self) -> Option<TooLong> {
        self.overlong
    }

    /// Returns the incomplete line at the end, so far as it is kept; empty if there is none. All
    /// complete lines must have been taken out.
    pub fn unfinished(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes[self.start..])
    }

    /// Returns the last line if it has no line end. Call this when no more bytes will come.
    ///
    /// # Errors
    /// Returns [`TooLong`] if the line is longer than the limit.
    pub fn finish(&mut self) -> Option<Result<Cow<'_, str>, TooLong>> {
        let (start, end) = (self.start, self.bytes.len());
        self.start = end;
        self.searched = end;
        (start < end || self.overlong.is_some()).then(|| self.line(start, end))
    }

    fn line(&mut self, start: usize, end: usize) -> Result<Cow<'_, str>, TooLong> {
        let line = &self.bytes[start..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match self.overlong.take() {
            Some(error) => Err(error),
            None if line.len() > self.limit => Err(self.too_long(line)),
            None => Ok(String::from_utf8_lossy(line)),
        }
    }

    /// The error for a line of which this is the beginning.
    fn too_long(&self, line: &[u8]) -> TooLong {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        TooLong { limit: self.limit, is_position: words.next() == Some(b"position") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns all lines of a text that is pushed in chunks of this size.
    fn lines(text: &[u8], chunk: usize, limit: usize) -> Vec<Result<String, TooLong>> {
        let mut buffer = LineBuffer::new(limit);
        let mut lines = Vec::new();
        for bytes in text.chunks(chunk) {
            buffer.push(bytes);
            while let Some(line) = buffer.next_line() {
                lines.push(line.map(Cow::into_owned));
            }
            assert!(buffer.bytes.len() <= limit + 1 + chunk, "memory is bounded");
        }
        lines.extend(buffer.finish().map(|line| line.map(Cow::into_owned)));
        lines
    }

    #[test]
    fn a_line_of_exactly_the_limit_passes_with_either_line_end() {
        assert_eq!(lines(b"1234\n1234\r\n", 1, 4), [Ok("1234".into()), Ok("1234".into())]);
        let too_long = Err(TooLong { limit: 4, is_position: false });
        assert_eq!(lines(b"12345\n1\n", 3, 4), [too_long.clone(), Ok("1".into())]);
        assert_eq!(lines(b"123456789", 2, 4), [too_long]);
    }

    #[test]
    fn a_lost_position_is_known() {
        let text =
            b"position startpos moves a1b1\npositions startpos moves\n position startpos moves";
        for chunk in [1, 30, 100] {
            let lost: Vec<bool> =
                lines(text, chunk, 16).into_iter().map(|it| it.unwrap_err().is_position).collect();
            assert_eq!(lost, [true, false, true], "{chunk}");
        }
    }

    #[test]
    fn a_line_can_be_too_long_before_its_end() {
        let mut buffer = LineBuffer::new(4);
        for (bytes, overlong) in [("12345", false), ("6", true), ("7", true), ("\n1", false)] {
            buffer.push(bytes.as_bytes());
            while buffer.next_line().is_some() {}
            assert_eq!(buffer.overlong().is_some(), overlong, "{bytes:?}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_do_not_affect_the_next_line() {
        let read = lines(b"info \xff\xfe\nbestmove a1b1\n", 7, 64);
        assert_eq!(read[1], Ok("bestmove a1b1".into()));
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_chunks(text: Vec<u8>, chunk in 1..9usize, limit in 1..20usize) {
            prop_assert_eq!(lines(&text, chunk, limit), lines(&text, text.len().max(1), limit));
        }
    }
}
