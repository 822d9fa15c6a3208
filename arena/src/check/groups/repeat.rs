//! The same question, the same answer.

use fanorona_protocol::rules::Ruleset;

use super::{
    Case, Check, CheckFailure, Conversation, Family, Level, Outcome, Subject, cases, passed,
};

pub(in crate::check) const CHECKS: &[Check] = &[
    Check {
        level: Level::Full,
        title: "the same moves after `uginewgame`, with the same `Seed` and nodes",
        section: "The same output twice",
        mend: "at `uginewgame` forget everything learned and restart random numbers from `Seed`",
        run: |subject| Box::pin(again(subject, "nodes 200", false)),
    },
    Check {
        level: Level::Full,
        title: "the same moves in another process, with the same `Seed` and nodes",
        section: "The same output twice",
        mend: "let nothing but `Seed` feed random numbers: no clock, no address, no order of a hash map",
        run: |subject| Box::pin(again(subject, "nodes 200", true)),
    },
    Check {
        level: Level::Full,
        title: "the same moves after `uginewgame`, with the same `Seed` and depth",
        section: "The same output twice",
        mend: "look at no clock under `depth`; at `uginewgame` forget everything learned",
        run: |subject| Box::pin(again(subject, "depth 2", false)),
    },
    Check {
        level: Level::Full,
        title: "nothing learned in one game changes the next",
        section: "The same output twice",
        mend: "at `uginewgame` clear tables, trees and statistics of earlier moves",
        run: |subject| Box::pin(unlearned(subject)),
    },
];

/// Plays through some positions as one game; gives the answers.
async fn game(
    talk: &mut Conversation,
    seed: u64,
    cases: &[Case],
    limit: &str,
) -> Result<Vec<String>, CheckFailure> {
    talk.begin();
    talk.say(&format!("setoption name Seed value {seed}")).await?;
    talk.say("uginewgame").await?;
    talk.ready().await?;
    let mut answers = Vec::new();
    for case in cases {
        answers.push(talk.ask(&case.line, limit).await?.line);
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
            format!("`{first}`, as the first time"),
            format!("`{second}` (`{}`)", case.line),
        )),
    }
}

async fn again(subject: &mut Subject, limit: &str, afresh: bool) -> Outcome {
    subject.needs_option("Seed").await?;
    let cases = questions(subject, 0);
    let first = game(subject.talk().await?, 7, &cases, limit).await?;
    if afresh {
        subject.retire().await;
    }
    let second = game(subject.talk().await?, 7, &cases, limit).await?;
    same(&first, &second, &cases)
}

async fn unlearned(subject: &mut Subject) -> Outcome {
    subject.needs_option("Seed").await?;
    let (cases, others) = (questions(subject, 0), questions(subject, 1));
    subject.retire().await;
    let first = game(subject.talk().await?, 7, &cases, "nodes 1000").await?;
    game(subject.talk().await?, 8, &others, "nodes 2000").await?;
    let second = game(subject.talk().await?, 7, &cases, "nodes 1000").await?;
    same(&first, &second, &cases)
}
