//! Solved games: compared with a solver that uses only the rules, checked, forged, stopped and
//! resumed.

mod certificates;
mod closing;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use fanorona_endgames::file_format::FormatProblem;
use fanorona_endgames::{self as endgame, Inspection, Plan, Tables};
use fanorona_protocol::rules::{BoardSize, Position, Ruleset, Side};
use fanorona_solve::{
    Claim, Flaw, Game, GameValue, JoinError, Problem, Proof, QuestionProgress, Record, Run,
    RunStatus, Solution, SolutionProblem, State, StateProblem, check, join,
};

fn built(board: &str, stones: usize, rules: &str) -> (tempfile::TempDir, Tables) {
    let dir = tempfile::tempdir().unwrap();
    let board = board.parse().unwrap();
    let plan = Plan {
        board,
        stones,
        only: Vec::new(),
        dir: dir.path().to_owned(),
        threads: 1,
        memory: 1 << 30,
    };
    endgame::build_by(&plan, &rules.parse().unwrap(), &()).unwrap();
    let tables = Tables::open(dir.path(), board, stones).unwrap();
    (dir, tables)
}

/// The game of a board, or from a position in FEN.
fn game(start: &str, rules: &str, tables: Option<Tables>) -> Game {
    let start = match start.parse::<BoardSize>() {
        Ok(size) => Position::start(size),
        Err(_) => start.parse().unwrap(),
    };
    Game::new(start, rules.parse().unwrap(), tables)
}

/// A game's solution, which must pass the checker.
fn solved(game: &Game) -> Solution {
    solved_by(game, 1)
}

fn solved_by(game: &Game, threads: usize) -> Solution {
    let mut run = Run::new(game, 4 << 20, threads);
    for _ in 0..100 {
        if let RunStatus::Solved(solution) = run.advance(100_000, &AtomicBool::new(false)) {
            let checked = check(&solution, game.tables(), || {});
            assert_eq!(checked, Ok(()), "{} {}", game.start(), game.rules());
            return solution;
        }
    }
    panic!("not solved: {:?}", run.progress());
}

/// The value of a game, computed by iterating over all positions until nothing changes.
fn naive(start: &Position, rules: &Ruleset) -> GameValue {
    let mut places = HashMap::from([(*start, 0)]);
    let mut positions = vec![*start];
    let mut nexts: Vec<Vec<usize>> = Vec::new();
    let mut value: Vec<Option<GameValue>> = Vec::new();
    while let Some(&position) = positions.get(nexts.len()) {
        let ending = rules.ending(&position);
        value.push(ending.map(|ending| ending.winner.map_or(GameValue::Draw, GameValue::won_by)));
        let moves = if ending.is_some() { Vec::new() } else { position.legal_moves(rules) };
        let mut next = Vec::new();
        for mv in moves {
            let position = position.play(rules, &mv).unwrap();
            next.push(*places.entry(position).or_insert_with(|| {
                positions.push(position);
                positions.len() - 1
            }));
        }
        nexts.push(next);
    }
    loop {
        let mut changed = false;
        for place in (0..positions.len()).rev() {
            let wins = GameValue::won_by(positions[place].side_to_move());
            let loses = GameValue::won_by(!positions[place].side_to_move());
            if value[place].is_none() {
                value[place] = if nexts[place].iter().any(|&next| value[next] == Some(wins)) {
                    Some(wins)
                } else if nexts[place].iter().all(|&next| value[next] == Some(loses)) {
                    Some(loses)
                } else {
                    None
                };
                changed |= value[place].is_some();
            }
        }
        if !changed {
            return value[0].unwrap_or(GameValue::Draw);
        }
    }
}

#[test]
fn the_value_of_3x3_matches_the_naive_solver_under_every_rule() {
    let starts = [
        "3x3",
        "bbb/b1W/WWW b",
        "b1b/bWb/W1W w",
        "b2/1W1/W1b b",
        "2b/W1W/1W1 w",
        "bbW/1WW/3 b",
        "bWb/1W1/b1b b",
        "1b1/bW1/2W w",
        "b1W/3/W1b w",
        "WW1/1bb/b2 w",
        "W2/1bb/3 w",
        "W2/1b1/1b1 w",
    ];
    let mut worths = HashMap::new();
    for switches in 0..8 {
        let words = ["forced-continuation", "single-first-capture", "blocked-is-draw"];
        let on = |&place: &usize| switches >> place & 1 == 1;
        let rules = (0..3).filter(on).map(|place| words[place]).collect::<Vec<_>>().join(" ");
        for start in starts {
            let game = game(start, &rules, None);
            let solution = solved(&game);
            assert_eq!(solution.value, naive(game.start(), game.rules()), "{start} {rules}");
            *worths.entry(solution.value.to_string()).or_insert(0) += 1;
        }
    }
    assert_eq!(worths.len(), 3, "every worth is there: {worths:?}");
}

#[test]
fn the_value_of_a_vela_matches_the_naive_solver() {
    // Phase one: the creditor, Black, has more than five stones, so White captures one at a time.
    let mut worths = Vec::new();
    for start in ["bbb2/bbb2/W3W w w", "bb1/bb1/bb1/2W/1W1 b w", "bb1/1b1/bb1/1bW/2W w w"] {
        for starved in ["creditor-loses", "debtor-loses", "paika"] {
            let game = game(start, &format!("vela-starved={starved}"), None);
            assert!(game.start().is_vela_phase_one());
            let solution = solved(&game);
            assert_eq!(solution.value, naive(game.start(), game.rules()), "{start} {starved}");
            worths.push(solution.value);
        }
    }
    assert!(worths.iter().any(|value| *value != worths[0]), "{worths:?}");
}

