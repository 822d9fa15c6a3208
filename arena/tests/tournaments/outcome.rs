//! Who won: terminal, report, pages and JSON give the same answer in every format, and it is true.

use std::fs;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::pages::server::Server;
use crate::tournaments::place::{Done, HEAD, Place};

/// The lines of [`HEAD`] with other values.
fn head(format: &str, rounds: u32, more: &str) -> String {
    HEAD.replace("format = \"match\"", &format!("format = {format:?}"))
        .replace("rounds = 2", &format!("rounds = {rounds}"))
        + more
}

/// The sentence of a terminal.
fn told(done: &Done) -> String {
    let lines: Vec<&str> =
        done.stdout.lines().skip_while(|line| !line.starts_with("result: ")).collect();
    let end = |line: &&&str| !line.is_empty() && !line.starts_with("report: ");
    let sentence: Vec<&str> = lines.iter().take_while(end).copied().collect();
    let sentence = sentence.join(" ");
    sentence.split_once("result: ").unwrap_or_else(|| panic!("{}", done.stdout)).1.to_owned()
}

/// The text of a page without its tags.
fn plain(page: &str) -> String {
    let mut text = String::new();
    for part in page.split('<') {
        text += part.split_once('>').map_or(part, |(_, text)| text);
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// A tournament: its directory, what is expected of its sentence, and of its fields in JSON.
struct Case {
    dir: &'static str,
    sentence: &'static [&'static str],
    state: &'static str,
    by: Option<&'static str>,
    winner: Option<&'static str>,
}

/// Whether the answer is decided, settled or undecided, by what, and for whom.
const fn case(
    dir: &'static str,
    sentence: &'static [&'static str],
    state: &'static str,
    by: Option<&'static str>,
    winner: Option<&'static str>,
) -> Case {
    Case { dir, sentence, state, by, winner }
}

/// All reports of these directories say what is expected, and all the same.
fn all_agree(place: &Place, cases: &[(Case, Done)]) {
    let server = Server::start(&place.path(""), &["serve", "--listen", "127.0.0.1:0"]);
    let library = server.json("/api/library");
    for (case, done) in cases {
        let dir = case.dir;
        let tournaments = library["tournaments"].as_array().unwrap();
        let overview = tournaments.iter().find(|it| it["dir"] == dir).unwrap();
        let outcome = &overview["outcome"];
        // A run with events tells the terminal nothing else.
        let has_events = done.stdout.starts_with('{');
        let listed = || outcome["sentence"].as_str().unwrap().to_owned();
        let sentence = if has_events { listed() } else { told(done) };
        assert_eq!(outcome["sentence"], *sentence, "{dir}: the list of tournaments");
        for part in case.sentence {
            assert!(sentence.contains(part), "{dir}: {part:?} is no part of {sentence:?}");
        }
        let page = fs::read_to_string(place.path(dir).join("report.html")).unwrap();
        // There it may begin with a capital.
        let rest = &sentence[1..];
        assert!(plain(&page).contains(rest), "{dir}: the report does not say {sentence:?}");
        let id = overview["id"].as_str().unwrap();
        let summary = server.json(&format!("/api/t/{id}"));
        assert_eq!(summary["outcome"], *outcome, "{dir}: the page of the tournament");
        let card = server.get(&format!("/api/t/{id}/section/result")).body;
        assert!(plain(&card).contains(rest), "{dir}: the page does not say {sentence:?}");
        let expected = (Some(case.state), case.by, case.winner);
        let found = (outcome["state"].as_str(), outcome["by"].as_str(), outcome["winner"].as_str());
        assert_eq!(found, expected, "{dir}: {sentence}");
        assert_eq!(outcome["missing"].is_null(), case.state != "undecided", "{dir}: {outcome}");
        if case.state == "settled" {
            assert!(
                !sentence.contains("undecided") && !sentence.contains("stronger"),
                "{sentence}"
            );
        }
        // These ask something else than a ranking does, and have the only answer.
        if ["sprt", "candidates", "race", "sweep", "tuning"].map(Some).contains(&case.by) {
            let verdicts = ["undecided between ", "also certain", "tiers ", "no line separates"];
            let says = |line: &str| verdicts.iter().any(|it| line.starts_with(it));
            let second =
                done.stdout.lines().find(|line| says(line) || line.contains("stronger than"));
            assert_eq!(second, None, "{dir}: a second answer");
            let is_tested = ["sprt", "candidates"].map(Some).contains(&case.by);
            assert!(!is_tested || !done.stdout.contains("LOS"), "{}", done.stdout);
        }
        // Where nothing is left to play, the events end with the same standings.
        let over = outcome["over"] == true && outcome["missing"] != "results";
        if has_events || over {
            let again = || place.arena_ends(0, &["resume", dir, "--json"]).stdout;
            let events = if has_events { done.stdout.clone() } else { again() };
            let mut events =
                events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            let standings = events.find(|it| it["event"] == "standings").unwrap();
            assert_eq!(standings["outcome"], *outcome, "{dir}: the events");
        }
    }
}

