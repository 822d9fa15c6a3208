use std::time::Duration;

use super::page::PAGE_STYLE;
use super::script::script;
use super::*;
use crate::phrase::plain;
use crate::statistics::outcome::{Outcome, OutcomeInput};
use crate::statistics::results::Results;
use crate::statistics::results_reader::GameResults;
use crate::statistics::rows::{BracketRow, SwissRow};
use crate::statistics::sprt_state::Test;
use crate::statistics::stage_table::{Bracket, Seat, StageOutcome, StageTable, SwissTable};
use crate::statistics::standings::Standings;
use fanorona_protocol::rules::Start;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::sprt::{Model, Sprt, SprtOptions};
use fanorona_ratings::{FitOptions, PairKey, Score, ScoredGame};
use fanorona_tournament::config::EngineConfig;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::pairing::ids::PairId;
use fanorona_tournament::pairing::stages::WinReason;
use fanorona_tournament::progress::extent::Extent;
use fanorona_tournament::progress::sprt_run::SprtRun;
use fanorona_tournament::record::GameRecord;

/// Names that configs allow and that must not break the page.
const HOSTILE: [&str; 3] = [
    "</script><script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>&amp;",
    "\u{202e}rtl 🐍",
];

fn tournament(names: &[&str]) -> Tournament {
    let engines = names.iter().map(|name| EngineConfig::new(*name, "x")).collect();
    Tournament::new("test", "", engines)
}

fn game(number: u64, white: &str, black: &str) -> GameRecord {
    let id = number.to_string().parse().unwrap();
    let (result, reason) = ("1-0".parse().unwrap(), "no-stones".parse().unwrap());
    GameRecord {
        pair: Some(number.div_ceil(2)),
        white: white.to_owned(),
        black: black.to_owned(),
        moves: "e2e3A f4e5We4A".to_owned(),
        book: 1,
        black_ms: 30,
        times: vec![30],
        scores: vec!["cp -35".to_owned()],
        ..GameRecord::new(id, &Start::TSIVY.riatra(), result, reason)
    }
}

fn fault(number: u64, white: &str, black: &str, detail: &str) -> GameRecord {
    GameRecord {
        reason: "crash".parse().unwrap(),
        offender: Some('b'),
        detail: detail.to_owned(),
        transcript: vec!["> go".to_owned(), format!("< {detail}")],
        ..game(number, white, black)
    }
}

fn page(tournament: &Tournament, games: &[GameRecord]) -> String {
    page_of(tournament, games, None, None)
}

fn page_of(
    tournament: &Tournament,
    games: &[GameRecord],
    table: Option<StageTable>,
    test: Option<Test>,
) -> String {
    let mut game_results = GameResults::of_engines(tournament.names());
    if table.is_some() || test.is_some() {
        // They rest on games.
        let ids: Vec<_> = game_results.sample.engines().map(|(id, _)| id).collect();
        let (first, second, kind, score) = (ids[0], ids[1], Kind::Riatra, Score::Draw);
        let draw = ScoredGame { first, second, kind, score, pair: PairKey(1) };
        game_results.sample.push(draw).unwrap();
    }
    let standings = Standings::new(&game_results, &FitOptions::default()).unwrap();
    let mut page = Page::new(tournament);
    games.iter().for_each(|game| page.add(game, None));
    let mut out = Vec::new();
    page.write(&results(standings, table, test), &mut out).unwrap();
    plain(&String::from_utf8(out).unwrap())
}

fn results(standings: Standings, table: Option<StageTable>, test: Option<Test>) -> Results {
    let (extent, machine) = (Extent::default(), None);
    let is_open = matches!(&table, Some(StageTable::Swiss(table)) if !table.is_over);
    let outcome = Outcome::new(&OutcomeInput {
        standings: &standings,
        table: table.as_ref(),
        test: test.as_ref(),
        candidates: None,
        tuning: None,
        race: None,
        sweeps: &[],
        extent: &extent,
        is_over: !is_open,
        is_whole: true,
    });
    Results {
        outcome,
        standings,
        without_withdrawn: None,
        table,
        test,
        candidates: None,
        extent,
        machine,
        tuning: None,
        race: None,
        sweeps: Vec::new(),
        workers: Vec::new(),
    }
}

