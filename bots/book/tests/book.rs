//! The program `book`: a build that is killed and continued, and what it says about bad input.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const BOOK: &str = env!("CARGO_BIN_EXE_book");

fn run(args: &[&str]) -> Output {
    Command::new(BOOK).args(args).stdin(Stdio::null()).output().unwrap()
}

/// The output of a run that succeeds.
fn good(args: &[&str]) -> String {
    let done = run(args);
    let errors = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success(), "{args:?}: {errors}");
    String::from_utf8(done.stdout).unwrap()
}

/// The error message of a run that fails by wrong usage or an unusable file.
fn refused(args: &[&str]) -> String {
    let done = run(args);
    assert_eq!(done.status.code(), Some(2), "{args:?}");
    String::from_utf8(done.stderr).unwrap()
}

fn build(out: &Path, threads: &'static str) -> Vec<String> {
    let out = out.to_str().unwrap();
    let starts = ["--start", "dimy", "--start", "bbb/b1W/WWW w w"];
    let limits = ["--positions", "150", "--nodes", "2000", "--threads", threads];
    let args = ["build", "--out", out].into_iter().chain(starts).chain(limits);
    args.map(str::to_owned).collect()
}

#[test]
fn a_build_that_is_killed_continues_to_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, killed) = (dir.path().join("whole"), dir.path().join("killed"));
    let args = build(&whole, "1");
    let done = run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let (said, shown) = (String::from_utf8(done.stdout), String::from_utf8(done.stderr).unwrap());
    assert!(said.unwrap().contains("positions searched"), "{shown}");
    // Without a terminal there is a line for every tenth.
    let far: Vec<usize> = shown
        .lines()
        .map(|line| {
            let (far, rest) = line.strip_prefix("book: ").unwrap().split_once(" of 150 ").unwrap();
            assert!(rest.starts_with("positions, ") && rest.ends_with(" searches"), "{line}");
            far.parse().unwrap()
        })
        .collect();
    let tenths = far.iter().map(|far| far / 15).collect::<Vec<_>>();
    assert!(tenths.is_sorted_by(|a, b| a < b) && tenths.len() > 3, "{shown}");
    assert_eq!(tenths.last(), Some(&10), "{shown}");

    let args = build(&killed, "2");
    let mut child = Command::new(BOOK).args(&args).stdout(Stdio::null()).spawn().unwrap();
    let journal = dir.path().join("killed.journal");
    let lines = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let begin = Instant::now();
    while lines() < 20 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = std::fs::read_to_string(&journal).unwrap();
    assert!(before.lines().count() >= 20);
    assert!(!killed.exists(), "it was killed before its end");

    good(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(std::fs::read(&killed).unwrap(), std::fs::read(&whole).unwrap());
    let after = std::fs::read_to_string(&journal).unwrap();
    let complete = &before[..before.rfind('\n').unwrap() + 1];
    assert!(after.starts_with(complete), "no search is repeated or lost");
    let searches = std::fs::read_to_string(dir.path().join("whole.journal")).unwrap();
    assert_eq!(after.lines().count(), searches.lines().count());
}

#[test]
fn a_book_is_shown_by_start_moves_and_position() {
    let dir = tempfile::tempdir().unwrap();
    let book = dir.path().join("small.book");
    let file = book.to_str().unwrap();
    let args = ["--start", "dimy", "--positions", "60", "--nodes", "500"];
    good(&[&["build", "--out", file][..], &args].concat());
    let start = good(&["show", "--book", file, "dimy"]);
    assert!(start.contains("searches of 500 nodes"), "{start}");
    let rows: Vec<Vec<&str>> = start
        .lines()
        .skip_while(|line| !line.trim_start().starts_with("move"))
        .skip(1)
        .map(|line| line.split_whitespace().collect())
        .collect();
    let rules = fanorona_protocol::rules::Ruleset::default();
    let position = "dimy".parse::<fanorona_protocol::rules::Start>().unwrap().riatra();
    let first = fanorona_bots::book::children(&position, &rules);
    assert_eq!(rows.len(), first.len(), "{start}");
    let (first, reply) = (rows[0][0], rows[0][3]);
    let after = good(&["show", "--book", file, "dimy", first]);
    assert!(after.contains(&format!("  {reply} ")), "{after}");
    let fen = after.lines().find_map(|line| line.strip_prefix("dimy: ")).unwrap();
    let same = good(&["show", "--book", file, fen]);
    assert_eq!(
        same.split_once("\n  move"),
        after
            .split_once("\n  move")
            .map(|(_, rest)| { (same.split_once("\n  move").unwrap().0, rest) })
    );
    assert!(good(&["show", "--book", file, "telo"]).contains("not in the book"));
    // The built-in book has every first move of the usual starts.
    let shipped = good(&["show"]);
    for name in ["riatra: ", "left-right: ", "vela: "] {
        assert!(shipped.contains(name), "{shipped}");
    }
    assert!(!shipped.contains("not in the book"), "{shipped}");
}

#[test]
fn errors_name_the_invalid_argument_or_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let out = path("book");
    let small = ["--positions", "9", "--nodes", "50", "--start", "telo"];
    let refused_with = |option: &str, value: &str| {
        refused(&[&["build", "--out", &out][..], &small, &[option, value]].concat())
    };
    assert!(
        refused(&["build", "--out", &out, "--start", "attic", "--positions", "1"])
            .contains("expected riatra")
    );
    assert!(
        refused(&["build", "--out", &out, "--start", "3/1b1/3 w", "--positions", "1"])
            .contains("the game is over")
    );
    assert!(refused_with("--tables", &path("none")).contains("directory not found"));
    std::fs::write(path("notes"), "notes\n").unwrap();
    assert!(refused_with("--solution", &path("notes")).contains("not a solution"));
    assert!(refused_with("--journal", &path("notes")).contains("not a journal"));
    assert!(refused_with("--journal", &path("no/journal")).contains("no/journal: "));
    good(&[&["build", "--out", &out][..], &small].concat());
    assert!(
        refused(&["build", "--out", &out, "--positions", "9", "--nodes", "51"])
            .contains("\"nodes\":50")
    );

    assert!(refused(&["show", "--book", &path("none")]).contains("none: "));
    assert!(refused(&["show", "--book", &path("notes")]).contains("not an opening book"));
    let mut bytes = std::fs::read(&out).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&out, bytes).unwrap();
    assert!(refused(&["show", "--book", &out]).contains("damaged"));
    assert!(refused(&["show", "riatra", "a1a2"]).contains("a1a2"));
    assert!(refused(&["show", "9/9/9/9/9 w"]).contains("not a position"));
}
