//! Tournaments played in parts, and united.

use std::fs;
use std::path::Path;

use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::record::{GameRecord, Header, Journal, Lock, Reader};

use crate::tournaments::place::{HEAD, Place};

/// Everything there is to play, between three.
fn config(place: &Place) -> String {
    let head = HEAD
        .replace("match", "round-robin")
        .replace("[\"riatra\"]", "[\"riatra\", \"vela\", \"session\"]");
    place.config(&head, &[("a", ""), ("b", "first"), ("c", "")])
}

/// Plays a config in four parts.
fn in_four(place: &Place, config: &str) -> [&'static str; 4] {
    let parts = ["part-1", "part-2", "part-3", "part-4"];
    for (number, out) in (1..).zip(parts) {
        let shard = format!("{number}/4");
        place.arena_ends(0, &["run", config, "--shard", &shard, "--out", out]);
    }
    parts
}

fn merge<'a>(dirs: &[&'a str], out: &'a str) -> Vec<&'a str> {
    [&["merge"], dirs, &["--out", out]].concat()
}

/// Makes sure that two directories hold the same results, thinking times aside.
fn assert_same(place: &Place, one: &str, other: &str) {
    assert_eq!(place.timeless(one), place.timeless(other));
    let files = ["sessions.csv", "standings.csv", "crosstable.csv"];
    for name in files.iter().chain(&["standings-without-withdrawn.csv"]) {
        let read = |dir: &str| {
            let is_there = place.path(dir).join(name).exists();
            is_there.then(|| place.timeless_file(&format!("{dir}/{name}")))
        };
        assert_eq!(read(one), read(other), "{name}");
        assert!(!files.contains(name) || read(one).is_some(), "{name}");
    }
}

/// A directory of the same tournament with these games.
fn directory(place: &Place, like: &str, name: &str, games: &[GameRecord]) {
    let dir = place.path(name);
    fs::create_dir(&dir).unwrap();
    for file in ["config.toml", "machine.json"] {
        fs::copy(place.path(like).join(file), dir.join(file)).unwrap();
    }
    let header: Header = Journal::read(&place.path(like), []).unwrap().header;
    let mut journal = Journal::create(Lock::take(&dir).unwrap(), &header).unwrap();
    for game in games {
        journal.write(game).unwrap();
    }
}

/// The games of a directory.
fn games(dir: &Path) -> Vec<GameRecord> {
    let contents = Journal::read(dir, []).unwrap();
    let mut reader = Reader::open(dir).unwrap();
    contents.index.games().iter().map(|game| reader.game(game.offset).unwrap()).collect()
}

#[test]
fn four_parts_are_the_whole() {
    let place = Place::new();
    let config = config(&place);
    place.play(&config, "whole");
    let parts = in_four(&place, &config);
    // Every shard has its own games, and pairs stay together.
    let rows: Vec<usize> = parts.iter().map(|part| place.journalled(part)).collect();
    assert_eq!(rows.iter().sum::<usize>(), place.journalled("whole"), "{rows:?}");
    for part in parts {
        let games = place.table(&format!("{part}/games.csv"));
        let single: Vec<_> = games.iter().filter(|game| game["session"].is_empty()).collect();
        assert!(!single.is_empty());
        assert!(single.chunks(2).all(|pair| pair[0]["pair"] == pair[1]["pair"]));
    }

    let done = place.arena_ends(0, &merge(&parts, "united"));
    assert_eq!(done.last_line(), "results: united");
    assert!(done.stdout.contains("all together:"), "{}", done.stdout);
    assert_same(&place, "united", "whole");
    // In schedule order, regardless of the order of the shards, and also when merged again.
    let [one, two, three, four] = parts;
    let lines = |dir| fs::read_to_string(place.path(dir).join("journal.jsonl")).unwrap();
    place.arena_ends(0, &merge(&[four, two, one, three, two, "united"], "again"));
    assert_same(&place, "again", "whole");
    assert_eq!(lines("again").lines().count(), lines("whole").lines().count());
    let ids: Vec<_> = games(&place.path("again")).iter().map(|game| game.id).collect();
    assert!(ids.is_sorted());
    // The result is a normal tournament.
    place.arena_ends(0, &["resume", "united"]);
    assert_same(&place, "united", "whole");
}

