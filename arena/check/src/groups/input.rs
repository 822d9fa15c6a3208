//! Checks of invalid and unusual input.

use super::{
    BRIEF, Check, CheckFailure, Level, Outcome, Subject, legal, passed, start, with_moves,
};
use crate::mistake::Mistake;

pub(crate) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "ignores unknown commands",
        section: "Bad input",
        fix_hint: "ignore lines with an unknown first word",
        run: |subject| {
            Box::pin(harmless(subject, &[b"banana", b"xyzzy 1 2 3", b"ponderhit", b"?"]))
        },
    },
    Check {
        level: Level::Basic,
        title: "ignores empty lines",
        section: "Bad input",
        fix_hint: "expect lines without words: check that words[0] exists before you read it",
        run: |subject| Box::pin(harmless(subject, &[b"", b"   ", b"\t"])),
    },
    Check {
        level: Level::Basic,
        title: "reads lines that end with \\r\\n",
        section: "Lines",
        fix_hint: "remove `\\r` from the end of every line",
        run: |subject| Box::pin(carriage_return(subject)),
    },
    Check {
        level: Level::Basic,
        title: "survives a very long line",
        section: "Lines",
        fix_hint: "read lines of any length; a line of more than 64 KiB can be ignored",
        run: |subject| Box::pin(harmless(subject, &[&[b'x'; 60_000]])),
    },
    Check {
        level: Level::Full,
        title: "ignores incomplete commands",
        section: "Bad input",
        fix_hint: "expect missing words after a command, and ignore the command in that case",
        run: |subject| {
            let lines: &[&[u8]] = &[
                b"setoption",
                b"setoption name",
                b"setoption name x value",
                b"position",
                b"position fen",
            ];
            Box::pin(harmless(subject, lines))
        },
    },
    Check {
        level: Level::Basic,
        title: "answers `go` with unknown words",
        section: "Bad input",
        fix_hint: "ignore unknown words of `go`, and search as usual",
        run: |subject| Box::pin(unknown_go_words(subject)),
    },
    Check {
        level: Level::Full,
        title: "reports an unknown command with an `info string`",
        section: "Bad input",
        fix_hint: "print `info string unknown command …`",
        run: |subject| Box::pin(unknown_reported(subject)),
    },
    Check {
        level: Level::Full,
        title: "survives bytes that are not UTF-8",
        section: "Bad input",
        fix_hint: "replace invalid bytes; in Python use sys.stdin.reconfigure(errors=\"replace\")",
        run: |subject| {
            Box::pin(harmless(subject, &[b"\xff\xfe\xc0", b"setoption name \xe9 value \xe9"]))
        },
    },
    Check {
        level: Level::Full,
        title: "ends `go` without a valid limit soon",
        section: "Bad input",
        fix_hint: "answer soon if no limit is valid: the invalid words may have been the limit",
        run: |subject| Box::pin(unreadable_go(subject)),
    },
    Check {
        level: Level::Full,
        title: "ignores commands in the wrong case",
        section: "Lines",
        fix_hint: "compare commands case-sensitively",
        run: |subject| Box::pin(wrong_case(subject)),
    },
    Check {
        level: Level::Full,
        title: "survives invalid values of options",
        section: "Bad input",
        fix_hint: "check a value before you use it, and keep the old one if it is invalid",
        run: |subject| Box::pin(wrong_values(subject)),
    },
    Check {
        level: Level::Full,
        title: "ignores a line longer than any command",
        section: "Lines",
        fix_hint: "ignore lines of more than 64 KiB without storing them",
        run: |subject| Box::pin(harmless(subject, &[&[b'y'; 200_000]])),
    },
];

/// Sends lines and checks that the engine responds as before after each of them.
async fn harmless(subject: &mut Subject, lines: &[&[u8]]) -> Outcome {
    let case = start();
    let engine = subject.game().await?;
    for line in lines {
        engine.begin();
        engine.send_bytes(&[line, &b"\n"[..]].concat()).await?;
        engine.no_more_bestmoves().await?;
    }
    legal(&engine.ask(&case.line, &with_moves(BRIEF, &case)).await?, &case)?;
    passed()
}

async fn carriage_return(subject: &mut Subject) -> Outcome {
    let case = start();
    let engine = subject.game().await?;
    engine.send_bytes(b"isready\r\n").await?;
    let read = engine.readyok().await;
    if read.is_err() {
        // Find out whether the line end is the only problem.
        engine.ready().await?;
        return Err(CheckFailure::with_hint(
            "`readyok`",
            "no response to `isready\\r\\n`, but `readyok` to `isready\\n`",
            Mistake::CarriageReturn.hint(),
        ));
    }
    let begin = tokio::time::Instant::now();
    let lines = format!("{}\r\ngo {}\r\n", case.line, with_moves(BRIEF, &case));
    engine.send_bytes(lines.as_bytes()).await?;
    legal(&engine.answer(begin).await?, &case)?;
    passed()
}

async fn unknown_go_words(subject: &mut Subject) -> Outcome {
    let case = start();
    let engine = subject.game().await?;
    for words in ["banana", "mate", "nodes 100 mate 3"] {
        engine.begin();
        legal(&engine.ask(&case.line, &with_moves(words, &case)).await?, &case)?;
        engine.no_more_bestmoves().await?;
    }
    passed()
}

async fn unknown_reported(subject: &mut Subject) -> Outcome {
    let engine = subject.engine().await?;
    engine.send("banana split").await?;
    let lines = engine.ready().await?;
    match lines.iter().any(|line| line.starts_with("info string")) {
        true => passed(),
        false => Err(CheckFailure::wrong("`info string …`", "`readyok` without it")),
    }
}

async fn unreadable_go(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let case = start();
    let engine = subject.game().await?;
    for words in ["banana", "depth x", "movetime", "nodes -5", "p1time soon p2time later"] {
        engine.begin();
        legal(&engine.ask(&case.line, words).await?, &case)?;
        engine.no_more_bestmoves().await?;
    }
    passed()
}

async fn wrong_case(subject: &mut Subject) -> Outcome {
    let engine = subject.engine().await?;
    engine.send("ISREADY").await?;
    let lines = engine.ready().await?;
    match lines.iter().find(|line| *line == "readyok") {
        // The `readyok` of `isready` itself is not in `lines`.
        None => {}
        Some(_) => return Err(CheckFailure::wrong("one `readyok`", "two `readyok` lines")),
    }
    let more = engine.lines_within(std::time::Duration::from_millis(50)).await?;
    match more.iter().any(|line| line.trim() == "readyok") {
        false => passed(),
        true => Err(CheckFailure::wrong("no response to `ISREADY`", "`readyok`")),
    }
}

async fn wrong_values(subject: &mut Subject) -> Outcome {
    subject.engine().await?;
    let names: Vec<String> = subject
        .introduction
        .declarations
        .options()
        .iter()
        .map(|option| option.name.clone())
        .collect();
    if names.is_empty() {
        return Err(CheckFailure::skipped("it does not declare options"));
    }
    let case = start();
    let engine = subject.game().await?;
    for name in names {
        // A string option may accept any of these values, so only survival is checked.
        for value in ["", " value -99999999999999999999", " value no such value"] {
            engine.begin();
            engine.send(&format!("setoption name {name}{value}")).await?;
            engine.ready().await?;
        }
    }
    legal(&engine.ask(&case.line, BRIEF).await?, &case)?;
    subject.retire().await;
    passed()
}
