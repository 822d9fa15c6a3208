//! `arena site`: the pages as files. `arena report --with-engine`: those of analysis within a report.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use super::{bots, tournament};

/// Writes a site from a directory; modules are only copied, so any bytes will do.
fn site(dir: &Path, args: &[&str]) -> Output {
    arena(dir, &[&["site"][..], args].concat())
}

/// Runs the arena in a directory with modules.
fn arena(dir: &Path, args: &[&str]) -> Output {
    bots();
    let modules = dir.join("modules");
    fs::create_dir_all(&modules).unwrap();
    for name in ["fanorona_engines.wasm", "fanorona_answers.wasm"] {
        fs::write(modules.join(name), name).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(args).current_dir(dir).output().unwrap()
}

/// The files of a directory by their paths.
fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for below in ["", "reports", "games"] {
        for entry in fs::read_dir(dir.join(below)).unwrap().map(Result::unwrap) {
            if entry.path().is_file() {
                let name = Path::new(below).join(entry.file_name()).display().to_string();
                found.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }
    found
}

fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_site_has_pages_reports_and_modules_and_is_the_same_again() {
    let dir = tempfile::tempdir().unwrap();
    let results = tournament(dir.path());
    let args = ["results", "--modules", "modules", "--out"];
    for out in ["one", "two", "two"] {
        let written = site(dir.path(), &[&args[..], &[out]].concat());
        assert!(written.status.success(), "{written:?}");
    }
    let [files, again] = ["one", "two"].map(|name| contents(&dir.path().join(name)));
    let others = files.iter().filter(|(name, bytes)| again.get(*name) != Some(bytes));
    assert_eq!(others.map(|(name, _)| name).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(files.len(), again.len());
    assert_eq!(files["reports/small.html"], fs::read(results.join("report.html")).unwrap());
    let games = String::from_utf8_lossy(&files["games/small.fgn"]);
    assert_eq!(games.matches("[Result ").count(), 8);
    assert_eq!(files["fanorona_engines.wasm"], b"fanorona_engines.wasm");
    let list: Value = serde_json::from_slice(&files["library.json"]).unwrap();
    assert_eq!(list["tournaments"][0]["id"], "small");
    // A site does not publish the paths of the machine that wrote it.
    let results = results.to_str().unwrap();
    let written = site(dir.path(), &[results, "--modules", "modules", "--out", "absolute"]);
    assert!(written.status.success(), "{written:?}");
    for (name, bytes) in contents(&dir.path().join("absolute")) {
        assert!(!String::from_utf8_lossy(&bytes).contains(results), "{name} names {results}");
    }
    let worker = String::from_utf8_lossy(&files["sw.js"]);
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
        let is_report = name.starts_with("reports/");
        assert!(worker.contains(&format!("\"{name}\"")) != is_report || name == "index.html");
        assert!(is_report || !String::from_utf8_lossy(text).contains("=\"/"), "{name}");
    }
}

/// With 400 ms of latency and 50 kB/s, what is packed to less than this is there before a second is over: the
/// page to the end of its first script, which fills it.
const MOST: usize = 27_000;
/// The same with what moves stones.
const MOST_WITH_MOVES: usize = 32_000;

#[test]
fn a_page_begins_with_one_answer_of_few_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let written = site(dir.path(), &["--modules", "modules", "--out", "site"]);
    assert!(written.status.success(), "{written:?}");
    for (page, _) in fanorona_pages::body::PAGES {
        let name = if page == "home" { "index" } else { page };
        let bytes = fs::read(dir.path().join(format!("site/{name}.html"))).unwrap();
        // Nothing that the browser waits for.
        let html = String::from_utf8_lossy(&bytes);
        let script = html.find("<script data-later").unwrap();
        let filled = script + html[script..].find("</script>").unwrap();
        for (end, most) in [(filled, MOST), (html.len(), MOST_WITH_MOVES)] {
            let mut packed = GzEncoder::new(Vec::new(), Compression::default());
            packed.write_all(&bytes[..end]).unwrap();
            let packed = packed.finish().unwrap().len();
            assert!(packed < most, "{name}: {packed} bytes of {end}");
        }
        assert!(!html.contains(" src=\"") && !html.contains("rel=\"stylesheet\""), "{name}");
    }
}

#[test]
fn a_site_takes_no_directory_of_others_and_names_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("mine")).unwrap();
    fs::write(dir.path().join("mine/notes.txt"), "notes").unwrap();
    let said = complaint(&site(dir.path(), &["--modules", "modules", "--out", "mine"]));
    assert!(said.contains("mine has files that are no site"), "{said}");
    let said = complaint(&site(dir.path(), &["--modules", "mine", "--out", "new"]));
    assert!(said.contains("fanorona_engines.wasm") && said.contains("in mine"), "{said}");
    let said = complaint(&site(dir.path(), &["mine", "--modules", "modules", "--out", "new"]));
    assert!(said.contains("mine has no results"), "{said}");
    assert!(!dir.path().join("new").exists());
}

#[test]
fn a_report_carries_the_engines_until_it_is_written_again() {
    let dir = tempfile::tempdir().unwrap();
    let results = tournament(dir.path());
    let report = |args: &[&str]| {
        let done = arena(dir.path(), &[&["report", "results/small"][..], args].concat());
        assert!(done.status.success(), "{done:?}");
        fs::read_to_string(results.join("report.html")).unwrap()
    };
    let plain = report(&[]);
    let with = report(&["--with-engine", "--modules", "modules"]);
    for name in ["fanorona_engines.wasm", "fanorona_answers.wasm", "lists.json", "engine_worker.js"]
    {
        let id = format!("id=\"{name}\"");
        assert!(with.contains(&id) && !plain.contains(&id), "{name}");
    }
    assert_eq!(with, report(&["--with-engine", "--modules", "modules"]));
    assert_eq!(plain, report(&[]));
    let said = ["report", "results/small", "--with-engine", "--modules", "results"];
    let said = complaint(&arena(dir.path(), &said));
    assert!(said.contains("fanorona_engines.wasm") && said.contains("in results"), "{said}");
    assert_eq!(plain, fs::read_to_string(results.join("report.html")).unwrap());
}
