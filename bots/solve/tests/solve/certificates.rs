//! The certificates in the repository, and the checkers with rules of their own: they pass what the
//! first checker passes and refuse what it refuses.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use fanorona_protocol::rules::{BoardSize, Position, Side, Start, raw};
use fanorona_solve::{Claim, GameValue, Images, Proof, Record, Solution, check};

use crate::{built, forge, game, solve, solved, with_records};

/// The output of `certificates/check.py`, which has rules of its own, for a solution as text; `None`
/// without Python.
fn checked_by_other_rules(text: &str) -> Option<Result<String, String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates/check.py");
    let mut python = match Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
    {
        Ok(python) => python,
        Err(_) => {
            // Bypass the capture of output for passing tests.
            let _ = writeln!(std::io::stderr(), "NOT RUN: certificates: python3 is missing");
            return None;
        }
    };
    // It stops reading where it finds an error.
    let _ = python.stdin.take().unwrap().write_all(text.as_bytes());
    let output = python.wait_with_output().unwrap();
    let read = |bytes| String::from_utf8(bytes).unwrap();
    let (said, notes) = (read(output.stdout), read(output.stderr));
    Some(if output.status.success() { Ok(said) } else { Err(notes) })
}

#[test]
fn committed_certificates_pass_both_checkers() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates");
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let is_solution =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "solution");
    let paths: Vec<PathBuf> = entries.filter(is_solution).collect();
    assert_eq!(paths.len(), 8);
    // Side by side: the other checker takes seconds for two of them.
    thread::scope(|scope| {
        for path in &paths {
            scope.spawn(|| passes_both_checkers(path));
        }
    });
}

fn passes_both_checkers(path: &Path) {
    let solution = Solution::read(path).unwrap();
    assert_eq!(check(&solution, None, || {}), Ok(()), "{}", path.display());
    let (_, text, _) = solve(&["show", path.to_str().unwrap()]);
    let Some(said) = checked_by_other_rules(&text) else { return };
    let said = said.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let value = serde_json::to_string(&solution.value).unwrap();
    assert!(said.ends_with(&format!(": {}\n", value.trim_matches('"'))), "{said}");
}

/// Without the tables on which the proofs rely, all of them but the values of their endings is
/// checked: after every move of the other side from a position of a set there is an ending, or the side
/// that holds has a move into the set or into an ending.
#[test]
fn proofs_with_tables_leave_only_endings_to_them() {
    let usual = Start::Usual(BoardSize::TSIVY).riatra();
    let left_right = Start::LeftRight(BoardSize::TSIVY).riatra();
    let kobaka_fohy = "bbbbbbbbb/bbbbbbbbb/bWb1W1WbW/WWWWWWWWW/WWWWWWWWW b".parse().unwrap();
    let vela = Start::Usual("7x5".parse().unwrap()).riatra().with_debtor(Some(Side::White));
    let (default, debtor_loses, paika) = ("", "vela-starved=debtor-loses", "vela-starved=paika");
    for (name, start, rules, side, stones, every) in [
        ("9x5-white-holds", usual, default, Side::White, 7, 9),
        ("9x5-black-holds", usual, default, Side::Black, 7, 41),
        ("kobaka-fohy-9x5-white-holds", kobaka_fohy, default, Side::White, 7, 17),
        ("left-right-9x5-black-holds", left_right, default, Side::Black, 8, 9),
        ("7x5-vela-black-holds", vela, default, Side::Black, 7, 1),
        ("7x5-vela-debtor-loses-black-holds", vela, debtor_loses, Side::Black, 7, 1),
        ("7x5-vela-paika-black-holds", vela, paika, Side::Black, 7, 1),
    ] {
        only_endings_are_left_to_tables(name, start, rules, side, stones, every);
    }
}

