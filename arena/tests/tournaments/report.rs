//! The page of a tournament, and writing it again.

use fanorona_report::phrase::plain;
use std::fs;

use crate::tournaments::place::{HEAD, Place};

#[test]
fn a_report_is_written_and_written_again() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a <b>", ""), ("c", "segv")]);
    let done = place.play(&config, "out");
    assert!(done.stdout.contains("report: out/report.html"), "{}", done.stdout);
    let derived = ["report.html", "games.csv", "sessions.csv", "standings.csv", "crosstable.csv"];
    let read = |name: &str| fs::read(place.path("out").join(name)).unwrap();
    let before = derived.map(read);
    let page = String::from_utf8_lossy(&before[0]).into_owned();
    assert!(page.contains("a &lt;b&gt;") && !page.contains("a <b>"));
    assert!(plain(&page).contains("lost by crash"));
    for name in derived {
        fs::remove_file(place.path("out").join(name)).unwrap();
    }
    let done = place.arena_ends(0, &["report", "out"]);
    assert_eq!(done.last_line(), "report: out/report.html");
    assert_eq!(derived.map(read), before);
}

#[test]
fn an_interrupted_tournament_is_reported_as_far_as_it_has_come() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "out");
    let journal = place.path("out").join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    // The header, two games, and an incomplete third one.
    let end = text.match_indices('\n').nth(2).unwrap().0 + 20;
    fs::write(&journal, &text[..end]).unwrap();
    place.arena_ends(0, &["report", "out"]);
    assert_eq!(place.games("out", "max-plies=40").len(), 2);
    let page = fs::read_to_string(place.path("out").join("report.html")).unwrap();
    assert!(plain(&page).contains("2 of 4 games played; no faults"));
    // Only the derived files have changed.
    assert_eq!(fs::read_to_string(&journal).unwrap(), text[..end]);
}

#[test]
fn a_report_says_what_played_when_and_where() {
    let place = Place::new();
    let head = format!("name = \"cup\"\ntitle = \"Spring <cup> 2026\"\n{HEAD}");
    let config = place.config(&head, &[("a", ""), ("b", "")]);
    let done = place.play(&config, "out");
    assert!(done.stdout.starts_with("Spring <cup> 2026: 4 games played\n"), "{}", done.stdout);
    let page = || plain(&fs::read_to_string(place.path("out/report.html")).unwrap());
    let text = |from: &str, to: &str| {
        let page = page();
        let rest = &page[page.find(from).unwrap_or_else(|| panic!("no {from}"))..];
        rest[..rest.find(to).unwrap()].to_owned()
    };
    assert!(page().contains("<title>Spring &lt;cup&gt; 2026 – Fanorona Arena</title>"));
    let machine: serde_json::Value =
        fs::read_to_string(place.path("out/machine.json")).unwrap().parse().unwrap();
    let run = &machine["runs"][0];
    let began: jiff::Timestamp = run["began"].as_str().unwrap().parse().unwrap();
    let ended: jiff::Timestamp = run["ended"].as_str().unwrap().parse().unwrap();
    assert!(began <= ended && ended <= jiff::Timestamp::now(), "{run}");
    let minute = began.strftime("%Y-%m-%d %H:%M").to_string();
    assert!(text(">Played</dt>", "</dd>").contains(&minute), "{}", page());
    let computer = text(">Computer</dt>", "</dl>");
    let processors = run["computer"]["processors"].as_u64().unwrap();
    assert!(computer.contains(&format!("{processors} processor")), "{computer}");
    assert!(computer.contains(run["computer"]["system"].as_str().unwrap()), "{computer}");
    assert!(computer.contains(concat!("version ", env!("CARGO_PKG_VERSION"))), "{computer}");
    let played = text("aria-label=\"Engine programs\"", "</table>");
    let program = &machine["engines"][0];
    for said in ["<bdi>scripted engine</bdi><br><small>by <bdi>nobody</bdi>", "<td>depth=1</td>"] {
        assert!(played.contains(said), "{said} in {played}");
    }
    assert!(played.contains(program["program"].as_str().unwrap()), "{played}");
    // A resume without games to play is not a further run.
    place.arena_ends(0, &["resume", "out"]);
    assert!(!page().contains("in 2 runs"));
    // Events contain the title as well.
    let done = place.arena_ends(0, &["resume", "out", "--json"]);
    let started: serde_json::Value = done.stdout.lines().next().unwrap().parse().unwrap();
    assert_eq!((&started["name"], &started["title"]), (&"cup".into(), &"Spring <cup> 2026".into()));
    let standings =
        done.stdout.lines().find(|line| line.contains("\"event\":\"standings\"")).unwrap();
    assert!(standings.contains("\"finished\":4,\"missing\":0,\"void\":0"), "{standings}");
    assert!(
        fs::read_to_string(place.path("out/games.fgn"))
            .unwrap()
            .contains("[Event \"Spring <cup> 2026\"]")
    );
    // Another title does not make it another tournament.
    let config = fs::read_to_string(place.path("out/config.toml")).unwrap();
    fs::write(place.path("out/config.toml"), config.replace("Spring", "Summer")).unwrap();
    place.arena_ends(0, &["resume", "out"]);
    assert!(page().contains("Summer &lt;cup&gt;"));
}

