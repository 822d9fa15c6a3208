//! Checks of legal moves and of the moves played.

use std::collections::BTreeSet;

use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{BoardSize, Game, Move, Ruleset, Start};

use super::{
    BRIEF, Capabilities, Case, Check, CheckFailure, Conversation, Family, Level, Outcome, Subject,
    cases, legal, passed, start, with_moves,
};
use crate::mistake;
use crate::positions::case_from;

pub(crate) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "plays one of the given moves in riatra",
        section: "Engines that know no rules",
        fix_hint: "answer with one of the words after `searchmoves`, unchanged",
        run: |subject| Box::pin(choose(subject, &[Family::Riatra, Family::Dense])),
    },
    Check {
        level: Level::Basic,
        title: "plays one of the given moves in velas",
        section: "Engines that know no rules",
        fix_hint: "answer with one of the words after `searchmoves`, unchanged",
        run: |subject| Box::pin(choose(subject, &[Family::PhaseOne, Family::PhaseTwo])),
    },
    Check {
        level: Level::Basic,
        title: "plays one of the given moves on other boards",
        section: "Engines that know no rules",
        fix_hint: "answer with one of the words after `searchmoves`, unchanged",
        run: |subject| Box::pin(choose(subject, &[Family::Boards, Family::VelaBoards])),
    },
    Check {
        level: Level::Basic,
        title: "plays several games in one process",
        section: "Start and games",
        fix_hint: "read on after a game ends: one process plays many games",
        run: |subject| Box::pin(games(subject)),
    },
    Check {
        level: Level::Basic,
        title: "plays the only given move",
        section: "`go`, `stop` and `bestmove`",
        fix_hint: "choose only from the words after `searchmoves`",
        run: |subject| Box::pin(only_one(subject)),
    },
    Check {
        level: Level::Full,
        title: "plays only legal moves without `searchmoves`",
        section: "Moves",
        fix_hint: "see the section Moves for the legal moves",
        run: |subject| Box::pin(unaided(subject)),
    },
    Check {
        level: Level::Full,
        title: "ignores `searchmoves` without a legal move",
        section: "Bad input",
        fix_hint: "ignore illegal moves after `searchmoves`; search all moves if none of them is \
                   legal",
        run: |subject| Box::pin(no_legal_searchmoves(subject)),
    },
    Check {
        level: Level::Full,
        title: "generates the legal moves in riatra",
        section: "Moves",
        fix_hint: "see the section Moves for the legal moves",
        run: |subject| Box::pin(agree(subject, &[Family::Riatra], "")),
    },
    Check {
        level: Level::Full,
        title: "generates the legal moves with many long captures",
        section: "Moves",
        fix_hint: "a stone does not visit a point twice or step twice in a row in the same \
                   direction; it can stop after every step; different paths are different moves",
        run: |subject| Box::pin(agree(subject, &[Family::Dense], "")),
    },
    Check {
        level: Level::Full,
        title: "generates the legal moves with few stones",
        section: "Moves",
        fix_hint: "if a capture is possible, a paika is illegal; diagonals join only strong points",
        run: |subject| Box::pin(agree(subject, &[Family::Late], "")),
    },
    Check {
        level: Level::Full,
        title: "generates the legal moves in phase one of a vela",
        section: "Vela",
        fix_hint: "while the creditor has more than five stones, the debtor captures in one step, \
                   and the creditor plays only paikas",
        run: |subject| Box::pin(agree(subject, &[Family::PhaseOne], "")),
    },
    Check {
        level: Level::Full,
        title: "generates the legal moves in phase two of a vela",
        section: "Vela",
        fix_hint: "if the creditor has five stones or fewer, both sides play as in riatra",
        run: |subject| Box::pin(agree(subject, &[Family::PhaseTwo], "")),
    },
    Check {
        level: Level::Full,
        title: "generates the legal moves on every other board",
        section: "Board and start",
        fix_hint: "the first field of a FEN gives the size of the board; a1 is a strong point on \
                   every board",
        run: |subject| Box::pin(agree(subject, &[Family::Boards, Family::Boards], "")),
    },
    Check {
        level: Level::Full,
        title: "generates the legal moves in velas on every other board",
        section: "Vela",
        fix_hint: "on 3x3 there is never a phase one",
        run: |subject| Box::pin(agree(subject, &[Family::VelaBoards], "")),
    },
    Check {
        level: Level::Full,
        title: "generates the legal moves with forced-continuation",
        section: "Rule switches",
        fix_hint: "a capturing stone must continue while it can",
        run: |subject| Box::pin(agree(subject, BOTH, "forced-continuation")),
    },
    Check {
        level: Level::Full,
        title: "generates the legal moves with single-first-capture",
        section: "Rule switches",
        fix_hint: "a side has not captured yet if the opponent has (points - 1) / 2 stones or more",
        run: |subject| Box::pin(agree(subject, BOTH, "single-first-capture")),
    },
    Check {
        level: Level::Full,
        title: "generates the legal moves with forced-continuation and single-first-capture",
        section: "Rule switches",
        fix_hint: "single-first-capture overrides forced-continuation",
        run: |subject| Box::pin(agree(subject, BOTH, "forced-continuation single-first-capture")),
    },
    Check {
        level: Level::Full,
        title: "generates the legal moves with vela-starved=paika",
        section: "Rule switches",
        fix_hint: "a debtor in phase one without a capture plays a paika",
        run: |subject| Box::pin(agree(subject, &[Family::PhaseOne], "vela-starved=paika")),
    },
    Check {
        level: Level::Full,
        title: "generates the legal moves with vela-must-offer",
        section: "Rule switches",
        fix_hint: "a creditor's paika that leaves the debtor without a capture is illegal if \
                   another one leaves a capture",
        run: |subject| Box::pin(agree(subject, &[Family::PhaseOne], "vela-must-offer")),
    },
];

