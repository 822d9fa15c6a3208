//! The sections that a tournament's page shares with the report.

use std::path::Path;

use super::server::Server;
use super::{CONFIG, ERRS, LEAVES, play, serve};
use fanorona_report::phrase::plain;

/// A server with a finished tournament, and the tournament's id.
pub(super) fn served(dir: &Path, config: &str) -> (Server, String) {
    play(dir, config);
    let server = serve(dir);
    let id = server.json("/api/library")["tournaments"][0]["id"].as_str().unwrap().to_owned();
    (server, id)
}

/// The names of a tournament's sections.
pub(super) fn names(server: &Server, id: &str) -> Vec<String> {
    let summary = server.json(&format!("/api/t/{id}"));
    let sections = summary["sections"].as_array().unwrap();
    sections.iter().map(|it| it["section"].as_str().unwrap().to_owned()).collect()
}

pub(super) fn section(server: &Server, id: &str, name: &str) -> String {
    let answer = server.get(&format!("/api/t/{id}/section/{name}"));
    assert_eq!(answer.status, 200, "{name}: {answer:?}");
    assert!(answer.headers.contains("text/html"), "{name}: {answer:?}");
    answer.body
}

/// The same section of the report.
pub(super) fn reported(server: &Server, id: &str, name: &str) -> String {
    let report = server.get(&format!("/t/{id}/report")).body;
    let begin = report.find(&format!("<section id=\"{name}\"")).expect("the report has it");
    let end = begin + report[begin..].find("</section>").unwrap() + "</section>".len();
    report[begin..end].to_owned()
}

/// A tournament of four quick engines.
pub(super) fn four(format: &str) -> String {
    let names = ["one", "two", "three", "four"];
    // Tables would take more time than the games.
    let none = "options = { EndgameTables = \"none\" }\n";
    let bots =
        [("bot-alphabeta", none), ("bot-greedy", ""), ("bot-mcts", none), ("bot-random", "")];
    let engine = |(name, (bot, options))| {
        format!("[[engine]]\nname = \"{name}\"\ncommand = \"{bot}\"\n{options}")
    };
    let engines: String = names.into_iter().zip(bots).map(engine).collect();
    format!(
        "name = \"live\"\n{format}kinds = [\"riatra\"]\nrounds = 1\nlimit = \"nodes=50\"\n\
         openings = {{ source = \"random\", plies = 4 }}\n{engines}"
    )
}

/// Answer, ranking and crosstable of the page are those of the report, to the letter.
#[test]
fn the_results_are_those_of_the_report() {
    let dir = tempfile::tempdir().unwrap();
    let config =
        four("format = \"round-robin\"\n").replace("[\"riatra\"]", "[\"riatra\", \"vela\"]");
    let (server, id) = served(dir.path(), &config);
    for (name, says) in [
        ("result", "Points of "),
        ("standings", "Likelihood of superiority, pairwise"),
        ("crosstable", "legend-of-shades"),
        ("setting", "nodes=50"),
    ] {
        let shown = section(&server, &id, name);
        assert!(shown.contains(says), "{name}: {shown}");
        // What follows the section belongs to it: remarks on the whole tournament.
        assert!(shown.starts_with(&reported(&server, &id, name)), "{name}: {shown}");
    }
}

#[test]
fn a_knockout_has_its_bracket() {
    let dir = tempfile::tempdir().unwrap();
    let (server, id) = served(dir.path(), &four("format = \"knockout\"\n"));
    assert_eq!(names(&server, &id), ["result", "stages", "standings", "crosstable", "setting"]);
    let bracket = section(&server, &id, "stages");
    assert!(bracket.contains("Semi-finals") && bracket.contains("Final"), "{bracket}");
    assert_eq!(bracket, reported(&server, &id, "bracket"));
    assert_eq!(server.get(&format!("/api/t/{id}/section/sprt")).status, 404);
    assert_eq!(server.get(&format!("/api/t/{id}/section/else")).status, 404);
}

#[test]
fn a_swiss_tournament_has_its_table() {
    let dir = tempfile::tempdir().unwrap();
    let (server, id) = served(dir.path(), &four("format = \"swiss\"\nstages = 2\n"));
    assert_eq!(names(&server, &id), ["result", "stages", "standings", "crosstable", "setting"]);
    let table = section(&server, &id, "stages");
    assert!(table.contains("Buchholz") && table.contains("stage 2"), "{table}");
    assert_eq!(table, reported(&server, &id, "swiss"));
}

