//! Questions about the present position, and perft.

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{BoardSize, Position, Ruleset, Side, Start, perft};

use super::{Check, CheckFailure, Family, Level, Outcome, Subject, cases, passed};

pub(in crate::check) const CHECKS: &[Check] = &[
    Check {
        level: Level::Full,
        title: "`query p1turn` is true when White is to move",
        section: "Queries, perft, bench",
        mend: "answer `response true` when White is to move, else `response false`",
        run: |subject| Box::pin(p1turn(subject)),
    },
    Check {
        level: Level::Full,
        title: "a game that goes on is not over and has no result",
        section: "Queries, perft, bench",
        mend: "answer `query gameover` by false and `query result` by none while the game goes on",
        run: |subject| Box::pin(goes_on(subject)),
    },
    Check {
        level: Level::Full,
        title: "`query moves` in a finished game is answered by `response` alone",
        section: "Queries, perft, bench",
        mend: "answer `response` without a move where there is none",
        run: |subject| Box::pin(no_moves(subject)),
    },
    Check {
        level: Level::Full,
        title: "`query value` is a value, or unknown",
        section: "Queries, perft, bench",
        mend: "answer `response win n`, `loss n`, `draw` or `unknown`",
        run: |subject| Box::pin(value(subject)),
    },
    Check {
        level: Level::Full,
        title: "an unknown query is answered by none",
        section: "Bad input",
        mend: "answer `response none` to every query you do not know",
        run: |subject| Box::pin(unknown(subject)),
    },
    Check {
        level: Level::Full,
        title: "perft of no plies is 1",
        section: "Queries, perft, bench",
        mend: "answer `go perft 0` by `nodes 1`",
        run: |subject| Box::pin(no_plies(subject)),
    },
    Check {
        level: Level::Full,
        title: "perft counts right, in riatra, in a vela and on another board",
        section: "Queries, perft, bench",
        mend: "moves are distinct by their text; repetition and limits play no part",
        run: |subject| Box::pin(counts(subject)),
    },
    Check {
        level: Level::Full,
        title: "`stop` ends a deep perft, or the perft ends soon",
        section: "Queries, perft, bench",
        mend: "look for `stop` while counting, and print `nodes` all the same",
        run: |subject| Box::pin(stopped(subject)),
    },
];

async fn p1turn(subject: &mut Subject) -> Outcome {
    subject.needs_queries().await?;
    let seed = subject.settings.seed;
    let talk = subject.game().await?;
    for case in cases(Family::Riatra, &Ruleset::default(), 6, seed) {
        talk.begin();
        talk.say(&case.line).await?;
        let expected = (case.position().side_to_move() == Side::White).to_string();
        let response = talk.query("p1turn").await?;
        if response != expected {
            return Err(CheckFailure::wrong(
                format!("`response {expected}`"),
                format!("`response {response}`"),
            ));
        }
    }
    passed()
}

async fn goes_on(subject: &mut Subject) -> Outcome {
    subject.needs_queries().await?;
    let (positions, seed) = (subject.settings.positions, subject.settings.seed);
    let talk = subject.game().await?;
    for family in [Family::Riatra, Family::PhaseOne, Family::PhaseTwo, Family::Boards] {
        for case in cases(family, &Ruleset::default(), positions.div_ceil(4), seed) {
            talk.begin();
            talk.say(&case.line).await?;
            for (query, expected) in [("gameover", "false"), ("result", "none")] {
                let response = talk.query(query).await?;
                if response != expected {
                    return Err(CheckFailure::wrong(
                        format!("`response {expected}`"),
                        format!("`response {response}`"),
                    ));
                }
            }
        }
    }
    passed()
}

async fn no_moves(subject: &mut Subject) -> Outcome {
    subject.needs_queries().await?;
    let talk = subject.game().await?;
    for line in ["position fen 9/9/4W4/9/9 b - 0 30", "position fen WWW/WWW/WWb b - 4 9"] {
        talk.begin();
        talk.say(line).await?;
        let response = talk.query("moves").await?;
        if !response.is_empty() {
            return Err(CheckFailure::wrong("`response`", format!("`response {response}`")));
        }
    }
    passed()
}

async fn value(subject: &mut Subject) -> Outcome {
    subject.needs_queries().await?;
    let talk = subject.game().await?;
    let mut known = 0;
    for line in
        ["position startpos", "position fen 3/1bW/3 w - 0 9", "position fen 3/1W1/3 b - 0 9"]
    {
        talk.begin();
        talk.say(line).await?;
        let response = talk.query("value").await?;
        match response.parse() {
            Ok(Value::Unknown) => {}
            Ok(_) => known += 1,
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
    subject.needs_queries().await?;
    let talk = subject.game().await?;
    for word in ["weather", "fen please", ""] {
        talk.begin();
        let response = talk.query(word).await?;
        if response != "none" {
            return Err(CheckFailure::wrong("`response none`", format!("`response {response}`")));
        }
    }
    passed()
}

async fn no_plies(subject: &mut Subject) -> Outcome {
    subject.needs_perft().await?;
    let talk = subject.game().await?;
    match talk.perft(0).await?.1 {
        1 => passed(),
        total => Err(CheckFailure::wrong("`nodes 1`", format!("`nodes {total}`"))),
    }
}

async fn counts(subject: &mut Subject) -> Outcome {
    subject.needs_perft().await?;
    let rules = Ruleset::default();
    let starts = [
        (Start::TSIVY.riatra(), 3),
        (Start::TSIVY.vela(rules.vela_starter), 3),
        (Start::Usual(BoardSize::DIMY).riatra(), 3),
        ("3/1b1/W1W w - 0 1".parse::<Position>().expect("this is a position"), 3),
    ];
    for (start, most) in starts {
        for depth in 1..=most {
            let talk = subject.game().await?;
            talk.begin();
            talk.say(&format!("position fen {start}")).await?;
            let (counts, total) = talk.perft(depth).await?;
            let expected = perft(&start, &rules, depth);
            if total != expected {
                return Err(CheckFailure::wrong(
                    format!("`nodes {expected}`"),
                    format!("`nodes {total}`"),
                ));
            }
            let sum: u64 = counts.iter().map(|(_, count)| count).sum();
            let moves = start.count_moves(&rules);
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
    subject.needs_perft().await?;
    let talk = subject.game().await?;
    talk.say("position startpos").await?;
    talk.say("go perft 4").await?;
    talk.say("stop").await?;
    let hear = |line: &str| line.starts_with("nodes ").then_some(());
    talk.until(talk.settings.timeout, "nodes", hear).await?;
    talk.quiet().await?;
    passed()
}
