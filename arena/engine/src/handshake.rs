//! The lines of an engine up to `ugiok`, within the limits.

use fanorona_protocol::messages::{Dialect, OptionKind, Reply, ReplyError};

use super::declarations::{Declarations, MAX_OPTIONS};
use fanorona_tournament::text::safe_text;

/// The maximum number of values of all options of type combo together.
const MAX_CHOICES: usize = 10_000;

/// The maximum output before the end of the handshake, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// What an engine has printed in its handshake so far.
#[derive(Clone, Default, Debug)]
pub struct Handshake {
    bytes: usize,
    choices: usize,
    /// The options that it has declared.
    pub declarations: Declarations,
}

/// The engine has exceeded a limit of the handshake.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum HandshakeExcess {
    #[error("printed more than {} MiB before {}", MAX_BYTES >> 20, .0.handshake_ok())]
    Bytes(Dialect),
    #[error("declares more than {MAX_CHOICES} `var` values of options")]
    Choices,
}

impl Handshake {
    /// Adds a line. Returns it as a reply if it is one other than an option.
    ///
    /// # Errors
    /// Returns the limit that the line exceeds.
    pub fn add(&mut self, line: &str, dialect: Dialect) -> Result<Option<Reply>, HandshakeExcess> {
        self.bytes += line.len() + 1;
        if self.bytes > MAX_BYTES {
            return Err(HandshakeExcess::Bytes(dialect));
        }
        let line = safe_text::line(line.trim_end());
        match line.parse() {
            Ok(Reply::Option(option)) if self.declarations.options().len() < MAX_OPTIONS => {
                if let OptionKind::Combo { choices, .. } = &option.kind {
                    self.choices += choices.len();
                }
                if self.choices > MAX_CHOICES {
                    return Err(HandshakeExcess::Choices);
                }
                self.declarations.add(option);
            }
            Ok(Reply::Option(_)) => {}
            Err(ReplyError::Option(why)) => self.declarations.add_unreadable(&line, why),
            Ok(reply) => return Ok(Some(reply)),
            Err(_) => {}
        }
        Ok(None)
    }
}
