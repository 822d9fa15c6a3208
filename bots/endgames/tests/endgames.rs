//! Endgame tables compared with a solver that uses only the rules, and their files.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use fanorona_endgames::file_format::FormatProblem;
use fanorona_endgames::{
    self as endgame, BuildError, BuildObserver, FileProblem, Inspection, Layer, Outcome, Part,
    Plan, Tables,
};
use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{Board, BoardSize, Move, Position, Ruleset, Side, raw};
use sha2::{Digest, Sha256};

fn plan(board: &str, stones: usize, dir: &Path) -> Plan {
    let (board, dir) = (board.parse().unwrap(), dir.to_owned());
    Plan { board, stones, only: Vec::new(), dir, threads: 2, memory: 1 << 30 }
}

/// All positions of a layer.
const EVERYTHING: Inspection = Inspection { sample: u64::MAX, seed: 1, threads: 2 };

/// Tables in their own directory.
fn built(board: &str, stones: usize) -> (tempfile::TempDir, Tables) {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(board, stones, dir.path());
    endgame::build(&plan, &()).unwrap();
    let tables = Tables::open(dir.path(), plan.board, stones).unwrap();
    (dir, tables)
}

/// Every position of a board with 2 to a maximum number of stones, where both sides have stones and
/// White is to move.
fn positions(size: BoardSize, most: u32) -> Vec<Position> {
    let all = 1u64 << size.points();
    let mut positions = Vec::new();
    for taken in (0..all).filter(|taken: &u64| (2..=most).contains(&taken.count_ones())) {
        let mut white = (taken - 1) & taken;
        while white != 0 {
            let board = raw::board(white, taken ^ white, size).unwrap();
            positions.push(Position::from_board(board));
            white = (white - 1) & taken;
        }
    }
    positions
}

/// The same position with the colours exchanged, so that White is to move; the key of the naive
/// solver.
fn for_white(position: &Position) -> (u64, u64) {
    let board = position.board();
    (raw::stones(board, position.side_to_move()), raw::stones(board, !position.side_to_move()))
}

/// The values of all positions up to a number of stones, computed by iterating over all positions
/// until nothing changes: round n finds the wins and losses in n plies.
fn naive(size: BoardSize, most: u32) -> HashMap<(u64, u64), Value> {
    let rules = Ruleset::default();
    let mut values = HashMap::new();
    let mut open = Vec::new();
    for position in positions(size, most) {
        let moves = position.legal_moves(&rules);
        let after = |mv| for_white(&position.play(&rules, mv).unwrap());
        open.push((for_white(&position), moves.iter().map(after).collect::<Vec<_>>()));
    }
    for ply in 0.. {
        let mut found = Vec::new();
        open.retain(|(position, moves)| {
            let value = |after: &(u64, u64)| match after.0 {
                0 if ply > 0 => Some(Value::Loss(0)),
                _ => values.get(after).copied(),
            };
            let all: Vec<_> = moves.iter().map(value).collect();
            let won = all.iter().any(|value| matches!(value, Some(Value::Loss(_))));
            let lost = all.iter().all(|value| matches!(value, Some(Value::Win(_))));
            if won {
                found.push((*position, Value::Win(ply)));
            } else if lost {
                found.push((*position, Value::Loss(ply)));
            }
            !won && !lost
        });
        // A position that ends in n plies has a move to one that ends in n - 1.
        if found.is_empty() && ply > 0 {
            break;
        }
        values.extend(found);
    }
    values.extend(open.into_iter().map(|(position, _)| (position, Value::Draw)));
    values
}

#[test]
fn values_match_the_naive_solver() {
    let rules = Ruleset::default();
    for (board, stones) in [("3x3", 8), ("5x3", 5), ("3x5", 4), ("5x5", 3)] {
        let (_dir, tables) = built(board, stones);
        let size: BoardSize = board.parse().unwrap();
        let naive = naive(size, stones as u32);
        for position in positions(size, stones as u32) {
            let expected = naive[&for_white(&position)];
            let found = tables.value(&position, &rules).unwrap();
            assert_eq!(found, Some(expected), "{position}");
            let outcome = match expected {
                Value::Win(_) => Outcome::Win,
                Value::Loss(_) => Outcome::Loss,
                _ => Outcome::Draw,
            };
            assert_eq!(tables.outcome(&position, &rules), Some(outcome), "{position}");
        }
        for layer in tables.layers() {
            for side in tables.sides(layer) {
                let of_half = naive.iter().filter(|((own, enemy), _)| {
                    (own.count_ones(), enemy.count_ones()) == (side.own, side.enemy)
                });
                let (mut wins, mut draws, mut losses, mut longest) = (0, 0, 0, 0);
                for (_, value) in of_half {
                    match *value {
                        Value::Win(plies) => (wins, longest) = (wins + 1, longest.max(plies)),
                        Value::Loss(_) => losses += 1,
                        _ => draws += 1,
                    }
                }
                assert_eq!((side.wins, side.draws, side.losses), (wins, draws, losses), "{layer}");
                let told = side.longest.map_or(0, |longest| longest.plies.into());
                assert_eq!(told, longest, "{layer} on {board}");
                if let Some(longest) = side.longest {
                    let position = tables.position(layer, longest.number);
                    let value = tables.value(&position, &rules).unwrap();
                    assert_eq!(value, Some(Value::Win(longest.plies.into())), "{position}");
                }
            }
        }
    }
}

