//! The lines of an engine on their way to a page.
//!
//! An engine may print more lines than a page can show. Of `info` lines without a string, the page
//! gets the newest one of each variation, a few times a second; all others it gets in order.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use fanorona_protocol::messages::Reply;
use tokio::sync::Notify;

use fanorona_tournament::mutex::lock;
use fanorona_tournament::text::safe_text;

/// The most bytes that wait for a page. What comes beyond is dropped, oldest first.
const MAX_WAITING: usize = 1 << 20;

/// The longest line that a page gets, in bytes.
const MAX_LINE: usize = 16 << 10;

/// A line that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Waiting {
    text: String,
    /// The number of the variation, if a newer line of the same variation replaces this one.
    variation: Option<u32>,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<Waiting>,
    bytes: usize,
    /// Why no more lines come.
    gone: Option<String>,
}

/// The lines that wait for a page.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    state: Mutex<State>,
    changed: Notify,
}

impl Outbox {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Adds a line.
    pub(super) fn push(&self, line: &str) {
        let text = safe_text::prefix(line, MAX_LINE).to_owned();
        let variation = match text.parse() {
            Ok(Reply::Info(info)) if info.string.is_none() && info.score.is_some() => {
                Some(info.multipv.unwrap_or(1))
            }
            // Lines like `info currmove …` say nothing that a page shows.
            Ok(Reply::Info(info)) if info.string.is_none() => return,
            _ => None,
        };
        let mut state = self.state();
        // A replaced line must not move before a `bestmove` that came after it.
        let recent = state.lines.iter().rposition(|waiting| waiting.variation.is_none());
        let from = recent.map_or(0, |place| place + 1);
        let same = (from..state.lines.len())
            .find(|&place| variation.is_some() && state.lines[place].variation == variation);
        match same {
            Some(place) => {
                state.bytes = state.bytes + text.len() - state.lines[place].text.len();
                state.lines[place].text = text;
            }
            None => {
                state.bytes += text.len();
                state.lines.push_back(Waiting { text, variation });
            }
        }
        while state.bytes > MAX_WAITING {
            let Some(oldest) = state.lines.pop_front() else { break };
            state.bytes -= oldest.text.len();
        }
        drop(state);
        self.changed.notify_one();
    }

    /// Says that no more lines come, and why.
    pub(super) fn end(&self, why: String) {
        self.state().gone.get_or_insert(why);
        self.changed.notify_one();
    }

    /// Waits until there is something to take.
    pub(super) async fn changed(&self) {
        loop {
            {
                let state = self.state();
                if !state.lines.is_empty() || state.gone.is_some() {
                    return;
                }
            }
            self.changed.notified().await;
        }
    }

    /// Takes all lines that wait, and the reason if no more come.
    pub(super) fn take(&self) -> (Vec<String>, Option<String>) {
        let mut state = self.state();
        state.bytes = 0;
        let lines = state.lines.drain(..).map(|waiting| waiting.text).collect();
        (lines, state.gone.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(lines: &[&str]) -> Vec<String> {
        let outbox = Outbox::default();
        lines.iter().for_each(|line| outbox.push(line));
        outbox.take().0
    }

    #[test]
    fn the_newest_line_of_each_variation_is_kept() {
        let lines = taken(&[
            "info depth 1 multipv 1 score cp 1",
            "info depth 1 multipv 2 score cp 2",
            "info depth 2 multipv 1 score cp 3",
            "info currmove e2e3A",
        ]);
        assert_eq!(
            lines,
            ["info depth 2 multipv 1 score cp 3", "info depth 1 multipv 2 score cp 2"]
        );
    }

    #[test]
    fn nothing_moves_across_an_answer() {
        let lines = ["info score cp 1", "bestmove e2e3A", "info score cp 2", "info string x"];
        assert_eq!(taken(&lines), lines);
    }

    #[test]
    fn waiting_output_is_bounded() {
        let line = format!("info string {}", "x".repeat(2 * MAX_LINE));
        let outbox = Outbox::default();
        (0..1000).for_each(|_| outbox.push(&line));
        let lines = outbox.take().0;
        assert!(lines.iter().map(String::len).sum::<usize>() <= MAX_WAITING);
        assert!(lines.len() > 50, "{}", lines.len());
    }
}
