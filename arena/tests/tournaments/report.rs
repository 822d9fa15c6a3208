//! The page of a tournament, and writing it again.

use std::fs;

use crate::place::{HEAD, Place};

#[test]
fn a_report_is_written_and_written_again() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a <b>", ""), ("c", "segv")]);
    let done = place.play(&config, "out");
    assert!(done.stdout.contains("report: out/report.html"), "{}", done.stdout);
    let derived = ["report.html", "games.csv", "sessions.csv", "standings.csv", "crosstable.csv"];
    let read = |name: &str| fs::read(place.path("out").join(name)).unwrap();
    let before = derived.map(read);
    let page = String::from_utf8_lossy(&before[0]).into_owned();
    assert!(page.contains("a &lt;b&gt;") && !page.contains("a <b>"));
    assert!(page.contains("lost by <strong>crash</strong>"));
    for name in derived {
        fs::remove_file(place.path("out").join(name)).unwrap();
    }
    let done = place.arena_ends(0, &["report", "out"]);
    assert_eq!(done.last_line(), "report: out/report.html");
    assert_eq!(derived.map(read), before);
}

#[test]
fn an_interrupted_tournament_is_reported_as_far_as_it_has_come() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "out");
    let journal = place.path("out").join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    // The header, two games, and a third that was not written to its end.
    let end = text.match_indices('\n').nth(2).unwrap().0 + 20;
    fs::write(&journal, &text[..end]).unwrap();
    place.arena_ends(0, &["report", "out"]);
    assert_eq!(place.games("out", "max-plies=40").len(), 2);
    let page = fs::read_to_string(place.path("out").join("report.html")).unwrap();
    assert!(page.contains("2 games of riatra"));
    // Nothing but what is derived from it has changed.
    assert_eq!(fs::read_to_string(&journal).unwrap(), text[..end]);
}

#[test]
fn a_directory_without_a_tournament_has_no_report() {
    let place = Place::new();
    place.arena_ends(2, &["report", "nowhere"]).complains(&["nowhere/config.toml"]);
    assert!(!place.path("nowhere").exists());
}
