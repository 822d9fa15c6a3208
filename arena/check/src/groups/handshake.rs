//! Checks of the handshake: `ugi`, `uci`, `isready` and `uginewgame`.

use std::time::Duration;

use super::{Check, CheckFailure, Level, Outcome, Subject, passed};

pub(crate) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "answers `ugi` with `ugiok`",
        section: "Handshake and options",
        fix_hint: "answer the line `ugi` with a line `ugiok`; if you already do, flush after every \
                   line and print to standard output",
        run: |subject| Box::pin(answered(subject)),
    },
    Check {
        level: Level::Basic,
        title: "reports its name",
        section: "Handshake and options",
        fix_hint: "print `id name …` before `ugiok`",
        run: |subject| Box::pin(name(subject)),
    },
    Check {
        level: Level::Basic,
        title: "answers `isready` with `readyok`",
        section: "Handshake and options",
        fix_hint: "answer every line `isready` with a line `readyok`: the arena sends it before \
                   every game",
        run: |subject| Box::pin(ready(subject)),
    },
    Check {
        level: Level::Basic,
        title: "answers `isready` after `uginewgame`",
        section: "Handshake and options",
        fix_hint: "accept `uginewgame`, which can be ignored, and read on",
        run: |subject| Box::pin(new_game(subject)),
    },
    Check {
        level: Level::Full,
        title: "prints nothing before the first command",
        section: "Handshake and options",
        fix_hint: "print nothing at the start: no banner and no prompt",
        run: |subject| Box::pin(unasked(subject)),
    },
    Check {
        level: Level::Full,
        title: "reports its author",
        section: "Handshake and options",
        fix_hint: "print `id author …` before `ugiok`",
        run: |subject| Box::pin(author(subject)),
    },
    Check {
        level: Level::Full,
        title: "answers `ugi` with `ugiok`, not `uciok`",
        section: "Words of UCI",
        fix_hint: "answer `ugi` with `ugiok`, and only `uci` with `uciok`",
        run: |subject| Box::pin(ugi_and_not_uci(subject)),
    },
    Check {
        level: Level::Full,
        title: "answers `uci` with `uciok`",
        section: "Words of UCI",
        fix_hint: "treat `uci` like `ugi`, but end the response with `uciok`",
        run: |subject| Box::pin(uci(subject)),
    },
    Check {
        level: Level::Full,
        title: "prints only lines of the protocol in the handshake",
        section: "Handshake and options",
        fix_hint: "between `ugi` and `ugiok` print only `id`, `option` and `info` lines",
        run: |subject| Box::pin(lines_of_the_protocol(subject)),
    },
    Check {
        level: Level::Full,
        title: "ends lines with \\n alone",
        section: "Lines",
        fix_hint: "end lines with `\\n`, not `\\r\\n`: in Python open standard output with \
                   newline=\"\\n\"",
        run: |subject| Box::pin(line_ends(subject)),
    },
];

async fn answered(subject: &mut Subject) -> Outcome {
    subject.handshake("ugi").await?;
    passed()
}

async fn name(subject: &mut Subject) -> Outcome {
    id_text(subject, "name").await
}

async fn author(subject: &mut Subject) -> Outcome {
    id_text(subject, "author").await
}

/// The text after `id` and a word in the handshake.
async fn id_text(subject: &mut Subject, word: &str) -> Outcome {
    subject.engine().await?;
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
    let engine = subject.engine().await?;
    if let Err(failure) = engine.ready().await {
        subject.unfit = Some("no response to `isready`");
        return Err(failure);
    }
    passed()
}

async fn new_game(subject: &mut Subject) -> Outcome {
    subject.game().await?;
    passed()
}

async fn unasked(subject: &mut Subject) -> Outcome {
    let engine = subject.fresh().await?;
    let lines = engine.lines_within(Duration::from_millis(150)).await?;
    let line = lines.iter().find(|line| !line.trim().is_empty());
    let found = line.map(|line| CheckFailure::wrong("nothing before `ugi`", format!("`{line}`")));
    // The next check needs a process that has completed the handshake.
    subject.retire().await;
    found.map_or_else(passed, Err)
}

async fn ugi_and_not_uci(subject: &mut Subject) -> Outcome {
    subject.engine().await?;
    match subject.introduction.lines.last().map(String::as_str) {
        Some("ugiok") => passed(),
        other => Err(CheckFailure::wrong("`ugiok`", format!("`{}`", other.unwrap_or_default()))),
    }
}

async fn uci(subject: &mut Subject) -> Outcome {
    subject.engine().await?;
    let before = subject.introduction.clone();
    subject.handshake("uci").await?;
    let now = std::mem::replace(&mut subject.introduction, before);
    subject.retire().await;
    match now.lines.last().map(String::as_str) {
        Some("uciok") => passed(),
        other => Err(CheckFailure::wrong("`uciok`", format!("`{}`", other.unwrap_or_default()))),
    }
}

async fn lines_of_the_protocol(subject: &mut Subject) -> Outcome {
    subject.engine().await?;
    let known = |line: &&String| {
        let word = line.split_ascii_whitespace().next().unwrap_or_default();
        !["", "id", "option", "info", "ugiok", "uciok"].contains(&word)
    };
    match subject.introduction.lines.iter().find(known) {
        None => passed(),
        Some(line) => Err(CheckFailure::wrong(
            "only lines of the protocol up to `ugiok`",
            format!("`{line}`"),
        )),
    }
}

async fn line_ends(subject: &mut Subject) -> Outcome {
    let timeout = subject.settings.timeout;
    let engine = subject.engine().await?;
    engine.send("isready").await?;
    let deadline = tokio::time::Instant::now() + timeout;
    while let Ok(Some(line)) = engine.next(deadline).await {
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
    Err(CheckFailure::wrong("`readyok\\n`", "no `readyok`"))
}
