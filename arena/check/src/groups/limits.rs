//! Checks of thinking limits.

use std::time::Duration;

use super::{
    Check, CheckFailure, Level, Outcome, Subject, cases, expect, legal, passed, start, with_moves,
};
use crate::positions::{Case, Family};
use fanorona_tournament::config::Tournament;

pub(crate) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "keeps `movetime`",
        section: "Time",
        fix_hint: "check the clock more often, and reserve some milliseconds for communication",
        run: |subject| {
            Box::pin(in_time(subject, true, &[("movetime 100", 100), ("movetime 300", 300)]))
        },
    },
    Check {
        level: Level::Basic,
        title: "keeps very short times",
        section: "Time",
        fix_hint: "have a move ready before the search begins",
        run: |subject| {
            let limits = &[("movetime 1", 1), ("movetime 10", 10), ("p1time 20 p2time 20", 20)];
            Box::pin(in_time(subject, true, limits))
        },
    },
    Check {
        level: Level::Basic,
        title: "keeps within its clock",
        section: "Time",
        fix_hint: "never use more than the remaining time: p1time is White's clock, p2time Black's",
        run: |subject| {
            let limits = &[
                ("p1time 1000 p2time 1000", 1000),
                ("p1time 300 p2time 300 p1inc 100 p2inc 100", 300),
            ];
            Box::pin(in_time(subject, true, limits))
        },
    },
    Check {
        level: Level::Basic,
        title: "ends a search at `nodes` and `depth`",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "end a search at any depth and any number of nodes; an engine without a search \
                   answers at once",
        run: |subject| Box::pin(work(subject)),
    },
    Check {
        level: Level::Basic,
        title: "answers every `go` with exactly one `bestmove`",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "print `bestmove` once for every `go`, and never without a `go`",
        run: |subject| Box::pin(one_answer(subject)),
    },
    Check {
        level: Level::Basic,
        title: "keeps within the output limit per move",
        section: "Faults",
        fix_hint: "print `info` once per depth or a few times per second; keep lines under 1 MiB",
        run: |subject| Box::pin(output(subject)),
    },
    Check {
        level: Level::Full,
        title: "uses the clock of the side to move",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "p1time is White's clock and p2time Black's, whichever side the engine plays",
        run: |subject| Box::pin(own_clock(subject)),
    },
    Check {
        level: Level::Full,
        title: "uses a single clock for the side to move",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "if only one clock is given, use it",
        run: |subject| {
            let limits = &[("p1time 200", 200), ("p2time 200", 200)];
            Box::pin(in_time(subject, false, limits))
        },
    },
    Check {
        level: Level::Full,
        title: "supports `movestogo` and empty clocks",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "a time below zero counts as zero; the last move before the clock is refilled \
                   can use at most the remaining time",
        run: |subject| {
            let limits = &[
                ("p1time 300 p2time 300 movestogo 1", 300),
                ("p1time 0 p2time 0", 0),
                ("p1time -50 p2time -50 p1inc 20 p2inc 20", 0),
                ("movetime 0", 0),
            ];
            Box::pin(in_time(subject, false, limits))
        },
    },
    Check {
        level: Level::Full,
        title: "ends a search at the first of several limits",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "end at the first limit reached; `infinite` does not override other limits",
        run: |subject| {
            let limits = &[
                ("movetime 100 depth 60", 100),
                ("movetime 100 nodes 1000000000", 100),
                ("infinite movetime 100", 100),
                ("movetime 100 p1time 60000 p2time 60000", 100),
            ];
            Box::pin(in_time(subject, false, limits))
        },
    },
    Check {
        level: Level::Full,
        title: "reads `wtime`, `btime`, `winc` and `binc`",
        section: "Words of UCI",
        fix_hint: "treat wtime, btime, winc and binc like p1time, p2time, p1inc and p2inc",
        run: |subject| {
            Box::pin(in_time(subject, false, &[("wtime 200 btime 200 winc 10 binc 10", 200)]))
        },
    },
];

/// Positions with both sides to move in which a search has work to do.
fn middle_games(seed: u64) -> Vec<Case> {
    let mut cases = cases(Family::Riatra, &Default::default(), 12, seed);
    cases.retain(|case| case.moves.len() > 1);
    cases.sort_by_key(|case| std::cmp::Reverse(case.game.history().plies()));
    cases.truncate(2);
    cases.push(start());
    cases
}

