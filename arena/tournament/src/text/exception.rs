//! The exception that ended up on a program's standard error: what it is, and where it was raised.
//!
//! It is looked for in the forms in which Python, Java, JavaScript, C#, Rust, Go and C++ print it.
//! Other text holds no exception.

use std::fmt;

/// An exception of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exception {
    /// Its type and message.
    pub what: String,
    /// The file and line where it was raised, as far as that is known. Of several, the innermost one
    /// that is no library's.
    pub place: Option<String>,
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "`{}` ({place})", self.what),
            None => write!(f, "`{}`", self.what),
        }
    }
}

/// The last exception in a text of several lines; `None` if there is none.
pub fn last_exception(text: &str) -> Option<Exception> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let forms = [of_python, of_rust, of_go, of_cpp, of_stack];
    forms.iter().find_map(|form| form(&lines))
}

/// `  File "bot.py", line 4, in choose` … and an unindented line `ValueError: no move`.
fn of_python(lines: &[&str]) -> Option<Exception> {
    let begins = |line: &&str| line.starts_with("Traceback (most recent call last)");
    let begin = lines.iter().rposition(begins).map(|header| header + 1);
    // An error of syntax has a place, but no calls that lead to it.
    let begin = begin.or_else(|| lines.iter().rposition(|line| frame(line).is_some()))?;
    let calls = &lines[begin..];
    let end = calls.iter().position(|line| !line.starts_with(' ') && !line.is_empty())?;
    let places = || calls[..end].iter().rev().filter_map(|line| frame(line));
    let (file, line) = places().find(|(file, _)| !is_library(file)).or_else(|| places().next())?;
    Some(Exception {
        what: calls[end].to_owned(),
        place: Some(format!("{}, line {line}", file_name(file))),
    })
}

/// The file and the line of a call in Python.
fn frame(line: &str) -> Option<(&str, &str)> {
    let (file, rest) = line.trim_start().strip_prefix("File \"")?.split_once("\", line ")?;
    Some((file, rest.split(',').next()?))
}

/// `thread 'main' panicked at src/main.rs:10:5:` and the message in the next line.
fn of_rust(lines: &[&str]) -> Option<Exception> {
    let at =
        lines.iter().rposition(|it| it.starts_with("thread '") && it.contains(" panicked at "))?;
    let (_, rest) = lines[at].split_once(" panicked at ")?;
    let place = rest.strip_suffix(':').unwrap_or(rest);
    let message = lines.get(at + 1).copied().unwrap_or_default();
    Some(Exception { what: format!("panic: {message}"), place: Some(place.to_owned()) })
}

/// `panic: no move`, and below it `/home/ada/bot.go:8 +0x18`.
fn of_go(lines: &[&str]) -> Option<Exception> {
    let at = lines.iter().rposition(|line| line.starts_with("panic: "))?;
    let place = lines[at..].iter().filter_map(|line| {
        let path = line.trim_start().split(' ').next()?;
        (path.contains(".go:") && !path.contains("/src/runtime/")).then(|| file_name(path))
    });
    let place = place.map(str::to_owned).next();
    Some(Exception { what: lines[at].to_owned(), place })
}

/// `terminate called after throwing an instance of 'T'` and `what():  no move`; or an assertion.
fn of_cpp(lines: &[&str]) -> Option<Exception> {
    let thrown = "terminate called after throwing an instance of '";
    for (at, line) in lines.iter().enumerate().rev() {
        if let Some(kind) = line.strip_prefix(thrown) {
            let kind = kind.trim_end_matches('\'');
            let message = lines.get(at + 1).and_then(|it| it.trim_start().strip_prefix("what():"));
            let message = message.map_or(String::new(), |it| format!(": {}", it.trim()));
            return Some(Exception { what: format!("{kind}{message}"), place: None });
        }
        if line.contains(": Assertion `") && line.ends_with("' failed.") {
            return Some(Exception { what: (*line).to_owned(), place: None });
        }
    }
    None
}

