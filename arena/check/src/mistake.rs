//! Recognises the usual mistakes in a first engine from its output.

use fanorona_protocol::messages::Reply;
use fanorona_protocol::rules::Move;
use fanorona_tournament::config::Tournament;

/// The behaviour of the engine instead of the expected response.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The first word of the expected line.
    pub expected_word: &'static str,
    /// The lines sent to the engine since the check began.
    pub sent: Vec<String>,
    /// The lines received since then.
    pub received: Vec<String>,
    /// An incomplete last line.
    pub unfinished: String,
    /// The lines received just after its input was closed.
    pub late: Vec<String>,
    /// The lines received after those.
    pub later: Vec<String>,
    /// The end of its standard error.
    pub stderr: String,
    /// The exit of the engine if it did so before its input was closed: exit code 0, or a
    /// description of any other exit.
    pub ended: Option<Result<(), String>>,
    /// The command that starts it.
    pub command: String,
}

impl Evidence {
    /// Whether it exited by itself with a code other than 0, or by a signal.
    pub(crate) fn has_crashed(&self) -> bool {
        matches!(self.ended, Some(Err(_)))
    }
}

/// A usual mistake of engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// The engine responds only after its input is closed.
    Buffered {
        /// Whether the engine is written in Python.
        python: bool,
    },
    /// The engine responds by itself, but later than awaited.
    Slow {
        /// Whether it does so at its start.
        starts: bool,
    },
    /// The engine waits for input while unread lines are in its own buffer.
    LinesLeft,
    /// The engine responds on standard error.
    OnStderr,
    /// The response has no line end.
    NoLineEnd,
    /// A prompt or banner precedes the response on its line.
    Prompt,
    /// The response has the right word in the wrong case.
    Case,
    /// The engine only understands lines that end in `\n` alone.
    CarriageReturn,
    /// The engine exits after a response instead of reading the next command.
    OneCommand,
    /// The engine exits before its first response.
    NoAnswer,
    /// The engine crashed.
    Crashed,
    /// The engine only speaks UCI.
    UciOnly,
    /// The script does not name its interpreter in its first line.
    NoInterpreter,
    /// The file is not executable.
    NotExecutable,
}

impl Mistake {
    /// A description of the mistake and its fix.
    pub fn hint(self) -> String {
        match self {
            Mistake::Buffered { python } => {
                let advice = if python {
                    "in Python print(…, flush=True), or start it with `python3 -u`"
                } else {
                    "fflush(stdout) in C, flush() in Rust, System.out.flush() in Java"
                };
                format!(
                    "the response came only after the input was closed. Either it waits in an output \
                     buffer: flush after every line ({advice}). Or the engine reads all of its \
                     input before it responds: answer line by line"
                )
            }
            Mistake::Slow { starts: true } => format!(
                "it is slow to start. Tournaments wait {} s for the end of the handshake: start \
                 faster, or set start_timeout in the config (here: --timeout)",
                Tournament::START_TIMEOUT.as_secs()
            ),
            Mistake::Slow { starts: false } => {
                "the response came by itself, but late: respond sooner (--timeout allows more time)"
                    .into()
            }
            Mistake::LinesLeft => {
                "it may wait with select or poll while its own buffer still has unread lines. One \
                 write can contain several lines: read all of them from the buffer before you wait \
                 again, or use a thread that blocks while it reads"
                    .into()
            }
            Mistake::OnStderr => "the response was printed to standard error: print it to standard output".into(),
            Mistake::NoLineEnd => "the response is right, but its line has no end: print `\\n` after it".into(),
            Mistake::Prompt => {
                "the line has other text before the response, such as a prompt or a banner without a \
                 line end: print only responses, each on its own line"
                    .into()
            }
            Mistake::Case => "the protocol is case-sensitive: print the word exactly as shown".into(),
            Mistake::CarriageReturn => {
                "a line that ends in \\r\\n was not understood, but the same line with \\n was: remove \
                 spaces and `\\r` from the end of every line"
                    .into()
            }
            Mistake::OneCommand => {
                "it exited too early: read commands in a loop, until `quit` or the end of input"
                    .into()
            }
            Mistake::NoAnswer => {
                "it exited before it answered anything: what it printed may say why; otherwise read \
                 commands in a loop, until `quit` or the end of input"
                    .into()
            }
            Mistake::Crashed => {
                "it crashed: see its standard error, and make it ignore what it does not know"
                    .into()
            }
            Mistake::UciOnly => {
                "it only speaks UCI (`uci` and `uciok`): answer `ugi` with `ugiok` too, or set \
                 dialect = \"uci\" in its config"
                    .into()
            }
            Mistake::NoInterpreter => {
                "the system cannot run this file: name the program that runs it (`python3 bot.py`), or \
                 begin the script with a line like `#!/usr/bin/env python3`"
                    .into()
            }
            Mistake::NotExecutable => {
                "the file is not executable: run `chmod +x` on it, or name the program that runs it (`python3 bot.py`)".into()
            }
        }
    }
}

