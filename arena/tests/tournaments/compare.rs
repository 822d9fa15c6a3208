//! `arena compare`: two tournaments side by side.

use std::fs;

use serde_json::Value;

use crate::tournaments::place::{HEAD, Place};

/// A `games.csv` of two engines, of which `new` wins this many of twenty pairs altogether and loses the
/// others.
fn games(place: &Place, dir: &str, other: &str, wins: usize) {
    std::fs::create_dir(place.path(dir)).unwrap();
    let mut text =
        "pair,white,black,result,offender,plies,book,start,white_ms,black_ms\n".to_owned();
    let start = "bbb/b1W/WWW w - 0 1";
    for pair in 0..20 {
        let [white, black] = if pair < wins { ["1-0", "0-1"] } else { ["0-1", "1-0"] };
        let offender = if pair == 19 && wins < 20 { "new" } else { "" };
        text += &format!("{pair},new,{other},{white},{offender},10,2,{start},{wins},8\n");
        text += &format!("{pair},{other},new,{black},,10,2,{start},8,{wins}\n");
    }
    place.write(&format!("{dir}/games.csv"), &text);
}

#[test]
fn a_change_is_told_with_its_certainty() {
    let place = Place::new();
    games(&place, "before", "old", 5);
    games(&place, "after", "old", 16);
    let done = place.arena_ends(0, &["compare", "before", "after"]);
    // The other engine has not changed; without an anchor its rating moves all the same, and a note
    // says so.
    for part in ["note: ratings are relative to the mean", "--anchor NAME=0"] {
        assert!(done.stdout.contains(part), "{}", done.stdout);
    }
    assert!(done.stderr.is_empty(), "{}", done.stderr);
    for line in ["new is stronger than before in riatra", "old is weaker than before in riatra"] {
        assert!(done.stdout.contains(line), "{line}\n{}", done.stdout);
    }
    // Four of ten moves are the engine's own; they take five and sixteen milliseconds in total.
    assert!(
        done.stdout.contains("new thought for 1.2 ms per move before, and for 4.0 ms now"),
        "{}",
        done.stdout
    );
    let done = place.arena_ends(0, &["compare", "before", "after/games.csv", "--json"]);
    let report: Value = serde_json::from_str(&done.stdout).unwrap();
    let new = &report["changes"][0];
    assert_eq!((&new["engine"], &new["kind"]), (&"new".into(), &"riatra".into()));
    assert!(new["change"]["elo_low"].as_f64().unwrap() > 0.0, "{new}");
    assert!(new["stronger"].as_f64().unwrap() > 0.975, "{new}");
    assert_eq!((&new["faults"], &new["games"]), (&[1, 1].into(), &[40, 40].into()));
    let nothing = place.arena_ends(0, &["compare", "before", "before"]);
    assert!(nothing.stdout.contains("undecided whether new has changed in riatra (LOS 50.0 %)"));
}

#[test]
fn other_fields_are_named() {
    let place = Place::new();
    games(&place, "before", "old", 5);
    games(&place, "after", "third", 16);
    let done = place.arena_ends(0, &["compare", "before", "after"]);
    assert!(done.stdout.contains("note: the fields differ"), "{}", done.stdout);
    for line in ["only in the first tournament: old", "only in the second tournament: third"] {
        assert!(done.stdout.lines().any(|said| said == line), "{}", done.stdout);
    }
    let held = place.arena_ends(0, &["compare", "before", "after", "--anchor", "new=0"]);
    assert!(!held.stdout.contains("note: "), "{}", held.stdout);
    assert!(held.stdout.contains("new: a change"), "{}", held.stdout);
    place
        .arena_ends(2, &["compare", "before", "after", "--anchor", "old=0"])
        .complains(&["after: cannot anchor `old`: no engine with this name played"]);
    place.arena_ends(2, &["compare", "before", "nowhere"]).complains(&["failed to read nowhere"]);
}

#[test]
fn the_same_program_is_recognised_by_its_checksum_and_options() {
    let place = Place::new();
    let head =
        HEAD.replace("rounds = 2", "rounds = 30").replace("openings", "board = \"5x5\"\nopenings");
    let play = |dir: &str, options: &str, rival: &str| {
        let one = place.engine("one", "greedy aim=70", options);
        let rival = place.engine("rival", rival, "");
        let config = place.write(&format!("{dir}.toml"), &format!("{head}{one}{rival}"));
        place.play(&config, dir);
    };
    play("before", "", "greedy aim=0");
    play("after", "", "greedy aim=65");
    play("other", "options = { Hash = 2 }", "greedy aim=65");
    let said = |after: &str| place.arena_ends(0, &["compare", "before", after]).stdout;
    let (same, other) = (said("after"), said("other"));
    let words =
        "but is the same program with the same options: its field has changed, or it is chance";
    let joined = same.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(joined.contains("one is rated higher than before in riatra"), "{same}");
    assert!(joined.contains(words), "{same}");
    // The rival's script is another one.
    assert!(joined.contains("rival is weaker than before in riatra"), "{same}");
    assert!(other.contains("one is stronger than before in riatra"), "{other}");
    // On another board the game has changed, not only the field.
    let config = fs::read_to_string(place.path("after.toml")).unwrap();
    let config = place.write("tall.toml", &config.replace("\"5x5\"", "\"3x5\""));
    place.play(&config, "tall");
    let tall = said("tall");
    assert!(tall.contains("note: the tournaments differ in board: "), "{tall}");
    assert!(!tall.contains("is the same program"), "{tall}");
}
