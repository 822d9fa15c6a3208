//! How an engine goes.

use std::time::Duration;

use super::{
    BRIEF, Check, CheckFailure, Conversation, Level, Outcome, Subject, passed, start, told,
};

pub(in crate::check) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "`quit` ends it with exit code 0",
        section: "In short",
        mend: "leave the loop at `quit`, and exit with code 0",
        run: |subject| Box::pin(quit(subject)),
    },
    Check {
        level: Level::Basic,
        title: "the end of input ends it with exit code 0",
        section: "`go`, `stop` and `bestmove`",
        mend: "when there is no more line to read, exit: an engine that lives on eats somebody's \
               processor",
        run: |subject| Box::pin(end_of_input(subject)),
    },
    Check {
        level: Level::Basic,
        title: "the end of input before the handshake ends it",
        section: "`go`, `stop` and `bestmove`",
        mend: "when there is no more line to read, exit",
        run: |subject| Box::pin(never_spoken_to(subject)),
    },
    Check {
        level: Level::Basic,
        title: "what comes before `quit` is answered",
        section: "`go`, `stop` and `bestmove`",
        mend: "answer what came first, then exit",
        run: |subject| Box::pin(answered_first(subject)),
    },
    Check {
        level: Level::Full,
        title: "`quit` ends a search, with its bestmove",
        section: "`go`, `stop` and `bestmove`",
        mend: "at `quit` stop the search, print its bestmove, and exit with code 0",
        run: |subject| Box::pin(searching(subject, true)),
    },
    Check {
        level: Level::Full,
        title: "the end of input ends a search, with its bestmove",
        section: "`go`, `stop` and `bestmove`",
        mend: "read input while searching; at its end stop, print the bestmove, and exit",
        run: |subject| Box::pin(searching(subject, false)),
    },
];

/// Waits for the process to end well; gives what it said meanwhile.
async fn gone(talk: &mut Conversation, after: &str) -> Result<Vec<String>, CheckFailure> {
    let timeout = talk.settings.timeout;
    let lines = talk.rest(timeout).await;
    // Its output has ended, or the patience; the process itself may need a moment more.
    match talk.ended(Duration::from_secs(1)).await {
        Some(Ok(())) => Ok(lines),
        Some(Err(how)) => Err(CheckFailure::wrong(format!("exit code 0 after {after}"), how)),
        None => Err(CheckFailure::wrong(
            format!("the process ends within {timeout:?} of {after}"),
            "it still runs",
        )),
    }
}

async fn quit(subject: &mut Subject) -> Outcome {
    let talk = subject.game().await?;
    talk.say("quit").await?;
    gone(talk, "`quit`").await?;
    subject.retire().await;
    passed()
}

async fn end_of_input(subject: &mut Subject) -> Outcome {
    let talk = subject.game().await?;
    talk.close();
    gone(talk, "the end of its input").await?;
    subject.retire().await;
    passed()
}

async fn never_spoken_to(subject: &mut Subject) -> Outcome {
    let talk = subject.fresh().await?;
    talk.close();
    gone(talk, "the end of its input").await?;
    subject.retire().await;
    passed()
}

async fn answered_first(subject: &mut Subject) -> Outcome {
    let case = start();
    let talk = subject.game().await?;
    let lines = format!("{}\ngo {}\nquit\n", case.line, told(BRIEF, &case));
    talk.say_bytes(lines.as_bytes()).await?;
    let said = gone(talk, "`quit`").await?;
    subject.retire().await;
    one_bestmove(&said)
}

async fn searching(subject: &mut Subject, quit: bool) -> Outcome {
    subject.needs_rules().await?;
    let talk = subject.game().await?;
    talk.say(&start().line).await?;
    talk.say("go infinite").await?;
    let early = talk.overhear(Duration::from_millis(100)).await?;
    let after = match quit {
        true => {
            talk.say("quit").await?;
            "`quit`"
        }
        false => {
            talk.close();
            "the end of its input"
        }
    };
    let mut said = gone(talk, after).await?;
    subject.retire().await;
    said.extend(early);
    one_bestmove(&said)
}

fn one_bestmove(said: &[String]) -> Outcome {
    match said.iter().filter(|line| line.starts_with("bestmove")).count() {
        1 => passed(),
        0 => Err(CheckFailure::wrong("one `bestmove`, then the end", "no `bestmove`")),
        count => {
            Err(CheckFailure::wrong("one `bestmove`, then the end", format!("{count} of them")))
        }
    }
}