#[test]
fn the_values_of_small_boards_match_the_literature() {
    // Schadd and others 2008, table 4.
    for (board, stones) in [("3x3", 4), ("5x3", 5), ("3x5", 5), ("7x3", 5), ("3x7", 5)] {
        let (_dir, tables) = built(board, stones, "");
        assert_eq!(solved(&game(board, "", Some(tables))).value, GameValue::White, "{board}");
    }
    let (_dir, tables) = built("5x5", 5, "");
    assert_eq!(solved(&game("5x5", "", Some(tables))).value, GameValue::Draw);
}

#[test]
fn tables_under_other_rules_are_verified_and_used() {
    for rules in ["forced-continuation", "blocked-is-draw", "forced-continuation blocked-is-draw"] {
        let (dir, tables) = built("3x3", 5, rules);
        let all = Inspection { sample: u64::MAX, seed: 1, threads: 1 };
        for layer in tables.layers() {
            let verified = endgame::verify(&tables, layer, &all, |_| {}).unwrap();
            assert!(verified.all, "{rules}");
        }
        let with = solved(&game("3x3", rules, Some(tables)));
        let without = solved(&game("3x3", rules, None));
        assert_eq!((with.value, with.stones, without.stones), (without.value, 5, 0));
        // Tables for other rules are rejected, both for probing and for building.
        let tables = Tables::open(dir.path(), BoardSize::TELO, 5).unwrap();
        let position = "3/1b1/W1W w".parse().unwrap();
        assert_eq!(tables.outcome(&position, &Ruleset::default()), None);
        assert!(tables.outcome(&position, &rules.parse().unwrap()).is_some());
        let plan = Plan {
            board: BoardSize::TELO,
            stones: 2,
            only: Vec::new(),
            dir: dir.path().to_owned(),
            threads: 1,
            memory: 1 << 30,
        };
        let error = endgame::build(&plan, &()).unwrap_err().to_string();
        assert!(
            error.contains(&format!("with the rules `{rules}`, not with the rules ``")),
            "{error}"
        );
    }
    let plan = Plan {
        board: BoardSize::TELO,
        stones: 2,
        only: Vec::new(),
        dir: "/nowhere".into(),
        threads: 1,
        memory: 1 << 30,
    };
    let rules = "single-first-capture".parse().unwrap();
    assert!(matches!(
        endgame::build_by(&plan, &rules, &()),
        Err(endgame::BuildError::Rules(refused)) if refused == rules
    ));
}

/// The solution of 7x3, a win, and the tables it needs.
fn seven_by_three() -> (tempfile::TempDir, Game, Solution) {
    let (dir, tables) = built("7x3", 5, "");
    let game = game("7x3", "", Some(tables));
    let solution = solved(&game);
    (dir, game, solution)
}

/// The solution with other records in its only set.
fn with_records(solution: &Solution, records: Vec<Record>) -> Solution {
    let Proof { side, claim, .. } = solution.proofs[0];
    Solution { proofs: vec![Proof::new(side, claim, records)], ..solution.clone() }
}

#[test]
fn forged_wins_are_rejected() {
    let (_dir, game, solution) = seven_by_three();
    let flaw = |solution: &Solution| check(solution, game.tables(), || {}).unwrap_err();
    let records = solution.proofs[0].records();
    let ranks = || records.iter().map(|record| record.rank());
    assert!(records.len() > 50 && ranks().max() > Some(5));

    // Without the positions after the first move, or without any other that the proof needs.
    let but = |out: Record| records.iter().copied().filter(move |record| *record != out);
    let stones = |record: &Record| (record.white() | record.black()).count_ones();
    let most = records.iter().map(stones).max().unwrap();
    let later = records.iter().copied().filter(|record| stones(record) < most).collect();
    let flawed = flaw(&with_records(&solution, later));
    assert_eq!(flawed, Flaw::Start(Side::White, Claim::Wins));
    let mut refused = 0;
    for &record in records {
        let forged = with_records(&solution, but(record).collect());
        refused += usize::from(check(&forged, game.tables(), || {}).is_err());
    }
    // A win may have a second winning move; most have none.
    assert!(2 * refused > records.len(), "{refused} of {}", records.len());

    // With a rank that does not decrease.
    let ranked = |record: Record, rank| Record::new(record.white(), record.black(), rank);
    let first = *records.iter().max_by_key(|record| record.rank()).unwrap();
    let low = ranked(first, 1);
    let flawed = flaw(&with_records(&solution, but(first).chain([low]).collect()));
    assert!(matches!(
        flawed,
        Flaw::Position(wrong) if matches!(wrong.problem, Problem::Move(_)) && wrong.rank == 1
    ));
    let equal = records.iter().map(|&record| ranked(record, 7)).collect();
    assert!(matches!(flaw(&with_records(&solution, equal)), Flaw::Position(_)));

    // With an invalid position.
    let nowhere = Record::new(1 << 44, 0, 1);
    let flawed = flaw(&with_records(&solution, but(nowhere).chain([nowhere]).collect()));
    assert_eq!(flawed, Flaw::NoPosition(Side::White, Claim::Wins));
    let unused = Record::from_bytes((1_u128 << 90 | 1 << 45 | 2).to_le_bytes());
    let flawed = flaw(&with_records(&solution, but(unused).chain([unused]).collect()));
    assert_eq!(flawed, Flaw::NoPosition(Side::White, Claim::Wins));
    let double = Record::new(3, 1, 1);
    let flawed = flaw(&with_records(&solution, but(double).chain([double]).collect()));
    assert_eq!(flawed, Flaw::NoPosition(Side::White, Claim::Wins));

    // With another value, another start, other rules.
    let other = Solution { value: GameValue::Draw, ..solution.clone() };
    assert_eq!(flaw(&other), Flaw::Unsupported(GameValue::Draw));
    let other = Solution { value: GameValue::Black, ..solution.clone() };
    assert_eq!(flaw(&other), Flaw::Unsupported(GameValue::Black));
    let other = Solution { start: "bbbbbbb/7/WWWWWWW w".parse().unwrap(), ..solution.clone() };
    assert_eq!(flaw(&other), Flaw::Start(Side::White, Claim::Wins));
    for rules in ["forced-continuation", "blocked-is-draw"] {
        let other = Solution { rules: rules.parse().unwrap(), ..solution.clone() };
        assert!(matches!(flaw(&other), Flaw::Position(_)), "{rules}");
    }
    let vela = solution.start.with_debtor(Some(Side::White));
    let other = Solution { start: vela, ..solution.clone() };
    assert!(matches!(flaw(&other), Flaw::Position(_)));
}

