//! The committed reference runs: their games replay by the rules, and rating them again gives the
//! standings beside them.

use crate::common;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use fanorona_pages::files::RATINGS;
use fanorona_ratings::FitOptions;
use fanorona_report::csv as files;
use fanorona_report::statistics::results_reader::GameResults;
use fanorona_report::statistics::standings::Standings;
use fanorona_tournament::config::{Overrides, load};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn reference() -> PathBuf {
    root().join("results/reference")
}

#[test]
fn the_games_of_the_reference_run_replay_by_the_rules() {
    let tournament = load(&reference().join("config.toml"), &Overrides::default()).unwrap();
    let games = common::replay_all(&reference().join("games.csv"), &tournament.rules);
    assert!(games > 100, "{games}");
}

#[test]
fn the_reference_run_is_one_of_full_toml() {
    let full = load(&root().join("configs/full.toml"), &Overrides::default()).unwrap();
    let played = load(&reference().join("config.toml"), &Overrides::default()).unwrap();
    assert_eq!(played, full);
}

#[test]
fn rating_the_games_again_gives_the_same_standings() {
    let mut contests = GameResults::default();
    contests.read(&reference().join("games.csv")).unwrap();
    assert!(contests.notes.is_empty(), "{:?}", contests.notes);
    let standings = Standings::new(&contests, &FitOptions::default()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    files::standings(dir.path(), files::STANDINGS, &standings).unwrap();
    let read = |dir: &Path| recorded_columns(dir, "standings.csv");
    assert_eq!(read(dir.path()), read(&reference()));
}

/// A table in the columns that the reference run has.
fn recorded_columns(dir: &Path, file: &str) -> Vec<Vec<String>> {
    let mut of_reference = csv::Reader::from_path(reference().join(file)).unwrap();
    let columns = of_reference.headers().unwrap().clone();
    let rows = common::rows(&dir.join(file));
    let row = |row: &common::Row| columns.iter().map(|name| row.get(name).to_owned()).collect();
    rows.iter().map(row).collect()
}

/// `games.csv` without the two columns that may differ between equal runs.
fn timeless(path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let columns = reader.headers().unwrap().clone();
    let timeless = |row: &csv::StringRecord| {
        let fields = columns.iter().zip(row).filter(|(column, _)| !column.ends_with("_ms"));
        fields.map(|(_, field)| field.to_owned()).collect()
    };
    let rows = reader.records().map(|row| timeless(&row.unwrap()));
    [timeless(&columns)].into_iter().chain(rows).collect()
}

#[test]
#[ignore = "takes a minute, and holds at the version that made the reference run only"]
fn the_reference_run_is_reproduced_to_the_byte() {
    common::build_bots();
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let config = root().join("configs/full.toml");
    let run = common::arena(&[
        "run",
        config.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--strict",
    ]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(timeless(&out.join("games.csv")), timeless(&reference().join("games.csv")));
    for file in ["sessions.csv", "standings.csv", "crosstable.csv"] {
        let read = |dir: &Path| recorded_columns(dir, file);
        assert_eq!(read(&out), read(&reference()), "{file}");
    }
}

/// The games that every site has for its explorer.
#[test]
#[ignore = "takes two minutes, and holds at the version that played the games only"]
fn the_games_of_the_explorer_are_played_again() {
    common::build_bots();
    let dir = tempfile::tempdir().unwrap();
    let (out, text) = (dir.path().join("out"), dir.path().join("all.fgn"));
    let config = root().join("configs/explorer.toml");
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let games = out.join("games.csv");
    for args in [
        ["run", &path(&config), "--out", &path(&out), "--strict"].as_slice(),
        &["convert", &path(&games), "--to", "fgn", "-o", &path(&text)],
    ] {
        let done = common::arena(args);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let written = fs::read_to_string(text).unwrap();
    let timeless: String =
        written.split_inclusive('\n').filter(|line| !line.contains("Ms \"")).collect();
    let packed = include_bytes!("../../pages/src/explorer_games.fgn.gz");
    let mut kept = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut kept).unwrap();
    assert!(timeless == kept, "other games");
    let table = |dir: &Path| fs::read_to_string(dir.join("crosstable.csv")).unwrap();
    assert_eq!(table(&out), table(&root().join("results/explorer")));
}

/// A page without a server filters those games by the ratings that they give.
#[test]
fn the_explorer_knows_the_ratings_of_its_engines() {
    let rows = common::rows(&root().join("results/explorer/standings.csv"));
    let rated = rows.iter().filter(|row| row.get("kind") == "all");
    let mut rated: Vec<(&str, f64)> =
        rated.map(|row| (row.get("engine"), row.get("elo").parse().unwrap())).collect();
    rated.sort_by_key(|(name, _)| *name);
    assert_eq!(rated, RATINGS);
}
