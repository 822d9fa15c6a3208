//! Checks of options: their declarations and their effects.

use fanorona_protocol::messages::{OptionKind, OptionSpec};

use super::{BRIEF, Check, CheckFailure, Level, Outcome, Subject, expect, passed, start};

pub(crate) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "declares options correctly",
        section: "Handshake and options",
        fix_hint: "print `option name N type T …`, where T is check, spin, combo, string or button",
        run: |subject| Box::pin(readable(subject)),
    },
    Check {
        level: Level::Basic,
        title: "survives an unknown option",
        section: "Handshake and options",
        fix_hint: "ignore `setoption` with an unknown name",
        run: |subject| Box::pin(undeclared(subject)),
    },
    Check {
        level: Level::Basic,
        title: "accepts the default of every option",
        section: "Handshake and options",
        fix_hint: "read `setoption name N value V`; the value is the rest of the line",
        run: |subject| Box::pin(defaults(subject)),
    },
    Check {
        level: Level::Full,
        title: "declares valid defaults",
        section: "Handshake and options",
        fix_hint: "declare a default between min and max, or one of the words after var",
        run: |subject| Box::pin(allowed(subject)),
    },
    Check {
        level: Level::Full,
        title: "declares standard options with their types",
        section: "Handshake and options",
        fix_hint: "declare Hash, Threads, MoveOverhead, MultiPV and Seed as spin, EndgameTables \
                   and Rules as string",
        run: |subject| Box::pin(types(subject)),
    },
    Check {
        level: Level::Full,
        title: "accepts every 63-bit number as `Seed`",
        section: "Handshake and options",
        fix_hint: "declare `option name Seed type spin default 0 min 0 max 9223372036854775807`",
        run: |subject| Box::pin(seed(subject)),
    },
    Check {
        level: Level::Full,
        title: "reports an unknown option with an `info string`",
        section: "Handshake and options",
        fix_hint: "print `info string unknown option …`",
        run: |subject| Box::pin(undeclared_reported(subject)),
    },
    Check {
        level: Level::Full,
        title: "ignores case in names of options",
        section: "Lines",
        fix_hint: "compare names of options case-insensitively",
        run: |subject| Box::pin(any_case(subject)),
    },
    Check {
        level: Level::Full,
        title: "accepts every form of the empty value",
        section: "Handshake and options",
        fix_hint: "read `setoption name Rules`, `… value` and `… value <empty>` all as the empty \
                   value",
        run: |subject| Box::pin(empty_text(subject)),
    },
    Check {
        level: Level::Full,
        title: "replaces the whole ruleset at `Rules`",
        section: "Rule switches",
        fix_hint: "start from the default rules whenever `Rules` is set; switches it does not name \
                   are default",
        run: |subject| Box::pin(replaced(subject)),
    },
    Check {
        level: Level::Full,
        title: "keeps the ruleset if `Rules` has an unknown word or value",
        section: "Rule switches",
        fix_hint: "parse the whole value before you change anything",
        run: |subject| Box::pin(unknown_rule(subject)),
    },
    Check {
        level: Level::Full,
        title: "accepts an option during a search",
        section: "Handshake and options",
        fix_hint: "read commands during a search; apply options after it",
        run: |subject| Box::pin(during_search(subject)),
    },
    Check {
        level: Level::Full,
        title: "applies `Rules` to the present position",
        section: "Rule switches",
        fix_hint: "read the rules whenever moves or the end of the game are asked for",
        run: |subject| Box::pin(at_once(subject)),
    },
];

fn declarations(subject: &Subject) -> Vec<String> {
    let lines = &subject.introduction.lines;
    lines.iter().filter(|line| line.starts_with("option")).cloned().collect()
}

/// The declared options; skips the check if there are none.
async fn options(subject: &mut Subject) -> Result<Vec<OptionSpec>, CheckFailure> {
    subject.engine().await?;
    let options = subject.introduction.declarations.options().to_vec();
    match subject.introduction.declarations.unreadable() {
        _ if !options.is_empty() => Ok(options),
        [line, ..] => Err(CheckFailure::skipped(line.to_string())),
        [] => Err(CheckFailure::skipped("it does not declare options")),
    }
}

async fn readable(subject: &mut Subject) -> Outcome {
    subject.engine().await?;
    let lines = declarations(subject);
    if lines.is_empty() {
        return Err(CheckFailure::skipped("it does not declare options"));
    }
    for line in &lines {
        if let Err(why) = line.parse::<OptionSpec>() {
            return Err(CheckFailure::wrong("a valid declaration", format!("`{line}`: {why}")));
        }
    }
    Ok(format!("{} options", lines.len()))
}

async fn undeclared(subject: &mut Subject) -> Outcome {
    let engine = subject.engine().await?;
    engine.send("setoption name No Such Option value 1").await?;
    engine.ready().await?;
    passed()
}

async fn defaults(subject: &mut Subject) -> Outcome {
    let options = options(subject).await?;
    let engine = subject.engine().await?;
    let mut remarks = Vec::new();
    for OptionSpec { name, kind } in options {
        let value = match kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::String { default } => default,
            // The effect of a button is unknown.
            OptionKind::Button => continue,
        };
        engine.send(format!("setoption name {name} value {value}").trim_end()).await?;
        let lines = engine.ready().await?.into_iter();
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
        expect(right, format!("option name {} type {kind} …", option.name), format!("`{option}`"))?;
    }
    passed()
}

