//! Openings chosen by an engine.

use std::fs;

use crate::tournaments::place::{HEAD, Place};

/// The openings of a file by kind, comments and blank lines aside, each with its comment.
fn lines(text: &str, kind: &str) -> Vec<(String, String)> {
    let lines = text.lines().filter_map(|line| line.split_once(" # "));
    let of_kind = lines.filter(|(line, _)| line.starts_with(&format!("{kind} ")));
    of_kind.map(|(line, comment)| (line.to_owned(), comment.to_owned())).collect()
}

fn config(place: &Place, judge: &str) -> String {
    let head = HEAD.replace("[\"riatra\"]", "[\"riatra\", \"vela\"]");
    let judge = place.engine("judge", judge, "");
    place.write("t.toml", &format!("{head}{}{judge}", place.engine("other", "", "")))
}

#[test]
fn openings_are_chosen_by_an_engine_and_then_played() {
    let place = Place::new();
    let config = config(&place, "scores=hash");
    let choose = |out: &str, at_once: &str| {
        let args = ["openings", &config, "--engine", "judge", "--plies", "4", "--count", "20"];
        let more = ["--limit", "nodes=9", "--bound", "50", "--concurrency", at_once, "-o", out];
        let done = place.arena_ends(0, &[&args[..], &more].concat());
        assert!(done.stdout.contains(&format!("path = \"{out}\"")), "{}", done.stdout);
        fs::read_to_string(place.path(out)).unwrap()
    };
    let text = choose("o.txt", "1");
    // The number of concurrent engines does not affect the choice.
    assert_eq!(choose("three.txt", "3"), text);
    let middle = text.lines().find_map(|line| line.split_once("measured from ")?.1.split_once(','));
    let middle: i64 = middle.unwrap().0.parse().unwrap();
    assert_ne!(middle, 0);
    for (kind, middle) in [("riatra", 0), ("vela", middle)] {
        let lines = lines(&text, kind);
        assert_eq!(lines.len(), 20, "{text}");
        for (line, score) in lines {
            assert!(score.parse::<i64>().unwrap().abs_diff(middle) <= 50, "{line} {score}");
            assert_eq!(line.split(' ').count(), 2 + 4, "{line}");
        }
    }
    // The file can be used as openings, each line in its kind.
    let file = "openings = { source = \"file\", path = \"o.txt\" }";
    let random = "openings = { source = \"random\", plies = 2 }";
    let played = fs::read_to_string(&config).unwrap().replace(random, file);
    let config = place.write("played.toml", &played);
    let planned = place.arena_ends(0, &["plan", &config]).stdout;
    assert!(planned.contains("openings: 20 for riatra, 20 for vela of o.txt\n"), "{planned}");
    place.play(&config, "out");
    for game in place.games("out", "max-plies=40") {
        let moves: Vec<&str> = game["moves"].split(' ').take(4).collect();
        let line = format!("{} startpos {}", game["kind"], moves.join(" "));
        assert!(text.contains(&line), "{line} was not chosen");
    }
}

#[test]
fn biased_openings_favour_one_side_by_so_much() {
    let place = Place::new();
    let config = config(&place, "scores=hash");
    let choose = |least: &str, code| {
        let args = ["openings", &config, "--engine", "judge", "--plies", "4", "--count", "12"];
        let band = ["--least", least, "--bound", "90", "--limit", "nodes=9", "-o", "b.txt"];
        place.arena_ends(code, &[&args[..], &band].concat())
    };
    choose("40", 0);
    let text = fs::read_to_string(place.path("b.txt")).unwrap();
    let scores: Vec<i64> =
        lines(&text, "riatra").iter().map(|(_, score)| score.parse().unwrap()).collect();
    assert_eq!(scores.len(), 12);
    assert!(scores.iter().all(|score| (40..=90).contains(&score.abs())), "{scores:?}");
    assert!(scores.iter().any(|&score| score > 0) && scores.iter().any(|&score| score < 0));
    assert!(text.contains("40 to 90 from even"), "{text}");
    choose("91", 2).complains(&["--least 91 is above --bound 90"]);
}

#[test]
fn exact_values_decide_where_they_are_known() {
    let place = Place::new();
    let choose = |knows: &str, code| {
        let config = config(&place, &format!("knows={knows} at=0 scores=hash"));
        let args = ["openings", &config, "--engine", "judge", "--exact", "--count", "3"];
        place.arena_ends(code, &[&args[..], &["--bound", "0", "-o", "o.txt"]].concat())
    };
    choose("draw", 0);
    let text = fs::read_to_string(place.path("o.txt")).unwrap();
    let comments = |kind| lines(&text, kind).into_iter().map(|(_, comment)| comment);
    assert!(comments("riatra").chain(comments("vela")).all(|comment| comment == "draw"), "{text}");
    fs::remove_file(place.path("o.txt")).unwrap();
    choose("win-3", 2).complains(&["none of 39 openings of riatra is within 0 of even", "--bound"]);
    assert!(!place.path("o.txt").exists());
}

#[test]
fn openings_that_cannot_be_selected_are_refused() {
    let place = Place::new();
    let choose = |config: &str, judge: &str, more: &[&str], code| {
        let args = ["openings", config, "--engine", judge];
        place.arena_ends(code, &[&args[..], more].concat())
    };
    let mute = config(&place, "scores=none");
    let done = choose(&mute, "judge", &["-o", "o.txt"], 6);
    done.complains(&["engine `judge` reports no score for", "such as bot-alphabeta"]);
    choose(&mute, "nobody", &["-o", "o.txt"], 6).complains(&["nobody", "name a bot"]);
    choose(&mute, "judge", &["-o", "none/o.txt"], 74).complains(&["cannot write none/o.txt"]);
    choose(&mute, "judge", &["-o", "o.txt", "--plies", "0"], 2);
    let dies = config(&place, "abort at=0");
    choose(&dies, "judge", &["-o", "o.txt"], 6).complains(&["engine `judge` failed at", "signal"]);
    let head = HEAD.replace("source = \"random\", plies = 2", "source = \"start\"");
    let start = place.config(&head, &[("a", ""), ("b", "")]);
    choose(&start, "a", &["-o", "o.txt"], 2).complains(&["no candidates", "--plies"]);
    // If there are too few, they are written, and a note says so.
    let head = HEAD.replace("source = \"random\", plies = 2", "source = \"named\"");
    let named = place.config(&head, &[("a", ""), ("b", "")]);
    let done = choose(&named, "a", &["-o", "o.txt", "--count", "9", "--limit", "depth=1"], 0);
    assert!(
        done.stderr.contains("note: found 5 of 9 openings of riatra among 5"),
        "{}",
        done.stderr
    );
    assert_eq!(lines(&fs::read_to_string(place.path("o.txt")).unwrap(), "riatra").len(), 5);
}