#[test]
fn a_sequential_test_has_the_course_of_its_ratio() {
    let dir = tempfile::tempdir().unwrap();
    let config = CONFIG.replace("rounds = 100", "rounds = 6").replace("20ms", "nodes=50");
    let test = "[sprt]\nelo0 = 0\nelo1 = 10\n[[engine]]\nname = \"one\"";
    let config = config.replacen("[[engine]]\nname = \"one\"", test, 1);
    let (server, id) = served(dir.path(), &config);
    assert_eq!(names(&server, &id), ["result", "standings", "sprt", "crosstable", "setting"]);
    let test = section(&server, &id, "sprt");
    // A line from each pair to the next, at numbers.
    assert!(test.matches("class=\"track t0\"").count() >= 5, "{test}");
    assert!(!test.contains("NaN"), "{test}");
    assert_eq!(test, reported(&server, &id, "sprt"));
}

#[test]
fn candidates_have_the_test_of_each() {
    let dir = tempfile::tempdir().unwrap();
    let format = "format = \"candidates\"\ncandidates = { base = \"two\", elo0 = 0, elo1 = 300 }\n";
    let (server, id) = served(dir.path(), &four(format).replace("rounds = 1", "rounds = 4"));
    assert_eq!(names(&server, &id), ["result", "standings", "candidates", "crosstable", "setting"]);
    let candidates = section(&server, &id, "candidates");
    assert_eq!(candidates.matches("<th scope=\"row\">").count(), 3, "{candidates}");
    assert!(candidates.contains("risks 5.0 % over all candidates"), "{candidates}");
    assert!(!candidates.contains("NaN"), "{candidates}");
    assert_eq!(candidates, reported(&server, &id, "candidates"));
}

/// An engine that is at fault in every game is withdrawn after three, and that is said.
#[test]
fn faults_and_the_withdrawal_that_follows_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    // One game at a time, so that they end in the order of their numbers.
    let config = four("format = \"round-robin\"\nconcurrency = 1\n");
    let config = config.replace("rounds = 1", "rounds = 3");
    let config = config.replace("command = \"bot-random\"\n", LEAVES);
    let (server, id) = served(dir.path(), &config);
    let summary = server.json(&format!("/api/t/{id}"));
    let result = plain(&section(&server, &id, "result"));
    assert!(result.contains("<bdi>four</bdi> is withdrawn after game"), "{result}");
    // Six pairings of three rounds of two games.
    let [played, skipped] = ["finished", "skipped"].map(|it| summary[it].as_u64().unwrap());
    assert!(skipped > 0 && played + skipped == 36, "{played} + {skipped}");
    assert_eq!(names(&server, &id), ["result", "standings", "crosstable", "faults", "setting"]);
    let faults = section(&server, &id, "faults");
    let games: Vec<u64> = faults
        .split("href=\"#g=")
        .skip(1)
        .map(|rest| rest.split('&').next().unwrap().parse().unwrap())
        .collect();
    assert!(games.len() >= 3, "{faults}");
    assert!(games.is_sorted_by(|a, b| a > b), "the newest stands first: {games:?}");
    assert!(faults.contains("four") && faults.contains(" lost by "), "{faults}");
}

/// An engine that plays on after its errors is at fault in no game, and its errors are shown.
#[test]
fn errors_without_a_fault_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    // One game at a time, so that the first error is in the first game for the report, too.
    let config = four("format = \"round-robin\"\nconcurrency = 1\n");
    let config = config.replace("command = \"bot-random\"\n", ERRS);
    let (server, id) = served(dir.path(), &config);
    assert_eq!(names(&server, &id), ["result", "standings", "crosstable", "faults", "setting"]);
    let faults = section(&server, &id, "faults");
    assert!(faults.contains("No faults"), "{faults}");
    let read = plain(&faults);
    let says = |words: &str| assert!(read.contains(words), "{words}: {read}");
    ["four</bdi> reported an error in ", ": <bdi>KeyError: 3"].into_iter().for_each(says);
    assert_eq!(faults, reported(&server, &id, "faults"));
}
