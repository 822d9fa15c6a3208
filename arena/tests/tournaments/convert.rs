//! Games from one format into another and back.

use std::fs;
use std::path::Path;

use crate::tournaments::place::{HEAD, Place};

/// Plays a tournament of riatra, vela and sessions, and reads its `games.csv`.
fn games_csv(place: &Place) -> String {
    let head = HEAD
        .replace("[\"riatra\"]", "[\"riatra\", \"vela\", \"session\"]")
        .replace("rounds = 2", "rounds = 1");
    // One engine loses its first game by a fault, and the other one takes a time that is seen.
    let once = format!("illegal at=3 once={}", place.text("once"));
    let config =
        place.config(&head, &[("a \"quoted\" name", "works=2"), ("b, with a comma", &once)]);
    place.play(&config, "out");
    fs::read_to_string(place.path("out/games.csv")).unwrap()
}

#[test]
fn games_go_to_fgn_and_back_to_the_byte() {
    let place = Place::new();
    let games = games_csv(&place);
    assert!(games.contains("illegal"), "{games}");
    place.arena_ends(0, &["convert", "out/games.csv", "-o", "games.fgn"]);
    let fgn = fs::read_to_string(place.path("games.fgn")).unwrap();
    // The config beside the table gives the rules and limits.
    for tag in ["[Event \"t\"]", "[Rules \"max-plies=40\"]", "[TimeControl \"depth=1\"]"] {
        assert!(fgn.contains(tag), "{tag}\n{fgn}");
    }
    let note = place.arena_ends(0, &["convert", "games.fgn", "-o", "again.csv"]).stderr;
    assert!(note.contains("note: left out, as csv has no place for it: "), "{note}");
    assert!(note.contains("the rules `max-plies=40`"), "{note}");
    assert_eq!(fs::read_to_string(place.path("again.csv")).unwrap(), games);
    // Without the rules its games are not valid.
    let refused = place.arena_ends(2, &["convert", "again.csv"]);
    assert!(
        refused.stderr.contains(": recorded as 1/2-1/2 by max-plies, but by the rules it is"),
        "{}",
        refused.stderr
    );
    let told = ["convert", "again.csv", "--rules", "max-plies=40"];
    assert!(place.arena_ends(0, &told).stdout.starts_with("[Game \"1\"]\n"));
}

#[test]
fn games_beyond_the_end_of_a_test_are_in_no_file() {
    let place = Place::new();
    let head =
        HEAD.replace("rounds = 2", "rounds = 500").replace("concurrency = 1", "concurrency = 6")
            + "[sprt]\nelo0 = 0\nelo1 = 100\n";
    // The first game takes as long as many others.
    let slow = format!("late=1500 once={}", place.text("once"));
    let config = place.config(&head, &[("sound", &slow), ("gives-up", "resign at=8")]);
    place.play(&config, "out");
    let games = fs::read_to_string(place.path("out/games.csv")).unwrap().lines().count() - 1;
    assert!(place.journalled("out") > games, "no other game was played meanwhile");
    let moves = place.arena_ends(0, &["convert", "out", "--to", "moves"]).stdout;
    let numbers: std::collections::HashSet<&str> =
        moves.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(numbers.len(), games);
    let told = place.arena_ends(0, &["convert", "out", "--to", "fgn"]).stdout;
    assert_eq!(told.matches("[Game ").count(), games);
}

#[test]
fn what_a_notation_of_positions_has_no_place_for_is_noted() {
    let place = Place::new();
    for (quiet, to, is_noted) in
        [(5, "fanorona-aec", true), (0, "fanorona-aec", false), (5, "fen", false)]
    {
        place.write("p.fen", &format!("9/4b4/2b1b4/4W4/3WW4 b - {quiet} 3\n"));
        let stderr = place.arena_ends(0, &["convert", "p.fen", "--to", to]).stderr;
        assert_eq!(stderr.contains("since the last capture"), is_noted, "{stderr}");
    }
}

#[test]
fn rules_of_the_command_line_decide_how_a_game_ended() {
    let place = Place::new();
    let game = "[White \"a\"]\n[Black \"b\"]\n\n1. d3e3W c4c3A 1/2-1/2\n";
    place.write("mini.fgn", game);
    place.arena_ends(2, &["convert", "mini.fgn"]);
    let rules = ["--rules", "max-plies=2"];
    let row = place.arena_ends(0, &[&["convert", "mini.fgn"][..], &rules].concat()).stdout;
    assert!(row.contains(",max-plies,"), "{row}");
    place.arena_ends(
        0,
        &[&["convert", "mini.fgn", "--to", "fanorona-engine", "-o", "other"][..], &rules].concat(),
    );
    let row =
        place.arena_ends(0, &[&["convert", "other", "--to", "csv"][..], &rules].concat()).stdout;
    assert!(row.contains(",max-plies,"), "{row}");
}