/// An unindented line and below it `    at choose (/home/ada/bot.js:12:5)`, as Java, JavaScript and
/// C# print them.
fn of_stack(lines: &[&str]) -> Option<Exception> {
    let is_call =
        |line: &str| line.starts_with([' ', '\t']) && line.trim_start().starts_with("at ");
    let begin = (1..lines.len()).rev().find(|&it| {
        is_call(lines[it]) && !lines[it - 1].starts_with([' ', '\t']) && !lines[it - 1].is_empty()
    })?;
    let calls = lines[begin..].iter().take_while(|line| is_call(line));
    let places: Vec<&str> = calls.filter_map(|line| call_place(line)).collect();
    let place = places.iter().find(|it| !is_library(it)).or_else(|| places.first());
    let what = lines[begin - 1];
    let what = ["Unhandled exception. ", "Caused by: "]
        .iter()
        .find_map(|it| what.strip_prefix(it))
        .unwrap_or(what);
    // `Exception in thread "main" java.lang.RuntimeException: no move`
    let what = match what.strip_prefix("Exception in thread \"").and_then(|it| it.split_once("\" "))
    {
        Some((_, what)) => what,
        None => what,
    };
    Some(Exception {
        what: what.to_owned(),
        place: place.map(|it| file_name(it).replace(":line ", ", line ")),
    })
}

/// The place in a line of a stack: between its brackets, after ` in `, or all after `at `.
fn call_place(line: &str) -> Option<&str> {
    let call = line.trim_start().strip_prefix("at ")?;
    if let Some((_, place)) = call.rsplit_once(" in ") {
        return Some(place);
    }
    let place = match call.rsplit_once('(') {
        Some((_, place)) => place.trim_end_matches(')'),
        None => call,
    };
    place.contains(':').then_some(place)
}

/// Whether a file belongs to a language or a package rather than to the program.
fn is_library(file: &str) -> bool {
    [
        "/site-packages/",
        "/dist-packages/",
        "/lib/python",
        "/fanorona/ugi.py",
        "<",
        "node:",
        "/node_modules/",
    ]
    .iter()
    .any(|part| file.contains(part))
}

/// A path without its directories.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        last_exception(text).map_or_else(|| "none".to_owned(), |it| it.to_string())
    }

    #[test]
    fn exceptions_of_several_languages_are_recognised() {
        for (text, expected) in [
            (
                "loading\nTraceback (most recent call last):\n  File \"/a/bot.py\", line 4, in choose\n    \
                 return max(x)\n           ^^^^^^\n  File \"/usr/lib/python3.11/random.py\", line 9, in c\n    \
                 raise\nValueError: max() arg is empty\ngoing on\n",
                "`ValueError: max() arg is empty` (bot.py, line 4)",
            ),
            (
                "  File \"bot.py\", line 3\n    def f(:\n          ^\nSyntaxError: invalid syntax\n",
                "`SyntaxError: invalid syntax` (bot.py, line 3)",
            ),
            (
                "Traceback (most recent call last):\n  File \"b.py\", line 1, in f\nKeyError: 1\n\nDuring \
                 handling of the above exception, another exception occurred:\n\nTraceback (most recent \
                 call last):\n  File \"b.py\", line 2, in g\nTypeError: x",
                "`TypeError: x` (b.py, line 2)",
            ),
            (
                "thread 'main' panicked at src/main.rs:10:5:\nindex out of bounds\nnote: run with \
                 `RUST_BACKTRACE=1`\n",
                "`panic: index out of bounds` (src/main.rs:10:5)",
            ),
            (
                "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.choose()\n\t\
                 /home/ada/bot.go:8 +0x18\nmain.main()\n\t/home/ada/bot.go:20 +0x18\nexit status 2\n",
                "`panic: runtime error: index out of range` (bot.go:8)",
            ),
            (
                "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector\n",
                "`std::out_of_range: vector`",
            ),
            (
                "bot: bot.c:12: main: Assertion `n > 0' failed.\n",
                "`bot: bot.c:12: main: Assertion `n > 0' failed.`",
            ),
            (
                "Exception in thread \"main\" java.lang.NullPointerException: no move\n\tat \
                 Bot.choose(Bot.java:12)\n\tat Bot.main(Bot.java:30)\n",
                "`java.lang.NullPointerException: no move` (Bot.java:12)",
            ),
            (
                "/home/ada/bot.js:12\n  x.y()\n    ^\n\nTypeError: x.y is not a function\n    at choose \
                 (/home/ada/bot.js:12:5)\n    at node:internal/main:5:1\n\nNode.js v18\n",
                "`TypeError: x.y is not a function` (bot.js:12:5)",
            ),
            (
                "Unhandled exception. System.Exception: no move\n   at Bot.Choose() in \
                 /home/ada/Bot.cs:line 12\n",
                "`System.Exception: no move` (Bot.cs, line 12)",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn other_text_holds_no_exception() {
        for text in [
            "",
            "depth 3\ndepth 4\n",
            "loading weights at /tmp/x\nat depth 5\n",
            "Traceback (most recent call last):\n",
            "info: panicked at nothing",
            "  at\n  at\n",
        ] {
            assert_eq!(shown(text), "none", "{text}");
        }
    }
}