/// The text between the first `from` and the next `to`.
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let rest = &text[text.find(from).unwrap_or_else(|| panic!("no {from}")) + from.len()..];
    &rest[..rest.find(to).unwrap_or_else(|| panic!("no {to}"))]
}

fn data(page: &str) -> serde_json::Value {
    serde_json::from_str(between(page, "id=\"data\">", "</script>")).unwrap()
}

#[test]
fn hostile_names_stay_text() {
    let tournament = tournament(&HOSTILE);
    let [one, other, third] = HOSTILE;
    let games = [
        game(1, one, other),
        fault(2, other, third, "said <b>\u{2028}</pre></script>"),
        game(3, third, one),
    ];
    let page = page(&tournament, &games);
    // The data, the languages and the page's script end in the right places.
    assert_eq!(page.matches("<script").count(), 3);
    assert_eq!(page.matches("</script>").count(), 3);
    assert!(!page.contains("<img") && !page.contains("<b>") && !page.contains("alert(1)</s"));
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    let said = "said &lt;b&gt;\u{2028}&lt;/pre&gt;&lt;/script&gt;";
    assert!(page.contains(&format!("<pre lang=\"en\">{said}</pre>")));
    assert!(page.contains(&format!("<pre class=\"transcript\">&gt; go\n&lt; {said}</pre>")));
    let data = data(&page);
    assert_eq!(data["engines"], serde_json::json!([one, other, third]));
    assert_eq!(data["games"][1][14], "said <b>\u{2028}</pre></script>");
}

#[test]
fn a_report_may_carry_what_analyses_its_games() {
    let tournament = tournament(&["a", "b"]);
    let page = |workspace| {
        let standings = GameResults::of_engines(tournament.names());
        let standings = Standings::new(&standings, &FitOptions::default()).unwrap();
        let page = Page::new(&tournament).with_workspace(workspace);
        let mut out = Vec::new();
        page.write(&results(standings, None, None), &mut out).unwrap();
        plain(&String::from_utf8(out).unwrap())
    };
    let files = vec![("engines".to_owned(), b"packed".to_vec())];
    let workspace = Workspace { script: "run();", languages: "{}", style: ".desk { }", files };
    let (with, without) = (page(Some(&workspace)), page(None));
    assert!(with.contains("id=\"engines\">cGFja2Vk</script>") && with.contains("id=\"app\""));
    assert!(!without.contains("id=\"app\"") && !without.contains("data-files"));
    let policy = between(&with, "Content-Security-Policy\" content=\"", "\"").replace("&#39;", "'");
    assert!(
        policy.contains("'wasm-unsafe-eval'") && policy.contains("worker-src blob:"),
        "{policy}"
    );
    let script = source(between(&with, "<script>", "</script>"));
    let style = source(between(&with, "<style>", "</style>"));
    assert!(policy.contains(&script) && policy.contains(&style), "{policy}");
}