async fn seed(subject: &mut Subject) -> Outcome {
    let option = subject.require_option("Seed").await?;
    for value in ["0", "9223372036854775807"] {
        if let Err(why) = option.check(value) {
            return Err(CheckFailure::wrong(
                "a spin from 0 to 9223372036854775807",
                why.to_string(),
            ));
        }
    }
    let engine = subject.engine().await?;
    engine.send("setoption name Seed value 9223372036854775807").await?;
    engine.ready().await?;
    passed()
}

async fn undeclared_reported(subject: &mut Subject) -> Outcome {
    let engine = subject.engine().await?;
    engine.send("setoption name No Such Option value 1").await?;
    let lines = engine.ready().await?;
    match lines.iter().any(|line| line.starts_with("info string")) {
        true => passed(),
        false => Err(CheckFailure::wrong("`info string …`", "`readyok` without it")),
    }
}

/// Sends a `setoption` line.
async fn set(subject: &mut Subject, words: &str) -> Result<(), CheckFailure> {
    let engine = subject.engine().await?;
    engine.send(words).await?;
    engine.ready().await?;
    Ok(())
}

/// Whether the rule `quiet=2` is in force. The game in the line ends only with that rule.
async fn is_limited(subject: &mut Subject) -> Result<bool, CheckFailure> {
    let engine = subject.engine().await?;
    engine.send("position fen b4/5/5/5/4W w - 0 1 moves e1d1 a5a4").await?;
    Ok(engine.query("gameover").await? == "true")
}

/// Skips the check unless the engine has the option `Rules` and queries that show its effect.
async fn visible(subject: &mut Subject) -> Result<(), CheckFailure> {
    subject.require_option("Rules").await?;
    subject.require_queries().await
}

async fn any_case(subject: &mut Subject) -> Outcome {
    visible(subject).await?;
    set(subject, "setoption name rULES value quiet=2").await?;
    let limited = is_limited(subject).await?;
    subject.retire().await;
    match limited {
        true => passed(),
        false => Err(CheckFailure::wrong("`rULES` to set `Rules`", "it had no effect")),
    }
}

async fn empty_text(subject: &mut Subject) -> Outcome {
    visible(subject).await?;
    for end in ["", " value", " value <empty>"] {
        set(subject, "setoption name Rules value quiet=2").await?;
        set(subject, &format!("setoption name Rules{end}")).await?;
        if is_limited(subject).await? {
            return Err(CheckFailure::wrong(
                format!("`setoption name Rules{end}` to set the empty value, the default rules"),
                "the previous rules are still in force",
            ));
        }
    }
    passed()
}

async fn replaced(subject: &mut Subject) -> Outcome {
    visible(subject).await?;
    set(subject, "setoption name Rules value quiet=2 forced-continuation").await?;
    expect(is_limited(subject).await?, "a draw after two quiet plies", "the game continues")?;
    set(subject, "setoption name Rules value forced-continuation").await?;
    let limited = is_limited(subject).await?;
    subject.retire().await;
    match limited {
        false => passed(),
        true => Err(CheckFailure::wrong(
            "the default of `quiet`, because it is not named",
            "the previous limit is still in force",
        )),
    }
}

async fn unknown_rule(subject: &mut Subject) -> Outcome {
    visible(subject).await?;
    set(subject, "setoption name Rules value quiet=2").await?;
    for wrong in ["no-such-rule", "forced-continuation=on"] {
        set(subject, &format!("setoption name Rules value quiet=50 {wrong}")).await?;
        if !is_limited(subject).await? {
            subject.retire().await;
            return Err(CheckFailure::wrong(
                format!("the previous rules are still in force, because of `{wrong}`"),
                "the rules changed",
            ));
        }
    }
    subject.retire().await;
    passed()
}

async fn at_once(subject: &mut Subject) -> Outcome {
    visible(subject).await?;
    set(subject, "setoption name Rules value").await?;
    if is_limited(subject).await? {
        return Err(CheckFailure::wrong("the game to continue", "it is over after two plies"));
    }
    set(subject, "setoption name Rules value quiet=2").await?;
    let response = subject.engine().await?.query("gameover").await?;
    subject.retire().await;
    match &*response {
        "true" => passed(),
        other => Err(CheckFailure::wrong(
            "`response true` by the new rules, without another `position`",
            format!("`response {other}`"),
        )),
    }
}

async fn during_search(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    options(subject).await?;
    let line = match subject.introduction.option("Rules") {
        Some(_) => "setoption name Rules value quiet=2",
        None => "setoption name No Such Option value 1",
    };
    let engine = subject.game().await?;
    engine.send(&start().line).await?;
    engine.send("go infinite").await?;
    engine.send(line).await?;
    engine.send("stop").await?;
    engine.answer(tokio::time::Instant::now()).await?;
    engine.ready().await?;
    engine.ask(&start().line, BRIEF).await?;
    if subject.introduction.option("Rules").is_some() && subject.require_queries().await.is_ok() {
        // The test for queries may have started a new process without the rules.
        let limited = is_limited(subject).await?;
        subject.retire().await;
        expect(limited, "the option to take effect after the search", "it had no effect")?;
    }
    passed()
}
