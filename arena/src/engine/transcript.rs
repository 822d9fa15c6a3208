//! What was last said between the arena and an engine, for people who want to know why a game ended
//! as it did.

use std::collections::VecDeque;

use crate::text::safe_text;

/// The most lines of each side that are kept.
const MOST_LINES: usize = 8;

/// The most bytes of a line that are kept, half of them from its beginning and half from its end: of
/// a long game the last moves are worth more than those in the middle.
const MOST_BYTES: usize = 160;

/// The last lines of both sides.
#[derive(Clone, Debug, Default)]
pub(super) struct Transcript {
    sent: Side,
    heard: Side,
    /// How many lines there have been.
    lines: u64,
}

/// The last lines of one side, each with its number.
#[derive(Clone, Debug, Default)]
struct Side(VecDeque<(u64, String)>);

impl Side {
    fn add(&mut self, number: u64, line: &str) {
        // Lines come by the million: the memory of the oldest serves the newest.
        let full = self.0.len() == MOST_LINES;
        let mut text = if full { self.0.pop_front() } else { None }.unwrap_or_default().1;
        text.clear();
        shorten(line, &mut text);
        self.0.push_back((number, text));
    }
}

/// Appends a line, or its beginning and end.
fn shorten(line: &str, text: &mut String) {
    if line.len() <= MOST_BYTES {
        text.push_str(line);
        return;
    }
    let half = MOST_BYTES / 2;
    let is_boundary = |&place: &usize| line.is_char_boundary(place);
    let begin = (0..=half).rev().find(is_boundary).unwrap_or_default();
    let end = (line.len() - half..line.len()).find(is_boundary).unwrap_or(line.len());
    text.extend([&line[..begin], " … ", &line[end..]]);
}

impl Transcript {
    /// Notes what the arena has said, one line or several.
    pub(super) fn sent(&mut self, lines: &[u8]) {
        for line in String::from_utf8_lossy(lines).lines() {
            self.lines += 1;
            self.sent.add(self.lines, line);
        }
    }

    /// Notes a line the engine has said.
    pub(super) fn heard(&mut self, line: &str) {
        self.lines += 1;
        self.heard.add(self.lines, line);
    }

    /// The last lines in their order, those of the arena after `> `, those of the engine after `< `,
    /// and `…` where some are left out. They are [safe](safe_text::line) to show.
    pub(super) fn last_lines(&self) -> Vec<String> {
        let of = |mark, side: &'_ Side| -> Vec<(u64, String)> {
            let line = |(number, text): &(u64, String)| {
                (*number, format!("{mark} {}", safe_text::line(text.trim_end_matches('\r'))))
            };
            side.0.iter().map(line).collect()
        };
        let mut lines = of('>', &self.sent);
        lines.extend(of('<', &self.heard));
        lines.sort();
        let mut shown = Vec::new();
        let mut before = 0;
        for (number, line) in lines {
            if number > before + 1 {
                shown.push("…".to_owned());
            }
            before = number;
            shown.push(line);
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_of_both_are_in_their_order() {
        let mut transcript = Transcript::default();
        assert!(transcript.last_lines().is_empty());
        transcript.sent(b"ugi\n");
        transcript.heard("ugiok\r");
        transcript.sent(b"position startpos\nisready\n");
        transcript.heard("readyok");
        assert_eq!(
            transcript.last_lines(),
            ["> ugi", "< ugiok", "> position startpos", "> isready", "< readyok"]
        );
        transcript.sent(b"go\n");
        (0..100).for_each(|depth| transcript.heard(&format!("info depth {depth}")));
        transcript.heard("bestmove \u{1b}[31m");
        let lines = transcript.last_lines();
        assert_eq!(lines[..5], ["> ugi", "…", "> position startpos", "> isready", "…"]);
        assert_eq!(lines[5..7], ["> go", "…"]);
        assert_eq!((&*lines[7], lines.len()), ("< info depth 93", 7 + MOST_LINES));
        assert_eq!(lines.last().unwrap(), "< bestmove \\u{1b}[31m");
    }

    #[test]
    fn long_lines_lose_their_middle() {
        let mut transcript = Transcript::default();
        transcript.heard(&format!("{}é{}", "a".repeat(79), "é".repeat(5000)));
        let line = &transcript.last_lines()[0];
        assert_eq!(line, &format!("< {} … {}", "a".repeat(79), "é".repeat(40)));
    }
}
