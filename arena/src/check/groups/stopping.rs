//! Endless searches, `stop`, and what is said meanwhile.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    BRIEF, Check, CheckFailure, Conversation, Level, Outcome, Subject, cases, legal, passed, start,
    told,
};
use crate::check::positions::Family;

pub(in crate::check) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "`stop` without a search does nothing",
        section: "`go`, `stop` and `bestmove`",
        mend: "pass over `stop` when nothing is being searched",
        run: |subject| Box::pin(idle(subject)),
    },
    Check {
        level: Level::Full,
        title: "`go infinite` waits for `stop`",
        section: "`go`, `stop` and `bestmove`",
        mend: "keep the answer of an endless search until `stop`, however early it is there",
        run: |subject| Box::pin(endless(subject, "infinite")),
    },
    Check {
        level: Level::Full,
        title: "`go` without a limit waits for `stop`",
        section: "`go`, `stop` and `bestmove`",
        mend: "treat `go` alone as `go infinite`",
        run: |subject| Box::pin(endless(subject, "")),
    },
    Check {
        level: Level::Full,
        title: "`stop` is obeyed at once",
        section: "`go`, `stop` and `bestmove`",
        mend: "read input while searching, and look every few milliseconds whether to stop",
        run: |subject| Box::pin(latency(subject)),
    },
    Check {
        level: Level::Full,
        title: "`stop` may come as soon as the search begins",
        section: "`go`, `stop` and `bestmove`",
        mend: "have a move at hand before the search begins; do not lose a `stop` that comes first",
        run: |subject| Box::pin(at_once(subject)),
    },
    Check {
        level: Level::Full,
        title: "`stop` is a barrier: its bestmove comes before the next `readyok`",
        section: "`go`, `stop` and `bestmove`",
        mend: "after `stop`, answer `isready` only when the bestmove has been printed",
        run: |subject| Box::pin(barrier(subject)),
    },
    Check {
        level: Level::Full,
        title: "`isready` is answered during a search, which goes on",
        section: "Handshake and options",
        mend: "answer `isready` at once while searching, and do not end the search",
        run: |subject| Box::pin(ready_meanwhile(subject)),
    },
    Check {
        level: Level::Full,
        title: "`stop` ends a search with a limit, too",
        section: "`go`, `stop` and `bestmove`",
        mend: "end any search at `stop`, whatever its limits",
        run: |subject| Box::pin(limited(subject)),
    },
    Check {
        level: Level::Full,
        title: "commands that come during a search wait for its end",
        section: "`go`, `stop` and `bestmove`",
        mend: "keep what comes during a search, `isready` and `stop` aside, and do it afterwards",
        run: |subject| Box::pin(queue(subject)),
    },
    Check {
        level: Level::Full,
        title: "many searches are stopped one after another",
        section: "`go`, `stop` and `bestmove`",
        mend: "let no `stop` reach a later search, and leave nothing of a stopped one behind",
        run: |subject| Box::pin(many(subject)),
    },
    Check {
        level: Level::Basic,
        title: "position, `isready` and `go` in one write are answered in order",
        section: "`go`, `stop` and `bestmove`",
        mend: ORDER,
        run: |subject| Box::pin(one_write(subject, "ugi", "uginewgame", "nodes 100")),
    },
    Check {
        level: Level::Full,
        title: "the same in UCI's words",
        section: "Words of UCI",
        mend: ORDER,
        run: |subject| Box::pin(one_write(subject, "uci", "ucinewgame", "wtime 2000 btime 2000")),
    },
];

/// The usual cause of an answer that comes too early, or not at all, when lines come together.
const ORDER: &str = "read line by line and answer `isready` before the `go` after it; an engine that \
                     waits with select or poll on a buffered stream misses lines it has read already: \
                     take all lines out of the buffer before you wait";

/// The lines of a move as the arena writes them: all at once.
async fn one_write(subject: &mut Subject, greeting: &str, new_game: &str, limit: &str) -> Outcome {
    let case = start();
    let other = greeting != "ugi";
    let talk = if other { subject.fresh().await? } else { subject.talk().await? };
    if other {
        talk.say(greeting).await?;
        // Whether it should know the greeting is another check's question.
        if !talk.ready().await?.contains(&format!("{greeting}ok")) {
            subject.retire().await;
            return Err(CheckFailure::Skipped(format!("it does not answer `{greeting}`")));
        }
    }
    talk.say(new_game).await?;
    talk.ready().await?;
    let begin = Instant::now();
    let lines = [&*case.line, "isready", &format!("go {}", told(limit, &case)), ""].join("\n");
    talk.say_bytes(lines.as_bytes()).await?;
    let before = talk.readyok().await?;
    if let Some(early) = before.iter().find(|line| line.starts_with("bestmove")) {
        let got = format!("`{early}` before it");
        return Err(CheckFailure::wrong("`readyok`, then `bestmove`", got));
    }
    legal(&talk.answer(begin).await?, &case)?;
    talk.quiet().await?;
    if other {
        // The next check expects a process that was greeted the usual way.
        subject.retire().await;
    }
    passed()
}