#[test]
fn a_mistake_is_told_with_its_line_and_nothing_is_written() {
    let place = Place::new();
    let games = games_csv(&place);
    for (file, text, expected) in [
        ("twice.csv", format!("{games}{}\n", games.lines().nth(1).unwrap()), "appears twice"),
        (
            "columns.csv",
            "white,black,result\na,b,1-0\n".to_owned(),
            "line 1: there is no column `game`",
        ),
        (
            "move.fgn",
            "[White \"a\"]\n[Black \"b\"]\n\n1. a1a2 *\n".to_owned(),
            "line 1: game 1: move 1",
        ),
        ("word.fgn", "[White \"a\"]\n[Black \"b\"]\n\n1. castles *\n".to_owned(), "line 4: move 1"),
        ("fen.txt", "9/9/9/9/4W4 w\nx w\n".to_owned(), "line 2: "),
        ("none", String::new(), "failed to read"),
    ] {
        let path = place.text(file);
        if file != "none" {
            place.write(file, &text);
        }
        let rules = ["--rules", "max-plies=40"];
        let done = place.arena_ends(2, &[&["convert", &path, "-o", "out.x"], &rules[..]].concat());
        // Whole paths may be wrapped.
        let error = done.stderr.replace('\n', "");
        assert!(error.contains(expected), "{file}: {error}");
        assert!(!place.path("out.x").exists() && !place.path("out.x.new").exists());
    }
}

#[test]
fn positions_of_other_programs_become_openings() {
    let place = Place::new();
    place.write(
        "positions.txt",
        "# from elsewhere\n\
         WWWWWWWWW/WWW1WWWWW/BWBWWBWBW/BBBBB1BBB/BBBBBB1BB B - - - 1 # fanorona-aec\n\
         BBBBBBBBB/BBBBBBBBB/BWBW1BWBW/WWWWWWWWW/WWWWWWWWW w 0 1\n",
    );
    let fen = place.arena_ends(0, &["convert", "positions.txt"]).stdout;
    let expected = "# from elsewhere\n\
        bbbbbb1bb/bbbbb1bbb/bWbWWbWbW/WWW1WWWWW/WWWWWWWWW b - 0 1 # fanorona-aec\n\
        bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1\n";
    assert_eq!(fen, expected);
    place.write("ours.fen", &fen);
    let aec = place.arena_ends(0, &["convert", "ours.fen", "--to", "fanorona-aec"]).stdout;
    assert!(
        aec.contains("\nWWWWWWWWW/WWW1WWWWW/BWBWWBWBW/BBBBB1BBB/BBBBBB1BB B - - - 1 #"),
        "{aec}"
    );
    let head = HEAD.replace(
        "{ source = \"random\", plies = 2 }",
        "{ source = \"file\", path = \"ours.fen\" }",
    );
    let config = place.config(&head, &[("a", ""), ("b", "")]);
    place.play(&config, "out");
    assert!(fs::read_to_string(place.path("out/games.csv")).unwrap().contains("WWW1WWWWW"));
}

#[test]
fn games_go_to_other_programs_and_back() {
    let place = Place::new();
    place.write(
        "theirs.fgn",
        "[White \"a\"]\n[Black \"b\"]\n[Variant \"Fanoron-Dimy\"]\n[Result \"½-½\"]\n\n\
         1. b2-c3A a3-b2A ½-½\n",
    );
    let ours = place.arena_ends(0, &["convert", "theirs.fgn", "--to", "fgn"]).stdout;
    assert!(ours.contains("[Variant \"dimy\"]") && ours.ends_with("1. b2c3A a3b2A 1/2-1/2\n\n"));
    place.write("ours.fgn", &ours);
    let back = place.arena_ends(0, &["convert", "ours.fgn", "--to", "fanorona-engine"]).stdout;
    assert!(back.contains("[Variant \"Fanoron-Dimy\"]"), "{back}");
    assert!(back.ends_with("1. b2-c3A a3-b2A ½-½\n\n"), "{back}");
    let pgn = place.arena_ends(0, &["convert", "ours.fgn", "--to", "pgn"]).stdout;
    assert!(pgn.contains("[White \"a\"]\n[Black \"b\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n"));
    let refused = place.arena_ends(2, &["convert", "ours.fgn", "--to", "abstract-play"]);
    refused.complains(&["line 1: game 1: Abstract Play has riatra"]);
    let refused = place.arena_ends(2, &["convert", "ours.fgn", "--to", "fanorona-aec"]);
    refused.complains(&["holds games; the formats for games are"]);
}

