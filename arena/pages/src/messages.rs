//! The texts of the pages in each language. English is part of the scripts; a page loads another
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

/// The English texts that a page can show with this script and this HTML, and all others, as JSON.
pub(crate) fn split(script: &str, html: &str) -> [String; 2] {
    let texts: BTreeMap<&str, Value> = serde_json::from_str(ENGLISH).expect("a test reads it");
    let made: Vec<&str> = script.split('`').filter(|text| is_made_of_values(text)).collect();
    let is_said = |key: &str| {
        script.contains(&format!("'{key}'"))
            || html.contains(&format!("\"{key}\""))
            || made.iter().any(|pattern| matches(pattern, key))
    };
    let (said, others): (BTreeMap<_, _>, _) = texts.into_iter().partition(|(key, _)| is_said(key));
    [said, others].map(|texts| serde_json::to_string(&texts).expect("texts have text keys"))
}

/// Whether a template is that of keys: a beginning with a dot, and values in it.
fn is_made_of_values(template: &str) -> bool {
    let begins = template.split("${").next().is_some_and(|start| start.contains('.'));
    begins && template.contains("${") && !template.contains([' ', '\n'])
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
    use crate::shell::PAGES;

    #[test]
    fn a_page_has_the_texts_that_its_script_can_say() {
        let script = "say('play.new'); say(`over.${reason}.${side}`); say(wins ? `level.${say(`side.${one}`)}` : '');";
        let [said, others] = split(script, "<a data-say=\"page.home\">");
        for key in ["play.new", "over.no-stones.w", "side.b", "page.home"] {
            assert!(
                said.contains(&format!("\"{key}\":")) && !others.contains(&format!("\"{key}\":"))
            );
        }
        assert!(others.contains("\"play.turn\":") && others.contains("\"over.repetition\":"));
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
