//! Who are you, what options do you have, are you there?

use std::time::Duration;

use super::{Check, CheckFailure, Level, Outcome, Subject, passed};

pub(in crate::check) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "`ugi` is answered, up to `ugiok`",
        section: "Handshake and options",
        mend: "answer the line `ugi` by a line `ugiok`; should it be answered already, flush after \
               every line, and print to standard output",
        run: |subject| Box::pin(answered(subject)),
    },
    Check {
        level: Level::Basic,
        title: "the engine says its name",
        section: "Handshake and options",
        mend: "print `id name …` before `ugiok`",
        run: |subject| Box::pin(name(subject)),
    },
    Check {
        level: Level::Basic,
        title: "`isready` is answered by `readyok`",
        section: "Handshake and options",
        mend: "answer every line `isready` by a line `readyok`: the arena asks before every game",
        run: |subject| Box::pin(ready(subject)),
    },
    Check {
        level: Level::Basic,
        title: "`uginewgame` is taken, and `isready` after it answered",
        section: "Handshake and options",
        mend: "take `uginewgame`, which may be ignored, and read on",
        run: |subject| Box::pin(new_game(subject)),
    },
    Check {
        level: Level::Basic,
        title: "nothing is said before it is asked for",
        section: "What the arena does",
        mend: "print nothing at the start: no banner, no prompt, no greeting",
        run: |subject| Box::pin(unasked(subject)),
    },
    Check {
        level: Level::Full,
        title: "the engine says its author",
        section: "Handshake and options",
        mend: "print `id author …` before `ugiok`",
        run: |subject| Box::pin(author(subject)),
    },
    Check {
        level: Level::Full,
        title: "`ugi` is answered by `ugiok` and not by `uciok`",
        section: "Words of UCI",
        mend: "answer `ugi` by `ugiok`, and only `uci` by `uciok`",
        run: |subject| Box::pin(ugi_and_not_uci(subject)),
    },
    Check {
        level: Level::Full,
        title: "`uci` is answered, up to `uciok`",
        section: "Words of UCI",
        mend: "read `uci` as `ugi`, and answer it the same way but for `uciok` at the end",
        run: |subject| Box::pin(uci(subject)),
    },
    Check {
        level: Level::Full,
        title: "every line of the handshake is one of the protocol",
        section: "Handshake and options",
        mend: "between `ugi` and `ugiok` print `id`, `option` and `info` lines alone",
        run: |subject| Box::pin(lines_of_the_protocol(subject)),
    },
    Check {
        level: Level::Full,
        title: "lines end in \\n alone",
        section: "Lines",
        mend: "end lines in `\\n`, not `\\r\\n`: in Python open standard output with newline=\"\\n\"",
        run: |subject| Box::pin(line_ends(subject)),
    },
];

async fn answered(subject: &mut Subject) -> Outcome {
    subject.greet("ugi").await?;
    passed()
}

async fn name(subject: &mut Subject) -> Outcome {
    told(subject, "name").await
}

async fn author(subject: &mut Subject) -> Outcome {
    told(subject, "author").await
}

/// The text after `id` and a word.
async fn told(subject: &mut Subject, word: &str) -> Outcome {
    subject.talk().await?;
    let lines = &subject.introduction.lines;
    let text = lines.iter().find_map(|line| line.strip_prefix("id ")?.trim().strip_prefix(word));
    match text.map(str::trim) {
        Some("") | None => {
            Err(CheckFailure::wrong(format!("`id {word} …`"), format!("`{}`", lines.join("`, `"))))
        }
        Some(text) => Ok(text.to_owned()),
    }
}

async fn ready(subject: &mut Subject) -> Outcome {
    let talk = subject.talk().await?;
    if let Err(miss) = talk.ready().await {
        subject.unfit = Some("it does not answer `isready`");
        return Err(miss);
    }
    passed()
}

async fn new_game(subject: &mut Subject) -> Outcome {
    subject.game().await?;
    passed()
}

async fn unasked(subject: &mut Subject) -> Outcome {
    let talk = subject.fresh().await?;
    let lines = talk.overhear(Duration::from_millis(150)).await?;
    let said = lines.iter().find(|line| !line.trim().is_empty());
    let found = said.map(|line| CheckFailure::wrong("nothing before `ugi`", format!("`{line}`")));
    // This process has not been greeted.
    subject.retire().await;
    found.map_or_else(passed, Err)
}

async fn ugi_and_not_uci(subject: &mut Subject) -> Outcome {
    subject.talk().await?;
    match subject.introduction.lines.last().map(String::as_str) {
        Some("ugiok") => passed(),
        other => Err(CheckFailure::wrong("`ugiok`", format!("`{}`", other.unwrap_or_default()))),
    }
}

async fn uci(subject: &mut Subject) -> Outcome {
    subject.talk().await?;
    let before = subject.introduction.clone();
    subject.greet("uci").await?;
    let now = std::mem::replace(&mut subject.introduction, before);
    subject.retire().await;
    match now.lines.last().map(String::as_str) {
        Some("uciok") => passed(),
        other => Err(CheckFailure::wrong("`uciok`", format!("`{}`", other.unwrap_or_default()))),
    }
}

async fn lines_of_the_protocol(subject: &mut Subject) -> Outcome {
    subject.talk().await?;
    let known = |line: &&String| {
        let word = line.split_ascii_whitespace().next().unwrap_or_default();
        !["", "id", "option", "info", "ugiok", "uciok"].contains(&word)
    };
    match subject.introduction.lines.iter().find(known) {
        None => passed(),
        Some(line) => Err(CheckFailure::wrong(
            "lines of the protocol alone, up to `ugiok`",
            format!("`{line}`"),
        )),
    }
}

async fn line_ends(subject: &mut Subject) -> Outcome {
    let timeout = subject.settings.timeout;
    let talk = subject.talk().await?;
    talk.say("isready").await?;
    let deadline = tokio::time::Instant::now() + timeout;
    while let Ok(Some(line)) = talk.next(deadline).await {
        if line.ends_with('\r') {
            return Err(CheckFailure::wrong(
                "`readyok\\n`",
                format!("`{}`", line.escape_default()),
            ));
        }
        if line.trim() == "readyok" {
            return passed();
        }
    }
    Err(CheckFailure::wrong("`readyok\\n`", "no line `readyok`"))
}
