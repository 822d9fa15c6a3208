//! Asking an oracle about games that have been played.

use std::fs;

use crate::common::{SCRIPT, scripted_engine};
use crate::tournaments::place::{HEAD, Place};

/// The command line of an oracle that does what a script says.
fn oracle(script: &str) -> String {
    format!("env '{}={script}' '{}'", SCRIPT, scripted_engine())
}

fn played() -> Place {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "out");
    place
}

/// The sum of a column of the standings over all kinds.
fn sum(place: &Place, column: &str) -> u64 {
    let rows = place.table("out/standings.csv");
    let of_all = rows.iter().filter(|row| &row["kind"] == "all");
    of_all.map(|row| row[column].parse::<u64>().unwrap()).sum()
}

#[test]
fn values_of_an_oracle_are_counted_and_kept() {
    let place = played();
    for row in place.table("out/standings.csv") {
        for column in ["known", "known_wins", "thrown_wins", "known_draws", "thrown_draws"] {
            assert_eq!(&row[column], "", "nobody has been asked");
        }
    }
    // The side to move always wins, so every move throws away a win, except one that ends a won
    // game.
    let done = place.arena_ends(0, &["analyse", "out", "--oracle", &oracle("knows=win-3 at=6")]);
    assert!(done.stdout.contains("accuracy in positions whose value"), "{}", done.stdout);
    let games = place.games("out", "max-plies=40");
    let moves: u64 =
        games.iter().map(|g| g["plies"].parse::<u64>().unwrap().saturating_sub(6)).sum();
    let winning = |reason: &str| ["no-stones", "no-move"].contains(&reason);
    let won = games.iter().filter(|game| winning(&game["reason"])).count() as u64;
    assert!(moves > 20, "{moves}");
    assert_eq!((sum(&place, "known"), sum(&place, "known_wins")), (moves, moves));
    assert_eq!(sum(&place, "thrown_wins"), moves - won);
    assert_eq!((sum(&place, "known_draws"), sum(&place, "thrown_draws")), (0, 0));
    let page = fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("id=\"accuracy\"") && page.contains("7,\"throws away a win in 3, now"));

    // From here on no engine is needed.
    let files = ["report.html", "standings.csv", "values.csv"];
    let read = |name: &str| fs::read_to_string(place.path("out").join(name)).unwrap();
    let before = files.map(read);
    fs::remove_file(place.path("out/standings.csv")).unwrap();
    place.arena_ends(0, &["report", "out"]);
    assert_eq!(files.map(read), before);
}

#[test]
fn an_oracle_that_fails_costs_nothing_that_is_known() {
    let place = played();
    let asked =
        |script: &str| place.arena_ends(0, &["analyse", "out", "--oracle", &oracle(script)]);
    asked("knows=draw chokes at=6").complains(&["the oracle failed", "to retry"]);
    assert_eq!(place.table("out/values.csv").len(), 0);
    asked("knows=draw at=6");
    let known = fs::read_to_string(place.path("out/values.csv")).unwrap();
    let draws = sum(&place, "known_draws");
    assert!(draws > 20 && sum(&place, "thrown_draws") == 0, "{draws}");
    // The same oracle is not asked twice about a game: it would crash.
    asked("knows=draw chokes at=6");
    assert_eq!(fs::read_to_string(place.path("out/values.csv")).unwrap(), known);
    // Values of a game with other moves are ignored.
    let mut rows = known.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = rows.next().unwrap().join(",");
    let others = rows.map(|mut row| {
        let checksum = row.len() - 2;
        row[checksum] = "00000000";
        row.join(",")
    });
    let other: Vec<String> = [header].into_iter().chain(others).collect();
    fs::write(place.path("out/values.csv"), other.join("\n") + "\n").unwrap();
    place.arena_ends(0, &["report", "out"]);
    assert_eq!(&place.table("out/standings.csv")[0]["known"], "");
}

#[test]
fn wrong_input_names_its_error() {
    let place = played();
    let refused = |code: i32, args: &[&str], words: &[&str]| {
        place.arena_ends(code, &[&["analyse", "out"], args].concat()).complains(words);
    };
    refused(6, &["--oracle", "no-such-engine"], &["no-such-engine"]);
    let sage = oracle("knows=draw");
    refused(6, &["--oracle", &sage, "--option", "Wings=2"], &["no option `Wings`"]);
    refused(2, &["--oracle", &sage, "--option", "Hash"], &["expected NAME=VALUE"]);
    // An oracle knows values: there is nothing to search for, and no engine beside it.
    for more in [&["--nodes", "9"][..], &["--json"], &["--game", "1"], &["--engine", &sage]] {
        refused(2, &[&["--oracle", &sage], more].concat(), &["cannot be used with"]);
    }
    refused(2, &[], &["--engine", "--oracle"]);
    place.write("games.fgn", "");
    place
        .arena_ends(2, &["analyse", "games.fgn", "--oracle", &sage])
        .complains(&["games.fgn is not a results directory"]);
    fs::write(place.path("out/values.csv"), "a,b\n").unwrap();
    let words = ["values.csv", "delete the file and ask the oracle again"];
    place.arena_ends(74, &["report", "out"]).complains(&words);
    refused(74, &["--oracle", &sage], &words);
}

#[test]
fn an_oracle_that_knows_nothing_is_warned_of() {
    let place = played();
    let warning = "knew the value of none of the ";
    let done = place.arena_ends(0, &["analyse", "out", "--oracle", &oracle("")]);
    done.complains(&["warning: scripted engine", warning, "bot-alphabeta with --option"]);
    // Games that have been asked about are not asked again, and the warning is repeated.
    let done = place.arena_ends(0, &["analyse", "out", "--oracle", &oracle("knows=win-3 at=6")]);
    done.complains(&[warning, "first delete out/values.csv"]);
    fs::remove_file(place.path("out/values.csv")).unwrap();
    let done = place.arena_ends(0, &["analyse", "out", "--oracle", &oracle("knows=win-3 at=6")]);
    assert!(!done.stderr.contains(warning), "{}", done.stderr);
}
