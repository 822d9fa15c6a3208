//! Where two engines choose differently.

use std::fs;

use serde_json::json;

use crate::devtools::Browser;
use crate::tournaments::analyse::analyst;
use crate::tournaments::place::{HEAD, Place};

fn config(place: &Place, one: &str, other: &str) -> String {
    place.config(HEAD, &[("one", one), ("other", other)])
}

/// An engine that takes the first move it finds, and the judge's own twin.
#[test]
fn the_judge_prefers_the_better_engine() {
    let place = Place::new();
    place.play(&config(&place, "first", "greedy"), "out");
    let judge = analyst("greedy");
    let ask = |more: &[&str]| {
        let args = ["diff", "out", "one", "other", "--judge", &judge, "--nodes", "9", "--ascii"];
        place.arena_ends(0, &[&args[..], more].concat())
    };
    let done = ask(&["--positions", "40"]);
    let rows = place.table("out/diff.csv");
    assert_eq!(rows.len(), 40);
    let differ = rows.iter().filter(|row| row["differ"] == "true").count();
    let told = format!("one (1) and other (2) choose differently in {differ} of 40 positions");
    assert!(done.stdout.starts_with(&told) && differ > 5, "{}", done.stdout);
    let chance = |text: &str| text.parse::<f64>().unwrap();
    let leads = rows.iter().filter(|row| row["differ"] == "true");
    let leads: Vec<f64> =
        leads.map(|row| chance(&row["chance_second"]) - chance(&row["chance_first"])).collect();
    let better = leads.iter().filter(|&&lead| lead >= 0.02).count();
    let worse = leads.iter().filter(|&&lead| lead <= -0.02).count();
    assert!(better > 3 * worse, "{leads:?}");
    assert!(done.stdout.contains(&format!("of one in {worse}, that of other in {better}")));
    // The judge is the second engine once more.
    let agrees = rows.iter().filter(|row| row["second"] == row["judge"]).count();
    assert!(agrees > 36, "{agrees}");
    let all = done.stdout.lines().find(|line| line.trim_start().contains("   all ")).unwrap();
    assert!(all.trim_end().ends_with(" %"), "{all}");
    // The largest difference is drawn, and so it is on the page.
    let largest = leads.iter().fold(0.0_f64, |most, lead| most.max(lead.abs()));
    let costly = rows.iter().find(|row| {
        row["differ"] == "true"
            && (chance(&row["chance_second"]) - chance(&row["chance_first"])).abs() == largest
    });
    let costly = costly.unwrap();
    let game = format!("game {} riatra, move {}: ", costly["game"], costly["ply"]);
    assert!(done.stdout.contains(&game), "{game}: {}", done.stdout);
    assert!(done.stdout.contains(&format!("other: {}, winning chance ", costly["second"])));
    let page = fs::read_to_string(place.path("out/diff.md")).unwrap();
    assert!(page.starts_with("# one and other in t\n\none (1) and other (2) choose"), "{page}");
    assert!(page.contains("| positions | asked | differ |") && page.contains(&game), "{page}");
    // The HTML page has the same tables, and positions with two moves for the script to draw.
    let html = fs::read_to_string(place.path("out/diff.html")).unwrap();
    assert!(html.contains("<title>one and other – t – Fanorona Arena</title>"), "{html}");
    assert!(html.contains(&format!(">Game {}, move {}</b>", costly["game"], costly["ply"])));
    let drawn = html.matches("<svg class=\"board\"").count();
    assert!((1..=3).contains(&drawn), "{drawn}");
    let moves = [&costly["second"], &costly["first"]];
    assert!(moves.iter().all(|it| html.contains(it.as_str())), "{html}");
    assert_eq!(html.matches(" data-position=\"").count(), drawn);
    assert_eq!(html.matches("<section id=").count(), 4);
    // The same question has the same answer.
    ask(&["--positions", "40"]);
    assert_eq!(fs::read_to_string(place.path("out/diff.md")).unwrap(), page);
    assert_eq!(fs::read_to_string(place.path("out/diff.html")).unwrap(), html);
    // A smaller sample is a part of a larger one.
    ask(&["--positions", "10", "--boards", "0"]);
    let few = place.table("out/diff.csv");
    assert_eq!(few.len(), 10);
    assert!(few.iter().all(|row| rows.iter().any(|other| other["position"] == row["position"])));
    assert!(!fs::read_to_string(place.path("out/diff.md")).unwrap().contains("```"));
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn boards_are_drawn_in_chromium() {
    let place = Place::new();
    place.play(&config(&place, "first", "greedy"), "out");
    let judge = analyst("greedy");
    let asked = ["diff", "out", "one", "other", "--judge", &judge, "--nodes", "9"];
    place.arena_ends(0, &[&asked[..], &["--positions", "40"]].concat());
    let mut browser = Browser::start(&place.path("profile"));
    browser.open(&format!("file://{}", place.path("out/diff.html").display()));
    let boards = "[...document.querySelectorAll('svg.board')]";
    let count = |what: &str| format!("{boards}.map((it) => it.querySelectorAll('{what}').length)");
    let stones = browser.value(&count(".stone"));
    let stones: Vec<u64> = serde_json::from_value(stones).unwrap();
    assert!(!stones.is_empty() && stones.iter().all(|&count| count > 1), "{stones:?}");
    // The stones are those of the position below the board.
    let placed = format!(
        "{boards}.map((it) => it.closest('figure').querySelector('.fen').textContent
            .split(' ')[0].match(/[bw]/gi).length)"
    );
    assert_eq!(browser.value(&placed), json!(stones));
    assert_eq!(browser.value(&count(".hint")), json!(vec![2; stones.len()]));
    let signs = format!(
        "{boards}.map((it) => [...it.querySelectorAll('.hint text')].map((sign) => sign.textContent).sort().join())"
    );
    assert_eq!(browser.value(&signs), json!(vec!["1,2"; stones.len()]));
    assert!(browser.console().is_empty(), "{:?}", browser.console());
}

