//! The terminal's capabilities, and reading keys.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use console::{Key, Term};

use fanorona_tournament::notation::board::Style;

/// The style for boards on standard output: Unicode unless `ascii` is set or the locale is not
/// UTF-8; colours only at a terminal that supports them and without `NO_COLOR`.
pub(crate) fn style(ascii: bool) -> Style {
    let variable = |name: &str| env::var(name).ok();
    Style {
        unicode: !ascii && is_utf8(variable),
        colour: io::stdout().is_terminal() && has_colours(variable),
        flipped: false,
    }
}

/// Whether the locale uses UTF-8, by the first variable that is set.
fn is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let said = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable);
    let locale = said.into_iter().find(|value| !value.is_empty()).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    locale.ends_with("utf-8") || locale.ends_with("utf8")
}

/// Whether the terminal supports colours and they are wanted (<https://no-color.org>).
fn has_colours(variable: impl Fn(&str) -> Option<String>) -> bool {
    let unwanted = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    !unwanted && !is_dumb(variable)
}

fn is_dumb(variable: impl Fn(&str) -> Option<String>) -> bool {
    variable("TERM").is_none_or(|term| term.is_empty() || term == "dumb")
}

/// Whether standard error is a terminal on which a line can be drawn again, as a bar needs.
pub(crate) fn stderr_draws() -> bool {
    io::stderr().is_terminal() && !is_dumb(|name| env::var(name).ok())
}

/// Whether standard error shows colours.
pub(crate) fn stderr_has_colours() -> bool {
    io::stderr().is_terminal() && has_colours(|name| env::var(name).ok())
}

/// Whether single keys can be read and the screen can be cleared.
pub(crate) fn takes_keys() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb(|name| env::var(name).ok())
}

/// The width of standard output if it is a terminal.
pub(crate) fn width() -> Option<usize> {
    let term = Term::stdout();
    term.size_checked().map(|(_, columns)| columns.into()).filter(|&columns: &usize| columns > 0)
}

/// The width of standard error if it is a terminal.
pub(crate) fn width_of_stderr() -> Option<usize> {
    let size = Term::stderr().size_checked();
    size.map(|(_, columns)| columns.into()).filter(|&columns: &usize| columns > 0)
}

/// Clears the screen.
pub(crate) fn clear() {
    // If the terminal is gone, reading keys reports it.
    let _ = Term::stdout().clear_screen();
}

/// Reads keys on a thread, one per request, so that the caller can wait with a timeout. Between
/// requests the terminal keeps its usual mode.
pub(crate) struct Keys {
    wanted: Sender<()>,
    pressed: Receiver<io::Result<Key>>,
    waiting: bool,
}

impl Keys {
    pub(crate) fn new() -> Keys {
        let (wanted, requests) = channel();
        let (send, pressed) = channel();
        thread::spawn(move || {
            let term = Term::stdout();
            while requests.recv().is_ok() {
                if send.send(term.read_key()).is_err() {
                    break;
                }
            }
        });
        Keys { wanted, pressed, waiting: false }
    }

    /// The next key; `None` after the timeout `patience`. The end of input is an error.
    pub(crate) fn next(&mut self, patience: Option<Duration>) -> io::Result<Option<Key>> {
        if !self.waiting {
            // The thread lives as long as `self`.
            let _ = self.wanted.send(());
            self.waiting = true;
        }
        let gone = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let pressed = match patience {
            None => self.pressed.recv().map_err(|_| gone())?,
            Some(patience) => match self.pressed.recv_timeout(patience) {
                Ok(pressed) => pressed,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            },
        };
        self.waiting = false;
        pressed.map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<'v>(set: &'v [(&str, &str)]) -> impl Fn(&str) -> Option<String> + Copy + 'v {
        |name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
    }

    #[test]
    fn the_first_variable_that_says_anything_decides() {
        assert!(is_utf8(with(&[("LANG", "mg_MG.UTF-8")])));
        assert!(is_utf8(with(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")])));
        assert!(!is_utf8(with(&[("LC_ALL", "C"), ("LANG", "mg_MG.UTF-8")])));
        assert!(!is_utf8(with(&[])));
    }

    #[test]
    fn colours_can_be_declined() {
        assert!(has_colours(with(&[("TERM", "xterm"), ("NO_COLOR", "")])));
        assert!(!has_colours(with(&[("TERM", "xterm"), ("NO_COLOR", "1")])));
        assert!(!has_colours(with(&[("TERM", "dumb")])));
        assert!(!has_colours(with(&[])));
    }
}
