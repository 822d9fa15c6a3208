//! Printing: results on standard output, and messages and progress on standard error.

use std::cell::Cell;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::outlet::{Outlet, Stream};
use super::{screen, stdout};
use fanorona_tournament::game::termination::Reason;
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::text::safe_text;

/// Prints a line to standard output.
pub(crate) fn print_line(text: impl Display) {
    stdout::write(format!("{text}\n").as_bytes());
}

/// A line that says where something is. It is not wrapped, so that the path can be copied.
pub(crate) fn place_line(what: &str, path: &Path) -> String {
    format!("{what}: {}", safe_text::line(&path.to_string_lossy()))
}

/// Prints a text for a reader: made safe, and wrapped to the width of the terminal.
pub(crate) fn print_wrapped(text: impl Display) {
    print_line(wrapped_for_stdout(&text.to_string()));
}

/// Prints a text for a reader with escape sequences of our own for colours, wrapped to the width of the
/// terminal. Whatever it quotes must have been made safe.
pub(crate) fn print_coloured(text: impl Display) {
    let text = text.to_string();
    match screen::width() {
        Some(width) => print_line(wrap(&text, width)),
        None => print_line(text),
    }
}

/// Prepares a text for standard output: it is made [safe](safe_text::lines), as it may quote files
/// and engines. At a terminal, lines are wrapped to its width between words, and continuation lines
/// are indented.
pub(crate) fn wrapped_for_stdout(text: &str) -> String {
    wrap_to(screen::width(), text)
}

fn wrap_to(width: Option<usize>, text: &str) -> String {
    let text = safe_text::lines(text);
    match width {
        Some(width) => wrap(&text, width),
        None => text.into_owned(),
    }
}

