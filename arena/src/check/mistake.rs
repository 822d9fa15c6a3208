//! The mistakes almost everybody makes with a first engine, recognised by what they leave behind.

use fanorona_protocol::rules::Move;

/// What is found around an answer that has not come.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The word the awaited line begins with.
    pub awaited: &'static str,
    /// What the engine was sent since the check began.
    pub sent: Vec<String>,
    /// What it has said since then.
    pub heard: Vec<String>,
    /// The beginning of a line without an end.
    pub unfinished: String,
    /// What it said when its input was ended.
    pub late: Vec<String>,
    /// The end of what it wrote to standard error.
    pub stderr: String,
    /// Whether it ended before its input did, and how: exit code 0, or anything else in words.
    pub ended: Option<Result<(), String>>,
    /// How it is started.
    pub command: String,
}

/// A mistake, to be told to whoever has made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// Says nothing until its input ends.
    Buffered {
        /// Whether it is a program in Python.
        python: bool,
    },
    /// Waits for input while lines it has not obeyed are in its own buffer.
    LinesLeft,
    /// Answers on standard error.
    OnStderr,
    /// Answers without the end of the line.
    NoLineEnd,
    /// Puts a prompt or a banner before its answer.
    Prompt,
    /// The right word in the wrong case.
    Case,
    /// Only understands lines that end in `\n` alone.
    CarriageReturn,
    /// Exits after an answer instead of reading on.
    OneCommand,
    /// Ended by an error of its own.
    Crashed,
    /// Understands UCI's words alone.
    UciOnly,
    /// The first line of the script does not say what runs it.
    NoInterpreter,
    /// The file may not be executed.
    NotExecutable,
}

impl Mistake {
    /// What it is and how to mend it.
    pub fn in_words(self) -> String {
        match self {
            Mistake::Buffered { python } => {
                let advice = if python {
                    "in Python print(…, flush=True), or start it with `python3 -u`"
                } else {
                    "fflush(stdout) in C, flush() in Rust, System.out.flush() in Java"
                };
                format!(
                    "its answer came only when its input was closed: either it waits in a buffer, \
                     so flush after every line ({advice}), or all input is read before the first \
                     answer, so answer line by line"
                )
            }
            Mistake::LinesLeft => {
                "it may wait with select or poll while a buffer of its own still holds lines: several \
                 lines come in one write, so take all of them out of the buffer before you wait again, \
                 or read from a thread that blocks"
                    .into()
            }
            Mistake::OnStderr => "the answer went to standard error: print it to standard output".into(),
            Mistake::NoLineEnd => "the answer is there, but its line has no end: print `\\n` after it".into(),
            Mistake::Prompt => {
                "something stands before the answer on its line, a prompt or a banner without a line \
                 end: print nothing but answers, each on a line of its own"
                    .into()
            }
            Mistake::Case => "upper and lower case differ in the protocol: write the word as it is written here".into(),
            Mistake::CarriageReturn => {
                "a line that ends in \\r\\n was not understood, the same ending in \\n is: cut off blanks \
                 and `\\r` at the end of a line before it is compared"
                    .into()
            }
            Mistake::OneCommand => {
                "it has exited as if its work were done: read commands in a loop, until `quit` or the \
                 end of input"
                    .into()
            }
            Mistake::Crashed => {
                "it has died of an error of its own: see what it wrote to standard error, and let it pass \
                 over what it does not know"
                    .into()
            }
            Mistake::UciOnly => {
                "it knows UCI's words alone, `uci` and `uciok`: let it answer `ugi` by `ugiok` too, or put \
                 dialect = \"uci\" into its config"
                    .into()
            }
            Mistake::NoInterpreter => {
                "the system cannot run this file: name what runs it (`python3 bot.py`), or begin a script \
                 with a line like `#!/usr/bin/env python3`"
                    .into()
            }
            Mistake::NotExecutable => {
                "the file may not be executed: `chmod +x` it, or name what runs it (`python3 bot.py`)".into()
            }
        }
    }
}