#[test]
fn every_position_of_larger_boards_follows_from_its_moves() {
    for (board, stones) in [("9x5", 3), ("7x3", 4), ("5x9", 3)] {
        let (_dir, tables) = built(board, stones);
        for layer in tables.layers() {
            let verified = endgame::verify(&tables, layer, &EVERYTHING, |_| {}).unwrap();
            assert!(verified.all && verified.positions == tables.len(layer), "{layer} on {board}");
        }
    }
}

#[test]
fn all_positions_of_9x5_are_counted() {
    let (_dir, tables) = built("9x5", 3);
    let count = |stones| -> u64 {
        let sides = tables.layers().filter(|layer| layer.stones() == stones);
        sides.flat_map(|layer| tables.sides(layer)).map(|h| h.wins + h.draws + h.losses).sum()
    };
    // Two of 45 points and two ways to colour them; three points, and six ways.
    assert_eq!((count(2), count(3)), (990 * 2, 14190 * 6));
}

#[test]
fn colour_and_side_to_move_do_not_matter() {
    let (_dir, tables) = built("5x3", 4);
    let rules = Ruleset::default();
    let mut compared = 0;
    for position in positions(tables.board(), 4).into_iter().step_by(7) {
        let (white, black) =
            (position.board().stones(Side::White), position.board().stones(Side::Black));
        let text = Position::from_board(Board::from_stones(black, white).unwrap()).to_string();
        let swapped: Position = text.replace(" w ", " b ").parse().unwrap();
        assert_eq!(swapped.side_to_move(), Side::Black);
        assert_eq!(
            tables.value(&swapped, &rules).unwrap(),
            tables.value(&position, &rules).unwrap()
        );
        compared += 1;
    }
    assert!(compared > 1000);
}

#[test]
fn other_rules_and_phases_have_no_value() {
    let (_dir, tables) = built("3x3", 5);
    let known = |fen: &str, rules: &str| {
        tables.outcome(&fen.parse().unwrap(), &rules.parse().unwrap()).is_some()
    };
    for (fen, rules, expected) in [
        ("3/1b1/W1W w", "", true),
        ("3/1b1/W1W w", "quiet=10 repetition=2 max-plies=9 vela-starved=paika", true),
        ("3/1b1/W1W w", "forced-continuation", false),
        ("3/1b1/W1W w", "blocked-is-draw", false),
        ("3/1b1/W1W w", "single-first-capture", true),
        // A side starts with four stones, so its enemy may not have captured yet.
        ("3/WWb/WW1 w", "", true),
        ("3/WWb/WW1 w", "single-first-capture", false),
        // On this board a creditor never has more than five stones, and so it is phase two.
        ("3/1b1/W1W w w", "", true),
        ("3/bbb/WWW w", "", false),
        ("5/5/2b2/5/2W2 w", "", false),
    ] {
        assert_eq!(known(fen, rules), expected, "{fen} {rules}");
    }
    let tables = endgame::build_in_memory("5x3".parse().unwrap(), 7).unwrap();
    for (fen, phase_one) in [("bbbbb/b4/4W w w", true), ("bbbbb/b4/4W w", false)] {
        let position: Position = fen.parse().unwrap();
        assert_eq!(position.is_vela_phase_one(), phase_one, "{fen}");
        assert_eq!(tables.outcome(&position, &Ruleset::default()).is_none(), phase_one, "{fen}");
    }
}

#[test]
fn a_lost_or_won_game_is_over() {
    let (_dir, tables) = built("3x3", 2);
    let value = |fen: &str| tables.value(&fen.parse().unwrap(), &Ruleset::default()).unwrap();
    assert_eq!(value("3/3/1b1 w"), Some(Value::Loss(0)));
    assert_eq!(value("3/3/1b1 b"), Some(Value::Win(0)));
}

