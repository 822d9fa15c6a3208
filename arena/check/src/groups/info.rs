//! Checks of `info` lines.

use fanorona_protocol::messages::{Info, Reply};
use fanorona_protocol::rules::Ruleset;

use super::{
    BRIEF, Check, CheckFailure, Family, Level, Outcome, Subject, cases, expect, legal, with_moves,
};
use crate::positions::Case;

pub(crate) const CHECKS: &[Check] = &[
    Check {
        level: Level::Full,
        title: "prints valid `info` lines",
        section: "`info`",
        fix_hint: "print numbers where the protocol requires them, and scores as `score cp`, \
                   `score win` or `score loss`",
        run: |subject| Box::pin(readable(subject)),
    },
    Check {
        level: Level::Full,
        title: "prints a `pv` of legal moves",
        section: "`info`",
        fix_hint: "begin `pv` with a legal move of the current position; each further move must be \
                   legal after the previous one",
        run: |subject| Box::pin(lines(subject)),
    },
    Check {
        level: Level::Full,
        title: "prints a `wdl` with the sum 1000",
        section: "`info`",
        fix_hint: "print `wdl` in thousandths: win, draw, loss",
        run: |subject| Box::pin(chances(subject)),
    },
    Check {
        level: Level::Basic,
        title: "reports no error in its moves",
        section: "`info`",
        fix_hint: "after `info error` an engine plays on, but with a move that it did not choose",
        run: |subject| Box::pin(errors(subject)),
    },
];

/// Asks for moves in riatras and velas. The errors in the moves of earlier checks count, too.
async fn errors(subject: &mut Subject) -> Outcome {
    let (count, seed) = (subject.settings.positions.div_ceil(4), subject.settings.seed);
    let engine = subject.game().await?;
    for family in [Family::Riatra, Family::PhaseOne, Family::PhaseTwo, Family::Boards] {
        for case in cases(family, &Ruleset::default(), count, seed) {
            engine.begin();
            engine.ask(&case.line, &with_moves(BRIEF, &case)).await?;
        }
    }
    subject.reported_errors()
}

/// The `info` lines for some positions, each with its position.
async fn reports(subject: &mut Subject) -> Result<Vec<(Case, String)>, CheckFailure> {
    subject.require_rules().await?;
    let seed = subject.settings.seed;
    let engine = subject.game().await?;
    let mut reports = Vec::new();
    for family in [Family::Riatra, Family::PhaseOne, Family::Boards] {
        for case in cases(family, &Default::default(), 4, seed) {
            engine.begin();
            let answer = engine.ask(&case.line, "movetime 50").await?;
            legal(&answer, &case)?;
            reports.extend(answer.infos.into_iter().map(|line| (case.clone(), line)));
        }
    }
    match reports.is_empty() {
        true => Err(CheckFailure::skipped("it prints no `info`")),
        false => Ok(reports),
    }
}

/// Parses an `info` line.
fn read(line: &str) -> Info {
    match line.parse() {
        Ok(Reply::Info(info)) => *info,
        _ => Info::default(),
    }
}

/// The first error in an `info` line.
fn unreadable(line: &str) -> Option<String> {
    let mut words = line.split_ascii_whitespace().skip(1);
    while let Some(word) = words.next() {
        let is_count = |value: Option<&str>| {
            value.is_some_and(|value| value.bytes().all(|byte| byte.is_ascii_digit()))
        };
        match word {
            "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "hashfull" | "tbhits" | "time" => {
                let value = words.next();
                if !is_count(value) {
                    let found = value.unwrap_or("nothing");
                    return Some(format!("`{word}` is followed by {found}, not by a number"));
                }
            }
            "score" => {
                let (kind, value) = (words.next(), words.next());
                let right = match kind {
                    Some("cp") => value.is_some_and(|value| value.parse::<i32>().is_ok()),
                    Some("win" | "loss") => is_count(value),
                    _ => false,
                };
                if !right {
                    let found = [kind, value].map(|word| word.unwrap_or("nothing")).join(" ");
                    return Some(format!(
                        "`score` is followed by {found}, not by cp, win or loss and a number"
                    ));
                }
            }
            "wdl" => {
                for _ in 0..3 {
                    if !is_count(words.next()) {
                        return Some("`wdl` is not followed by three numbers".to_owned());
                    }
                }
            }
            "pv" => {
                let wrong =
                    words.find(|word| word.parse::<fanorona_protocol::rules::Move>().is_err());
                return match wrong {
                    Some("string") | None => None,
                    Some(word) => Some(format!("`{word}` in `pv` is not a move")),
                };
            }
            "string" => return None,
            _ => {}
        }
    }
    None
}

async fn readable(subject: &mut Subject) -> Outcome {
    let reports = reports(subject).await?;
    for (_, line) in &reports {
        if let Some(why) = unreadable(line) {
            return Err(CheckFailure::wrong(
                "an `info` line as defined on the protocol page",
                format!("`{line}`: {why}"),
            ));
        }
    }
    Ok(format!("{} lines", reports.len()))
}

async fn lines(subject: &mut Subject) -> Outcome {
    let mut count = 0;
    for (case, line) in reports(subject).await? {
        let mut position = *case.position();
        for mv in read(&line).pv {
            position = position.play(case.game.rules(), &mv).map_err(|why| {
                CheckFailure::wrong(
                    "a `pv` of legal moves",
                    format!("`{line}`, where {mv} is not legal: {why} (`{}`)", case.line),
                )
            })?;
            count += 1;
        }
    }
    match count {
        0 => Err(CheckFailure::skipped("it prints no `pv`")),
        count => Ok(format!("{count} moves")),
    }
}

async fn chances(subject: &mut Subject) -> Outcome {
    let mut count = 0;
    for (_, line) in reports(subject).await? {
        let Some(wdl) = read(&line).wdl else { continue };
        let sum = wdl.win.saturating_add(wdl.draw).saturating_add(wdl.loss);
        // Each of the three may be rounded.
        expect(
            (998..=1002).contains(&sum),
            "three numbers with the sum 1000",
            format!("`{line}`"),
        )?;
        count += 1;
    }
    match count {
        0 => Err(CheckFailure::skipped("it prints no `wdl`")),
        count => Ok(format!("{count} lines")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_read_strictly() {
        for line in [
            "info",
            "info depth 7 seldepth 12 multipv 1 score cp -35 wdl 300 200 500 nodes 1 nps 9 hashfull \
             17 tbhits 3 time 133 pv e2e3A e5e4",
            "info score win 3 currline what ever pv e2e3A string depth x",
            "info string depth x",
        ] {
            assert_eq!(unreadable(line), None, "{line}");
        }
        for (line, part) in [
            ("info depth x", "followed by x"),
            ("info depth", "followed by nothing"),
            ("info nodes -1", "followed by -1"),
            ("info time 0.5", "followed by 0.5"),
            ("info score 35", "score"),
            ("info score mate 3", "mate 3"),
            ("info wdl 1 2", "three numbers"),
            ("info pv e2e3A e5 e4", "`e5` in `pv`"),
        ] {
            assert!(unreadable(line).expect(line).contains(part), "{line}");
        }
    }
}
