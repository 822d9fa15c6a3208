//! A session in one thread, for a program without others: its host calls it when there is input.

use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fanorona_protocol::messages::{LineBuffer, MAX_LINE, TooLong};

use super::job::Job;
use super::output::Output;
use super::{JobKind, Session};
use crate::bot::Bot;
use crate::budget::Listener;
use crate::platform::Instant;

/// A session of one thread. While a search or a perft runs, it asks for new input as often as it looks
/// for `stop`; lines and answers are those of [`serve`](super::serve).
pub struct PolledSession {
    bot: Box<dyn Bot>,
    jobs: Receiver<Job>,
    output: Output,
    ear: Arc<Mutex<InputSide>>,
}

/// The side that hears: the session, with its input. A job may lock it.
struct InputSide {
    session: Session,
    input: Box<dyn Read + Send>,
    lines: LineBuffer,
}

impl PolledSession {
    /// A session of a bot. Reading fails with [`WouldBlock`](io::ErrorKind::WouldBlock) when no input
    /// waits.
    pub fn new(
        bot: Box<dyn Bot>,
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> PolledSession {
        let output = Output::new(output);
        let (sender, jobs) = channel();
        let ear = Arc::new_cyclic(|ear| {
            let ear = ear.clone();
            let listener = Listener::new(move || {
                // Output that cannot be written fails again at the answer.
                let _ = ear.upgrade().map(|ear: Arc<Mutex<InputSide>>| lock(&ear).hear());
            });
            let session = Session::new(&*bot, output.clone(), sender, Some(listener));
            Mutex::new(InputSide {
                session,
                input: Box::new(input),
                lines: LineBuffer::new(MAX_LINE),
            })
        });
        PolledSession { bot, jobs, output, ear }
    }

    /// Handles all input that waits, and runs everything that it asks for. Returns whether the session
    /// goes on; after `quit` or the end of input it does not.
    ///
    /// # Errors
    /// Fails when the output can no longer be written.
    pub fn run(&mut self) -> io::Result<bool> {
        lock(&self.ear).hear()?;
        while let Ok(job) = self.jobs.try_recv() {
            let done = job.run(&mut *self.bot, &mut self.output);
            lock(&self.ear).session.done(done)?;
            lock(&self.ear).hear()?;
        }
        let goes_on = !lock(&self.ear).session.is_over();
        #[cfg(not(feature = "native"))]
        if goes_on {
            crate::platform::work_in_background();
        }
        Ok(goes_on)
    }
}

fn lock(ear: &Mutex<InputSide>) -> MutexGuard<'_, InputSide> {
    ear.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InputSide {
    /// Hands all input that waits to the session, up to a line that needs an answer of the bot.
    fn hear(&mut self) -> io::Result<()> {
        let mut chunk = [0; 4 * 1024];
        self.session.drain()?;
        while !self.session.closing && !self.session.runs(JobKind::Request) {
            if let Some(line) = self.lines.next_line() {
                hand(&mut self.session, line)?;
                continue;
            }
            match self.input.read(&mut chunk) {
                Ok(count) if count > 0 => self.lines.push(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Nothing waits.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                // The end; any other error counts as the end.
                Ok(_) | Err(_) => {
                    if let Some(line) = self.lines.finish() {
                        hand(&mut self.session, line)?;
                    }
                    self.session.close()?;
                    self.session.drain()?;
                }
            }
        }
        Ok(())
    }
}

/// Hands a line to a session.
fn hand(session: &mut Session, line: Result<Cow<'_, str>, TooLong>) -> io::Result<()> {
    match line {
        Ok(line) => session.read(&line, Instant::now())?,
        Err(error) => session.unreadable(error, Instant::now())?,
    }
    session.drain()
}

#[cfg(test)]
mod tests {
    use super::super::serve;
    use super::*;
    use crate::alphabeta::AlphaBeta;
    use crate::greedy::Greedy;
    use crate::mcts::Mcts;
    use crate::random::Random;
    use std::collections::VecDeque;

    const BOTS: [fn() -> Box<dyn Bot>; 4] = [
        || Box::new(Random::new()),
        || Box::new(Greedy::new()),
        || Box::new(Mcts::new()),
        || Box::new(AlphaBeta::new()),
    ];

    /// The input that waits; `None` is its end.
    #[derive(Clone, Default)]
    struct Input(Arc<Mutex<VecDeque<Option<String>>>>);

    impl Input {
        fn say(&self, text: &str) {
            self.0.lock().unwrap().push_back(Some(text.to_owned()));
        }

        fn end(&self) {
            self.0.lock().unwrap().push_back(None);
        }
    }

    impl Read for Input {
        fn read(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
            match self.0.lock().unwrap().pop_front() {
                Some(Some(text)) => {
                    chunk[..text.len()].copy_from_slice(text.as_bytes());
                    Ok(text.len())
                }
                Some(None) => Ok(0),
                None => Err(io::ErrorKind::WouldBlock.into()),
            }
        }
    }

    /// The lines printed, and what is said to the session when a line begins with a word.
    #[derive(Clone, Default)]
    struct Output {
        lines: Arc<Mutex<Vec<String>>>,
        reply: Option<(&'static str, Input, &'static str)>,
    }

    impl Output {
        fn take(&self) -> Vec<String> {
            std::mem::take(&mut *self.lines.lock().unwrap())
        }
    }

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let line = std::str::from_utf8(bytes).unwrap().trim_end();
            self.lines.lock().unwrap().push(line.to_owned());
            if let Some((_, input, text)) = self.reply.take_if(|(word, ..)| line.starts_with(*word))
            {
                input.say(text);
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The lines without those that tell a time or were not asked for.
    fn timeless(lines: Vec<String>) -> Vec<String> {
        let word = |line: &String, words: &[&str]| words.iter().any(|word| line.starts_with(word));
        lines.into_iter().filter(|line| !word(line, &["info depth", "info nodes", "nps"])).collect()
    }

    /// Sorts lines by source: the answers of searches; other answers; and, sorted, what may be said
    /// at once, while a search or a line before it is still waited for.
    fn by_source(lines: Vec<String>) -> [Vec<String>; 3] {
        let (searches, others): (Vec<_>, Vec<_>) =
            timeless(lines).into_iter().partition(|line| line.starts_with("bestmove"));
        let at_once = |line: &String| line.starts_with("info string") || line == "readyok";
        let (mut early, answers): (Vec<_>, Vec<_>) = others.into_iter().partition(at_once);
        early.sort();
        [searches, answers, early]
    }

    /// Input that comes when six searches have answered. Earlier it would cut them short.
    struct WhenAnswered {
        output: Output,
        then: io::Cursor<&'static str>,
    }

    impl Read for WhenAnswered {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let answers =
                |lines: &[String]| lines.iter().filter(|line| line.starts_with("bestmove")).count();
            while answers(&self.output.lines.lock().unwrap()) < 6 {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            self.then.read(into)
        }
    }

    #[test]
    fn both_drivers_say_the_same() {
        let dialogue = "ugi\nisready\nsetoption name Seed value 7\nsetoption name Hash value x\n\
            setoption name Nothing\nuginewgame\nposition startpos moves f2e3A\nquery gameover\n\
            query p1turn\nquery value\ngo nodes 400\nisready\ngo depth 3\nperft 3\ngo nodes\n\
            position fen 9/9/3b5/9/4W4 w\nquery value\ngo nodes 50\nposition fen nonsense\ngo\nperft x\n\
            nonsense\nposition startpos\ngo movetime 0\nsetoption name EndgameTables value nowhere\n\
            isready\n";
        let end = "quit\ngo nodes 1\n";
        for bot in BOTS {
            let polled = {
                let (input, output) = (Input::default(), Output::default());
                input.say(dialogue);
                let mut session = PolledSession::new(bot(), input.clone(), output.clone());
                assert!(session.run().unwrap());
                input.say(end);
                assert!(!session.run().unwrap(), "quit ends the session");
                by_source(output.take())
            };
            let output = Output::default();
            let answered = WhenAnswered { output: output.clone(), then: io::Cursor::new(end) };
            serve(bot(), io::Cursor::new(dialogue).chain(answered), output.clone()).unwrap();
            assert_eq!(polled, by_source(output.take()));
            assert_eq!(polled[0].len(), 6);
        }
    }

    #[test]
    fn a_search_hears_what_is_said_meanwhile() {
        for bot in BOTS {
            let input = Input::default();
            let reply =
                Some(("info", input.clone(), "isready\nstop\nisready\nposition startpos\n"));
            let output = Output { reply, ..Output::default() };
            let mut session = PolledSession::new(bot(), input.clone(), output.clone());
            input.say("position startpos moves e2e3A\ngo infinite\n");
            assert!(session.run().unwrap());
            let lines = timeless(output.take());
            let kinds: Vec<&str> = lines.iter().map(|line| &line[..8.min(line.len())]).collect();
            assert_eq!(kinds, ["readyok", "bestmove", "readyok"], "{lines:?}");
            input.say("go infinite\n");
            input.end();
            assert!(!session.run().unwrap(), "the end of input ends a search");
            assert_eq!(timeless(output.take()).len(), 1);
        }
    }

    #[test]
    fn an_endless_search_that_has_ended_answers_after_stop_alone() {
        let (input, output) = (Input::default(), Output::default());
        let mut session = PolledSession::new(BOTS[3](), input.clone(), output.clone());
        input.say("position fen 9/9/3b5/9/4W4 w\ngo infinite\n");
        assert!(session.run().unwrap());
        assert_eq!(timeless(output.take()), [""; 0]);
        input.say("stop\n");
        assert!(session.run().unwrap());
        assert!(timeless(output.take())[0].starts_with("bestmove "));
    }
}
