//! Which moves are legal, and that nothing else is played.

use std::collections::BTreeSet;

use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{BoardSize, History, Move, Ruleset, Start};

use super::{
    BRIEF, Capabilities, Case, Check, CheckFailure, Conversation, Family, Level, Outcome, Subject,
    cases, legal, passed, start, told,
};
use crate::check::mistake;
use crate::check::positions::case_of;

pub(in crate::check) const CHECKS: &[Check] = &[
    Check {
        level: Level::Basic,
        title: "in riatra one of the moves it is told is played",
        section: "Engines that know no rules",
        mend: "answer with one of the words after `searchmoves`, as it stands there",
        run: |subject| Box::pin(choose(subject, &[Family::Riatra, Family::Dense])),
    },
    Check {
        level: Level::Basic,
        title: "in velas one of the moves it is told is played",
        section: "Engines that know no rules",
        mend: "answer with one of the words after `searchmoves`, as it stands there",
        run: |subject| Box::pin(choose(subject, &[Family::PhaseOne, Family::PhaseTwo])),
    },
    Check {
        level: Level::Basic,
        title: "on other boards one of the moves it is told is played",
        section: "Engines that know no rules",
        mend: "answer with one of the words after `searchmoves`, as it stands there",
        run: |subject| Box::pin(choose(subject, &[Family::Boards, Family::VelaBoards])),
    },
    Check {
        level: Level::Basic,
        title: "several games are played in one process",
        section: "Start and games",
        mend: "read on after a game is over: one process plays many games",
        run: |subject| Box::pin(games(subject)),
    },
    Check {
        level: Level::Basic,
        title: "of one move it is told, that one is played",
        section: "`go`, `stop` and `bestmove`",
        mend: "choose among the words after `searchmoves` alone",
        run: |subject| Box::pin(only_one(subject)),
    },
    Check {
        level: Level::Full,
        title: "without being told any, only legal moves are played",
        section: "Moves",
        mend: "see the section Moves for what may be played",
        run: |subject| Box::pin(unaided(subject)),
    },
    Check {
        level: Level::Full,
        title: "`searchmoves` without a legal move is as if it were not there",
        section: "Bad input",
        mend: "drop the words after `searchmoves` that are not legal; search all moves if none is left",
        run: |subject| Box::pin(no_legal_searchmoves(subject)),
    },
    Check {
        level: Level::Full,
        title: "legal moves agree in riatra",
        section: "Moves",
        mend: "see the section Moves for what may be played",
        run: |subject| Box::pin(agree(subject, &[Family::Riatra], "")),
    },
    Check {
        level: Level::Full,
        title: "legal moves agree where captures are many and long",
        section: "Moves",
        mend: "a stone visits no point twice and does not step twice running in one direction; it may \
               stop after every step; different paths are different moves",
        run: |subject| Box::pin(agree(subject, &[Family::Dense], "")),
    },
    Check {
        level: Level::Full,
        title: "legal moves agree where stones are few",
        section: "Moves",
        mend: "where there is a capture no paika may be played; diagonals join strong points alone",
        run: |subject| Box::pin(agree(subject, &[Family::Late], "")),
    },
    Check {
        level: Level::Full,
        title: "legal moves agree in phase one of a vela",
        section: "Vela",
        mend: "while the creditor has more than five stones, the debtor captures in one step, and the \
               creditor plays paikas alone",
        run: |subject| Box::pin(agree(subject, &[Family::PhaseOne], "")),
    },
    Check {
        level: Level::Full,
        title: "legal moves agree in phase two of a vela",
        section: "Vela",
        mend: "when the creditor has five stones or fewer, both play as in riatra",
        run: |subject| Box::pin(agree(subject, &[Family::PhaseTwo], "")),
    },
    Check {
        level: Level::Full,
        title: "legal moves agree on every other board",
        section: "Board and start",
        mend: "the first field of a FEN says how large the board is; a1 is strong on all of them",
        run: |subject| Box::pin(agree(subject, &[Family::Boards, Family::Boards], "")),
    },
    Check {
        level: Level::Full,
        title: "legal moves agree in velas on every other board",
        section: "Vela",
        mend: "on 3x3 there never is a phase one",
        run: |subject| Box::pin(agree(subject, &[Family::VelaBoards], "")),
    },
    Check {
        level: Level::Full,
        title: "legal moves agree with forced-continuation",
        section: "Rule switches",
        mend: "a capturing stone has to go on while it can",
        run: |subject| Box::pin(agree(subject, BOTH, "forced-continuation")),
    },
    Check {
        level: Level::Full,
        title: "legal moves agree with single-first-capture",
        section: "Rule switches",
        mend: "a side has not captured yet while the enemy has (points - 1) / 2 stones or more",
        run: |subject| Box::pin(agree(subject, BOTH, "single-first-capture")),
    },
    Check {
        level: Level::Full,
        title: "legal moves agree with forced-continuation and single-first-capture",
        section: "Rule switches",
        mend: "single-first-capture overrides forced-continuation",
        run: |subject| Box::pin(agree(subject, BOTH, "forced-continuation single-first-capture")),
    },
    Check {
        level: Level::Full,
        title: "legal moves agree with vela-starved=paika",
        section: "Rule switches",
        mend: "a debtor in phase one without a capture plays a paika",
        run: |subject| Box::pin(agree(subject, &[Family::PhaseOne], "vela-starved=paika")),
    },
    Check {
        level: Level::Full,
        title: "legal moves agree with vela-must-offer",
        section: "Rule switches",
        mend: "a creditor's paika that leaves the debtor no capture is illegal while another leaves \
               some",
        run: |subject| Box::pin(agree(subject, &[Family::PhaseOne], "vela-must-offer")),
    },
];