#[test]
fn a_directory_without_a_tournament_has_no_report() {
    let place = Place::new();
    place.arena_ends(2, &["report", "nowhere"]).complains(&["nowhere/config.toml"]);
    assert!(!place.path("nowhere").exists());
    fs::create_dir(place.path("empty")).unwrap();
    for args in [
        &["report", "empty"][..],
        &["resume", "empty"],
        &["merge", "empty", "--out", "out"],
        &["show", "empty", "1"],
        &["compare", "empty", "empty"],
    ] {
        let done = place.arena_ends(2, args);
        done.complains(&["empty is not a results directory", "name a directory that `arena run`"]);
    }
    assert_eq!(fs::read_dir(place.path("empty")).unwrap().count(), 0);
}

/// A journal that another config began, as after a wrong copy.
#[test]
fn a_journal_of_another_tournament_is_not_reported() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "out");
    place.arena_ends(0, &["run", &config, "--out", "other", "--seed", "2"]);
    let read = || fs::read(place.path("out/standings.csv")).unwrap();
    let before = read();
    fs::copy(place.path("other/journal.jsonl"), place.path("out/journal.jsonl")).unwrap();
    let done = place.arena_ends(2, &["report", "out"]);
    done.complains(&["out/config.toml has changed since this tournament began", "--force"]);
    assert_eq!(read(), before);
    place.arena_ends(0, &["report", "out", "--force"]);
    fs::remove_file(place.path("out/journal.jsonl")).unwrap();
    for command in ["report", "resume"] {
        place.arena_ends(2, &[command, "out"]).complains(&["there is no out/journal.jsonl"]);
    }
}

/// A bit of the last newline flips: its line is whole by its checksum, and counts.
#[test]
fn a_damaged_last_newline_costs_no_game() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "out");
    let path = place.path("out/journal.jsonl");
    let whole = fs::read(&path).unwrap();
    for newline in [&b"\x0b"[..], b""] {
        fs::write(&path, [&whole[..whole.len() - 1], newline].concat()).unwrap();
        let done = place.arena_ends(0, &["report", "out"]);
        assert_eq!(place.games("out", "max-plies=40").len(), 4);
        assert!(
            done.stderr.contains("the newline at the end of out/journal.jsonl"),
            "{}",
            done.stderr
        );
        let done = place.arena_ends(0, &["resume", "out"]);
        assert!(done.stderr.contains("the newline at the end of"), "{}", done.stderr);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
    // An incomplete line is reported as well.
    fs::write(&path, &whole[..whole.len() - 2]).unwrap();
    let done = place.arena_ends(0, &["report", "out"]);
    assert!(
        done.stderr.contains("the last line of out/journal.jsonl is incomplete"),
        "{}",
        done.stderr
    );
    assert_eq!(place.games("out", "max-plies=40").len(), 3);
}

/// What a killed arena was writing is cleared away by the next one.
#[test]
fn drafts_of_the_dead_are_removed() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "out");
    for args in [["report", "out"], ["resume", "out"]] {
        let left = place.path("out/.report.html.abc123.arena-draft");
        fs::write(&left, "half a page").unwrap();
        place.arena_ends(0, &args);
        assert!(!left.exists(), "{args:?}");
    }
}
