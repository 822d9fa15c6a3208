//! The standard error of an engine. It is always read, so that the engine never blocks. Its end is
//! kept, and of every game its first lines, or many lines where dialogues are kept.

use fanorona_tournament::mutex::lock;
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::process::ChildStderr;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::system::error_pipe::ErrorPipe;
use fanorona_tournament::game::dialogue::{BoundedLog, LineSource};
use fanorona_tournament::text::safe_text;

/// The number of kept bytes at the end.
const KEPT: usize = 4 * 1024;

/// The number of kept lines at the beginning of a game, and their bytes.
const FIRST: (usize, usize) = (10, 1024);

/// The number of bytes kept of a line.
const MAX_LINE: usize = 1000;

/// The maximum number of chunks that are read at once: an endless stream must not block the arena.
const MAX_CHUNKS: usize = 4;

/// The size of one read, in bytes.
const CHUNK: usize = 16 * 1024;

/// A standard error that is read in the background.
#[derive(Debug)]
pub(super) struct StandardError {
    shared: Arc<Shared>,
    reader: Option<JoinHandle<()>>,
}

/// The stream with what was read from it. A reader holds the lock, so that bytes are kept in the
/// order in which they arrived.
#[derive(Debug)]
struct Shared {
    pipe: ErrorPipe,
    heard: Mutex<CapturedBytes>,
}

impl StandardError {
    /// Starts reading to the end.
    pub(super) fn new(stream: ChildStderr) -> io::Result<StandardError> {
        let pipe = ErrorPipe::new(stream)?;
        let shared = Arc::new(Shared { pipe, heard: Mutex::default() });
        let reader = tokio::spawn(shared.clone().read());
        Ok(StandardError { shared, reader: Some(reader) })
    }

    /// Waits for the end of the stream, up to `max_wait`, because another process may hold it open.
    pub(super) async fn ended(&mut self, max_wait: Duration) {
        if let Some(reader) = &mut self.reader
            && timeout(max_wait, reader).await.is_ok()
        {
            self.reader = None;
        }
    }

    /// Keeps the lines of each game from now on, up to this many bytes.
    pub(super) fn keep_lines(&self, limit: usize) {
        self.shared.heard().lines = Some(BoundedLog::new(limit));
    }

    /// The number of bytes written so far, those included that nobody has read yet.
    pub(super) fn written(&self) -> u64 {
        self.shared.read_now().total
    }

    /// The lines since the first `written` bytes, as far as they are kept.
    pub(super) fn since(&self, written: u64) -> Vec<String> {
        let text = self.shared.read_now().since(written);
        text.lines().map(str::trim_end).filter(|it| !it.is_empty()).map(str::to_owned).collect()
    }

    /// The first lines since the last call, and all of them if they are kept.
    pub(super) fn take(&self) -> (Vec<String>, Option<BoundedLog>) {
        self.shared.read_now().take()
    }

    /// The kept bytes as [safe](safe_text::lines) text, beginning at a full line if there is more
    /// than one.
    pub(super) fn text(&self) -> String {
        self.shared.read_now().since(0)
    }
}

impl Drop for StandardError {
    fn drop(&mut self) {
        if let Some(reader) = &self.reader {
            reader.abort();
        }
    }
}

impl Shared {
    fn heard(&self) -> MutexGuard<'_, CapturedBytes> {
        lock(&self.heard)
    }

    async fn read(self: Arc<Shared>) {
        let mut chunk = [0; CHUNK];
        while self.pipe.readable().await.is_ok() {
            let mut heard = self.heard();
            match self.pipe.try_read(&mut chunk) {
                Ok(n @ 1..) => heard.push(&chunk[..n]),
                Err(why) if why.kind() == io::ErrorKind::WouldBlock => {}
                _ => return,
            }
        }
    }

    /// Reads what is there without waiting. An engine that writes to standard error and then answers
    /// has written before the answer is read, whether or not the reader had its turn.
    fn read_now(&self) -> MutexGuard<'_, CapturedBytes> {
        let mut heard = self.heard();
        let mut chunk = [0; CHUNK];
        for _ in 0..MAX_CHUNKS {
            match self.pipe.read_now(&mut chunk) {
                Ok(n @ 1..) => heard.push(&chunk[..n]),
                _ => break,
            }
        }
        heard
    }
}

