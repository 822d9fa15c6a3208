//! Lines that are none, and lines that are odd.

use super::{BRIEF, Check, CheckFailure, Level, Outcome, Subject, legal, passed, start, told};
use crate::check::mistake::Mistake;

pub(in crate::check) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "unknown commands are passed over",
        section: "Bad input",
        mend: "pass over lines whose first word you do not know",
        run: |subject| {
            Box::pin(harmless(subject, &[b"banana", b"xyzzy 1 2 3", b"ponderhit", b"?"]))
        },
    },
    Check {
        level: Level::Basic,
        title: "empty lines are passed over",
        section: "Bad input",
        mend: "expect lines without a single word: do not look at words[0] before there is one",
        run: |subject| Box::pin(harmless(subject, &[b"", b"   ", b"\t"])),
    },
    Check {
        level: Level::Basic,
        title: "lines that end in \\r\\n are read",
        section: "Lines",
        mend: "cut off `\\r` at the end of a line before it is compared",
        run: |subject| Box::pin(carriage_return(subject)),
    },
    Check {
        level: Level::Basic,
        title: "a very long line does no harm",
        section: "Lines",
        mend: "read lines of any length; one of more than 64 KiB may be passed over",
        run: |subject| Box::pin(harmless(subject, &[&[b'x'; 60_000]])),
    },
    Check {
        level: Level::Full,
        title: "commands without their words do no harm",
        section: "Bad input",
        mend: "expect that words are missing after a command, and pass over it then",
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
        title: "`go` with an unknown word is still one go",
        section: "Bad input",
        mend: "pass over words of `go` you do not know, and answer all the same",
        run: |subject| Box::pin(odd_go(subject)),
    },
    Check {
        level: Level::Full,
        title: "an unknown command is noted by an `info string`",
        section: "Bad input",
        mend: "say `info string unknown command …`",
        run: |subject| Box::pin(noted(subject)),
    },
    Check {
        level: Level::Full,
        title: "bytes that are not UTF-8 do no harm",
        section: "Bad input",
        mend: "replace what cannot be decoded, in Python sys.stdin.reconfigure(errors=\"replace\")",
        run: |subject| {
            Box::pin(harmless(subject, &[b"\xff\xfe\xc0", b"setoption name \xe9 value \xe9"]))
        },
    },
    Check {
        level: Level::Full,
        title: "`go` with nothing readable ends soon",
        section: "Bad input",
        mend: "without any readable limit answer soon: what was not read may have been what ends it",
        run: |subject| Box::pin(unreadable_go(subject)),
    },
    Check {
        level: Level::Full,
        title: "commands in the wrong case are none",
        section: "Lines",
        mend: "compare commands as they are: case counts",
        run: |subject| Box::pin(wrong_case(subject)),
    },
    Check {
        level: Level::Full,
        title: "values an option does not allow do no harm",
        section: "Bad input",
        mend: "check a value before it is taken, and keep the old one",
        run: |subject| Box::pin(wrong_values(subject)),
    },
    Check {
        level: Level::Full,
        title: "a line longer than any command does no harm",
        section: "Lines",
        mend: "pass over lines of more than 64 KiB without keeping them",
        run: |subject| Box::pin(harmless(subject, &[&[b'y'; 200_000]])),
    },
];

/// Sends lines, after each of which the engine answers as before.
async fn harmless(subject: &mut Subject, lines: &[&[u8]]) -> Outcome {
    let case = start();
    let talk = subject.game().await?;
    for line in lines {
        talk.begin();
        talk.say_bytes(&[line, &b"\n"[..]].concat()).await?;
        talk.quiet().await?;
    }
    legal(&talk.ask(&case.line, &told(BRIEF, &case)).await?, &case)?;
    passed()
}

async fn carriage_return(subject: &mut Subject) -> Outcome {
    let case = start();
    let talk = subject.game().await?;
    talk.say_bytes(b"isready\r\n").await?;
    let read = talk.readyok().await;
    if read.is_err() {
        // Perhaps it is the end of the line alone that it does not know.
        talk.ready().await?;
        return Err(CheckFailure::mended(
            "`readyok`",
            "nothing to `isready\\r\\n`, and `readyok` to `isready\\n`",
            Mistake::CarriageReturn.in_words(),
        ));
    }
    let begin = tokio::time::Instant::now();
    let lines = format!("{}\r\ngo {}\r\n", case.line, told(BRIEF, &case));
    talk.say_bytes(lines.as_bytes()).await?;
    legal(&talk.answer(begin).await?, &case)?;
    passed()
}

async fn odd_go(subject: &mut Subject) -> Outcome {
    let case = start();
    let talk = subject.game().await?;
    for words in ["banana", "ponder", "nodes 100 mate 3"] {
        talk.begin();
        legal(&talk.ask(&case.line, &told(words, &case)).await?, &case)?;
        talk.quiet().await?;
    }
    passed()
}

async fn noted(subject: &mut Subject) -> Outcome {
    let talk = subject.talk().await?;
    talk.say("banana split").await?;
    let lines = talk.ready().await?;
    match lines.iter().any(|line| line.starts_with("info string")) {
        true => passed(),
        false => Err(CheckFailure::wrong("`info string …`", "`readyok` at once")),
    }
}

async fn unreadable_go(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let case = start();
    let talk = subject.game().await?;
    for words in ["banana", "depth x", "movetime", "nodes -5", "p1time soon p2time later"] {
        talk.begin();
        legal(&talk.ask(&case.line, words).await?, &case)?;
        talk.quiet().await?;
    }
    passed()
}

async fn wrong_case(subject: &mut Subject) -> Outcome {
    let talk = subject.talk().await?;
    talk.say("ISREADY").await?;
    let lines = talk.ready().await?;
    match lines.iter().find(|line| *line == "readyok") {
        // The one of `isready` itself is not among them.
        None => {}
        Some(_) => return Err(CheckFailure::wrong("one `readyok`", "two of them")),
    }
    let more = talk.overhear(std::time::Duration::from_millis(50)).await?;
    match more.iter().any(|line| line.trim() == "readyok") {
        false => passed(),
        true => Err(CheckFailure::wrong("`ISREADY` is no command", "`readyok`")),
    }
}

async fn wrong_values(subject: &mut Subject) -> Outcome {
    subject.talk().await?;
    let names: Vec<String> =
        subject.introduction.options.iter().map(|option| option.name.clone()).collect();
    if names.is_empty() {
        return Err(CheckFailure::skipped("it declares no options"));
    }
    let case = start();
    let talk = subject.game().await?;
    for name in names {
        // What a text means, only its option knows.
        for value in ["", " value -99999999999999999999", " value no such value"] {
            talk.begin();
            talk.say(&format!("setoption name {name}{value}")).await?;
            talk.ready().await?;
        }
    }
    legal(&talk.ask(&case.line, BRIEF).await?, &case)?;
    subject.retire().await;
    passed()
}
