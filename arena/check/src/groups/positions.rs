//! Checks of `position` with valid and invalid positions.

use super::{
    BRIEF, Check, CheckFailure, Family, Level, Outcome, Subject, cases, expect, legal, passed,
    start, with_moves,
};
use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{Game, Position, Ruleset};

use crate::positions::case_from;

pub(crate) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "reads `position` and `go` from one write",
        section: "What the arena does",
        fix_hint: "read line by line until there are no more: one write can contain several lines",
        run: |subject| Box::pin(one_write(subject)),
    },
    Check {
        level: Level::Basic,
        title: "accepts more than one space between words",
        section: "Lines",
        fix_hint: "split a line at runs of spaces, like split() in Python",
        run: |subject| Box::pin(blanks(subject)),
    },
    Check {
        level: Level::Basic,
        title: "reads a game of several hundred moves",
        section: "Lines",
        fix_hint: "read lines of up to 64 KiB",
        run: |subject| Box::pin(long_game(subject)),
    },
    Check {
        level: Level::Full,
        title: "starts with startpos, and returns to it at `uginewgame`",
        section: "Handshake and options",
        fix_hint: "set startpos at the beginning and at `uginewgame`",
        run: |subject| Box::pin(usual_start(subject)),
    },
    Check {
        level: Level::Full,
        title: "reports the whole position with its counters",
        section: "Moves and positions as text",
        fix_hint: "print the five fields: rows from the top, side to move, debtor, quiet plies, \
                   move number",
        run: |subject| Box::pin(fen_round_trip(subject)),
    },
    Check {
        level: Level::Full,
        title: "reads a FEN without its last fields, in any case, with digits side by side",
        section: "Moves and positions as text",
        fix_hint: "accept a FEN without some or all of the last three fields (`- 0 1`), treat W and \
                   w, B and b the same, and add up digits that stand side by side",
        run: |subject| Box::pin(short_fen(subject)),
    },
    Check {
        level: Level::Full,
        title: "has no position after an invalid FEN",
        section: "`position`",
        fix_hint: "discard the old position before you read the new one; without a position, \
                   answer `go` with `bestmove 0000`",
        run: |subject| Box::pin(broken_fen(subject)),
    },
    Check {
        level: Level::Full,
        title: "has no position after an illegal move",
        section: "`position`",
        fix_hint: "check every move after `moves`; if one is not legal, there is no position, not \
                   even the one before that move",
        run: |subject| Box::pin(illegal_move(subject)),
    },
    Check {
        level: Level::Full,
        title: "names the wrong word of a position in an `info string`",
        section: "`position`",
        fix_hint: "print an `info string` that contains the word",
        run: |subject| Box::pin(wrong_word(subject)),
    },
    Check {
        level: Level::Full,
        title: "answers queries with none and perft with 0 without a position",
        section: "`position`",
        fix_hint: "without a position, answer every query with `response none` and perft with \
                   `nodes 0`",
        run: |subject| Box::pin(nothing(subject)),
    },
    Check {
        level: Level::Full,
        title: "accepts a position after an invalid one",
        section: "`position`",
        fix_hint: "make every `position` independent of the previous one",
        run: |subject| Box::pin(recovered(subject)),
    },
];

async fn one_write(subject: &mut Subject) -> Outcome {
    let case = start();
    let engine = subject.game().await?;
    let begin = tokio::time::Instant::now();
    let lines = format!("{}\nisready\ngo {}\n", case.line, with_moves(BRIEF, &case));
    engine.send_bytes(lines.as_bytes()).await?;
    engine.readyok().await?;
    legal(&engine.answer(begin).await?, &case)?;
    engine.no_more_bestmoves().await?;
    passed()
}

async fn blanks(subject: &mut Subject) -> Outcome {
    let case = start();
    let engine = subject.game().await?;
    let spread = |line: &str| format!("  {}  ", line.replace(' ', "   "));
    let begin = tokio::time::Instant::now();
    engine.send(&spread(&case.line)).await?;
    engine.send(&spread(&format!("go {}", with_moves(BRIEF, &case)))).await?;
    legal(&engine.answer(begin).await?, &case)?;
    passed()
}