/// The mistakes that explain the evidence, the likeliest first.
pub fn recognise(evidence: &Evidence) -> Vec<Mistake> {
    let Evidence { expected_word, received, unfinished, late, later, stderr, .. } = evidence;
    let Evidence { ended, command, .. } = evidence;
    let is_answer = |line: &str| first_word(line) == *expected_word;
    let output = || received.iter().map(String::as_str).chain([unfinished.as_str()]);
    let is_handshake = ["ugiok", "uciok"].contains(expected_word);
    let is_reply = |line: &str| line.parse::<Reply>().is_ok();
    let mut mistakes = Vec::new();
    if is_answer(unfinished) {
        mistakes.push(Mistake::NoLineEnd);
    }
    // A line that began before the input was closed is not late.
    let begun = late.iter().skip(usize::from(!unfinished.is_empty()));
    if ended.is_none() && begun.clone().any(|line| is_answer(line)) {
        mistakes
            .push(Mistake::Buffered { python: command.contains("python") || is_script(command) });
        // Lines came before, so an output buffer is not the only explanation.
        if !received.is_empty() {
            mistakes.push(Mistake::LinesLeft);
        }
    } else if unfinished.is_empty() && later.iter().any(|line| is_answer(line)) {
        mistakes.push(Mistake::Slow { starts: is_handshake });
    }
    if stderr.lines().any(is_answer) {
        mistakes.push(Mistake::OnStderr);
    }
    if output().any(|line| {
        let word = first_word(line);
        word != *expected_word && word.trim_end_matches(':').eq_ignore_ascii_case(expected_word)
    }) {
        mistakes.push(Mistake::Case);
    }
    if output().any(|line| !is_answer(line) && has_word_inside(line, expected_word)) {
        mistakes.push(Mistake::Prompt);
    }
    match ended {
        Some(Ok(())) if is_handshake && !received.iter().any(|it| is_reply(it)) => {
            mistakes.push(Mistake::NoAnswer)
        }
        Some(Ok(())) => mistakes.push(Mistake::OneCommand),
        Some(Err(_)) => mistakes.push(Mistake::Crashed),
        None => {}
    }
    mistakes
}

fn first_word(line: &str) -> &str {
    line.split_ascii_whitespace().next().unwrap_or_default()
}

fn is_script(command: &str) -> bool {
    command.split_ascii_whitespace().any(|word| word.ends_with(".py"))
}

/// Whether a line ends in the word after other text, as with a prompt: `> ugiok`, `bot>ugiok`.
fn has_word_inside(line: &str, word: &str) -> bool {
    // These lines contain free text, so any word can be in them.
    if word.is_empty() || ["info", "id", "option"].contains(&first_word(line)) {
        return false;
    }
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        before.is_some_and(|c| !c.is_alphanumeric()) && after.is_none_or(|c| !c.is_alphanumeric())
    })
}