#[test]
fn merge_names_missing_games_and_resume_plays_them() {
    let place = Place::new();
    let config = config(&place);
    place.play(&config, "whole");
    let parts = in_four(&place, &config);
    // One shard has only begun, another was interrupted in the middle of a line.
    let cut = |part: &str, keep: &dyn Fn(&str) -> usize| {
        let path = place.path(part).join("journal.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..keep(&text)]).unwrap();
    };
    cut("part-2", &|text| text.find('\n').unwrap() + 1);
    cut("part-3", &|text| text.len() - 20);
    let done = place.arena_ends(0, &merge(&parts, "united"));
    assert!(done.stderr.contains("part-3/journal.jsonl is incomplete"), "{}", done.stderr);
    let last = done.last_line();
    assert!(
        last.ends_with("of 36 games and sessions are missing; play them with: arena resume united")
    );
    // A shard is resumed as a shard.
    place.arena_ends(0, &["resume", "part-2"]);
    place.arena_ends(0, &merge(&["part-2", "united"], "more"));
    let missing = |text: &str| text.split(' ').next().unwrap().parse::<u32>().unwrap();
    assert_eq!(missing(last), 10 + 1);
    place.arena_ends(0, &["resume", "more"]);
    assert_same(&place, "more", "whole");
}

/// No part knows what came before its games; together they do.
#[test]
fn an_engine_is_withdrawn_where_the_whole_is_known() {
    let place = Place::new();
    let head = HEAD.replace("match", "round-robin").replace("rounds = 2", "rounds = 3");
    let engines = [("a", ""), ("bad", "abort at=8"), ("c", "first"), ("d", "")];
    let config = place.config(&head, &engines);
    place.play(&config, "whole");
    let parts = in_four(&place, &config);
    for part in parts {
        assert!(!place.path(part).join("standings-without-withdrawn.csv").exists());
        assert!(
            place
                .table(&format!("{part}/standings.csv"))
                .iter()
                .all(|row| row["withdrawn"].is_empty())
        );
    }
    let done = place.arena_ends(0, &merge(&parts, "united"));
    assert!(done.stdout.contains("bad is withdrawn after game 5"), "{}", done.stdout);
    assert_eq!(done.last_line(), "results: united");
    assert_same(&place, "united", "whole");
    assert!(place.journalled("united") > place.journalled("whole"));
}

#[test]
fn a_game_with_two_stories_is_refused() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "whole");
    let all = games(&place.path("whole"));
    let mut slower = all[..2].to_vec();
    slower[0].white_ms += 5;
    slower[0].times[0] += 5;
    directory(&place, "whole", "slower", &slower);
    place.arena_ends(0, &merge(&["whole", "slower"], "united"));
    // The game of the first directory is kept.
    assert_eq!(games(&place.path("united")), all);

    let mut other = all[1..3].to_vec();
    let drawn = other[1].result == GameResult::Drawn;
    other[1].result = if drawn { "1-0" } else { "1/2-1/2" }.parse().unwrap();
    directory(&place, "whole", "other", &other);
    let done = place.arena_ends(2, &merge(&["whole", "other"], "out"));
    done.complains(&[
        "game 3 differs in whole/journal.jsonl and other/journal.jsonl",
        "field `result`",
    ]);
    assert!(!place.path("out/journal.jsonl").exists());

    // A game that is void in one shard is taken from another.
    let mut void = all[1..3].to_vec();
    (void[1].result, void[1].reason) = (GameResult::Void, Reason::Void);
    void[1].moves = String::new();
    directory(&place, "whole", "void", &void);
    place.arena_ends(0, &merge(&["void", "whole"], "played"));
    assert_eq!(games(&place.path("played")), all);
    place.arena_ends(0, &merge(&["whole"], "out"));
    assert_same(&place, "out", "whole");
}