/// The mistakes the evidence speaks of, the likeliest first.
pub fn recognise(evidence: &Evidence) -> Vec<Mistake> {
    let Evidence { awaited, heard, unfinished, late, stderr, ended, command, .. } = evidence;
    let is_answer = |line: &str| first_word(line) == *awaited;
    let said = || heard.iter().map(String::as_str).chain([unfinished.as_str()]);
    let mut mistakes = Vec::new();
    if is_answer(unfinished) {
        mistakes.push(Mistake::NoLineEnd);
    }
    // A line that had begun before is not one that came late.
    let begun = late.iter().skip(usize::from(!unfinished.is_empty()));
    if ended.is_none() && begun.clone().any(|line| is_answer(line)) {
        mistakes
            .push(Mistake::Buffered { python: command.contains("python") || is_script(command) });
        // One whose output has come before does not keep all of it back.
        if !heard.is_empty() {
            mistakes.push(Mistake::LinesLeft);
        }
    }
    if stderr.lines().any(is_answer) {
        mistakes.push(Mistake::OnStderr);
    }
    if said().any(|line| {
        let word = first_word(line);
        word != *awaited && word.trim_end_matches(':').eq_ignore_ascii_case(awaited)
    }) {
        mistakes.push(Mistake::Case);
    }
    if said().any(|line| !is_answer(line) && has_word_inside(line, awaited)) {
        mistakes.push(Mistake::Prompt);
    }
    match ended {
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

/// Whether a word ends a line's beginning that is none of the protocol, as a prompt does: `> ugiok`,
/// `bot>ugiok`.
fn has_word_inside(line: &str, word: &str) -> bool {
    // What these say may hold any word.
    if word.is_empty() || ["info", "id", "option"].contains(&first_word(line)) {
        return false;
    }
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        before.is_some_and(|c| !c.is_alphanumeric()) && after.is_none_or(|c| !c.is_alphanumeric())
    })
}

/// Why a program could not be started, if the system's words tell.
pub fn of_start(why: &str) -> Option<Mistake> {
    if why.contains("Exec format error") {
        Some(Mistake::NoInterpreter)
    } else if why.contains("Permission denied") {
        Some(Mistake::NotExecutable)
    } else {
        None
    }
}

/// What is wrong with a `bestmove` line that is none, in plain words.
pub fn of_best_move(line: &str) -> String {
    let words: Vec<&str> = line.split_ascii_whitespace().skip(1).collect();
    let is_move = |word: &str| word.parse::<Move>().is_ok();
    match words[..] {
        [] => "say the move after `bestmove`, on the same line".into(),
        [number, mv, ..] if is_move(mv) && is_number(number) => {
            "leave the number of the move out: the line is `bestmove` and the move".into()
        }
        [_, "ponder", ..] => "leave `ponder` out: the line is two words".into(),
        [first, ..] if words.len() > 1 && words.iter().all(|word| is_step(word)) => {
            format!("write a chain of captures as one word without blanks, like {first}d4W")
        }
        [mv, _, ..] if is_move(mv) => "nothing may follow the move: the line is two words".into(),
        [word] => of_move_word(word),
        _ => "the line is two words, `bestmove` and the move".into(),
    }
}

fn of_move_word(word: &str) -> String {
    let is_move = |word: &str| word.parse::<Move>().is_ok();
    let marked = marks_upper(&word.to_ascii_lowercase());
    if marked != word && is_move(&marked) {
        return format!("upper and lower case differ: write it `{marked}`");
    }
    let bare: String = word.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    if bare != word && is_move(&bare) {
        return format!("only points and marks stand in a move: write it `{bare}`");
    }
    if ["(none)", "none", "None", "null"].contains(&word) {
        return "say `bestmove 0000` where there is not a move".into();
    }
    "a move is the starting point, then for every step the point reached and, if the step captures, \
     `A` or `W`: a1b1, e2e3A, e2e3Ad4W"
        .into()
}

/// A move in small letters with its marks, which follow a digit and are followed by a point or
/// nothing, made large.
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

/// Whether a word could be part of a move.
fn is_step(word: &str) -> bool {
    let letters = word.as_bytes();
    letters.len() >= 2 && letters[0].is_ascii_lowercase() && letters[1].is_ascii_digit()
}

