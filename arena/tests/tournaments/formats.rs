//! Tournaments in which what is played depends on what was played before.

use std::fs;

use nix::sys::signal::Signal;

use crate::tournaments::place::{HEAD, Place};

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
    let read = |name: &&str| place.timeless_file(&format!("{dir}/{name}"));
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
        // A partial tournament can be reported.
        place.arena_ends(0, &["report", "broken"]);
        place.arena_ends(0, &["resume", "broken"]);
        assert_eq!(results(place, "broken", own), expected);
        // A complete tournament is not played again, and all files follow from the journal.
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
    let said = "SPRT: H1 accepted: the lead of sound is above 0 Elo";
    assert!(stdout.contains(said), "{stdout}");

    let text = fs::read_to_string(place.path("one/sprt.json")).unwrap();
    let state: serde_json::Value = serde_json::from_str(&text).unwrap();
    let number = |name: &str| state[name].as_f64().unwrap_or_else(|| panic!("{name} in {text}"));
    assert_eq!((&state["engine"], &state["decision"]), (&"sound".into(), &"H1".into()));
    assert!(number("llr") >= number("upper") && number("lower") < 0.0, "{text}");
    // One engine wins every game, so its lead has no upper end.
    let estimate = &state["estimate"];
    assert!(estimate["elo_low"].as_f64().is_some_and(|low| low > 0.0), "{text}");
    assert!(estimate["elo_high"].is_null(), "{text}");
    assert!(stdout.contains("; lead ") && !stdout.contains("sound is stronger"), "{stdout}");
    // The match ends with the deciding pair, long before the last round.
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
    assert!(
        done.stdout.contains("SPRT: the lead of a is undecided after 1 pair; LLR "),
        "{}",
        done.stdout
    );
    assert_eq!(place.games("out", "max-plies=40").len(), 2);
    // The display shows the state: the result of a pair appears with the next game.
    let done = place.arena_ends(0, &["run", &config, "--rounds", "2", "--out", "two"]);
    let lines: Vec<&str> = done.stderr.lines().filter(|line| line.contains("LLR")).collect();
    assert_eq!(lines.len(), 2, "{}", done.stderr);
    assert!(lines.iter().all(|line| line.contains("[-2.94, 2.94]")), "{lines:?}");
}

/// The fourth engine is the base: the first and the last never resign, the second resigns earlier.
const CANDIDATES: &str = "[candidates]\nbase = \"late-loser\"\nelo0 = 0\nelo1 = 200\n";

#[test]
fn candidates_play_until_each_is_decided() {
    let place = Place::new();
    let changes = [("format", "\"candidates\""), ("rounds", "60")];
    let stdout = always_the_same(&place, &changes, CANDIDATES, &["candidates.json"]);
    assert!(stdout.contains("candidates against late-loser:\n"), "{stdout}");
    assert!(stdout.contains(" better than late-loser (error at most 5.0 % over all 4"), "{stdout}");
    let text = fs::read_to_string(place.path("one/candidates.json")).unwrap();
    let state: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&state["base"], &state["alpha"]), (&"late-loser".into(), &0.05.into()));
    let candidates = state["candidates"].as_array().unwrap();
    let of = |name: &str| candidates.iter().find(|it| it["engine"] == name).unwrap();
    assert_eq!(
        (&of("sound")["standing"], &of("sound")["decision"]),
        (&"accepted".into(), &"H1".into())
    );
    assert_eq!(of("gives-up")["standing"], "dropped");
    // The first one accepted had a quarter of the error.
    let shares = candidates.iter().map(|it| it["alpha"].as_f64().unwrap());
    assert!(shares.fold(1.0, f64::min) == 0.0125, "{text}");
    let joining = place.arena_ends(2, &["extend", "one", "bot-random"]);
    joining.complains(&["candidates cannot join: the error is over those of the beginning"]);
    // Every game is one of a candidate before its decision.
    let pairs = candidates.iter().map(|it| {
        let count = |key: &str| it[key].as_u64().unwrap();
        count("pairs") + count("repeated_pairs")
    });
    assert_eq!(place.games("one", "max-plies=40").len() as u64, 2 * pairs.sum::<u64>(), "{text}");
}

#[test]
fn formats_with_dependent_games_refuse_shards() {
    let place = Place::new();
    let in_stages = |format: &str| head(&[("format", format)]);
    for (text, engines, why) in [
        (head(&[]) + SPRT, 2, "a match under [sprt] cannot be split into shards"),
        (in_stages("\"candidates\"") + CANDIDATES, 5, "candidates cannot be split into shards"),
        (in_stages("\"swiss\""), 5, "a swiss cannot be split into shards: later games"),
        (in_stages("\"knockout\""), 5, "a knockout cannot be split into shards: later games"),
    ] {
        let config = place.config(&text, &ENGINES[..engines]);
        let done = place.arena_ends(2, &["run", &config, "--shard", "1/2", "--out", "out"]);
        done.complains(&[why, "leave out --shard"]);
        assert!(!place.path("out").exists());
    }
}

