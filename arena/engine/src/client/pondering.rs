//! A search in the opponent's time: `go ponder`, then `ponderhit` or `stop`.
//!
//! An engine that ponders goes on searching after its answer, in the position after the reply that
//! it expects. While its opponent thinks, its output is read, so that it never blocks on a full
//! pipe. If the reply is the expected one, `ponderhit` starts its clock. Otherwise `stop` goes before
//! the next position, in the same write: stopping takes its own time.

use std::time::Duration;

use fanorona_protocol::messages::{Command, Dialect};
use fanorona_protocol::rules::Move;
use tokio::time::Instant;

use super::listener::Listener;
use crate::failure::Failure;
use crate::process::{NoResponse, Process};

/// A search in the opponent's time.
pub(super) struct Pondering {
    /// The reply that the engine expects.
    reply: Move,
    /// The part of the commands that is not yet written.
    unsent: Vec<u8>,
    listener: Listener,
    /// Its failure, which counts when the engine is asked for its next move.
    failure: Option<Failure>,
}

/// The time after which an engine that ponders is looked at again. It is no limit.
const LOOK: Duration = Duration::from_secs(3600);

impl Pondering {
    /// A search in the position after a reply, which these commands begin. [`Pondering::go_on`]
    /// writes them.
    pub(super) fn new(reply: Move, lines: String, process: &mut Process) -> Pondering {
        process.discard();
        process.begin(lines.as_bytes());
        let (unsent, listener) = (lines.into_bytes(), Listener::default());
        Pondering { reply, unsent, listener, failure: None }
    }

    /// Whether it is in the position after this move.
    pub(super) fn expects(&self, mv: &Move) -> bool {
        self.reply == *mv
    }

    /// Writes what is unsent and reads the output, until the engine fails.
    pub(super) async fn go_on(&mut self, process: &mut Process) {
        while self.failure.is_none() {
            let Pondering { unsent, listener, failure, .. } = self;
            let all = std::mem::take(unsent);
            let mut rest = Unsent { rest: &all[..], kept: unsent };
            let on_line = |line: &str| listener.in_the_opponents_time(line);
            let deadline = Instant::now() + LOOK;
            match process.converse::<()>(&mut rest.rest, deadline, on_line).await {
                Ok(()) | Err(NoResponse::Late) => {}
                Err(NoResponse::Broken(why)) => *failure = Some(why),
            }
        }
    }

    /// The commands after the expected reply, with the listener to the answer.
    pub(super) fn hit(self) -> Result<(Vec<u8>, Listener), Failure> {
        self.failure.map_or(Ok(()), Err)?;
        let mut lines = self.unsent;
        lines.extend_from_slice(format!("{}\n", Command::PonderHit).as_bytes());
        Ok((lines, self.listener))
    }

    /// The commands after another reply, which begin with what is unsent, and the number of
    /// `readyok` that are still to come before those of later commands.
    pub(super) fn stop(self, dialect: Dialect) -> Result<(String, u32), Failure> {
        self.failure.map_or(Ok(()), Err)?;
        let unsent = String::from_utf8(self.unsent).expect("commands are ASCII");
        let stop = Command::Stop.in_dialect(dialect);
        Ok((format!("{unsent}{stop}\n"), u32::from(!self.listener.is_ready())))
    }
}

/// The bytes still to be written, which go back to their owner when this is dropped.
struct Unsent<'u> {
    rest: &'u [u8],
    kept: &'u mut Vec<u8>,
}

impl Drop for Unsent<'_> {
    fn drop(&mut self) {
        self.kept.extend_from_slice(self.rest);
    }
}
