//! Checks of queries and perft.

use fanorona_protocol::messages::{Reply, ValueResponse};
use fanorona_protocol::rules::{BoardSize, Position, Ruleset, Side, Start, perft};

use super::endings::last;
use super::{Check, CheckFailure, Family, Level, Outcome, Subject, cases, expect, passed, start};
use crate::positions::{BARE, DRAWN};

pub(crate) const CHECKS: &[Check] = &[
    Check {
        level: Level::Full,
        title: "answers `query p1turn` with true if White is to move",
        section: "Queries, perft, bench",
        fix_hint: "answer `response true` if White is to move, otherwise `response false`",
        run: |subject| Box::pin(p1turn(subject)),
    },
    Check {
        level: Level::Full,
        title: "reports a running game as not over and without a result",
        section: "Queries, perft, bench",
        fix_hint: "while the game is running, answer `query gameover` with false and `query \
                   result` with none",
        run: |subject| Box::pin(running_game(subject)),
    },
    Check {
        level: Level::Full,
        title: "answers `query moves` with an empty `response` if there are none",
        section: "Queries, perft, bench",
        fix_hint: "answer `response` without moves if there is no legal move",
        run: |subject| Box::pin(no_moves(subject)),
    },
    Check {
        level: Level::Full,
        title: "answers `query value` with a value or unknown",
        section: "Queries, perft, bench",
        fix_hint: "answer `response win n`, `loss n`, `draw` or `unknown`",
        run: |subject| Box::pin(value(subject)),
    },
    Check {
        level: Level::Full,
        title: "answers an unknown query with none",
        section: "Bad input",
        fix_hint: "answer every unknown query with `response none`",
        run: |subject| Box::pin(unknown(subject)),
    },
    Check {
        level: Level::Full,
        title: "answers perft of depth 0 with 1",
        section: "Queries, perft, bench",
        fix_hint: "answer `go perft 0` with `nodes 1`",
        run: |subject| Box::pin(no_plies(subject)),
    },
    Check {
        level: Level::Full,
        title: "counts perft correctly in riatra, in a vela and on another board",
        section: "Queries, perft, bench",
        fix_hint: "moves with different texts are different; repetition and limits are ignored",
        run: |subject| Box::pin(counts(subject)),
    },
    Check {
        level: Level::Full,
        title: "ends a deep perft at `stop`, or soon by itself",
        section: "Queries, perft, bench",
        fix_hint: "look for `stop` while counting, and print `nodes` also in that case",
        run: |subject| Box::pin(stopped(subject)),
    },
    Check {
        level: Level::Full,
        title: "lists the legal moves of a game that is over",
        section: "Queries, perft, bench",
        fix_hint: "answer `query moves` with the legal moves of the position, whatever has ended the game",
        run: |subject| Box::pin(moves_after_the_end(subject)),
    },
    Check {
        level: Level::Full,
        title: "answers perft without a number with 0",
        section: "Bad input",
        fix_hint: "answer `nodes 0` if the word after `perft` is not a whole number, or not the last",
        run: |subject| Box::pin(no_number(subject)),
    },
];

async fn p1turn(subject: &mut Subject) -> Outcome {
    subject.require_queries().await?;
    let seed = subject.settings.seed;
    let engine = subject.game().await?;
    for case in cases(Family::Riatra, &Ruleset::default(), 6, seed) {
        engine.begin();
        engine.send(&case.line).await?;
        let expected = (case.position().side_to_move() == Side::White).to_string();
        let response = engine.query("p1turn").await?;
        expect(
            response == expected,
            format!("`response {expected}`"),
            format!("`response {response}`"),
        )?;
    }
    passed()
}

async fn running_game(subject: &mut Subject) -> Outcome {
    subject.require_queries().await?;
    let (positions, seed) = (subject.settings.positions, subject.settings.seed);
    let engine = subject.game().await?;
    for family in [Family::Riatra, Family::PhaseOne, Family::PhaseTwo, Family::Boards] {
        for case in cases(family, &Ruleset::default(), positions.div_ceil(4), seed) {
            engine.begin();
            engine.send(&case.line).await?;
            for (query, expected) in [("gameover", "false"), ("result", "none")] {
                let response = engine.query(query).await?;
                expect(
                    response == expected,
                    format!("`response {expected}`"),
                    format!("`response {response}`"),
                )?;
            }
        }
    }
    passed()
}

async fn no_moves(subject: &mut Subject) -> Outcome {
    subject.require_queries().await?;
    let engine = subject.game().await?;
    for line in ["position fen 9/9/4W4/9/9 b - 0 30", "position fen WWW/WWW/WWb b - 4 9"] {
        engine.begin();
        engine.send(line).await?;
        let response = engine.query("moves").await?;
        expect(response.is_empty(), "`response`", format!("`response {response}`"))?;
    }
    passed()
}

