//! What can be set, and that it has been.

use fanorona_protocol::messages::{OptionKind, OptionSpec};

use super::{BRIEF, Check, CheckFailure, Level, Outcome, Subject, passed, start};

pub(in crate::check) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "declarations of options can be read",
        section: "Handshake and options",
        mend: "write `option name N type T …`, T being check, spin, combo, string or button",
        run: |subject| Box::pin(readable(subject)),
    },
    Check {
        level: Level::Basic,
        title: "an option nobody has declared does no harm",
        section: "Handshake and options",
        mend: "pass over `setoption` with a name you do not know",
        run: |subject| Box::pin(undeclared(subject)),
    },
    Check {
        level: Level::Basic,
        title: "every option can be set to its default",
        section: "Handshake and options",
        mend: "read `setoption name N value V`, where the value is the rest of the line",
        run: |subject| Box::pin(defaults(subject)),
    },
    Check {
        level: Level::Full,
        title: "defaults are values the options allow",
        section: "Handshake and options",
        mend: "let the default lie between min and max, or be one of the words after var",
        run: |subject| Box::pin(allowed(subject)),
    },
    Check {
        level: Level::Full,
        title: "options with a fixed meaning have their type",
        section: "Handshake and options",
        mend: "declare Hash, Threads, MoveOverhead, MultiPV and Seed as spin, EndgameTables and Rules \
               as string",
        run: |subject| Box::pin(types(subject)),
    },
    Check {
        level: Level::Full,
        title: "`Seed` takes every 63-bit number",
        section: "Handshake and options",
        mend: "declare `option name Seed type spin default 0 min 0 max 9223372036854775807`",
        run: |subject| Box::pin(seed(subject)),
    },
    Check {
        level: Level::Full,
        title: "an option nobody has declared is noted by an `info string`",
        section: "Handshake and options",
        mend: "say `info string unknown option …`",
        run: |subject| Box::pin(undeclared_noted(subject)),
    },
    Check {
        level: Level::Full,
        title: "names of options are read in any case",
        section: "Lines",
        mend: "compare the names of options without regard to case",
        run: |subject| Box::pin(any_case(subject)),
    },
    Check {
        level: Level::Full,
        title: "the empty text is read in all its forms",
        section: "Handshake and options",
        mend: "read `setoption name Rules`, `… value` and `… value <empty>` all as the empty text",
        run: |subject| Box::pin(empty_text(subject)),
    },
    Check {
        level: Level::Full,
        title: "`Rules` replaces the whole set",
        section: "Rule switches",
        mend: "begin with the usual rules whenever `Rules` is set; what it does not name is as usual",
        run: |subject| Box::pin(replaced(subject)),
    },
    Check {
        level: Level::Full,
        title: "`Rules` with an unknown word changes nothing",
        section: "Rule switches",
        mend: "read the whole text before anything is changed",
        run: |subject| Box::pin(unknown_rule(subject)),
    },
    Check {
        level: Level::Full,
        title: "an option set during a search is taken",
        section: "Handshake and options",
        mend: "read commands during a search; let options take effect after it",
        run: |subject| Box::pin(during_search(subject)),
    },
];

fn declarations(subject: &Subject) -> Vec<String> {
    let lines = &subject.introduction.lines;
    lines.iter().filter(|line| line.starts_with("option")).cloned().collect()
}

/// The options that have been declared.
async fn options(subject: &mut Subject) -> Result<Vec<OptionSpec>, CheckFailure> {
    subject.talk().await?;
    let options = subject.introduction.options.clone();
    if options.is_empty() {
        Err(CheckFailure::skipped("it declares no options"))
    } else {
        Ok(options)
    }
}

async fn readable(subject: &mut Subject) -> Outcome {
    subject.talk().await?;
    let lines = declarations(subject);
    if lines.is_empty() {
        return Err(CheckFailure::skipped("it declares no options"));
    }
    for line in &lines {
        if let Err(why) = line.parse::<OptionSpec>() {
            return Err(CheckFailure::wrong("a declaration", format!("`{line}`: {why}")));
        }
    }
    Ok(format!("{} options", lines.len()))
}

async fn undeclared(subject: &mut Subject) -> Outcome {
    let talk = subject.talk().await?;
    talk.say("setoption name No Such Option value 1").await?;
    talk.ready().await?;
    passed()
}

async fn defaults(subject: &mut Subject) -> Outcome {
    let options = options(subject).await?;
    let talk = subject.talk().await?;
    let mut remarks = Vec::new();
    for OptionSpec { name, kind } in options {
        let value = match kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::String { default } => default,
            // Who knows what it does.
            OptionKind::Button => continue,
        };
        talk.say(format!("setoption name {name} value {value}").trim_end()).await?;
        let lines = talk.ready().await?.into_iter();
        remarks.extend(lines.filter(|line| line.starts_with("info string ")));
    }
    Ok(remarks.join(", "))
}

async fn allowed(subject: &mut Subject) -> Outcome {
    for option in options(subject).await? {
        let default = match &option.kind {
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } => default.clone(),
            _ => continue,
        };
        if let Err(why) = option.check(&default) {
            return Err(CheckFailure::wrong(
                format!("a default that is {}", why.expected),
                format!("`{option}`"),
            ));
        }
    }
    passed()
}

