//! The engines play the first moves of a timed game from the built-in book.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fanorona_bots::book::{Book, BookEntry, PositionId, children};
use fanorona_protocol::messages::{Info, Reply, Score};
use fanorona_protocol::rules::{BoardSize, Game, Move, Position, Ruleset, Start};

const BOTS: [&str; 2] = [env!("CARGO_BIN_EXE_bot-alphabeta"), env!("CARGO_BIN_EXE_bot-mcts")];

/// The time that the tests allow for a move: far more than they take when a book answers.
const LONG: Duration = Duration::from_secs(60);

/// The lines that a bot prints in reply to some lines.
fn replies(program: &str, lines: &str) -> Vec<String> {
    let mut bot =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    bot.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = String::from_utf8(bot.wait_with_output().unwrap().stdout).unwrap();
    output.lines().map(str::to_owned).collect()
}

/// The move of a bot in a position, and its report if it comes from the book.
fn played(program: &str, lines: &str) -> (Move, Option<Info>) {
    let lines = replies(program, lines);
    let best = lines.iter().find_map(|line| line.strip_prefix("bestmove ")).unwrap();
    let from_book = lines.iter().any(|line| line == "info string book move");
    let report = lines.iter().find_map(|line| match line.parse() {
        Ok(Reply::Info(info)) if info.score.is_some() => Some(*info),
        _ => None,
    });
    (best.parse().unwrap(), report.filter(|_| from_book))
}

fn starts() -> [(String, Position); 3] {
    let fen = |position: Position| (format!("fen {position}"), position);
    let vela = Start::TSIVY.vela(Ruleset::default().vela_starter);
    let riatra = Start::TSIVY.riatra();
    [("startpos".to_owned(), riatra), fen(Start::LeftRight(BoardSize::TSIVY).riatra()), fen(vela)]
}

#[test]
fn the_book_has_every_first_move_of_the_starts() {
    let (book, rules) = (Book::shipped(), Ruleset::default());
    for (start, position) in starts() {
        let first = children(&position, &rules);
        assert_eq!(book.moves(&position, &rules).len(), first.len(), "{start}");
    }
    assert!(book.to_bytes().len() < 2_000_000);
}

#[test]
fn a_timed_search_at_the_start_is_answered_at_once() {
    let (book, rules) = (Book::shipped(), Ruleset::default());
    let go = format!("go movetime {}\nisready\n", LONG.as_millis());
    for program in BOTS {
        for (start, position) in starts() {
            let line = book.line(&position, &rules);
            assert!(line.len() >= 2, "{start}");
            let mut game = Game::new(rules, position);
            let mut moves = String::new();
            for effect in line.into_iter().take(3) {
                let begin = Instant::now();
                let lines = format!("position {start} moves{moves}\n{go}");
                let (mv, info) = played(program, &lines);
                assert!(begin.elapsed() < LONG / 2, "{start}{moves}");
                let info = info.unwrap_or_else(|| panic!("{program}: no book move: {lines}"));
                assert_eq!(game.position().effect_of(&rules, &mv), Ok(effect), "{start}{moves}");
                assert_eq!((info.nodes, info.pv.first()), (Some(0), Some(&mv)));
                let best = book.moves(game.position(), &rules)[0];
                assert_eq!(info.score, Some(best.score));
                game.play(&mv).unwrap();
                moves += &format!(" {mv}");
            }
        }
    }
}

#[test]
fn other_limits_rules_starts_and_options_bypass_the_book() {
    let short = "go movetime 30\nisready\n";
    for program in BOTS {
        for lines in [
            "position startpos\ngo nodes 50\nisready\n".to_owned(),
            "position startpos\ngo depth 1\nisready\n".to_owned(),
            "position startpos\ngo movetime 60000 nodes 50\nisready\n".to_owned(),
            format!("setoption name Book value none\nposition startpos\n{short}"),
            format!("setoption name Rules value single-first-capture\nposition startpos\n{short}"),
            // The game did not begin at a start.
            format!(
                "position fen bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWW1 w - 0 1\n{short}"
            ),
        ] {
            assert_eq!(played(program, &lines).1, None, "{program}: {lines}");
        }
    }
    let [alphabeta, _] = BOTS;
    for option in ["MultiPV value 2", "Skill value 19", "Search value plain"] {
        let lines = format!("setoption name {option}\nposition startpos\n{short}");
        assert_eq!(played(alphabeta, &lines).1, None, "{lines}");
    }
}

#[test]
fn a_book_that_cannot_be_read_is_named_and_the_old_one_stays() {
    let file = env!("CARGO_MANIFEST_DIR").to_owned() + "/Cargo.toml";
    let lines = format!("setoption name Book value {file}\nposition startpos\ngo movetime 60000\n");
    for program in BOTS {
        let replies = replies(program, &(lines.clone() + "isready\n"));
        let why = replies.iter().find(|line| line.contains("Book")).expect("an error");
        assert!(why.contains("Cargo.toml: not an opening book"), "{why}");
        assert!(replies.iter().any(|line| line == "info string book move"), "{replies:?}");
    }
}

#[test]
fn a_book_of_a_file_takes_the_place_of_the_built_in_one() {
    let (start, rules) = (Start::TSIVY.riatra(), Ruleset::default());
    let shipped = Book::shipped().moves(&start, &rules)[0].effect;
    // A book that knows one move, another one than the built-in book plays.
    let children = children(&start, &rules);
    let place = children.iter().position(|(_, effect)| *effect != shipped).unwrap();
    let moves = vec![(place as u16, Score::Cp(7))];
    let book = Book::new(1, vec![BookEntry { id: PositionId::new(&start), moves }]);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("my.book");
    std::fs::write(&file, book.to_bytes()).unwrap();
    let set = format!("setoption name Book value {}\n", file.display());
    for program in BOTS {
        let go = "position startpos\ngo movetime 60000\nisready\n";
        let (mv, info) = played(program, &format!("{set}{go}"));
        assert_eq!(start.effect_of(&rules, &mv), Ok(children[place].1));
        assert_eq!(info.unwrap().score, Some(Score::Cp(7)));
        let (mv, _) = played(program, &format!("{set}setoption name Book\n{go}"));
        assert_eq!(start.effect_of(&rules, &mv), Ok(shipped), "empty is the built-in book");
    }
}
