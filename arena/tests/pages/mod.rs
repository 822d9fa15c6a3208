//! The web server: what pages get, and what others do not. The tests in `in_chromium` use a real
//! browser.

mod access;
mod in_chromium;
mod load;
mod said;
mod sections;
pub(crate) mod server;
mod site;
mod views;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};

use serde_json::json;

use self::sections::{names, reported, section};
use self::server::Server;
use crate::common::build_bots;

/// Builds the bots beside the arena, once.
fn bots() {
    static BUILT: Once = Once::new();
    BUILT.call_once(build_bots);
}

/// A tournament of two bots that lasts for some seconds. On a busy machine no engine loses on time:
/// after some such games it would be withdrawn.
const CONFIG: &str = "\
name = \"live\"
format = \"match\"
kinds = [\"riatra\"]
rounds = 100
concurrency = 2
limit = \"20ms\"
margin = \"10s\"
oversubscribe = true
openings = { source = \"random\", plies = 4 }
[[engine]]
name = \"one\"
command = \"bot-alphabeta\"
[[engine]]
name = \"two\"
command = \"bot-greedy\"
";

/// The lines of a config for an engine that ends when it is asked for a move.
const LEAVES: &str = r#"command = "sh"
args = ["-c", "while read line; do case $line in ugi) echo ugiok;; isready) echo readyok;; go*) exit 7;; esac; done"]
"#;

/// The lines of a config for an engine that reports an error in every move and plays on.
const ERRS: &str = r#"command = "sh"
args = ["-c", "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; go) set -- ${rest##*searchmoves }; echo info error KeyError: 3; echo bestmove $1;; esac; done"]
legal_moves = true
"#;

/// Plays a small tournament in a directory; returns the results directory.
fn tournament(dir: &Path) -> PathBuf {
    play(dir, &CONFIG.replace("rounds = 100", "rounds = 4").replace("20ms", "nodes=200"))
}

/// Plays a tournament in a directory; returns the results directory.
fn play(dir: &Path, config: &str) -> PathBuf {
    bots();
    fs::write(dir.join("small.toml"), config).unwrap();
    let played = std::process::Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["run", "small.toml", "--out", "results/small"])
        .current_dir(dir)
        .output()
        .unwrap();
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    dir.join("results/small")
}

fn serve(dir: &Path) -> Server {
    Server::start(dir, &["serve", "--listen", "127.0.0.1:0"])
}

/// Ctrl-C during the last games lets them finish, and then the pages do not stay.
#[test]
fn pages_do_not_stay_after_ctrl_c_during_the_last_games() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let config = CONFIG.replace("rounds = 100", "rounds = 1").replace("20ms", "100ms");
    fs::write(dir.path().join("small.toml"), config).unwrap();
    let args = ["run", "small.toml", "--out", "out", "--serve=127.0.0.1:0"];
    let mut server = Server::start(dir.path(), &args);
    let end = Instant::now() + Duration::from_secs(60);
    while server.json("/api/library")["tournaments"][0]["state"] != "running" {
        assert!(Instant::now() < end, "the tournament does not begin");
    }
    assert!(server.ends_after_ctrl_c());
    assert!(dir.path().join("out/journal.jsonl").is_file());
}

/// Result and moves of every game in `games.csv`.
fn games(results: &Path) -> Vec<(String, String)> {
    let mut reader = csv::Reader::from_path(results.join("games.csv")).unwrap();
    let columns = reader.headers().unwrap().clone();
    let column = |name: &str| columns.iter().position(|it| it == name).unwrap();
    let (result, moves) = (column("result"), column("moves"));
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| (row[result].to_owned(), row[moves].to_owned())).collect()
}

/// How often each move was played after these moves: games, White's wins, draws, Black's wins.
fn counts(games: &[(String, String)], before: &[&str]) -> BTreeMap<String, [u64; 4]> {
    let mut counts: BTreeMap<String, [u64; 4]> = BTreeMap::new();
    for (result, moves) in games {
        let played: Vec<&str> = moves.split(' ').collect();
        if played.starts_with(before) && played.len() > before.len() {
            let count = counts.entry(played[before.len()].to_owned()).or_default();
            count[0] += 1;
            let place = ["1-0", "1/2-1/2", "0-1"].iter().position(|it| it == result);
            count[1 + place.unwrap()] += 1;
        }
    }
    counts
}