/// The rows of a file, each as its columns in one text.
fn rows(place: &Place, name: &str) -> Vec<String> {
    let text = fs::read_to_string(place.path(name)).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_swiss_is_played_stage_by_stage() {
    let place = Place::new();
    let changes = [
        ("format", "\"swiss\""),
        ("stages", "4"),
        ("rounds", "1"),
        ("kinds", "[\"riatra\", \"session\"]"),
    ];
    let stdout = always_the_same(&place, &changes, "", &["swiss.csv"]);
    assert!(stdout.contains("swiss:\n #   engine "), "{stdout}");
    let table = place.table("one/swiss.csv");
    let column = |name: &str| table.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    // In four stages of five engines, all but one sit out once.
    let mut byes = column("byes");
    byes.sort();
    assert_eq!(byes, ["0", "1", "1", "1", "1"]);
    // The engine that resigns at once wins only when it sits out, and is last.
    let last = table.last().unwrap();
    assert_eq!((&*last["engine"], &*last["points"], &*last["byes"]), ("gives-up", "4", "1"));
    let points = column("points").iter().map(|text| text.parse::<f64>().unwrap()).sum::<f64>();
    assert_eq!(points, 4.0 * 3.0 * 4.0);
    // In a stage two opponents meet in both kinds, and every stage has new openings.
    assert_eq!(
        place.games("one", "max-plies=40").iter().filter(|g| g["session"].is_empty()).count(),
        16
    );
    assert_eq!(place.table("one/sessions.csv").len(), 16);
}

#[test]
fn a_knockout_is_played_to_its_final() {
    let place = Place::new();
    let changes = [("format", "\"knockout\""), ("rounds", "1")];
    let stdout = always_the_same(&place, &changes, "", &["bracket.csv"]);
    assert!(stdout.contains("knockout:\n stage "), "{stdout}");
    let table = place.table("one/bracket.csv");
    let stages: Vec<&str> = table.iter().map(|row| &*row["stage"]).collect();
    assert_eq!(stages, ["1", "2", "2", "3"]);
    assert_eq!((&*table[0]["engine"], &*table[0]["opponent"]), ("late-loser", "other"));
    assert_eq!((&*table[0]["winner"], &*table[0]["by"]), ("other", "points"));
    let second = table.iter().find(|row| row["engine"] == "gives-up").unwrap();
    assert_eq!((&*second["winner"], &*second["points"]), ("first", "0"));
    assert!(["sound", "first", "other"].contains(&&*table[3]["winner"]));
}

/// Whoever is level plays on, and only those who are.
#[test]
fn a_level_encounter_has_further_rounds() {
    let place = Place::new();
    let text = head(&[("format", "\"knockout\""), ("rounds", "1"), ("tiebreaks", "1")]);
    // The side with White always loses, as both resign at the same ply.
    let config = place.config(&text, &[("a", "resign at=8"), ("b", "resign at=8")]);
    place.play(&config, "out");
    assert_eq!(rows(&place, "out/bracket.csv"), ["1,1,a,b,2,2,a,seed"]);
    let games = place.games("out", "max-plies=40");
    assert_eq!(games.len(), 4);
    assert_ne!(games[0]["moves"], games[2]["moves"]);
}

#[test]
fn a_withdrawn_engine_is_out_of_the_stages() {
    let place = Place::new();
    let engines = [("bad", "abort at=8"), ("b", ""), ("c", "first"), ("d", "")];
    let text = head(&[("format", "\"knockout\"")]);
    let config = place.config(&text, &engines);
    let done = place.play(&config, "out");
    assert!(done.stdout.contains("bad is withdrawn after game"), "{}", done.stdout);
    assert_eq!(rows(&place, "out/bracket.csv")[0], "1,1,bad,d,0,4,d,withdrawal");
    let config = place.config(&text.replace("knockout", "swiss"), &engines);
    place.play(&config, "swiss");
    let table = place.table("swiss/swiss.csv");
    assert_eq!((&*table[3]["engine"], &*table[3]["points"]), ("bad", "0"));
    assert_eq!(
        place.games("swiss", "max-plies=40").iter().filter(|g| g["offender"] == "bad").count(),
        3
    );
    // Three engines are left, and one sits out in each of the next two stages.
    let byes: u32 = table.iter().map(|row| row["byes"].parse::<u32>().unwrap()).sum();
    assert_eq!(byes, 2);
}

/// Time odds and the like: an engine's own limit is its handicap, whoever meets whom.
#[test]
fn an_engine_has_its_own_limit_in_every_format() {
    for format in ["round-robin", "gauntlet", "match", "swiss", "knockout"] {
        let place = Place::new();
        let text = head(&[("format", &format!("{format:?}")), ("rounds", "1")]);
        let log = |name: &str| format!("log={}", place.text(name));
        let engines = place.engine("a", &log("a.log"), "limit = \"nodes=7\"")
            + &place.engine("b", &log("b.log"), "");
        let config = place.write("t.toml", &(text + &engines));
        place.play(&config, "out");
        let said = |name: &str| -> Vec<String> {
            let log = fs::read_to_string(place.path(name)).unwrap();
            let mut said: Vec<String> =
                log.lines().filter(|line| line.starts_with("go")).map(str::to_owned).collect();
            said.sort();
            said.dedup();
            said
        };
        assert_eq!(
            (said("a.log"), said("b.log")),
            (vec!["go nodes 7".into()], vec!["go depth 1".into()])
        );
    }
}
