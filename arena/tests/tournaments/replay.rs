//! Recorded games that are played again, and dialogues that are kept.

use std::fs;

use crate::tournaments::place::{HEAD, Place};

/// Riatras 1 and 2, session 3.
fn head() -> String {
    HEAD.replace("[\"riatra\"]", "[\"riatra\", \"session\"]").replace("rounds = 2", "rounds = 1")
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path(name)).unwrap()
}

/// The lines of a dialogue without their times.
fn lines(dialogue: &str) -> Vec<&str> {
    dialogue.lines().map(|line| &line[11..]).collect()
}

#[test]
fn a_game_comes_out_the_same_and_its_dialogue_is_kept() {
    let place = Place::new();
    let config = place.config(&head(), &[("a", ""), ("b", "greedy")]);
    place.play(&config, "out");
    let journal = read(&place, "out/journal.jsonl");
    for (game, row) in ["1", "2", "3.1", "3.2"].iter().zip(place.games("out", "max-plies=40")) {
        let done = place.arena_ends(0, &["replay", "out", game]);
        let end =
            format!("the same moves and the same end: {} by {}", row["result"], row["reason"]);
        assert!(done.stdout.contains(&end), "{game}: {}", done.stdout);
        let dialogue = read(&place, &format!("out/replays/{game}.txt"));
        let lines = lines(&dialogue);
        let white = ["W> ugi", "W< ugiok", "W> uginewgame", "W> isready", "W< readyok"];
        for line in white.iter().flat_map(|line| [line.to_string(), line.replace('W', "B")]) {
            assert!(lines.contains(&&*line), "{line} is missing: {dialogue}");
        }
        // Every move is asked for and answered.
        let own: usize = row["plies"].parse::<usize>().unwrap() - 2;
        let answers: Vec<_> = lines.iter().filter(|it| it[1..].starts_with("< bestmove")).collect();
        assert_eq!(answers.len(), own);
        let last = row["moves"].split(' ').next_back().unwrap();
        assert!(answers[own - 1].ends_with(&format!("< bestmove {last}")), "{dialogue}");
        assert!(!lines.iter().any(|line| line.contains("quit")));
    }
    place.arena_ends(0, &["replay", "out", "1", "--out", "said.txt"]);
    assert_eq!(lines(&read(&place, "said.txt")).len(), {
        let again = read(&place, "out/replays/1.txt");
        lines(&again).len()
    });
    for file in ["out/journal.jsonl", "out/config.toml"] {
        let refused = place.arena_ends(2, &["replay", "out", "1", "--out", file]);
        refused.complains(&["belongs to a tournament: it is not replaced"]);
    }
    let refused = place.arena_ends(2, &["convert", "said.txt", "--out", "said.txt"]);
    refused.complains(&["said.txt is the file that is read"]);
    assert_eq!(read(&place, "out/journal.jsonl"), journal);
    // `show` finds the dialogue of a replay, and says that it is one.
    let shown = place.arena_ends(0, &["show", "out", "1", "--dialogue"]);
    assert_eq!(shown.stdout, read(&place, "out/replays/1.txt"));
    assert!(shown.stderr.contains("this is the dialogue of a replay"), "{}", shown.stderr);
    place.arena_ends(2, &["replay", "out", "9"]).complains(&["there is no game 9"]);
    place.arena_ends(2, &["replay", "nowhere", "1"]).complains(&["not a results directory"]);
}

#[test]
fn a_game_that_comes_out_differently_is_told_where() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "out");
    let kept = read(&place, "out/config.toml");
    fs::write(
        place.path("out/config.toml"),
        kept.replacen("SCRIPTED_ENGINE = \"\"", "SCRIPTED_ENGINE = \"first\"", 1),
    )
    .unwrap();
    let done = place.arena_ends(5, &["replay", "out", "1"]);
    let game = &place.games("out", "max-plies=40")[0];
    let told = done.stdout.lines().nth(1).unwrap();
    let number: usize = told.split(' ').nth(1).unwrap().parse().unwrap();
    let was = game["moves"].split(' ').nth(number - 1).unwrap();
    assert!(
        told.ends_with(&format!(
            "of a (W) differs: it was {was}, and now {}",
            told.rsplit(' ').next().unwrap()
        )),
        "{told}"
    );
    assert!(number % 2 == 1 && number > 2, "{told}");
    assert!(done.stdout.contains(&format!("it ended {} by ", game["result"])), "{}", done.stdout);
}

