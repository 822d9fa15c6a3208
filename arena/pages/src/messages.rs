//! The texts of the pages in each language. English is part of the script; a page loads another
//! language when it is chosen.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

/// The texts in English, the source of the others.
pub(crate) const ENGLISH: &str = include_str!("../messages/en.json");

const FRENCH: &str = include_str!("../messages/fr.json");
const MALAGASY: &str = include_str!("../messages/mg.json");

/// The texts of the file of a language other than English.
pub(crate) fn other(file: &str) -> Option<&'static str> {
    // A text that waits for a speaker of Malagasy is shown in French (`messages/REVIEW.md`).
    static WITH_FRENCH: LazyLock<String> = LazyLock::new(|| {
        let [mut texts, own] = [FRENCH, MALAGASY].map(|text| {
            serde_json::from_str::<BTreeMap<String, Value>>(text).expect("a test reads it")
        });
        texts.extend(own);
        serde_json::to_string(&texts).expect("texts have text keys")
    });
    match file {
        "fr.json" => Some(FRENCH),
        "mg.json" => Some(&WITH_FRENCH),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::PAGES;

    #[test]
    fn malagasy_is_complete_with_french() {
        let texts = |text| serde_json::from_str::<BTreeMap<String, Value>>(text).unwrap();
        let [english, shown] = [texts(ENGLISH), texts(other("mg.json").unwrap())];
        assert_eq!(english.keys().collect::<Vec<_>>(), shown.keys().collect::<Vec<_>>());
        assert_eq!(shown["over.repetition"], texts(FRENCH)["over.repetition"]);
        assert_eq!(shown["over.no-stones.w"], texts(MALAGASY)["over.no-stones.w"]);
    }

    #[test]
    fn the_shell_has_the_english_names_of_pages() {
        let english: Value = serde_json::from_str(ENGLISH).unwrap();
        PAGES.iter().for_each(|(page, name)| assert_eq!(english[format!("page.{page}")], *name));
    }
}
