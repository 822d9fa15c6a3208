//! Writes games and reads them back: fixed examples and random games.

use fanorona_protocol::messages::{BestMove, Score};
use fanorona_protocol::rules::{self, BoardSize, Position, Ruleset, Side, Start, VelaStarter};
use proptest::prelude::*;

use super::read::{LONGEST_GAME, LONGEST_LINE};
use super::*;
use crate::game::referee::{self, Ruling};
use crate::game::termination::{GameResult, Reason};
use crate::record::{GameRecord, replay};

fn read(text: &str) -> Vec<Result<Game, FgnError>> {
    Reader::new(text.as_bytes()).collect()
}

fn error(text: &str) -> String {
    let mut games = read(text);
    games.pop().expect("something is read").expect_err("it is wrong").to_string()
}

fn written(games: &[GameRecord], about: &FileTags) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes, games, about).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn short_game() -> GameRecord {
    let start = Start::TSIVY.vela(VelaStarter::Debtor);
    GameRecord {
        pair: Some(2),
        white: "the \"first\"".into(),
        black: "b\\c".into(),
        moves: "e2e3A e5e4 e3e2W f4e3".into(),
        book: 2,
        white_ms: 31,
        black_ms: 9,
        times: vec![31, 9],
        scores: vec!["cp -20".into(), String::new()],
        ..GameRecord::new(
            "3".parse().unwrap(),
            &start,
            "1-0".parse().unwrap(),
            "vela-starved".parse().unwrap(),
        )
    }
}

#[test]
fn a_game_is_tags_moves_and_a_result() {
    let limits = [("the \"first\"".to_owned(), "30ms".to_owned())].into();
    let about = FileTags { event: "quick".into(), rules: Ruleset::default(), limits };
    let expected = r#"[Event "quick"]
[Game "3"]
[Pair "2"]
[White "the \"first\""]
[Black "b\\c"]
[Result "1-0"]
[Variant "tsivy"]
[FEN "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1"]
[Vela "w"]
[Opening "Vakiloha"]
[Book "2"]
[Termination "vela-starved"]
[WhiteTimeControl "30ms"]
[WhiteMs "31"]
[BlackMs "9"]

1. e2e3A e5e4 2. e3e2W {31ms cp -20} f4e3 {9ms} 1-0

"#;
    assert_eq!(written(&[short_game()], &about), expected);
    let game = read(expected).remove(0).unwrap();
    assert_eq!((game.record, game.rules, game.line), (short_game(), None, 1));
}