#[test]
fn a_foreign_file_is_reported_once() {
    let place = Place::new();
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = readme.to_str().unwrap();
    let done = place.arena_ends(2, &["convert", readme]);
    done.complains(&["README.md holds neither games nor positions", "games.csv"]);
    assert!(done.stderr.lines().count() < 10, "{}", done.stderr);
    // The first errors of a list of positions are reported.
    let good = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1\n";
    place.write("some.fen", &format!("{good}{}", "bbb\n".repeat(30)));
    let done = place.arena_ends(2, &["convert", "some.fen"]);
    done.complains(&["line 2: ", "line 11: ", "and 20 more"]);
    assert_eq!(done.stderr.matches("line ").count(), 10, "{}", done.stderr);
}

#[test]
fn a_move_without_its_captures_is_recognised() {
    let place = Place::new();
    let game = "[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n1. e2e3 *\n";
    place.write("short.fgn", game);
    let meant = "e2e3 is not legal: a capture is possible and must be played; did you mean e2e3A?";
    place.arena_ends(2, &["convert", "short.fgn"]).complains(&[meant]);
    place.arena_ends(2, &["show", "short.fgn", "1"]).complains(&[meant]);
    place.write("whole.fgn", &game.replace("e2e3", "e2e3A"));
    place.arena_ends(0, &["convert", "whole.fgn"]);
}

/// The example of the guide is what the arena writes and reads.
#[test]
fn the_guides_example_is_a_game() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("guides/fgn.md");
    let guide = fs::read_to_string(guide).unwrap();
    let example = guide.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let place = Place::new();
    place.write("example.fgn", example);
    let read = place.arena_ends(0, &["convert", "example.fgn", "--to", "fgn"]).stdout;
    assert_eq!(read, example);
}

/// A tournament leaves its games as text as well, and they are the same games.
#[test]
fn a_tournament_writes_its_games_as_text() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "out");
    let games = place.games("out", "max-plies=40");
    let file = fs::File::open(place.path("out/games.fgn")).unwrap();
    let texts = fanorona_tournament::notation::fgn::Reader::new(std::io::BufReader::new(file));
    let read: Vec<_> = texts.map(|game| game.unwrap().record).collect();
    assert_eq!(read.len(), games.len());
    for (read, row) in read.iter().zip(&games) {
        let words = [read.id.to_string(), read.result.to_string(), read.moves.clone()];
        assert_eq!(words, [row["game"].clone(), row["result"].clone(), row["moves"].clone()]);
    }
}

/// Every format of games accepts a results directory and writes the games of its files.
#[test]
fn a_directory_is_taken_for_every_format() {
    let place = Place::new();
    let games = games_csv(&place);
    let fgn = fs::read_to_string(place.path("out/games.fgn")).unwrap();
    let of = |format: &str| place.arena_ends(0, &["convert", "out", "--to", format]);
    assert_eq!(of("csv").stdout, games);
    assert_eq!(of("fgn").stdout, fgn);
    assert!(of("pgn").stdout.contains("[Event \"t\"]"));
    assert!(of("fanorona-engine").stdout.contains("[Variant \"Fanoron-Tsivy\"]"));
    assert!(of("moves").stdout.starts_with("game,ply,side,"));
    // Velas do not exist there.
    let refused = place.arena_ends(2, &["convert", "out", "--to", "abstract-play"]);
    refused.complains(&["game ", "Abstract Play"]);
    for format in ["fen", "fanorona-aec"] {
        place.arena_ends(2, &["convert", "out", "--to", format]).complains(&["out holds games"]);
    }
    // Without the journal, as results are shared, the table is there.
    fs::remove_file(place.path("out/journal.jsonl")).unwrap();
    assert_eq!(of("csv").stdout, games);
    assert!(place.arena_ends(0, &["convert", "out"]).stdout.starts_with("[Event \"t\"]\n"));
    place.arena_ends(2, &["convert", "out", "--to", "moves"]).complains(&["with a journal"]);
    fs::create_dir(place.path("empty")).unwrap();
    place.arena_ends(2, &["convert", "empty"]).complains(&["neither a journal nor a games.csv"]);
}

