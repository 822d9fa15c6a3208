//! The program `training`, from games to a network that plays.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::session::PolledSession;

fn training(words: &str, dir: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_training"))
        .args(words.split_whitespace())
        .current_dir(dir)
        .output()
        .expect("the program runs")
}

fn stdout_of(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The answers of `bot-alphabeta` to some lines. No end of input cuts its searches short.
fn alphabeta(input: &str) -> String {
    let output = CapturedOutput::default();
    let input = Lines(io::Cursor::new(input.to_owned()));
    let mut session = PolledSession::new(Box::new(AlphaBeta::new()), input, output.clone());
    assert!(session.run().expect("the session goes on"));
    let bytes = output.0.lock().expect("no thread has panicked").clone();
    String::from_utf8(bytes).expect("UTF-8")
}

/// Input of which no more comes after the last line, and no end.
struct Lines(io::Cursor<String>);

impl Read for Lines {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.0.read(into)? {
            0 => Err(io::ErrorKind::WouldBlock.into()),
            read => Ok(read),
        }
    }
}

#[derive(Clone, Default)]
struct CapturedOutput(Arc<Mutex<Vec<u8>>>);

impl Write for CapturedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no thread has panicked").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The scores that a bot has told, at least one.
fn scores(told: &str) -> Vec<String> {
    let score = |line: &str| {
        let mut words = line.split_once("score ")?.1.split(' ');
        Some([words.next()?, words.next()?].join(" "))
    };
    let scores: Vec<String> = told.lines().filter_map(score).collect();
    assert!(!scores.is_empty(), "{told}");
    scores
}

#[test]
fn games_train_a_network_that_plays() {
    let dir = tempfile::tempdir().expect("a directory");
    let dir = dir.path();
    let generate = "generate --nodes 20 --vela 50 --games";
    stdout_of(&training(&format!("{generate} 9 --out whole"), dir));
    // After appending to a truncated file, the file is the same.
    stdout_of(&training(&format!("{generate} 5 --out parts"), dir));
    let parts = dir.join("parts");
    let bytes = std::fs::read(&parts).expect("games");
    std::fs::write(&parts, &bytes[..bytes.len() - 3]).expect("written");
    stdout_of(&training(&format!("{generate} 9 --out parts"), dir));
    assert!(std::fs::read(&parts).unwrap() == std::fs::read(dir.join("whole")).unwrap());
    let counted = stdout_of(&training("count whole", dir));
    assert!(counted.starts_with("whole: 9 games, "), "{counted}");

    let trained = stdout_of(&training("network whole --out first --epochs 2 --batch 64", dir));
    let epochs: Vec<&str> = trained.lines().filter(|line| line.starts_with("epoch ")).collect();
    assert_eq!(epochs.len(), 2, "{trained}");
    stdout_of(&training("network whole --out second --epochs 2 --batch 64", dir));
    let weights = std::fs::read(dir.join("first")).unwrap();
    assert!(weights == std::fs::read(dir.join("second")).unwrap(), "the same weights");

    // The bot plays with these weights, and returns to its own.
    let go = "uginewgame\nposition startpos\ngo nodes 30000\nisready\n";
    let own = alphabeta(go);
    let set = "setoption name NetworkFile value";
    let first = dir.join("first");
    let first = first.display();
    let trained = alphabeta(&format!("{set} {first}\n{go}"));
    assert!(own.contains("bestmove") && trained.contains("bestmove"));
    assert_ne!(scores(&own), scores(&trained));
    let again = alphabeta(&format!("{set} {first}\n{set} <empty>\n{go}"));
    assert_eq!(scores(&again), scores(&own));
}

#[test]
fn a_network_plays_on_the_board_of_its_games() {
    let dir = tempfile::tempdir().expect("a directory");
    let dir = dir.path();
    stdout_of(&training("generate --board 5x5 --nodes 20 --vela 50 --games 40 --out small", dir));
    stdout_of(&training("network small --out weights --epochs 1 --batch 64", dir));
    let weights = dir.join("weights");
    let set = format!("setoption name NetworkFile value {}\n", weights.display());
    for (start, changes) in
        [("fen bbbbb/bbbbb/bW1bW/WWWWW/WWWWW w - 0 1", true), ("startpos", false)]
    {
        let go = format!("uginewgame\nposition {start}\ngo nodes 3000\nisready\n");
        let (own, trained) = (alphabeta(&go), alphabeta(&format!("{set}{go}")));
        assert_eq!(scores(&own) != scores(&trained), changes, "{start}: {own}{trained}");
    }
    // Games of different boards do not train one network.
    stdout_of(&training("generate --nodes 20 --games 2 --out usual", dir));
    let mixed = training("network usual small --out none", dir);
    assert_eq!(mixed.status.code(), Some(2));
    let told = String::from_utf8_lossy(&mixed.stderr);
    assert!(told.contains("small has games on 5x5, usual on 9x5"), "{told}");
    // A file belongs to one board.
    let other = training("generate --board 7x5 --nodes 20 --vela 50 --games 50 --out small", dir);
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("other settings"), "{other:?}");
}

#[test]
fn games_fit_a_formula() {
    let dir = tempfile::tempdir().expect("a directory");
    let dir = dir.path();
    stdout_of(&training("generate --nodes 20 --vela 50 --games 40 --out games", dir));
    let told = stdout_of(&training("handwritten games --out first", dir));
    let kinds: Vec<&str> = told.lines().filter(|line| line.contains(": training error ")).collect();
    assert_eq!(kinds.len(), 2, "{told}");
    stdout_of(&training("handwritten games --out second", dir));
    let weights = std::fs::read_to_string(dir.join("first")).unwrap();
    assert_eq!(weights, std::fs::read_to_string(dir.join("second")).unwrap());
    assert!(weights.contains("const RIATRA") && weights.contains("const DEBT"));
    let output = training("handwritten missing --out third", dir);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing"));
}

#[test]
fn unusable_input_is_rejected_with_a_reason() {
    let dir = tempfile::tempdir().expect("a directory");
    let dir = dir.path();
    std::fs::write(dir.join("text"), "weights\n").expect("written");
    for file in ["text", "missing"] {
        let path = dir.join(file);
        let path = path.display();
        let replies = alphabeta(&format!("setoption name NetworkFile value {path}\nisready\n"));
        let refusal = replies.lines().find(|line| line.contains("NetworkFile keeps its value"));
        assert!(refusal.is_some_and(|line| line.contains(file)), "{replies}");
        for command in [format!("count {file}"), format!("network {file} --out weights")] {
            let output = training(&command, dir);
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            assert!(String::from_utf8_lossy(&output.stderr).contains(file), "{output:?}");
        }
    }
    let unknown = training("generate --out games --games 1 --option Luck=1", dir);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("Luck=1"), "{unknown:?}");
    let empty = training("generate --out games --games 0", dir);
    assert!(empty.status.success(), "{empty:?}");
    let nothing = training("network games --out weights", dir);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&nothing.stderr).contains("no training samples"),
        "{nothing:?}"
    );
}

#[test]
fn the_program_prints_its_version_and_help() {
    let help = stdout_of(&training("--help", Path::new(".")));
    assert!(help.starts_with("Generate self-play games of bot-alphabeta"), "{help}");
}
