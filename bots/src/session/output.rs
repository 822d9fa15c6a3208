//! The output of the engine: whole lines, each flushed.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use fanorona_protocol::messages::{BestMove, Info, Reply};
use fanorona_protocol::rules::Move;

use crate::bot::Observer;

/// The destination of replies; clones share it.
#[derive(Clone)]
pub(super) struct Output {
    writer: Arc<Mutex<dyn Write + Send>>,
}

impl Output {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Output {
        Output { writer: Arc::new(Mutex::new(writer)) }
    }

    /// Prints a reply as one line in a single write.
    pub(super) fn reply(&self, reply: &Reply) -> io::Result<()> {
        self.line(reply)
    }

    fn line(&self, line: impl std::fmt::Display) -> io::Result<()> {
        let line = format!("{line}\n");
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.write_all(line.as_bytes())?;
        writer.flush()
    }

    /// Prints the answer to `go`, with the reply that the bot expects if there is one.
    pub(super) fn answer(&self, best: BestMove, expected: Option<Move>) -> io::Result<()> {
        match expected {
            None => self.line(Reply::BestMove(best)),
            Some(reply) => self.line(format_args!("{} ponder {reply}", Reply::BestMove(best))),
        }
    }

    /// Prints a text for humans as an `info string`.
    pub(super) fn text(&self, text: &str) -> io::Result<()> {
        self.reply(&Reply::Info(Box::new(Info::text(text))))
    }
}

impl Observer for Output {
    fn info(&mut self, info: Info) {
        // If the manager is gone, the session notices when it prints the answer.
        let _ = self.reply(&Reply::Info(Box::new(info)));
    }
}