#[test]
fn finished_tournaments_are_listed_with_their_games() {
    let dir = tempfile::tempdir().unwrap();
    let results = tournament(dir.path());
    let server = serve(dir.path());
    let library = server.json("/api/library");
    let listed = &library["tournaments"][0];
    assert_eq!(library["tournaments"].as_array().unwrap().len(), 1);
    assert_eq!((&listed["state"], &listed["finished"]), (&json!("finished"), &json!(8)));
    assert_eq!(library["configs"][0]["path"], "small.toml");
    let id = listed["id"].as_str().unwrap();
    let summary = server.json(&format!("/api/t/{id}"));
    assert_eq!(summary["engines"].as_array().unwrap().len(), 2);
    assert_eq!((&summary["live"], &summary["control"]), (&json!(false), &json!(false)));
    let games = server.json(&format!("/api/t/{id}/games?sort=plies&desc=1"));
    assert_eq!(games["total"], 8);
    let plies: Vec<u64> =
        games["games"].as_array().unwrap().iter().map(|it| it["plies"].as_u64().unwrap()).collect();
    assert!(plies.is_sorted_by(|a, b| a >= b), "{plies:?}");
    let won = server.json(&format!("/api/t/{id}/games?engine=one&opponent=two&result=won"));
    let mut reader = csv::Reader::from_path(results.join("games.csv")).unwrap();
    let columns = reader.headers().unwrap().clone();
    let column = |name: &str| columns.iter().position(|it| it == name).unwrap();
    let (white, result, moves) = (column("white"), column("result"), column("moves"));
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let wins =
        rows.iter().filter(|row| &row[result] == if &row[white] == "one" { "1-0" } else { "0-1" });
    assert_eq!(won["total"], wins.count());
    let game = server.json(&format!("/api/t/{id}/games/1"));
    let played: Vec<&str> =
        game["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    assert_eq!(played.join(" "), rows[0][moves]);
    let by_alphabeta = game["info"].as_array().unwrap().iter().any(|it| it["nodes"].is_u64());
    assert!(by_alphabeta, "{}", game["info"]);
    let file = server.get(&format!("/api/t/{id}/games/1/fgn"));
    assert!(file.headers.contains("attachment") && file.body.contains("[White "), "{file:?}");
    let again = server.post("/api/fgn/read", &json!({ "text": file.body })).json();
    assert_eq!(again["games"][0]["moves"], game["moves"]);
    let report = server.get(&format!("/t/{id}/report"));
    assert!(report.headers.contains("sandbox allow-scripts"), "{}", report.headers);
    assert_eq!(server.get("/api/t/nothing").status, 404);
    assert_eq!(server.get(&format!("/api/t/{id}/games/99")).status, 404);
}

#[test]
fn a_tuning_has_the_course_of_its_values() {
    let dir = tempfile::tempdir().unwrap();
    let config = "\
format = \"tune\"
kinds = [\"riatra\"]
rounds = 4
limit = \"nodes=20\"
openings = { source = \"random\", plies = 4 }
[tune]
iterations = 6
[tune.parameters]
Exploration = { start = 100, min = 20, max = 300, r_end = 0.5 }
FirstPlay = { start = 20, min = 0, max = 100 }
[[engine]]
name = \"mcts\"
command = \"bot-mcts\"
";
    let results = play(dir.path(), config);
    let server = serve(dir.path());
    let library = server.json("/api/library");
    // Both sides are the same engine.
    assert_eq!(library["tournaments"][0]["outcome"]["winner"], json!(null));
    let id = library["tournaments"][0]["id"].as_str().unwrap();
    assert_eq!(names(&server, id), ["result", "tuning", "setting"]);
    let tuning = section(&server, id, "tuning");
    assert!(tuning.contains("6 of 6 iterations"), "{tuning}");
    assert_eq!(tuning, reported(&server, id, "tuning"));
    for none in ["standings", "crosstable"] {
        assert_eq!(server.get(&format!("/api/t/{id}/section/{none}")).status, 404, "{none}");
    }
    // The curves are those of tune.csv, from the start value on: a higher value stands higher.
    let mut reader = csv::Reader::from_path(results.join("tune.csv")).unwrap();
    let columns = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let figures: Vec<&str> = tuning.split("<figure").skip(1).collect();
    assert_eq!(figures.len(), 2, "{tuning}");
    for ((name, start), figure) in [("Exploration", 100.0), ("FirstPlay", 20.0)].iter().zip(figures)
    {
        assert!(figure.contains(&format!(">{name}</bdi> by iteration")), "{figure}");
        let column = columns.iter().position(|it| it == *name).unwrap();
        let values = rows.iter().map(|row| row[column].parse::<f64>().unwrap());
        let values: Vec<f64> = std::iter::once(*start).chain(values).collect();
        let lines: Vec<&str> = figure.split("<line class=\"track t0\"").skip(1).collect();
        let at = |line: &str, end: &str| {
            let rest = line.split(&format!("{end}=\"")).nth(1).unwrap();
            rest.split('%').next().unwrap().parse::<f64>().unwrap()
        };
        let first = at(lines[0], "y1");
        let heights = std::iter::once(first).chain(lines.iter().map(|line| at(line, "y2")));
        let heights: Vec<f64> = heights.collect();
        assert_eq!(heights.len(), 7, "{figure}");
        // A line between the lowest and the highest value gives the place of all others.
        let by_value = |one: &&usize, other: &&usize| values[**one].total_cmp(&values[**other]);
        let places: Vec<usize> = (0..7).collect();
        let (low, high) =
            (*places.iter().min_by(by_value).unwrap(), *places.iter().max_by(by_value).unwrap());
        let slope = (heights[high] - heights[low]) / (values[high] - values[low]);
        assert!(slope < 0.0, "{values:?} {heights:?}");
        for (value, height) in values.iter().zip(&heights) {
            let expected = heights[low] + slope * (value - values[low]);
            assert!((height - expected).abs() < 0.03, "{value}: {height}, not {expected}");
        }
    }
}

#[test]
fn the_explorer_counts_what_games_csv_says() {
    let dir = tempfile::tempdir().unwrap();
    let results = tournament(dir.path());
    let server = serve(dir.path());
    let rows = games(&results);
    // The start has no symmetry but the identity, so moves are counted as they were played.
    let line: Vec<&str> = rows[0].1.split(' ').take(3).collect();
    for length in 0..=line.len() {
        let before = &line[..length];
        let request = json!({ "start": null, "rules": "", "moves": before, "tournaments": [] });
        let answer = server.post("/api/explorer", &request).json();
        let seen: BTreeMap<String, [u64; 4]> = answer["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| {
                let count = ["games", "white", "draws", "black"].map(|it| mv[it].as_u64().unwrap());
                (mv["text"].as_str().unwrap().to_owned(), count)
            })
            .collect();
        assert_eq!(seen, counts(&rows, before), "after {before:?}");
    }
}

#[test]
fn moves_of_a_running_tournament_arrive_within_a_second() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("live.toml"), CONFIG).unwrap();
    let args = ["run", "live.toml", "--out", "out", "--serve=127.0.0.1:0"];
    let server = Server::start(dir.path(), &args);
    let id = server.until(|server| {
        let library = server.json("/api/library");
        library["tournaments"][0]["id"].as_str().map(str::to_owned)
    });
    assert_eq!(server.json(&format!("/api/t/{id}"))["control"], true);
    let mut events = server.events(&format!("/api/t/{id}/live"));
    // The first event has what runs; of the games before nothing is said.
    let running = events.next_of("games");
    let running = running.as_array().unwrap();
    let concurrency = server.json(&format!("/api/t/{id}"))["concurrency"].as_u64();
    assert!(running.len() as u64 <= concurrency.unwrap_or(2), "{running:?}");
    let game_of = |data: &serde_json::Value| data["game"].as_str().unwrap_or_default().to_owned();
    let moves_of = |data: &serde_json::Value| data["moves"].as_array().map_or(0, Vec::len);
    // Boards change all the time; so several updates come in less than a second each, and each
    // continues what is known.
    let mut known: BTreeMap<String, usize> =
        running.iter().map(|data| (game_of(data), moves_of(data))).collect();
    let (mut updates, begin) = (0, Instant::now());
    while updates < 10 {
        let (name, data) = events.next();
        let (game, moves) = (game_of(&data), moves_of(&data));
        match &*name {
            "begin" => {
                // A game that begins while a page comes may be in the first event already.
                let before = known.insert(game, moves);
                assert!(before.is_none_or(|before| before <= moves), "{data} after {before:?}");
            }
            "game" => {
                let from = data["from"].as_u64().unwrap() as usize;
                let before = known.get_mut(&game).expect("the game has begun");
                assert!(from <= *before, "{data} after {before}");
                *before = from + moves;
                updates += 1;
            }
            _ => {}
        }
    }
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?} for ten updates", begin.elapsed());
    // Paused, the games in progress end and no other begins.
    let control = |action: &str| {
        server.post(&format!("/api/t/{id}/control"), &json!({ "action": action })).status
    };
    assert_eq!(control("pause"), 200);
    assert_eq!(server.json(&format!("/api/t/{id}"))["paused"], true);
    let finished = |server: &Server| server.json(&format!("/api/t/{id}"))["finished"].as_u64();
    let quiet = server.until(|server| {
        let before = finished(server)?;
        std::thread::sleep(Duration::from_secs(3));
        (finished(server)? == before && before > 0).then_some(before)
    });
    assert_eq!(control("continue"), 200);
    server.until(|server| finished(server).filter(|now| *now > quiet));
    assert_eq!(control("stop"), 200);
    let state = |server: &Server| server.json(&format!("/api/t/{id}"))["state"].clone();
    server.until(|server| (state(server) == "stopped").then_some(()));
}