#[test]
fn losses_of_a_format_are_reported() {
    let place = Place::new();
    let games = games_csv(&place);
    let lost = |args: &[&str]| place.arena_ends(0, &[&["convert"], args].concat()).complaint();
    let said = |text: &str, parts: &[&str], not: &[&str]| {
        assert!(parts.iter().all(|part| text.contains(part)), "{parts:?}: {text}");
        assert!(!not.iter().any(|part| text.contains(part)), "{not:?}: {text}");
    };
    let from_csv = lost(&["out/games.csv", "--to", "fgn"]);
    assert_eq!(from_csv, "");
    let csv = lost(&["out", "--to", "csv"]);
    said(&csv, &["times of moves", "scores", "details of faults", "`max-plies=40`"], &["pairs"]);
    let pgn = lost(&["out", "--to", "pgn"]);
    said(&pgn, &["moves and start positions", "pairs", "times", "the rules"], &["comments"]);
    let engine = lost(&["out", "--to", "fanorona-engine"]);
    said(&engine, &["pairs", "opening", "times of moves", "scores", "the rules"], &["comments"]);
    // Comments and judgements of a file are not carried over.
    let game = "[White \"a\"]\n[Black \"b\"]\n[Site \"home\"]\n\n1. e2e3A?! {a bold move} *\n";
    place.write("judged.fgn", game);
    said(&lost(&["judged.fgn", "--to", "fgn"]), &["comments, judgements and tags"], &["times"]);
    place.write("plain.fgn", "[White \"a\"]\n[Black \"b\"]\n\n1. e2e3A *\n");
    assert_eq!(lost(&["plain.fgn", "--to", "fgn"]), "");
    assert_eq!(lost(&["plain.fgn", "--to", "csv"]), "");
    assert!(games.starts_with("game,"));
}

/// A `config.toml` beside a file is not that of its games, unless the directory is one of results.
#[test]
fn games_have_no_rules_but_their_own() {
    let place = Place::new();
    let games = games_csv(&place);
    let other = HEAD.replace("max-plies = 40", "quiet = 7");
    let config = place.config(&other, &[("a", ""), ("b", "")]);
    fs::copy(config, place.path("config.toml")).unwrap();
    let game = "[White \"a\"]\n[Black \"b\"]\n\n1. e2e3A *\n";
    place.write("mine.fgn", game);
    let fgn = place.arena_ends(0, &["convert", "mine.fgn", "--to", "fgn"]).stdout;
    for tag in ["Rules", "Event", "TimeControl"] {
        assert!(!fgn.contains(&format!("[{tag} ")), "{fgn}");
    }
    place.write("table.csv", &games);
    let fgn = place.arena_ends(0, &["convert", "table.csv", "--rules", "max-plies=40"]).stdout;
    assert!(!fgn.contains("quiet=7") && !fgn.contains("[Event "), "{fgn}");
    // What a file says of its tournament stays.
    let whole = fs::read_to_string(place.path("out/games.fgn")).unwrap();
    fs::copy(place.path("out/games.fgn"), place.path("elsewhere.fgn")).unwrap();
    assert_eq!(place.arena_ends(0, &["convert", "elsewhere.fgn", "--to", "fgn"]).stdout, whole);
}

/// A name from elsewhere does not become a formula of a spreadsheet.
#[test]
fn no_cell_is_a_formula() {
    let place = Place::new();
    for (name, cell) in
        [("=1+1", "'=1+1"), ("+a", "'+a"), ("-a", "'-a"), ("@a", "'@a"), ("a=", "a=")]
    {
        let game = format!("[White \"{name}\"]\n[Black \"b\"]\n\n1. e2e3A *\n");
        place.write("game.fgn", &game);
        place.arena_ends(0, &["convert", "game.fgn", "-o", "game.csv"]);
        assert_eq!(place.table("game.csv")[0]["white"], cell);
        let config = place.config(HEAD, &[(name, ""), ("b", "")]);
        match cell.starts_with('\'') {
            true => place
                .arena_ends(2, &["run", &config, "--out", "out"])
                .complains(&["a name cannot begin with =, +, - or @"]),
            false => drop(place.play(&config, "out")),
        }
    }
}
