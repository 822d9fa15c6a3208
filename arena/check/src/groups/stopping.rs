//! Checks of `stop`, infinite searches and commands during a search.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    BRIEF, Check, CheckFailure, Conversation, Level, Outcome, Subject, cases, expect, legal,
    passed, start, with_moves,
};
use crate::positions::Family;

pub(crate) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "ignores `stop` without a search",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "ignore `stop` if there is no search",
        run: |subject| Box::pin(idle(subject)),
    },
    Check {
        level: Level::Full,
        title: "searches until `stop` after `go infinite`",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "hold back the bestmove of an infinite search until `stop`, even if the search \
                   ends before",
        run: |subject| Box::pin(endless(subject, "infinite")),
    },
    Check {
        level: Level::Full,
        title: "searches until `stop` after `go` without a limit",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "treat `go` without a limit like `go infinite`",
        run: |subject| Box::pin(endless(subject, "")),
    },
    Check {
        level: Level::Full,
        title: "obeys `stop` at once",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "read input during a search, and check for `stop` every few milliseconds",
        run: |subject| Box::pin(latency(subject)),
    },
    Check {
        level: Level::Full,
        title: "obeys `stop` at the beginning of a search",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "have a move ready before the search begins; do not lose an early `stop`",
        run: |subject| Box::pin(early_stop(subject)),
    },
    Check {
        level: Level::Full,
        title: "prints the bestmove of `stop` before the next `readyok`",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "after `stop`, print the bestmove before you answer `isready`",
        run: |subject| Box::pin(barrier(subject)),
    },
    Check {
        level: Level::Full,
        title: "answers `isready` during a search, which continues",
        section: "Handshake and options",
        fix_hint: "answer `isready` at once during a search, and do not end the search",
        run: |subject| Box::pin(ready_meanwhile(subject)),
    },
    Check {
        level: Level::Full,
        title: "obeys `stop` in a search with a limit",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "end every search at `stop`, with any limit",
        run: |subject| Box::pin(limited(subject)),
    },
    Check {
        level: Level::Full,
        title: "executes commands received during a search after it",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "store commands received during a search, except `isready` and `stop`, and \
                   execute them afterwards",
        run: |subject| Box::pin(queue(subject)),
    },
    Check {
        level: Level::Full,
        title: "stops many searches one after another",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "make sure that a `stop` never affects a later search, and that a stopped search \
                   leaves nothing behind",
        run: |subject| Box::pin(many(subject)),
    },
    Check {
        level: Level::Basic,
        title: "answers `position`, `isready` and `go` of one write in order",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: ORDER,
        run: |subject| Box::pin(one_write(subject, "ugi", "uginewgame", "nodes 100")),
    },
    Check {
        level: Level::Full,
        title: "answers `position`, `isready` and `go` in order in UCI",
        section: "Words of UCI",
        fix_hint: ORDER,
        run: |subject| Box::pin(one_write(subject, "uci", "ucinewgame", "wtime 2000 btime 2000")),
    },
    Check {
        level: Level::Full,
        title: "waits for `stop` after `go infinite` with an unknown word",
        section: "Bad input",
        fix_hint: "skip unknown words of `go`; with `infinite` among the others the search is endless",
        run: |subject| Box::pin(endless(subject, "infinite banana")),
    },
    Check {
        level: Level::Full,
        title: "ponders until `ponderhit` or `stop`",
        section: "Thinking in the opponent's time",
        fix_hint: "hold back the bestmove after `go ponder`; the limits hold from `ponderhit` on",
        run: |subject| Box::pin(ponder(subject)),
    },
];

/// The usual cause of a missing or early response to several lines in one write.
const ORDER: &str = "read line by line and answer `isready` before the `go` after it; an engine that \
                     waits with select or poll on a buffered stream misses lines that are already in its \
                     buffer: read all of them before you wait";