/// A process that is killed at the end of the test.
struct Killed(std::process::Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn boards_of_a_tournament_in_another_terminal_are_live_too() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("live.toml"), CONFIG).unwrap();
    let server = serve(dir.path());
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_arena"));
    run.args(["run", "live.toml", "--out", "results/live"]).current_dir(dir.path());
    run.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let run = Killed(run.spawn().unwrap());
    let id = server.until(|server| {
        let library = server.json("/api/library");
        library["tournaments"][0]["id"].as_str().map(str::to_owned)
    });
    // The server shows it, but does not control it.
    assert_eq!(server.json(&format!("/api/t/{id}"))["control"], false);
    let mut events = server.events(&format!("/api/t/{id}/live"));
    let begun = events.next_of("begin");
    assert_eq!(begun["book"], 4, "{begun}");
    let update = events.next_of("game");
    assert!(!update["moves"].as_array().unwrap().is_empty(), "{update}");
    drop(run);
    // After its end no board is left.
    server.until(|server| {
        let mut events = server.events(&format!("/api/t/{id}/live"));
        (events.next_of("games") == json!([])).then_some(())
    });
}

#[test]
fn a_page_starts_a_tournament_from_a_config_and_resumes_it() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("live.toml"), CONFIG).unwrap();
    let server = serve(dir.path());
    let config = server.json("/api/library")["configs"][0]["id"].clone();
    let begun = server.post("/api/run", &json!({ "config": config }));
    assert_eq!(begun.status, 200, "{begun:?}");
    let id = begun.json()["id"].as_str().unwrap().to_owned();
    let mut events = server.events(&format!("/api/t/{id}/live"));
    events.next_of("game");
    let control = |action: &str| {
        server.post(&format!("/api/t/{id}/control"), &json!({ "action": action })).status
    };
    let stopped = || {
        server.until(|server| {
            let now = server.json(&format!("/api/t/{id}"));
            (now["state"] == "stopped" && now["control"] == false).then_some(())
        })
    };
    assert_eq!(control("stop"), 200);
    stopped();
    assert_eq!(control("pause"), 409);
    let resumed = server.post(&format!("/api/t/{id}/resume"), &json!({ "rounds": null }));
    assert_eq!(resumed.status, 200, "{resumed:?}");
    let mut events = server.events(&format!("/api/t/{id}/live"));
    events.next_of("game");
    assert_eq!(control("stop"), 200);
    stopped();
    // A config that cannot be played says why.
    fs::write(dir.path().join("live.toml"), CONFIG.replace("bot-greedy", "bot-none")).unwrap();
    let failed = server.post("/api/run", &json!({ "config": config }));
    assert!(failed.status == 400 && failed.body.contains("bot-none"), "{failed:?}");
}

