//! The walk of a newcomer, by clicks: the course, a game won against the lowest level and one lost to
//! the highest, the reasons in the review, five puzzles; and a tournament on a server.

use std::path::Path;

use fanorona_pages::{Answer, Puzzles, answer};
use fanorona_protocol::rules::{Game, Move, Position, Ruleset, Start};
use serde_json::{Value, json};

use super::by_hand::Way;
use super::learn::make;
use super::play::{moves_kept, wait_for_turn};
use super::puzzles::{puzzle_of, record, solve, verdict};
use super::site::{Host, everything_is_kept, modules, nothing_is_wrong};
use super::{choose, choose_language, click, click_button, open, said, text, texts};
use crate::devtools::Browser;
use crate::pages::{bots, serve};

/// The lessons with their steps.
const COURSE: &str = include_str!("../../../pages/src/script/course.json");

/// A walk in one language.
struct Walk<'w> {
    browser: &'w mut Browser,
    host: &'w Host,
    texts: Value,
}

impl Walk<'_> {
    fn said(&self, key: &str) -> String {
        said(&self.texts, key).to_owned()
    }

    /// Opens the first page as somebody who has never been here, and chooses the language.
    fn begin(browser: &mut Browser, host: &Host, language: &str) {
        browser.open(&host.page(""));
        browser.value("localStorage.clear(); sessionStorage.clear()");
        choose_language(browser, language);
        let texts = texts(language);
        let mut walk = Walk { browser, host, texts };
        let name = walk.said("home.what");
        assert_eq!(text(walk.browser, ".front h1 + p"), name);
        walk.learn();
        walk.win();
        walk.lose();
        walk.understand();
        walk.solve_five();
    }

    /// Goes to the first page by the name in the header.
    fn home(&mut self) {
        click(self.browser, ".bar .brand");
        self.browser.until("document.querySelector('.front .ways') !== null", &json!(true));
    }

    /// Every lesson, from the first move to the endings.
    fn learn(&mut self) {
        click(self.browser, ".ways a[href='learn.html']");
        let course: Value = serde_json::from_str(COURSE).unwrap();
        let steps = course.as_array().unwrap().iter().flat_map(|lesson| {
            let steps = lesson["steps"].as_array().unwrap().iter().enumerate();
            steps.map(move |(index, step)| (lesson["id"].as_str().unwrap(), index + 1, step))
        });
        let steps: Vec<_> = steps.collect();
        for (index, (lesson, number, step)) in steps.iter().enumerate() {
            self.browser.until("location.hash", &json!(format!("#{lesson}.{number}")));
            let task = self.said(&format!("learn.{lesson}.{number}.task"));
            self.browser.until("document.querySelector('.task')?.textContent", &json!(task));
            assert_eq!(text(self.browser, "#lesson"), self.said(&format!("learn.{lesson}.title")));
            self.reach(step["start"].as_str().unwrap(), &step["goal"]);
            verdict(self.browser, &self.said(&format!("learn.{lesson}.{number}.done")));
            if index + 1 < steps.len() {
                click(self.browser, ".lesson .primary");
            }
        }
        assert_eq!(
            self.browser.value("JSON.parse(localStorage.getItem('learn')).length"),
            json!(steps.len())
        );
        nothing_is_wrong(self.browser, self.host);
        // The course ends where a game begins.
        click(self.browser, ".lesson .primary");
        self.browser.until("document.querySelector('form.setup') !== null", &json!(true));
    }

    /// Makes moves that reach the goal of a step.
    fn reach(&mut self, start: &str, goal: &Value) {
        if goal["solution"].is_null() {
            let position: Position = start.parse().unwrap();
            let legal = position.legal_moves(&Ruleset::default());
            let right = legal.iter().find(|mv| reaches(position, goal, mv)).expect("a right move");
            make(self.browser, start, &right.to_string());
            return;
        }
        let rules = Ruleset::default();
        let mut position: Position = start.parse().unwrap();
        let mut node = &goal["solution"][0];
        loop {
            let own = node["moves"][0].as_str().unwrap();
            make(self.browser, &position.to_string(), own);
            let Some(reply) = node["reply"].as_str() else { return };
            verdict(self.browser, &self.said("learn.go-on"));
            for mv in [own, reply] {
                position = position.play(&rules, &mv.parse().unwrap()).unwrap();
            }
            super::by_hand::stones_are_shown(self.browser, &position);
            node = &node["then"][0];
        }
    }

    /// Begins a game against a level.
    fn begin_game(&mut self, level: usize) {
        click(self.browser, &format!(".ladder label:nth-of-type({level})"));
        let chosen = "document.querySelector('.ladder input:checked')?.value";
        self.browser.until(chosen, &json!(level.to_string()));
        click(self.browser, "form.setup [type=submit]");
    }

    /// Plays to the end with the moves that `choose` finds.
    fn play(&mut self, mut choose: impl FnMut(&mut Browser, &Game) -> Move) {
        while !wait_for_turn(self.browser) {
            let mut game = Game::new(Ruleset::default(), Start::TSIVY.riatra());
            let played = moves_kept(self.browser);
            played.iter().for_each(|mv| game.play(mv).expect("every move of the game is legal"));
            let mv = choose(self.browser, &game);
            Way::of(game.position(), game.rules(), &mv).make(self.browser);
            let count = "JSON.parse(sessionStorage.getItem('play')).moves.length";
            self.browser.until(&format!("{count} > {}", played.len()), &json!(true));
        }
        nothing_is_wrong(self.browser, self.host);
    }

    /// A game against the lowest level, with the moves of the page's own best engine.
    fn win(&mut self) {
        self.begin_game(1);
        self.play(best_move);
        assert_eq!(text(self.browser, ".result h2"), self.said("play.won"));
        let results = self.browser.value("JSON.parse(localStorage.getItem('play-results'))");
        assert_eq!(results["levels"], json!({ "1": { "won": 1, "drawn": 0, "lost": 0 } }));
    }

    /// A game against the highest level, with any moves.
    fn lose(&mut self) {
        let again = self.said("play.new");
        click_button(self.browser, &again);
        self.begin_game(8);
        self.play(|_, game| {
            let legal = game.legal_moves();
            legal[7919 * game.moves().len() % legal.len()]
        });
        assert_eq!(text(self.browser, ".result h2"), self.said("play.lost"));
    }

    /// The review of the lost game says of each mistake what was wrong, and asks for a better move.
    fn understand(&mut self) {
        click(self.browser, ".result a.button");
        let again = self.said("review.again");
        let head = "document.querySelector('.review .head button')?.textContent ?? ''";
        self.browser.until(head, &json!(again));
        let reasons = self.browser.value(
            "[...document.querySelectorAll('ol.mistakes li')].map((item) =>
                [item.querySelector('.glyph').textContent, item.querySelector('.reason').textContent])",
        );
        let reasons = reasons.as_array().unwrap();
        assert!(!reasons.is_empty(), "a lost game without a mistake");
        assert!(reasons.iter().all(|it| it[1].as_str().unwrap().len() > 5), "{reasons:?}");
        // The move leads to its position, and its reason stands at the move, too.
        click(self.browser, "ol.mistakes li .pv");
        let first = reasons[0][1].as_str().unwrap();
        let beside = "document.querySelector('.note:not([hidden]) .reason')?.textContent.toLowerCase() ?? ''";
        self.browser.until(beside, &json!(format!("{first}.").to_lowercase()));
        let learn = self.said("review.learn.w");
        click_button(self.browser, &learn);
        let ask = self.said("lesson.find");
        self.browser.until(
            "[...document.querySelectorAll('.ask')].map((it) => it.textContent)",
            &json!([ask]),
        );
        let show = self.said("puzzles.show");
        click_button(self.browser, &show);
        self.browser.until("document.querySelectorAll('.board .hint').length > 0", &json!(true));
        nothing_is_wrong(self.browser, self.host);
    }

    /// The puzzle of the day and the four that suit the rating then.
    fn solve_five(&mut self) {
        self.home();
        click(self.browser, ".ways a[href='puzzles.html#day']");
        self.browser.until("document.querySelector('.desk .stone.movable') !== null", &json!(true));
        let day = self.browser.value("Math.floor(Date.now() / 864e5)");
        let mut puzzle = puzzle_asked("/api/puzzles/day", &json!({ "day": day }));
        for number in 1..=5 {
            solve(self.browser, &puzzle, &self.texts);
            verdict(self.browser, said(&self.texts, "puzzles.solved"));
            let kept = "JSON.parse(localStorage.getItem('puzzles'))?.solved";
            self.browser.until(kept, &json!(number));
            let next = self.said("puzzles.next");
            self.browser
                .until("document.querySelector('.puzzle button')?.textContent", &json!(next));
            let record = record(self.browser);
            let wish = json!({ "rating": record["rating"], "seen": record["seen"] });
            puzzle = puzzle_asked("/api/puzzles/next", &wish);
            click_button(self.browser, &next);
            let turn = said(&self.texts, "puzzles.turn");
            verdict(self.browser, turn);
        }
        nothing_is_wrong(self.browser, self.host);
    }
}

