//! The last lines between the arena and an engine, to show why a game ended.

use std::collections::VecDeque;

use fanorona_tournament::text::safe_text;

/// The maximum number of lines per side.
const MAX_LINES: usize = 8;

/// The maximum length of a line in bytes, half from its beginning and half from its end: in a long
/// game the last moves matter more than those in the middle.
const MAX_BYTES: usize = 160;

/// The last lines of both sides.
#[derive(Clone, Debug, Default)]
pub(super) struct Transcript {
    sent: Side,
    received: Side,
    /// The total number of lines.
    lines: u64,
}

/// The last lines of one side, each with its number.
#[derive(Clone, Debug, Default)]
struct Side(VecDeque<(u64, String)>);

impl Side {
    fn add(&mut self, number: u64, line: &str) {
        // There can be millions of lines, so the buffer of the oldest is reused.
        let full = self.0.len() == MAX_LINES;
        let mut text = if full { self.0.pop_front() } else { None }.unwrap_or_default().1;
        text.clear();
        shorten(line, &mut text);
        self.0.push_back((number, text));
    }
}

/// Appends a line, shortened to its beginning and end if necessary.
pub(super) fn shorten(line: &str, text: &mut String) {
    if line.len() <= MAX_BYTES {
        text.push_str(line);
        return;
    }
    let half = MAX_BYTES / 2;
    let is_boundary = |&place: &usize| line.is_char_boundary(place);
    let begin = (0..=half).rev().find(is_boundary).unwrap_or_default();
    let end = (line.len() - half..line.len()).find(is_boundary).unwrap_or(line.len());
    text.extend([&line[..begin], " … ", &line[end..]]);
}

impl Transcript {
    /// Records lines sent by the arena.
    pub(super) fn sent(&mut self, lines: &[u8]) {
        for line in String::from_utf8_lossy(lines).lines() {
            self.lines += 1;
            self.sent.add(self.lines, line);
        }
    }

    /// Records a line received from the engine.
    pub(super) fn received(&mut self, line: &str) {
        self.lines += 1;
        self.received.add(self.lines, line);
    }

    /// The last lines of the engine, [safe](safe_text::line) to show.
    pub(super) fn received_lines(&self) -> impl Iterator<Item = String> + '_ {
        self.received.0.iter().map(|(_, text)| safe_text::line(text.trim_end()).into_owned())
    }

    /// The last lines in order: those of the arena after `> `, those of the engine after `< `, and
    /// `…` for omitted lines. They are [safe](safe_text::line) to show.
    pub(super) fn last_lines(&self) -> Vec<String> {
        let of = |mark, side: &'_ Side| -> Vec<(u64, String)> {
            let line = |(number, text): &(u64, String)| {
                (*number, format!("{mark} {}", safe_text::line(text.trim_end_matches('\r'))))
            };
            side.0.iter().map(line).collect()
        };
        let mut lines = of('>', &self.sent);
        lines.extend(of('<', &self.received));
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
    fn the_last_lines_of_both_sides_are_in_order() {
        let mut transcript = Transcript::default();
        assert!(transcript.last_lines().is_empty());
        transcript.sent(b"ugi\n");
        transcript.received("ugiok\r");
        transcript.sent(b"position startpos\nisready\n");
        transcript.received("readyok");
        assert_eq!(
            transcript.last_lines(),
            ["> ugi", "< ugiok", "> position startpos", "> isready", "< readyok"]
        );
        transcript.sent(b"go\n");
        (0..100).for_each(|depth| transcript.received(&format!("info depth {depth}")));
        transcript.received("bestmove \u{1b}[31m");
        let lines = transcript.last_lines();
        assert_eq!(lines[..5], ["> ugi", "…", "> position startpos", "> isready", "…"]);
        assert_eq!(lines[5..7], ["> go", "…"]);
        assert_eq!((&*lines[7], lines.len()), ("< info depth 93", 7 + MAX_LINES));
        assert_eq!(lines.last().unwrap(), "< bestmove \\u{1b}[31m");
    }

    #[test]
    fn long_lines_lose_their_middle() {
        let mut transcript = Transcript::default();
        transcript.received(&format!("{}é{}", "a".repeat(79), "é".repeat(5000)));
        let line = &transcript.last_lines()[0];
        assert_eq!(line, &format!("< {} … {}", "a".repeat(79), "é".repeat(40)));
    }
}