async fn moves_after_the_end(subject: &mut Subject) -> Outcome {
    subject.require_queries().await?;
    let engine = subject.game().await?;
    for finished in DRAWN.iter().chain([&BARE]).filter(|finished| finished.rules.is_empty()) {
        engine.begin();
        engine.send(finished.line).await?;
        let response = engine.query("moves").await?;
        let mut found: Vec<&str> = response.split_ascii_whitespace().collect();
        found.sort_unstable();
        let expected = last(finished).words();
        if found != expected {
            let (moves, reason) = (expected.join(" "), finished.reason);
            return Err(CheckFailure::wrong(
                format!("`response {moves}`, although the game is over by {reason}"),
                format!("`response {response}`"),
            ));
        }
    }
    passed()
}

async fn no_number(subject: &mut Subject) -> Outcome {
    subject.require_perft().await?;
    let engine = subject.game().await?;
    engine.send(&start().line).await?;
    for words in ["x", "", "-1", "1 2"] {
        engine.begin();
        engine.send(format!("go perft {words}").trim_end()).await?;
        let accept = |line: &str| match line.parse() {
            Ok(Reply::PerftTotal(total)) => Some(total),
            _ => None,
        };
        let total = engine.until(engine.settings.timeout, "nodes", accept).await?;
        expect(total == 0, "`nodes 0`", format!("`nodes {total}`"))?;
    }
    engine.no_more_bestmoves().await?;
    passed()
}

async fn value(subject: &mut Subject) -> Outcome {
    subject.require_queries().await?;
    let engine = subject.game().await?;
    let mut known = 0;
    for line in
        ["position startpos", "position fen 3/1bW/3 w - 0 9", "position fen 3/1W1/3 b - 0 9"]
    {
        engine.begin();
        engine.send(line).await?;
        let response = engine.query("value").await?;
        match response.parse() {
            Ok(ValueResponse(None)) => {}
            Ok(ValueResponse(Some(_))) => known += 1,
            Err(_) => {
                return Err(CheckFailure::wrong(
                    "`response win n`, `loss n`, `draw` or `unknown`",
                    format!("`response {response}`"),
                ));
            }
        }
    }
    Ok(format!("{known} of 3 known"))
}

async fn unknown(subject: &mut Subject) -> Outcome {
    subject.require_queries().await?;
    let engine = subject.game().await?;
    for word in ["weather", "fen please", ""] {
        engine.begin();
        let response = engine.query(word).await?;
        expect(response == "none", "`response none`", format!("`response {response}`"))?;
    }
    passed()
}

async fn no_plies(subject: &mut Subject) -> Outcome {
    subject.require_perft().await?;
    let engine = subject.game().await?;
    match engine.perft(0).await?.1 {
        1 => passed(),
        total => Err(CheckFailure::wrong("`nodes 1`", format!("`nodes {total}`"))),
    }
}

async fn counts(subject: &mut Subject) -> Outcome {
    subject.require_perft().await?;
    let rules = Ruleset::default();
    let starts = [
        (Start::TSIVY.riatra(), 3),
        (Start::TSIVY.vela(rules.vela_starter), 3),
        (Start::Usual(BoardSize::DIMY).riatra(), 3),
        ("3/1b1/W1W w - 0 1".parse::<Position>().expect("this is a position"), 3),
    ];
    for (start, most) in starts {
        for depth in 1..=most {
            let engine = subject.game().await?;
            engine.begin();
            engine.send(&format!("position fen {start}")).await?;
            let (counts, total) = engine.perft(depth).await?;
            let expected = perft(&start, &rules, depth);
            expect(total == expected, format!("`nodes {expected}`"), format!("`nodes {total}`"))?;
            let sum: u64 = counts.iter().map(|(_, count)| count).sum();
            let moves = perft(&start, &rules, 1);
            if sum != total || counts.len() as u64 != moves {
                return Err(CheckFailure::wrong(
                    format!("{moves} lines `<move>: <count>` that add up to the total"),
                    format!("{} that add up to {sum}", counts.len()),
                ));
            }
        }
    }
    passed()
}

async fn stopped(subject: &mut Subject) -> Outcome {
    subject.require_perft().await?;
    let engine = subject.game().await?;
    engine.send("position startpos").await?;
    engine.send("go perft 4").await?;
    engine.send("stop").await?;
    let accept = |line: &str| line.starts_with("nodes ").then_some(());
    engine.until(engine.settings.timeout, "nodes", accept).await?;
    engine.no_more_bestmoves().await?;
    passed()
}