#[test]
fn a_win_needs_the_tables_it_was_found_with() {
    let (dir, _game, solution) = seven_by_three();
    let size = solution.start.board().size();
    let fewer = Tables::open(dir.path(), size, 4).unwrap();
    assert_eq!(check(&solution, Some(&fewer), || {}), Err(Flaw::Tables { stones: 5, found: 4 }));
    assert_eq!(check(&solution, None, || {}), Err(Flaw::Tables { stones: 5, found: 0 }));
    // Every value changed to a draw, with correct checksums.
    for entry in fs::read_dir(dir.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "outcomes") {
            forge(&path, |_| 0b0111_1001);
        }
    }
    let drawn = Tables::open(dir.path(), size, 5).unwrap();
    assert!(matches!(check(&solution, Some(&drawn), || {}), Err(Flaw::Position(_))));
}

/// Changes every byte of a table's payload and makes the checksums fit.
fn forge(path: &Path, change: impl Fn(u8) -> u8) {
    let bytes = fs::read(path).unwrap();
    let (page, payload) = bytes.split_at(1024);
    let forged: Vec<u8> = payload.iter().map(|&byte| change(byte)).collect();
    let mut page: serde_json::Value = serde_json::from_slice(&page[..1015]).unwrap();
    page["checksum"] = crc32fast::hash(&forged).into();
    let text = format!("{:1015}", page.to_string());
    let seal = format!("{:08x}\n", crc32fast::hash(text.as_bytes()));
    fs::write(path, [text.as_bytes(), seal.as_bytes(), &forged].concat()).unwrap();
}

#[test]
fn forged_draws_are_rejected() {
    let (_dir, tables) = built("5x5", 5, "");
    let game = game("5x5", "", Some(tables));
    let solution = solved(&game);
    let flaw = |solution: &Solution| check(solution, game.tables(), || {}).unwrap_err();
    // Holding is not winning.
    for proof in &solution.proofs {
        let wins = Proof::new(proof.side, Claim::Wins, proof.records().to_vec());
        let value = GameValue::won_by(proof.side);
        let forged = Solution { value, proofs: vec![wins], ..solution.clone() };
        assert!(matches!(flaw(&forged), Flaw::Position(_)), "{value}");
    }
    // One side's set is not enough, and it is not the other side's.
    for proof in &solution.proofs {
        let one = Solution { proofs: vec![proof.clone()], ..solution.clone() };
        assert_eq!(flaw(&one), Flaw::Unsupported(GameValue::Draw));
        let swapped = Proof::new(!proof.side, proof.claim, proof.records().to_vec());
        let twice = Solution { proofs: vec![proof.clone(), swapped], ..solution.clone() };
        assert_eq!(flaw(&twice), Flaw::Start(!proof.side, Claim::Holds));
    }
    // Without some positions.
    for (place, proof) in solution.proofs.iter().enumerate() {
        let (mut tried, mut refused) = (0, 0);
        for out in (0..proof.records().len()).step_by(17) {
            let mut records = proof.records().to_vec();
            records.remove(out);
            let mut forged = solution.clone();
            forged.proofs[place] = Proof::new(proof.side, proof.claim, records);
            refused += usize::from(check(&forged, game.tables(), || {}).is_err());
            tried += 1;
        }
        assert!(2 * refused > tried, "{refused} of {tried}");
    }
}

