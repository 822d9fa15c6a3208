//! Tournaments in which what is played depends on what was played before.

use std::fs;

use nix::sys::signal::Signal;

use crate::place::{HEAD, Place};

/// The same head with other values at the beginning of some lines.
fn head(changes: &[(&str, &str)]) -> String {
    let key = |line: &str| line.split(" = ").next().unwrap_or_default().to_owned();
    let kept = HEAD.lines().filter(|line| changes.iter().all(|(name, _)| *name != key(line)));
    let changed = changes.iter().map(|(name, value)| format!("{name} = {value}"));
    let lines: Vec<String> = changed.chain(kept.map(str::to_owned)).collect();
    lines.join("\n") + "\n"
}

/// The derived files of a directory, thinking times and the page aside.
fn results(place: &Place, dir: &str, own: &[&str]) -> Vec<String> {
    let files = ["sessions.csv", "standings.csv", "crosstable.csv"];
    let read = |name: &&str| fs::read_to_string(place.path(dir).join(name)).unwrap();
    let mut texts: Vec<String> = files.iter().chain(own).map(read).collect();
    texts.push(place.timeless(dir));
    texts
}

/// Plays a tournament by one game at a time, by four, and with interruptions of both kinds; every
/// time it has to have the same results. `changes` are to the head, `own` the files of the format.
/// Gives what the arena printed the first time.
fn always_the_same(place: &Place, changes: &[(&str, &str)], tail: &str, own: &[&str]) -> String {
    let play = |out: &str, concurrency: &str, engines: &str| {
        let changes = [changes, &[("concurrency", concurrency)]].concat();
        place.write(
            &format!("{out}.toml"),
            &format!("name = \"t\"\n{}{tail}{engines}", head(&changes)),
        )
    };
    let engines = |think: &str| {
        let engines =
            ENGINES.iter().take(if changes.contains(&("format", "\"match\"")) { 2 } else { 5 });
        engines
            .map(|(name, script)| place.engine(name, &format!("{script} {think}"), ""))
            .collect::<String>()
    };
    let quick = engines("");
    let done = place.play(&play("one", "1", &quick), "one");
    let expected = results(place, "one", own);
    place.play(&play("four", "4", &quick), "four");
    assert_eq!(results(place, "four", own), expected);

    for (signal, code) in [(Signal::SIGINT, Some(130)), (Signal::SIGKILL, None)] {
        let config = play("broken", "3", &engines("think=4"));
        let mut running = place.start(&["run", &config, "--out", "broken"]);
        running.until_journalled("broken", 5);
        running.signal(signal);
        assert_eq!(running.wait().code, code);
        // What is left of it can be looked at.
        place.arena_ends(0, &["report", "broken"]);
        place.arena_ends(0, &["resume", "broken"]);
        assert_eq!(results(place, "broken", own), expected);
        // Complete, it is not played again, and all files follow from the journal.
        own.iter().for_each(|name| fs::remove_file(place.path("broken").join(name)).unwrap());
        let journalled = place.journalled("broken");
        place.arena_ends(0, &["resume", "broken"]);
        assert_eq!(place.journalled("broken"), journalled);
        place.arena_ends(0, &["merge", "broken", "--out", "merged"]);
        assert_eq!(results(place, "merged", own), expected);
        fs::remove_dir_all(place.path("broken")).unwrap();
        fs::remove_dir_all(place.path("merged")).unwrap();
    }
    done.stdout
}

/// Who resigns sooner than another loses to it; the third and the fifth play to the end.
const ENGINES: [(&str, &str); 5] = [
    ("sound", ""),
    ("gives-up", "resign at=8"),
    ("first", "first"),
    ("late-loser", "resign at=14"),
    ("other", ""),
];

const SPRT: &str = "[sprt]\nelo0 = 0\nelo1 = 100\n";

#[test]
fn a_test_ends_a_match_where_it_is_decided() {
    let place = Place::new();
    let changes = [("format", "\"match\""), ("rounds", "500"), ("kinds", "[\"riatra\", \"vela\"]")];
    let stdout = always_the_same(&place, &changes, SPRT, &["sprt.json"]);
    let said = "SPRT: H1 accepted: sound is stronger by at least 100 Elo";
    assert!(stdout.contains(said), "{stdout}");

    let text = fs::read_to_string(place.path("one/sprt.json")).unwrap();
    let state: serde_json::Value = serde_json::from_str(&text).unwrap();
    let number = |name: &str| state[name].as_f64().unwrap_or_else(|| panic!("{name} in {text}"));
    assert_eq!((&state["engine"], &state["decision"]), (&"sound".into(), &"H1".into()));
    assert!(number("llr") >= number("upper") && number("lower") < 0.0, "{text}");
    // It ends with the pair that decides it, far before the last round.
    let games = place.games("one", "max-plies=40");
    assert_eq!(games.len() as f64, 2.0 * number("pairs"));
    assert!((4..200).contains(&games.len()), "{}", games.len());
    assert_eq!(place.journalled("one"), games.len());
}

#[test]
fn a_test_that_is_not_decided_says_so() {
    let place = Place::new();
    let text = head(&[("rounds", "1")]) + SPRT;
    let config = place.config(&text, &[("a", ""), ("b", "resign at=8")]);
    let done = place.play(&config, "out");
    assert!(done.stdout.contains("SPRT: undecided after 1 pair; LLR "), "{}", done.stdout);
    assert_eq!(place.games("out", "max-plies=40").len(), 2);
    // Whoever watches sees where it stands: what the first pair has brought is told with the next.
    let done = place.arena_ends(0, &["run", &config, "--rounds", "2", "--out", "two"]);
    let lines: Vec<&str> = done.stderr.lines().filter(|line| line.contains("LLR")).collect();
    assert_eq!(lines.len(), 2, "{}", done.stderr);
    assert!(lines.iter().all(|line| line.contains("[-2.94, 2.94]")), "{lines:?}");
}

#[test]
fn what_depends_on_all_games_is_not_played_in_parts() {
    let place = Place::new();
    let config = place.config(&(head(&[]) + SPRT), &ENGINES[..2]);
    let done = place.arena_ends(2, &["run", &config, "--shard", "1/2", "--out", "out"]);
    done.complains(&["a match under [sprt] cannot be played in parts", "leave out --shard"]);
    assert!(!place.path("out").exists());
}