/// Looks at one position in `every`, which is enough to see a proof of another game or of other
/// rules.
fn only_endings_are_left_to_tables(
    name: &str,
    start: Position,
    rules: &str,
    side: Side,
    stones: usize,
    every: usize,
) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates/with-tables");
    let solution = Solution::read(&dir.join(format!("{name}.solution"))).unwrap();
    let holds = [GameValue::WhiteHolds, GameValue::BlackHolds][side as usize];
    assert_eq!((solution.value, solution.stones), (holds, stones));
    assert_eq!(solution.start, start);
    assert_eq!(solution.rules, rules.parse().unwrap());
    let [proof] = &solution.proofs[..] else { panic!("one set proves it") };
    let size = start.board().size();
    let images = Images::new(size);
    let is_won = |position: &Position| {
        solution.rules.ending(position).is_some_and(|ending| ending.winner == Some(side))
    };
    let is_ending = |position: &Position| {
        let [white, black] = Side::BOTH.map(|side| raw::stones(position.board(), side));
        (white | black).count_ones() as usize <= stones && !position.is_vela_phase_one()
    };
    let after = |position: &Position| {
        let moves = position.legal_moves(&solution.rules);
        let after = moves.iter().map(|mv| position.play(&solution.rules, mv).unwrap());
        after.collect::<Vec<Position>>()
    };
    let is_in_set = |position: &Position| {
        let [white, black] = Side::BOTH.map(|side| raw::stones(position.board(), side));
        proof.find(images.record(white, black, 0)).is_some()
    };
    let is_held = |position: &Position| {
        solution.rules.ending(position).is_none()
            && after(position).iter().any(|next| is_won(next) || is_ending(next) || is_in_set(next))
    };
    let is_start_held =
        if start.side_to_move() == side { is_held(&start) } else { is_in_set(&start) };
    assert!(is_start_held, "{name}");
    for record in proof.records().iter().step_by(every) {
        let position = solution.position(side, *record).unwrap();
        let is_kept = |next: &Position| is_ending(next) || is_held(next);
        assert!(after(&position).iter().all(is_kept), "{name}: {position}");
    }
}

#[test]
fn the_python_checker_knows_the_switches_and_finds_forgeries() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.solution");
    let file = file.to_str().unwrap();
    for rules in ["", "forced-continuation", "single-first-capture", "blocked-is-draw"] {
        for board in ["3x5", "7x3"] {
            let game = ["--board", board, "--rules", rules];
            let args = ["--stones", "0", "--memory", "64M", "--out", file];
            assert_eq!(solve(&[&game[..], &args].concat()).0, Some(0), "{board} {rules}");
            let (_, text, _) = solve(&["show", file]);
            let Some(said) = checked_by_other_rules(&text) else { return };
            assert!(said.is_ok(), "{board} {rules}: {said:?}");
            // Forgeries on one of the boards are enough.
            if board == "3x5" {
                continue;
            }
            // Without any one of these positions, the proof does not hold.
            let lines: Vec<&str> = text.lines().collect();
            for left_out in [1, lines.len() / 2, lines.len() - 1] {
                let rest = |place: &usize| *place != left_out;
                let rest = (0..lines.len()).filter(rest).map(|place| lines[place]);
                let forged = rest.collect::<Vec<_>>().join("\n");
                assert!(checked_by_other_rules(&forged).unwrap().is_err(), "{board} {left_out}");
            }
            // Nor if all ranks are equal, or under other rules.
            let mut equal = vec![lines[0].to_owned()];
            equal.extend(lines[1..].iter().map(|line| {
                let words: Vec<&str> = line.splitn(4, ' ').collect();
                format!("{} {} 5 {}", words[0], words[1], words[3])
            }));
            let said = checked_by_other_rules(&equal.join("\n")).unwrap();
            assert!(said.unwrap_err().contains("wrong at"), "{board} {rules}");
        }
    }
}

/// The exit code and the output of `certificates/check.rs` for a solution, with tables in a directory.
pub(crate) fn checked_again(solution: &Solution, tables: &Path) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.solution");
    solution.write(&file).unwrap();
    checked_text(&solve(&["show", file.to_str().unwrap()]).1, tables)
}