/// Whether a move reaches the goal of a step without a solution.
fn reaches(position: Position, goal: &Value, mv: &Move) -> bool {
    let rules = Ruleset::default();
    let taken = position.captures_of(&rules, mv).expect("the move is legal");
    let taken: u64 = taken.into_iter().map(|points| u64::from(points.len())).sum();
    let text = mv.to_string();
    let is_over = || {
        let mut game = Game::new(rules, position);
        game.play(mv).expect("the move is legal");
        game.ending().is_some()
    };
    taken >= goal["takes"].as_u64().unwrap_or(0)
        && goal["way"].as_str().is_none_or(|way| text[4..].starts_with(way))
        && goal["moves"].as_array().is_none_or(|moves| moves.contains(&json!(text)))
        && !(goal["stays"] == true && is_over())
}

/// The puzzle that the page gets for a question.
fn puzzle_asked(path: &str, question: &Value) -> Value {
    let said = answer(path, question.to_string().as_bytes(), Puzzles::own());
    let said = said.expect("it is an address");
    let Ok(Answer::Json(view)) = said else { panic!("{path} {question}: {said:?}") };
    puzzle_of(&serde_json::from_str::<Value>(&view).unwrap()["id"])
}

/// The move of the best engine of the site, which the page runs beside the one that plays.
fn best_move(browser: &mut Browser, game: &Game) -> Move {
    let played: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    let moves =
        if played.is_empty() { String::new() } else { format!(" moves {}", played.join(" ")) };
    let lines = format!("position startpos{moves}\ngo nodes 20000");
    let found = browser.value(&format!(
        "(async () => {{
            window.adviser ??= (async () => {{
                const module = await WebAssembly.compileStreaming(fetch('fanorona_engines.wasm'));
                const worker = new Worker('engine_worker.js');
                const opened = new Promise((done) => {{ worker.onmessage = ({{ data }}) => data.opened && done(); }});
                worker.postMessage({{ module, engine: 'bot-alphabeta' }});
                await opened;
                return worker;
            }})();
            const worker = await window.adviser;
            return new Promise((done, fail) => {{
                worker.onmessage = ({{ data }}) => {{
                    if (data.gone) fail(new Error(data.gone));
                    const [word, move] = (data.line ?? '').split(' ');
                    if (word === 'bestmove') done(move);
                }};
                worker.postMessage({lines:?});
            }});
        }})()"
    ));
    found.as_str().expect("a move").parse().unwrap()
}