#[test]
fn comments_and_marks_of_a_game_are_skipped() {
    let text = "\u{feff}% a line for another program\r
[White \"me\"]  \r
[Black \"you\"]\r
[Site \"a café\"]\r
[Vela \"w\"]\r
\r
{ a comment over
several [lines] 1-0 } 1.e2e3A $1 ; the best
1... e5e4 {31ms cp 7 or so} {31ms} 2. e3e2W {9ms}{12ms cp 5} 2 f4e3 1-0 {well played}\n";
    let games = read(text);
    let game = games[0].as_ref().unwrap();
    assert_eq!(games.len(), 1);
    let record = &game.record;
    assert_eq!(record.moves, "e2e3A e5e4 e3e2W f4e3");
    assert_eq!(
        (record.id.to_string(), record.reason.to_string()),
        ("1".into(), "vela-starved".into())
    );
    // One move has no time.
    assert!(record.times.is_empty() && record.scores.is_empty());
}

#[test]
fn judgements_are_no_part_of_the_record() {
    let annotation = |suffix, comment: &str| Annotation {
        suffix,
        comment: comment.to_owned(),
        ..Annotation::default()
    };
    let moves = vec![
        annotation("", ""),
        annotation("?!", "a {note}"),
        annotation("??", "score cp -20, chance 49 %"),
    ];
    let annotations = Annotations { annotator: "a \"sage\"".into(), moves };
    let mut text = Vec::new();
    write_annotated(&mut text, &short_game(), &FileTags::default(), &annotations).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("[Annotator \"a \\\"sage\\\"\"]\n\n"), "{text}");
    let expected = "1. e2e3A e5e4?! {a {note)} 2. e3e2W?? {31ms cp -20} {score cp -20, chance 49 %}\n\
                    f4e3 {9ms} 1-0\n\n";
    assert!(text.ends_with(expected), "{text}");
    let game = read(&text).remove(0).unwrap();
    assert_eq!((game.record, game.rules), (short_game(), None));
    // By hand, a judgement may stand apart.
    let apart = text.replace("e5e4?!", "e5e4 ?!").replace("e2e3A ", "e2e3A! ");
    assert_eq!(read(&apart).remove(0).unwrap().record, short_game());
}

#[test]
fn comments_glyphs_and_variations_are_read_as_they_were_written() {
    let noted = |mv: &str, note| AnnotatedMove { mv: mv.parse().unwrap(), note };
    let glyph = |suffix| Annotation { suffix, ..Annotation::default() };
    let deeper = vec![noted("f4e3", glyph("!"))];
    let aside = vec![
        noted("d2e3A", Annotation { comment: "the other capture".into(), ..glyph("!?") }),
        noted("e5e4", Annotation { variations: vec![deeper], ..Annotation::default() }),
        noted("e3e2W", glyph("")),
    ];
    let notes = vec![
        Annotation { comment: "usual".into(), variations: vec![aside], ..glyph("!!") },
        glyph("?!"),
        glyph(""),
        glyph("?"),
    ];
    let annotations = Annotations { annotator: String::new(), moves: notes.clone() };
    let mut text = Vec::new();
    write_annotated(&mut text, &short_game(), &FileTags::default(), &annotations).unwrap();
    let text = String::from_utf8(text).unwrap();
    let variation = "1. e2e3A!! {usual} (1. d2e3A!? {the other capture} e5e4 (1... f4e3!) \
                     2. e3e2W) 1... e5e4?! 2. e3e2W";
    assert!(text.replace('\n', " ").contains(variation), "{text}");
    let game = read(&text).remove(0).unwrap();
    assert_eq!((game.record, &game.notes), (short_game(), &notes));
    // FGN has the glyphs of PGN. A word that is not a move ends its variation.
    let pgn = text.replace("e2e3A!!", "e2e3A $3").replace("d2e3A!?", "d2e3A $5");
    assert_eq!(read(&pgn).remove(0).unwrap().notes, notes);
    let odd = text.replace("e5e4 (1... f4e3!)", "Nf6 (1... f4e3!)");
    let odd = read(&odd).remove(0).unwrap();
    assert_eq!(odd.notes[0].variations[0].len(), 1);
    assert_eq!(odd.record, short_game());
    assert!(read(&text.replace(" (1", "(1")).remove(0).unwrap().notes == notes);
    let plain = read("[White \"a\"]\n[Black \"b\"]\n\n1. e2e3A {12ms} *\n").remove(0).unwrap();
    assert!(plain.notes.is_empty() && !plain.has_more);
}

#[test]
fn errors_name_their_line() {
    let head = "[White \"a\"]\n[Black \"b\"]\n";
    for (text, expected) in [
        ("[White \"a\"]\n1. e2e3A *\n", "line 1: the game has no Black tag"),
        ("[White a]\n", "line 1: `[White a]` is not a tag"),
        ("[White \"\\a\"]\n", "is not a tag"),
        (&*format!("{head}\n1. e2e3A\n"), "line 5: the game that begins on line 1 has no result"),
        (&*format!("{head}\n1. e2e3A\n{head}"), "line 5: the game that begins on line 1"),
        (&*format!("{head}\n1. e2e3A\nx9\n *\n"), "line 5: move 2: `x9` is not a move"),
        (&*format!("{head}\n1. e2e3A * e5e4\n"), "line 4: `e5e4` follows the result"),
        (
            &*format!("{head}[Result \"1-0\"]\n\n1. e2e3A *\n"),
            "line 3: tag Result: the tag says 1-0",
        ),
        (&*format!("{head}[FEN \"b w\"]\n\n*\n"), "line 3: tag FEN: "),
        (&*format!("{head}[Vela \"x\"]\n\n*\n"), "line 3: tag Vela: `x` is not a side"),
        (
            &*format!("{head}[FEN \"b2/3/2W w\"]\n[Vela \"w\"]\n*\n"),
            "the debtor is White, but the FEN tag says none",
        ),
        (&*format!("{head}[Book \"2\"]\n\n1. e2e3A *\n"), "line 3: tag Book: 2 opening moves"),
        (&*format!("{head}[Offender \"c\"]\n\n*\n"), "line 3: tag Offender: `c` is neither"),
        (&*format!("{head}[Termination \"mate\"]\n\n*\n"), "line 3: tag Termination: `mate`"),
        (&*format!("{head}\n1. e2e3A 1-0\n"), "line 1: the game has no Termination tag"),
        (&*format!("{head}[Rules \"fast\"]\n*\n"), "line 3: tag Rules: unknown rule"),
        (&*format!("{head}{{ never closed\n1-0"), "line 5: the game that begins on line 1"),
    ] {
        let error = error(text);
        assert!(error.contains(expected), "{text}\n{error}");
    }
}

#[test]
fn unplayed_pairings_take_no_memory() {
    let long = format!("[White \"{}\"]\n", "a".repeat(LONGEST_LINE));
    assert!(error(&long).contains("line 1: the line is longer than"));
    let lines = format!("{{{}\n", "a".repeat(1 << 16)).repeat(LONGEST_GAME >> 16);
    assert!(error(&lines).contains("the game is longer than"));
    assert!(error("[White \"a\"]\n\0").contains("is not a move"));
    let mut reader = Reader::new(&b"[White \"\xff\"]\n"[..]);
    assert!(reader.next().unwrap().unwrap_err().to_string().contains("UTF-8"));
    assert!(reader.next().is_none());
}

/// A random game: each choice picks a legal move, until the choices or the game end.
fn played(start: Start, vela: bool, rules: &Ruleset, choices: &[u8]) -> GameRecord {
    let start = if vela { start.vela(rules.vela_starter) } else { start.riatra() };
    played_from(start, rules, choices)
}

fn played_from(start: Position, rules: &Ruleset, choices: &[u8]) -> GameRecord {
    let mut game = rules::Game::new(*rules, start);
    let mut over = referee::ending(&game);
    for choice in choices {
        if over.is_some() {
            break;
        }
        let moves = game.legal_moves();
        let mv = moves[*choice as usize % moves.len()];
        over = match referee::judge(&mut game, &BestMove::Move(mv)) {
            Ruling::Continue => None,
            Ruling::Over(ending) => Some(ending),
        };
    }
    let (result, reason) =
        over.map_or((GameResult::Drawn, Reason::Agreed), |ending| (ending.result, ending.reason));
    let moves: Vec<String> = game.moves().iter().map(|mv| mv.to_string()).collect();
    GameRecord {
        moves: moves.join(" "),
        ..GameRecord::new("1".parse().unwrap(), &start, result, reason)
    }
}

proptest! {
    #[test]
    fn written_text_is_read_back(
        size in 0..BoardSize::COUNT,
        vela: bool,
        rules in prop::sample::select(vec!["", "forced-continuation quiet=30", "vela-starved=paika"]),
        choices in prop::collection::vec(any::<u8>(), 0..60),
        timed: bool,
        times in prop::collection::vec((any::<u32>(), prop::option::of(any::<i32>())), 60),
        book in 0..4_usize,
        white in ".{1,20}",
        detail in "(?s).{0,20}",
        id in prop::sample::select(vec!["1", "17", "17.2"]),
        offender in prop::option::of(prop::sample::select(vec!['w', 'b'])),
    ) {
        let rules: Ruleset = rules.parse().unwrap();
        let start = Start::Usual(BoardSize::all().nth(size).unwrap());
        let mut game = played(start, vela, &rules, &choices);
        game.id = id.parse().unwrap();
        game.pair = game.id.of_session.is_none().then_some(4);
        // The reader finds the offender by its name.
        game.white = white.clone();
        game.black = format!("not {white}");
        (game.detail, game.offender) = (detail, offender);
        game.book = book.min(game.plies()) as u32;
        if timed {
            let own = game.plies() - game.book as usize;
            game.times = times[..own].iter().map(|(time, _)| u64::from(*time)).collect();
            let score = |score: &Option<i32>| {
                score.map_or(String::new(), |score| Score::Cp(score).to_string())
            };
            game.scores = times[..own].iter().map(|(_, cp)| score(cp)).collect();
            game.white_ms = 5;
        }
        let about = FileTags { event: "e".into(), rules, ..FileTags::default() };
        let twice = written(&[game.clone(), game.clone()], &about);
        for read in read(&twice) {
            let read = read.unwrap();
            prop_assert_eq!(&read.record, &game);
            prop_assert_eq!(read.rules.unwrap_or_default(), rules);
            let GameRecord { start, moves, result, reason, .. } = &read.record;
            prop_assert_eq!(replay(&rules, start, moves, *result, *reason), Ok(()));
        }
        prop_assert_eq!(read(&twice).len(), 2);
    }

    #[test]
    fn nothing_makes_the_reader_panic(text in "(?s)(\\[|\\]|\"|\\\\|\\{|\\}|;|%|1-0|½-½|\\*|e2e3A|d3-e3A|e2e3\\+,|\\(|\\)|White|Vela|\n| |.){0,200}") {
        for game in read(&text) {
            if let Err(error) = game {
                prop_assert!(error.line > 0);
            }
        }
    }
}

/// The example of Fanorona-Engine's own page, with a legal game.
const ENGINE: &str = "\
[Event \"Partie contre l'ordinateur\"]
[Date \"2026.09.30\"]
[White \"Vous\"]
[Black \"Fanorona-Engine\"]
[Result \"0-1\"]
[Variant \"Fanoron-Tsivy\"]
[EngineLevel \"3\"]
[Termination \"Les Blancs abandonnent\"]

1. d3-e3A d4-d3A 2. e3-d2W?? { -3.2 } (2. e3-d2 {better}) c3-d4W-e3A-f3A-f2A-g3W 0-1
";

#[test]
fn games_of_fanorona_engine_are_detected_and_read() {
    let game = read(ENGINE).remove(0).unwrap();
    let record = game.record;
    assert_eq!(record.moves, "d3e3A d4d3A e3d2W c3d4We3Af3Af2Ag3W");
    assert_eq!((record.result, record.reason), ("0-1".parse().unwrap(), Reason::Resign));
    assert_eq!((record.detail.as_str(), game.rules), ("Les Blancs abandonnent", None));
    assert!(record.times.is_empty());
    let GameRecord { start, moves, result, reason, .. } = &record;
    assert_eq!(replay(&Ruleset::default(), start, moves, *result, *reason), Ok(()));
    // A sentence is an error in a game of ours.
    let ours =
        "[White \"a\"]\n[Black \"b\"]\n[Termination \"Les Blancs abandonnent\"]\n1. e2e3A 0-1\n";
    assert!(error(ours).contains("tag Termination"), "{}", error(ours));
}

#[test]
fn a_vela_of_fanorona_engine_has_its_rules() {
    let text = "[White \"a\"]\n[Black \"b\"]\n[Vela \"Noirs\"]\n[Result \"½-½\"]\n\
                [FEN \"BBBBBBBBB/BBBBBBBBB/BWBW1BWBW/WWWWWWWWW/WWWWWWWWW b 0 1\"]\n\n\
                1... e4-e3A 2. a1-a2 ½-½\n";
    let text = text.replace("2. a1-a2", "2. e1-e2");
    let game = read(&text).remove(0).unwrap();
    assert!(game.record.start.ends_with(" b b 0 1"), "{}", game.record.start);
    assert_eq!(game.rules, Some("vela-starved=debtor-loses vela-must-offer".parse().unwrap()));
    assert_eq!((game.record.result, game.record.reason), (GameResult::Drawn, Reason::Agreed));
    let white = "[White \"a\"]\n[Black \"b\"]\n[Vela \"Blancs\"]\n1. e2-e3A *\n";
    assert!(read(white).remove(0).unwrap().record.start.ends_with(" w w 0 1"));
    let telo = "[White \"a\"]\n[Black \"b\"]\n[Variant \"Fanoron-Telo\"]\n*\n";
    assert!(error(telo).contains("alignment game"), "{}", error(telo));
}

#[test]
fn moves_of_abstract_play_are_read_with_and_without_blanks() {
    for moves in ["d3e3+ d4d3+ e3d2- c3d4-,e3+,f3+", "1. d3e3+ d4d3+ 2. e3d2-! c3d4-, e3+, f3+"] {
        let text = format!("[White \"a\"]\n[Black \"b\"]\n\n{moves} *\n");
        let game = read(&text).remove(0).unwrap();
        assert_eq!(game.record.moves, "d3e3A d4d3A e3d2W c3d4We3Af3A");
    }
}

/// Writes a game for another program.
fn written_as(game: &GameRecord, about: &FileTags, notation: Notation) -> Result<String, String> {
    let mut bytes = Vec::new();
    write_as(&mut bytes, game, about, notation).map_err(|why| why.to_string())?;
    Ok(String::from_utf8(bytes).unwrap())
}

#[test]
fn games_are_written_for_other_programs() {
    let about = FileTags { event: "e".into(), ..FileTags::default() };
    let game = read(ENGINE).remove(0).unwrap().record;
    let engine = "\
[Event \"e\"]
[White \"Vous\"]
[Black \"Fanorona-Engine\"]
[Result \"0-1\"]
[Variant \"Fanoron-Tsivy\"]
[Termination \"resign\"]

1. d3-e3A d4-d3A 2. e3-d2W c3-d4W-e3A-f3A-f2A-g3W 0-1

";
    assert_eq!(written_as(&game, &about, Notation::Engine).unwrap(), engine);
    let abstract_play = written_as(&game, &about, Notation::AbstractPlay).unwrap();
    assert!(
        abstract_play.ends_with("\n\n1. d3e3+ d4d3+ 2. e3d2- c3d4-,e3+,f3+,f2+,g3- 0-1\n\n"),
        "{abstract_play}"
    );
    assert_eq!(read(&abstract_play).remove(0).unwrap().record, game);
    let pgn = "[Event \"e\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n\
               [White \"Vous\"]\n[Black \"Fanorona-Engine\"]\n[Result \"0-1\"]\n\n0-1\n\n";
    assert_eq!(written_as(&game, &about, Notation::Pgn).unwrap(), pgn);
    let quoted = GameRecord { white: "a \"b\" \\c".into(), ..game.clone() };
    assert!(written_as(&quoted, &about, Notation::Pgn).unwrap().contains("[White \"a 'b' 'c\"]"));
    let void = GameRecord { result: GameResult::Void, ..game };
    assert_eq!(written_as(&void, &about, Notation::Pgn).unwrap(), "");
    // What a notation does not have is refused.
    let vela = short_game();
    assert!(written_as(&vela, &about, Notation::AbstractPlay).unwrap_err().contains("riatra"));
    let small = played(Start::Usual(BoardSize::TELO), false, &Ruleset::default(), &[0]);
    assert!(written_as(&small, &about, Notation::Engine).unwrap_err().contains("3x3"));
    let forced = FileTags { rules: "forced-continuation".parse().unwrap(), ..FileTags::default() };
    let game = read(ENGINE).remove(0).unwrap().record;
    assert!(written_as(&game, &forced, Notation::AbstractPlay).unwrap_err().contains("forced"));
}

proptest! {
    #[test]
    fn games_for_fanorona_engine_are_read_back(
        dimy: bool,
        debtor in prop::option::of(prop::sample::select(vec![Side::White, Side::Black])),
        choices in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let rules: Ruleset = "vela-starved=debtor-loses vela-must-offer".parse().unwrap();
        let start = if dimy { Start::Usual(BoardSize::DIMY) } else { Start::TSIVY };
        let mut game = played(start, false, &rules, &[]);
        if let (Some(debtor), false) = (debtor, dimy) {
            // There the debtor begins.
            let begins = format!("{} {} {} 0 1", game.start.split(' ').next().unwrap(), debtor.letter(), debtor.letter());
            game = played_from(begins.parse().unwrap(), &rules, &choices);
        } else {
            game = played_from(game.start.parse().unwrap(), &rules, &choices);
        }
        (game.white, game.black) = ("a".into(), "b".into());
        let text = written_as(&game, &FileTags::default(), Notation::Engine).unwrap();
        let back = read(&text).remove(0).unwrap();
        let expected = GameRecord { detail: back.record.detail.clone(), ..game.clone() };
        prop_assert_eq!(&back.record, &expected, "{}", text);
        prop_assert_eq!(back.rules, (!dimy && debtor.is_some()).then_some(rules));
    }
}
