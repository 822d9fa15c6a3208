//! Short forms of long names that show what differs.
//!
//! The variants of one engine have names like `alphabeta Depth=4 Margin=30`, which begin alike. Cut
//! at the end they would all look the same.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// For every name a form for a place with room for about this many characters: long names leave out
/// the words that they share with all others that begin with the same word. Different names have
/// different forms; a name without anything to leave out stays whole, however long.
pub fn short_names<'n>(names: &[&'n str], room: usize) -> Vec<Cow<'n, str>> {
    let words: Vec<Vec<&str>> = names.iter().map(|name| words(name)).collect();
    let mut families: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, words) in words.iter().enumerate() {
        families.entry(words.first().copied().unwrap_or_default()).or_default().push(place);
    }
    let mut short: Vec<Cow<'n, str>> = names.iter().map(|&name| name.into()).collect();
    for family in families.values() {
        let of_family: Vec<&[&str]> = family.iter().map(|&place| &*words[place]).collect();
        for (&place, own) in family.iter().zip(&of_family) {
            if own.iter().map(|word| word.chars().count()).sum::<usize>() > room {
                short[place] = what_differs(own, &of_family).into();
            }
        }
    }
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for form in &short {
        *seen.entry(form.to_string()).or_default() += 1;
    }
    for (form, &name) in short.iter_mut().zip(names) {
        if seen[&**form] > 1 || form.chars().all(|it| it == '…' || it.is_whitespace()) {
            *form = name.into();
        }
    }
    short
}

/// The words of a name, each with the separator after it.
fn words(name: &str) -> Vec<&str> {
    name.split_inclusive([' ', '-', '_', '/', ',']).collect()
}

/// A name with `…` for the words that all of its family have at the same place.
fn what_differs(own: &[&str], family: &[&[&str]]) -> String {
    let bare = |word: &str| word.trim_end_matches([' ', '-', '_', '/', ',']).to_owned();
    let is_shared = |place: usize, word: &str| {
        let of_all = |words: &&[&str]| words.get(place).is_some_and(|it| bare(it) == bare(word));
        family.len() > 1 && family.iter().all(of_all)
    };
    let mut form = String::new();
    for (place, word) in own.iter().enumerate() {
        match is_shared(place, word) {
            false => form += word,
            true if form.trim_end().ends_with('…') => {}
            true => form += "… ",
        }
    }
    // The end needs no mark: it is as if the name were cut there.
    form.trim_end_matches(['…', ' ']).replace("… ", "…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(names: &[&str], room: usize) -> Vec<String> {
        short_names(names, room).into_iter().map(Cow::into_owned).collect()
    }

    #[test]
    fn variants_show_what_differs() {
        let names = [
            "alphabeta Depth=4 Margin=30 Hash=64",
            "alphabeta Depth=4 Margin=60 Hash=64",
            "alphabeta Depth=5 Margin=30 Hash=64",
            "random",
        ];
        let expected = ["…Depth=4 Margin=30", "…Depth=4 Margin=60", "…Depth=5 Margin=30", "random"];
        assert_eq!(short(&names, 16), expected);
        assert_eq!(short(&names, 99), names);
    }

    #[test]
    fn different_names_stay_different() {
        for names in [
            &["a-very-long-name-of-an-engine", "a-very-long-name-of-an-engine-2"][..],
            &["a very long name of one", "a very long name of one engine"],
            &["一二三四五六七八九十", "一二三四五六七八九十 二"],
            &["alone-with-a-name-that-is-very-long"],
            &["", " ", "-"],
        ] {
            let short = short(names, 8);
            for (place, form) in short.iter().enumerate() {
                assert!(!short[..place].contains(form), "{short:?}");
            }
        }
        let alone = ["alone-with-a-name-that-is-very-long"];
        assert_eq!(short(&alone, 8), alone);
    }
}
