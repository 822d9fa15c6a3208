//! The options that an engine declares, and the declarations that cannot be read.

use std::fmt;

use fanorona_protocol::messages::{OptionKind, OptionSpec, OptionSpecError};

use fanorona_tournament::text::safe_text;

/// The maximum number of options; a manager ignores further declarations.
pub(super) const MAX_OPTIONS: usize = 1000;

/// The maximum number of kept declarations that cannot be read.
const MAX_UNREADABLE: usize = 20;

/// The maximum length of such a line in messages, in bytes.
const MAX_SHOWN: usize = 300;

/// The declarations of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Declarations {
    options: Vec<OptionSpec>,
    unreadable: Vec<UnreadableOption>,
}

/// The declaration of an option that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreadableOption {
    /// The line, safe to show.
    line: String,
    /// Why it cannot be read.
    why: OptionSpecError,
}

impl fmt::Display for UnreadableOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnreadableOption { line, why } = self;
        write!(f, "the engine's line `{line}` could not be read: {why}")
    }
}

impl UnreadableOption {
    /// The line as something that the engine says, with what is wrong.
    pub(super) fn remark(&self) -> String {
        let UnreadableOption { line, why } = self;
        format!("`{line}`, which could not be read: {why}")
    }

    /// Whether the line may be the declaration of this option.
    fn is_about(&self, name: &str) -> bool {
        match OptionSpec::name_in(&self.line) {
            Some(declared) => declared.eq_ignore_ascii_case(name),
            // Without a readable name, the words decide.
            None => {
                let words: Vec<&str> = self.line.split_ascii_whitespace().collect();
                let wanted: Vec<&str> = name.split_ascii_whitespace().collect();
                let same = |found: &[&str]| {
                    found.iter().zip(&wanted).all(|(one, other)| one.eq_ignore_ascii_case(other))
                };
                !wanted.is_empty() && words.windows(wanted.len()).any(same)
            }
        }
    }
}

impl Declarations {
    /// The declared options, in their order.
    pub fn options(&self) -> &[OptionSpec] {
        &self.options
    }

    /// The declarations that cannot be read, at most 20.
    pub fn unreadable(&self) -> &[UnreadableOption] {
        &self.unreadable
    }

    /// The option with this name, in any case.
    pub fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.options.iter().find(|option| option.is_named(name))
    }

    /// The declaration of an option that is missing because its line cannot be read.
    pub fn unreadable_option(&self, name: &str) -> Option<&UnreadableOption> {
        self.unreadable.iter().find(|it| it.is_about(name))
    }

    /// Whether an option with this name is a text.
    pub(super) fn has_text(&self, name: &str) -> bool {
        self.option(name).is_some_and(|option| matches!(option.kind, OptionKind::String { .. }))
    }

    /// Adds a declaration.
    pub(super) fn add(&mut self, option: OptionSpec) {
        self.options.push(option);
    }

    /// Adds a line that cannot be read.
    pub(super) fn add_unreadable(&mut self, line: &str, why: OptionSpecError) {
        if self.unreadable.len() < MAX_UNREADABLE {
            let line = safe_text::line(safe_text::prefix(line.trim(), MAX_SHOWN)).into_owned();
            self.unreadable.push(UnreadableOption { line, why: shortened(why) });
        }
    }
}

/// The same reason with a text of bounded length.
fn shortened(why: OptionSpecError) -> OptionSpecError {
    let cut = |text: String| safe_text::line(safe_text::prefix(&text, MAX_SHOWN / 3)).into_owned();
    match why {
        OptionSpecError::Form => OptionSpecError::Form,
        OptionSpecError::Kind(word) => OptionSpecError::Kind(cut(word)),
        OptionSpecError::Value { kind, word, expected, found } => {
            OptionSpecError::Value { kind, word, expected, found: cut(found) }
        }
    }
}

#[cfg(test)]
mod tests {
    use fanorona_protocol::messages::Dialect;

    use super::*;
    use crate::handshake::Handshake;

    /// The declarations among these lines of a handshake.
    fn declared(lines: &[&str]) -> Declarations {
        let mut handshake = Handshake::default();
        for line in lines {
            handshake.add(line, Dialect::Ugi).unwrap();
        }
        handshake.declarations
    }

    #[test]
    fn a_declaration_that_cannot_be_read_is_found_by_its_name() {
        let all = declared(&[
            "id name option name Fake",
            "option name Hash type spin default 16 min 1 max 64",
            "option name Deep Search type check default True",
            "option name Speed type spin default 0.5",
            "option name Style type slider",
            "option name Log check default true",
            "option Trace type check default true",
        ]);
        assert_eq!((all.options().len(), all.unreadable().len()), (1, 5));
        let why = |name: &str| all.unreadable_option(name).map(ToString::to_string);
        let deep = "the engine's line `option name Deep Search type check default True` could not be \
                    read: the default of a check is true or false, not `True`";
        assert_eq!(why("deep search").as_deref(), Some(deep));
        for (name, part) in [
            ("Speed", "a whole number, not `0.5`"),
            ("style", "`slider` is not a type"),
            ("Log", "declared as option name N type T"),
            ("Trace", "declared as option name N type T"),
        ] {
            assert!(why(name).unwrap_or_default().contains(part), "{name}: {:?}", why(name));
        }
        for name in ["Hash", "Deep", "Search", "Fake", ""] {
            assert_eq!(why(name), None, "{name}");
        }
    }

    #[test]
    fn a_hostile_declaration_is_short_and_safe() {
        let line = format!("option name A type \x1b[31m{}", "é".repeat(10_000));
        let all = declared(&[&*line]);
        let text = all.unreadable_option("A").unwrap().to_string();
        assert!(text.len() < 1000 && !text.contains('\x1b'), "{text}");
        assert_eq!(declared(&["option name N type none"; 100]).unreadable().len(), MAX_UNREADABLE);
    }
}