#[test]
fn exact_values_take_precedence() {
    let place = Place::new();
    place.play(&config(&place, "first", "greedy"), "out");
    let judge = analyst("greedy knows=draw tables");
    let args = ["diff", "out", "one", "other", "--judge", &judge, "--nodes", "9"];
    let done = place.arena_ends(0, &[&args[..], &["--positions", "12"]].concat());
    let rows = place.table("out/diff.csv");
    let differ = rows.iter().filter(|row| row["differ"] == "true");
    let differ: Vec<_> = differ.collect();
    assert!(differ.len() > 2);
    // Whatever is played, the tables call it a draw, unless the game is over.
    let drawn = differ.iter().filter(|row| row["chance_first"] == "0.5").count();
    assert!(drawn > 2 && differ.iter().all(|row| row["exact"] == "true"), "{differ:?}");
    let told = format!("{} of its judgements are exact", differ.len());
    assert!(done.stdout.contains(&told), "{}", done.stdout);
}

#[test]
fn results_that_cannot_be_compared_are_refused() {
    let place = Place::new();
    place.play(&config(&place, "first", "greedy"), "out");
    for (args, expected) in [
        (["out", "one", "two"], "no engine is named `two`"),
        (["out", "one", "one"], "does not differ from itself"),
        (["nowhere", "one", "other"], "not a results directory"),
    ] {
        place.arena_ends(2, &[&["diff"], &args[..]].concat()).complains(&[expected]);
    }
    let silent = analyst("first scores=none");
    let args = ["diff", "out", "one", "other", "--judge", &silent, "--nodes", "9"];
    place.arena_ends(2, &args).complains(&["reports no scores"]);
    let dead = analyst("dies");
    place.arena_ends(6, &["diff", "out", "one", "other", "--judge", &dead]);
}
