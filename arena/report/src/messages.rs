//! The texts of results in each language: `messages/LANGUAGE.json`. The terminal and files have those
//! in English; a page is written in English as well, and its script puts the user's language in place.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The texts in English, the source of the others.
pub const ENGLISH: &str = include_str!("../messages/en.json");
/// The texts in French.
pub const FRENCH: &str = include_str!("../messages/fr.json");
/// The texts in Malagasy whose wording is certain; the others are shown in French.
pub const MALAGASY: &str = include_str!("../messages/mg.json");

/// Texts by their keys.
pub type Texts = BTreeMap<String, Text>;

/// A text, in which `{NAME}` stands for a value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Text {
    /// With one form.
    Plain(String),
    /// With a form for each grammatical number; the value `n` says which.
    Forms(BTreeMap<String, String>),
}

/// Reads texts.
///
/// # Panics
/// Panics if `json` is no table of texts.
pub fn read(json: &str) -> Texts {
    serde_json::from_str(json).expect("texts are JSON")
}

/// Texts in other languages as one JSON object, for a page that needs nothing but itself.
pub(crate) fn others() -> &'static str {
    static OTHERS: LazyLock<String> =
        LazyLock::new(|| format!("{{\"fr\":{},\"mg\":{}}}", FRENCH.trim(), MALAGASY.trim()));
    &OTHERS
}

/// A text in English, in the form for this `n`.
///
/// # Panics
/// Panics if there is none.
pub(crate) fn english(key: &str, n: Option<&str>) -> &'static str {
    static TEXTS: LazyLock<Texts> = LazyLock::new(|| read(ENGLISH));
    match TEXTS.get(key) {
        Some(Text::Plain(text)) => text,
        Some(Text::Forms(forms)) => &forms[if n == Some("1") { "one" } else { "other" }],
        None => panic!("there is no text {key}"),
    }
}