#[test]
fn nothing_inline_is_left_to_the_policy() {
    let mut tournament = tournament(&["a", "b"]);
    tournament.limit = fanorona_tournament::config::Limit::MoveTime(Duration::from_millis(30));
    let page = page(&tournament, &[game(1, "a", "b"), fault(2, "b", "a", "why")]);
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"").replace("&#39;", "'");
    assert_eq!(policy, content_policy::policy(script(), PAGE_STYLE));
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    // The hashes cover exactly the content of the elements.
    assert_eq!(between(&page, "<style>", "</style>"), PAGE_STYLE);
    assert_eq!(between(&page, "<script>", "</script>"), script());
    // Neither the page nor the script sets anything that a hash cannot allow.
    let body = page.replace(script(), "").replace(PAGE_STYLE, "");
    for forbidden in [" style=", " onclick=", " onload=", "javascript:", "http://", "https://"] {
        assert!(!body.contains(forbidden), "{forbidden}");
    }
    // What it imports later is in it.
    let own = script().replace("$import(", "");
    for forbidden in ["innerHTML", "eval(", "setAttribute('style'", "fetch(", "import("] {
        assert!(!own.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn a_thousand_games_are_a_few_megabytes() {
    let tournament = tournament(&["a", "b"]);
    let long = |number| GameRecord {
        moves: vec!["h4h3Ag3Wh2Ai3W"; 120].join(" "),
        times: vec![1234; 119],
        scores: vec!["cp -1234".to_owned(); 119],
        ..game(number, "a", "b")
    };
    let games: Vec<_> = (1..=1000).map(long).collect();
    let page = page(&tournament, &games);
    assert_eq!(data(&page)["games"].as_array().unwrap().len(), 1000);
    assert!(!page.contains("This page holds 1"));
    assert!(page.len() < 4 << 20, "{}", page.len());
}

#[test]
fn of_too_many_games_those_with_faults_come_first() {
    let tournament = tournament(&["a", "b"]);
    let games = (1..=1500).map(|number| match number {
        1400.. => fault(number, "a", "b", "why"),
        _ => game(number, "a", "b"),
    });
    let page = page(&tournament, &games.collect::<Vec<_>>());
    assert!(page.contains("This page holds 1000 of 1500 games"));
    let data = data(&page);
    let numbers: Vec<u64> = data["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game[0].as_str().unwrap().parse().unwrap())
        .collect();
    assert_eq!(numbers, (1..=899).chain(1400..=1500).collect::<Vec<_>>());
    let told = page.matches("lost by crash").count();
    assert_eq!(told, 101);
}

#[test]
fn very_long_games_leave_the_rest_out() {
    let tournament = tournament(&["a", "b"]);
    let endless =
        |number| GameRecord { moves: vec!["a1b1"; 100_000].join(" "), ..game(number, "a", "b") };
    let page = page(&tournament, &(1..=20).map(endless).collect::<Vec<_>>());
    assert!(page.contains("This page holds 8 of 20 games"), "{}", page.len());
    assert!(page.len() < 5 << 20, "{}", page.len());
}

#[test]
fn the_script_learns_where_captures_take_one_stone_alone() {
    let tournament = tournament(&["a", "b"]);
    let start = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1".to_owned();
    let vela = GameRecord {
        kind: fanorona_ratings::kind::Kind::Vela,
        start: start.clone(),
        moves: "e2e3A e5e4 e3e2W f4e3".to_owned(),
        ..game(1, "a", "b")
    };
    let late = GameRecord {
        start: "bb1b5/b7b/9/9/W3W3W w w 0 1".to_owned(),
        moves: "a1a2".to_owned(),
        ..vela.clone()
    };
    let data = data(&page(&tournament, &[vela, late, game(3, "a", "b")]));
    let single: Vec<_> = (0..3).map(|game| data["games"][game][10].as_u64().unwrap()).collect();
    assert_eq!(single, [4, 0, 0]);
}

#[test]
fn the_page_says_what_was_played_and_keeps_secrets() {
    let mut tournament = tournament(&["a", "b"]);
    tournament.engines[0].options = vec![("Hash".to_owned(), "64".to_owned())];
    tournament.engines[1].env = vec![("TOKEN".to_owned(), "secret".to_owned())];
    tournament.engines[1].limit = Some("nodes=7".parse().unwrap());
    let page = page(&tournament, &[game(1, "a", "b")]);
    let played = between(&page, "aria-label=\"Engine programs\"", "</table>");
    assert!(played.contains("<td><bdi>Hash = 64</bdi></td><td>100ms</td>"), "{played}");
    assert!(played.contains("<td>nodes=7</td><td><code>x</code></td>"), "{played}");
    assert!(page.contains("100ms for <bdi>a</bdi>; nodes=7 for <bdi>b</bdi>"));
    assert!(!page.contains("TOKEN") && !page.contains("secret"));
}

#[test]
fn the_page_says_when_and_where_a_tournament_was_played() {
    let tournament = tournament(&["a", "b"]);
    let page_with = |machine: &str| {
        let standings =
            Standings::new(&GameResults::of_engines(["a", "b"]), &FitOptions::default()).unwrap();
        let machine = serde_json::from_str(machine).unwrap();
        let results = Results { machine: Some(machine), ..results(standings, None, None) };
        let mut out = Vec::new();
        Page::new(&tournament).write(&results, &mut out).unwrap();
        plain(&String::from_utf8(out).unwrap())
    };
    let engines = "\"engines\": [{\"name\": \"a\", \"program\": \"/x/<a>\", \"sha256\": \"0123456789\", \"identity\": \"A <1>\"}]";
    let run = |began: &str, processor: &str| {
        format!(
            "{{\"began\": \"{began}\", \"ended\": null, \"arena\": \"9.8\", \"computer\": \
             {{\"processor\": \"{processor}\", \"processors\": 2, \"system\": \"Linux\"}}}}"
        )
    };
    let runs = [run("2026-11-22T08:35:16Z", "X <1>"), run("2026-11-23T00:00:00Z", "Y")].join(",");
    let setting = "\"sandbox\": null, \"held_by_kernel\": [], \"openings\": null";
    let page =
        page_with(&format!("{{\"arena\": \"0.1.0\", {setting}, {engines}, \"runs\": [{runs}]}}"));
    assert!(
        page.contains("<code>/x/&lt;a&gt;</code><br><small>checksum <bdi>01234567</bdi></small>"),
        "{page}"
    );
    assert!(page.contains("<bdi>A &lt;1&gt;</bdi>"));
    let facts = between(&page, "<dl class=\"facts\">", "</dl>");
    for said in [
        "<dd>since 2026-11-22 08:35 UTC, in 2 runs</dd>",
        "<div><bdi>X &lt;1&gt;</bdi>, 2 processors, <bdi>Linux</bdi></div><div><bdi>Y</bdi>, 2 processors",
        "version 9.8",
    ] {
        assert!(facts.contains(said), "{said} in {facts}");
    }
}

#[test]
fn pairs_of_two_engines_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.csv");
    std::fs::write(&file, "white,black,result\na,b,1-0\nb,a,1/2-1/2\na,b,1-0\nb,a,1-0\n").unwrap();
    let mut game_results = GameResults::default();
    game_results.read(&file).unwrap();
    let standings = Standings::new(&game_results, &FitOptions::default()).unwrap();
    let tournament = tournament(&["a", "b"]);
    let results = results(standings, None, None);
    let mut out = Vec::new();
    Page::new(&tournament).write(&results, &mut out).unwrap();
    let page = plain(&String::from_utf8(out).unwrap());
    let row = between(&page, "<th scope=\"row\">pairs</th>", "</tr>");
    let counts = row.replace("<td class=\"number\">", "").replace("</td>", " ");
    assert_eq!(counts.trim(), "0 0 1 1 0");
}

/// The numbered engines in a section of the page, as `1: a`.
fn numbered(section: &str) -> Vec<String> {
    let items = section.split("<span>").skip(1);
    items
        .map(|item| {
            item[..item.find("</span>").unwrap()].replace("<bdi>", "").replace("</bdi>", "")
        })
        .collect()
}

#[test]
fn lines_have_the_numbers_of_the_table() {
    let tournament = tournament(&["last", "first"]);
    let games: Vec<_> = (1..=4).map(|number| game(number, "first", "last")).collect();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.csv");
    std::fs::write(&file, "white,black,result\n".to_owned() + &"first,last,1-0\n".repeat(4))
        .unwrap();
    let mut game_results = GameResults::of_engines(tournament.names());
    game_results.read(&file).unwrap();
    let standings = Standings::new(&game_results, &FitOptions::default()).unwrap();
    let mut page = Page::new(&tournament);
    games.iter().for_each(|game| page.add(game, None));
    let mut out = Vec::new();
    page.write(&results(standings, None, None), &mut out).unwrap();
    let page = plain(&String::from_utf8(out).unwrap());
    let table = between(&page, "aria-label=\"Ranking, Riatra", "</table>");
    assert!(table.find("<bdi>first") < table.find("<bdi>last"), "{table}");
    let trend = between(&page, "<section id=\"trend\"", "</section>");
    assert_eq!(numbered(trend), ["1: first", "2: last"]);
    // The topmost line belongs to the first engine, and so do its style and number.
    let label = &trend[trend.find("x=\"100%\" dx").unwrap()..];
    assert_eq!(between(label, ">", "<"), "1", "{label}");
}

#[test]
fn a_tournament_without_a_game_has_a_page() {
    let page = page(&tournament(&["a", "b"]), &[]);
    assert!(page.contains("Round-robin, Riatra, Vela, <bdi>tsivy</bdi>"));
    assert!(page.contains("; no faults"));
    assert!(page.contains("No game is finished yet."));
    let card = between(&page, "<section id=\"result\"", "</section>");
    assert!(card.contains("No result yet") && !card.contains("decided\""), "{card}");
}

/// A test of the first engine's lead after it has won this many pairs.
fn test_after(engine: &str, pairs: u64) -> Test {
    let (elo0, elo1, model) = (0.0, 20.0, Model::Logistic);
    let options = SprtOptions { elo0, elo1, alpha: 0.05, beta: 0.05, model };
    let mut test = SprtRun::new(Sprt::new(options).unwrap());
    for game in 0..2 * pairs {
        test.add(PairId(game / 2), Some(Score::Win), None);
    }
    let (state, estimate, history) = (test.state(), test.estimate(), test.history());
    Test { engine: engine.to_owned(), state, estimate, history }
}

#[test]
fn a_test_is_drawn_between_its_bounds() {
    let mut tournament = tournament(&HOSTILE[..2]);
    tournament.format = fanorona_tournament::config::Format::Match;
    let page = page_of(&tournament, &[], None, Some(test_after(HOSTILE[0], 60)));
    let section = between(&page, "<section id=\"sprt\"", "</section>");
    assert!(section.contains("SPRT: H1 accepted: the lead of <bdi>&lt;/script&gt;"), "{section}");
    assert!(
        section.contains("</bdi> is above 0 Elo after 60 pairs; LLR ")
            && section.contains("; lead ")
    );
    let words = between(section, "<p class=\"visually-hidden\">LLR after", "</p>");
    assert!(words.contains("−2.94 of H0 and 2.94 of H1"), "{words}");
    assert_eq!(section.matches("class=\"track t0\"").count(), 60);
    assert_eq!(section.matches("class=\"bound\"").count(), 2);
    // It is the answer of the card, and the navigation links to it.
    let card = between(&page, "<section id=\"result\"", "</section>");
    assert!(card.contains("winner decided") && card.contains("SPRT: H1 accepted"), "{card}");
    assert!(card.contains("The lead of <bdi>&lt;/script&gt;"), "{card}");
    assert!(card.contains("is above 0 Elo</h2>"), "{card}");
    // No other verdict is about the same two engines.
    assert!(!card.contains("All verdicts"), "{card}");
    assert!(page.contains("href=\"#sprt\""));
    let open = page_of(&tournament, &[], None, Some(test_after("a", 0)));
    let section = between(&open, "<section id=\"sprt\"", "</section>");
    assert!(section.contains("is undecided after 0 pairs") && !section.contains("<figure"));
    let card = between(&open, "<section id=\"result\"", "</section>");
    assert!(card.contains("The test ended undecided") && !card.contains("winner decided"));
    assert!(card.contains("is accepted at 2.94; H0") && card.contains("at −2.94."), "{card}");
    assert!(!page.contains("NaN") && !open.contains("NaN"));
}

#[test]
fn stages_are_drawn_and_names_stay_text() {
    let tournament = tournament(&HOSTILE);
    let [one, other, third] = HOSTILE.map(str::to_owned);
    let row = |engine: &String, points| SwissRow {
        engine: engine.clone(),
        points,
        opponents: 3,
        byes: 0,
    };
    let swiss = StageTable::Swiss(SwissTable {
        rows: vec![row(&one, 7), row(&other, 4), row(&third, 1)],
        stages: vec![
            vec![StageOutcome::Met { opponent: 1, points: 3 }, StageOutcome::Bye],
            vec![StageOutcome::Met { opponent: 0, points: 1 }, StageOutcome::Out],
            vec![StageOutcome::Bye, StageOutcome::Out],
        ],
        of: 3,
        most: 4,
        is_over: false,
    });
    let page = page_of(&tournament, &[], Some(swiss), None);
    let section = between(&page, "<section id=\"swiss\"", "</section>");
    assert!(section.contains("2 of 3 stages are drawn"), "{section}");
    assert!(section.contains("1.5<br><small>against 2</small>"), "{section}");
    assert!(section.contains("2<br><small>bye</small>") && section.contains("withdrawn"));
    assert!(
        page.contains("In progress, stage 2 of 3: <bdi>")
            && page.contains(" leads with 3.5 points")
    );
    assert!(page.contains("href=\"#swiss\"") && page.matches("<script").count() == 3);

    let met = |stage, encounter, engines: [&String; 2], winner: &String, by| BracketRow {
        stage,
        encounter,
        engines: engines.map(String::clone),
        points: [3, 1],
        winner: Some((winner.clone(), by)),
    };
    let bracket = StageTable::Bracket(Bracket {
        rows: vec![
            met(1, 1, [&other, &third], &third, WinReason::Withdrawal),
            met(2, 1, [&one, &third], &one, WinReason::Tiebreak),
        ],
        stages: vec![vec![Seat::Bye(one.clone()), Seat::Encounter(0)], vec![Seat::Encounter(1)]],
    });
    let page = page_of(&tournament, &[], Some(bracket), None);
    let section = between(&page, "<section id=\"bracket\"", "</section>");
    assert_eq!(section.matches("class=\"bracket-stage\"").count(), 2);
    assert_eq!(section.matches("class=\"won\"").count(), 2);
    for said in ["bye", "by tiebreak", "Semi-finals", "Final", "1.5"] {
        assert!(section.contains(said), "{said} in {section}");
    }
    assert!(section.contains("Games skipped because of a withdrawal"));
    assert!(page.contains("</bdi> won the knockout by tie-break: 1.5:0.5 against <bdi>"));
    let card = between(&page, "<section id=\"result\"", "</section>");
    assert!(card.contains("Settled by tie-break") && !card.contains("winner decided"), "{card}");
    assert!(page.matches("<script").count() == 3 && !page.contains("<img"));
}

/// The page of games given as lines of `games.csv`: white, black, result and kind.
fn page_of_lines(engines: &[&str], lines: &[(&str, &str, &str, &str, usize)]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.csv");
    let mut text = "white,black,result,kind,pair\n".to_owned();
    let mut games = 0;
    for (white, black, result, kind, times) in lines {
        for _ in 0..*times {
            text += &format!("{white},{black},{result},{kind},{}\n", games / 2);
            games += 1;
        }
    }
    std::fs::write(&file, text).unwrap();
    let mut game_results = GameResults::of_engines(engines.iter().copied());
    game_results.read(&file).unwrap();
    let standings = Standings::new(&game_results, &FitOptions::default()).unwrap();
    let tournament = tournament(engines);
    let mut out = Vec::new();
    Page::new(&tournament).write(&results(standings, None, None), &mut out).unwrap();
    plain(&String::from_utf8(out).unwrap())
}

#[test]
fn the_card_says_who_won_or_what_is_missing() {
    let page = page_of_lines(
        &["best", "second", "third"],
        &[
            ("best", "second", "1-0", "riatra", 20),
            ("second", "best", "0-1", "riatra", 20),
            ("best", "second", "0-1", "riatra", 2),
            ("second", "best", "1-0", "riatra", 2),
            ("second", "third", "1-0", "riatra", 20),
            ("third", "second", "0-1", "riatra", 20),
            ("third", "second", "1-0", "riatra", 2),
            ("second", "third", "0-1", "riatra", 2),
        ],
    );
    let card = between(&page, "<section id=\"result\"", "</section>");
    assert!(card.contains("winner decided"), "{card}");
    assert!(card.contains("<bdi>best</bdi> won</h2>"), "{card}");
    let sure =
        "<bdi>best</bdi> won: it is stronger than <bdi>second</bdi> in riatra (99.9 %), by +";
    assert!(card.contains(sure), "{card}");
    assert!(!card.contains("with 95 % confidence"), "the sentence says it: {card}");
    assert!(card.contains("<strong>40 of 44</strong>"), "{card}");
    // What is known besides is there on demand.
    assert!(card.contains(">All verdicts</summary>"), "{card}");

    let page = page_of_lines(
        &["one", "other"],
        &[
            ("one", "other", "1-0", "riatra", 7),
            ("other", "one", "0-1", "riatra", 6),
            ("one", "other", "0-1", "riatra", 5),
            ("other", "one", "1-0", "riatra", 5),
        ],
    );
    let card = between(&page, "<section id=\"result\"", "</section>");
    assert!(card.contains("Undecided") && !card.contains("winner decided"), "{card}");
    assert!(card.contains("<bdi>one</bdi> or <bdi>other</bdi>?</h2>"), "{card}");
    assert!(card.contains("more pairs for an even chance to decide it"), "{card}");
    assert!(card.contains(" Elo, with 95 % confidence between −"), "{card}");
}

#[test]
fn parts_about_kinds_have_links_and_a_common_place() {
    let page =
        page_of_lines(&["a", "b"], &[("a", "b", "1-0", "riatra", 9), ("b", "a", "1-0", "vela", 4)]);
    for section in ["standings", "crosstable"] {
        let text = between(&page, &format!("<section id=\"{section}\""), "</section>");
        let links: Vec<_> =
            text.split("href=\"#").skip(1).map(|it| &it[..it.find('"').unwrap()]).collect();
        let parts = ["all", "riatra", "vela"].map(|kind| format!("{section}-{kind}"));
        assert_eq!(links, parts);
        for part in &parts {
            assert!(text.contains(&format!("<div class=\"part\" id=\"{part}\"")), "{part}");
        }
    }
    let one = page_of_lines(&["a", "b"], &[("a", "b", "1-0", "riatra", 9)]);
    assert!(!one.contains("class=\"tab-list\""));
    assert!(one.contains("id=\"standings-riatra\""));
}

#[test]
fn the_crosstable_names_engines_and_counts() {
    let page = page_of_lines(
        &["<a>", "b", "c"],
        &[("<a>", "b", "1-0", "riatra", 3), ("b", "<a>", "1/2-1/2", "riatra", 1)],
    );
    let table = between(&page, "<table class=\"crosstable\">", "</table>");
    assert!(
        table.contains("<th scope=\"col\" title=\"&lt;a&gt;\"><bdi>&lt;a&gt;</bdi></th>"),
        "{table}"
    );
    assert!(
        table.contains("<td class=\"much-more\"><b>3.5</b><small>3–1–0</small></td>"),
        "{table}"
    );
    assert!(
        table.contains("<td class=\"much-less\"><b>0.5</b><small>0–1–3</small></td>"),
        "{table}"
    );
    // The third engine has not played.
    assert_eq!(table.matches("<td></td>").count(), 4, "{table}");
}

#[test]
fn negative_numbers_have_a_minus_sign() {
    let tournament = tournament(&["a", "b"]);
    let mut pages = vec![page_of_lines(
        &["a", "b", "c"],
        &[
            ("a", "b", "1-0", "riatra", 9),
            ("c", "b", "1-0", "vela", 9),
            ("a", "c", "0-1", "vela", 2),
        ],
    )];
    pages.push(page_of(&tournament, &[game(1, "a", "b")], None, Some(test_after("a", 30))));
    for page in pages {
        let body = between(&page, "<main", "</main>");
        // The text without tags, whose attributes hold coordinates.
        let texts = body.split('<').map(|part| part.split_once('>').map_or(part, |it| it.1));
        let body: String = texts.collect::<Vec<_>>().join(" ");
        assert!(body.contains('−'));
        let letters: Vec<char> = body.chars().collect();
        for three in letters.windows(3) {
            let is_number = three[1] == '-' && three[2].is_ascii_digit();
            assert!(!is_number || three[0].is_alphanumeric(), "{three:?}");
        }
    }
}

#[test]
fn the_page_begins_with_the_most_telling_game() {
    let tournament = tournament(&["a", "b"]);
    let first = |games: &[GameRecord], two: Option<(&str, &str)>| {
        let mut embedded = embedded::Embedded::new(&tournament);
        games.iter().for_each(|game| embedded.add(game, None));
        let data: serde_json::Value = serde_json::from_str(&embedded.finish(two).json).unwrap();
        data["first"].as_u64().unwrap()
    };
    let won = |number, white, black| game(number, white, black);
    let games = [won(1, "a", "b"), won(2, "b", "a"), fault(3, "a", "b", "why"), won(4, "a", "c")];
    assert_eq!(first(&games, Some(("a", "b"))), 0);
    assert_eq!(first(&games, Some(("b", "a"))), 1);
    assert_eq!(first(&games, Some(("c", "a"))), 3);
    assert_eq!(first(&games, None), 3);
    assert_eq!(first(&[], None), 0);
}

#[test]
fn a_game_carries_its_tags() {
    let tournament = tournament(&HOSTILE);
    let game = game(1, HOSTILE[0], HOSTILE[1]);
    let tags = fanorona_tournament::notation::fgn::tag_lines(
        &game,
        &fanorona_tournament::notation::fgn::FileTags::tournament(&tournament),
    );
    assert!(tags.starts_with("[Event \"test\"]\n[Game \"1\"]\n"), "{tags}");
    assert_eq!(data(&page(&tournament, &[game]))["games"][0][17], *tags);
}

#[test]
fn many_faults_are_folded_and_keep_their_line_breaks() {
    let tournament = tournament(&["a", "b"]);
    let games: Vec<_> = (1..=25).map(|number| fault(number, "a", "b", "one\ntwo")).collect();
    let page = page(&tournament, &games);
    let section = between(&page, "<section id=\"faults\"", "</section>");
    assert!(section.contains("<summary>15 more</summary>"), "{section}");
    assert_eq!(section.matches("<pre lang=\"en\">one\ntwo</pre>").count(), 25);
}

/// The style sheets after the tokens, as the values of their properties.
fn values(style: &str) -> impl Iterator<Item = (&str, &str)> {
    let (_, rules) = style.split_once("\n}\n").expect("the tokens come first");
    let declarations = rules.split(['{', '}', ';']);
    declarations.filter_map(|it| it.trim().split_once(": "))
}

#[test]
fn only_tokens_name_colours_and_sizes_of_type() {
    let mut sizes = 0;
    for (property, value) in values(PAGE_STYLE) {
        let is_colour = |word: &str| word.starts_with('#') || word.contains("(#");
        let named = value.split([' ', ',']).find(|word| is_colour(word));
        assert_eq!(named, None, "{property}: {value}");
        if property == "font-size" {
            sizes += 1;
            // Drawings and code are measured by what they stand in.
            let is_token =
                value.starts_with("var(--") || value.ends_with("px") || value.ends_with("em");
            assert!(is_token && !value.ends_with("rem"), "{property}: {value}");
        }
    }
    assert!(sizes > 10, "{sizes} sizes");
}
