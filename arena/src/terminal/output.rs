//! What the program says while it runs: a bar at a terminal, plain lines elsewhere.

use std::cell::Cell;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::outlet::{Outlet, Stream};
use super::screen;
use crate::game::termination::Reason;
use crate::record::GameRecord;
use crate::text::safe_text;

/// Prints to standard output. That it has been closed changes nothing: results are in files.
pub(crate) fn say(text: impl Display) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Prints what people read.
pub(crate) fn prose(text: impl Display) {
    say(fitted(&text.to_string()));
}

/// A text for people, [safe](safe_text::lines) whatever it quotes: at a terminal no line is longer than that is wide, unless one of its words is,
/// and what is left of a line stands a little to the right below it.
pub(crate) fn fitted(text: &str) -> String {
    fitted_to(screen::width(), text)
}

fn fitted_to(width: Option<usize>, text: &str) -> String {
    let text = safe_text::lines(text);
    match width {
        Some(width) => wrapped(&text, width),
        None => text.into_owned(),
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

/// Prints to standard error, [safe](safe_text::lines) whatever it quotes, and at a terminal with lines
/// that end between words. That it has been closed
/// changes nothing either.
pub(crate) fn tell(text: impl Display) {
    write_line(&fitted_to(screen::width_of_stderr(), &text.to_string()));
}

fn write_line(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// How long the end of the program waits for a reader of standard error.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Prints to standard error why the program ends. A reader that has stopped reading does not keep
/// it from ending.
pub(crate) fn tell_last(text: String) {
    let (done, printed) = mpsc::channel();
    let text = Arc::new(text);
    let words = text.clone();
    let started = thread::Builder::new().spawn(move || {
        write_line(&words);
        // Nobody waits any more where it has taken too long.
        let _ = done.send(());
    });
    match started {
        Ok(_) => drop(printed.recv_timeout(LAST_WORDS)),
        Err(_) => write_line(&text),
    }
}

/// What an engine of this name remarked on the options it was given, in words.
pub(crate) fn remarks(engine: &str, remarks: &[String]) -> impl Iterator<Item = String> {
    remarks.iter().map(move |remark| format!("engine `{engine}` says: {remark}"))
}

/// Warns of what an engine of this name remarked on the options it was given.
pub(crate) fn warn_of_remarks(engine: &str, said: &[String]) {
    remarks(engine, said).for_each(|remark| tell(format_args!("warning: {remark}")));
}

/// Shows how far a tournament is, on standard error, without ever waiting for its reader.
pub(crate) struct ProgressDisplay {
    out: Outlet<Told>,
    /// Whether standard error is a terminal, and has a bar.
    bar: bool,
    begin: Instant,
    /// Pairings that were complete before.
    before: u64,
    /// Pairings that are complete by now, of how many.
    done: u64,
    total: u64,
    /// Games that are finished and complete a pairing of which that has not been said yet.
    announced: u64,
    /// Lines that nobody has read in time.
    left_out: Cell<u64>,
    /// How the test of the match stands, where there is one.
    test: Option<String>,
}

/// What the thread that prints is told.
enum Told {
    /// A line of its own.
    Line(String),
    /// So many pairings are complete.
    Done(u64),
    /// The words beside the bar.
    Words(String),
    /// The bar is taken away.
    End,
}

/// When so many things wait to be printed, games are no longer told of.
const MOST_GAMES: usize = 1000;

/// When so many wait, nothing is added.
const MOST: usize = 10_000;

impl ProgressDisplay {
    /// Of so many pairings, some of them played before.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub(crate) fn new(total: u64, before: u64) -> io::Result<ProgressDisplay> {
        let bar = io::stderr().is_terminal();
        let out = if bar { bar_of(total, before)? } else { lines()? };
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

    /// The test of the match has come so far.
    pub(crate) fn tested(&mut self, ratio: String) {
        self.test = Some(ratio);
    }

    /// A game has been finished and kept.
    pub(crate) fn game(&mut self, game: &GameRecord) {
        // A game of its own completes its pairing.
        self.announced += u64::from(game.id.of_session.is_none());
        let with_test = |mut line: String| {
            line.extend(self.test.iter().flat_map(|ratio| ["; ", ratio]));
            line
        };
        let whole = with_test(in_words(game) + &of_fault(game));
        if self.bar {
            if matches!(game.reason, Reason::Fault(_)) {
                self.put(Told::Line(whole), MOST_GAMES);
            }
            self.put(Told::Words(with_test(in_words(game))), MOST_GAMES);
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
        self.put(Told::Line(format!("[{done}/{}]{left} {whole}", self.total)), MOST_GAMES);
    }

    /// Something worth a line of its own.
    pub(crate) fn note(&self, line: &str) {
        self.put(Told::Line(line.to_owned()), MOST);
    }

    /// A pairing is complete: its game, or the last game of its session.
    pub(crate) fn pairing(&mut self) {
        self.announced = self.announced.saturating_sub(1);
        self.done += 1;
        self.put(Told::Done(self.done), MOST_GAMES);
    }

    /// Takes the bar away, and waits until everything is printed, or nobody reads it.
    pub(crate) async fn finish(&self) {
        if !self.bar && self.done > self.before {
            let time = HumanDuration(self.begin.elapsed());
            self.note(&format!("[{}/{}] in {time}", self.done, self.total));
        }
        self.put(Told::End, usize::MAX);
        self.out.flushed(Some(UNREAD)).await;
    }

    /// Puts something in the queue unless as many things are waiting.
    fn put(&self, told: Told, most: usize) {
        if self.out.count() >= most {
            self.left_out.set(self.left_out.get() + u64::from(matches!(told, Told::Line(_))));
            return;
        }
        let left_out = self.left_out.take();
        if left_out > 0 {
            let line =
                format!("({left_out} lines are left out here: nobody has read them in time)");
            self.out.put(Told::Line(line), 0);
        }
        self.out.put(told, 0);
    }
}

/// How long a stream is waited for at the end while its reader takes nothing.
pub(crate) const UNREAD: Duration = Duration::from_secs(3);

/// Prints lines alone.
fn lines() -> io::Result<Outlet<Told>> {
    let mut stderr = Stream::of(io::stderr());
    Outlet::start(move |told| {
        if let Told::Line(line) = told {
            stderr.line(&safe_text::lines(&line));
        }
    })
}

/// Shows a bar, the last game below it, and other lines above.
fn bar_of(total: u64, before: u64) -> io::Result<Outlet<Told>> {
    let mut bar: Option<ProgressBar> = None;
    // Drawing waits for the terminal: the bar is made and used on the thread of the outlet alone.
    let new = move || {
        let bar = ProgressBar::new(total).with_position(before);
        let style = ProgressStyle::with_template(
            "{bar:30} {pos}/{len} {elapsed_precise} (left: {eta})\n{msg}",
        );
        bar.set_style(style.expect("the template is well formed"));
        bar.enable_steady_tick(Duration::from_millis(500));
        bar
    };
    let outlet = Outlet::start(move |told| {
        let bar = bar.get_or_insert_with(new);
        let fitted = |line: &str| fitted_to(screen::width_of_stderr(), line);
        match told {
            Told::Line(line) => bar.println(fitted(&line)),
            Told::Done(done) => bar.set_position(done),
            Told::Words(words) => bar.set_message(fitted(&words)),
            Told::End => bar.finish_and_clear(),
        }
    })?;
    outlet.put(Told::Done(before), 0);
    Ok(outlet)
}

/// A game in one line.
fn in_words(game: &GameRecord) -> String {
    let GameRecord { id, kind, white, black, result, reason, .. } = game;
    let plies = game.plies();
    format!("game {id} {kind}: {white} - {black} {result} {reason}, {plies} plies")
}

/// Who was at fault in it, and of what exactly, if anybody was.
fn of_fault(game: &GameRecord) -> String {
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
        assert_eq!(wrapped(text, 12), expected);
        assert_eq!(wrapped(text, 80), text);
        assert_eq!(wrapped("\x1b[1mone\x1b[0m two", 7), "\x1b[1mone\x1b[0m two");
    }
}
