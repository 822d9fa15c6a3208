//! Games that are called before their end.

use crate::tournaments::place::{HEAD, Place, Row};

/// Plays two games under an `[adjudication]` table, with further engines in it.
fn games(place: &Place, table: &str) -> Vec<Row> {
    let engines = place.engine("a", "", "") + &place.engine("b", "first", "");
    let config = place.write("t.toml", &format!("{HEAD}{table}\n{engines}"));
    place.arena_ends(0, &["run", &config, "--rounds", "1", "--out", "out", "--strict"]);
    place.games("out", "max-plies=40")
}

/// Both engines say `cp 25` with every move.
#[test]
fn an_even_score_of_both_engines_is_a_draw() {
    let place = Place::new();
    let rule = "adjudication = { draw = { moves = 3, score = 25, after = 0 } }";
    for game in games(&place, rule) {
        assert_eq!((&*game["reason"], &*game["result"]), ("adjudicated", "1/2-1/2"));
        assert_eq!(game["adjudicated_by"], "score");
        // Three moves each, after the two of the opening.
        assert_eq!(game["plies"], "8");
    }
}

#[test]
fn contradictory_scores_do_not_end_a_game() {
    let place = Place::new();
    let rule = "adjudication = { resign = { moves = 1, score = 25 }, draw = { score = 24 } }";
    for game in games(&place, rule) {
        assert_ne!(game["reason"], "adjudicated");
        assert_eq!(game["adjudicated_by"], "");
    }
}

#[test]
fn an_oracle_ends_what_it_knows() {
    let place = Place::new();
    let oracle = |script: &str| {
        place.engine("sage", script, "").replace("[[engine]]", "[adjudication.oracle]")
    };
    // The oracle is asked after the sixth ply, when White is to move.
    for (knows, result) in [("win-3", "1-0"), ("loss-4", "0-1"), ("draw", "1/2-1/2")] {
        let _ = std::fs::remove_dir_all(place.path("out"));
        for game in games(&place, &oracle(&format!("knows={knows} at=6"))) {
            let ending = [&*game["reason"], &game["result"], &game["plies"], &game["offender"]];
            assert_eq!(ending, ["adjudicated", result, "6", ""], "{knows}");
            assert_eq!(game["adjudicated_by"], "sage");
        }
    }
}

/// Whatever becomes of the oracle, the players play on.
#[test]
fn an_oracle_that_fails_is_done_without() {
    let place = Place::new();
    let oracle = place.engine("sage", "blind answers-nothing", "");
    let engines = place.engine("a", "", "") + &place.engine("b", "first", "");
    let table = oracle.replace("[[engine]]", "[adjudication.oracle]");
    let head = HEAD.replace("1s", "300ms");
    let config = place.write("t.toml", &format!("{head}{table}\n{engines}"));
    let done = place.arena_ends(0, &["run", &config, "--rounds", "1", "--out", "out", "--strict"]);
    done.complains(&["the oracle sage failed: no response within"]);
    assert_eq!(place.games("out", "max-plies=40").len(), 2);
}