/// The families for the rule switches of riatra.
const BOTH: &[Family] = &[Family::Riatra, Family::Dense, Family::Boards];

/// The number of positions in which the engine plays a move instead of listing the legal ones.
fn to_play(subject: &Subject) -> u32 {
    subject.settings.positions.div_ceil(4)
}

async fn choose(subject: &mut Subject, families: &[Family]) -> Outcome {
    let (count, seed) = (to_play(subject), subject.settings.seed);
    let engine = subject.game().await?;
    let mut asked = 0;
    for &family in families {
        for case in cases(family, &Ruleset::default(), count, seed) {
            engine.begin();
            legal(&engine.ask(&case.line, &with_moves(BRIEF, &case)).await?, &case)?;
            asked += 1;
        }
    }
    Ok(format!("{asked} positions"))
}

async fn games(subject: &mut Subject) -> Outcome {
    let rules = Ruleset::default();
    let starts = [
        Start::TSIVY.riatra(),
        Start::TSIVY.vela(rules.vela_starter),
        Start::Usual(BoardSize::DIMY).riatra(),
    ];
    let mut plies = 0;
    for start in starts {
        let engine = subject.game().await?;
        let mut game = Game::new(rules, start);
        while game.ending().is_none() && game.moves().len() < 60 {
            let case = case_from(game.clone());
            engine.begin();
            let answer = engine.ask(&case.line, &with_moves(BRIEF, &case)).await?;
            legal(&answer, &case)?;
            // A resignation also completes the game.
            let BestMove::Move(mv) = answer.best else { break };
            game.play(&mv).expect("the move has been found legal");
        }
        plies += game.moves().len();
    }
    Ok(format!("{} games, {plies} plies", starts.len()))
}

async fn only_one(subject: &mut Subject) -> Outcome {
    let seed = subject.settings.seed;
    let engine = subject.game().await?;
    for case in cases(Family::Riatra, &Ruleset::default(), 4, seed) {
        for mv in case.moves.iter().take(3) {
            engine.begin();
            plays(engine, &case, mv).await?;
        }
    }
    passed()
}

/// Sends one legal move and checks that the engine plays it.
async fn plays(engine: &mut Conversation, case: &Case, mv: &Move) -> Result<(), CheckFailure> {
    let answer = engine.ask(&case.line, &format!("{BRIEF} searchmoves {mv}")).await?;
    match answer.best {
        BestMove::Move(best) if best != *mv => {
            Err(CheckFailure::wrong(format!("`bestmove {mv}`"), format!("`{}`", answer.line)))
        }
        _ => legal(&answer, case),
    }
}