#[test]
fn files_survive_writing_and_reading_and_damage_is_reported() {
    let (dir, _game, solution) = seven_by_three();
    let path = dir.path().join("win.solution");
    solution.write(&path).unwrap();
    assert_eq!(Solution::read(&path).unwrap(), solution);
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates/5x5.solution");
    let again = dir.path().join("again.solution");
    Solution::read(&committed).unwrap().write(&again).unwrap();
    assert!(fs::read(&again).unwrap() == fs::read(&committed).unwrap(), "byte for byte");
    let sound = fs::read(&path).unwrap();
    let problem = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let SolutionProblem::Format(error) = Solution::read(&path).unwrap_err().problem else {
            panic!("the file can be read")
        };
        error.problem
    };
    assert_eq!(problem(b"no solution\n"), FormatProblem::Foreign);
    assert_eq!(problem(b""), FormatProblem::Foreign);
    let text = String::from_utf8_lossy(&sound).into_owned();
    let version = text.find("\"version\":").unwrap() + "\"version\":".len();
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 4;
        let found = problem(&bytes);
        if at == version {
            assert_eq!(found, FormatProblem::Version { found: 5, known: 1 }, "{at}");
        }
    }
    let damaged = |part: &str| FormatProblem::Damaged { part: part.to_owned() };
    assert_eq!(problem(&sound[..sound.len() - 1]), damaged("set of positions"));
    let longer = [&sound[..], b"x"].concat();
    assert_eq!(problem(&longer), damaged("end"));
}

#[test]
fn a_run_resumes_where_it_was_saved() {
    let (dir, tables) = built("7x3", 3, "");
    let game = game("7x3", "", Some(tables));
    let stop = AtomicBool::new(false);
    let path = dir.path().join("state");
    let mut run = Run::new(&game, 4 << 20, 1);
    let (mut state, last) = State::open(&path, &mut run).unwrap();
    assert_eq!(last, None);
    assert_eq!(run.advance(500, &stop), RunStatus::Open);
    assert_eq!(run.advance(300, &stop), RunStatus::Open);
    state.save(&run, 17).unwrap();
    let before = (run.progress(), run.moves());
    // A killed run leaves half-written files, and its work since the last save is lost.
    run.advance(100, &stop);
    fs::write(path.join("state.json.part"), "{").unwrap();
    fs::write(path.join("positions-2.zst"), "half").unwrap();
    let mut other = Run::new(&game, 4 << 20, 1);
    let error = State::open(&path, &mut other).err().unwrap();
    assert!(matches!(error.problem, StateProblem::InUse), "{error}");
    drop(state);
    let mut run = Run::new(&game, 4 << 20, 1);
    let (mut state, last) = State::open(&path, &mut run).unwrap();
    assert_eq!(last.unwrap().cpu_ms, 17);
    assert_eq!((run.progress(), run.moves()), before);
    assert_eq!(run.progress().each_ref().map(|standing| standing.nodes), [500, 300]);
    let solution = loop {
        if let RunStatus::Solved(solution) = run.advance(10_000, &stop) {
            break solution;
        }
        state.save(&run, 18).unwrap();
    };
    assert_eq!(solution.value, GameValue::White);
    assert_eq!(check(&solution, game.tables(), || {}), Ok(()));
    drop(state);

    // The state of another game is rejected, and damage is reported.
    let rules = "vela-starved=paika";
    let other = self::game(
        "7x3",
        rules,
        Some(Tables::open(dir.path(), solution.start.board().size(), 3).unwrap()),
    );
    let error = State::open(&path, &mut Run::new(&other, 1 << 20, 1)).err().unwrap();
    assert!(error.to_string().contains("another game (rules: `` instead of"), "{error}");
    // So are smaller tables than those it was found with; larger ones are welcome.
    let with = |stones| {
        let tables = Tables::open(dir.path(), solution.start.board().size(), stones).unwrap();
        self::game("7x3", "", Some(tables))
    };
    let error = State::open(&path, &mut Run::new(&with(2), 1 << 20, 1)).err().unwrap();
    assert!(matches!(error.problem, StateProblem::FewerStones { .. }), "{error}");
    let smaller = dir.path().join("smaller");
    let (game_before, game_now) = (with(2), with(3));
    let mut run = Run::new(&game_before, 4 << 20, 1);
    let (mut state, _) = State::open(&smaller, &mut run).unwrap();
    assert_eq!(run.advance(100, &stop), RunStatus::Open);
    state.save(&run, 1).unwrap();
    drop(state);
    let mut run = Run::new(&game_now, 4 << 20, 1);
    let (_state, last) = State::open(&smaller, &mut run).unwrap();
    assert_eq!(last.unwrap().cpu_ms, 1);
    let value = loop {
        if let RunStatus::Solved(solution) = run.advance(10_000, &stop) {
            assert_eq!(check(&solution, game_now.tables(), || {}), Ok(()));
            break solution.value;
        }
    };
    assert_eq!(value, GameValue::White);
    let table = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
    let table = table.into_iter().find(|path| path.extension().is_some_and(|e| e == "zst"));
    let table = table.unwrap();
    let mut bytes = fs::read(&table).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&table, bytes).unwrap();
    let error = State::open(&path, &mut Run::new(&game, 1 << 20, 1)).err().unwrap();
    assert!(matches!(error.problem, StateProblem::Format(_)), "{error}");
    assert!(error.to_string().contains("the state of a run whose content is damaged"), "{error}");
    assert_eq!(error.path, table);
}

#[test]
fn threads_find_the_same_value() {
    for (board, stones, value) in [("7x3", 3, GameValue::White), ("5x5", 4, GameValue::Draw)] {
        let (_dir, tables) = built(board, stones, "");
        let game = game(board, "", Some(tables));
        for threads in [2, 3, 7] {
            assert_eq!(solved_by(&game, threads).value, value, "{board} {threads}");
        }
    }
}