#[test]
fn a_form_becomes_a_config_that_is_played() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let form = |engines: &[&str], games: u32| {
        json!({ "engines": engines, "format": "round-robin", "kinds": ["riatra"], "games": games,
                "limit": "nodes=20" })
    };
    let wish = form(&["bot-greedy", "bot-random"], 2);
    let shown = server.post("/api/config", &wish).json()["text"].as_str().unwrap().to_owned();
    assert_eq!(
        fs::read_dir(dir.path()).unwrap().count(),
        0,
        "a config that is shown is no file yet"
    );
    for name in ["greedy-random", "greedy-random-2"] {
        let begun = server.post("/api/run", &json!({ "form": wish }));
        assert_eq!(begun.status, 200, "{begun:?}");
        let id = begun.json()["id"].as_str().unwrap().to_owned();
        let written = fs::read_to_string(dir.path().join(format!("{name}.toml"))).unwrap();
        assert_eq!(written, shown.replace("\"greedy-random\"", &format!("\"{name}\"")));
        server.until(|server| {
            let now = server.json(&format!("/api/t/{id}"));
            (now["state"] == "finished" && now["finished"] == 2).then_some(())
        });
    }
    // Only engines that the server knows, and only what a config allows.
    for (wish, why) in [
        (form(&["bot-greedy", "/bin/sh"], 2), "there is no engine `/bin/sh` here"),
        (form(&["bot-greedy"], 2), "a tournament needs engines and games"),
        (form(&["bot-greedy", "bot-greedy"], 2), "bot-greedy"),
    ] {
        for refused in
            [server.post("/api/config", &wish), server.post("/api/run", &json!({ "form": wish }))]
        {
            assert!(refused.status >= 400 && refused.body.contains(why), "{refused:?}");
        }
    }
}

