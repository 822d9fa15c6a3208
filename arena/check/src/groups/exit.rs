//! Checks of how an engine exits.

use std::time::Duration;

use super::{
    BRIEF, Check, CheckFailure, Conversation, Level, Outcome, Subject, passed, start, with_moves,
};
use fanorona_tournament::text::plural::counted;

pub(crate) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "exits with code 0 at `quit`",
        section: "In short",
        fix_hint: "leave the loop at `quit` and exit with code 0",
        run: |subject| Box::pin(quit(subject)),
    },
    Check {
        level: Level::Basic,
        title: "exits with code 0 at the end of input",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "exit when there are no more lines to read; otherwise the engine keeps using a \
                   processor",
        run: |subject| Box::pin(end_of_input(subject)),
    },
    Check {
        level: Level::Basic,
        title: "exits at the end of input before the handshake",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "exit when there are no more lines to read",
        run: |subject| Box::pin(end_of_input_before_handshake(subject)),
    },
    Check {
        level: Level::Basic,
        title: "answers the commands before `quit`",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "answer earlier commands first, then exit",
        run: |subject| Box::pin(answered_first(subject)),
    },
    Check {
        level: Level::Full,
        title: "ends a search with its bestmove at `quit`",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "stop the search at `quit`, print its bestmove and exit with code 0",
        run: |subject| Box::pin(searching(subject, true)),
    },
    Check {
        level: Level::Full,
        title: "ends a search with its bestmove at the end of input",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "read input during a search; at its end stop, print the bestmove and exit",
        run: |subject| Box::pin(searching(subject, false)),
    },
    Check {
        level: Level::Full,
        title: "answers every waiting `go` at `quit`",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "obey the commands that came before `quit` in their order; end each of their \
                   searches at once with a bestmove",
        run: |subject| Box::pin(waiting(subject)),
    },
];

/// Waits for the process to exit with code 0 and returns the `bestmove` lines it printed before.
async fn exited(engine: &mut Conversation, after: &str) -> Result<Vec<String>, CheckFailure> {
    let timeout = engine.settings.timeout;
    let lines = engine.rest(timeout, is_bestmove).await;
    // The output has ended or the time is over. The process itself may exit a moment later.
    match engine.ended(Duration::from_secs(1)).await {
        Some(Ok(())) => Ok(lines),
        Some(Err(how)) => Err(CheckFailure::wrong(format!("exit code 0 after {after}"), how)),
        None => Err(CheckFailure::wrong(
            format!("the process to exit within {timeout:?} of {after}"),
            "it is still running",
        )),
    }
}

async fn quit(subject: &mut Subject) -> Outcome {
    let engine = subject.game().await?;
    engine.send("quit").await?;
    exited(engine, "`quit`").await?;
    subject.retire().await;
    passed()
}

async fn end_of_input(subject: &mut Subject) -> Outcome {
    let engine = subject.game().await?;
    engine.close();
    exited(engine, "the end of its input").await?;
    subject.retire().await;
    passed()
}

async fn end_of_input_before_handshake(subject: &mut Subject) -> Outcome {
    let engine = subject.fresh().await?;
    engine.close();
    exited(engine, "the end of its input").await?;
    subject.retire().await;
    passed()
}

async fn answered_first(subject: &mut Subject) -> Outcome {
    let case = start();
    let engine = subject.game().await?;
    let lines = format!("{}\ngo {}\nquit\n", case.line, with_moves(BRIEF, &case));
    engine.send_bytes(lines.as_bytes()).await?;
    let lines = exited(engine, "`quit`").await?;
    subject.retire().await;
    bestmoves(lines.len(), 1)
}

async fn waiting(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let engine = subject.game().await?;
    let searches = format!("{}\ngo infinite\n", start().line).repeat(3);
    engine.send_bytes(format!("{searches}quit\n").as_bytes()).await?;
    let lines = exited(engine, "`quit`").await?;
    subject.retire().await;
    bestmoves(lines.len(), 3)
}

async fn searching(subject: &mut Subject, quit: bool) -> Outcome {
    subject.require_rules().await?;
    let engine = subject.game().await?;
    engine.send(&start().line).await?;
    engine.send("go infinite").await?;
    let early = engine.lines_within(Duration::from_millis(100)).await?;
    let after = match quit {
        true => {
            engine.send("quit").await?;
            "`quit`"
        }
        false => {
            engine.close();
            "the end of its input"
        }
    };
    let lines = exited(engine, after).await?;
    subject.retire().await;
    let early = early.iter().filter(|line| is_bestmove(line)).count();
    bestmoves(early + lines.len(), 1)
}

fn is_bestmove(line: &str) -> bool {
    line.starts_with("bestmove")
}

/// Checks the number of `bestmove` lines before the exit.
fn bestmoves(found: usize, expected: usize) -> Outcome {
    match found == expected {
        true => passed(),
        false => Err(CheckFailure::wrong(
            format!("{}, then exit", counted(expected, "`bestmove` line", "`bestmove` lines")),
            counted(found, "`bestmove` line", "`bestmove` lines"),
        )),
    }
}