async fn unaided(subject: &mut Subject) -> Outcome {
    let (count, seed) = (to_play(subject), subject.settings.seed);
    let engine = subject.game().await?;
    let mut asked = 0;
    for family in [Family::Riatra, Family::Late, Family::PhaseOne, Family::PhaseTwo, Family::Boards]
    {
        for case in cases(family, &Ruleset::default(), count, seed) {
            engine.begin();
            legal(&engine.ask(&case.line, BRIEF).await?, &case)?;
            asked += 1;
        }
    }
    Ok(format!("{asked} positions"))
}

async fn no_legal_searchmoves(subject: &mut Subject) -> Outcome {
    subject.require_rules().await?;
    let case = start();
    let engine = subject.game().await?;
    for words in ["a1a2", "e2e4 nonsense", ""] {
        engine.begin();
        let answer = engine.ask(&case.line, &format!("{BRIEF} searchmoves {words}")).await?;
        legal(&answer, &case)?;
    }
    passed()
}

/// Compares the legal moves in positions of some families with some rules, by the best method that
/// the engine supports.
async fn agree(subject: &mut Subject, families: &[Family], rules: &str) -> Outcome {
    let capabilities = subject.capabilities().await?;
    if capabilities == Capabilities::Neither {
        subject.require_rules().await?;
    }
    if !rules.is_empty() {
        subject.set_rules(rules).await?;
    }
    let rules: Ruleset = rules.parse().expect("the rules of the checks are valid");
    let (positions, seed) = (subject.settings.positions, subject.settings.seed);
    let engine = subject.game().await?;
    let count =
        if capabilities == Capabilities::Neither { positions.div_ceil(8) } else { positions };
    let (mut asked, mut moves) = (0, 0);
    for (&family, seed) in families.iter().zip(seed..) {
        for case in cases(family, &rules, count, seed) {
            engine.begin();
            match capabilities {
                Capabilities::Queries => {
                    engine.send(&case.line).await?;
                    let response = engine.query("moves").await?;
                    compare(&case, response.split_ascii_whitespace().map(str::to_owned).collect())?;
                }
                Capabilities::Perft => {
                    engine.send(&case.line).await?;
                    let (counts, _) = engine.perft(1).await?;
                    compare(&case, counts.iter().map(|(mv, _)| mv.to_string()).collect())?;
                }
                Capabilities::Neither => {
                    for mv in case.moves.iter().take(4) {
                        plays(engine, &case, mv).await?;
                    }
                    legal(&engine.ask(&case.line, BRIEF).await?, &case)?;
                }
            }
            asked += 1;
            moves += case.moves.len();
        }
    }
    if rules != Ruleset::default() {
        // The next check uses the default rules.
        subject.retire().await;
    }
    let how = match capabilities {
        Capabilities::Queries => "with query moves",
        Capabilities::Perft => "with go perft 1",
        Capabilities::Neither => "with moves it played",
    };
    Ok(format!("{asked} positions, {moves} moves, {how}"))
}

/// Compares an engine's moves with the legal ones.
fn compare(case: &Case, moves: Vec<String>) -> Result<(), CheckFailure> {
    let legal: BTreeSet<String> = case.words().into_iter().collect();
    let found: BTreeSet<String> = moves.iter().cloned().collect();
    if found.len() == moves.len() && found == legal {
        return Ok(());
    }
    let shown = |words: Vec<&String>| {
        let first: Vec<&str> = words.iter().take(6).map(|word| word.as_str()).collect();
        let rest = if words.len() > 6 { " …" } else { "" };
        format!("{}{rest}", first.join(" "))
    };
    let missing: Vec<&String> = legal.difference(&found).collect();
    let extra: Vec<&String> = found.difference(&legal).collect();
    let mut got = Vec::new();
    if !missing.is_empty() {
        got.push(format!("missing: {}", shown(missing)));
    }
    if let Some(first) = extra.first() {
        let why = first.parse().map_err(|why| format!("{why}")).and_then(|mv: Move| {
            case.position().effect_of(case.game.rules(), &mv).map_err(|why| why.to_string())
        });
        let why = why.err().map_or_else(String::new, |why| format!(" ({why})"));
        got.push(format!("not legal: {}{why}", shown(extra.clone())));
    }
    if got.is_empty() {
        got.push("a move is listed more than once".to_owned());
    }
    Err(CheckFailure::Wrong {
        expected: format!("the {} legal moves", legal.len()),
        got: got.join("; "),
        fix_hint: extra.first().and_then(|word| mistake::illegal_move_hint(word, &case.moves)),
    })
}
