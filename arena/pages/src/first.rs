//! The parts that a page has in itself, so that one answer of a server is enough to use it: its
//! script, the texts and the rules of the style with which it begins, and the first answers; and at
//! its end the script with which stones are moved. All else comes later: the rest of its script
//! with all other texts, and the whole style sheet.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use fanorona_report::html::{self, Modules, Needs};

use super::answer::Lists;
use super::messages::{self, FILES};
use super::modules::module;
use super::{body, first_answers, style};

/// The module with which every page starts.
const ENTRY: &str = "app.js";

/// The module with which stones are moved.
const MOVES: &str = "input.js";

/// The parts of a page that begin it, and those for later.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct First {
    /// The script.
    pub(crate) script: String,
    /// The rules of the style.
    pub(crate) style: String,
    /// The answers, by address and question.
    pub(crate) answers: Lists,
    /// The script that moves stones, if the page has a board for it. It follows what is seen.
    pub(crate) soon: Option<String>,
    /// The script for later.
    pub(crate) later: String,
}

/// All pages by their names. Every page but that of an error has a module of its own.
pub(crate) fn all() -> &'static BTreeMap<&'static str, First> {
    static ALL: LazyLock<BTreeMap<&str, First>> =
        LazyLock::new(|| names().map(|page| (page, First::from_page(page))).collect());
    &ALL
}

fn names() -> impl Iterator<Item = &'static str> {
    body::PAGES.into_iter().map(|(page, _)| page).chain(["tournament", "error"])
}

/// The module of a page.
fn script_of(page: &str) -> String {
    format!("{page}.js")
}

/// The name of the script for later.
pub(crate) fn later(page: &str) -> String {
    format!("{page}_later.js")
}

impl First {
    fn from_page(page: &str) -> First {
        let own = Some(script_of(page)).filter(|file| module(file).is_some());
        let entries = [ENTRY].into_iter().chain(own.as_deref());
        let first = Modules::of(entries, Needs::AtOnce, module);
        let imported = |name| module(name).into_iter().flat_map(html::imported_later);
        let moves = first.names().flat_map(imported).find(|file| *file == MOVES);
        let soon = Modules::of(moves, Needs::AtOnce, module).without(&first);
        // The entry imports every page.
        let entry = module(ENTRY).expect("the entry is there");
        let is_page = |file: &str| names().any(|page| file == script_of(page));
        let begun = first.names().filter(|name| *name != ENTRY);
        let begun = begun.chain(html::imported_later(entry).filter(|file| !is_page(file)));
        let more = Modules::of(begun, Needs::All, module).without(&first).without(&soon);
        let body = body::body_of(page);
        let without = |of: Modules, file: &&str| of.with(file, "{}".to_owned());
        let script = FILES.iter().fold(first.clone(), without).part();
        let soon = soon.part();
        let [quoted, soon_quoted] = [&script, &soon].map(|script| style::quoted(script));
        let named = [&*quoted, &soon_quoted, &body, "html", "body"];
        let ([texts, soon_texts], others) = messages::split([&(script + &body), &soon]);
        let first = FILES.iter().zip(texts).fold(first, |of, (file, said)| of.with(file, said));
        let soon_texts = FILES.iter().zip(&soon_texts).map(|(file, said)| added(file, said));
        First {
            script: first.program(ENTRY),
            style: style::of(&style::whole(), named),
            answers: first_answers::of(page),
            soon: moves.map(|_| soon + &soon_texts.collect::<String>()),
            // The whole of another language is a file.
            later: more.part() + &added(FILES[0], &others),
        }
    }
}

/// A line of a script that adds texts to those of a language.
fn added(file: &str, texts: &str) -> String {
    format!("Object.assign($load('{file}'), {texts});\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_begins_with_little() {
        let play = &all()["play"];
        assert!(
            play.script.contains("'play_setup.js'() {")
                && !play.script.contains("'play_game.js'() {")
        );
        assert!(
            play.later.contains("'play_game.js'() {")
                && !play.later.contains("'play_setup.js'() {")
        );
        for text in ["New game", "Nouvelle partie"] {
            assert!(play.script.contains(&format!("\"play.new\":\"{text}\"")));
        }
        assert!(!play.script.contains("\"puzzles.next\":"));
        assert!(play.later.contains("\"puzzles.next\":"));
        assert!(play.style.contains(".setup-page{") && !play.style.contains(".puzzle-title{"));
    }

    #[test]
    fn a_script_does_not_end_its_element() {
        for (page, first) in all() {
            let script = first.script.to_lowercase();
            assert!(
                !["</script", "<script", "<!--"].iter().any(|it| script.contains(it)),
                "{page}"
            );
            assert!(!first.style.contains("</"), "{page}");
        }
    }
}
