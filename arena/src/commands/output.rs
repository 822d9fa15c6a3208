//! What the program says while it runs: a bar at a terminal, plain lines elsewhere.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::screen;
use crate::ending::Reason;
use crate::record::GameRecord;

/// Prints to standard output. That it has been closed changes nothing: results are in files.
pub(super) fn say(text: impl Display) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Prints what people read: at a terminal no line is longer than that is wide, unless one of its
/// words is, and what is left of a line stands a little to the right below it.
pub(super) fn prose(text: impl Display) {
    match screen::width() {
        Some(width) => say(wrapped(&text.to_string(), width)),
        None => say(text),
    }
}

fn wrapped(text: &str, width: usize) -> String {
    let line = |line: &str| {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let below = " ".repeat((indent + 2).min(width / 3));
        let options = textwrap::Options::new(width)
            .subsequent_indent(&below)
            .break_words(false)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        textwrap::fill(line, options)
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Prints to standard error. That it has been closed changes nothing either.
pub(super) fn tell(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// What an engine of this name remarked on the options it was given, in words.
pub(super) fn remarks(engine: &str, remarks: &[String]) -> impl Iterator<Item = String> {
    remarks.iter().map(move |remark| format!("engine `{engine}` says: {remark}"))
}

/// Warns of what an engine of this name remarked on the options it was given.
pub(super) fn warn_of_remarks(engine: &str, said: &[String]) {
    remarks(engine, said).for_each(|remark| tell(format_args!("warning: {remark}")));
}

/// Shows how far a tournament is.
pub(super) struct Progress {
    shape: Shape,
    /// How the test of the match stands, where there is one.
    test: Option<String>,
}

enum Shape {
    Bar(ProgressBar),
    Lines { begin: Instant, before: u64, done: u64, total: u64 },
}

impl Progress {
    /// Of so many pairings, some of them played before.
    pub(super) fn new(total: u64, before: u64) -> Progress {
        let shape = if io::stderr().is_terminal() {
            let bar = ProgressBar::new(total).with_position(before);
            let style = ProgressStyle::with_template(
                "{bar:30} {pos}/{len} {elapsed_precise} (left: {eta}) {wide_msg}",
            );
            bar.set_style(style.expect("the template is well formed"));
            bar.enable_steady_tick(std::time::Duration::from_millis(500));
            Shape::Bar(bar)
        } else {
            Shape::Lines { begin: Instant::now(), before, done: before, total }
        };
        Progress { shape, test: None }
    }

    /// The test of the match has come so far.
    pub(super) fn tested(&mut self, ratio: String) {
        self.test = Some(ratio);
    }

    /// A game has been finished and kept.
    pub(super) fn game(&self, game: &GameRecord) {
        let mut line = in_words(game);
        if let Some(ratio) = &self.test {
            line.push_str(&format!("; {ratio}"));
        }
        let fault = matches!(game.reason, Reason::Fault(_));
        match &self.shape {
            Shape::Bar(bar) => {
                if fault {
                    bar.println(&line);
                }
                bar.set_message(line);
            }
            Shape::Lines { begin, before, done, total } => {
                let left = match done - before {
                    0 => String::new(),
                    played => {
                        let rest = (total - done) as f64 / played as f64;
                        let left = begin.elapsed().mul_f64(rest);
                        format!(" (left: {})", HumanDuration(left))
                    }
                };
                tell(format_args!("[{done}/{total}]{left} {line}"));
            }
        }
    }

    /// Something worth a line of its own.
    pub(super) fn note(&self, line: &str) {
        match &self.shape {
            Shape::Bar(bar) => bar.println(line),
            Shape::Lines { .. } => tell(line),
        }
    }

    /// A pairing is complete: its game, or the last game of its session.
    pub(super) fn pairing(&mut self) {
        match &mut self.shape {
            Shape::Bar(bar) => bar.inc(1),
            Shape::Lines { done, .. } => *done += 1,
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Shape::Bar(bar) = &self.shape {
            bar.finish_and_clear();
        }
    }
}

/// A game in one line.
fn in_words(game: &GameRecord) -> String {
    let GameRecord { id, kind, white, black, result, reason, detail, .. } = game;
    let plies = game.plies();
    let mut line = format!("game {id} {kind}: {white} - {black} {result} {reason}, {plies} plies");
    if let Some(offender) = game.offender_name() {
        line.push_str(&format!("; {offender}: {detail}"));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words_and_go_on_to_the_right() {
        let text = "undecided between a and b\n\n  1  two words  /a/path/that/is/long\nshort";
        let expected = "undecided\n  between a\n  and b\n\n  1  two\n    words\n    \
                        /a/path/that/is/long\nshort";
        assert_eq!(wrapped(text, 12), expected);
        assert_eq!(wrapped(text, 80), text);
        assert_eq!(wrapped("\x1b[1mone\x1b[0m two", 7), "\x1b[1mone\x1b[0m two");
    }
}