const STRONG: (&str, &str) = ("sound", "");
const WEAK: (&str, &str) = ("gives-up", "resign at=8");
/// Whoever has White against the other loses.
const LEVEL: [(&str, &str); 2] = [("a", "resign at=8"), ("b", "resign at=8")];
const CANDIDATES: &str = "[candidates]\nbase = \"other\"\nelo0 = 0\nelo1 = 200\n";
const SPRT: &str = "[sprt]\nelo0 = 0\nelo1 = 100\n";

#[test]
fn every_report_names_the_same_winner_of_games() {
    let place = Place::new();
    let play = |case: Case, head: &str, engines: &[(&str, &str)]| {
        let done = place.play(&place.config(head, engines), case.dir);
        (case, done)
    };
    let field = [STRONG, WEAK, ("other", "resign at=10"), ("last", "resign at=6")];
    let won = Some("sound");
    let void = ["bad", "worse"].map(|name| place.engine(name, "falls-over at=0", "")).concat();
    let void = place.write("void.toml", &(head("match", 1, "") + &void));
    let cases = [
        play(
            case("match", &["sound won: it is stronger than"], "decided", Some("ratings"), won),
            &head("match", 8, ""),
            &[STRONG, WEAK],
        ),
        play(
            case("level", &["undecided between a and b in riatra"], "undecided", None, None),
            &head("match", 2, ""),
            &LEVEL,
        ),
        play(
            case("round-robin", &["sound won: it is"], "decided", Some("ratings"), won),
            &head("round-robin", 8, ""),
            &field,
        ),
        play(
            case("gauntlet", &["sound won: it is"], "decided", Some("ratings"), won),
            &head("gauntlet", 8, ""),
            &field,
        ),
        play(
            case(
                "sprt",
                &["the lead of sound is above 0 Elo (SPRT: H1 accepted after"],
                "decided",
                Some("sprt"),
                None,
            ),
            &head("match", 500, SPRT),
            &[STRONG, WEAK],
        ),
        play(
            case(
                "sprt-level",
                &["the test of a ended undecided after 2 pairs"],
                "undecided",
                None,
                None,
            ),
            &head("match", 2, SPRT),
            &LEVEL,
        ),
        play(
            case(
                "candidates",
                &[
                    "sound is better than other (error at most 5.0 % over all 3 candidates); the lead of 2 \
                     is below 200 Elo",
                ],
                "decided",
                Some("candidates"),
                None,
            ),
            &head("candidates", 500, CANDIDATES),
            &field,
        ),
        play(
            case(
                "candidates-level",
                &["no candidate is proven better than b; 1 is open: about "],
                "undecided",
                None,
                None,
            ),
            &head("candidates", 2, &CANDIDATES.replace("other", "b")),
            &LEVEL,
        ),
        // The withdrawn engine has the best score until it fails, and is no winner.
        play(
            case("withdrawn", &["sound won: it is stronger than"], "decided", Some("ratings"), won),
            &head("round-robin", 8, ""),
            &[("bad", "abort at=8"), STRONG, WEAK],
        ),
        play(
            case(
                "alone",
                &["b won by withdrawal: no other engine is left"],
                "settled",
                Some("withdrawal"),
                Some("b"),
            ),
            &head("match", 4, ""),
            &[("bad", "abort at=8"), ("b", "")],
        ),
        play(
            case("void", &["no result: 2 games have none (*)"], "undecided", None, None),
            &head("match", 1, ""),
            &[("bad", "falls-over at=0"), ("worse", "falls-over at=0")],
        ),
        (
            case("void-events", &["no result: 2 games have none (*)"], "undecided", None, None),
            place.arena(&["run", &void, "--out", "void-events", "--json"]),
        ),
    ];
    all_agree(&place, &cases);
}

