//! What `position` tells, and what it must not.

use super::{
    BRIEF, Check, CheckFailure, Family, Level, Outcome, Subject, cases, legal, passed, start, told,
};
use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{History, Position, Ruleset};

use crate::check::positions::case_of;

pub(in crate::check) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "position and go come in one write",
        section: "What the arena does",
        mend: "read line by line until there is none; what comes at once may be several lines",
        run: |subject| Box::pin(one_write(subject)),
    },
    Check {
        level: Level::Basic,
        title: "more than one blank is as good as one",
        section: "Lines",
        mend: "split a line at runs of blanks, like split() in Python",
        run: |subject| Box::pin(blanks(subject)),
    },
    Check {
        level: Level::Basic,
        title: "a game of several hundred moves is read",
        section: "Lines",
        mend: "read lines of up to 64 KiB",
        run: |subject| Box::pin(long_game(subject)),
    },
    Check {
        level: Level::Full,
        title: "the position is the usual start when nothing has been said, and after `uginewgame`",
        section: "Handshake and options",
        mend: "begin with startpos, and come back to it at `uginewgame`",
        run: |subject| Box::pin(usual_start(subject)),
    },
    Check {
        level: Level::Full,
        title: "positions are what they are told to be, counters and all",
        section: "Moves and positions as text",
        mend: "write the five fields: rows from the top, side to move, debtor, quiet plies, move number",
        run: |subject| Box::pin(told_back(subject)),
    },
    Check {
        level: Level::Full,
        title: "a FEN is read without its last fields, and in any case",
        section: "Moves and positions as text",
        mend: "let the last three fields be missing (`- 0 1`), and read W, w, B and b alike",
        run: |subject| Box::pin(short_fen(subject)),
    },
    Check {
        level: Level::Full,
        title: "a broken FEN leaves no position",
        section: "`position`",
        mend: "forget the old position before the new one is read; without one, `go` is answered by \
               `bestmove 0000`",
        run: |subject| Box::pin(broken_fen(subject)),
    },
    Check {
        level: Level::Full,
        title: "an illegal move leaves no position",
        section: "`position`",
        mend: "check every move after `moves`; when one is not legal, there is no position, not the \
               one before it either",
        run: |subject| Box::pin(illegal_move(subject)),
    },
    Check {
        level: Level::Full,
        title: "an `info string` says which word of a position is wrong",
        section: "`position`",
        mend: "say `info string …` with the word in it",
        run: |subject| Box::pin(wrong_word(subject)),
    },
    Check {
        level: Level::Full,
        title: "without a position queries are answered by none, and perft by 0",
        section: "`position`",
        mend: "answer `response none` to every query and `nodes 0` to perft while there is no position",
        run: |subject| Box::pin(nothing(subject)),
    },
    Check {
        level: Level::Full,
        title: "the next position after a broken one counts again",
        section: "`position`",
        mend: "let every `position` begin afresh",
        run: |subject| Box::pin(recovered(subject)),
    },
];

async fn one_write(subject: &mut Subject) -> Outcome {
    let case = start();
    let talk = subject.game().await?;
    let begin = tokio::time::Instant::now();
    let lines = format!("{}\nisready\ngo {}\n", case.line, told(BRIEF, &case));
    talk.say_bytes(lines.as_bytes()).await?;
    talk.readyok().await?;
    legal(&talk.answer(begin).await?, &case)?;
    talk.quiet().await?;
    passed()
}

async fn blanks(subject: &mut Subject) -> Outcome {
    let case = start();
    let talk = subject.game().await?;
    let spread = |line: &str| format!("  {}  ", line.replace(' ', "   "));
    let begin = tokio::time::Instant::now();
    talk.say(&spread(&case.line)).await?;
    talk.say(&spread(&format!("go {}", told(BRIEF, &case)))).await?;
    legal(&talk.answer(begin).await?, &case)?;
    passed()
}

async fn long_game(subject: &mut Subject) -> Outcome {
    // Two stones that walk to and fro, far from each other; the rules here end no game.
    let rules = {
        let mut rules = Ruleset::default();
        rules.repetition = 0;
        rules.quiet = 0;
        rules
    };
    let start: Position = "b8/9/9/9/8W w - 0 1".parse().expect("this is a position");
    let mut game = History::new(start);
    let mut moves = Vec::new();
    for word in ["i1h1", "a5b5", "h1i1", "b5a5"].into_iter().cycle().take(600) {
        let mv = word.parse().expect("this is a move");
        game.play(&rules, &mv).expect("it is legal");
        moves.push(mv);
    }
    let case = case_of(game, &moves, &rules);
    let talk = subject.game().await?;
    legal(&talk.ask(&case.line, &told(BRIEF, &case)).await?, &case)?;
    Ok(format!("{} moves", moves.len()))
}

async fn usual_start(subject: &mut Subject) -> Outcome {
    subject.needs_queries().await?;
    subject.retire().await;
    let start = start().position().to_string();
    for before in ["", "uginewgame"] {
        let talk = subject.talk().await?;
        if !before.is_empty() {
            talk.say("position fen 3/1b1/2W w - 0 1").await?;
            talk.say(before).await?;
        }
        let fen = talk.query("fen").await?;
        if fen != start {
            return Err(CheckFailure::wrong(
                format!("`response {start}`"),
                format!("`response {fen}`"),
            ));
        }
    }
    passed()
}

