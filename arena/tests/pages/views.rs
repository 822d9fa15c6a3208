//! The fields that the scripts know of the server's answers: `arena/pages/views.d.ts`, by which the
//! type checker of `.ci/full` judges the scripts, says what the server answers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{serve, tournament};

/// The interfaces of the file: fields with their types.
type Interfaces = BTreeMap<String, BTreeMap<String, String>>;

fn interfaces() -> Interfaces {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pages/views.d.ts");
    let text = fs::read_to_string(path).expect("the types are there");
    let mut found = Interfaces::new();
    let mut name = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("export interface ") {
            name = Some(rest.trim_end_matches(" {").to_owned());
            found.insert(name.clone().unwrap(), BTreeMap::new());
        } else if let Some((field, of)) = line.trim().trim_end_matches(';').split_once(": ")
            && line.starts_with("  ")
        {
            let fields = found.get_mut(name.as_ref().expect("a field has an interface")).unwrap();
            fields.insert(field.to_owned(), of.to_owned());
        }
    }
    found
}

/// Compares a value with a type; `at` says where it is.
fn compare(all: &Interfaces, of: &str, value: &Value, at: &str) {
    if let Some(of) = of.strip_suffix(" | null") {
        if !value.is_null() {
            compare(all, of, value, at);
        }
        return;
    }
    if let Some(of) = of.strip_suffix("[]") {
        let items = value.as_array().unwrap_or_else(|| panic!("{at} is no list: {value}"));
        for (index, item) in items.iter().enumerate() {
            compare(all, of, item, &format!("{at}[{index}]"));
        }
        return;
    }
    if let Some(of) = of.strip_prefix("Record<string, ").and_then(|of| of.strip_suffix('>')) {
        let items = value.as_object().unwrap_or_else(|| panic!("{at} is no record: {value}"));
        for (name, item) in items {
            compare(all, of, item, &format!("{at}.{name}"));
        }
        return;
    }
    let fits = match of {
        "any" => true,
        "string" => value.is_string(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        name => {
            let fields = all.get(name).unwrap_or_else(|| panic!("{at}: no interface {name}"));
            let found = value.as_object().unwrap_or_else(|| panic!("{at} is no {name}: {value}"));
            let mut keys: Vec<&String> = found.keys().collect();
            keys.sort();
            assert_eq!(keys, fields.keys().collect::<Vec<_>>(), "{at}, {name}");
            for (field, of) in fields {
                compare(all, of, &found[field], &format!("{at}.{field}"));
            }
            true
        }
    };
    assert!(fits, "{at} is no {of}: {value}");
}

#[test]
fn answers_have_the_fields_that_the_scripts_know() {
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    // A directory that cannot be read is listed as well.
    let broken = dir.path().join("results/broken");
    fs::create_dir(&broken).unwrap();
    fs::write(broken.join("config.toml"), "nothing").unwrap();
    fs::write(broken.join("journal.jsonl"), "").unwrap();
    let server = serve(dir.path());
    let all = interfaces();
    let library = server.json("/api/library");
    compare(&all, "Library", &library, "library");
    for list in ["tournaments", "configs", "unreadable"] {
        assert!(!library[list].as_array().unwrap().is_empty(), "{list}: {library}");
    }
    let id = library["tournaments"][0]["id"].as_str().unwrap();
    for (path, of) in [
        (format!("/api/t/{id}"), "Tournament"),
        (format!("/api/t/{id}/games?limit=3"), "Games"),
        (format!("/api/t/{id}/games/1"), "Game"),
    ] {
        compare(&all, of, &server.json(&path), of);
    }
    let puzzle = server.post("/api/puzzles/next", &json!({ "rating": 1200, "seen": [] })).json();
    compare(&all, "Puzzle", &puzzle, "Puzzle");
    for level in server.json("/api/levels").as_array().unwrap() {
        compare(&all, "Level", level, "Level");
    }
}