/// The same for a solution as text.
fn checked_text(text: &str, tables: &Path) -> (Option<i32>, String) {
    let test = std::env::current_exe().unwrap();
    let program = format!("examples/check{}", std::env::consts::EXE_SUFFIX);
    let program = test.parent().and_then(Path::parent).unwrap().join(program);
    let mut child = Command::new(&program)
        .arg(tables)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|why| {
            let build = "cargo build -p fanorona-solve --example check";
            panic!("{}: {why}: `{build}` builds it", program.display())
        });
    // It stops reading where the input cannot be used.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[test]
fn the_second_checker_passes_certificates_without_tables() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates");
    for (name, last) in [("7x3", "white"), ("9x3", "white"), ("5x5", "draw")] {
        let solution = Solution::read(&dir.join(format!("{name}.solution"))).unwrap();
        let (code, said) = checked_again(&solution, Path::new("/nowhere"));
        assert_eq!(code, Some(0), "{name}: {said}");
        assert!(said.ends_with(&format!(" w - 0 1: {last}\n")), "{name}: {said}");
        for proof in &solution.proofs {
            let all = format!(": {} positions checked, 0 failures", proof.records().len());
            assert!(said.contains(&all), "{name}: {said}");
        }
    }
}

/// Starts, rules and stones of the tables: wins and draws, every switch, a square board, and velas.
const WITH_TABLES: [(&str, &str, usize); 8] = [
    ("5x5", "", 4),
    ("7x3", "", 5),
    ("7x3", "forced-continuation", 4),
    ("3x7", "blocked-is-draw", 4),
    ("3x7", "single-first-capture", 4),
    ("bbbbb/bWb1W/WWWWW b b 0 1", "", 4),
    ("bbbbb/bW1bW/WWWWW w w 0 1", "vela-starved=paika", 5),
    ("bbb/bbb/b1W/WWW/WWW w w 0 1", "vela-starved=debtor-loses", 5),
];

#[test]
fn the_second_checker_passes_proofs_with_tables() {
    for (start, rules, stones) in WITH_TABLES {
        let board = game(start, rules, None).start().board().size().to_string();
        let switches = rules
            .split(' ')
            .filter(|word| ["forced-continuation", "blocked-is-draw"].contains(word));
        let (dir, tables) = built(&board, stones, &switches.collect::<Vec<_>>().join(" "));
        let solution = solved(&game(start, rules, Some(tables)));
        assert_eq!(solution.stones, stones);
        let (code, said) = checked_again(&solution, dir.path());
        assert_eq!(code, Some(0), "{start} {rules}: {said}");
        // Without the tables, it says which positions rest on them.
        let (code, said) = checked_again(&solution, Path::new("/nowhere"));
        assert_eq!(code, Some(3), "{start} {rules}: {said}");
        assert!(said.contains(&format!("missing tables: {board}-1v1.outcomes, ")), "{said}");
        assert!(!said.contains(", 0 left open"), "{said}");
    }
}

