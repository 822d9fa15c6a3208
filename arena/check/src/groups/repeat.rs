//! Checks that the engine is deterministic.

use fanorona_protocol::rules::Ruleset;

use super::{
    Case, Check, CheckFailure, Conversation, Family, Level, Outcome, Subject, cases, passed,
};

pub(crate) const CHECKS: &[Check] = &[
    Check {
        level: Level::Full,
        title: "repeats its moves after `uginewgame` with the same `Seed` and nodes",
        section: "The same output twice",
        fix_hint: "at `uginewgame`, discard everything learned and restart random numbers from \
                   `Seed`",
        run: |subject| Box::pin(again(subject, "nodes 200", false)),
    },
    Check {
        level: Level::Full,
        title: "repeats its moves in another process with the same `Seed` and nodes",
        section: "The same output twice",
        fix_hint: "derive random numbers only from `Seed`, not from a clock, an address or the \
                   order of a hash map",
        run: |subject| Box::pin(again(subject, "nodes 200", true)),
    },
    Check {
        level: Level::Full,
        title: "repeats its moves after `uginewgame` with the same `Seed` and depth",
        section: "The same output twice",
        fix_hint: "do not use a clock with `depth`; at `uginewgame`, discard everything learned",
        run: |subject| Box::pin(again(subject, "depth 2", false)),
    },
    Check {
        level: Level::Full,
        title: "plays independently of earlier games",
        section: "The same output twice",
        fix_hint: "at `uginewgame`, clear tables, trees and statistics of earlier moves",
        run: |subject| Box::pin(independent_games(subject)),
    },
];

/// Plays some positions as one game and returns the responses.
async fn game(
    engine: &mut Conversation,
    seed: u64,
    cases: &[Case],
    limit: &str,
) -> Result<Vec<String>, CheckFailure> {
    engine.begin();
    engine.send(&format!("setoption name Seed value {seed}")).await?;
    engine.send("uginewgame").await?;
    engine.ready().await?;
    let mut answers = Vec::new();
    for case in cases {
        answers.push(engine.ask(&case.line, limit).await?.line);
    }
    Ok(answers)
}

fn questions(subject: &Subject, more: u64) -> Vec<Case> {
    let mut questions =
        cases(Family::Riatra, &Ruleset::default(), 10, subject.settings.seed + more);
    questions.retain(|case| case.moves.len() > 1);
    questions
}

fn same(first: &[String], second: &[String], cases: &[Case]) -> Outcome {
    match first.iter().zip(second).zip(cases).find(|((first, second), _)| first != second) {
        None => passed(),
        Some(((first, second), case)) => Err(CheckFailure::wrong(
            format!("`{first}`, as in the first run"),
            format!("`{second}` (`{}`)", case.line),
        )),
    }
}

async fn again(subject: &mut Subject, limit: &str, afresh: bool) -> Outcome {
    subject.require_option("Seed").await?;
    let cases = questions(subject, 0);
    let first = game(subject.engine().await?, 7, &cases, limit).await?;
    if afresh {
        subject.retire().await;
    }
    let second = game(subject.engine().await?, 7, &cases, limit).await?;
    same(&first, &second, &cases)
}

async fn independent_games(subject: &mut Subject) -> Outcome {
    subject.require_option("Seed").await?;
    let (cases, others) = (questions(subject, 0), questions(subject, 1));
    subject.retire().await;
    let first = game(subject.engine().await?, 7, &cases, "nodes 1000").await?;
    game(subject.engine().await?, 8, &others, "nodes 2000").await?;
    let second = game(subject.engine().await?, 7, &cases, "nodes 1000").await?;
    same(&first, &second, &cases)
}
