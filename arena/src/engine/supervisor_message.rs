//! What a guard tells the arena, a line each.

use std::fmt;
use std::str::FromStr;

use nix::sys::signal::Signal;

use super::bounds::Excess;
use super::not_started::NotStarted;

/// What has come of an engine: [`News::Exec`] first if it has come so far, [`News::Gone`] last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum News {
    /// Its process is about to become the program: from here on what happens is the engine's, unless
    /// that call fails.
    Exec,
    /// It has never run, for this reason.
    NotStarted(NotStarted),
    /// It has exited with this code.
    Exited(i32),
    /// This signal has killed it.
    Killed(i32),
    /// It has had too much of something, and has been ended for that.
    TooMuch(Excess),
    /// Nothing that it has started is left.
    Gone,
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            News::Exec => f.write_str("exec"),
            News::NotStarted(why) => write!(f, "not-started {}", why.line()),
            News::Exited(code) => write!(f, "exited {code}"),
            News::Killed(signal) => write!(f, "killed {signal}"),
            News::TooMuch(excess) => write!(f, "too-much {excess}"),
            News::Gone => f.write_str("gone"),
        }
    }
}

impl FromStr for News {
    type Err = ();

    fn from_str(line: &str) -> Result<News, ()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "exec" => Ok(News::Exec),
            "not-started" => rest.parse().map(News::NotStarted),
            "exited" => rest.parse().map(News::Exited).map_err(drop),
            "killed" => rest.parse().map(News::Killed).map_err(drop),
            "too-much" => rest.parse().map(News::TooMuch),
            "gone" => Ok(News::Gone),
            _ => Err(()),
        }
    }
}

impl News {
    /// The same for people.
    pub(super) fn in_words(&self) -> String {
        match self {
            News::Exec => "has started".to_owned(),
            News::NotStarted(why) => why.to_string(),
            News::Exited(0) => "exited with code 0 though nobody told it to quit".to_owned(),
            News::Exited(code) => format!("exited with code {code}"),
            News::Killed(number) if *number == Signal::SIGSYS as i32 => {
                format!(
                    "killed by signal {number} (SIGSYS): the sandbox ends programs made for another \
                     processor or 32 bits, which need sandbox = \"none\""
                )
            }
            News::Killed(number) => match Signal::try_from(*number) {
                Ok(signal) => format!("killed by signal {number} ({signal})"),
                Err(_) => format!("killed by signal {number}"),
            },
            News::TooMuch(excess) => excess.in_words(),
            News::Gone => "is gone".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bounds::Bounded;
    use super::super::not_started::Stage;
    use super::*;

    #[test]
    fn news_are_read_as_they_are_written() {
        for news in [
            News::Exec,
            News::NotStarted(NotStarted {
                stage: Stage::Exec,
                errno: Some(2),
                detail: String::new(),
            }),
            News::Exited(0),
            News::Exited(7),
            News::Killed(9),
            News::TooMuch(Excess { of: Bounded::Memory, most: 1 << 33 }),
            News::Gone,
        ] {
            assert_eq!(news.to_string().parse(), Ok(news));
        }
        for line in ["", "exited", "exited x", "left 3", "not-started", "not-started exec"] {
            assert_eq!(line.parse::<News>(), Err(()), "{line}");
        }
    }
}
