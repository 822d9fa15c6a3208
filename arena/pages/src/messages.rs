//! The texts of the pages in each language, with those of results that they show
//! ([`fanorona_report::messages`]). English is part of the scripts; of another language a page has the
//! texts with which it begins, and loads all when it is chosen.

use std::collections::HashSet;
use std::sync::LazyLock;

use fanorona_report::messages::{self as of_results, Texts, read};

/// The texts in English, the source of the others.
const ENGLISH: &str = include_str!("../messages/en.json");
const FRENCH: &str = include_str!("../messages/fr.json");
const MALAGASY: &str = include_str!("../messages/mg.json");

/// The files of the languages, English first.
pub(crate) const FILES: [&str; 3] = ["en.json", "fr.json", "mg.json"];

/// The texts of a language's file. A text that waits for a speaker of Malagasy is shown in French
/// (`messages/REVIEW.md`).
pub fn texts(file: &str) -> Option<&'static str> {
    static MALAGASY_AND_FRENCH: LazyLock<String> = LazyLock::new(|| {
        joined(["fr.json", "mg.json"].map(|file| own(file).expect("it is there")))
    });
    match file {
        "mg.json" => Some(&MALAGASY_AND_FRENCH),
        _ => own(file),
    }
}

/// The texts of a language's file that have a wording in this language.
pub(crate) fn own(file: &str) -> Option<&'static str> {
    static OWN: LazyLock<[String; 3]> = LazyLock::new(|| {
        let french = [of_results::FRENCH, FRENCH];
        let malagasy = [of_results::MALAGASY, MALAGASY];
        [[of_results::ENGLISH, ENGLISH], french, malagasy].map(joined)
    });
    let place = FILES.iter().position(|it| *it == file)?;
    Some(&OWN[place])
}

fn joined(parts: [&str; 2]) -> String {
    let texts: Texts = parts.into_iter().flat_map(read).collect();
    json(&texts)
}

/// The texts that the parts of a page can show, of each of the [`FILES`], as JSON: every text is with the
/// first part whose script or HTML can say it. And all others of the first file.
pub(crate) fn split<const N: usize>(parts: [&str; N]) -> ([[String; 3]; N], String) {
    let parts = parts.map(|part| {
        let named: HashSet<&str> = part.split('\'').chain(part.split('"')).collect();
        let made = part.split('`').filter(|text| is_made_of_values(text)).collect::<Vec<_>>();
        (named, made)
    });
    let says = |(named, made): &(HashSet<&str>, Vec<&str>), key: &str| {
        named.contains(key) || made.iter().any(|pattern| matches(pattern, key))
    };
    let mut texts = FILES.map(|file| read(own(file).expect("a language has its texts")));
    let said = parts.map(|part| {
        texts.each_mut().map(|left| {
            let (said, others) =
                std::mem::take(left).into_iter().partition(|(key, _)| says(&part, key));
            *left = others;
            json(&said)
        })
    });
    (said, json(&texts[0]))
}

fn json(texts: &Texts) -> String {
    serde_json::to_string(texts).expect("texts have text keys")
}

/// Whether a template is that of keys: a beginning with a dot, and values in it.
fn is_made_of_values(template: &str) -> bool {
    let Some((start, rest)) = template.split_once("${") else { return false };
    let mut fixed = rest.split("${").map(|part| part.split_once('}').map_or(part, |(_, end)| end));
    let is_word = |text: &str| !text.contains([' ', '\n']);
    start.contains('.') && is_word(start) && fixed.all(is_word)
}

/// Whether a key is one of a template such as `over.${reason}.w`. No value has a dot.
fn matches(template: &str, key: &str) -> bool {
    let mut parts = template.split("${");
    let Some(mut rest) = key.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    for part in parts {
        let Some((_, end)) = part.split_once('}') else { return false };
        let value = rest.find('.').unwrap_or(rest.len());
        // A value ends before a dot, or before other letters of the template.
        let after = match end {
            "" => value,
            end => match rest.find(end) {
                Some(at) if at <= value => at,
                _ => return false,
            },
        };
        if after == 0 {
            return false;
        }
        rest = &rest[after + end.len()..];
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::PAGES;
    use fanorona_report::messages::Text;

    fn texts(language: &str) -> Texts {
        read(super::texts(&format!("{language}.json")).unwrap())
    }

    #[test]
    fn a_page_has_the_texts_that_its_script_can_say() {
        let script = "say('play.new'); say(`over.${reason}.${side ?? 'both'}`); say(wins ? `level.${say(`side.${one}`)}` : '');";
        let script = script.to_owned() + "<a data-say=\"page.home\">";
        let ([[said, ..], [soon, ..]], others) =
            split([&script, "say('side.b'); say('play.turn')"]);
        for key in ["play.new", "over.no-stones.w", "side.b", "page.home"] {
            assert!(
                said.contains(&format!("\"{key}\":")) && !others.contains(&format!("\"{key}\":"))
            );
        }
        assert!(soon.starts_with("{\"play.turn\":") && !soon.contains("side.b"));
        assert!(!others.contains("\"play.turn\":") && others.contains("\"over.repetition\":"));
    }

    #[test]
    fn the_values_of_a_template_have_no_dots() {
        assert!(matches("learn.${lesson}.${number}.task", "learn.move.2.task"));
        assert!(!matches("learn.${lesson}.title", "learn.move.2.title"));
        assert!(
            !matches("level.${level}", "level.1.about") && !matches("level.${level}", "level.")
        );
    }

    #[test]
    fn malagasy_is_complete_with_french() {
        let [english, french, shown] = ["en", "fr", "mg"].map(texts);
        assert_eq!(english.keys().collect::<Vec<_>>(), shown.keys().collect::<Vec<_>>());
        assert_eq!(shown["over.repetition"], french["over.repetition"]);
        assert_eq!(shown["over.no-stones.w"], read(MALAGASY)["over.no-stones.w"]);
        assert_eq!(shown["side.w"], read(of_results::MALAGASY)["side.w"]);
    }

    #[test]
    fn the_shell_has_the_english_names_of_pages() {
        let english = texts("en");
        for (page, name) in PAGES {
            assert_eq!(english[&format!("page.{page}")], Text::Plain((*name).to_owned()));
        }
    }
}