async fn long_game(subject: &mut Subject) -> Outcome {
    // Two distant stones move back and forth; no rule ends this game.
    let rules = {
        let mut rules = Ruleset::default();
        rules.repetition = 0;
        rules.quiet = 0;
        rules
    };
    let start: Position = "b8/9/9/9/8W w - 0 1".parse().expect("this is a position");
    let mut game = Game::new(rules, start);
    for word in ["i1h1", "a5b5", "h1i1", "b5a5"].into_iter().cycle().take(600) {
        let mv = word.parse().expect("this is a move");
        game.play(&mv).expect("it is legal");
    }
    let case = case_from(game);
    let engine = subject.game().await?;
    legal(&engine.ask(&case.line, &with_moves(BRIEF, &case)).await?, &case)?;
    Ok(format!("{} moves", case.game.moves().len()))
}

async fn usual_start(subject: &mut Subject) -> Outcome {
    subject.require_queries().await?;
    subject.retire().await;
    let start = start().position().to_string();
    for before in ["", "uginewgame"] {
        let engine = subject.engine().await?;
        if !before.is_empty() {
            engine.send("position fen 3/1b1/2W w - 0 1").await?;
            engine.send(before).await?;
        }
        let fen = engine.query("fen").await?;
        expect(fen == start, format!("`response {start}`"), format!("`response {fen}`"))?;
    }
    passed()
}

async fn fen_round_trip(subject: &mut Subject) -> Outcome {
    subject.require_queries().await?;
    let settings = subject.settings;
    let rules = Ruleset::default();
    let engine = subject.game().await?;
    let families =
        [Family::Riatra, Family::PhaseOne, Family::PhaseTwo, Family::Boards, Family::VelaBoards];
    let mut count = 0;
    for family in families {
        for case in cases(family, &rules, settings.positions.div_ceil(2), settings.seed) {
            engine.begin();
            engine.send(&case.line).await?;
            let (fen, expected) = (engine.query("fen").await?, case.position().to_string());
            expect(fen == expected, format!("`response {expected}`"), format!("`response {fen}`"))?;
            count += 1;
        }
    }
    Ok(format!("{count} positions"))
}

async fn short_fen(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    for (fen, expected) in [
        ("bbb/b1W/WWW w", "bbb/b1W/WWW w - 0 1"),
        ("bbb/b1W/WWW b -", "bbb/b1W/WWW b - 0 1"),
        ("bbb/b1W/WWW w b 7", "bbb/b1W/WWW w b 7 1"),
        ("bbb/b1W/WWW w b", "bbb/b1W/WWW w b 0 1"),
        ("BbB/B1w/wWw b - 7 8", "bbb/b1W/WWW b - 7 8"),
        ("b11/12/11W w - 0 1", "b2/3/2W w - 0 1"),
    ] {
        let position: Position = expected.parse().expect("this is a position");
        let case = case_from(Game::new(Ruleset::default(), position));
        let engine = subject.engine().await?;
        engine.begin();
        let answer = engine.ask(&format!("position fen {fen}"), BRIEF).await?;
        legal(&answer, &case)?;
    }
    passed()
}

/// Sends an invalid position and checks that the engine then has none.
async fn leaves_none(subject: &mut Subject, line: &str) -> Result<(), CheckFailure> {
    let engine = subject.engine().await?;
    engine.begin();
    engine.send(&start().line).await?;
    let answer = engine.ask(line, BRIEF).await?;
    match answer.best {
        BestMove::None => Ok(()),
        _ => Err(CheckFailure::wrong(
            "`bestmove 0000`, because there is no position",
            format!("`{}`", answer.line),
        )),
    }
}

/// Texts that are not valid FENs.
const BROKEN: [&str; 15] = [
    "",
    "bbb/b1W/WWW",
    "bbb/b1W/WW w - 0 1",
    "bbbb/bb11/WWWW w - 0 1",
    "bbb/bxW/WWW w - 0 1",
    "bbb/b1W/WWW x - 0 1",
    "bbb/b1W/WWW w q 0 1",
    "bbb/b1W/WWW w - -1 1",
    "bbb/b1W/WWW w - 0 0",
    "bbb/b1W/WWW w 0 1",
    "bbb/b1W/WWW w - +1 1",
    "bbb/b01W/WWW w - 0 1",
    "bbb/b1W/WWW w - 0 1 more",
    "3/3/3 w - 0 1",
    "bbbbbbb/bbbbbbb/bbbbbbb/3W3/WWWWWWW/WWWWWWW/WWWWWWW w - 0 1",
];