/// The layers that a build found and those that it started.
#[derive(Default)]
struct Log {
    found: Mutex<Vec<Layer>>,
    begun: Mutex<Vec<Vec<Layer>>>,
}

impl BuildObserver for Log {
    fn begin(&self, layers: &[Layer], _: u64) {
        self.begun.lock().unwrap().push(layers.to_vec());
    }

    fn advance(&self, _: u64) {}

    fn end(&self) {}

    fn found(&self, layer: Layer) {
        self.found.lock().unwrap().push(layer);
    }
}

impl Log {
    fn texts(self) -> (Vec<String>, Vec<String>) {
        let join =
            |layers: Vec<Layer>| layers.iter().map(Layer::to_string).collect::<Vec<_>>().join(" ");
        let found = self.found.into_inner().unwrap();
        let begun = self.begun.into_inner().unwrap();
        (found.iter().map(Layer::to_string).collect(), begun.into_iter().map(join).collect())
    }
}

/// The files of a directory with their contents.
fn contents(dir: &Path) -> HashMap<PathBuf, Vec<u8>> {
    let paths = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (PathBuf::from(path.file_name().unwrap()), fs::read(&path).unwrap())).collect()
}

#[test]
fn an_interrupted_build_resumes_at_its_layer() {
    let (dir, _tables) = built("5x3", 4);
    let whole = contents(dir.path());
    assert_eq!(whole.len(), 8, "two files for each of four layers: {:?}", whole.keys());
    // Simulate a build interrupted while it wrote 2v2, with one complete file.
    let lost = dir.path().join("5x3-2v2.plies");
    fs::remove_file(&lost).unwrap();
    fs::write(dir.path().join("5x3-2v2.plies.part"), "half of it").unwrap();
    let log = Log::default();
    endgame::build(&plan("5x3", 4, dir.path()), &log).unwrap();
    assert_eq!(log.texts(), (vec!["1v1".into(), "2v1".into(), "3v1".into()], vec!["2v2".into()]));
    assert!(contents(dir.path()) == whole, "the same files to the byte");
}