/// Where the switches of riatra matter.
const BOTH: &[Family] = &[Family::Riatra, Family::Dense, Family::Boards];

/// How many positions an engine is made to play in, rather than asked about.
fn to_play(subject: &Subject) -> u32 {
    subject.settings.positions.div_ceil(4)
}

async fn choose(subject: &mut Subject, families: &[Family]) -> Outcome {
    let (count, seed) = (to_play(subject), subject.settings.seed);
    let talk = subject.game().await?;
    let mut asked = 0;
    for &family in families {
        for case in cases(family, &Ruleset::default(), count, seed) {
            talk.begin();
            legal(&talk.ask(&case.line, &told(BRIEF, &case)).await?, &case)?;
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
        let talk = subject.game().await?;
        let (mut game, mut moves) = (History::new(start), Vec::new());
        while game.ending(&rules).is_none() && moves.len() < 60 {
            let case = case_of(game.clone(), &moves, &rules);
            talk.begin();
            let answer = talk.ask(&case.line, &told(BRIEF, &case)).await?;
            legal(&answer, &case)?;
            // Who resigns has played the game, too.
            let BestMove::Move(mv) = answer.best else { break };
            game.play(&rules, &mv).expect("the move has been found legal");
            moves.push(mv);
        }
        plies += moves.len();
    }
    Ok(format!("{} games, {plies} plies", starts.len()))
}

async fn only_one(subject: &mut Subject) -> Outcome {
    let seed = subject.settings.seed;
    let talk = subject.game().await?;
    for case in cases(Family::Riatra, &Ruleset::default(), 4, seed) {
        for mv in case.moves.iter().take(3) {
            talk.begin();
            played(talk, &case, mv).await?;
        }
    }
    passed()
}

/// Has the engine play the only move it is told.
async fn played(talk: &mut Conversation, case: &Case, mv: &Move) -> Result<(), CheckFailure> {
    let answer = talk.ask(&case.line, &format!("{BRIEF} searchmoves {mv}")).await?;
    match answer.best {
        BestMove::Move(best) if best != *mv => {
            Err(CheckFailure::wrong(format!("`bestmove {mv}`"), format!("`{}`", answer.line)))
        }
        _ => legal(&answer, case),
    }
}

async fn unaided(subject: &mut Subject) -> Outcome {
    let (count, seed) = (to_play(subject), subject.settings.seed);
    let talk = subject.game().await?;
    let mut asked = 0;
    for family in [Family::Riatra, Family::Late, Family::PhaseOne, Family::PhaseTwo, Family::Boards]
    {
        for case in cases(family, &Ruleset::default(), count, seed) {
            talk.begin();
            legal(&talk.ask(&case.line, BRIEF).await?, &case)?;
            asked += 1;
        }
    }
    Ok(format!("{asked} positions"))
}

async fn no_legal_searchmoves(subject: &mut Subject) -> Outcome {
    subject.needs_rules().await?;
    let case = start();
    let talk = subject.game().await?;
    for words in ["a1a2", "e2e4 nonsense", ""] {
        talk.begin();
        let answer = talk.ask(&case.line, &format!("{BRIEF} searchmoves {words}")).await?;
        legal(&answer, &case)?;
    }
    passed()
}

/// Compares the legal moves in positions of some families by some rules, in whatever way the engine
/// can be asked.
async fn agree(subject: &mut Subject, families: &[Family], rules: &str) -> Outcome {
    let knows = subject.knows().await?;
    if knows == Capabilities::Neither {
        subject.needs_rules().await?;
    }
    if !rules.is_empty() {
        subject.by_rules(rules).await?;
    }
    let rules: Ruleset = rules.parse().expect("the checks name rules");
    let (positions, seed) = (subject.settings.positions, subject.settings.seed);
    let talk = subject.game().await?;
    let count = if knows == Capabilities::Neither { positions.div_ceil(8) } else { positions };
    let (mut asked, mut moves) = (0, 0);
    for (&family, seed) in families.iter().zip(seed..) {
        for case in cases(family, &rules, count, seed) {
            talk.begin();
            match knows {
                Capabilities::Queries => {
                    talk.say(&case.line).await?;
                    let response = talk.query("moves").await?;
                    compare(&case, response.split_ascii_whitespace().map(str::to_owned).collect())?;
                }
                Capabilities::Perft => {
                    talk.say(&case.line).await?;
                    let (counts, _) = talk.perft(1).await?;
                    compare(&case, counts.iter().map(|(mv, _)| mv.to_string()).collect())?;
                }
                Capabilities::Neither => {
                    for mv in case.moves.iter().take(4) {
                        played(talk, &case, mv).await?;
                    }
                    legal(&talk.ask(&case.line, BRIEF).await?, &case)?;
                }
            }
            asked += 1;
            moves += case.moves.len();
        }
    }
    if rules != Ruleset::default() {
        // The next check plays by the usual rules.
        subject.retire().await;
    }
    let how = match knows {
        Capabilities::Queries => "by query moves",
        Capabilities::Perft => "by go perft 1",
        Capabilities::Neither => "by playing some of them",
    };
    Ok(format!("{asked} positions, {moves} moves, {how}"))
}

/// Compares moves with the legal ones.
fn compare(case: &Case, said: Vec<String>) -> Result<(), CheckFailure> {
    let legal: BTreeSet<String> = case.words().into_iter().collect();
    let found: BTreeSet<String> = said.iter().cloned().collect();
    if found.len() == said.len() && found == legal {
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
        got.push(format!("legal, and not among them: {}", shown(missing)));
    }
    if let Some(first) = extra.first() {
        let why = first.parse().map_err(|why| format!("{why}")).and_then(|mv: Move| {
            case.position().effect_of(&case.rules, &mv).map_err(|why| why.to_string())
        });
        let why = why.err().map_or_else(String::new, |why| format!(" ({why})"));
        got.push(format!("not legal: {}{why}", shown(extra.clone())));
    }
    if got.is_empty() {
        got.push("a move more than once".to_owned());
    }
    Err(CheckFailure::Wrong {
        expected: format!("the {} legal moves", legal.len()),
        got: got.join("; "),
        mend: extra.first().and_then(|word| mistake::of_illegal(word, &case.moves)),
    })
}