/// The mistake that prevents a program from starting, if the system's error shows it.
pub(crate) fn start_mistake(why: &str) -> Option<Mistake> {
    if why.contains("Exec format error") {
        Some(Mistake::NoInterpreter)
    } else if why.contains("Permission denied") {
        Some(Mistake::NotExecutable)
    } else {
        None
    }
}

/// Returns a hint on how to correct an invalid `bestmove` line.
pub(crate) fn best_move_hint(line: &str) -> String {
    let words: Vec<&str> = line.split_ascii_whitespace().skip(1).collect();
    let is_move = |word: &str| word.parse::<Move>().is_ok();
    match words[..] {
        [] => "print the move after `bestmove`, on the same line".into(),
        [number, mv, ..] if is_move(mv) && is_number(number) => {
            "remove the move number: the line is `bestmove` and the move".into()
        }
        [_, "ponder", ..] => {
            "remove `ponder`: the line has two words (with dialect = \"uci\" in its config the arena \
             accepts it)"
                .into()
        }
        [first, ..] if words.len() > 1 && words.iter().all(|word| is_step(word)) => {
            format!("write a chain of captures as one word without spaces, like {first}d4W")
        }
        [mv, _, ..] if is_move(mv) => {
            "remove the text after the move: the line has two words".into()
        }
        [word] => move_word_hint(word),
        _ => "the line has two words, `bestmove` and the move".into(),
    }
}

fn move_word_hint(word: &str) -> String {
    let is_move = |word: &str| word.parse::<Move>().is_ok();
    let marked = marks_upper(&word.to_ascii_lowercase());
    if marked != word && is_move(&marked) {
        return format!("moves are case-sensitive: write `{marked}`");
    }
    let bare: String = word.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    if bare != word && is_move(&bare) {
        return format!("a move consists only of points and marks: write `{bare}`");
    }
    if ["(none)", "none", "None", "null"].contains(&word) {
        return "print `bestmove 0000` if there is no legal move".into();
    }
    "a move is the starting point, then for each step the point it reaches and, if it captures, \
     `A` or `W`: a1b1, e2e3A, e2e3Ad4W"
        .into()
}

/// Converts the capture marks of a lower-case move to upper case. A mark follows a digit and is not
/// followed by one.
fn marks_upper(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let is_digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    let mark = |at: usize| at > 0 && is_digit(at - 1) && !is_digit(at + 1);
    let upper = |(at, letter): (usize, &char)| match mark(at) {
        true => letter.to_ascii_uppercase(),
        false => *letter,
    };
    letters.iter().enumerate().map(upper).collect()
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || ".:)#".contains(c))
}

/// Whether a word could be a part of a move.
fn is_step(word: &str) -> bool {
    let letters = word.as_bytes();
    letters.len() >= 2 && letters[0].is_ascii_lowercase() && letters[1].is_ascii_digit()
}

