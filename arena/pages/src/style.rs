//! The rules of the style sheet that a page can use at first. Which those are follows from the words in
//! its script and its HTML: a rule is left out only if its selectors name something that neither names.

use std::collections::HashSet;

use fanorona_report::html;

/// The style of the pages, after that which they share with the report.
pub(crate) const STYLE: &str = include_str!("pages.css");

/// The whole style sheet.
pub(crate) fn whole() -> String {
    let sheets = [html::STYLES[0], html::STYLES[1], STYLE];
    of(&sheets.concat(), sheets)
}

/// The rules of a style sheet that apply to nothing but what these texts name.
pub(crate) fn of<'t>(sheet: &str, texts: impl IntoIterator<Item = &'t str>) -> String {
    let is_end = |letter: char| !(letter.is_ascii_alphanumeric() || "-_".contains(letter));
    let words: HashSet<&str> = texts.into_iter().flat_map(|text| text.split(is_end)).collect();
    rules(&without_comments(sheet), &words)
}

/// Returns the texts in quotes in a script, but for names with dots, which are those of texts and
/// modules. Of a line whose quotes do not pair it is all.
pub(crate) fn quoted(script: &str) -> String {
    let texts =
        script.lines().flat_map(|line| literals(line).unwrap_or_else(|| vec![line.to_owned()]));
    let is_key = |text: &String| text.contains('.') && !text.contains(' ');
    texts.filter(|text| !is_key(text)).collect::<Vec<_>>().join(" ")
}

/// The texts in quotes of a line, and those in an expression of a template; `None` if they do not end in it.
fn literals(line: &str) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    // Quotes and expressions that are open, with the texts so far.
    let mut open: Vec<(char, String)> = Vec::new();
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match open.last_mut() {
            Some((quote, text)) if *quote != '{' => match letter {
                '\\' => drop(letters.next()),
                '$' if *quote == '`' && letters.next_if_eq(&'{').is_some() => {
                    open.push(('{', String::new()))
                }
                end if end == *quote => texts.extend(open.pop().map(|(_, text)| text)),
                _ => text.push(letter),
            },
            Some(_) if letter == '}' => drop(open.pop()),
            Some(_) if letter == '{' => open.push(('{', String::new())),
            _ if "'\"`".contains(letter) => open.push((letter, String::new())),
            _ => {}
        }
    }
    open.is_empty().then_some(texts)
}

fn without_comments(sheet: &str) -> String {
    let mut parts = sheet.split("/*");
    let first = parts.next().unwrap_or_default();
    let others = parts.filter_map(|part| Some(part.split_once("*/")?.1));
    std::iter::once(first).chain(others).collect()
}

/// The rules of a sheet, or of what is in a condition, each on a line.
fn rules(sheet: &str, words: &HashSet<&str>) -> String {
    let mut out = String::new();
    let mut rest = sheet;
    while let Some((head, after)) = rest.split_once('{') {
        let end = end_of_block(after);
        let (head, body) = (one_line(head), &after[..end]);
        rest = &after[end + 1..];
        let (head, body) = match head.starts_with('@') {
            true => (head, rules(body, words)),
            false => (usable(&head, words), one_line(body)),
        };
        if !head.is_empty() && !body.is_empty() {
            out.push_str(&format!("{head}{{{body}}}\n"));
        }
    }
    out
}

/// Finds the brace that closes a block.
fn end_of_block(text: &str) -> usize {
    let mut open = 1;
    let is_end = |letter: char| {
        open += i32::from(letter == '{') - i32::from(letter == '}');
        open == 0
    };
    text.find(is_end).expect("a block of the style sheet ends")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Selects those of several selectors that name nothing but words.
fn usable(selectors: &str, words: &HashSet<&str>) -> String {
    let mut depth = 0;
    let comma = |letter: char| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        letter == ',' && depth == 0
    };
    let all = selectors.split(comma).map(str::trim);
    let usable: Vec<&str> = all.filter(|one| named(one).all(|name| words.contains(name))).collect();
    usable.join(",")
}

/// The elements, classes, identifiers and attributes that something must have for a selector. States do
/// not count, nor what a pair of brackets holds: of that, one of several is enough, or none.
fn named(selector: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let mut quoted = false;
    let inside = move |letter: char| {
        quoted ^= letter == '"';
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth > 0 || quoted || " .#>+~[]=,\"()*".contains(letter)
    };
    // Scripts spell the names of data in another way.
    let is_name = |name: &&str| name.starts_with(char::is_alphabetic) && !name.starts_with("data-");
    selector.split(inside).filter_map(|part| part.split(':').next()).filter(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_rules_that_can_apply_to_it() {
        let sheet = "/* One. */\na { color: red }\n.one, .two:hover .three { top: 0; }\n@media print {\n  .two { left: 0 }\n}\n\
                     @media screen { .one[data-kept=\"x y\"] > b::before { content: ''; } }\n.one:not(.two, :is(.four)) { top: 1px }";
        assert_eq!(
            of(sheet, ["make('a', { class: 'one' }, node('b'))"]),
            "a{color: red}\n.one{top: 0;}\n@media screen{.one[data-kept=\"x y\"] > b::before{content: '';}\n}\n\
             .one:not(.two, :is(.four)){top: 1px}\n"
        );
        assert_eq!(of(".two{}", ["two"]), "");
    }

    #[test]
    fn quoted_words_name_classes() {
        let script = "const one = say('other.key', two) + `three ${four ? 'five' : {}} six`;\n\
                      const said = 'it\\'s';\nseven = 'eight;";
        assert_eq!(quoted(script), "five three  six its seven = 'eight;");
    }

    #[test]
    fn nothing_is_lost_where_everything_is_used() {
        let sheets = [html::STYLES[0], html::STYLES[1], STYLE].concat();
        let rules = without_comments(&sheets).matches('{').count();
        assert_eq!(whole().matches('{').count(), rules);
    }
}