/// A question is settled long before the other one; what it has found is saved like the rest.
#[test]
fn a_settled_question_stays_settled() {
    let (dir, tables) = built("5x5", 4, "");
    let game = game("5x5", "", Some(tables));
    let (path, stop) = (dir.path().join("state"), AtomicBool::new(false));
    let mut run = Run::new(&game, 1 << 20, 1);
    let settled = |run: &Run<'_>| run.progress().iter().filter(|s| s.answer.is_some()).count();
    while settled(&run) == 0 {
        assert_eq!(run.advance(500, &stop), RunStatus::Open);
    }
    let (mut state, _) = State::open(&path, &mut Run::new(&game, 1 << 20, 1)).unwrap();
    state.save(&run, 0).unwrap();
    drop(state);
    let mut resumed = Run::new(&game, 1 << 20, 1);
    State::open(&path, &mut resumed).unwrap();
    assert_eq!(settled(&resumed), 1);
    let answers = |run: &Run<'_>| run.progress().map(|s| (s.nodes, s.answer, s.positions));
    assert_eq!(answers(&resumed), answers(&run));
    let solution = loop {
        if let RunStatus::Solved(solution) = resumed.advance(100_000, &stop) {
            break solution;
        }
    };
    assert_eq!(check(&solution, game.tables(), || {}), Ok(()));
}

/// With tables so small that collecting a proof must search again for many positions.
#[test]
fn splitting_into_questions_resumes_where_it_was_saved() {
    const SLICE: u64 = 500;
    let (dir, tables) = built("5x5", 4, "");
    let game = game("5x5", "", Some(tables));
    let (path, stop) = (dir.path().join("state"), AtomicBool::new(false));
    let begin = || {
        let mut run = Run::new(&game, 1 << 17, 1);
        let (state, _) = State::open(&path, &mut run).unwrap();
        (run, state)
    };
    let (mut run, mut state) = begin();
    let (mut kills, mut searched) = (0, [0, 0]);
    let solution = loop {
        let before = run.progress();
        if let RunStatus::Solved(solution) = run.advance(SLICE, &stop) {
            break solution;
        }
        let now = run.progress();
        for (searched, (before, now)) in searched.iter_mut().zip(before.iter().zip(&now)) {
            let apart = before.numbers.answer().is_some();
            *searched += if apart { now.nodes - before.nodes } else { 0 };
        }
        let apart = |s: &&QuestionProgress| s.answer.is_none() && s.positions > 500 * (kills + 1);
        let Some(asked) = now.iter().find(apart) else { continue };
        state.save(&run, 0).unwrap();
        // Work after the save is lost in a power failure.
        run.advance(SLICE, &stop);
        drop((run, state));
        // Two runs that resume from this state search the same nodes.
        let resumed = || {
            let (mut run, _state) = begin();
            run.advance(SLICE, &stop);
            run.progress()
        };
        assert_eq!(resumed(), resumed());
        (run, state) = begin();
        assert_eq!(run.progress().each_ref().map(|s| s.nodes), now.each_ref().map(|s| s.nodes));
        // Nothing that is collected has to be collected again.
        let place = now.iter().position(|s| s.attacker == asked.attacker).unwrap();
        assert_eq!(run.progress()[place].positions, asked.positions);
        kills += 1;
    };
    assert!(kills > 3 && searched.iter().sum::<u64>() > 10 * SLICE, "{kills} {searched:?}");
    assert_eq!(solution.value, GameValue::Draw);
    assert_eq!(check(&solution, game.tables(), || {}), Ok(()));
}

#[test]
fn one_question_alone_gives_a_bound() {
    let (_dir, tables) = built("5x5", 4, "");
    let game = game("5x5", "", Some(tables));
    for attacker in Side::BOTH {
        let mut run = Run::new(&game, 4 << 20, 2);
        run.ask_only(attacker);
        let mut solution = None;
        for _ in 0..100 {
            assert_eq!(run.settled(), None);
            if let RunStatus::Solved(found) = run.advance(100_000, &AtomicBool::new(false)) {
                solution = Some(found);
                break;
            }
        }
        let solution = solution.expect("5x5 takes fewer nodes");
        assert_eq!(run.settled().as_ref(), Some(&solution));
        assert_eq!(solution.value, GameValue::held_by(!attacker));
        assert_eq!(check(&solution, game.tables(), || {}), Ok(()));
        assert_eq!(run.progress()[!attacker as usize].nodes, 0);
        for value in [GameValue::Draw, GameValue::held_by(attacker), GameValue::won_by(!attacker)] {
            let more = Solution { value, ..solution.clone() };
            assert_eq!(check(&more, game.tables(), || {}), Err(Flaw::Unsupported(value)));
        }
    }
}

