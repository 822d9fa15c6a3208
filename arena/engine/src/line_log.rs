//! A log of the lines between the arena and an engine. It keeps the last ones, all of a game if
//! that is asked for, and the errors that the engine reports.

use fanorona_protocol::messages::Reply;

use super::transcript::Transcript;
use fanorona_tournament::game::dialogue::{BoundedLog, LineSource};
use fanorona_tournament::game::reported::Reported;
use fanorona_tournament::text::safe_text;

/// The maximum length of a stored error, in bytes.
const MAX_ERROR: usize = 500;

/// The lines between the arena and an engine.
#[derive(Debug, Default)]
pub(super) struct LineLog {
    pub(super) transcript: Transcript,
    /// All lines of the game, if they are kept.
    pub(super) dialogue: Option<BoundedLog>,
    /// The engine's reports in this game, apart from its standard error.
    pub(super) reported: Reported,
    /// The number of errors that it has reported since it was started.
    pub(super) errors: u64,
}

impl LineLog {
    /// Keeps lines that the arena sends.
    pub(super) fn sent(&mut self, bytes: &[u8]) {
        self.transcript.sent(bytes);
        if let Some(dialogue) = &mut self.dialogue {
            String::from_utf8_lossy(bytes)
                .lines()
                .for_each(|line| dialogue.add(LineSource::Arena, line));
        }
    }

    /// Keeps a line of the engine.
    pub(super) fn received(&mut self, line: &str) {
        self.transcript.received(line);
        if let Some(dialogue) = &mut self.dialogue {
            dialogue.add(LineSource::Engine, line);
        }
        if let Some(text) = error(line) {
            self.errors += 1;
            if self.reported.error.is_empty() {
                self.reported.error = text;
            }
        }
    }
}

/// The text of an `info error` line.
fn error(line: &str) -> Option<String> {
    let mut words = line.split_ascii_whitespace();
    if (words.next(), words.next()) != (Some("info"), Some("error")) {
        return None;
    }
    let Ok(Reply::Info(info)) = line.parse() else { return None };
    let text = info.error?;
    Some(match safe_text::prefix(&text, MAX_ERROR) {
        "" => "an error without a text".to_owned(),
        text => safe_text::line(text).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_convention_is_an_error() {
        for line in [
            "info string error: no book",
            "info depth 3 error 1 score cp 5",
            "error: out of luck",
            "infoerror x",
            "bestmove a1a2",
        ] {
            assert_eq!(error(line), None, "{line}");
        }
        assert_eq!(error(" info  error a \x1b[31m b\r").as_deref(), Some("a \\u{1b}[31m b"));
        assert_eq!(error("info error").as_deref(), Some("an error without a text"));
        assert_eq!(error(&format!("info error {}", "é".repeat(5000))).unwrap().len(), MAX_ERROR);
    }

    #[test]
    fn the_first_error_of_a_game_is_kept() {
        let mut log = LineLog::default();
        log.received("info error one");
        log.received("info error two");
        assert_eq!((&*log.reported.error, log.errors), ("one", 2));
    }
}
