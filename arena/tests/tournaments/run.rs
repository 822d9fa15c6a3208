//! A tournament from its config to its results.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use fanorona_protocol::rules::Position;
use fanorona_tournament::config::{Overrides, load};

use crate::tournaments::place::{Place, Row};

/// Three engines in everything there is to play.
const HEAD: &str = "\
name = \"three\"
seed = 5
kinds = [\"riatra\", \"vela\", \"session\"]
rounds = 2
limit = \"nodes=1\"
openings = { source = \"random\", plies = 2 }
rules = { max-plies = 60, quiet = 30 }
";
const RULES: &str = "max-plies=60 quiet=30";
const ENGINES: [(&str, &str); 3] = [("ann", ""), ("bob, \"the\" bot", "first"), ("cat", "")];

const COLUMNS: &str = "game,pair,session,kind,opening,white,black,result,reason,offender,plies,\
                       book,start,moves,white_ms,black_ms,adjudicated_by";

fn file(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path(name)).unwrap()
}

fn header(place: &Place, name: &str) -> String {
    file(place, name).lines().next().unwrap().to_owned()
}

#[test]
fn a_tournament_is_the_same_however_parallel_it_is_played() {
    let place = Place::new();
    let config = place.config(HEAD, &ENGINES);
    for games in ["1", "3"] {
        let out = format!("at-once-{games}");
        let args = ["run", &config, "--concurrency", games, "--out", &out, "--strict"];
        let done = place.arena_ends(0, &args);
        assert_eq!(done.last_line(), format!("results: {out}"));
    }
    assert_eq!(place.timeless("at-once-1"), place.timeless("at-once-3"));
    for name in ["sessions.csv", "standings.csv", "crosstable.csv"] {
        let one = place.timeless_file(&format!("at-once-1/{name}"));
        assert_eq!(one, place.timeless_file(&format!("at-once-3/{name}")), "{name}");
    }
    // Another seed gives another tournament.
    place.arena_ends(0, &["run", &config, "--seed", "6", "--rounds", "1", "--out", "six"]);
    assert!(!place.timeless("at-once-1").starts_with(&place.timeless("six")));
}

#[test]
fn results_are_what_was_played() {
    let place = Place::new();
    let config = place.config(HEAD, &ENGINES);
    place.play(&config, "out");
    assert_eq!(header(&place, "out/games.csv"), COLUMNS);
    let games = place.games("out", RULES);
    let single: Vec<&Row> = games.iter().filter(|game| game["session"].is_empty()).collect();
    // Three pairings, two kinds, two rounds, two games each.
    assert_eq!(single.len(), 24);
    for game in &games {
        assert!(["riatra", "vela"].contains(&&*game["kind"]));
        assert_eq!(game["offender"], "");
        let start: Position = game["start"].parse().unwrap();
        assert_eq!(start.debtor().is_some(), game["kind"] == "vela");
        assert_eq!(game["book"], "2");
    }
    numbers_and_order(&games);
    pairs(&single);
    sessions(&place, &games);
    standings(&place);
}

/// Games are numbered as scheduled: no number is missing but those of sessions, whose games carry
/// the session's.
fn numbers_and_order(games: &[Row]) {
    let mut expected = 0_u32;
    let mut of_session = 0;
    for game in games {
        match game["game"].split_once('.') {
            None => {
                expected += 1;
                assert_eq!(game["game"], expected.to_string());
                assert_eq!(game["pair"], expected.div_ceil(2).to_string());
            }
            Some((session, number)) => {
                if number == "1" {
                    (expected, of_session) = (expected + 1, 0);
                }
                of_session += 1;
                assert_eq!((session, number), (&*expected.to_string(), &*of_session.to_string()));
                assert_eq!((&*game["session"], &*game["pair"]), (session, ""));
            }
        }
    }
    assert_eq!(expected, 36);
}

/// Both games of a pair begin alike, with colours and roles swapped.
fn pairs(games: &[&Row]) {
    let mut openings: BTreeMap<[&str; 3], BTreeSet<&str>> = BTreeMap::new();
    for pair in games.chunks(2) {
        let [one, two] = pair else { panic!("a pair is two games") };
        for column in ["pair", "kind", "start", "opening", "book"] {
            assert_eq!(one[column], two[column]);
        }
        assert_eq!((&one["white"], &one["black"]), (&two["black"], &two["white"]));
        let book = |game: &Row| -> Vec<String> {
            game["moves"].split(' ').take(2).map(str::to_owned).collect()
        };
        assert_eq!(book(one), book(two));
        let mut engines = [&*one["white"], &*one["black"]];
        engines.sort();
        let line = &one["moves"][..one["moves"].match_indices(' ').nth(1).unwrap().0];
        let new = openings.entry([engines[0], engines[1], &one["kind"]]).or_default().insert(line);
        assert!(new, "no opening comes twice while others remain");
    }
}

/// What `sessions.csv` says follows from the games of each session.
fn sessions(place: &Place, games: &[Row]) {
    assert_eq!(
        header(place, "out/sessions.csv"),
        "session,pair,first,second,result,sets,first_sets,second_sets,velas,games"
    );
    let sessions = place.table("out/sessions.csv");
    assert_eq!(sessions.len(), 12);
    for pair in sessions.chunks(2) {
        assert_eq!(
            (&pair[0]["first"], &pair[0]["second"]),
            (&pair[1]["second"], &pair[1]["first"])
        );
        assert_eq!(pair[0]["pair"], pair[1]["pair"]);
    }
    for session in &sessions {
        let own: Vec<&Row> =
            games.iter().filter(|game| game["session"] == session["session"]).collect();
        assert_eq!(session["games"], own.len().to_string());
        let velas = own.iter().filter(|game| game["kind"] == "vela").count();
        assert_eq!(session["velas"], velas.to_string());
        assert_eq!((&own[0]["kind"], &own[0]["white"]), (&"riatra".to_owned(), &session["first"]));
        for (before, game) in own.iter().zip(&own[1..]) {
            // The loser of a riatra is the debtor of the next vela.
            if game["kind"] == "vela" && before["kind"] == "riatra" {
                let loser = if before["result"] == "1-0" { "black" } else { "white" };
                assert_eq!(game["white"], before[loser]);
            }
        }
        let (ours, theirs) = session["sets"].split_once('-').unwrap();
        assert_eq!((ours, theirs), (&*session["first_sets"], &*session["second_sets"]));
        let (ours, theirs): (f64, f64) = (ours.parse().unwrap(), theirs.parse().unwrap());
        let by_sets = match ours.total_cmp(&theirs) {
            std::cmp::Ordering::Greater => "1-0",
            std::cmp::Ordering::Less => "0-1",
            std::cmp::Ordering::Equal => "1/2-1/2",
        };
        // A creditor may win because the debt was never paid, whatever the set score.
        let unlifted = own.last().unwrap()["kind"] == "vela";
        assert!(session["result"] == by_sets || unlifted, "{session:?}");
    }
}

fn standings(place: &Place) {
    assert_eq!(
        header(place, "out/standings.csv"),
        "rank,engine,kind,elo,elo_low,elo_high,games,wins,draws,losses,score,faults,\
         withdrawn,known,known_wins,thrown_wins,known_draws,thrown_draws,\
         mean_depth,opening_depth,middle_depth,end_depth,\
         mean_nps,opening_nps,middle_nps,end_nps,mean_ms,opening_ms,middle_ms,end_ms"
    );
    let rows = place.table("out/standings.csv");
    assert_eq!(rows.len(), 4 * 3);
    for kind in ["riatra", "vela", "session", "all"] {
        let scope: Vec<&Row> = rows.iter().filter(|row| row["kind"] == kind).collect();
        let number = |row: &Row, column: &str| row[column].parse::<f64>().unwrap();
        let sum = |column| scope.iter().map(|row| number(row, column)).sum::<f64>();
        assert_eq!(sum("games"), if kind == "all" { 72.0 } else { 24.0 });
        assert_eq!(sum("wins"), sum("losses"));
        assert!(sum("elo").abs() < 0.2, "ratings have mean zero");
        for (row, rank) in scope.iter().zip(1..) {
            assert_eq!(row["rank"], rank.to_string());
            assert!(number(row, "elo_low") <= number(row, "elo"));
            assert!(number(row, "elo") <= number(row, "elo_high"));
            let points = number(row, "wins") + number(row, "draws") / 2.0;
            assert!((number(row, "score") - points / number(row, "games")).abs() < 1e-4);
        }
    }
    let crosstable = file(place, "out/crosstable.csv");
    assert!(crosstable.starts_with("kind,engine,opponent,points,games\n"), "{crosstable}");
    let rows = place.table("out/crosstable.csv");
    let against = rows.iter().find(|row| row["kind"] == "all" && row["opponent"] == "cat").unwrap();
    let points = |row: &Row| row["points"].parse::<f64>().unwrap();
    let back = rows.iter().find(|row| {
        row["kind"] == "all" && row["engine"] == "cat" && row["opponent"] == against["engine"]
    });
    let back = back.unwrap();
    assert_eq!(back["games"], against["games"]);
    assert_eq!(points(against) + points(back), against["games"].parse::<f64>().unwrap());
}

#[test]
fn a_results_directory_says_how_it_came_to_be() {
    let place = Place::new();
    let config = place.config(HEAD, &ENGINES);
    place.arena_ends(0, &["run", &config, "--rounds", "1", "--concurrency", "2", "--out", "out"]);
    let written = load(&place.path("out/config.toml"), &Overrides::default()).unwrap();
    let overrides = Overrides {
        rounds: std::num::NonZeroU32::new(1),
        concurrency: std::num::NonZeroU32::new(2),
        ..Overrides::default()
    };
    assert_eq!(written, load(&place.path("t.toml"), &overrides).unwrap());
    let machine: serde_json::Value =
        serde_json::from_str(&file(&place, "out/machine.json")).unwrap();
    assert_eq!(machine["engines"][1]["name"], "bob, \"the\" bot");
    assert_eq!(machine["engines"][1]["identity"], "scripted engine");
    let journal = file(&place, "out/journal.jsonl");
    let entries: Vec<serde_json::Value> =
        journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(entries[0]["entry"]["header"]["name"], "three");
    let games = place.games("out", RULES);
    assert_eq!(entries.len() - 1, games.len());
    // The journal has more than games.csv: the time and score of every move.
    let game = &entries[1]["entry"]["game"];
    let asked = game["moves"].as_str().unwrap().split(' ').count() - 2;
    assert_eq!(game["times"].as_array().unwrap().len(), asked);
    assert!(game["scores"].as_array().unwrap().iter().all(|score| score == "cp 25"));
}

#[test]
fn formats_and_openings_are_those_of_the_config() {
    let place = Place::new();
    let head = "format = \"gauntlet\"\nkinds = [\"riatra\", \"vela\"]\nrounds = 2\n\
                limit = \"depth=1\"\nopenings = { source = \"named\" }\nrules = { max-plies = 12 }\n";
    let config = place.config(head, &ENGINES);
    place.play(&config, "gauntlet");
    let games = place.games("gauntlet", "max-plies=12");
    assert_eq!(games.len(), 2 * 2 * 2 * 2);
    assert!(games.iter().all(|game| game["white"] == "ann" || game["black"] == "ann"));
    let names: BTreeSet<&str> = games.iter().map(|game| &*game["opening"]).collect();
    assert_eq!(names.len(), 2, "{names:?}");

    place.write("lines.txt", "startpos e2e3A\nb2b1/5/5/5/W3W w - 0 1\n");
    let head = "format = \"match\"\nkinds = [\"riatra\"]\nrounds = 1\nlimit = \"depth=1\"\n\
                board = \"5x5\"\nopenings = { source = \"file\", path = \"lines.txt\" }\n";
    let config = place.config(head, &ENGINES[..2]);
    place.arena(&["run", &config, "--out", "wrong"]).complains(&["lines.txt:1"]);
    place.write("lines.txt", "b2b1/5/5/5/W3W w - 0 1\n");
    place.play(&config, "file");
    for game in place.games("file", "") {
        assert_eq!((&*game["start"], &*game["book"]), ("b2b1/5/5/5/W3W w - 0 1", "0"));
    }
}

#[test]
fn events_inside_are_logged_only_when_asked_for() {
    let place = Place::new();
    let config = place.config(HEAD, &ENGINES);
    let play = |args: &[&str], out: &str| {
        place
            .arena_ends(0, &[args, &["run", &config, "--rounds", "1", "--out", out]].concat())
            .stderr
    };
    let begins = |text: &str| text.lines().filter(|line| line.contains("game begins")).count();
    assert_eq!(begins(&play(&[], "quiet")), 0);
    let games = place.games("quiet", RULES).len();
    assert_eq!(begins(&play(&["-v"], "loud")), games);
}