#[test]
fn solutions_after_the_first_moves_are_joined() {
    for (board, stones) in [("5x5", 4), ("5x3", 4)] {
        let (dir, tables) = built(board, stones, "");
        let size = tables.board();
        let (start, rules) = (Position::start(size), Ruleset::default());
        let part = |after: Position| {
            let tables = Tables::open(dir.path(), size, stones).unwrap();
            solved(&Game::new(after, rules, Some(tables)))
        };
        let moves = start.legal_moves(&rules);
        let parts: Vec<Solution> =
            moves.iter().map(|mv| part(start.play(&rules, mv).unwrap())).collect();
        let whole = join(&start, &parts, Some(&tables)).unwrap();
        assert_eq!(check(&whole, Some(&tables), || {}), Ok(()), "{board}");
        assert_eq!(whole.value, part(start).value, "{board}");
        assert_eq!(whole.start, start);
        // One good move shows what White can have, and no more than that.
        let good = |part: &&Solution| part.value == whole.value;
        let one = parts.iter().find(good).expect("a best move").clone();
        let bound = join(&start, &[one.clone(), one], Some(&tables)).unwrap();
        assert_eq!(check(&bound, Some(&tables), || {}), Ok(()), "{board}");
        let expected = match whole.value {
            GameValue::Draw => GameValue::WhiteHolds,
            value => value,
        };
        assert_eq!(bound.value, expected, "{board}");
        // What Black has after one move says nothing while White has others.
        let black: Vec<Solution> = parts.iter().map(|part| only_of(part, Side::Black)).collect();
        let joined = join(&start, &black, Some(&tables));
        match whole.value {
            GameValue::Draw => assert_eq!(joined.unwrap().value, GameValue::BlackHolds),
            _ => assert_eq!(joined, Err(JoinError::Open(start)), "{board}"),
        }
        assert_eq!(join(&start, &black[1..], Some(&tables)), Err(JoinError::Open(start)));
    }
}

/// A solution with the sets of one side.
fn only_of(solution: &Solution, side: Side) -> Solution {
    let mut part = solution.clone();
    part.proofs.retain(|proof| proof.side == side);
    part
}

#[test]
fn only_solutions_of_one_game_are_joined() {
    let solution = solved(&game("3x3", "", None));
    let start = solution.start;
    assert_eq!(join(&start, &[], None), Err(JoinError::Nothing));
    assert_eq!(join(&start, std::slice::from_ref(&solution), None).as_ref(), Ok(&solution));
    for other in [Position::start("3x5".parse().unwrap()), start.with_debtor(Some(Side::White))] {
        let parts = [solution.clone()];
        assert_eq!(join(&other, &parts, None), Err(JoinError::Game(start, other)));
    }
    let rules: Ruleset = "blocked-is-draw".parse().unwrap();
    let parts = [solution.clone(), Solution { rules, ..solution.clone() }];
    assert_eq!(join(&start, &parts, None), Err(JoinError::Rules(solution.rules, rules)));
}