/// The bytes that are kept.
#[derive(Debug, Default)]
struct CapturedBytes {
    /// The number of bytes so far.
    total: u64,
    /// The last ones.
    end: VecDeque<u8>,
    /// The beginning of the line that has not ended yet.
    line: Vec<u8>,
    first: FirstLines,
    /// Many lines of the game, if they are kept.
    lines: Option<BoundedLog>,
}

impl CapturedBytes {
    fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        self.end.extend(bytes);
        self.end.drain(..self.end.len().saturating_sub(KEPT));
        if self.first.is_full && self.lines.is_none() {
            // An engine must not wait because nobody needs its lines.
            return;
        }
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            // One byte more shows that the line is cut.
            let room = (MAX_LINE + 1).saturating_sub(self.line.len());
            self.line.extend(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let kept = &self.line[..self.line.len().min(MAX_LINE)];
        let text = String::from_utf8_lossy(kept);
        let mark = if self.line.len() > MAX_LINE { " …" } else { "" };
        let text = format!("{}{mark}", safe_text::line(text.trim_end()));
        self.line.clear();
        self.first.add(&text);
        if let Some(lines) = &mut self.lines {
            lines.add(LineSource::StandardError, &text);
        }
    }

    fn take(&mut self) -> (Vec<String>, Option<BoundedLog>) {
        if !self.line.is_empty() {
            self.end_line();
        }
        (std::mem::take(&mut self.first).lines, self.lines.as_mut().map(BoundedLog::take))
    }

    /// The kept bytes after the first ones, as safe text that begins at a full line.
    fn since(&self, first: u64) -> String {
        let lost = self.total - self.end.len() as u64;
        let bytes: Vec<u8> =
            self.end.iter().skip(first.saturating_sub(lost) as usize).copied().collect();
        let bytes = match bytes.iter().position(|&byte| byte == b'\n') {
            Some(end) if first < lost => &bytes[end + 1..],
            _ => &bytes,
        };
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        safe_text::lines(&text).into_owned()
    }
}

/// The first lines of a game that are not empty.
#[derive(Debug, Default)]
struct FirstLines {
    lines: Vec<String>,
    bytes: usize,
    /// Whether there were more.
    is_full: bool,
}

impl FirstLines {
    fn add(&mut self, line: &str) {
        let (most, room) = FIRST;
        if self.is_full || line.is_empty() {
            return;
        }
        if self.lines.len() == most || self.bytes + line.len() > room {
            self.is_full = true;
            // Of a long first line the beginning is better than nothing.
            let begin = if self.lines.is_empty() { safe_text::prefix(line, room) } else { "" };
            self.lines.push(format!("{begin}…"));
            return;
        }
        self.bytes += line.len();
        self.lines.push(line.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let mut heard = CapturedBytes::default();
        heard.push(b"first\n");
        assert_eq!(heard.since(0), "first\n");
        heard.push(&[b'x'; 2 * KEPT]);
        heard.push(b"\nlast\x1b[31m line\n");
        assert_eq!(heard.since(0), "last\\u{1b}[31m line\n");
        let written = heard.total;
        heard.push(b"one\ntwo");
        assert_eq!(heard.since(written), "one\ntwo");
    }

    #[test]
    fn the_first_lines_of_every_game_are_kept() {
        let mut heard = CapturedBytes::default();
        heard.push(b"loading\r\n\nsecond \x1b[31m li");
        heard.push(b"ne\nunfinished");
        let lines = ["loading", "second \\u{1b}[31m line", "unfinished"];
        assert_eq!(heard.take().0, lines);
        assert!(heard.take().0.is_empty());
        for number in 1..100 {
            heard.push(format!("line {number}\n").as_bytes());
        }
        let (first, all) = heard.take();
        assert_eq!((first.len(), &*first[9], &*first[10]), (FIRST.0 + 1, "line 10", "…"));
        assert!(all.is_none());
        // A line without an end takes no more memory than one with an end.
        for _ in 0..100 {
            heard.push(&[b'y'; 10_000]);
            assert!(heard.line.len() <= MAX_LINE + 1);
        }
        let (first, _) = heard.take();
        assert_eq!(first, [format!("{} …", "y".repeat(MAX_LINE))]);
    }
}