/// What may have gone wrong with a move that has the form of one and is not legal.
pub fn of_illegal(word: &str, legal: &[Move]) -> Option<String> {
    let mv: Move = word.parse().ok()?;
    let text = mv.to_string();
    let texts: Vec<String> = legal.iter().map(Move::to_string).collect();
    let unmarked = |text: &str| text.replace(['A', 'W'], "");
    if let Some(marked) = texts.iter().find(|legal| unmarked(legal) == text) {
        return Some(format!("a capture carries its mark: write `{marked}`"));
    }
    if !mv.is_capture() && legal.iter().any(Move::is_capture) {
        return Some("where a capture is possible, a capture has to be played".into());
    }
    if texts.iter().any(|legal| text.starts_with(legal.as_str())) {
        return Some("the chain goes on where it may not: no point twice, not twice running in one direction, no step that takes nothing".into());
    }
    if texts.iter().any(|legal| legal.starts_with(&text)) {
        return Some("the chain stops where it may not: a move is told whole, in one word".into());
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
    fn mistakes_are_told_apart() {
        let none = Evidence { awaited: "ugiok", command: "bot".into(), ..Evidence::default() };
        let of = |evidence: Evidence| recognise(&evidence);
        let buffered = Mistake::Buffered { python: false };
        assert_eq!(of(none.clone()), []);
        assert_eq!(of(Evidence { late: lines(&["id x", "ugiok"]), ..none.clone() }), [buffered]);
        let python =
            Evidence { command: "./bot.py".into(), late: lines(&["ugiok"]), ..none.clone() };
        assert_eq!(of(python), [Mistake::Buffered { python: true }]);
        assert_eq!(of(Evidence { stderr: "ugiok\n".into(), ..none.clone() }), [Mistake::OnStderr]);
        let unfinished =
            Evidence { unfinished: "ugiok".into(), late: lines(&["ugiok"]), ..none.clone() };
        assert_eq!(of(unfinished), [Mistake::NoLineEnd]);
        for (line, mistake) in [
            ("UGIOK", Mistake::Case),
            ("ugiok:", Mistake::Case),
            ("> ugiok", Mistake::Prompt),
            ("MyBot 1.0>ugiok", Mistake::Prompt),
        ] {
            assert_eq!(of(Evidence { heard: lines(&[line]), ..none.clone() }), [mistake], "{line}");
        }
        for line in ["info string ugiok", "id name ugiok", "notugiok", "ugiokay > ugioks"] {
            assert_eq!(of(Evidence { heard: lines(&[line]), ..none.clone() }), [], "{line}");
        }
        assert_eq!(of(Evidence { ended: Some(Ok(())), ..none.clone() }), [Mistake::OneCommand]);
        let crashed = Evidence { ended: Some(Err("exited with code 1".into())), ..none };
        assert_eq!(of(crashed), [Mistake::Crashed]);
    }

    #[test]
    fn what_is_no_best_move_is_told_why() {
        for (line, part) in [
            ("bestmove", "after `bestmove`"),
            ("bestmove 1. e2e3A", "number of the move"),
            ("bestmove 12 e2e3A", "number of the move"),
            ("bestmove e2e3A ponder e5e4", "ponder"),
            ("bestmove e2e3A 0.35", "nothing may follow"),
            ("bestmove e2e3A d4W", "one word"),
            ("bestmove E2E3A", "write it `e2e3A`"),
            ("bestmove e2e3a", "write it `e2e3A`"),
            ("bestmove e2-e3A", "write it `e2e3A`"),
            ("bestmove E2E3AD4W", "write it `e2e3Ad4W`"),
            ("bestmove (none)", "0000"),
            ("bestmove Qxf7#", "a move is the starting point"),
        ] {
            let told = of_best_move(line);
            assert!(told.contains(part), "{line}: {told}");
        }
    }

    #[test]
    fn what_is_not_legal_is_told_why() {
        let legal = ["e2e3A", "e2e3Ad4W"].map(|mv| mv.parse::<Move>().unwrap());
        let told = |word: &str| of_illegal(word, &legal).unwrap_or_default();
        assert!(told("e2e3").contains("write `e2e3A`"));
        assert!(told("a1a2").contains("a capture has to be played"));
        assert!(told("e2e3Ad4We5A").contains("goes on where it may not"));
        assert_eq!(told("a1a2A"), "");
        assert!(of_illegal("e2e3A", &legal[1..]).unwrap().contains("stops where it may not"));
    }
}
