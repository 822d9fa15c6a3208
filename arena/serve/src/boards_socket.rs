//! The boards of a tournament that another process plays: every running tournament offers them at a
//! [`socket`], and a server follows them while a page watches. A server asks for them with a line end.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, split,
};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::socket::{self, Listener};
use fanorona_runner::live::{BOARD_INTERVAL, LiveGames, Watcher};

/// The time a server may take to read what it gets; then it is disconnected.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most servers that follow one tournament.
const MAX_SERVERS: usize = 8;

/// The longest line that a server reads, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// Offers the boards of a tournament until it is dropped.
#[derive(Debug)]
pub struct BoardsSocket(AbortHandle);

impl Drop for BoardsSocket {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl BoardsSocket {
    /// Offers the boards of the tournament in a directory, within a runtime.
    ///
    /// # Errors
    /// Returns an error if the system has no socket left, or if the address is taken.
    pub fn open(dir: &Path, live: Arc<LiveGames>) -> io::Result<BoardsSocket> {
        let mut listener = Listener::bind(dir)?;
        let task = tokio::spawn(async move {
            let mut servers = JoinSet::new();
            loop {
                let Ok(accepted) = listener.accept().await else {
                    // Descriptors are scarce; games need them more.
                    tokio::time::sleep(PATIENCE).await;
                    continue;
                };
                while servers.try_join_next().is_some() {}
                if let Some(stream) = accepted
                    && servers.len() < MAX_SERVERS
                {
                    servers.spawn(tell(stream, live.clone()));
                }
            }
        });
        Ok(BoardsSocket(task.abort_handle()))
    }
}

/// Tells a server that asks of every change until it goes.
async fn tell(stream: impl AsyncRead + AsyncWrite, live: Arc<LiveGames>) {
    let (mut reader, mut writer) = split(stream);
    let mut byte = [0];
    if !matches!(timeout(PATIENCE, reader.read(&mut byte)).await, Ok(Ok(1))) {
        return;
    }
    let mut ticks = interval(BOARD_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut watcher = Watcher::default();
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            // A server says no more, so it is gone.
            _ = reader.read(&mut byte) => return,
        }
        let mut lines = String::new();
        for event in watcher.look(&live) {
            lines += &serde_json::to_string(&event).expect("events are plain data");
            lines.push('\n');
        }
        match timeout(PATIENCE, writer.write_all(lines.as_bytes())).await {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
}

/// Follows the boards of a tournament that another process plays in a directory, until it ends.
///
/// # Errors
/// Returns an error at once if no process plays there.
pub async fn follow_boards(dir: &Path, boards: &LiveGames) -> io::Result<()> {
    let (reader, mut writer) = split(socket::connect(dir).await?);
    writer.write_all(b"\n").await?;
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut reader).take(MAX_LINE).read_until(b'\n', &mut line).await;
        // A connection that breaks is an end like any other.
        if read.is_err() || line.last() != Some(&b'\n') {
            return Ok(());
        }
        // A line that cannot be read is of another version; the games go on without it.
        if let Ok(event) = serde_json::from_slice(&line) {
            boards.apply(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use fanorona_protocol::rules::Start;

    use super::*;
    use fanorona_tournament::record::Lock;

    #[tokio::test]
    async fn boards_travel_between_processes_but_not_to_engines() {
        let dir = tempfile::tempdir().unwrap();
        let seen = LiveGames::default();
        assert!(follow_boards(dir.path(), &seen).await.is_err());
        let live = Arc::new(LiveGames::default());
        let socket = BoardsSocket::open(dir.path(), live.clone()).unwrap();
        let names = || ["a".to_owned(), "b".to_owned()];
        let _seat = live.begin("7".parse().unwrap(), names(), Start::TSIVY.riatra(), &[]);
        // No process holds the lock, so a listener at this address may be an engine.
        #[cfg(target_os = "linux")]
        assert!(follow_boards(dir.path(), &seen).await.is_err());
        let _lock = Lock::take(dir.path()).unwrap();
        let followed = timeout(Duration::from_secs(20), async {
            let following = follow_boards(dir.path(), &seen);
            let first = async {
                while seen.views().is_empty() {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            tokio::select! {
                ended = following => panic!("{ended:?}"),
                () = first => {}
            }
        });
        followed.await.expect("the game is told");
        assert_eq!(seen.views().len(), 1);
        // A process that the tournament started gets nothing but the end of the connection.
        let name = socket::address(dir.path()).unwrap().replace('\0', "@");
        let script = "\
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect('\\0' + sys.argv[1][1:])
try:
    s.sendall(b'\\n')
    told = s.recv(9)
except OSError:
    told = b''
sys.exit(len(told))";
        let mut child = tokio::process::Command::new("python3");
        child.args(["-c", script, &name]);
        let status = child.status().await.expect("there is python3");
        assert_eq!(status.code(), Some(0), "an engine can see the boards");
        drop(socket);
        let closed = timeout(Duration::from_secs(20), async {
            while follow_boards(dir.path(), &seen).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        closed.await.expect("a dropped socket is closed");
    }
}