/// Sends the lines of a move as the arena does: in one write.
async fn one_write(subject: &mut Subject, greeting: &str, new_game: &str, limit: &str) -> Outcome {
    let case = start();
    let other = greeting != "ugi";
    let engine = if other { subject.fresh().await? } else { subject.engine().await? };
    if other {
        engine.send(greeting).await?;
        // Another check tests this handshake.
        if !engine.ready().await?.contains(&format!("{greeting}ok")) {
            subject.retire().await;
            return Err(CheckFailure::Skipped(format!("it does not answer `{greeting}`")));
        }
    }
    engine.send(new_game).await?;
    engine.ready().await?;
    let begin = Instant::now();
    let lines =
        [&*case.line, "isready", &format!("go {}", with_moves(limit, &case)), ""].join("\n");
    engine.send_bytes(lines.as_bytes()).await?;
    let before = engine.readyok().await?;
    if let Some(early) = before.iter().find(|line| line.starts_with("bestmove")) {
        let got = format!("`{early}` before it");
        return Err(CheckFailure::wrong("`readyok`, then `bestmove`", got));
    }
    legal(&engine.answer(begin).await?, &case)?;
    engine.no_more_bestmoves().await?;
    if other {
        // The next check needs a process with the usual handshake.
        subject.retire().await;
    }
    passed()
}

async fn idle(subject: &mut Subject) -> Outcome {
    let case = start();
    let engine = subject.game().await?;
    engine.send("stop").await?;
    engine.no_more_bestmoves().await?;
    legal(&engine.ask(&case.line, &with_moves(BRIEF, &case)).await?, &case)?;
    engine.send("stop").await?;
    engine.no_more_bestmoves().await?;
    passed()
}

/// Starts a search of the start position.
async fn begin(engine: &mut Conversation, limit: &str) -> Result<(), CheckFailure> {
    engine.begin();
    engine.send(&start().line).await?;
    engine.send(format!("go {limit}").trim_end()).await
}

/// Stops the search and returns how long the response took.
async fn stop(engine: &mut Conversation) -> Result<Duration, CheckFailure> {
    let stopped = Instant::now();
    engine.send("stop").await?;
    let answer = engine.answer(stopped).await?;
    legal(&answer, &start())?;
    Ok(answer.time)
}

/// Checks that the search continues for a while.
async fn keeps_searching(engine: &mut Conversation, time: u64) -> Result<(), CheckFailure> {
    let lines = engine.lines_within(Duration::from_millis(time)).await?;
    match lines.iter().find(|line| line.starts_with("bestmove")) {
        None => Ok(()),
        Some(line) => Err(CheckFailure::wrong("no bestmove before `stop`", format!("`{line}`"))),
    }
}

async fn endless(subject: &mut Subject, limit: &str) -> Outcome {
    subject.require_rules().await?;
    let engine = subject.game().await?;
    begin(engine, limit).await?;
    keeps_searching(engine, 200).await?;
    stop(engine).await?;
    engine.no_more_bestmoves().await?;
    passed()
}

async fn latency(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let margin = subject.settings.margin;
    let engine = subject.game().await?;
    let mut most = Duration::ZERO;
    for time in [50, 100, 200] {
        begin(engine, "infinite").await?;
        keeps_searching(engine, time).await?;
        let taken = stop(engine).await?;
        expect(
            taken <= margin,
            format!("a bestmove within {margin:?} of `stop`"),
            format!("a bestmove after {} ms", taken.as_millis()),
        )?;
        most = most.max(taken);
    }
    Ok(format!("at most {} ms", most.as_millis()))
}

async fn early_stop(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let case = start();
    let engine = subject.game().await?;
    for _ in 0..3 {
        engine.begin();
        let begin = Instant::now();
        engine.send_bytes(format!("{}\ngo infinite\nstop\n", case.line).as_bytes()).await?;
        legal(&engine.answer(begin).await?, &case)?;
        engine.no_more_bestmoves().await?;
    }
    passed()
}