/// Runs searches with limits. Each limit has the time it allows in milliseconds. If `aided`, the
/// legal moves are sent.
async fn in_time(subject: &mut Subject, aided: bool, limits: &[(&str, u64)]) -> Outcome {
    if !aided {
        subject.require_rules().await?;
    }
    let margin = subject.settings.margin;
    let cases = middle_games(subject.settings.seed);
    let engine = subject.game().await?;
    let mut most = Duration::ZERO;
    for &(limit, time) in limits {
        for case in &cases {
            engine.begin();
            let words = if aided { with_moves(limit, case) } else { limit.to_owned() };
            let answer = engine.ask(&case.line, &words).await?;
            legal(&answer, case)?;
            let time = Duration::from_millis(time);
            expect(
                answer.time <= time + margin,
                format!("a response to `go {limit}` within {time:?} and a margin of {margin:?}"),
                format!("a response after {} ms", answer.time.as_millis()),
            )?;
            most = most.max(answer.time.saturating_sub(time));
        }
    }
    Ok(lateness(most))
}

/// How late an engine was at most, and what follows if that is too late for most tournaments.
fn lateness(most: Duration) -> String {
    let default = Tournament::MARGIN.as_millis();
    match most.as_millis() {
        0 => "never late".to_owned(),
        ms if ms < default => format!("at most {ms} ms late"),
        ms => format!(
            "at most {ms} ms late, over the default margin of {default} ms: set margin = \"{}ms\", or \
             let it answer earlier",
            (ms / default + 1) * default
        ),
    }
}

async fn work(subject: &mut Subject) -> Outcome {
    let cases = middle_games(subject.settings.seed);
    let engine = subject.game().await?;
    for limit in ["nodes 1", "nodes 1000", "depth 1", "depth 2", "nodes 100 depth 1"] {
        for case in &cases {
            engine.begin();
            legal(&engine.ask(&case.line, &with_moves(limit, case)).await?, case)?;
        }
    }
    passed()
}

async fn one_answer(subject: &mut Subject) -> Outcome {
    let case = start();
    let engine = subject.game().await?;
    for limit in ["nodes 100", "depth 1", "movetime 20"] {
        engine.begin();
        legal(&engine.ask(&case.line, &with_moves(limit, &case)).await?, &case)?;
        engine.no_more_bestmoves().await?;
    }
    let late = engine.lines_within(Duration::from_millis(100)).await?;
    match late.iter().find(|line| line.starts_with("bestmove")) {
        None => passed(),
        Some(line) => {
            Err(CheckFailure::wrong("nothing after the last bestmove", format!("`{line}`")))
        }
    }
}

async fn output(subject: &mut Subject) -> Outcome {
    let case = start();
    let engine = subject.game().await?;
    legal(&engine.ask(&case.line, &with_moves("movetime 500", &case)).await?, &case)?;
    let bytes = engine.bytes_received();
    // A long move in a slow tournament takes a hundred times as long.
    match bytes {
        0..=MAX_OUTPUT => Ok(format!("{bytes} bytes in half a second")),
        _ => Err(CheckFailure::wrong(
            format!("at most {MAX_OUTPUT} bytes in half a second"),
            format!("{bytes} bytes, which is more than 64 MiB per minute"),
        )),
    }
}

/// The maximum output in half a second, which corresponds to 64 MiB per minute.
const MAX_OUTPUT: usize = (64 << 20) / 120;

async fn own_clock(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let margin = subject.settings.margin;
    let engine = subject.game().await?;
    let mut most = Duration::ZERO;
    for (moves, clocks) in
        [("", "p1time 100 p2time 600000"), (" moves e2e3A", "p1time 600000 p2time 100")]
    {
        engine.begin();
        let answer = engine.ask(&format!("position startpos{moves}"), clocks).await?;
        let clock = Duration::from_millis(100);
        expect(
            answer.time <= clock + margin,
            format!("a response within 100 ms and a margin of {margin:?}"),
            format!("`{}` after {} ms", answer.line, answer.time.as_millis()),
        )?;
        most = most.max(answer.time.saturating_sub(clock));
    }
    Ok(lateness(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lateness_over_the_default_margin_is_said() {
        let of = |ms| lateness(Duration::from_millis(ms));
        assert_eq!((&*of(0), &*of(49)), ("never late", "at most 49 ms late"));
        assert!(of(73).contains("over the default margin of 50 ms: set margin = \"100ms\""));
    }
}
