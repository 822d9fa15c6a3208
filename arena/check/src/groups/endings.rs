//! Checks of finished games.

use fanorona_protocol::messages::{BestMove, Command, StartText};
use fanorona_protocol::rules::Game;

use super::{BRIEF, Check, CheckFailure, Level, Outcome, Subject, expect, legal, passed};
use crate::positions::{Case, DRAWN, Finished, OVER, SWITCHED, case_from};

pub(crate) const CHECKS: &[Check] = &[
    Check {
        level: Level::Full,
        title: "answers `bestmove 0000` in a game without stones or moves",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "print `bestmove 0000` if a side has no stones, the debtor is starved, or there \
                   is no legal move",
        run: |subject| Box::pin(over(subject)),
    },
    Check {
        level: Level::Full,
        title: "answers `go infinite` without a legal move, at once or at `stop`",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "print one bestmove for every go, even if there is nothing to search",
        run: |subject| Box::pin(over_and_infinite(subject)),
    },
    Check {
        level: Level::Full,
        title: "plays a move in a game that ended by repetition or a limit",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "print 0000 only if there is no legal move; the manager decides whether a game \
                   ends",
        run: |subject| Box::pin(drawn(subject)),
    },
    Check {
        level: Level::Full,
        title: "reports the results of finished games",
        section: "Ends of games",
        fix_hint: "see the table in Ends of games; the first line that applies ends the game",
        run: |subject| Box::pin(results(subject)),
    },
    Check {
        level: Level::Full,
        title: "reports results according to the rule switches",
        section: "Rule switches",
        fix_hint: "support vela-starved, blocked-is-draw, repetition, quiet and max-plies, or do \
                   not declare `Rules`",
        run: |subject| Box::pin(switched(subject)),
    },
];

async fn over(subject: &mut Subject) -> Outcome {
    let engine = subject.game().await?;
    for Finished { reason, line, .. } in OVER {
        engine.begin();
        let answer = engine.ask(line, BRIEF).await?;
        expect(
            answer.best == BestMove::None,
            format!("`bestmove 0000`, because the game is over by {reason}"),
            format!("`{}`", answer.line),
        )?;
    }
    Ok(format!("{} games", OVER.len()))
}

async fn over_and_infinite(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let engine = subject.game().await?;
    let begin = tokio::time::Instant::now();
    engine.send(OVER[0].line).await?;
    engine.send("go infinite").await?;
    engine.send("stop").await?;
    let answer = engine.answer(begin).await?;
    engine.no_more_bestmoves().await?;
    match answer.best {
        BestMove::None => passed(),
        _ => Err(CheckFailure::wrong("`bestmove 0000`", format!("`{}`", answer.line))),
    }
}

/// The final position of a finished game that still has legal moves.
pub(super) fn last(finished: &Finished) -> Case {
    let rules = finished.rules.parse().expect("the rules of the checks are valid");
    let Ok(Command::Position { start: StartText::Fen(fen), moves }) = finished.line.parse() else {
        unreachable!("finished games are given by FEN");
    };
    let mut game = Game::new(rules, fen.parse().expect("the FEN is a position"));
    for mv in moves {
        let mv = mv.parse().expect("the moves are well-formed");
        game.play(&mv).expect("the moves are legal");
    }
    case_from(game)
}

async fn drawn(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let mut asked = 0;
    for finished in &DRAWN {
        if !finished.rules.is_empty() {
            match subject.set_rules(finished.rules).await {
                Ok(()) => {}
                Err(CheckFailure::Skipped(_)) => continue,
                Err(failure) => return Err(failure),
            }
        }
        let engine = subject.game().await?;
        engine.begin();
        legal(&engine.ask(finished.line, BRIEF).await?, &last(finished))?;
        asked += 1;
    }
    subject.retire().await;
    Ok(format!("{asked} games"))
}

/// Checks the responses to `query gameover` and `query result`.
async fn result(subject: &mut Subject, finished: &Finished) -> Result<(), CheckFailure> {
    let engine = subject.game().await?;
    engine.begin();
    engine.send(finished.line).await?;
    for (query, expected) in [("gameover", "true"), ("result", finished.result)] {
        let response = engine.query(query).await?;
        if response != expected {
            let by = match finished.rules {
                "" => String::new(),
                rules => format!(" with {rules}"),
            };
            return Err(CheckFailure::wrong(
                format!(
                    "`response {expected}`, because the game is over by {}{by}",
                    finished.reason
                ),
                format!("`response {response}`"),
            ));
        }
    }
    Ok(())
}

async fn results(subject: &mut Subject) -> Outcome {
    subject.require_queries().await?;
    for finished in OVER.iter().chain(DRAWN.iter().filter(|drawn| drawn.rules.is_empty())) {
        result(subject, finished).await?;
    }
    passed()
}

async fn switched(subject: &mut Subject) -> Outcome {
    subject.require_queries().await?;
    for finished in &SWITCHED {
        subject.set_rules(finished.rules).await?;
        result(subject, finished).await?;
    }
    subject.retire().await;
    Ok(format!("{} games", SWITCHED.len()))
}