async fn barrier(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let engine = subject.game().await?;
    for time in [0, 1, 5, 20, 60] {
        begin(engine, "infinite").await?;
        keeps_searching(engine, time).await?;
        engine.send_bytes(b"stop\nisready\n").await?;
        let lines = engine.readyok().await?;
        let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
        expect(
            answers == 1,
            "one `bestmove`, and `readyok` after it",
            format!("`readyok` after {answers} `bestmove` lines"),
        )?;
    }
    passed()
}

async fn ready_meanwhile(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let margin = subject.settings.margin;
    let engine = subject.game().await?;
    begin(engine, "infinite").await?;
    for _ in 0..3 {
        let asked = Instant::now();
        let lines = engine.ready().await?;
        let taken = asked.elapsed();
        if lines.iter().any(|line| line.starts_with("bestmove")) {
            return Err(CheckFailure::wrong("the search to continue", "it ended"));
        }
        expect(
            taken <= margin,
            format!("`readyok` within {margin:?}"),
            format!("`readyok` after {} ms", taken.as_millis()),
        )?;
        keeps_searching(engine, 30).await?;
    }
    stop(engine).await?;
    passed()
}

async fn limited(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let engine = subject.game().await?;
    begin(engine, "movetime 60000").await?;
    let lines = engine.lines_within(Duration::from_millis(50)).await?;
    let stopped = Instant::now();
    engine.send("stop").await?;
    // An engine without a search may have responded already.
    if !lines.iter().any(|line| line.starts_with("bestmove")) {
        legal(&engine.answer(stopped).await?, &start())?;
    }
    engine.no_more_bestmoves().await?;
    passed()
}

async fn queue(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let seed = subject.settings.seed;
    let cases = cases(Family::Boards, &Default::default(), 3, seed);
    let engine = subject.game().await?;
    let begin = Instant::now();
    let mut lines = String::new();
    for case in &cases {
        lines += &format!("{}\ngo movetime 50\n", case.line);
    }
    engine.send_bytes(lines.as_bytes()).await?;
    for case in &cases {
        legal(&engine.answer(begin).await?, case)?;
    }
    engine.no_more_bestmoves().await?;
    passed()
}

async fn ponder(subject: &mut Subject) -> Outcome {
    subject.require_option("Ponder").await?;
    subject.require_rules().await?;
    let margin = subject.settings.margin;
    let limit = Duration::from_millis(30);
    let engine = subject.game().await?;
    for limits in ["movetime 30", "p1time 30 p2time 30"] {
        begin(engine, &format!("ponder {limits}")).await?;
        engine.ready().await?;
        keeps_searching(engine, 200).await?;
        let hit = Instant::now();
        engine.send("ponderhit").await?;
        let answer = engine.answer(hit).await?;
        legal(&answer, &start())?;
        expect(
            answer.time <= limit + margin,
            format!("a bestmove within {limit:?} + {margin:?} of `ponderhit`"),
            format!("a bestmove after {} ms", answer.time.as_millis()),
        )?;
        begin(engine, &format!("ponder {limits}")).await?;
        keeps_searching(engine, 50).await?;
        stop(engine).await?;
        engine.no_more_bestmoves().await?;
    }
    // A search that begins when the opponent has moved otherwise.
    let case = start();
    let asked = Instant::now();
    let lines =
        format!("{0}\ngo ponder movetime 30\nstop\n{0}\nisready\ngo movetime 30\n", case.line);
    engine.send_bytes(lines.as_bytes()).await?;
    engine.readyok().await?;
    legal(&engine.answer(asked).await?, &case)?;
    engine.no_more_bestmoves().await?;
    passed()
}

async fn many(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let engine = subject.game().await?;
    for round in 0..20 {
        begin(engine, "infinite").await?;
        keeps_searching(engine, round % 4).await?;
        stop(engine).await?;
        // The `stop` of the previous search must not stop the next one.
        begin(engine, "infinite").await?;
        keeps_searching(engine, 2).await?;
        stop(engine).await?;
    }
    engine.no_more_bestmoves().await?;
    passed()
}
