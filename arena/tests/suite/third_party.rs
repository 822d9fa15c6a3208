//! The bots of `arena/guides/examples`: they know the game, they play whole tournaments, and
//! nothing they read breaks them.

use crate::programs;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use fanorona_protocol::rules::{Game, Move, Position, Reason, Ruleset, Side, Start};
use fanorona_tournament::config::{Overrides, parse};
use fanorona_tournament::record::replay;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

const FIRST: &str = "first_bot.py";
const POSITION: &str = "position_bot.py";

/// Where ends are near that random games seldom come to: a side that is shut in, one that is gone,
/// two stones that walk in circles.
const LATE: [&str; 5] =
    ["WWW/WWW/WWb b - 4 9", "3/3/2W b - 0 9", "3/3/2W w - 0 9", "b2/3/2W w - 0 9", "b2/3/3/3/2W w"];

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("guides/examples").join(name)
}

/// Whether there is an interpreter; says so if not, as a test then proves nothing.
fn has_python() -> bool {
    programs::are_there(&["python3"], "a test of the bots in Python")
}

/// Feeds a whole input to a bot and takes everything it prints.
fn feed(bot: &str, input: &[u8]) -> Output {
    let mut file = tempfile::tempfile().expect("a file for the input");
    file.write_all(input).expect("the input is written");
    file.rewind().expect("the input is read from its start");
    let output = Command::new("python3").arg(example(bot)).stdin(Stdio::from(file)).output();
    output.expect("the bot runs")
}