#[test]
fn both_checkers_refuse_the_same_forgeries() {
    // A win and, in a vela, two holds.
    for (board, start) in [("7x3", "7x3"), ("3x5", "bbb/bbb/b1W/WWW/WWW w w 0 1")] {
        let (dir, tables) = built(board, 4, "");
        let game = game(start, "", Some(tables));
        let solution = solved(&game);
        let mut forgeries = Vec::new();
        for (place, proof) in solution.proofs.iter().enumerate() {
            let records = proof.records();
            let with = |records: Vec<Record>| {
                let mut forged = solution.clone();
                forged.proofs[place] = Proof::new(proof.side, proof.claim, records);
                forged
            };
            for out in (0..records.len()).step_by(records.len().div_ceil(9)) {
                let mut fewer = records.to_vec();
                let record = fewer.remove(out);
                forgeries.push(with(fewer.clone()));
                if proof.claim == Claim::Wins {
                    // The same position, but with a rank that may be too small.
                    let (white, black) = (record.white(), record.black());
                    let rank = record.rank() / 2;
                    fewer.push(Record::new(white, black, rank));
                    forgeries.push(with(fewer));
                }
            }
            let other = match proof.claim {
                Claim::Wins => GameValue::won_by(!proof.side),
                Claim::Holds => GameValue::won_by(proof.side),
            };
            forgeries.push(Solution { value: other, ..solution.clone() });
        }
        for rules in ["forced-continuation", "single-first-capture", "vela-starved=paika"] {
            let start = match rules {
                "vela-starved=paika" => solution.start.with_debtor(Some(Side::White)),
                _ => solution.start,
            };
            let rules = rules.parse().unwrap();
            forgeries.push(Solution { rules, start, ..solution.clone() });
        }
        forgeries.push(with_records(&solution, vec![solution.proofs[0].records()[0]]));
        let mut refused = 0;
        for forged in &forgeries {
            let first = check(forged, game.tables(), || {});
            let (code, said) = checked_again(forged, dir.path());
            // Tables for other rules are refused before any position is looked at.
            let other = forged.rules.forced_continuation;
            let expected = if other { 2 } else { i32::from(first.is_err()) };
            assert_eq!(code, Some(expected), "{board} {}: {first:?} {said}", forged.rules);
            refused += i32::from(code == Some(1));
        }
        assert!(2 * refused > forgeries.len() as i32, "{refused} of {}", forgeries.len());
    }
}

#[test]
fn the_second_checker_refuses_wrong_tables() {
    let (dir, tables) = built("5x5", 4, "");
    let solution = solved(&game("5x5", "", Some(tables)));
    let table = |name: &str| dir.path().join(format!("5x5-{name}.outcomes"));
    let refused = |expected: i32, words: &str| {
        let (code, said) = checked_again(&solution, dir.path());
        assert_eq!(code, Some(expected), "{said}");
        assert!(said.contains(words), "{said}");
    };
    // Wins and losses exchanged, with a checksum that fits: digits of base three, turned round.
    let sound = fs::read(table("3v1")).unwrap();
    forge(&table("3v1"), |byte| 242 - byte);
    refused(1, "the proof does not hold");
    // Without one that fits.
    let mut damaged = sound.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(table("3v1"), &damaged).unwrap();
    refused(2, "5x5-3v1.outcomes: checksum is ");
    fs::write(table("3v1"), &damaged[..damaged.len() - 1]).unwrap();
    refused(2, "5x5-3v1.outcomes: the length is wrong");
    // The table of another layer, and none.
    fs::copy(table("2v2"), table("3v1")).unwrap();
    refused(2, "5x5-3v1.outcomes: layer is 2v2 instead of 3v1");
    fs::remove_file(table("3v1")).unwrap();
    refused(3, "missing tables: 5x5-3v1.outcomes\n");
    fs::write(table("3v1"), &sound).unwrap();
    assert_eq!(checked_again(&solution, dir.path()).0, Some(0));
}

/// The rule for a blocked side changes a loss of that side into a draw, so a side that holds without
/// it holds with it.
#[test]
fn a_hold_does_not_depend_on_the_rule_for_a_blocked_side() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates");
    let committed = Solution::read(&dir.join("5x5.solution")).unwrap();
    let rules = "blocked-is-draw".parse().unwrap();
    let other = Solution { rules, ..committed };
    assert_eq!(check(&other, None, || {}), Ok(()));
    assert_eq!(checked_again(&other, Path::new("/nowhere")).0, Some(0));
    // The same set holds with tables of that rule.
    let (_default, tables) = built("5x5", 4, "");
    let (dir, blocked) = built("5x5", 4, "blocked-is-draw");
    let solution = Solution { rules, ..solved(&game("5x5", "", Some(tables))) };
    assert_eq!(check(&solution, Some(&blocked), || {}), Ok(()));
    assert_eq!(checked_again(&solution, dir.path()).0, Some(0));
}
