//! Escaping of tag values: `\"`, `\\`, and `\u{…}` for characters that are not
//! [safe](crate::text::safe_text) to show.

use std::fmt::Write;

use crate::text::safe_text;

/// A value in escaped form.
pub(super) fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for letter in value.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            // Writing to a string cannot fail.
            letter if safe_text::is_unsafe(letter) => {
                let _ = write!(text, "\\u{{{:x}}}", letter as u32);
            }
            letter => text.push(letter),
        }
    }
    text
}

/// The value of an escaped text; `None` for an unknown escape.
pub(super) fn unescaped(text: &str) -> Option<String> {
    let mut value = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        value.push_str(before);
        if let Some(after) = after.strip_prefix("u{") {
            let (code, after) = after.split_once('}')?;
            value.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
            rest = after;
        } else {
            value.push(after.chars().next().filter(|letter| matches!(letter, '"' | '\\'))?);
            rest = &after[1..];
        }
    }
    value.push_str(rest);
    Some(value)
}

/// Parses a line `[Name "value"]`.
pub(super) fn tag(line: &str) -> Option<(&str, String)> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, value) = inner.split_once('"')?;
    let (name, value) = (name.trim(), value.strip_suffix('"')?);
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    (!name.is_empty() && name.chars().all(plain)).then_some((name, unescaped(value)?))
}
