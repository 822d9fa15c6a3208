//! Names of engines that try to be markup, scripts, or to turn the text around them.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::{click, nothing_is_wrong, open, open_filled};
use crate::devtools::Browser;
use crate::pages::{play, serve};

/// Names that would run as scripts if they could, and one from right to left, which without isolation
/// turns the text around it. (The config refuses characters that do nothing but turn text.)
const NAMES: [&str; 3] = [
    "\"><img src=x onerror=\"window.hacked=1\">",
    "</script><script>window.hacked=1</script>",
    "\u{5d0}\u{5d1}\u{5d2} (12) 🐍",
];

/// An engine that answers with markup, and with a move that is none.
const MARKUP: &str = "#!/bin/sh
while read -r line; do
    case $line in
        ugi) echo 'id name <img src=x onerror=window.hacked=1>'; echo ugiok ;;
        isready) echo readyok ;;
        go*)
            echo 'info depth 1 score cp 0 string <img src=x onerror=window.hacked=1>'
            echo 'bestmove <img/src=x/onerror=window.hacked=1>' ;;
        quit) exit ;;
    esac
done
";

/// Everything that a page shows is text: no element or script of a name, and each name is isolated
/// from the direction of the text around it.
fn names_are_text(browser: &mut Browser, place: &str, names: &[&str]) {
    assert_eq!(browser.value("window.hacked ?? null"), Value::Null, "{place}");
    assert_eq!(browser.value("document.querySelectorAll('img, #app script').length"), 0, "{place}");
    let whole = browser.value("document.querySelector('#app').textContent");
    for name in names {
        assert!(whole.as_str().unwrap().contains(name), "{place}: `{name}` is not shown");
    }
    // An option of a list holds nothing but its text.
    let loose = browser.value(
        "(() => {
            const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const loose = [];
            while (texts.nextNode()) {
                const { data, parentElement } = texts.currentNode;
                if (!/[\\u0590-\\u08ff]/.test(data) || parentElement.closest('option, script, title')) continue;
                const isolated = /^(isolate|plaintext)/;
                if (!isolated.test(getComputedStyle(parentElement).unicodeBidi)) loose.push(parentElement.outerHTML);
            }
            return loose;
        })()",
    );
    assert_eq!(loose, json!([]), "{place}: names that turn other text");
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn hostile_names_stay_text() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("markup");
    fs::write(&program, MARKUP).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let engines: String = ["bot-alphabeta", "bot-greedy", "./markup"]
        .iter()
        .zip(NAMES)
        .map(|(command, name)| format!("[[engine]]\nname = {name:?}\ncommand = {command:?}\n"))
        .collect();
    let title = "<img src=x onerror='window.hacked=1'>";
    let config = format!(
        "name = \"hostile\"\ntitle = {title:?}\nformat = \"round-robin\"\nkinds = [\"riatra\"]\nrounds = 1\n\
         limit = \"nodes=200\"\nopenings = {{ source = \"random\", plies = 4 }}\n{engines}"
    );
    let results = play(dir.path(), &config);
    let server = serve(dir.path());
    let id = server.json("/api/library")["tournaments"][0]["id"].as_str().unwrap().to_owned();
    let mut browser = Browser::start(&dir.path().join("profile"));

    open_filled(&mut browser, &server, "/");
    names_are_text(&mut browser, "home", &[title, NAMES[0], NAMES[1], NAMES[2]]);
    nothing_is_wrong(&mut browser, &server);

    let page = format!("/t/{id}");
    open_filled(&mut browser, &server, &page);
    // The third engine is withdrawn after three faults; its fourth game may have begun by then.
    let journal = fs::read_to_string(results.join("journal.jsonl")).unwrap();
    let games = journal.lines().count() - 1;
    assert!([5, 6].contains(&games), "{games}");
    browser.until("document.querySelectorAll('.games tbody tr').length", &json!(games));
    // What the engine said is among the faults.
    browser.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    let said = "bestmove <img/src=x/onerror=window.hacked=1>";
    names_are_text(&mut browser, "tournament", &[title, NAMES[0], NAMES[1], NAMES[2], said]);
    nothing_is_wrong(&mut browser, &server);

    for game in 1..=3 {
        let replay = format!("{page}#g={game}");
        open(&mut browser, &server, &replay);
        browser.until("document.querySelector('.replay .stone') !== null", &json!(true));
        names_are_text(&mut browser, &replay, &[]);
        nothing_is_wrong(&mut browser, &server);
        let analysed = format!("/analyse#t={id}&g={game}");
        open(&mut browser, &server, &analysed);
        browser.until("document.querySelector('.desk .stone') !== null", &json!(true));
        let game = server.json(&format!("/api/t/{id}/games/{game}"));
        let players = ["white", "black"].map(|side| game[side].as_str().unwrap());
        browser.until("document.querySelectorAll('.strip .who').length", &json!(2));
        names_are_text(&mut browser, &analysed, &players);
        nothing_is_wrong(&mut browser, &server);
    }

    open(&mut browser, &server, "/explorer");
    browser.until("document.querySelector('.explorer-moves .engines') !== null", &json!(true));
    names_are_text(&mut browser, "explorer", &NAMES);
    click(&mut browser, ".explorer-moves tbody button");
    browser.until(
        "document.querySelector('.path [aria-current]')?.textContent !== 'Start'",
        &json!(true),
    );
    names_are_text(&mut browser, "explorer after a move", &[]);
    nothing_is_wrong(&mut browser, &server);
}