/// The likely reason for a well-formed move that is not legal.
pub(crate) fn illegal_move_hint(word: &str, legal: &[Move]) -> Option<String> {
    let mv: Move = word.parse().ok()?;
    let text = mv.to_string();
    let texts: Vec<String> = legal.iter().map(Move::to_string).collect();
    let unmarked = |text: &str| text.replace(['A', 'W'], "");
    if let Some(marked) = texts.iter().find(|legal| unmarked(legal) == text) {
        return Some(format!("a capture needs its mark: write `{marked}`"));
    }
    if !mv.is_capture() && legal.iter().any(Move::is_capture) {
        return Some("captures are mandatory: if one is possible, play a capture".into());
    }
    if texts.iter().any(|legal| text.starts_with(legal.as_str())) {
        return Some("the chain is too long: it must not visit a point twice, step twice in the same direction, or include a step without a capture".into());
    }
    if texts.iter().any(|legal| legal.starts_with(&text)) {
        return Some("the chain is too short: write the whole move in one word".into());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[&str]) -> Vec<String> {
        text.iter().map(|&line| line.to_owned()).collect()
    }

    #[test]
    fn mistakes_are_distinguished() {
        let none =
            Evidence { expected_word: "ugiok", command: "bot".into(), ..Evidence::default() };
        let of = |evidence: Evidence| recognise(&evidence);
        let buffered = Mistake::Buffered { python: false };
        assert_eq!(of(none.clone()), []);
        assert_eq!(of(Evidence { late: lines(&["id x", "ugiok"]), ..none.clone() }), [buffered]);
        let python =
            Evidence { command: "./bot.py".into(), late: lines(&["ugiok"]), ..none.clone() };
        assert_eq!(of(python), [Mistake::Buffered { python: true }]);
        assert_eq!(of(Evidence { stderr: "ugiok\n".into(), ..none.clone() }), [Mistake::OnStderr]);
        let later = Evidence { later: lines(&["id x", "ugiok"]), ..none.clone() };
        assert_eq!(of(later.clone()), [Mistake::Slow { starts: true }]);
        let later = Evidence { expected_word: "bestmove", later: lines(&["bestmove x"]), ..later };
        assert_eq!(of(later), [Mistake::Slow { starts: false }]);
        let unfinished =
            Evidence { unfinished: "ugiok".into(), late: lines(&["ugiok"]), ..none.clone() };
        assert_eq!(of(unfinished), [Mistake::NoLineEnd]);
        for (line, mistake) in [
            ("UGIOK", Mistake::Case),
            ("ugiok:", Mistake::Case),
            ("> ugiok", Mistake::Prompt),
            ("MyBot 1.0>ugiok", Mistake::Prompt),
        ] {
            assert_eq!(
                of(Evidence { received: lines(&[line]), ..none.clone() }),
                [mistake],
                "{line}"
            );
        }
        for line in ["info string ugiok", "id name ugiok", "notugiok", "ugiokay > ugioks"] {
            assert_eq!(of(Evidence { received: lines(&[line]), ..none.clone() }), [], "{line}");
        }
        assert_eq!(of(Evidence { ended: Some(Ok(())), ..none.clone() }), [Mistake::NoAnswer]);
        let received = lines(&["id name x"]);
        let once = Evidence { ended: Some(Ok(())), received, ..none.clone() };
        assert_eq!(of(once), [Mistake::OneCommand]);
        let crashed = Evidence { ended: Some(Err("exited with code 1".into())), ..none };
        assert_eq!(of(crashed), [Mistake::Crashed]);
    }

    #[test]
    fn an_invalid_best_move_gives_the_reason() {
        for (line, part) in [
            ("bestmove", "after `bestmove`"),
            ("bestmove 1. e2e3A", "move number"),
            ("bestmove 12 e2e3A", "move number"),
            ("bestmove e2e3A ponder e5e4", "ponder"),
            ("bestmove e2e3A 0.35", "after the move"),
            ("bestmove e2e3A d4W", "one word"),
            ("bestmove E2E3A", "write `e2e3A`"),
            ("bestmove e2e3a", "write `e2e3A`"),
            ("bestmove e2-e3A", "write `e2e3A`"),
            ("bestmove E2E3AD4W", "write `e2e3Ad4W`"),
            ("bestmove (none)", "0000"),
            ("bestmove Qxf7#", "a move is the starting point"),
        ] {
            let hint = best_move_hint(line);
            assert!(hint.contains(part), "{line}: {hint}");
        }
    }

    #[test]
    fn an_illegal_move_gives_the_reason() {
        let legal = ["e2e3A", "e2e3Ad4W"].map(|mv| mv.parse::<Move>().unwrap());
        let hint = |word: &str| illegal_move_hint(word, &legal).unwrap_or_default();
        assert!(hint("e2e3").contains("write `e2e3A`"));
        assert!(hint("a1a2").contains("captures are mandatory"));
        assert!(hint("e2e3Ad4We5A").contains("too long"));
        assert_eq!(hint("a1a2A"), "");
        assert!(illegal_move_hint("e2e3A", &legal[1..]).unwrap().contains("too short"));
    }
}