/// In a tuning the options differ from game to game.
#[test]
fn a_game_of_a_tuning_has_the_values_of_its_iteration() {
    let place = Place::new();
    let engine = place.engine("aims", "greedy aim=70 scores=hash", "");
    let config = place.write(
        "tune.toml",
        &format!(
            "format = \"tune\"\nkinds = [\"riatra\"]\nboard = \"5x5\"\nrounds = 1\nconcurrency = 1\n\
             limit = \"depth=1\"\nstall = \"5s\"\nopenings = {{ source = \"random\", plies = 2 }}\n\
             rules = {{ max-plies = 40 }}\n\
             [tune]\niterations = 8\n\
             parameters = {{ Aim = {{ start = 20, min = 0, max = 100, c_end = 12, r_end = 0.5 }} }}\n\
             {engine}"
        ),
    );
    place.arena_ends(0, &["run", &config, "--out", "out"]);
    let rows = place.table("out/tune.csv");
    for (game, row) in [(1, &rows[0]), (10, &rows[4]), (16, &rows[7])] {
        place.arena_ends(0, &["replay", "out", &game.to_string()]);
        let dialogue = read(&place, &format!("out/replays/{game}.txt"));
        let set = |line: &&str| line.contains("> setoption name Aim value ");
        let values: Vec<&str> =
            dialogue.lines().filter(set).filter_map(|line| line.rsplit(' ').next()).collect();
        for column in ["Aim +", "Aim -"] {
            let played = values.contains(&&*row[column]);
            assert!(played, "game {game}: {values:?}, {row:?}");
        }
    }
}

#[test]
fn all_dialogues_are_kept_if_the_config_says_so() {
    let place = Place::new();
    let engines = [("a", "greedy"), ("b", "abort at=9 once=crashed")];
    let quiet = place.config(&head(), &[("a", "greedy"), ("b", "")]);
    place.play(&quiet, "quiet");
    assert!(!place.path("quiet/dialogues").exists());
    let logged = place.config(&format!("log = \"all\"\n{}", head()), &[("a", "greedy"), ("b", "")]);
    place.play(&logged, "logged");
    assert_eq!(place.timeless("logged"), place.timeless("quiet"));
    let games = place.table("logged/games.csv");
    for game in &games {
        let dialogue = place.arena_ends(0, &["show", "logged", &game["game"], "--dialogue"]).stdout;
        let moves = dialogue.matches("< bestmove ").count();
        assert_eq!(moves.to_string(), (game["plies"].parse::<usize>().unwrap() - 2).to_string());
        // Engines that are running already begin with the next game.
        assert_eq!(dialogue.contains("W> ugi\n"), game["game"] == "1", "{dialogue}");
    }
    place
        .arena_ends(2, &["show", "quiet", "1", "--dialogue"])
        .complains(&["has no dialogue of game 1", "arena replay quiet 1"]);
    // The directory's checksum is that of a config without the key.
    place.arena_ends(0, &["extend", "logged", "--rounds", "2"]);
    assert!(place.path("logged/dialogues/5.txt.zst").exists());
    // The end of a game by a fault is there, too.
    let faulty = place.config(&format!("log = \"all\"\n{HEAD}"), &engines);
    place.play(&faulty, "faulty");
    let fault = place.table("faulty/games.csv").into_iter().find(|row| row["reason"] == "crash");
    let fault = fault.expect("it crashes once");
    let dialogue = place.arena_ends(0, &["show", "faulty", &fault["game"], "--dialogue"]).stdout;
    let side = if fault["white"] == "b" { 'W' } else { 'B' };
    let last = dialogue.lines().next_back().unwrap();
    assert!(last.ends_with(&format!(" {side}< readyok")), "{last}");
    let wrong = read(&place, "t.toml").replacen("\"all\"", "\"some\"", 1);
    place.write("log.toml", &wrong);
    place.arena_ends(2, &["run", "log.toml"]).complains(&["\"faults\" or \"all\""]);
}

/// An engine whose opponent does not get ready has said something, too, and not in the next game.
#[test]
fn a_dialogue_belongs_to_one_game() {
    let place = Place::new();
    let engines = [("a", "first"), ("b", "falls-over patient=seen once=fallen")];
    let config = place.config(&format!("log = \"all\"\n{HEAD}"), &engines);
    place.play(&config, "out");
    for game in place.table("out/games.csv") {
        let shown = ["show", "out", &game["game"], "--dialogue"];
        let dialogue = place.arena_ends(0, &shown).stdout;
        let side = if game["white"] == "a" { 'W' } else { 'B' };
        let begun = dialogue.matches(&format!("{side}> uginewgame")).count();
        assert_eq!(begun, 1, "game {}: {dialogue}", game["game"]);
    }
    let faults =
        place.table("out/games.csv").iter().filter(|row| !row["offender"].is_empty()).count();
    assert_eq!(faults, 1);
}

/// A file in the place of the directory: games count without their dialogues.
#[test]
fn games_count_without_their_dialogues() {
    let place = Place::new();
    let config = place.config(&format!("log = \"all\"\n{HEAD}"), &[("a", ""), ("b", "first")]);
    fs::create_dir(place.path("out")).unwrap();
    fs::write(place.path("out/dialogues"), "in the way").unwrap();
    let done = place.arena_ends(0, &["run", &config, "--out", "out"]);
    assert_eq!(place.table("out/games.csv").len(), 4);
    assert!(done.stderr.contains("the dialogue is not kept: cannot write"), "{}", done.stderr);
}
