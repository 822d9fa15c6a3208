//! Makes foreign text safe to show. Output of engines and contents of files may contain characters
//! that control a terminal, reorder the surrounding text or are invisible, and so make one name
//! look like another. They are shown as escapes such as `\u{1b}`.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character must not be shown: controls (Cc), format characters (Cf, including those for
/// bidirectional text), line and paragraph separators (Zl, Zp), tags, and the default ignorable
/// characters of the Unicode standard, except for variation selectors.
pub fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
            | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Makes a text of one line safe: unsafe characters become escapes, and a tab becomes a space.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, |_| false)
}

/// Makes a text of several lines safe; line ends stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| letter == '\n')
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_safe = |letter: char| stays(letter) || !is_unsafe(letter);
    // The usual case.
    if text.chars().all(is_safe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            letter if is_safe(letter) => shown.push(letter),
            '\t' => shown.push(' '),
            // Writing to a string cannot fail.
            letter => {
                let _ = write!(shown, "\\u{{{:x}}}", letter as u32);
            }
        }
    }
    Cow::Owned(shown)
}

/// Replaces every unsafe character in a text by question marks of the same number of bytes, so that
/// byte positions in the text stay valid.
pub(crate) fn masked(text: &str) -> String {
    let mark = |letter: char| match letter {
        '\n' | '\r' | '\t' => letter.to_string(),
        letter if !is_unsafe(letter) => letter.to_string(),
        letter => "?".repeat(letter.len_utf8()),
    };
    text.chars().map(mark).collect()
}

/// The longest beginning of a text that has at most this many bytes.
pub fn prefix(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_invisible_characters_are_escaped() {
        for (text, expected) in [
            ("\x1b]0;title\x07", "\\u{1b}]0;title\\u{7}"),
            ("a\u{9b}2J", "a\\u{9b}2J"),
            ("one\u{202e}owt", "one\\u{202e}owt"),
            ("zero\u{200b}width", "zero\\u{200b}width"),
            ("\u{2066}a\u{2069}\u{61c}\u{feff}", "\\u{2066}a\\u{2069}\\u{61c}\\u{feff}"),
            ("a\u{e0041}\u{2028}b", "a\\u{e0041}\\u{2028}b"),
            ("two\nlines\tand more", "two\\u{a}lines and more"),
        ] {
            assert_eq!(line(text), expected);
            assert!(!line(text).chars().any(is_unsafe));
        }
        assert_eq!(lines("two\nlines\r\n"), "two\nlines\\u{d}\n");
    }

    #[test]
    fn ordinary_text_is_unchanged() {
        for text in ["Vakiloha", "mpanjaka é ñ", "фанорона", "ファノロナ", "משחק", "❤\u{fe0f} 👍"]
        {
            assert!(matches!(line(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn masked_text_keeps_byte_positions() {
        let text = "a = \"\x1b\u{9b}\u{202e}\u{e0041}\"\nb";
        let shown = masked(text);
        assert_eq!(shown, format!("a = \"{}\"\nb", "?".repeat(1 + 2 + 3 + 4)));
        assert_eq!(shown.len(), text.len());
    }
}
