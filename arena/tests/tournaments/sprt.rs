//! `arena sprt`: a test of results that exist.

use serde_json::Value;

use crate::tournaments::place::Place;

/// The numbers of fishtest's `LLRcalc.py` are tested in the ratings package; here the counts arrive
/// there.
#[test]
fn bare_counts_are_enough() {
    let place = Place::new();
    let bounds = ["--elo0", "0", "--elo1", "10", "--model", "normalized"];
    let ask = |counts: &str, more: &[&str]| {
        place.arena_ends(0, &[&["sprt", "--pairs", counts], &bounds[..], more].concat())
    };
    let done = ask("0,2,9,4,0", &["--json"]);
    let answer: Value = serde_json::from_str(&done.stdout).unwrap();
    assert!((answer["llr"].as_f64().unwrap() - 0.11637).abs() < 1e-5, "{answer}");
    assert_eq!((&answer["decision"], &answer["pairs"]), (&"continue".into(), &15.into()));
    let remaining = answer["remaining"].as_array().unwrap();
    assert_eq!((remaining.len(), &remaining[1]["lead"]), (3, &10.0.into()));
    assert!(remaining[0]["pairs"].as_f64().unwrap() > 500.0, "{answer}");
    let done = ask("0,2,9,4,0", &[]);
    assert!(
        done.stdout.starts_with(
            "the lead of the engine is undecided after 15 pairs; LLR 0.12 [-2.94, 2.94]"
        )
    );
    assert!(done.stdout.contains("if the lead is 10.0 normalized Elo: about "), "{}", done.stdout);
    let done = ask("0,100,700,300,20", &[]);
    assert!(done.stdout.starts_with("H1 accepted: the lead of the engine is above 0"));
    assert_eq!(done.stdout.lines().count(), 1, "{}", done.stdout);
    place
        .arena_ends(2, &["sprt", "--pairs", "1,2", "--elo0", "0", "--elo1", "5"])
        .complains(&["--pairs takes 5 or 6 counts, not 2"]);
    place.arena_ends(2, &["sprt", "--pairs", "1,2,3,4,5"]).complains(&["--elo0 0 --elo1 10"]);
}

#[test]
fn two_engines_of_a_tournament_are_tested() {
    let place = Place::new();
    let mut games = "pair,white,black,result\n".to_owned();
    for pair in 0..40 {
        let won = if pair % 4 == 0 { "0-1" } else { "1-0" };
        games += &format!("{pair},new,old,{won}\n{pair},old,new,0-1\n");
        games += &format!("{},old,third,1-0\n", pair + 100);
    }
    place.write("games.csv", &games);
    let bounds = ["--elo0", "0", "--elo1", "50"];
    let ask = |code, names: &[&str]| {
        place.arena_ends(code, &[&["sprt", "games.csv"], &bounds[..], names].concat())
    };
    let done = ask(0, &["--engine", "new", "--opponent", "old"]);
    assert!(done.stdout.starts_with("H1 accepted: the lead of new is above 0 Elo after 40 pairs"));
    let done = ask(0, &["--engine", "old", "--opponent", "new"]);
    assert!(done.stdout.starts_with("H0 accepted: the lead of old is below 50 Elo"));
    ask(2, &[]).complains(&["games.csv holds 3 engines", "--engine NAME --opponent NAME"]);
    ask(2, &["--engine", "new"]).complains(&["games.csv holds 3 engines"]);
    ask(2, &["--engine", "newest"]).complains(&["no engine is named `newest`"]);
    let unknown = ask(2, &["--engine", "new", "--opponent", "older"]);
    unknown.complains(&["no engine is named `older`"]);
    ask(2, &["--engine", "old", "--opponent", "old"]).complains(&["not tested against itself"]);
    // Of two engines the one that comes first in the file is tested, whatever their names are.
    let two: String =
        games.lines().filter(|line| !line.contains("third")).map(|it| format!("{it}\n")).collect();
    place.write("two.csv", &two.replace("new", "zebra"));
    let done = place.arena_ends(0, &[&["sprt", "two.csv"], &bounds[..]].concat());
    assert!(done.stdout.starts_with("H1 accepted: the lead of zebra is above"), "{}", done.stdout);
}