/// The lines a bot prints for an input, after which it has ended well and in silence.
fn lines(bot: &str, input: impl AsRef<[u8]>) -> Vec<String> {
    let output = feed(bot, input.as_ref());
    assert!(output.status.success() && output.stderr.is_empty(), "{bot}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

fn words(line: &str) -> BTreeSet<&str> {
    line.strip_prefix("response").expect(line).split_whitespace().collect()
}

#[test]
fn position_bot_has_exactly_the_moves_of_every_known_position() {
    if !has_python() {
        return;
    }
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/tests/data/positions.jsonl");
    let data = fs::read_to_string(data).expect("the data file is there");
    let known: Vec<serde_json::Value> =
        data.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let fen = |line: &serde_json::Value| line["fen"].as_str().expect("fen").to_owned();
    let ask = |line| format!("position fen {}\nquery moves\n", fen(line));
    let answers = lines(POSITION, known.iter().map(ask).collect::<String>());
    assert_eq!(answers.len(), known.len());
    for (line, answer) in known.iter().zip(&answers) {
        let moves = line["turns"].as_object().expect("turns");
        let expected: BTreeSet<&str> = moves.keys().map(String::as_str).collect();
        assert_eq!(words(answer), expected, "{}", fen(line));
        assert_eq!(answer.split_whitespace().count(), expected.len() + 1, "a move came twice");
    }
}

#[test]
fn position_bot_counts_as_many_moves_as_everybody() {
    if has_python() {
        let lines = lines(POSITION, "position startpos\ngo perft 3\n");
        assert_eq!(lines.last().map(String::as_str), Some("nodes 724"));
        assert_eq!(lines.len(), 6);
    }
}

#[test]
fn position_bot_follows_games_by_every_switch_to_their_end() {
    if !has_python() {
        return;
    }
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (mut input, mut expected) = (String::new(), Vec::new());
    for text in [
        "",
        "forced-continuation",
        "single-first-capture repetition=2",
        "single-first-capture forced-continuation quiet=8",
        "vela-starved=paika blocked-is-draw",
        "vela-starved=debtor-loses max-plies=12",
        "vela-must-offer vela-starter=creditor repetition=0 quiet=0",
    ] {
        let rules: Ruleset = text.parse().expect(text);
        input += &format!("setoption name Rules value {text}\n");
        for board in ["tsivy", "dimy", "telo", "3x7", "left-right"] {
            let start: Start = board.parse().expect(board);
            let mut starts = vec![start.riatra(), start.vela(rules.vela_starter)];
            starts.extend(LATE.map(|fen| fen.parse::<Position>().expect(fen)));
            for start in starts {
                let mut game = Game::new(rules, start);
                let mut played = String::new();
                loop {
                    input += &format!("position fen {start} moves{played}\n");
                    input += "query fen\nquery result\nquery moves\n";
                    let ending = game.ending();
                    let moves = game.legal_moves();
                    expected.push((text, game.position().to_string(), ending, moves.clone()));
                    if ending.is_some() || game.moves().len() >= 40 {
                        break;
                    }
                    let mv = moves[random.random_range(0..moves.len())];
                    game.play(&mv).expect("a generated move is legal");
                    played += &format!(" {mv}");
                }
            }
        }
    }
    let answers = lines(POSITION, input);
    assert_eq!(answers.len(), expected.len() * 3);
    for (answers, (rules, fen, ending, moves)) in answers.chunks(3).zip(&expected) {
        assert_eq!(answers[0], format!("response {fen}"), "{rules}");
        let result = match ending.map(|ending| ending.winner) {
            None => "none",
            Some(None) => "draw",
            Some(Some(Side::White)) => "p1win",
            Some(Some(Side::Black)) => "p2win",
        };
        assert_eq!(answers[1], format!("response {result}"), "{fen} by `{rules}`");
        let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
        let moves: BTreeSet<&str> = moves.iter().map(String::as_str).collect();
        assert_eq!(words(&answers[2]), moves, "{fen} by `{rules}`");
    }
    for reason in Reason::ALL {
        let seen = expected
            .iter()
            .any(|(_, _, ending, _)| ending.is_some_and(|ending| ending.reason == reason));
        assert!(seen, "no game has ended by {reason}");
    }
}

#[test]
fn position_bot_says_one_bestmove_for_every_go_and_breaks_on_nothing() {
    if !has_python() {
        return;
    }
    let input = b"ugi\r\n\nbanana split\n\xff\xfe\nposition\nposition here\nposition fen\n\
        position fen x w\nposition fen 9/9/9/9/9 w\nposition fen b2/3/2W w - -1\n\
        position fen WWWW/WWWW/WWWW w\nposition startpos moves e2e3A e9e8\nposition fen 3/b w\n\
        go depth 3\nquery\nquery fen\nquery gameover\ngo perft 2\ngo perft\n\
        setoption\nsetoption name\nsetoption name Rules value nonsense\nsetoption name Seed value x\n\
        setoption name Rules\nposition startpos moves e2e3A\ngo infinite\nisready\nstop\n\
        go banana\ngo nodes 5 searchmoves f4e5W z9\ngo movetime 10 searchmoves a1a2\nstop\ngo";
    let lines = lines(POSITION, input);
    let with = |word: &str| -> Vec<&str> {
        lines.iter().map(String::as_str).filter(|l| l.split(' ').next() == Some(word)).collect()
    };
    let bestmoves = with("bestmove");
    assert_eq!(bestmoves.len(), 6, "{lines:?}");
    assert_eq!((bestmoves[0], bestmoves[3]), ("bestmove 0000", "bestmove f4e5W"));
    assert_eq!(with("response"), ["response none"; 3]);
    assert_eq!(with("nodes"), ["nodes 0"; 2]);
    assert_eq!(with("readyok").len(), 1);
}

#[test]
fn first_bot_is_short_and_breaks_on_nothing() {
    let text = fs::read_to_string(example(FIRST)).expect("the example is there");
    assert!(text.lines().count() <= 15, "anybody can read it at a glance");
    if has_python() {
        let lines = lines(
            FIRST,
            "ugi\r\n\nbanana\nsetoption name Hash value 1\nuginewgame\nisready\nposition startpos\n\
             go nodes 5 searchmoves e2e3A f4e5We4A a1a2\ngo\nquit\nisready\n",
        );
        let answers = ["readyok", "bestmove f4e5We4A", "bestmove 0000"];
        assert_eq!(lines[lines.len() - 3..], answers);
    }
}

/// The first fenced block of a language in the guide.
fn block(language: &str) -> String {
    let guide = example("../write-your-own-bot.md");
    let guide = fs::read_to_string(guide).expect("the guide is there");
    let (_, rest) = guide.split_once(&format!("```{language}\n")).expect(language);
    rest.split("```").next().unwrap_or_default().to_owned()
}

#[test]
fn the_guide_shows_the_first_bot_and_an_engine_of_a_config() {
    let bot = fs::read_to_string(example(FIRST)).expect("the example is there");
    let (_, code) = bot.split_once('\n').expect("it begins with a line that says what it is");
    assert_eq!(block("python"), code);
    let text = block("toml") + "[[engine]]\nname = \"random\"\ncommand = \"bot-random\"\n";
    let mine = parse("mine.toml", &text, Path::new("."), &Overrides::default());
    let mine = mine.unwrap_or_else(|errors| panic!("{errors}"));
    assert!(mine.engines.len() == 2 && mine.engines[0].legal_moves);
}

/// Plays a tournament of both bots in all kinds by some rules; gives the rows of its games.
fn tournament(dir: &Path, rules: &str, concurrency: u32) -> Vec<csv::StringRecord> {
    let examples = example("").display().to_string();
    let engine = |name: &str, extra: &str| {
        format!("[[engine]]\nname = {name:?}\ncommand = \"python3\"\n{extra}args = [")
            + &format!("{:?}]\n", format!("{examples}{name}"))
    };
    let text = format!(
        "name = \"python\"\nkinds = [\"riatra\", \"vela\", \"session\"]\nrounds = 1\n\
         limit = \"nodes=100\"\nstart_timeout = \"60s\"\n\
         [openings]\nsource = \"random\"\nplies = 2\n[rules]\n{rules}{}{}",
        engine(FIRST, "legal_moves = true\n"),
        engine(POSITION, ""),
    );
    let (config, out) = (dir.join("python.toml"), dir.join(format!("results{concurrency}")));
    fs::write(&config, text).expect("the config is written");
    let run = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["run", "--strict", "--concurrency", &concurrency.to_string(), "--out"])
        .args([&out, &config])
        .output()
        .expect("the arena runs");
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let mut reader = csv::Reader::from_path(out.join("games.csv")).expect("games.csv is there");
    reader.records().map(|row| row.expect("a row")).collect()
}

#[test]
fn both_bots_play_riatra_vela_and_sessions_without_a_fault() {
    if !has_python() {
        return;
    }
    for rules in ["", "forced-continuation = true\nvela-starved = \"paika\"\nquiet = 30\n"] {
        let dir = tempfile::tempdir().expect("a directory");
        let games = tournament(dir.path(), rules, 1);
        let text: String = rules.replace(" = ", "=").replace('"', "").replace('\n', " ");
        let ruleset: Ruleset = text.parse().expect("the rules");
        let mut kinds = BTreeSet::new();
        for game in &games {
            // game,pair,session,kind,opening,white,black,result,reason,offender,plies,book,start,…
            kinds.insert((game[2].is_empty(), game[3].to_owned()));
            assert_eq!(&game[9], "", "{} at fault: {}", &game[9], &game[8]);
            let (result, reason) = (game[7].parse().unwrap(), game[8].parse().unwrap());
            let replayed = replay(&ruleset, &game[12], &game[13], result, reason);
            assert_eq!(replayed, Ok(()), "game {}", &game[0]);
        }
        assert!(kinds.len() >= 3, "riatra, vela and games of sessions: {kinds:?}");
        let again = tournament(dir.path(), rules, 2);
        let told = |games: &[csv::StringRecord]| -> Vec<Vec<String>> {
            games.iter().map(|game| game.iter().take(14).map(str::to_owned).collect()).collect()
        };
        assert_eq!(told(&games), told(&again), "with a fixed amount of work games repeat");
    }
}
