//! Games that are over.

use fanorona_protocol::messages::{BestMove, Command, StartText};
use fanorona_protocol::rules::History;

use super::{BRIEF, Check, CheckFailure, Level, Outcome, Subject, legal, passed};
use crate::check::positions::{Case, DRAWN, Finished, OVER, SWITCHED, case_of};

pub(in crate::check) const CHECKS: &[Check] = &[
    Check {
        level: Level::Full,
        title: "a game that is over by the stones is answered by `bestmove 0000`",
        section: "`go`, `stop` and `bestmove`",
        mend: "say `bestmove 0000` where a side has no stones, the debtor is starved, or there is no \
               move",
        run: |subject| Box::pin(over(subject)),
    },
    Check {
        level: Level::Full,
        title: "`go infinite` does not wait where there is not a move to be played, or is ended by `stop`",
        section: "`go`, `stop` and `bestmove`",
        mend: "one go, one bestmove, also where there is nothing to search",
        run: |subject| Box::pin(over_and_infinite(subject)),
    },
    Check {
        level: Level::Full,
        title: "a game that is over by repetition or a limit still gets a move",
        section: "`go`, `stop` and `bestmove`",
        mend: "answer 0000 only where there is not a move; whether to stop is the manager's decision",
        run: |subject| Box::pin(drawn(subject)),
    },
    Check {
        level: Level::Full,
        title: "results of finished games are known",
        section: "Ends of games",
        mend: "see the table in Ends of games; the first of its lines that holds ends the game",
        run: |subject| Box::pin(results(subject)),
    },
    Check {
        level: Level::Full,
        title: "results follow the rule switches",
        section: "Rule switches",
        mend: "heed vela-starved, blocked-is-draw, repetition, quiet and max-plies, or do not declare \
               `Rules`",
        run: |subject| Box::pin(switched(subject)),
    },
];

async fn over(subject: &mut Subject) -> Outcome {
    let talk = subject.game().await?;
    for Finished { reason, line, .. } in OVER {
        talk.begin();
        let answer = talk.ask(line, BRIEF).await?;
        if answer.best != BestMove::None {
            return Err(CheckFailure::wrong(
                format!("`bestmove 0000`, as the game is over by {reason}"),
                format!("`{}`", answer.line),
            ));
        }
    }
    Ok(format!("{} games", OVER.len()))
}

async fn over_and_infinite(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let talk = subject.game().await?;
    let begin = tokio::time::Instant::now();
    talk.say(OVER[0].line).await?;
    talk.say("go infinite").await?;
    talk.say("stop").await?;
    let answer = talk.answer(begin).await?;
    talk.quiet().await?;
    match answer.best {
        BestMove::None => passed(),
        _ => Err(CheckFailure::wrong("`bestmove 0000`", format!("`{}`", answer.line))),
    }
}

/// The position a finished game has come to, which has moves.
fn last(finished: &Finished) -> Case {
    let rules = finished.rules.parse().expect("the checks name rules");
    let Ok(Command::Position { start: StartText::Fen(fen), moves }) = finished.line.parse() else {
        unreachable!("finished games are told by their FEN");
    };
    let mut game = History::new(fen.parse().expect("the FEN is a position"));
    for mv in moves {
        let mv = mv.parse().expect("the moves are moves");
        game.play(&rules, &mv).expect("and legal");
    }
    case_of(game, &[], &rules)
}

async fn drawn(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let mut asked = 0;
    for finished in &DRAWN {
        if !finished.rules.is_empty() {
            match subject.by_rules(finished.rules).await {
                Ok(()) => {}
                Err(CheckFailure::Skipped(_)) => continue,
                Err(miss) => return Err(miss),
            }
        }
        let talk = subject.game().await?;
        talk.begin();
        legal(&talk.ask(finished.line, BRIEF).await?, &last(finished))?;
        asked += 1;
    }
    subject.retire().await;
    Ok(format!("{asked} games"))
}

/// Asks whether a game is over and who has won.
async fn result(subject: &mut Subject, finished: &Finished) -> Result<(), CheckFailure> {
    let talk = subject.game().await?;
    talk.begin();
    talk.say(finished.line).await?;
    for (query, expected) in [("gameover", "true"), ("result", finished.result)] {
        let response = talk.query(query).await?;
        if response != expected {
            let by = match finished.rules {
                "" => String::new(),
                rules => format!(" with {rules}"),
            };
            return Err(CheckFailure::wrong(
                format!("`response {expected}`, as the game is over by {}{by}", finished.reason),
                format!("`response {response}`"),
            ));
        }
    }
    Ok(())
}

async fn results(subject: &mut Subject) -> Outcome {
    subject.needs_queries().await?;
    for finished in OVER.iter().chain(DRAWN.iter().filter(|drawn| drawn.rules.is_empty())) {
        result(subject, finished).await?;
    }
    passed()
}

async fn switched(subject: &mut Subject) -> Outcome {
    subject.needs_queries().await?;
    for finished in &SWITCHED {
        subject.by_rules(finished.rules).await?;
        result(subject, finished).await?;
    }
    subject.retire().await;
    Ok(format!("{} games", SWITCHED.len()))
}
