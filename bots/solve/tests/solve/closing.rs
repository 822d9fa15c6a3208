//! Holds that go on through the endings, until they need no tables.

use std::path::Path;

use fanorona_endgames::Tables;
use fanorona_solve::{Claim, CloseError, GameValue, Proof, Record, Solution, check, close};

use crate::certificates::checked_again;
use crate::{built, game, solve, solved};

/// Starts, rules and stones of the tables: a square board, a blocked side that draws, and a vela.
const HOLDS: [(&str, &str, usize); 3] =
    [("5x5", "", 5), ("5x5", "blocked-is-draw", 4), ("bbb/bbb/b1W/WWW/WWW w w 0 1", "", 4)];

#[test]
fn closed_holds_need_smaller_tables_or_none() {
    for (start, rules, stones) in HOLDS {
        let board = game(start, rules, None).start().board().size();
        let (dir, tables) = built(&board.to_string(), stones, rules);
        let solution = solved(&game(start, rules, Some(tables)));
        assert!(solution.proofs.iter().all(|proof| proof.claim == Claim::Holds), "{start} {rules}");
        let mut sizes = Vec::new();
        for left in [3, 2, 0] {
            let tables = Tables::open(dir.path(), board, stones).unwrap();
            let mut most = 0;
            let closed = close(&solution, tables, left, |positions| most = most.max(positions));
            let closed = closed.unwrap();
            assert_eq!((closed.stones, closed.value), (left, solution.value));
            let fewer = (left > 0).then(|| Tables::open(dir.path(), board, left).unwrap());
            assert_eq!(check(&closed, fewer.as_ref(), || {}), Ok(()), "{start} {rules}: {left}");
            // What the tables do not know comes from the given set.
            for (new, old) in closed.proofs.iter().zip(&solution.proofs) {
                let has_more =
                    |it: &&Record| (it.white() | it.black()).count_ones() as usize > stones;
                let mut given = new.records().iter().filter(has_more);
                assert!(given.clone().count() > 0, "{start} {rules}: {left}");
                assert!(given.all(|record| old.find(*record).is_some()), "{start} {rules}: {left}");
            }
            let positions = |solution: &Solution| -> usize {
                solution.proofs.iter().map(|proof| proof.records().len()).sum()
            };
            assert!(most > 0 && most <= positions(&closed));
            sizes.push(positions(&closed));
            if left == 0 {
                let (code, said) = checked_again(&closed, Path::new("/nowhere"));
                assert_eq!(code, Some(0), "{start} {rules}: {said}");
            }
        }
        // Smaller tables leave more to the set, and it is not all there is.
        assert!(sizes.is_sorted() && sizes[0] < sizes[2], "{sizes:?}");
    }
}

#[test]
fn a_win_or_an_unsound_hold_is_not_closed() {
    let open = |board: &str, stones| {
        let (dir, tables) = built(board, stones, "");
        let solution = solved(&game(board, "", Some(tables)));
        let tables = Tables::open(dir.path(), board.parse().unwrap(), stones).unwrap();
        (solution, tables)
    };
    let (won, tables) = open("7x3", 4);
    assert_eq!(close(&won, tables, 0, |_| {}), Err(CloseError::Wins));
    let (mut drawn, tables) = open("5x5", 4);
    let proof = &drawn.proofs[0];
    let most = proof.records().iter().max_by_key(|it| (it.white() | it.black()).count_ones());
    drawn.proofs[0] = Proof::new(proof.side, proof.claim, vec![*most.unwrap()]);
    let error = close(&drawn, tables, 0, |_| {}).unwrap_err();
    assert!(matches!(error, CloseError::Unproven(_)), "{error}");
    assert!(error.to_string().contains("check the solution with these tables"), "{error}");
    // A point with two stones, and one that the board does not have.
    for (white, black) in [(3, 1), (1 << 44, 1)] {
        let (mut drawn, tables) = open("5x5", 4);
        let record = Record::new(white, black, 0);
        let proof = &drawn.proofs[0];
        let records = [proof.records(), &[record]].concat();
        drawn.proofs[0] = Proof::new(proof.side, proof.claim, records);
        assert_eq!(close(&drawn, tables, 0, |_| {}), Err(CloseError::NoPosition));
    }
}

/// Also where the tables that are left know its start.
#[test]
fn an_ending_is_closed_like_any_other_game() {
    let (dir, tables) = built("5x5", 3, "");
    let solution = solved(&game("1b3/5/5/5/3W1 w", "", Some(tables)));
    assert_eq!((solution.value, solution.stones), (GameValue::Draw, 3));
    let open = |stones| Tables::open(dir.path(), "5x5".parse().unwrap(), stones).unwrap();
    let closed = close(&solution, open(3), 2, |_| {}).unwrap();
    assert_eq!(check(&closed, Some(&open(2)), || {}), Ok(()));
    let closed = close(&solution, open(3), 0, |_| {}).unwrap();
    assert_eq!(check(&closed, None, || {}), Ok(()));
}

#[test]
fn the_program_closes_what_holds_and_says_what_it_cannot() {
    let (dir, tables) = built("5x5", 4, "");
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (drawn, closed) = (path("drawn.solution"), path("closed.solution"));
    solved(&game("5x5", "", Some(tables))).write(Path::new(&drawn)).unwrap();
    let here = path("");
    let args = ["close", &drawn, "--tables", &here, "--out", &closed];
    let (code, said, notes) = solve(&args);
    assert_eq!(code, Some(0), "{notes}");
    assert!(said.starts_with("5x5: a draw; "), "{said}");
    assert_eq!(Solution::read(Path::new(&closed)).unwrap().stones, 0);
    // What it needs is as before.
    let (code, _, notes) = solve(&["check", &drawn, "--tables", "/nowhere"]);
    assert_eq!(code, Some(2));
    assert!(notes.contains("/nowhere: no endgame tables for 5x5 here"), "{notes}");
    let (code, said, _) = solve(&["check", &closed, "--tables", "/nowhere"]);
    assert_eq!(code, Some(0), "{said}");

    let refused = |args: &[&str], code: i32, words: &str| {
        let (found, _, notes) = solve(args);
        assert_eq!(found, Some(code), "{notes}");
        assert!(notes.contains(words), "{notes}");
    };
    let elsewhere = ["close", &drawn, "--tables", "/nowhere", "--out", &closed];
    refused(
        &elsewhere,
        2,
        "build them with `endgames build --board 5x5 --stones 4 --out /nowhere`",
    );
    let more = [&args[..], &["--stones", "4"]].concat();
    refused(
        &more,
        2,
        "drawn.solution: it needs tables of 4 stones, no more: name fewer in --stones",
    );
    refused(&["close", &closed, "--out", &closed], 2, "it needs no tables: it is closed");
    let (dir, tables) = built("7x3", 4, "");
    let won = dir.path().join("won.solution").to_str().unwrap().to_owned();
    solved(&game("7x3", "", Some(tables))).write(Path::new(&won)).unwrap();
    let there = dir.path().to_str().unwrap();
    let args = ["close", &won, "--tables", there, "--out", &closed];
    refused(&args, 1, "only holds can be closed, and this solution is of a side that wins");
}