async fn types(subject: &mut Subject) -> Outcome {
    for option in options(subject).await? {
        let is_spin = matches!(option.kind, OptionKind::Spin { .. });
        let is_string = matches!(option.kind, OptionKind::String { .. });
        let (right, kind) = match &*option.name.to_ascii_lowercase() {
            "hash" | "threads" | "seed" | "moveoverhead" | "multipv" => (is_spin, "spin"),
            "endgametables" | "rules" => (is_string, "string"),
            _ => continue,
        };
        if !right {
            return Err(CheckFailure::wrong(
                format!("option name {} type {kind} …", option.name),
                format!("`{option}`"),
            ));
        }
    }
    passed()
}

async fn seed(subject: &mut Subject) -> Outcome {
    let option = subject.needs_option("Seed").await?;
    for value in ["0", "9223372036854775807"] {
        if let Err(why) = option.check(value) {
            return Err(CheckFailure::wrong(
                "a spin from 0 to 9223372036854775807",
                why.to_string(),
            ));
        }
    }
    let talk = subject.talk().await?;
    talk.say("setoption name Seed value 9223372036854775807").await?;
    talk.ready().await?;
    passed()
}

async fn undeclared_noted(subject: &mut Subject) -> Outcome {
    let talk = subject.talk().await?;
    talk.say("setoption name No Such Option value 1").await?;
    let lines = talk.ready().await?;
    match lines.iter().any(|line| line.starts_with("info string")) {
        true => passed(),
        false => Err(CheckFailure::wrong("`info string …`", "`readyok` at once")),
    }
}

/// Sets `Rules` in so many words.
async fn set(subject: &mut Subject, words: &str) -> Result<(), CheckFailure> {
    let talk = subject.talk().await?;
    talk.say(words).await?;
    talk.ready().await?;
    Ok(())
}

/// Whether a limit of two plies without a capture is in force, which ends a certain game.
async fn is_limited(subject: &mut Subject) -> Result<bool, CheckFailure> {
    let talk = subject.talk().await?;
    talk.say("position fen b4/5/5/5/4W w - 0 1 moves e1d1 a5a4").await?;
    Ok(talk.query("gameover").await? == "true")
}

/// Makes sure that the effect of `Rules` can be seen.
async fn visible(subject: &mut Subject) -> Result<(), CheckFailure> {
    subject.needs_option("Rules").await?;
    subject.needs_queries().await
}

async fn any_case(subject: &mut Subject) -> Outcome {
    visible(subject).await?;
    set(subject, "setoption name rULES value quiet=2").await?;
    let limited = is_limited(subject).await?;
    subject.retire().await;
    match limited {
        true => passed(),
        false => Err(CheckFailure::wrong("`rULES` sets `Rules`", "it does not")),
    }
}

async fn empty_text(subject: &mut Subject) -> Outcome {
    visible(subject).await?;
    for end in ["", " value", " value <empty>"] {
        set(subject, "setoption name Rules value quiet=2").await?;
        set(subject, &format!("setoption name Rules{end}")).await?;
        if is_limited(subject).await? {
            return Err(CheckFailure::wrong(
                format!("`setoption name Rules{end}` sets the empty text, the usual rules"),
                "the rules before are still in force",
            ));
        }
    }
    passed()
}

async fn replaced(subject: &mut Subject) -> Outcome {
    visible(subject).await?;
    set(subject, "setoption name Rules value quiet=2 forced-continuation").await?;
    if !is_limited(subject).await? {
        return Err(CheckFailure::wrong("a draw after two quiet plies", "the game goes on"));
    }
    set(subject, "setoption name Rules value forced-continuation").await?;
    let limited = is_limited(subject).await?;
    subject.retire().await;
    match limited {
        false => passed(),
        true => Err(CheckFailure::wrong(
            "`quiet` is as usual, as it is not named",
            "the limit before is still in force",
        )),
    }
}

async fn unknown_rule(subject: &mut Subject) -> Outcome {
    visible(subject).await?;
    set(subject, "setoption name Rules value quiet=2").await?;
    set(subject, "setoption name Rules value quiet=50 no-such-rule").await?;
    let limited = is_limited(subject).await?;
    subject.retire().await;
    match limited {
        true => passed(),
        false => Err(CheckFailure::wrong(
            "the rules before are still in force",
            "they have been changed",
        )),
    }
}

async fn during_search(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    options(subject).await?;
    let line = match subject.introduction.option("Rules") {
        Some(_) => "setoption name Rules value quiet=2",
        None => "setoption name No Such Option value 1",
    };
    let talk = subject.game().await?;
    talk.say(&start().line).await?;
    talk.say("go infinite").await?;
    talk.say(line).await?;
    talk.say("stop").await?;
    talk.answer(tokio::time::Instant::now()).await?;
    talk.ready().await?;
    talk.ask(&start().line, BRIEF).await?;
    if subject.introduction.option("Rules").is_some() && subject.needs_queries().await.is_ok() {
        // Whoever has just found out about queries has lost the rules.
        let limited = is_limited(subject).await?;
        subject.retire().await;
        if !limited {
            return Err(CheckFailure::wrong(
                "the option takes effect after the search",
                "it does not",
            ));
        }
    }
    passed()
}