/// As when the spool of a worker that was given up comes back.
#[test]
fn under_time_limits_a_pair_is_taken_whole() {
    let place = Place::new();
    let head = HEAD.replace("depth=1", "10s");
    let config = place.config(&head, &[("a", ""), ("b", "first")]);
    place.play(&config, "whole");
    let all = games(&place.path("whole"));
    let other = |game: &GameRecord| {
        let result = if game.result == GameResult::Drawn { "1-0" } else { "1/2-1/2" };
        GameRecord { result: result.parse().unwrap(), ..game.clone() }
    };
    let merged = |dirs: &[&str], out: &str| {
        let done = place.arena_ends(0, &merge(dirs, out));
        assert!(done.stderr.contains("note: 1 pair or session was played"), "{}", done.stderr);
        games(&place.path(out))
    };
    // The first pair was replayed: its second game differs.
    let again = [all[0].clone(), other(&all[1])];
    directory(&place, "whole", "lab", &again);
    directory(&place, "whole", "spool", &all);
    assert_eq!(merged(&["lab", "spool"], "one"), [&again[..], &all[2..]].concat());
    assert_eq!(merged(&["spool", "lab"], "two"), all);
    // A directory with half a pair has less to say than one with both games.
    directory(&place, "whole", "half", &[other(&all[0])]);
    assert_eq!(merged(&["half", "spool"], "three"), all);
}

#[test]
fn merge_refuses_foreign_shards() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "one");
    place.arena_ends(0, &["run", &config, "--rounds", "3", "--out", "three"]);
    let done = place.arena_ends(2, &merge(&["one", "three"], "out"));
    done.complains(&["three and one belong to different tournaments", "`rounds = 3` was added"]);
    let done = place.arena_ends(2, &merge(&["one"], "three"));
    done.complains(&["three already holds a tournament", "--out"]);
    place.arena_ends(2, &merge(&["one", "nowhere"], "out")).complains(&["nowhere/config.toml"]);

    directory(&place, "one", "two", &games(&place.path("one")));
    let programs = place.path("two/machine.json");
    let machine = fs::read_to_string(&programs).unwrap();
    fs::write(&programs, machine.replacen("scripted engine", "another engine", 1)).unwrap();
    let done = place.arena_ends(2, &merge(&["one", "two"], "out"));
    let difference =
        "two: engine `a` reports the name `another engine` instead of `scripted engine`";
    done.complains(&[difference, "--force"]);
    assert!(!place.path("out").exists());
    let args = [&merge(&["one", "two"], "out")[..], &["--force"]].concat();
    let done = place.arena_ends(0, &args);
    assert!(done.stderr.contains(&format!("note: {difference}")), "{}", done.stderr);
    assert_same(&place, "out", "one");

    let journal = place.path("two/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("\"moves\":\"", "\"moves\":\"a", 1)).unwrap();
    let args = [&merge(&["one", "two"], "damaged")[..], &["--force"]].concat();
    place.arena_ends(2, &args).complains(&["two/journal.jsonl:2:", "checksum"]);
    assert!(!place.path("damaged").exists());
}

#[test]
fn parts_are_numbers() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    for shard in ["0/4", "5/4", "a/b", "3"] {
        let done = place.arena_ends(2, &["run", &config, "--shard", shard, "--out", "out"]);
        done.complains(&[shard, "--shard", "expected i/n with i from 1 to n"]);
    }
    assert!(!place.path("out").exists());
    // With more shards than pairs, some have nothing to play and end at once.
    place.arena_ends(0, &["run", &config, "--shard", "3/3", "--out", "none"]);
    assert_eq!(place.journalled("none"), 0);
    let done = place.arena_ends(0, &["run", &config, "--shard", "2/3"]);
    let dir = done.last_line().strip_prefix("results: results/t-2").unwrap();
    assert!(dir.ends_with("-2of3"), "{dir}");
}
