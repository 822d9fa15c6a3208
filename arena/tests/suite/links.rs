//! Links between the pages of the repository lead to files and headings that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders and pages of the top level with pages for people.
const ROOTS: [&str; 8] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "arena",
    "bots",
    "configs",
    "protocol",
    "results",
];

/// The pages below a path.
fn pages(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder of the repository").flatten() {
            let name = entry.file_name();
            // What tools leave behind is not ours.
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                pages(&entry.path(), found);
            }
        }
    } else if path.extension().is_some_and(|extension| extension == "md") {
        found.push(path.to_owned());
    }
}

/// The text without fenced code, whose brackets are no links.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let is_prose = |line: &&str| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    };
    text.lines().filter(is_prose).flat_map(|line| [line, "\n"]).collect()
}

/// The targets of all links: what follows `](`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ', '\n']).next())
}

/// The anchors of a page's headings, by the rules of sites that host repositories: lower case,
/// blanks as hyphens, without punctuation; a second heading of the same name has `-1`.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for line in text.lines().filter(|line| line.starts_with('#')) {
        let heading = line.trim_start_matches('#').trim();
        let anchor: String = heading
            .chars()
            .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter))
            .flat_map(char::to_lowercase)
            .map(|letter| if letter == ' ' { '-' } else { letter })
            .collect();
        let mut unique = anchor.clone();
        let mut number = 0;
        while !anchors.insert(unique.clone()) {
            number += 1;
            unique = format!("{anchor}-{number}");
        }
    }
    anchors
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package has a parent");
    let mut all = Vec::new();
    ROOTS.iter().for_each(|root| pages(&top.join(root), &mut all));
    let (mut checked, mut broken) = (0, Vec::new());
    for page in &all {
        let text = prose(&fs::read_to_string(page).expect("a page is text"));
        for link in links(&text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            checked += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().expect("a page is in a folder").join(file),
            };
            let leads = target.exists()
                && (anchor.is_empty()
                    || fs::read_to_string(&target)
                        .is_ok_and(|text| anchors(&prose(&text)).contains(anchor)));
            if !leads {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(checked > 200, "{checked} links were found");
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn anchors_are_those_of_hosting_sites() {
    let page = "# `bot-mcts`: what's new?\n## Tried and left out\n## Tried and left out\n";
    let expected = ["bot-mcts-whats-new", "tried-and-left-out", "tried-and-left-out-1"];
    assert_eq!(anchors(page), expected.map(str::to_owned).into());
    let text = "[a](b.md#c) and ![d](e.png \"f\")\n```\n[g](h)\n```\n";
    assert_eq!(links(&prose(text)).collect::<Vec<_>>(), ["b.md#c", "e.png"]);
}