fn solve(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_solve")).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A fortress is saved as it stands: with and without stops, the same nodes lead to the same proof.
#[test]
fn a_run_that_builds_fortresses_resumes() {
    let (dir, _tables) = built("5x5", 4, "");
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (tables, state, out) = (path(""), path("state"), path("a.solution"));
    let game = ["--board", "5x5", "--only", "white", "--tables", &tables, "--fortress", "150"];
    let other = ["--threads", "1", "--memory", "64M", "--out", &out];
    let run = |more: &[&str]| solve(&[&game[..], &other, more].concat());
    let found = |said: &str| {
        let found = said.lines().filter(|line| line.contains(" does not win: "));
        found.map(str::to_owned).collect::<Vec<_>>()
    };
    let (code, said, _) = run(&[]);
    assert_eq!(code, Some(0), "{said}");
    let (at_once, whole) = (found(&said), fs::read(&out).unwrap());
    let solution = Solution::read(Path::new(&out)).unwrap();
    assert_eq!((solution.value, solution.stones), (GameValue::BlackHolds, 4));
    fs::remove_file(&out).unwrap();

    let mut in_parts = Vec::new();
    for nodes in ["2000", "4000", "7000", "10000"] {
        let (code, said, _) = run(&["--state", &state, "--nodes", nodes]);
        assert_eq!(code, Some(3), "{said}");
        assert!(said.contains(" answers stand, "), "{said}");
        in_parts.extend(found(&said));
    }
    let (code, said, _) = run(&["--state", &state]);
    assert_eq!(code, Some(0), "{said}");
    in_parts.extend(found(&said));
    assert_eq!(in_parts, at_once);
    assert_eq!(fs::read(&out).unwrap(), whole);

    // Both questions, one fortress each.
    let both = ["--board", "5x5", "--tables", &tables, "--fortress", "150"];
    let (code, said, _) = solve(&[&both[..], &other].concat());
    assert_eq!(code, Some(0), "{said}");
    let solution = Solution::read(Path::new(&out)).unwrap();
    assert_eq!((solution.value, solution.stones), (GameValue::Draw, 4));
}

#[test]
fn the_program_asks_one_question_and_joins_answers() {
    let dir = tempfile::tempdir().unwrap();
    let here = |args: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_solve"));
        let output = program.args(args).current_dir(dir.path()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    // The system takes longer to clear the usual memory than a solver takes for this board.
    let small = ["--stones", "0", "--memory", "8M"];
    let (code, text, notes) = here(&[&["--board", "3x3", "--only", "Black"], &small[..]].concat());
    assert_eq!(code, Some(0), "{notes}");
    assert!(text.contains("3x3: White does not lose; "), "{text}");
    assert!(!text.contains("White wins?"), "{text}");
    assert!(text.ends_with("3x3-white-holds.solution\n"), "{text}");
    let (code, text, _) = here(&["check", "3x3-white-holds.solution"]);
    assert_eq!(code, Some(0));
    assert!(text.starts_with("3x3: White does not lose; "), "{text}");
    let (_, text, _) = here(&["show", "3x3-white-holds.solution"]);
    assert!(text.contains(r#""worth":"white-holds""#), "{text}");

    // Every first move by itself.
    let (start, rules) = (Position::start("3x3".parse().unwrap()), Ruleset::default());
    let mut files = Vec::new();
    for (number, mv) in start.legal_moves(&rules).iter().enumerate() {
        let fen = start.play(&rules, mv).unwrap().to_string();
        let file = format!("{number}.solution");
        let (code, _, notes) = here(&[&["--fen", &fen, "--out", &file], &small[..]].concat());
        assert_eq!(code, Some(0), "{notes}");
        files.push(file);
    }
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let (code, text, notes) = here(&[&["join", "--board", "3x3"], &names[..]].concat());
    assert_eq!(code, Some(0), "{notes}");
    assert!(text.starts_with("3x3: White wins; ") && text.ends_with("3x3.solution\n"), "{text}");
    for (args, words) in [
        (&["join", "--board", "5x3", "0.solution"][..], "belongs to another game"),
        (&["join"], "<FILE>"),
        (&["--board", "3x3", "--only", "green"], "expected white or black"),
    ] {
        let (code, _, notes) = here(args);
        assert_eq!(code, Some(2), "{args:?}: {notes}");
        assert!(notes.contains(words), "{args:?}: {notes}");
    }
}

#[test]
fn the_program_solves_and_checks() {
    let (dir, _tables) = built("3x5", 4, "");
    let tables = dir.path().to_str().unwrap();
    let file = dir.path().join("a.solution");
    let file = file.to_str().unwrap();
    let (code, text, notes) = solve(&["--board", "3x5", "--tables", tables, "--out", file]);
    assert_eq!(code, Some(0), "{notes}");
    assert!(text.contains("3x5: White wins; ") && text.contains("positions checked"), "{text}");
    let (code, text, notes) = solve(&["check", file, "--tables", tables]);
    assert_eq!(code, Some(0), "{notes}");
    assert!(text.starts_with("3x5: White wins; "), "{text}");
    // The file claims it, but the proof does not show it.
    let mut solution = Solution::read(file.as_ref()).unwrap();
    solution.value = GameValue::Black;
    solution.write(file.as_ref()).unwrap();
    let (code, _, notes) = solve(&["check", file, "--tables", tables]);
    assert_eq!(code, Some(1));
    assert!(
        notes.contains(
            "the proof does not hold: the solution lacks a set that its value (Black wins) needs"
        ),
        "{notes}"
    );
    for (args, words) in [
        (&["check", "/nowhere"][..], "/nowhere: "),
        (&["check", file, "--tables", "/nowhere"], "--board 3x5 --stones 4 --out /nowhere"),
        (&["--board", "3x7", "--tables", tables], "no endgame tables for 3x7 here"),
        (
            &["--board", "3x5", "--tables", tables, "--stones", "5"],
            "no endgame tables for 3x5 of 4v1, 3v2 here: build them with",
        ),
        (
            &["--board", "3x5", "--tables", tables, "--rules", "forced-continuation"],
            "for the default rules, not for the rules `forced-continuation`: build them with",
        ),
        (&["--board", "4x4"], "`4x4` is not a board: expected tsivy"),
        (&["--stones", "0", "--memory", "lots"], "like 500M or 20G"),
        (&["progress", "/nowhere"], "/nowhere/state.json: "),
    ] {
        let (code, _, notes) = solve(args);
        assert_eq!(code, Some(2), "{args:?}: {notes}");
        assert!(notes.contains(words), "{args:?}: {notes}");
    }
}

/// Whatever is wrong with the tables that a solution relies on, `check` says which are missing and
/// how they are built.
#[test]
fn missing_tables_are_named_with_the_command_that_builds_them() {
    let (dir, tables) = built("3x5", 4, "");
    let here = dir.path().to_str().unwrap();
    let default = solved(&game("3x5", "", Some(tables)));
    let forced = "forced-continuation blocked-is-draw";
    let (other, tables) = built("3x5", 4, forced);
    let there = other.path().to_str().unwrap();
    let forced = solved(&game("3x5", forced, Some(tables)));
    let (small, _) = built("3x5", 3, "");
    let small = small.path().to_str().unwrap();
    let other_board = Solution { start: Position::start(BoardSize::TELO), ..default.clone() };
    let too_many = Solution { stones: 9, ..default.clone() };
    let (gap, _) = built("3x5", 4, "");
    fs::remove_file(gap.path().join("3x5-2v2.plies")).unwrap();
    let gap = gap.path().to_str().unwrap();
    let build = |board: &str, rest: &str| {
        format!("build them with `endgames build --board {board} --stones 4{rest}`\n")
    };
    let both = "forced-continuation-blocked-is-draw";
    let rules = " --rules \"forced-continuation blocked-is-draw\"";
    for (solution, tables, found, command) in [
        (&default, "/nowhere", "no endgame tables for 3x5 here", build("3x5", " --out /nowhere")),
        (
            &default,
            small,
            "no endgame tables for 3x5 of 3v1, 2v2 here",
            build("3x5", &format!(" --out {small}")),
        ),
        (
            &default,
            gap,
            "no endgame tables for 3x5 of 2v2 here",
            build("3x5", &format!(" --out {gap}")),
        ),
        (
            &other_board,
            here,
            "no endgame tables for 3x3 here",
            build("3x3", &format!(" --out {here}")),
        ),
        (
            &default,
            there,
            "these endgame tables are for the rules `forced-continuation blocked-is-draw`, not for \
             the default rules",
            build("3x5", &format!(" --out {there}/default")),
        ),
        (
            &forced,
            here,
            "these endgame tables are for the default rules, not for the rules \
             `forced-continuation blocked-is-draw`",
            build("3x5", &format!("{rules} --out {here}/{both}")),
        ),
    ] {
        let file = dir.path().join("a.solution");
        solution.write(&file).unwrap();
        let (code, said, notes) = solve(&["check", file.to_str().unwrap(), "--tables", tables]);
        assert_eq!((code, &said[..]), (Some(2), ""), "{notes}");
        assert_eq!(notes, format!("solve: {tables}: {found}: {command}"));
    }
    let file = dir.path().join("a.solution");
    too_many.write(&file).unwrap();
    let (code, _, notes) = solve(&["check", file.to_str().unwrap(), "--tables", here]);
    assert_eq!(code, Some(2));
    assert_eq!(notes, "solve: there are no endgame tables of 9 stones, only up to 8\n");
    // A search has another way out.
    let (_, _, notes) = solve(&["--board", "3x3", "--tables", here]);
    assert!(notes.ends_with("`, or solve without tables (--stones 0)\n"), "{notes}");
}

#[test]
fn left_right_is_solved_like_the_turned_board() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("solution");
    let solved = |board: &str| {
        let args = ["--board", board, "--stones", "0", "--memory", "64M", "--out"];
        let (code, said, notes) = solve(&[&args[..], &[out.to_str().unwrap()]].concat());
        assert_eq!(code, Some(0), "{notes}");
        let said = said + &notes;
        assert!(said.contains(&format!("{board}: ")), "{said}");
        let line = said.lines().find(|line| line.contains(" checked in ")).unwrap();
        let value = line.strip_prefix(&format!("{board}: ")).unwrap();
        value.split(';').next().unwrap().to_owned()
    };
    for (board, turned) in [("left-right-3x5", "5x3"), ("left-right-5x5", "5x5")] {
        assert_eq!(solved(board), solved(turned));
    }
}

/// A run that does not end by itself, and that has saved its state at least once since it started.
fn endless(dir: &Path) -> Child {
    run_without_end(dir, &["--save-every", "0"])
}

/// The same with these arguments.
fn run_without_end(dir: &Path, args: &[&str]) -> Child {
    let saved = || fs::read(dir.join("state.json")).ok();
    let before = saved();
    let state = dir.to_str().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_solve"))
        .args(["--stones", "0", "--memory", "8M", "--state", state])
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Far more than a save takes on any machine: a run that never saves fails here.
    let end = Instant::now() + Duration::from_secs(300);
    while saved() == before {
        if Instant::now() >= end {
            child.kill().unwrap();
            panic!("the run does not save its state");
        }
        thread::sleep(Duration::from_millis(20));
    }
    child
}

/// However much time is asked for between two saves, a run that is never left alone for long makes
/// progress.
#[test]
fn a_run_that_is_killed_often_makes_progress() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    let nodes = || -> u64 {
        let moments = State::history(&state).unwrap();
        moments.last().unwrap().questions.iter().map(|question| question.nodes).sum()
    };
    let mut before = 0;
    for _ in 0..2 {
        let mut child = run_without_end(&state, &["--save-every", "1000000"]);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(nodes() > before);
        before = nodes();
    }
}

#[test]
#[cfg(unix)]
fn a_killed_or_interrupted_run_resumes() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    let signal = |mut child: Child, signal| {
        kill(Pid::from_raw(child.id() as i32), signal).unwrap();
        child.wait().unwrap()
    };
    signal(endless(&state), Signal::SIGKILL);
    let nodes = || {
        let moments = State::history(&state).unwrap();
        let nodes: Vec<u64> =
            moments.iter().map(|m| m.questions.iter().map(|q| q.nodes).sum()).collect();
        assert!(nodes.is_sorted() && moments.is_sorted_by_key(|moment| moment.cpu_ms));
        *nodes.last().unwrap()
    };
    let killed = nodes();
    assert!(killed > 0);
    let status = signal(endless(&state), Signal::SIGINT);
    assert_eq!(status.code(), Some(3));
    let interrupted = nodes();
    assert!(interrupted > killed);
    let (code, text, _) = solve(&["progress", state.to_str().unwrap()]);
    assert_eq!(code, Some(0));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("cpu_seconds,question,nodes,move,proof,disproof"));
    // The start and five moves, for either question, at each save.
    let moments = State::history(&state).unwrap().len();
    assert_eq!(lines.clone().count(), 12 * moments);
    assert!(lines.any(|line| line.contains(",White wins,") && line.contains(",e2e3A,")));
    let until = (interrupted + 1000).to_string();
    let args = ["--stones", "0", "--memory", "8M", "--threads", "1", "--nodes", &until, "--state"];
    let (code, text, _) = solve(&[&args[..], &[state.to_str().unwrap()]].concat());
    assert_eq!(code, Some(3), "{text}");
    assert_eq!(nodes(), interrupted + 1000);
}

#[test]
fn the_program_prints_its_version_and_help() {
    let (_, help, _) = solve(&["--help"]);
    assert!(help.starts_with("Solve a game of Fanorona under perfect play"), "{help}");
}