async fn told_back(subject: &mut Subject) -> Outcome {
    subject.needs_queries().await?;
    let settings = subject.settings;
    let rules = Ruleset::default();
    let talk = subject.game().await?;
    let families =
        [Family::Riatra, Family::PhaseOne, Family::PhaseTwo, Family::Boards, Family::VelaBoards];
    let mut count = 0;
    for family in families {
        for case in cases(family, &rules, settings.positions.div_ceil(2), settings.seed) {
            talk.begin();
            talk.say(&case.line).await?;
            let (fen, expected) = (talk.query("fen").await?, case.position().to_string());
            if fen != expected {
                return Err(CheckFailure::wrong(
                    format!("`response {expected}`"),
                    format!("`response {fen}`"),
                ));
            }
            count += 1;
        }
    }
    Ok(format!("{count} positions"))
}

async fn short_fen(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    for (fen, expected) in [
        ("bbb/b1W/WWW w", "bbb/b1W/WWW w - 0 1"),
        ("bbb/b1W/WWW b -", "bbb/b1W/WWW b - 0 1"),
        ("bbb/b1W/WWW w b 7", "bbb/b1W/WWW w b 7 1"),
        ("BbB/B1w/wWw b - 7 8", "bbb/b1W/WWW b - 7 8"),
    ] {
        let position: Position = expected.parse().expect("this is a position");
        let case = case_of(History::new(position), &[], &Ruleset::default());
        let talk = subject.talk().await?;
        talk.begin();
        let answer = talk.ask(&format!("position fen {fen}"), BRIEF).await?;
        legal(&answer, &case)?;
    }
    passed()
}

/// Sends a position that is none, and makes sure that it leaves none.
async fn leaves_none(subject: &mut Subject, line: &str) -> Result<(), CheckFailure> {
    let talk = subject.talk().await?;
    talk.begin();
    talk.say(&start().line).await?;
    let answer = talk.ask(line, BRIEF).await?;
    match answer.best {
        BestMove::None => Ok(()),
        _ => Err(CheckFailure::wrong(
            "`bestmove 0000`, as there is no position",
            format!("`{}`", answer.line),
        )),
    }
}

/// Texts that are no position.
const BROKEN: [&str; 12] = [
    "",
    "bbb/b1W/WWW",
    "bbb/b1W/WW w - 0 1",
    "bbbb/bb11/WWWW w - 0 1",
    "bbb/bxW/WWW w - 0 1",
    "bbb/b1W/WWW x - 0 1",
    "bbb/b1W/WWW w q 0 1",
    "bbb/b1W/WWW w - -1 1",
    "bbb/b1W/WWW w - 0 0",
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

/// Positions whose last move is not legal.
const ILLEGAL: [&str; 8] = [
    // No move at all, a paika where there is a capture, a capture of nothing, the enemy's stone.
    "position startpos moves e2e4",
    "position startpos moves d3e3A f4e5",
    "position startpos moves e2e3A a1a2A",
    "position startpos moves e4e3A",
    // Without its mark, and twice in the same direction.
    "position startpos moves e2e3",
    "position startpos moves e2e3Ae4A",
    // A creditor that captures, a debtor that goes on.
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
        let talk = subject.talk().await?;
        talk.begin();
        talk.say(line).await?;
        let lines = talk.ready().await?;
        let told = |line: &&String| line.starts_with("info string") && line.contains(word);
        if !lines.iter().any(|line| told(&line)) {
            let got = lines.first().map_or("nothing".to_owned(), |line| format!("`{line}`"));
            return Err(CheckFailure::wrong(format!("`info string … {word} …`"), got));
        }
    }
    passed()
}

async fn nothing(subject: &mut Subject) -> Outcome {
    let queries = subject.needs_queries().await;
    let perft = subject.needs_perft().await;
    if let (Err(_), Err(miss)) = (&queries, &perft) {
        return Err(miss.clone());
    }
    let talk = subject.talk().await?;
    talk.say("position nowhere").await?;
    if queries.is_ok() {
        for word in ["gameover", "p1turn", "result", "fen", "moves", "value"] {
            let response = talk.query(word).await?;
            if response != "none" {
                return Err(CheckFailure::wrong(
                    format!("`response none` to `query {word}`"),
                    format!("`response {response}`"),
                ));
            }
        }
    }
    if perft.is_ok() {
        let (_, total) = talk.perft(1).await?;
        if total != 0 {
            return Err(CheckFailure::wrong("`nodes 0`", format!("`nodes {total}`")));
        }
    }
    passed()
}

async fn recovered(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let case = start();
    leaves_none(subject, "position startpos moves e2e4").await?;
    let talk = subject.talk().await?;
    legal(&talk.ask(&case.line, BRIEF).await?, &case)?;
    passed()
}

#[cfg(test)]
mod tests {
    use fanorona_protocol::messages::{Command, StartText};

    use super::*;

    #[test]
    fn what_should_leave_no_position_is_none() {
        for fen in BROKEN {
            assert!(fen.parse::<Position>().is_err(), "{fen}");
        }
        let rules = Ruleset::default();
        for line in ILLEGAL {
            let Ok(Command::Position { start: told, moves }) = line.parse() else {
                panic!("{line}")
            };
            let mut game = History::new(match told {
                StartText::Startpos => *start().position(),
                StartText::Fen(fen) => fen.parse().unwrap(),
            });
            let (last, before) = moves.split_last().unwrap();
            for mv in before {
                game.play(&rules, &mv.parse().unwrap()).expect(line);
            }
            let last = last.parse();
            assert!(last.is_err() || game.play(&rules, &last.unwrap()).is_err(), "{line}");
        }
    }
}
