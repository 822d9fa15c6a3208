//! How long an engine thinks.

use std::time::Duration;

use tokio::time::Instant;

use super::{Check, CheckFailure, Level, Outcome, Subject, cases, legal, passed, start, told};
use crate::check::positions::{Case, Family};

pub(in crate::check) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "`movetime` is kept",
        section: "Time",
        mend: "look at the clock more often, and leave some milliseconds for the way to the manager",
        run: |subject| {
            Box::pin(in_time(subject, true, &[("movetime 100", 100), ("movetime 300", 300)]))
        },
    },
    Check {
        level: Level::Basic,
        title: "very short times are kept",
        section: "Time",
        mend: "have a move at hand before the search begins",
        run: |subject| {
            let limits = &[("movetime 1", 1), ("movetime 10", 10), ("p1time 20 p2time 20", 20)];
            Box::pin(in_time(subject, true, limits))
        },
    },
    Check {
        level: Level::Basic,
        title: "clocks are kept",
        section: "Time",
        mend: "never use more than what is left on the own clock: p1time is White's, p2time Black's",
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
        title: "`nodes` and `depth` end a search",
        section: "`go`, `stop` and `bestmove`",
        mend: "end a search at any depth and any number of nodes; without a search, at once",
        run: |subject| Box::pin(work(subject)),
    },
    Check {
        level: Level::Basic,
        title: "one go, exactly one bestmove",
        section: "`go`, `stop` and `bestmove`",
        mend: "say `bestmove` once for every `go`, and never without one",
        run: |subject| Box::pin(one_answer(subject)),
    },
    Check {
        level: Level::Basic,
        title: "no more is said in a move than is read",
        section: "Faults",
        mend: "report once for every depth, or some times a second; keep lines under 1 MiB",
        run: |subject| Box::pin(output(subject)),
    },
    Check {
        level: Level::Full,
        title: "the clock of the side to move counts",
        section: "`go`, `stop` and `bestmove`",
        mend: "p1time is White's clock and p2time Black's, whoever the engine is",
        run: |subject| Box::pin(own_clock(subject)),
    },
    Check {
        level: Level::Full,
        title: "a single clock is that of the side to move",
        section: "`go`, `stop` and `bestmove`",
        mend: "take the one clock that is given, whosever it is",
        run: |subject| {
            let limits = &[("p1time 200", 200), ("p2time 200", 200)];
            Box::pin(in_time(subject, false, limits))
        },
    },
    Check {
        level: Level::Full,
        title: "`movestogo` and empty clocks are heeded",
        section: "`go`, `stop` and `bestmove`",
        mend: "a time below zero counts as zero; the last move before the clock is filled up may not \
               use more than all of it",
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
        title: "limits combine, whichever comes first",
        section: "`go`, `stop` and `bestmove`",
        mend: "end at the first limit that is reached; `infinite` is no limit of its own",
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
        title: "`wtime`, `btime`, `winc` and `binc` are read",
        section: "Words of UCI",
        mend: "read wtime, btime, winc and binc as p1time, p2time, p1inc and p2inc",
        run: |subject| {
            Box::pin(in_time(subject, false, &[("wtime 200 btime 200 winc 10 binc 10", 200)]))
        },
    },
];

/// Positions of both sides in which a search has something to do.
fn middle_games(seed: u64) -> Vec<Case> {
    let mut cases = cases(Family::Riatra, &Default::default(), 12, seed);
    cases.retain(|case| case.moves.len() > 1);
    cases.sort_by_key(|case| std::cmp::Reverse(case.game.plies()));
    cases.truncate(2);
    cases.push(start());
    cases
}

/// Searches with limits, each with the milliseconds it allows; `aided` tells the legal moves.
async fn in_time(subject: &mut Subject, aided: bool, limits: &[(&str, u64)]) -> Outcome {
    if !aided {
        subject.needs_rules().await?;
    }
    let margin = subject.settings.margin;
    let cases = middle_games(subject.settings.seed);
    let talk = subject.game().await?;
    let mut most = Duration::ZERO;
    for &(limit, time) in limits {
        for case in &cases {
            talk.begin();
            let words = if aided { told(limit, case) } else { limit.to_owned() };
            let answer = talk.ask(&case.line, &words).await?;
            legal(&answer, case)?;
            let time = Duration::from_millis(time);
            if answer.time > time + margin {
                return Err(CheckFailure::wrong(
                    format!(
                        "an answer within {time:?} and a margin of {margin:?}, for `go {limit}`"
                    ),
                    format!("one after {} ms", answer.time.as_millis()),
                ));
            }
            most = most.max(answer.time.saturating_sub(time));
        }
    }
    Ok(match most.as_millis() {
        0 => "never late".to_owned(),
        ms => format!("{ms} ms over at most"),
    })
}

async fn work(subject: &mut Subject) -> Outcome {
    let cases = middle_games(subject.settings.seed);
    let talk = subject.game().await?;
    for limit in ["nodes 1", "nodes 1000", "depth 1", "depth 2", "nodes 100 depth 1"] {
        for case in &cases {
            talk.begin();
            legal(&talk.ask(&case.line, &told(limit, case)).await?, case)?;
        }
    }
    passed()
}

async fn one_answer(subject: &mut Subject) -> Outcome {
    let case = start();
    let talk = subject.game().await?;
    for limit in ["nodes 100", "depth 1", "movetime 20"] {
        talk.begin();
        legal(&talk.ask(&case.line, &told(limit, &case)).await?, &case)?;
        talk.quiet().await?;
    }
    let late = talk.overhear(Duration::from_millis(100)).await?;
    match late.iter().find(|line| line.starts_with("bestmove")) {
        None => passed(),
        Some(line) => {
            Err(CheckFailure::wrong("nothing after the last bestmove", format!("`{line}`")))
        }
    }
}

async fn output(subject: &mut Subject) -> Outcome {
    let case = start();
    let talk = subject.game().await?;
    legal(&talk.ask(&case.line, &told("movetime 500", &case)).await?, &case)?;
    let said = talk.said();
    // A long move of a slow tournament has a hundred times as long.
    match said {
        0..=MOST_SAID => Ok(format!("{said} bytes in half a second")),
        _ => Err(CheckFailure::wrong(
            format!("at most {MOST_SAID} bytes in half a second"),
            format!("{said} bytes: in a minute that is more than 64 MiB"),
        )),
    }
}

/// Bytes in half a second that come to 64 MiB in a minute.
const MOST_SAID: usize = (64 << 20) / 120;

async fn own_clock(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let margin = subject.settings.margin;
    let talk = subject.game().await?;
    for (moves, clocks) in
        [("", "p1time 100 p2time 600000"), (" moves e2e3A", "p1time 600000 p2time 100")]
    {
        talk.begin();
        let begin = Instant::now();
        let answer = talk.ask(&format!("position startpos{moves}"), clocks).await?;
        let (time, most) = (begin.elapsed(), Duration::from_millis(100) + margin);
        if time > most {
            return Err(CheckFailure::wrong(
                format!("an answer within 100 ms and a margin of {margin:?}"),
                format!("`{}` after {} ms", answer.line, time.as_millis()),
            ));
        }
    }
    passed()
}