/// In English with the network, then in the other languages after it has been cut.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_newcomer_learns_wins_loses_and_understands_in_every_language() {
    let Some(modules) = modules() else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut host = Host::of_site(dir.path(), &modules);
    let mut browser = start(dir.path());
    Walk::begin(&mut browser, &host, "en");
    everything_is_kept(&mut browser);
    host.cut();
    for language in ["fr", "mg"] {
        Walk::begin(&mut browser, &host, language);
    }
}

/// A tournament that the first page's form begins, watched until it is over: boards, tabs, a replay.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_newcomer_watches_a_tournament_in_every_language() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = start(dir.path());
    for language in ["en", "fr", "mg"] {
        open(&mut browser, &server, "/");
        choose_language(&mut browser, language);
        let texts = texts(language);
        let said = |key: &str| said(&texts, key).to_owned();
        browser.until("document.querySelector('.start-one summary') !== null", &json!(true));
        click(&mut browser, ".start-one summary");
        choose(&mut browser, &said("home.limit"), "100ms");
        let games = "(() => {
            const field = document.querySelector('.new-tournament input[type=number]');
            field.value = '4';
            field.dispatchEvent(new Event('change', { bubbles: true }));
        })()";
        browser.value(games);
        click(&mut browser, ".new-tournament [type=submit]");
        // The stones move on the large board.
        browser.until("document.querySelectorAll('.pinned .stone').length > 0", &json!(true));
        let moved = "new Promise((done) => new MutationObserver(() => done(true)).observe(
            document.querySelector('.pinned .board'), { childList: true, subtree: true }))";
        assert_eq!(browser.value(moved), json!(true));
        assert_eq!(text(&mut browser, ".head .state"), said("run.running"));
        let state = "document.querySelector('.head .state')?.textContent ?? ''";
        browser.until(state, &json!(said("run.finished")));
        let spoken = "document.querySelector('#result .answer p span')?.lang ?? ''";
        browser.until(spoken, &json!(language));
        click(&mut browser, "a[href='#about-standings']");
        assert_eq!(text(&mut browser, "#standings-title"), said("tournament.standings"));
        assert_eq!(
            text(&mut browser, "#standings th [data-say='table.games']"),
            said("table.games")
        );
        click(&mut browser, "a[href='#about-games']");
        click(&mut browser, ".games tbody a");
        browser.until("document.querySelector('#board .stone') !== null", &json!(true));
        assert_eq!(text(&mut browser, "#viewer h4"), said("play.moves"));
        super::nothing_is_wrong(&mut browser, &server);
    }
}

/// A browser that nobody has used.
fn start(dir: &Path) -> Browser {
    Browser::start(&dir.join("profile"))
}
