//! The standard error of an engine. It is always read, so that the engine never blocks, and only
//! its end is kept.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::text::safe_text;

/// The number of kept bytes.
const KEPT: usize = 4 * 1024;

/// The last bytes of a stream that is read in the background.
#[derive(Debug, Default)]
pub(super) struct Tail {
    bytes: Arc<Mutex<VecDeque<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Tail {
    /// Starts reading a stream to its end.
    pub(super) fn of(mut stream: impl AsyncRead + Unpin + Send + 'static) -> Tail {
        let bytes = Arc::<Mutex<VecDeque<u8>>>::default();
        let kept = bytes.clone();
        let reader = tokio::spawn(async move {
            let mut chunk = [0; 4096];
            while let Ok(n @ 1..) = stream.read(&mut chunk).await {
                push(&kept, &chunk[..n]);
            }
        });
        Tail { bytes, reader: Some(reader) }
    }

    /// Waits for the end of the stream, up to `max_wait`, because another process may hold it open.
    pub(super) async fn ended(&mut self, max_wait: Duration) {
        if let Some(reader) = &mut self.reader
            && timeout(max_wait, reader).await.is_ok()
        {
            self.reader = None;
        }
    }

    /// The kept bytes as [safe](safe_text::lines) text, beginning at a full line if there is more
    /// than one.
    pub(super) fn text(&self) -> String {
        let mut kept = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = kept.make_contiguous();
        let bytes = match bytes.iter().position(|&byte| byte == b'\n') {
            Some(end) if bytes.len() == KEPT => &bytes[end + 1..],
            _ => bytes,
        };
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        safe_text::lines(&text).into_owned()
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        if let Some(reader) = &self.reader {
            reader.abort();
        }
    }
}

fn push(kept: &Mutex<VecDeque<u8>>, bytes: &[u8]) {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    kept.extend(bytes);
    let excess = kept.len().saturating_sub(KEPT);
    kept.drain(..excess);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let tail = Tail::default();
        push(&tail.bytes, b"first\n");
        assert_eq!(tail.text(), "first\n");
        push(&tail.bytes, &[b'x'; 2 * KEPT]);
        push(&tail.bytes, b"\nlast\x1b[31m line\n");
        assert_eq!(tail.text(), "last\\u{1b}[31m line\n");
    }
}
