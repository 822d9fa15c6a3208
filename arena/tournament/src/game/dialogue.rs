//! The whole dialogue between the arena and an engine in one game, up to a limit.

use std::collections::VecDeque;
use std::fmt::Write;
use std::time::Instant;

use crate::text::safe_text;

/// The source of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineSource {
    /// From the arena.
    Arena,
    /// From the engine's standard output.
    Engine,
    /// From the engine's standard error.
    StandardError,
}

impl LineSource {
    /// The mark before its lines.
    fn mark(self) -> char {
        match self {
            LineSource::Arena => '>',
            LineSource::Engine => '<',
            LineSource::StandardError => '!',
        }
    }
}

/// A line of a dialogue.
#[derive(Clone, Debug)]
struct Line {
    at: Instant,
    voice: LineSource,
    text: String,
}

/// The dialogue of one game: what the arena and the engine said, and the engine's standard error.
/// Each has a limit of its own, so that a talkative standard error displaces no line of the protocol.
#[derive(Clone, Debug)]
pub struct Dialogue {
    spoken: BoundedLog,
    stderr: BoundedLog,
}

impl Dialogue {
    /// A dialogue of lines of the protocol and lines of standard error.
    pub fn new(spoken: BoundedLog, stderr: BoundedLog) -> Dialogue {
        Dialogue { spoken, stderr }
    }

    fn lines(&self) -> impl Iterator<Item = (Instant, String)> + '_ {
        self.spoken.lines().chain(self.stderr.lines())
    }
}

/// The lines of one game from some voices, with the time of each. Of lines beyond the limit the
/// beginning and the end are kept, half of the limit each.
#[derive(Clone, Debug)]
pub struct BoundedLog {
    /// The limit of each half in bytes.
    half: usize,
    beginning: Vec<Line>,
    beginning_bytes: usize,
    /// Whether a line has gone beyond the first half.
    is_full: bool,
    end: VecDeque<Line>,
    end_bytes: usize,
    /// The number of lines left out between both.
    omitted: u64,
    /// The time of the first of them.
    omitted_at: Option<Instant>,
}

/// The bytes that a line takes beside its text.
const OF_LINE: usize = size_of::<Line>();

impl BoundedLog {
    /// An empty strand that keeps this many bytes.
    pub fn new(limit: usize) -> BoundedLog {
        BoundedLog {
            half: limit / 2,
            beginning: Vec::new(),
            beginning_bytes: 0,
            is_full: false,
            end: VecDeque::new(),
            end_bytes: 0,
            omitted: 0,
            omitted_at: None,
        }
    }

    /// Leaves an empty strand with the limit of this one; returns what was said so far.
    pub fn take(&mut self) -> BoundedLog {
        let empty = BoundedLog::new(2 * self.half);
        std::mem::replace(self, empty)
    }

    /// Keeps a line.
    pub fn add(&mut self, voice: LineSource, text: &str) {
        let bytes = text.len() + OF_LINE;
        let line = Line { at: Instant::now(), voice, text: text.to_owned() };
        self.is_full |= self.beginning_bytes + bytes > self.half;
        if !self.is_full {
            self.beginning_bytes += bytes;
            self.beginning.push(line);
            return;
        }
        self.end_bytes += bytes;
        self.end.push_back(line);
        while self.end_bytes > self.half
            && let Some(oldest) = self.end.pop_front()
        {
            self.end_bytes -= oldest.text.len() + OF_LINE;
            self.omitted += 1;
            self.omitted_at.get_or_insert(oldest.at);
        }
    }

    /// The lines, each with its time and its mark: `>` from the arena, `<` from the engine, `!` from
    /// its standard error.
    fn lines(&self) -> impl Iterator<Item = (Instant, String)> + '_ {
        let line = |line: &Line| {
            let text = safe_text::line(line.text.trim_end_matches('\r'));
            (line.at, format!("{} {text}", line.voice.mark()))
        };
        let of = match self.end.front().map(|line| line.voice) {
            Some(LineSource::StandardError) => " of standard error",
            _ => "",
        };
        let omitted =
            self.omitted_at.map(|at| (at, format!("… {} lines{of} left out", self.omitted)));
        self.beginning.iter().map(line).chain(omitted).chain(self.end.iter().map(line))
    }
}

/// The dialogues of a game as one text, in the order of time. Each line has the seconds since the
/// first one, the letter of the engine, and its mark.
pub fn transcript(dialogues: &[(char, &Dialogue)]) -> String {
    let mut lines: Vec<(Instant, char, String)> = Vec::new();
    for &(letter, dialogue) in dialogues {
        lines.extend(dialogue.lines().map(|(at, line)| (at, letter, line)));
    }
    // Stable: lines of the same moment stay in their order.
    lines.sort_by_key(|&(at, ..)| at);
    let begin = lines.first().map(|&(at, ..)| at);
    let mut text = String::new();
    for (at, letter, line) in &lines {
        let seconds = begin.map_or(0.0, |begin| (*at - begin).as_secs_f64());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{seconds:10.4} {letter}{line}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines without their times.
    fn shown(dialogues: &[(char, &Dialogue)]) -> Vec<String> {
        transcript(dialogues).lines().map(|line| line[11..].to_owned()).collect()
    }

    fn empty() -> Dialogue {
        Dialogue::new(BoundedLog::new(1 << 16), BoundedLog::new(1 << 16))
    }

    #[test]
    fn two_engines_take_turns() {
        let (mut white, mut black) = (empty(), empty());
        white.spoken.add(LineSource::Arena, "go nodes 5");
        white.stderr.add(LineSource::StandardError, "thinking");
        white.spoken.add(LineSource::Engine, "bestmove a1a2\r");
        black.spoken.add(LineSource::Arena, "go nodes 5");
        black.spoken.add(LineSource::Engine, "info string \u{1b}[31m");
        let expected = [
            "W> go nodes 5",
            "W! thinking",
            "W< bestmove a1a2",
            "B> go nodes 5",
            "B< info string \\u{1b}[31m",
        ];
        assert_eq!(shown(&[('B', &black), ('W', &white)]), expected);
        assert!(transcript(&[('W', &white)]).starts_with("    0.0000 W> go"));
        assert_eq!(white.spoken.take().lines().count(), 2);
        assert_eq!(shown(&[('W', &white)]), ["W! thinking"]);
    }

    #[test]
    fn a_long_dialogue_loses_its_middle() {
        let room = |lines: usize| 2 * lines * (OF_LINE + 2);
        let mut dialogue = Dialogue { spoken: BoundedLog::new(room(3)), ..empty() };
        for number in 10..30 {
            dialogue.spoken.add(LineSource::Engine, &number.to_string());
        }
        let expected =
            ["W< 10", "W< 11", "W< 12", "W… 14 lines left out", "W< 27", "W< 28", "W< 29"];
        assert_eq!(shown(&[('W', &dialogue)]), expected);
        // A single line can be larger than all the room there is.
        dialogue.spoken.add(LineSource::Engine, &"x".repeat(room(4)));
        assert_eq!(shown(&[('W', &dialogue)])[3..], ["W… 18 lines left out"]);
        // What standard error loses is named as such, and takes nothing from the others.
        let mut talkative = Dialogue { stderr: BoundedLog::new(room(1)), ..empty() };
        talkative.spoken.add(LineSource::Arena, "go nodes 5");
        (10..20).for_each(|number| {
            talkative.stderr.add(LineSource::StandardError, &number.to_string())
        });
        let expected = ["W> go nodes 5", "W! 10", "W… 8 lines of standard error left out", "W! 19"];
        assert_eq!(shown(&[('W', &talkative)]), expected);
    }
}
