//! The sentences of results, independent of the language: a key of [`messages`](crate::messages)
//! with its values. A terminal and a file show it in English; HTML has the key and the values as
//! well, so that a page's script says the same in another language.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Display};

use maud::{Markup, PreEscaped, Render, html};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::html::numbers::minus;
use crate::messages::english;

/// A text with its values.
///
/// ```
/// use fanorona_report::phrase::Phrase;
///
/// let phrase = Phrase::new("count.stones").text("n", 1);
/// assert_eq!(phrase.to_string(), "1 stone");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phrase {
    key: Cow<'static, str>,
    values: Vec<(&'static str, Words)>,
}

/// Words one after the other.
pub type Words = Vec<Word>;

/// A piece of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// A name, such as that of an engine, which may be any text.
    Name(String),
    /// A number, or another text that is the same in every language.
    Text(String),
    /// A text that each language has in its own words.
    Phrase(Phrase),
}

/// A piece of a phrase in English.
enum Piece<'p> {
    Text(&'static str),
    Value(&'static str, &'p [Word]),
}

impl Phrase {
    /// The text of this key, still without values.
    pub fn new(key: impl Into<Cow<'static, str>>) -> Phrase {
        Phrase { key: key.into(), values: Vec::new() }
    }

    /// Adds a value: a number, or another text that is the same in every language.
    #[must_use]
    pub fn text(self, name: &'static str, value: impl Display) -> Phrase {
        self.words(name, vec![Word::Text(value.to_string())])
    }

    /// Adds a name as a value.
    #[must_use]
    pub fn name(self, name: &'static str, value: &str) -> Phrase {
        self.words(name, vec![Word::name(value)])
    }

    /// Adds another phrase as a value.
    #[must_use]
    pub fn phrase(self, name: &'static str, value: Phrase) -> Phrase {
        self.words(name, vec![value.into()])
    }

    /// Adds several words as a value.
    #[must_use]
    pub fn words(mut self, name: &'static str, value: Words) -> Phrase {
        // These mark elements.
        assert!(!["say", "value", "begins"].contains(&name), "{name} is no value of {}", self.key);
        self.values.push((name, value));
        self
    }

    fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        let value = |name: &str| self.values.iter().find(|(it, _)| *it == name);
        let n = value("n").and_then(|(_, words)| match &words[..] {
            [Word::Text(text)] => Some(&**text),
            _ => None,
        });
        english(&self.key, n)
            .split(['{', '}'])
            .enumerate()
            .filter(|(_, text)| !text.is_empty())
            .map(move |(place, text)| match value(text).filter(|_| place % 2 == 1) {
                Some((name, words)) => Piece::Value(name, words),
                None => Piece::Text(text),
            })
    }

    /// As an element, with a capital if it begins a sentence. `place` is its name among the values of
    /// another phrase.
    fn element(&self, place: Option<&str>, begins: bool) -> Markup {
        let mut tag = format!("<span data-say=\"{}\"", self.key);
        place.iter().for_each(|name| tag += &format!(" data-value=\"{name}\""));
        tag += if begins { " data-begins" } else { "" };
        for (name, words) in &self.values {
            if let [Word::Text(text)] = &words[..] {
                tag += &format!(" data-{name}=\"{}\"", html! { (text) }.into_string());
            }
        }
        html! {
            (PreEscaped(tag + ">"))
            @for (at, piece) in self.pieces().enumerate() {
                @let begins = begins && at == 0;
                @match piece {
                    Piece::Text(text) if begins => (capital(text)),
                    Piece::Text(text) => (text),
                    Piece::Value(name, [Word::Name(it)]) => bdi data-value=(name) { (it) },
                    Piece::Value(name, [Word::Phrase(phrase)]) => (phrase.element(Some(name), begins)),
                    Piece::Value(_, [Word::Text(text)]) => (minus(text)),
                    Piece::Value(name, words) => span data-value=(name) { (in_markup(words, begins)) },
                }
            }
            (PreEscaped("</span>"))
        }
    }
}

/// The start tag of an element whose label says this.
pub(crate) fn labelled(element: &str, label: &Word) -> PreEscaped<String> {
    let mut tag = format!(
        "<{element} aria-label=\"{}\"",
        html! { (minus(&label.to_string())) }.into_string()
    );
    if let Word::Phrase(Phrase { key, values }) = label {
        tag += &format!(" data-say-label=\"{key}\"");
        for (name, words) in values {
            let value = match &words[..] {
                [Word::Phrase(phrase)] => format!("@{}", phrase.key),
                words => text_of(words),
            };
            tag += &format!(" data-{name}=\"{}\"", html! { (value) }.into_string());
        }
    }
    PreEscaped(tag + ">")
}

impl From<&str> for Word {
    fn from(text: &str) -> Word {
        Word::Text(text.to_owned())
    }
}

impl Word {
    /// A name.
    pub fn name(name: &str) -> Word {
        Word::Name(name.to_owned())
    }

    /// Whether it is the phrase of a key.
    pub(crate) fn is(&self, key: &str) -> bool {
        matches!(self, Word::Phrase(phrase) if phrase.key == key)
    }
}

impl From<Phrase> for Word {
    fn from(phrase: Phrase) -> Word {
        Word::Phrase(phrase)
    }
}

