//! What an engine writes to its standard error: always read, so that it never blocks, and only the
//! end of it kept.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};

/// Bytes kept.
const KEPT: usize = 4 * 1024;

/// The last bytes of a stream that is being read in the background.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail {
    bytes: Arc<Mutex<VecDeque<u8>>>,
}

impl Tail {
    /// Begins to read a stream to its end.
    pub(super) fn of(mut stream: impl AsyncRead + Unpin + Send + 'static) -> Tail {
        let tail = Tail::default();
        let kept = tail.clone();
        tokio::spawn(async move {
            let mut chunk = [0; 4096];
            while let Ok(n @ 1..) = stream.read(&mut chunk).await {
                kept.push(&chunk[..n]);
            }
        });
        tail
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }

    /// What has been kept, as text without control characters but line ends; whole lines if there
    /// is more than one.
    pub(super) fn text(&self) -> String {
        let mut kept = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = kept.make_contiguous();
        let bytes = match bytes.iter().position(|&byte| byte == b'\n') {
            Some(end) if bytes.len() == KEPT => &bytes[end + 1..],
            _ => bytes,
        };
        let text = String::from_utf8_lossy(bytes);
        text.chars().filter(|c| *c == '\n' || !c.is_control()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let tail = Tail::default();
        tail.push(b"first\n");
        assert_eq!(tail.text(), "first\n");
        tail.push(&[b'x'; 2 * KEPT]);
        tail.push(b"\nlast\x1b[31m line\n");
        assert_eq!(tail.text(), "last[31m line\n");
    }
}