#[test]
fn threads_and_memory_do_not_change_the_files() {
    let (dir, _tables) = built("5x5", 5);
    let other = tempfile::tempdir().unwrap();
    // Besides the memory of a thread, the layers of five stones need some 300 KiB together, and
    // less than 240 one at a time.
    let mut plan = plan("5x5", 5, other.path());
    (plan.threads, plan.memory) = (1, (32 << 20) + (270 << 10));
    let log = Log::default();
    endgame::build(&plan, &log).unwrap();
    assert_eq!(log.texts().1, ["1v1", "2v1", "3v1 2v2", "4v1", "3v2"]);
    assert!(contents(dir.path()) == contents(other.path()), "the same files to the byte");
    plan.memory = 1 << 20;
    fs::remove_file(other.path().join("5x5-2v1.plies")).unwrap();
    match endgame::build(&plan, &()).unwrap_err() {
        BuildError::Memory { layer, needed, allowed } => {
            assert_eq!((layer.to_string().as_str(), allowed), ("2v1", 1 << 20));
            assert!(needed > 32 << 20);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_layer_can_be_built_without_its_neighbours() {
    let dir = tempfile::tempdir().unwrap();
    let layer: Layer = "3v2".parse().unwrap();
    let plan = Plan { only: vec![layer], ..plan("5x3", 5, dir.path()) };
    endgame::build(&plan, &()).unwrap();
    let tables = Tables::open(dir.path(), plan.board, 8).unwrap();
    assert_eq!(tables.stones(), 4);
    assert_eq!(tables.layers().last(), Some(layer));
    assert!(endgame::verify(&tables, layer, &EVERYTHING, |_| {}).unwrap().all);
    let (_dir, all) = built("5x3", 5);
    assert_eq!(tables.sides(layer), all.sides(layer));
    let rules = Ruleset::default();
    let other: Layer = "4v1".parse().unwrap();
    assert_eq!(tables.value(&all.position(other, 0), &rules).unwrap(), None);
    assert_eq!(tables.outcome(&all.position(other, 0), &rules), None);
    let error = endgame::build(&Plan { stones: 6, ..plan }, &()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "3v2 does not have 6 stones; all layers with fewer stones are needed anyway"
    );
}

#[test]
fn unpacked_tables_equal_packed_tables() {
    let (_dir, packed) = built("5x3", 4);
    let (_other, mut tables) = built("5x3", 4);
    let rules = Ruleset::default();
    let layer: Layer = "2v2".parse().unwrap();
    for memory in [0, 500, u64::MAX] {
        tables.unpack(layer, memory).unwrap();
        for (layer, number) in packed
            .layers()
            .flat_map(|layer| (0..packed.len(layer)).map(move |number| (layer, number)))
        {
            let position = packed.position(layer, number);
            let value = packed.value(&position, &rules).unwrap();
            assert_eq!(tables.value(&position, &rules).unwrap(), value, "{position}");
        }
    }
}

#[test]
fn impossible_plans_are_rejected_with_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    for (board, stones) in [("9x5", 1), ("9x5", 9), ("3x3", 9)] {
        let error = endgame::build(&plan(board, stones, dir.path()), &()).unwrap_err();
        assert!(matches!(error, BuildError::Stones { .. }), "{error}");
    }
}

fn format_problem(problem: Option<FileProblem>) -> FormatProblem {
    match problem {
        Some(FileProblem::Format(error)) => error.problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_in_memory_say_the_same_as_on_disk_and_are_checked_at_once() {
    let (dir, tables) = built("5x3", 3);
    let mut files: BTreeMap<String, &'static [u8]> = BTreeMap::new();
    for entry in fs::read_dir(dir.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        files.insert(name, fs::read(path).unwrap().leak());
    }
    let board = tables.board();
    let read = Tables::from_files(&files, board).unwrap();
    assert!(read.layers().eq(tables.layers()));
    let rules = Ruleset::default();
    for position in positions(board, 3) {
        let value = |tables: &Tables| tables.value(&position, &rules).unwrap();
        assert_eq!(value(&read), value(&tables), "{position}");
    }
    let name = "5x3-2v1.plies";
    let mut damaged = files[name].to_vec();
    *damaged.last_mut().unwrap() ^= 1;
    files.insert(name.to_owned(), damaged.leak());
    let error = Tables::from_files(&files, board).err().unwrap();
    assert_eq!(error.path, Path::new(name));
    let payload = FormatProblem::Damaged { part: "payload".to_owned() };
    assert_eq!(format_problem(Some(error.problem)), payload);
    files.remove(name);
    assert_eq!(Tables::from_files(&files, board).unwrap().stones(), 2);
}

#[test]
fn damaged_files_are_rejected_with_the_place_and_the_damage() {
    let (dir, tables) = built("5x3", 3);
    drop(tables);
    let board = "5x3".parse().unwrap();
    let outcomes = dir.path().join("5x3-2v1.outcomes");
    let plies = dir.path().join("5x3-2v1.plies");
    let problem = |path: &Path, bytes: &[u8]| {
        let sound = fs::read(path).unwrap();
        fs::write(path, bytes).unwrap();
        let error = Tables::open(dir.path(), board, 3).err();
        // A build must not accept it as finished either.
        assert!(endgame::build(&plan("5x3", 3, dir.path()), &()).is_err());
        fs::write(path, sound).unwrap();
        error.map(|error| {
            assert_eq!(error.path, path);
            error.problem
        })
    };
    let sound = fs::read(&outcomes).unwrap();
    let changed = |at: usize, to: u8| {
        let mut bytes = sound.clone();
        assert_ne!(bytes[at], to);
        bytes[at] = to;
        bytes
    };
    let at = |word: &str| {
        let text = String::from_utf8_lossy(&sound[..1000]).into_owned();
        text.find(word).unwrap() + word.len()
    };
    let found = problem(&outcomes, b"not a table");
    assert_eq!(format_problem(found), FormatProblem::Foreign);
    let found = problem(&outcomes, &changed(at("\"version\":"), b'7'));
    assert_eq!(format_problem(found), FormatProblem::Version { found: 7, known: 1 });
    let damaged = |part: &str| FormatProblem::Damaged { part: part.to_owned() };
    let found = problem(&outcomes, &changed(at("\"numbers\":"), b'9'));
    assert_eq!(format_problem(found), damaged("header"));
    let found = problem(&outcomes, &sound[..1000]);
    assert_eq!(format_problem(found), FormatProblem::Truncated);
    let found = problem(&outcomes, &sound[..sound.len() - 1]);
    let expected = sound.len() as u64;
    assert_eq!(format_problem(found), FormatProblem::Length { found: expected - 1, expected });
    let last = sound.len() - 1;
    let found = problem(&outcomes, &changed(last, sound[last] ^ 1));
    assert_eq!(format_problem(found), damaged("payload"));
    let found = problem(&outcomes, &fs::read(dir.path().join("5x3-1v1.outcomes")).unwrap());
    assert!(matches!(found, Some(FileProblem::Other { .. })), "{found:?}");

    // The checksums of plies are checked when they are read.
    let mut bytes = fs::read(&plies).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&plies, bytes).unwrap();
    let tables = Tables::open(dir.path(), board, 3).unwrap();
    let error = tables.value(&"5/2b2/W3W w".parse().unwrap(), &Ruleset::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{}: an endgame table whose block 0 is damaged: remove the file and build the table \
             again",
            plies.display()
        )
    );
    let layer = Layer::new(2, 1).unwrap();
    assert!(endgame::verify(&tables, layer, &EVERYTHING, |_| {}).is_err());
}

fn endgames(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_endgames")).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_program_builds_verifies_counts_and_probes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    let (code, _, notes) = endgames(&["build", "--stones", "3", "--board", "3x3", "--out", path]);
    assert_eq!(code, Some(0), "{notes}");
    let (code, text, _) = endgames(&["verify", path]);
    assert_eq!(code, Some(0));
    assert_eq!(text, "3x3 1v1: 16 positions, all\n3x3 2v1: 96 positions, all\n");
    let (code, text, _) = endgames(&["verify", path, "--layer", "2v1", "--sample", "7"]);
    assert_eq!((code, text.as_str()), (Some(0), "3x3 2v1: 7 positions, a sample\n"));
    let (code, _, why) = endgames(&["verify", path, "--all", "--sample", "7"]);
    assert_eq!(code, Some(2));
    assert!(why.contains("--sample"), "{why}");
    let (code, _, why) = endgames(&["verify", path, "--layer", "2v2"]);
    assert_eq!(code, Some(2));
    assert!(why.contains("no table of 2v2 on 3x3: the tables have up to 3 stones"), "{why}");
    let (code, text, _) = endgames(&["stats", path]);
    assert_eq!(code, Some(0));
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(lines[1][..7], ["1v1", "88.8889", "0.0000", "11.1111", "64", "0", "8"]);
    assert_eq!(lines[3][..7], ["1v2", "38.0952", "6.3492", "55.5556", "96", "16", "140"]);
    let (code, text, _) = endgames(&["probe", "3/3/Wb1 w", "--dir", path]);
    assert_eq!((code, text.lines().next()), (Some(0), Some("win 3")));
    assert!(text.lines().nth(1).is_some_and(|line| line.ends_with(": win 3")), "{text}");
    let (code, _, why) = endgames(&["probe", "3/bbb/WWW w", "--dir", path]);
    assert_eq!(code, Some(2));
    assert!(why.contains("up to 3 stones"), "{why}");
    let (code, _, why) = endgames(&["stats", "/nowhere"]);
    assert_eq!(code, Some(2));
    assert!(why.contains("/nowhere: no endgame tables here"), "{why}");
}

/// A layer may have more positions than are verified unless all are asked for.
#[test]
fn every_position_is_verified_if_all_are_asked_for() {
    let (dir, tables) = built("5x5", 5);
    let layer = tables.layers().last().unwrap();
    let (path, name) = (dir.path().to_str().unwrap(), layer.to_string());
    let said = |args: &[&str]| {
        let args = [&["verify", path, "--layer", &name][..], args].concat();
        let (code, text, notes) = endgames(&args);
        assert_eq!(code, Some(0), "{notes}");
        text
    };
    let all = tables.len(layer);
    assert!(all > 100_000);
    assert_eq!(said(&[]), format!("5x5 {layer}: 100000 positions, a sample\n"));
    assert_eq!(said(&["--all"]), format!("5x5 {layer}: {all} positions, all\n"));
}

/// Every machine builds the files of which `tables.sha256` has the digests.
#[test]
fn built_tables_have_the_published_digests() {
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables.sha256");
    let published = fs::read_to_string(published).unwrap();
    let digests: HashMap<&str, &str> = published
        .lines()
        .map(|line| line.split_once("  ").map(|(digest, name)| (name, digest)).unwrap())
        .collect();
    // Two files for every layer: of up to six stones on 5x5, of up to seven on 9x5.
    assert_eq!((digests.len(), published.lines().count()), (42, 42));
    for (board, stones, files) in [("9x5", 3, 4), ("5x5", 5, 12)] {
        let (dir, _tables) = built(board, stones);
        let contents = contents(dir.path());
        assert_eq!(contents.len(), files);
        for (path, bytes) in contents {
            let name = path.file_name().unwrap().to_str().unwrap();
            let digest = Sha256::digest(&bytes);
            let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(digests.get(name), Some(&&digest[..]), "{name}");
        }
    }
}

#[test]
fn verification_reports_a_wrong_value() {
    // A table of another layer or board under this name would be rejected. So the error is one that
    // only the rules detect: the outcomes of 1v1 on 3x3, rewritten as draws.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    assert_eq!(endgames(&["build", "--stones", "2", "--board", "3x3", "--out", path]).0, Some(0));
    let file = dir.path().join("3x3-1v1.outcomes");
    let mut bytes = fs::read(&file).unwrap();
    let payload = bytes.split_off(1024);
    let wrong: Vec<u8> = payload.iter().map(|byte| if *byte == 0 { 1 } else { 0 }).collect();
    let text = String::from_utf8(bytes[..1015].to_vec()).unwrap();
    let old = format!("\"checksum\":{}", crc32fast::hash(&payload));
    let new = format!("\"checksum\":{}", crc32fast::hash(&wrong));
    assert!(text.contains(&old));
    let mut text = text.replace(&old, &new).trim_end().to_owned();
    text.push_str(&" ".repeat(1015 - text.len()));
    let seal = format!("{:08x}\n", crc32fast::hash(text.as_bytes()));
    fs::write(&file, [text.as_bytes(), seal.as_bytes(), &wrong].concat()).unwrap();
    let (code, _, why) = endgames(&["verify", path]);
    assert_eq!(code, Some(1), "{why}");
    // With any number of threads.
    let alone = endgames(&["verify", path, "--threads", "1"]);
    assert_eq!(endgames(&["verify", path, "--threads", "5"]), alone);
    assert!(
        why.contains("1v1 on 3x3, 3/3/") && why.contains("the stored outcome is Loss"),
        "{why}"
    );
}

#[test]
fn tables_in_memory_equal_tables_in_files() {
    for (board, stones) in [("3x3", 8), ("5x3", 6), ("9x5", 3)] {
        let (_dir, files) = built(board, stones);
        let memory = endgame::build_in_memory(board.parse().unwrap(), stones).unwrap();
        let rules = Ruleset::default();
        assert_eq!((memory.stones(), memory.longest()), (files.stones(), files.longest()));
        for layer in files.layers() {
            assert_eq!(memory.sides(layer), files.sides(layer));
            for number in 0..files.len(layer) {
                let position = files.position(layer, number);
                let of = |tables: &Tables| {
                    (tables.value(&position, &rules).unwrap(), tables.outcome(&position, &rules))
                };
                assert_eq!(of(&memory), of(&files), "{position}");
            }
        }
    }
}

/// The moves of a position that keep an outcome for White, who is to move, and the values of the
/// other moves.
fn split(tables: &Tables, position: &Position, worth: Outcome) -> (Vec<Move>, Vec<Value>) {
    let (mut keep, mut rest) = (Vec::new(), Vec::new());
    for (mv, value) in tables.moves(position, &Ruleset::default()).unwrap().unwrap() {
        match (value, worth) {
            (Value::Win(_), Outcome::Win) | (Value::Draw, Outcome::Draw) => keep.push(mv),
            _ => rest.push(value),
        }
    }
    (keep, rest)
}

/// Every position with given numbers of stones, White to move, without images of each other.
fn distinct(tables: &Tables, own: u32, enemy: u32) -> Vec<Position> {
    let mut seen = HashSet::new();
    let images = |position: &Position| {
        let (columns, rows) = (position.board().size().columns(), position.board().size().rows());
        let (white, black) = for_white(position);
        let mut images = Vec::new();
        for mirror in 0..4 {
            let image = |set: u64| {
                let points = (0..columns * rows).filter(|point| set >> point & 1 == 1);
                points.fold(0u64, |image, point| {
                    let (column, row) = (point % columns, point / columns);
                    let column = if mirror & 1 == 1 { columns - 1 - column } else { column };
                    let row = if mirror & 2 == 2 { rows - 1 - row } else { row };
                    image | 1 << (row * columns + column)
                })
            };
            images.push((image(white), image(black)));
        }
        images.into_iter().min().unwrap()
    };
    let all = positions(tables.board(), own + enemy).into_iter();
    all.filter(|position| {
        let (white, black) = for_white(position);
        (white.count_ones(), black.count_ones()) == (own, enemy) && seen.insert(images(position))
    })
    .collect()
}

#[test]
fn the_longest_wins_match_a_scan_of_all_positions() {
    let (_dir, tables) = built("5x3", 5);
    let rules = Ruleset::default();
    for (own, enemy) in [(2, 2), (2, 3), (3, 2)] {
        let mut expected: Vec<(Reverse<u32>, usize)> = Vec::new();
        for position in distinct(&tables, own, enemy) {
            if let Some(Value::Win(plies)) = tables.value(&position, &rules).unwrap() {
                let winning = split(&tables, &position, Outcome::Win).0.len();
                expected.push((Reverse(plies), winning));
            }
        }
        expected.sort_unstable();
        let puzzles = endgame::longest_wins(&tables, (own, enemy), 50, 1).unwrap();
        let found: Vec<_> = puzzles
            .iter()
            .map(|puzzle| {
                let Value::Win(plies) = puzzle.value else { panic!("{}", puzzle.position) };
                assert_eq!(puzzle.moves[0].1, puzzle.value);
                assert_eq!(puzzle.line.len(), 13.min(plies as usize));
                assert_eq!(puzzle.line[0], puzzle.moves[0].0);
                assert_eq!(tables.value(&puzzle.position, &rules).unwrap(), Some(puzzle.value));
                (Reverse(plies), puzzle.solutions().count())
            })
            .collect();
        assert_eq!(found, expected[..50], "{own}v{enemy}");
        let positions: HashSet<_> = puzzles.iter().map(|puzzle| puzzle.position).collect();
        assert_eq!(positions.len(), 50);
        let by_three = endgame::longest_wins(&tables, (own, enemy), 50, 3).unwrap();
        assert_eq!(by_three, puzzles, "{own}v{enemy}");
    }
    assert_eq!(endgame::longest_wins(&tables, (3, 3), 5, 1).unwrap(), []);
}

#[test]
fn single_moves_match_a_scan_of_all_positions() {
    let (_dir, tables) = built("5x3", 5);
    for (own, enemy, worth) in
        [(3, 2, Outcome::Win), (2, 3, Outcome::Win), (2, 2, Outcome::Draw), (2, 3, Outcome::Draw)]
    {
        let mut expected: Vec<(Reverse<u32>, Reverse<usize>)> = Vec::new();
        for position in distinct(&tables, own, enemy) {
            let (keep, rest) = split(&tables, &position, worth);
            let plies = |value: &Value| match value {
                Value::Loss(plies) => Some(*plies),
                _ => None,
            };
            let lost: Option<Vec<u32>> = rest.iter().map(plies).collect();
            if let Some(lost) = lost
                && keep.len() == 1
                && rest.len() >= endgame::MIN_MOVES - 1
            {
                expected.push((Reverse(*lost.iter().min().unwrap()), Reverse(rest.len() + 1)));
            }
        }
        expected.sort_unstable();
        let count = expected.len().min(40);
        assert!(count > 2, "{own}v{enemy} {worth:?}: {count}");
        let single = |outcomes, part, threads| {
            endgame::single_moves(&tables, (own, enemy), outcomes, count, part, threads).unwrap()
        };
        let [puzzles, nothing] = single([worth, Outcome::Loss], Part::ALL, 1);
        assert_eq!(nothing, []);
        let found: Vec<_> = puzzles
            .iter()
            .map(|puzzle| {
                assert_eq!(puzzle.solutions().count(), 1);
                (Reverse(puzzle.refutation().unwrap()), Reverse(puzzle.moves.len()))
            })
            .collect();
        assert_eq!(found, expected[..count], "{own}v{enemy} {worth:?}");
        let by_three = single([Outcome::Loss, worth], Part::ALL, 3);
        assert_eq!(by_three, [Vec::new(), puzzles.clone()], "{own}v{enemy} {worth:?}");
    }
}

#[test]
fn a_part_of_a_layer_has_a_subset_of_its_puzzles() {
    // 4v2 has more numbers than two of the pieces that a part consists of.
    let (_dir, tables) = built("5x3", 6);
    let single = |part, threads| {
        let outcomes = [Outcome::Draw];
        let [found] =
            endgame::single_moves(&tables, (2, 4), outcomes, usize::MAX, part, threads).unwrap();
        found
    };
    let all = single(Part::ALL, 1);
    let [half, least] = [Part::one_in(2), Part::one_in(u64::from(u32::MAX))].map(|p| single(p, 1));
    assert!(!least.is_empty() && least.len() < half.len() && half.len() < all.len());
    assert!(half.iter().all(|puzzle| all.contains(puzzle)));
    assert!(least.iter().all(|puzzle| half.contains(puzzle)));
    assert_eq!(single(Part::one_in(2), 3), half);
    assert_eq!(single(Part::one_in(1), 2), all);
}

#[test]
fn a_census_divides_all_positions_by_captures() {
    for board in ["3x3", "5x3"] {
        let (_dir, tables) = built(board, 4);
        let all = positions(tables.board(), 4);
        for (own, enemy) in [(1, 3), (3, 1), (2, 2)] {
            let census = endgame::census(&tables, (own, enemy), 2).unwrap();
            let [side, other] = census.expect("the layer is there");
            let turned = endgame::census(&tables, (enemy, own), 1).unwrap();
            assert_eq!(turned, Some([other, side]), "{own}v{enemy} on {board}");
            let endgame::Census { captures, quiet } = side;
            let of = |position: &&Position| {
                let (white, black) = for_white(position);
                (white.count_ones(), black.count_ones()) == (own, enemy)
            };
            for (count, has_capture) in [(captures, true), (quiet, false)] {
                let positions = all.iter().filter(of);
                let kind = positions.filter(|position| position.has_capture() == has_capture);
                let mut expected = endgame::Count::default();
                for position in kind {
                    match tables.outcome(position, tables.rules()).unwrap() {
                        Outcome::Win => expected.wins += 1,
                        Outcome::Draw => expected.draws += 1,
                        Outcome::Loss => expected.losses += 1,
                    }
                }
                assert_eq!(count, expected, "{own}v{enemy} on {board}, {has_capture}");
            }
        }
        assert_eq!(endgame::census(&tables, (3, 2), 1).unwrap(), None);
    }
}

#[test]
fn a_survey_agrees_with_larger_tables() {
    let (_dir, tables) = built("5x3", 5);
    let (_larger, known) = built("5x3", 6);
    let survey = endgame::survey(&tables, (2, 4), (3000, 7), 3, 100).unwrap();
    let (captures, quiet) = (survey.captures, survey.quiet);
    assert_eq!(captures.positions() + quiet.positions(), 3000);
    assert_eq!(captures.open, 0);
    // The decided shares agree with those of all positions, from the larger tables.
    let side = known.sides("4v2".parse().unwrap()).iter().find(|side| side.own == 2).unwrap();
    let all = (side.wins + side.draws + side.losses) as f64;
    for (share, found) in
        [(side.wins, captures.wins + quiet.wins), (side.losses, captures.losses + quiet.losses)]
    {
        let (least, expected) = (found as f64, 3000.0 * share as f64 / all);
        let open = quiet.open as f64;
        assert!(
            least - 150.0 < expected && expected < least + open + 150.0,
            "{expected} {survey:?}"
        );
    }
    assert!(captures.wins > 100 && quiet.open < 2000, "{survey:?}");
    assert!(!survey.single_wins.is_empty());
    for puzzle in &survey.single_wins {
        let value = known.value(&puzzle.position, &Ruleset::default()).unwrap();
        assert_eq!(value, Some(puzzle.value));
        assert_eq!(split(&known, &puzzle.position, Outcome::Win).0.len(), 1);
    }
    // The same seed gives the same sample.
    let again = endgame::survey(&tables, (2, 4), (3000, 7), 3, 100).unwrap();
    assert_eq!((again.captures, again.quiet), (captures, quiet));
}

#[test]
fn the_program_writes_a_page_of_puzzles() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    let (code, _, notes) = endgames(&["build", "--stones", "6", "--board", "5x3", "--out", path]);
    assert_eq!(code, Some(0), "{notes}");
    let (code, page, why) = endgames(&["puzzles", path, "--board", "5x3", "--wins", "3"]);
    assert_eq!(code, Some(0), "{why}");
    assert!(page.contains("$ endgames puzzles DIR --board 5x3 --wins 3\n"), "{page}");
    assert_eq!(page.matches("**3–3 no. ").count(), 3, "{page}");
    assert!(!page.contains("**4–3"), "{page}");
    assert!(page.contains("tables with fewer than seven stones show nothing"), "{page}");
    // Boards and positions agree, and solutions match `probe`.
    for part in page.split("```text\n").skip(1) {
        let (board, rest) = part.split_once("```\n\n`").unwrap();
        let (fen, rest) = rest.split_once('`').unwrap();
        let position: Position = fen.parse().unwrap();
        for (side, sign) in [(Side::White, '○'), (Side::Black, '●')] {
            assert_eq!(board.matches(sign).count() as u32, position.board().count(side), "{fen}");
        }
        let solution = rest.split("\n\n").nth(2).unwrap();
        let mv = solution.split('`').nth(1).unwrap();
        let (code, told, why) = endgames(&["probe", fen, "--dir", path]);
        assert_eq!(code, Some(0), "{why}");
        let best = told.lines().next().unwrap();
        assert!(told.lines().any(|line| line == format!("{mv}: {best}")), "{fen} {mv} {told}");
    }
    let (code, _, why) = endgames(&["puzzles", path]);
    assert_eq!(code, Some(2));
    assert!(why.contains("9x5-1v1.plies"), "{why}");
}

#[test]
fn the_program_prints_its_version_and_help() {
    let (_, help, _) = endgames(&["--help"]);
    assert!(help.starts_with("Endgame tables for Fanorona"), "{help}");
}

#[test]
fn zero_threads_are_rejected_with_a_reason() {
    let (_, _, why) = endgames(&["verify", "nowhere", "--threads", "0"]);
    assert!(why.contains("expected a whole number of at least 1"), "{why}");
}
