//! The output of an engine between the commands for a move and its answer.

use std::time::Duration;

use fanorona_protocol::messages::{BestMove, Dialect, Info, Reply, ReplyError};
use fanorona_protocol::rules::Move;

use crate::failure::Failure;
use fanorona_tournament::game::clock::Allowance;
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::text::duration::duration_text;
use fanorona_tournament::text::safe_text;

/// The engine's output between a position and its response.
#[derive(Default)]
pub(super) struct Listener {
    /// Whether `readyok` was received, so that the engine has read the position.
    ready: bool,
    /// The number of `readyok` of earlier commands still to come.
    earlier: u32,
    /// The last `bestmove` before `readyok`, which does not belong to this search.
    early: Option<String>,
    /// The last line with a score, unparsed: only the last one before the response is needed.
    scored: String,
    /// The reply that the engine expects after its move.
    reply: Option<Move>,
}

impl Listener {
    /// The listener to the answer of commands, after so many `readyok` of earlier ones.
    pub(super) fn after(earlier: u32) -> Listener {
        Listener { earlier, ..Listener::default() }
    }

    /// Whether the engine has read the position.
    pub(super) fn is_ready(&self) -> bool {
        self.ready
    }

    /// The reply that the engine expects after its move.
    pub(super) fn reply(&self) -> Option<Move> {
        self.reply
    }

    /// Hears a line in the opponent's time, in which an engine does not move.
    pub(super) fn in_the_opponents_time(&mut self, line: &str) -> Option<Result<(), Failure>> {
        let moves = self.ready && line.split_ascii_whitespace().next() == Some("bestmove");
        if moves {
            return Some(Err(moved_early(&printable(line, MAX_SHOWN))));
        }
        self.on_line(line, &mut |_: &str| {});
        None
    }

    /// Hears a line of an answer, of which the words after the move are those of a dialect.
    pub(super) fn answer(
        &mut self,
        line: &str,
        dialect: Dialect,
        heard: &mut impl FnMut(&str),
    ) -> Option<Result<BestMove, Failure>> {
        let understood = dialect.understood(line);
        let answer = self.on_line(understood, heard);
        if let Some(Ok(_)) = answer {
            let after = &line[understood.len()..];
            self.reply = after.split_ascii_whitespace().nth(1).and_then(|word| word.parse().ok());
        }
        answer
    }

    fn on_line(
        &mut self,
        line: &str,
        heard: &mut impl FnMut(&str),
    ) -> Option<Result<BestMove, Failure>> {
        match line.split_ascii_whitespace().next() {
            Some("readyok") => {
                if matches!(line.parse(), Ok(Reply::ReadyOk)) {
                    match self.earlier.checked_sub(1) {
                        Some(fewer) => self.earlier = fewer,
                        None => self.ready = true,
                    }
                }
                None
            }
            Some("bestmove") if !self.ready => {
                self.early = Some(printable(line, MAX_SHOWN));
                None
            }
            _ if !self.ready => None,
            Some("info") if line.contains(" score ") => {
                self.scored.clear();
                self.scored.push_str(line);
                heard(line);
                None
            }
            Some("bestmove") => Some(match line.parse::<Reply>() {
                Ok(Reply::BestMove(best)) => Ok(best),
                Ok(_) => {
                    let detail = format!("printed `{}`", printable(line, MAX_SHOWN));
                    Err(Failure::new(Fault::Protocol, detail))
                }
                Err(why) => Err(protocol_failure(&why)),
            }),
            _ => None,
        }
    }

    pub(super) fn info(&self) -> Option<Box<Info>> {
        match self.scored.parse() {
            Ok(Reply::Info(info)) => Some(info),
            _ => None,
        }
    }

    /// The fault of an engine that did not respond in time, with the detail.
    pub(super) fn missing_response(&self, late: &Late, unread: bool) -> (Fault, String) {
        let fault = if late.allowance.is_some() { Fault::Time } else { Fault::Stall };
        let waited = duration_text(late.elapsed);
        match &self.early {
            _ if unread => (fault, format!("did not read its input within {}", late.in_words(""))),
            Some(early) if self.ready => {
                let detail = format!(
                    "printed `{early}` before the `readyok` of the same commands, so it does not count, \
                     and no bestmove followed within {waited}; answer commands in the order in \
                     which they arrive"
                );
                (Fault::Protocol, detail)
            }
            Some(early) => {
                let detail = format!(
                    "printed `{early}` before `readyok`, which did not follow within {waited}; \
                     answer `isready` with `readyok` before the `go` that follows it"
                );
                (Fault::Protocol, detail)
            }
            None if self.ready => (fault, format!("no bestmove within {}", late.in_words(""))),
            None => {
                let so = ", so `go` was not answered";
                (fault, format!("no readyok within {}", late.in_words(so)))
            }
        }
    }
}

/// The failure of an engine that has moved in its opponent's time.
fn moved_early(line: &str) -> Failure {
    let detail = format!(
        "printed `{line}` in its opponent's time; after `go ponder` wait for `ponderhit` or `stop` \
         before you answer"
    );
    Failure::new(Fault::Protocol, detail)
}

/// The time of an engine that did not respond in time.
pub(super) struct Late {
    pub(super) elapsed: Duration,
    /// The part of it that is not charged.
    pub(super) uncharged: Duration,
    pub(super) allowance: Option<Allowance>,
}

impl Late {
    /// The time that the engine had, a remark, and the time that has passed.
    fn in_words(&self, remark: &str) -> String {
        let passed = duration_text(self.elapsed);
        let Some(allowance) = self.allowance else { return format!("{passed}{remark}") };
        let uncharged = match self.uncharged.as_millis() {
            0 => String::new(),
            _ => format!(
                ", of which {} do not count: it waited for a processor, or the machine stood still",
                duration_text(self.uncharged)
            ),
        };
        format!("{allowance}{remark}; {passed} passed{uncharged}")
    }
}

/// The maximum length of an invalid response in messages, in characters.
const MAX_SHOWN: usize = 200;

fn protocol_failure(why: &ReplyError) -> Failure {
    Failure::new(Fault::Protocol, printable(&why.to_string(), MAX_SHOWN))
}

/// The beginning of an engine's text, safe to print.
pub(super) fn printable(text: &str, most: usize) -> String {
    let begin: String = text.trim_end().chars().take(most).collect();
    safe_text::line(&begin).into_owned()
}
