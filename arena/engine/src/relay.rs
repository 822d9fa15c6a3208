//! An engine whose conversation somebody else leads: lines go in, lines come out.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::client::Engine;
use super::failure::Failure;
use super::process::NoResponse;

/// The duration of one wait for output. Its end has no effect; it bounds a timer.
const WAIT: Duration = Duration::from_secs(3600);

impl Engine {
    /// Sends the engine every line that arrives and passes on every line it prints, until the
    /// sender is dropped. The sender decides which lines an engine may receive.
    ///
    /// # Errors
    /// Returns the engine's failure if it exits, prints too much, or stops reading.
    pub async fn relay(
        &mut self,
        mut lines: mpsc::Receiver<String>,
        mut on_line: impl FnMut(&str),
    ) -> Result<(), Failure> {
        let mut unsent = Vec::new();
        loop {
            let mut rest = &unsent[..];
            let deadline = Instant::now() + WAIT;
            let mut heard = |line: &str| {
                on_line(line);
                None::<Result<(), Failure>>
            };
            let said = tokio::select! {
                biased;
                line = lines.recv() => Some(line),
                talk = self.process().converse(&mut rest, deadline, &mut heard) => match talk {
                    Ok(()) | Err(NoResponse::Late) => None,
                    Err(NoResponse::Broken(failure)) => return Err(failure),
                },
            };
            let sent = unsent.len() - rest.len();
            unsent.drain(..sent);
            match said {
                None => {}
                Some(None) => return Ok(()),
                Some(Some(line)) => {
                    self.process().begin(format!("{line}\n").as_bytes());
                    unsent.extend_from_slice(line.as_bytes());
                    unsent.push(b'\n');
                }
            }
        }
    }
}