/// Words in HTML, with names set apart; with a capital if they begin a sentence, unless with a name.
pub fn in_markup(words: &[Word], begins: bool) -> Markup {
    html! {
        @for (at, word) in words.iter().enumerate() {
            @match word {
                Word::Name(name) => bdi { (name) },
                Word::Text(text) => (minus(text)),
                Word::Phrase(phrase) => (phrase.element(None, begins && at == 0)),
            }
        }
    }
}

/// Words in English.
pub fn text_of(words: &[Word]) -> String {
    words.iter().map(Word::to_string).collect()
}

/// Words whose names and texts are changed, for one, so that they are safe to show.
pub fn with_names(words: Words, safe: &impl Fn(&str) -> String) -> Words {
    let word = |word| match word {
        Word::Name(name) => Word::Name(safe(&name)),
        Word::Text(text) => Word::Text(safe(&text)),
        Word::Phrase(Phrase { key, values }) => {
            let value = |(name, words)| (name, with_names(words, safe));
            Word::Phrase(Phrase { key, values: values.into_iter().map(value).collect() })
        }
    };
    words.into_iter().map(word).collect()
}

/// A page as it reads in English: without the marks of phrases.
pub fn plain(page: &str) -> String {
    let mut text = String::new();
    let mut spans = Vec::new();
    for part in page.split_inclusive('>') {
        let (before, tag) = part.rfind('<').map_or((part, ""), |at| part.split_at(at));
        text += before;
        if tag.starts_with("<span") {
            spans.push(tag.starts_with("<span data-"));
        }
        let is_mark = match tag {
            "</span>" => spans.pop() == Some(true),
            tag => tag.starts_with("<span data-"),
        };
        text += if is_mark {
            ""
        } else if tag.starts_with("<bdi data-value=") {
            "<bdi>"
        } else {
            tag
        };
    }
    text
}

/// A list with commas.
pub fn list(items: impl IntoIterator<Item = Words>) -> Words {
    let mut words = Words::new();
    for item in items {
        words.extend((!words.is_empty()).then(|| Word::Text(", ".to_owned())));
        words.extend(item);
    }
    words
}

/// The first `most` items of a list, and how many more there are.
pub fn some_of(items: impl IntoIterator<Item = Words>, most: usize) -> Words {
    let mut items = items.into_iter();
    let shown = list(items.by_ref().take(most));
    match items.count() {
        0 => shown,
        more => vec![Phrase::new("list.more").words("list", shown).text("n", more).into()],
    }
}

/// A phrase as the beginning of a sentence.
pub(crate) fn capital(phrase: &str) -> String {
    let mut letters = phrase.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

impl Render for Word {
    fn render(&self) -> Markup {
        in_markup(std::slice::from_ref(self), false)
    }
}

impl Render for Phrase {
    fn render(&self) -> Markup {
        self.element(None, false)
    }
}

impl Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| match piece {
            Piece::Text(text) => f.write_str(text),
            Piece::Value(_, words) => words.iter().try_for_each(|word| word.fmt(f)),
        })
    }
}

impl Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Word::Name(text) | Word::Text(text) => f.write_str(text),
            Word::Phrase(phrase) => phrase.fmt(f),
        }
    }
}

/// A text is a string, a name is `{"name": NAME}`, a phrase `{"say": KEY, "values": {NAME: WORDS}}`.
impl Serialize for Word {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Word::Text(text) => serializer.serialize_str(text),
            Word::Name(name) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("name", name)?;
                map.end()
            }
            Word::Phrase(Phrase { key, values }) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("say", key)?;
                let values: BTreeMap<_, _> = values.iter().cloned().collect();
                map.serialize_entry("values", &values)?;
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Phrase {
        let percent = Phrase::new("outcome.percent").text("number", "97.5");
        Phrase::new("outcome.not-met").phrase("percent", percent)
    }

    #[test]
    fn a_phrase_is_english_with_its_key_and_values() {
        let english = "they have not met, and games with others give 97.5 % for the former";
        assert_eq!(example().to_string(), english);
        let markup = in_markup(&[example().into()], true).into_string();
        let expected = "<span data-say=\"outcome.not-met\" data-begins>They have not met, and games with \
                        others give <span data-say=\"outcome.percent\" data-value=\"percent\" \
                        data-number=\"97.5\">97.5 %</span> for the former</span>";
        assert_eq!(markup, expected);
        let json = serde_json::to_string(&Word::from(example())).unwrap();
        let expected = "{\"say\":\"outcome.not-met\",\"values\":{\"percent\":[{\"say\":\"outcome.percent\",\
                        \"values\":{\"number\":[\"97.5\"]}}]}}";
        assert_eq!(json, expected);
    }

    #[test]
    fn names_stay_text_and_begin_no_sentence_with_a_capital() {
        let name = "<x \"y\"";
        let phrase = Phrase::new("outcome.leads").name("ahead", name);
        let markup = in_markup(&[phrase.into()], true).into_string();
        let expected = "<span data-say=\"outcome.leads\" data-begins>\
                        <bdi data-value=\"ahead\">&lt;x &quot;y&quot;</bdi> leads: it</span>";
        assert_eq!(markup, expected);
        let text = Phrase::new("outcome.percent").text("number", name).render().into_string();
        assert!(text.contains("data-number=\"&lt;x &quot;y&quot;\""), "{text}");
    }

    #[test]
    fn long_lists_end_with_a_number() {
        let names = || ["a", "b", "c"].map(|name| vec![Word::name(name)]);
        assert_eq!(text_of(&some_of(names(), 3)), "a, b, c");
        assert_eq!(text_of(&some_of(names(), 1)), "a and 2 more");
    }
}