async fn idle(subject: &mut Subject) -> Outcome {
    let case = start();
    let talk = subject.game().await?;
    talk.say("stop").await?;
    talk.quiet().await?;
    legal(&talk.ask(&case.line, &told(BRIEF, &case)).await?, &case)?;
    talk.say("stop").await?;
    talk.quiet().await?;
    passed()
}

/// Begins a search of the usual start.
async fn begin(talk: &mut Conversation, limit: &str) -> Result<(), CheckFailure> {
    talk.begin();
    talk.say(&start().line).await?;
    talk.say(format!("go {limit}").trim_end()).await
}

/// Stops the search; gives how long it took to answer.
async fn stop(talk: &mut Conversation) -> Result<Duration, CheckFailure> {
    let stopped = Instant::now();
    talk.say("stop").await?;
    let answer = talk.answer(stopped).await?;
    legal(&answer, &start())?;
    Ok(answer.time)
}

/// Makes sure that the search goes on for a while.
async fn goes_on(talk: &mut Conversation, time: u64) -> Result<(), CheckFailure> {
    let lines = talk.overhear(Duration::from_millis(time)).await?;
    match lines.iter().find(|line| line.starts_with("bestmove")) {
        None => Ok(()),
        Some(line) => Err(CheckFailure::wrong("no bestmove before `stop`", format!("`{line}`"))),
    }
}

async fn endless(subject: &mut Subject, limit: &str) -> Outcome {
    subject.needs_rules().await?;
    let talk = subject.game().await?;
    begin(talk, limit).await?;
    goes_on(talk, 200).await?;
    stop(talk).await?;
    talk.quiet().await?;
    passed()
}

async fn latency(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let margin = subject.settings.margin;
    let talk = subject.game().await?;
    let mut most = Duration::ZERO;
    for time in [50, 100, 200] {
        begin(talk, "infinite").await?;
        goes_on(talk, time).await?;
        let taken = stop(talk).await?;
        if taken > margin {
            return Err(CheckFailure::wrong(
                format!("a bestmove within {margin:?} of `stop`"),
                format!("one after {} ms", taken.as_millis()),
            ));
        }
        most = most.max(taken);
    }
    Ok(format!("{} ms at most", most.as_millis()))
}

async fn at_once(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let case = start();
    let talk = subject.game().await?;
    for _ in 0..3 {
        talk.begin();
        let begin = Instant::now();
        talk.say_bytes(format!("{}\ngo infinite\nstop\n", case.line).as_bytes()).await?;
        legal(&talk.answer(begin).await?, &case)?;
        talk.quiet().await?;
    }
    passed()
}

async fn barrier(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let talk = subject.game().await?;
    for time in [0, 1, 5, 20, 60] {
        begin(talk, "infinite").await?;
        goes_on(talk, time).await?;
        talk.say_bytes(b"stop\nisready\n").await?;
        let lines = talk.readyok().await?;
        let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
        if answers != 1 {
            return Err(CheckFailure::wrong(
                "one `bestmove`, and `readyok` after it",
                format!("`readyok` after {answers} of them"),
            ));
        }
    }
    passed()
}

async fn ready_meanwhile(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let margin = subject.settings.margin;
    let talk = subject.game().await?;
    begin(talk, "infinite").await?;
    for _ in 0..3 {
        let asked = Instant::now();
        let lines = talk.ready().await?;
        let taken = asked.elapsed();
        if lines.iter().any(|line| line.starts_with("bestmove")) {
            return Err(CheckFailure::wrong("the search goes on", "it has ended"));
        }
        if taken > margin {
            return Err(CheckFailure::wrong(
                format!("`readyok` within {margin:?}"),
                format!("it came after {} ms", taken.as_millis()),
            ));
        }
        goes_on(talk, 30).await?;
    }
    stop(talk).await?;
    passed()
}

async fn limited(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let talk = subject.game().await?;
    begin(talk, "movetime 60000").await?;
    let lines = talk.overhear(Duration::from_millis(50)).await?;
    let stopped = Instant::now();
    talk.say("stop").await?;
    // Whoever has no search is done already.
    if !lines.iter().any(|line| line.starts_with("bestmove")) {
        legal(&talk.answer(stopped).await?, &start())?;
    }
    talk.quiet().await?;
    passed()
}

async fn queue(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let seed = subject.settings.seed;
    let cases = cases(Family::Boards, &Default::default(), 3, seed);
    let talk = subject.game().await?;
    let begin = Instant::now();
    let mut lines = String::new();
    for case in &cases {
        lines += &format!("{}\ngo movetime 50\n", case.line);
    }
    talk.say_bytes(lines.as_bytes()).await?;
    for case in &cases {
        legal(&talk.answer(begin).await?, case)?;
    }
    talk.quiet().await?;
    passed()
}

async fn many(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let talk = subject.game().await?;
    for round in 0..20 {
        begin(talk, "infinite").await?;
        goes_on(talk, round % 4).await?;
        stop(talk).await?;
        // A search that follows is not stopped by what stopped the one before.
        begin(talk, "infinite").await?;
        goes_on(talk, 2).await?;
        stop(talk).await?;
    }
    talk.quiet().await?;
    passed()
}