async fn broken_fen(subject: &mut Subject) -> Outcome {
    for fen in BROKEN {
        leaves_none(subject, format!("position fen {fen}").trim_end()).await?;
    }
    leaves_none(subject, "position nowhere").await?;
    Ok(format!("{} texts", BROKEN.len() + 1))
}

/// Positions with an illegal last move.
const ILLEGAL: [&str; 8] = [
    // Not a move on the board, a paika although a capture is possible, a capture of nothing, a move
    // of the opponent's stone.
    "position startpos moves e2e4",
    "position startpos moves d3e3A f4e5",
    "position startpos moves e2e3A a1a2A",
    "position startpos moves e4e3A",
    // A capture without its mark, and two steps in the same direction.
    "position startpos moves e2e3",
    "position startpos moves e2e3Ae4A",
    // In phase one: a creditor that captures, a debtor with more than one step.
    "position fen bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1 moves e2e3A f4e5We4A",
    "position fen bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1 moves e2e3Ad4W",
];

async fn illegal_move(subject: &mut Subject) -> Outcome {
    for line in ILLEGAL {
        leaves_none(subject, line).await?;
    }
    passed()
}

async fn wrong_word(subject: &mut Subject) -> Outcome {
    for (line, word) in [
        ("position startpos moves e2e3A a5a4", "a5a4"),
        ("position fen bbb/b1W/WWW nobody - 0 1", "nobody"),
    ] {
        let engine = subject.engine().await?;
        engine.begin();
        engine.send(line).await?;
        let lines = engine.ready().await?;
        let with_moves = |line: &&String| line.starts_with("info string") && line.contains(word);
        if !lines.iter().any(|line| with_moves(&line)) {
            let got = lines.first().map_or("nothing".to_owned(), |line| format!("`{line}`"));
            return Err(CheckFailure::wrong(format!("`info string … {word} …`"), got));
        }
    }
    passed()
}

async fn nothing(subject: &mut Subject) -> Outcome {
    let queries = subject.require_queries().await;
    let perft = subject.require_perft().await;
    if let (Err(_), Err(failure)) = (&queries, &perft) {
        return Err(failure.clone());
    }
    let engine = subject.engine().await?;
    engine.send("position nowhere").await?;
    if queries.is_ok() {
        for word in ["gameover", "p1turn", "result", "fen", "moves", "value"] {
            let response = engine.query(word).await?;
            expect(
                response == "none",
                format!("`response none` to `query {word}`"),
                format!("`response {response}`"),
            )?;
        }
    }
    if perft.is_ok() {
        let (_, total) = engine.perft(1).await?;
        expect(total == 0, "`nodes 0`", format!("`nodes {total}`"))?;
    }
    passed()
}

async fn recovered(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let case = start();
    leaves_none(subject, "position startpos moves e2e4").await?;
    let engine = subject.engine().await?;
    legal(&engine.ask(&case.line, BRIEF).await?, &case)?;
    passed()
}

#[cfg(test)]
mod tests {
    use fanorona_protocol::messages::{Command, StartText};

    use super::*;

    #[test]
    fn invalid_positions_are_invalid() {
        for fen in BROKEN {
            assert!(fen.parse::<Position>().is_err(), "{fen}");
        }
        let rules = Ruleset::default();
        for line in ILLEGAL {
            let Ok(Command::Position { start: from, moves }) = line.parse() else {
                panic!("{line}")
            };
            let from = match from {
                StartText::Startpos => *start().position(),
                StartText::Fen(fen) => fen.parse().unwrap(),
            };
            let mut game = Game::new(rules, from);
            let (last, before) = moves.split_last().unwrap();
            for mv in before {
                game.play(&mv.parse().unwrap()).expect(line);
            }
            let last = last.parse();
            assert!(last.is_err() || game.play(&last.unwrap()).is_err(), "{line}");
        }
    }
}