fn wrap(text: &str, width: usize) -> String {
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

/// Prints a message to standard error, made [safe](safe_text::lines) and wrapped between words at a
/// terminal. A closed standard error is not an error.
pub(crate) fn eprint_line(text: impl Display) {
    write_line(&wrap_to(screen::width_of_stderr(), &text.to_string()));
}

fn write_line(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// The time that the final message waits for a reader of standard error.
const LAST_LINE_TIMEOUT: Duration = Duration::from_secs(10);

/// Prints the program's last message to standard error. A reader that has stopped reading cannot
/// keep the program from ending.
pub(crate) fn eprint_last_line(text: String) {
    let (done, printed) = mpsc::channel();
    let text = Arc::new(text);
    let words = text.clone();
    let started = thread::Builder::new().spawn(move || {
        write_line(&words);
        // After the timeout the receiver is gone.
        let _ = done.send(());
    });
    match started {
        Ok(_) => drop(printed.recv_timeout(LAST_LINE_TIMEOUT)),
        Err(_) => write_line(&text),
    }
}

/// An engine's remarks on its options, one line each.
pub(crate) fn remarks(engine: &str, remarks: &[String]) -> impl Iterator<Item = String> {
    remarks.iter().map(move |remark| format!("engine `{engine}` says: {remark}"))
}

/// Prints an engine's remarks on the options it was given as warnings.
pub(crate) fn warn_about_remarks(engine: &str, said: &[String]) {
    remarks(engine, said).for_each(|remark| eprint_line(format_args!("warning: {remark}")));
}

/// Shows a tournament's progress on standard error, without ever waiting for a reader.
pub(crate) struct ProgressDisplay {
    out: Outlet<DisplayCommand>,
    /// Whether standard error is a terminal, where progress is a bar.
    bar: bool,
    begin: Instant,
    /// Pairings that were complete before this run.
    before: u64,
    /// Pairings that are complete now, and the total.
    done: u64,
    total: u64,
    /// Finished games whose pairing has not been reported complete yet.
    announced: u64,
    /// Lines dropped because the reader is too slow.
    left_out: Cell<u64>,
    /// The likelihood ratio of the SPRT, if there is one.
    test: Option<String>,
}

/// A command for the printing thread.
enum DisplayCommand {
    /// Print a line.
    Line(String),
    /// Set the number of complete pairings.
    Done(u64),
    /// Set the text beside the bar.
    Words(String),
    /// Remove the bar.
    End,
}

/// While this many items wait, lines about games are dropped.
const GAME_QUEUE_LIMIT: usize = 1000;

/// While this many items wait, all lines are dropped.
const QUEUE_LIMIT: usize = 10_000;

impl ProgressDisplay {
    /// Progress of `total` pairings, of which `before` are complete.
    ///
    /// # Errors
    /// Returns an error if no thread can be started.
    pub(crate) fn new(total: u64, before: u64) -> io::Result<ProgressDisplay> {
        let bar = screen::stderr_draws();
        let out = if bar { progress_bar(total, before)? } else { lines()? };
        let (done, announced) = (before, 0);
        let begin = Instant::now();
        let left_out = Cell::new(0);
        Ok(ProgressDisplay {
            out,
            bar,
            begin,
            before,
            done,
            total,
            announced,
            left_out,
            test: None,
        })
    }

    /// Updates the likelihood ratio of the SPRT.
    pub(crate) fn tested(&mut self, ratio: String) {
        self.test = Some(ratio);
    }

    /// Reports a finished game.
    pub(crate) fn game(&mut self, game: &GameRecord) {
        // A game outside a session completes its pairing.
        self.announced += u64::from(game.id.of_session.is_none());
        let with_test = |mut line: String| {
            line.extend(self.test.iter().flat_map(|ratio| ["; ", ratio]));
            line
        };
        let whole = with_test(game_line(game) + &fault_suffix(game));
        if self.bar {
            if matches!(game.reason, Reason::Fault(_)) {
                self.put(DisplayCommand::Line(whole), GAME_QUEUE_LIMIT);
            }
            self.put(DisplayCommand::Words(with_test(game_line(game))), GAME_QUEUE_LIMIT);
            return;
        }
        let done = (self.done + self.announced).min(self.total);
        let left = match done - self.before {
            0 => String::new(),
            played => {
                let rest = (self.total - done) as f64 / played as f64;
                format!(" (left: {})", HumanDuration(self.begin.elapsed().mul_f64(rest)))
            }
        };
        self.put(
            DisplayCommand::Line(format!("[{done}/{}]{left} {whole}", self.total)),
            GAME_QUEUE_LIMIT,
        );
    }

    /// Prints a line.
    pub(crate) fn note(&self, line: &str) {
        self.put(DisplayCommand::Line(line.to_owned()), QUEUE_LIMIT);
    }

    /// Counts a complete pairing: a game, or the last game of a session.
    pub(crate) fn pairing(&mut self) {
        self.announced = self.announced.saturating_sub(1);
        self.done += 1;
        self.put(DisplayCommand::Done(self.done), GAME_QUEUE_LIMIT);
    }

    /// Removes the bar, and waits until everything is printed or the reader takes nothing.
    pub(crate) async fn finish(&self) {
        if !self.bar && self.done > self.before {
            let time = HumanDuration(self.begin.elapsed());
            self.note(&format!("[{}/{}] in {time}", self.done, self.total));
        }
        self.put(DisplayCommand::End, usize::MAX);
        self.out.flushed(Some(READER_TIMEOUT)).await;
    }

    /// Adds a command to the queue unless it already holds `most` items.
    fn put(&self, command: DisplayCommand, most: usize) {
        if self.out.count() >= most {
            self.left_out
                .set(self.left_out.get() + u64::from(matches!(command, DisplayCommand::Line(_))));
            return;
        }
        let left_out = self.left_out.take();
        if left_out > 0 {
            let line = format!("({left_out} lines omitted: the reader is too slow)");
            self.out.put(DisplayCommand::Line(line), 0);
        }
        self.out.put(command, 0);
    }
}

/// The time to wait at the end for a reader that takes nothing.
pub(crate) const READER_TIMEOUT: Duration = Duration::from_secs(3);

/// Starts an outlet that prints lines only.
fn lines() -> io::Result<Outlet<DisplayCommand>> {
    let mut stderr = Stream::of(io::stderr());
    Outlet::start(move |command| {
        if let DisplayCommand::Line(line) = command {
            // An error ends the stream, and there is no other place to tell of it.
            let _ = stderr.line(&safe_text::lines(&line));
        }
    })
}

/// Starts an outlet with a progress bar, the last game below it, and other lines above.
fn progress_bar(total: u64, before: u64) -> io::Result<Outlet<DisplayCommand>> {
    let mut bar: Option<ProgressBar> = None;
    // Drawing blocks until the terminal accepts it, so the bar lives on the outlet's thread.
    let new = move || {
        let bar = ProgressBar::new(total).with_position(before);
        let style = ProgressStyle::with_template(
            "{bar:30} {pos}/{len} {elapsed_precise} (left: {eta})\n{msg}",
        );
        bar.set_style(style.expect("the template is well formed"));
        bar.enable_steady_tick(Duration::from_millis(500));
        bar
    };
    let outlet = Outlet::start(move |command| {
        let bar = bar.get_or_insert_with(new);
        let wrapped_for_stdout = |line: &str| wrap_to(screen::width_of_stderr(), line);
        match command {
            DisplayCommand::Line(line) => bar.println(wrapped_for_stdout(&line)),
            DisplayCommand::Done(done) => bar.set_position(done),
            DisplayCommand::Words(words) => bar.set_message(wrapped_for_stdout(&words)),
            DisplayCommand::End => bar.finish_and_clear(),
        }
    })?;
    outlet.put(DisplayCommand::Done(before), 0);
    Ok(outlet)
}

/// A game in one line.
fn game_line(game: &GameRecord) -> String {
    let GameRecord { id, kind, white, black, result, reason, .. } = game;
    let plies = game.plies();
    format!("game {id} {kind}: {white} - {black} {result} {reason}, {plies} plies")
}

/// The offender and what happened, if an engine was at fault.
fn fault_suffix(game: &GameRecord) -> String {
    let detail = &game.detail;
    game.offender_name().map_or(String::new(), |offender| format!("; {offender}: {detail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words_and_go_on_to_the_right() {
        let text = "undecided between a and b\n\n  1  two words  /a/path/that/is/long\nshort";
        let expected = "undecided\n  between a\n  and b\n\n  1  two\n    words\n    \
                        /a/path/that/is/long\nshort";
        assert_eq!(wrap(text, 12), expected);
        assert_eq!(wrap(text, 80), text);
        assert_eq!(wrap("\x1b[1mone\x1b[0m two", 7), "\x1b[1mone\x1b[0m two");
    }
}