#[test]
fn every_report_names_the_winner_by_the_rule_of_the_format() {
    let place = Place::new();
    let play = |case: Case, head: &str, engines: &[(&str, &str)]| {
        let done = place.play(&place.config(head, engines), case.dir);
        (case, done)
    };
    let field = [WEAK, ("last", "resign at=6"), STRONG, ("other", "resign at=10")];
    let one = "tiebreaks = 1\n";
    let cases = [
        play(
            case(
                "knockout",
                &["sound won the knockout", " against "],
                "settled",
                Some("points"),
                Some("sound"),
            ),
            &head("knockout", 2, ""),
            &field,
        ),
        play(
            case(
                "seed",
                &["a won the knockout by seed, not by points: 2:2 against b"],
                "settled",
                Some("seed"),
                Some("a"),
            ),
            &head("knockout", 1, one),
            &LEVEL,
        ),
        play(
            case(
                "swiss",
                &["sound won the Swiss tournament with "],
                "settled",
                Some("points"),
                Some("sound"),
            ),
            &head("swiss", 2, "stages = 3\n"),
            &field,
        ),
        play(
            case(
                "swiss-level",
                &["a, b share the first place of the Swiss tournament: 2 points each"],
                "undecided",
                None,
                None,
            ),
            &head("swiss", 2, "stages = 1\n"),
            &LEVEL,
        ),
    ];
    all_agree(&place, &cases);
}

#[test]
fn every_report_says_what_is_missing() {
    let place = Place::new();
    let slow = [("a", "resign at=8 think=4"), ("b", "resign at=8 think=4")];
    let stopped = |dir: &str, head: &str, more: &[&str]| {
        let config = place.config(head, &slow);
        let mut running = place.start(&[&["run", &config, "--out", dir], more].concat());
        running.until_journalled(dir, 2);
        running.signal(Signal::SIGINT);
        running.wait()
    };
    let undecided = |dir, sentence| case(dir, sentence, "undecided", None, None);
    let level = LEVEL.map(|(name, script)| place.engine(name, script, "")).concat();
    let shard = place.write("shard.toml", &(head("match", 4, "") + &level));
    let cases = [
        (
            undecided("unfinished", &["in progress, undecided between "]),
            stopped("unfinished", &head("match", 200, ""), &[]),
        ),
        (
            undecided("unfinished-events", &["in progress, undecided between "]),
            stopped("unfinished-events", &head("match", 200, ""), &["--json"]),
        ),
        (
            undecided("unfinished-knockout", &["in progress, stage 1 of 1: the final is not"]),
            stopped("unfinished-knockout", &head("knockout", 200, ""), &[]),
        ),
        (
            undecided("unfinished-swiss", &["in progress, stage 1 of 1: ", " leads with "]),
            stopped("unfinished-swiss", &head("swiss", 200, "stages = 1\n"), &[]),
        ),
        (
            undecided("shard", &["this is a shard; the merge of all shards says who won"]),
            place.arena_ends(0, &["run", &shard, "--shard", "1/2", "--out", "shard"]),
        ),
    ];
    all_agree(&place, &cases);
}

#[test]
fn every_report_names_the_best_of_variants() {
    let place = Place::new();
    let in_5x5 = |format: &str, rounds: u32| {
        head(format, rounds, "").replace("openings", "board = \"5x5\"\nopenings")
    };
    let variants = place.engine("aims", "greedy aim=70", "sweep = { Aim = [0, 70] }");
    let config = place.write("sweep.toml", &(in_5x5("round-robin", 20) + &variants));
    let sweep = place.play(&config, "sweep");
    let race: String = [60, 0, 50]
        .iter()
        .map(|aim| {
            let options = format!("options = {{ Aim = {aim} }}");
            place.engine(&format!("e{aim}"), "greedy aim=0", &options)
        })
        .collect();
    let text = in_5x5("race", 2) + "[race]\nerror = 0.2\nwithin = 100\nbatch = 4\n" + &race;
    let race = place.play(&place.write("race.toml", &text), "race");
    let tune =
        "[tune]\niterations = 2\nparameters = { Aim = { start = 20, min = 0, max = 100 } }\n";
    let engine = place.engine("aims", "greedy aim=70", "");
    let config = place.write("tune.toml", &(in_5x5("tune", 1) + tune + &engine));
    let tuned = place.arena_ends(0, &["run", &config, "--out", "tune"]);
    let cases = [
        (
            case(
                "sweep",
                &["best setting of aims: Aim = 70"],
                "decided",
                Some("sweep"),
                Some("aims Aim=70"),
            ),
            sweep,
        ),
        (
            case(
                "race",
                &["e0 is the best (error at most 20.0 %, within 100 Elo)"],
                "decided",
                Some("race"),
                Some("e0"),
            ),
            race,
        ),
        (case("tune", &["tuned after 2 iterations: Aim "], "undecided", None, None), tuned),
    ];
    all_agree(&place, &cases);
}
