//! Whatever a report and the sections of a tournament's page say is a text that other languages have as
//! well: beside such texts there are only names, numbers, moves and what engines have written.

use std::collections::BTreeSet;
use std::fs;

use fanorona_report::html::section;
use fanorona_tournament::config::Format;
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::game::termination::Reason;
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::record::example::game;

use super::sections::four;
use super::{CONFIG, ERRS, LEAVES, play};

/// Elements whose text is no text of the page's own.
const APART: [&str; 8] = ["bdi", "code", "pre", "script", "style", "title", "h1", "noscript"];
/// Elements without an end.
const EMPTY: [&str; 4] = ["meta", "link", "br", "input"];
/// Words that are the same in every language.
const KNOWN: [&str; 14] = [
    "gt",
    "lt",
    "Elo",
    "LOS",
    "LLR",
    "tsivy",
    "nodes",
    "Vakiloha",
    "Lehavanana",
    "Lehavia",
    "Kobaka",
    "Fohy",
    "Lava",
    "ms",
];

/// The words of a page beside its texts, and labels that are none of them.
fn words_beside(page: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open: Vec<(String, bool)> = Vec::new();
    for part in page.split('<').skip(1) {
        let Some((tag, text)) = part.split_once('>') else { continue };
        let is_text = open.last().is_some_and(|(_, apart)| *apart);
        // Within a script only its end counts.
        let in_script = open.last().is_some_and(|(name, _)| name == "script");
        if let Some(name) = tag.strip_prefix('/') {
            if open.last().is_some_and(|(last, _)| last == name) {
                open.pop();
            } else {
                assert!(in_script, "{tag} in {open:?}");
            }
        } else if !in_script && !tag.starts_with('!') {
            let name = tag.split([' ', '/']).next().unwrap_or_default().to_owned();
            let label = tag.split_once(" aria-label=\"").and_then(|(_, rest)| rest.split_once('"'));
            if let (Some((label, _)), false) = (label, tag.contains(" data-say-label=")) {
                found.extend(words(label).map(|word| format!("{word} in the label of {name}")));
            }
            let apart = is_text || tag.contains(" data-say=") || APART.contains(&&*name);
            if !EMPTY.contains(&&*name) {
                open.push((name, apart));
            }
        }
        if open.last().is_none_or(|(_, apart)| *apart) {
            continue;
        }
        found.extend(words(text).map(str::to_owned));
    }
    found
}

/// The words of a text that are not the same everywhere.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_alphabetic());
    words.filter(|word| word.chars().count() > 1 && !KNOWN.contains(word))
}

#[test]
fn words_beside_texts_are_found() {
    let page = "<p><span data-say=\"a\">said <b>bold</b></span> left <bdi>name</bdi> e2e3A 5</p>\
                <div aria-label=\"label\"></div><div aria-label=\"label\" data-say-label=\"a\">too</div>";
    let found: Vec<_> = words_beside(page).into_iter().collect();
    assert_eq!(found, ["label in the label of div", "left", "too"]);
}

/// A small tournament of each format, with the words of an engine that reports errors, of one that
/// fails, of a test and of a family of settings.
#[test]
fn a_report_of_every_format_has_texts_alone() {
    let bots = |format: &str| four(&format!("format = \"{format}\"\n"));
    let two = CONFIG.replace("rounds = 100", "rounds = 2").replace("20ms", "nodes=50");
    let of_mcts = |format: &str, more: &str| {
        format!(
            "name = \"live\"\nformat = \"{format}\"\nkinds = [\"riatra\"]\nrounds = 2\nlimit = \
             \"nodes=20\"\nopenings = {{ source = \"random\", plies = 4 }}\n{more}"
        )
    };
    let variants = "[[engine]]\nname = \"mcts\"\ncommand = \"bot-mcts\"\nsweep = { Exploration = [100, 200] }\n";
    let base = "[[engine]]\nname = \"base\"\ncommand = \"bot-greedy\"\n";
    let tuned = "[tune]\nmethod = \"gaussian-process\"\niterations = 2\n[tune.parameters]\nExploration = \
                 { start = 260, min = 20, max = 300 }\n[[engine]]\nname = \"mcts\"\ncommand = \"bot-mcts\"\n";
    let configs = [
        ("round-robin", bots("round-robin").replace("[\"riatra\"]", "[\"riatra\", \"vela\"]")),
        ("gauntlet", bots("gauntlet").replace("[\"riatra\"]", "[\"session\"]")),
        ("match", two.clone()),
        ("match", two.replacen("[[engine]]", "[sprt]\nelo0 = 0\nelo1 = 1\n[[engine]]", 1)),
        ("match", two.replacen("command = \"bot-greedy\"\n", ERRS, 1)),
        ("match", two.replacen("command = \"bot-greedy\"\n", LEAVES, 1)),
        ("swiss", bots("swiss")),
        ("knockout", bots("knockout")),
        ("race", bots("race")),
        (
            "candidates",
            of_mcts(
                "candidates",
                &format!("[candidates]\nbase = \"base\"\nelo0 = 0\nelo1 = 60\n{base}{variants}"),
            ),
        ),
        ("tune", of_mcts("tune", tuned)),
        ("round-robin", of_mcts("round-robin", &format!("{variants}only = [\"base\"]\n{base}"))),
    ];
    let formats: BTreeSet<&str> = configs.iter().map(|(format, _)| *format).collect();
    assert_eq!(formats, Format::ALL.map(Format::word).into_iter().collect());
    for (format, config) in configs {
        let dir = tempfile::tempdir().unwrap();
        let report = fs::read_to_string(play(dir.path(), &config).join("report.html")).unwrap();
        assert_eq!(words_beside(&report), BTreeSet::new(), "{format}\n{config}");
    }
}

#[test]
fn every_fault_has_its_words() {
    let lost = |fault: Fault, other_fault| GameRecord {
        reason: Reason::Fault(fault),
        offender: Some('w'),
        other_fault,
        detail: "as the engine had it".to_owned(),
        ..game("1")
    };
    let void = GameRecord { reason: Reason::Void, detail: "why".to_owned(), ..game("1") };
    let one = Fault::ALL.iter().map(|fault| lost(*fault, None));
    let both = Fault::ALL.iter().map(|fault| lost(*fault, Some(Fault::Crash)));
    let games: Vec<GameRecord> = one.chain(both).chain([void]).collect();
    let page = section::of_faults(&games, games.len() as u64 + 5, 1, &Default::default());
    assert_eq!(words_beside(&page), BTreeSet::new(), "{page}");
}