#[test]
fn a_page_talks_to_an_engine_in_lines() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let engines = server.json("/api/engines");
    let alphabeta = &engines.as_array().unwrap()[0];
    assert_eq!(alphabeta["name"], "bot-alphabeta");
    assert_eq!((&alphabeta["multipv"], &alphabeta["skill"][0]["level"]), (&json!(true), &json!(0)));
    let opened = server.post("/api/engine", &json!({ "engine": "bot-alphabeta", "rules": "" }));
    let id = opened.json()["id"].as_str().unwrap().to_owned();
    let path = format!("/api/engine/{id}/lines");
    let mut events = server.events(&path);
    let lines = "setoption name MultiPV value 2\nposition startpos\ngo nodes 5000\n";
    assert_eq!(server.post_text(&path, lines).status, 200);
    let (mut variations, mut best) = (Vec::new(), None);
    while best.is_none() {
        let (_, line) = events.next();
        let line = line.as_str().unwrap();
        if let Some((_, rest)) = line.split_once(" multipv ") {
            variations.push(rest.split(' ').next().unwrap().to_owned());
        }
        best = line.strip_prefix("bestmove ").map(str::to_owned);
    }
    variations.sort();
    variations.dedup();
    assert_eq!(variations, ["1", "2"]);
    for refused in [
        "quit",
        "bench",
        "go perft 9",
        "setoption name EndgameTables value /",
        "setoption name NetworkFile value /etc/passwd",
        "setoption name Hash value 65536",
        "setoption name Threads value 256",
        "rm -rf /",
    ] {
        let answer = server.post_text(&path, refused);
        assert_eq!(answer.status, 400, "{refused}: {answer:?}");
    }
    // A second page cannot take the lines of the first one.
    assert_eq!(server.stream(&path).err(), Some(409));
    assert_eq!(server.post("/api/engine", &json!({ "engine": "sh" })).status, 404);
    assert_eq!(server.post(&format!("/api/engine/{id}/quit"), &json!({})).status, 200);
    loop {
        let (name, _) = events.next();
        if name == "gone" {
            break;
        }
    }
    assert_eq!(server.post_text(&path, "isready").status, 404);
}

#[test]
fn a_session_is_led_to_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let ask = |results: &[&str]| {
        let request = json!({ "board": "dimy", "rules": "", "results": results });
        server.post("/api/session", &request).json()
    };
    let first = ask(&[]);
    assert_eq!(
        (&first["next"]["kind"], &first["next"]["white"]),
        (&json!("riatra"), &json!("first"))
    );
    let vela = ask(&["1-0"]);
    assert_eq!((&vela["next"]["kind"], &vela["next"]["debtor"]), (&json!("vela"), &json!("w")));
    assert_eq!(vela["next"]["white"], "second");
    let over = ask(&["1-0", "1-0", "0-1"]);
    assert_eq!(over["over"], true, "{over}");
}
