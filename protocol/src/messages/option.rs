//! The options an engine declares.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use core::fmt;
use core::str::FromStr;

use super::words;

/// The type of an option and its default. The types are those of UCI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The value before it is set.
        default: bool,
    },
    /// A whole number from `min` to `max`.
    Spin {
        /// The value before it is set.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The value before it is set.
        default: String,
        /// The values.
        choices: Vec<String>,
    },
    /// No value. Setting the option triggers an action.
    Button,
    /// Any text.
    String {
        /// The value before it is set.
        default: String,
    },
}

/// An option as an engine declares it: `option name N type T …`, as in UCI.
///
/// ```
/// use fanorona_protocol::messages::{OptionKind, OptionSpec};
/// let option: OptionSpec = "option name Hash type spin default 16 min 1 max 4096".parse().unwrap();
/// assert_eq!(option.name, "Hash");
/// assert_eq!(option.check("64"), Ok("64".into()));
/// assert!(option.check("0").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name. Case does not matter in comparisons.
    pub name: String,
    /// The type, with its default and the values it accepts.
    pub kind: OptionKind,
}

/// The reason why a line is not the declaration of an option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionSpecError {
    /// The line does not have the form `option name N type T`.
    #[error("an option is declared as option name N type T …")]
    Form,
    /// UCI does not have this type.
    #[error("`{0}` is not a type of option: expected check, spin, combo, button or string")]
    Kind(String),
    /// The word after `default`, `min` or `max` is not a value of the type.
    #[error("the {word} of a {kind} is {expected}, not `{found}`")]
    Value {
        /// The type of the option.
        kind: &'static str,
        /// The word before the value: `default`, `min` or `max`.
        word: &'static str,
        /// The values of the type.
        expected: &'static str,
        /// The wrong value.
        found: String,
    },
}

/// The reason why an option does not accept a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} takes {expected}, not `{found}`")]
pub struct OptionValueError {
    /// The name of the option.
    pub name: String,
    /// The values the option accepts.
    pub expected: String,
    /// The value that was given.
    pub found: String,
}

impl OptionSpec {
    /// Returns an option of type `spin`.
    pub fn spin(name: &str, default: i64, min: i64, max: i64) -> OptionSpec {
        OptionSpec { name: name.to_owned(), kind: OptionKind::Spin { default, min, max } }
    }

    /// Returns an option of type `check`.
    pub fn switch(name: &str, default: bool) -> OptionSpec {
        OptionSpec { name: name.to_owned(), kind: OptionKind::Check { default } }
    }

    /// Returns an option of type `string`.
    pub fn string(name: &str, default: &str) -> OptionSpec {
        OptionSpec {
            name: name.to_owned(),
            kind: OptionKind::String { default: default.to_owned() },
        }
    }

    /// Returns an option of type `combo`.
    pub fn combo(name: &str, default: &str, choices: &[&str]) -> OptionSpec {
        OptionSpec {
            name: name.to_owned(),
            kind: OptionKind::Combo {
                default: default.to_owned(),
                choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
            },
        }
    }

    /// Returns the name in a declaration, even if the rest of the line cannot be read.
    ///
    /// ```
    /// use fanorona_protocol::messages::OptionSpec;
    /// let line = "option name Deep Search type check default True";
    /// assert!(line.parse::<OptionSpec>().is_err());
    /// assert_eq!(OptionSpec::name_in(line).as_deref(), Some("Deep Search"));
    /// assert_eq!(OptionSpec::name_in("option name Deep check"), None);
    /// ```
    pub fn name_in(line: &str) -> Option<String> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        name_and_rest(&words).map(|(name, _)| name)
    }

    /// Whether the option has this name, in any case.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns the value in its normal form: `<empty>` becomes the empty text, and a word of a
    /// `combo` gets its declared spelling.
    ///
    /// # Errors
    /// Returns the values the option accepts if this is not one of them.
    pub fn check(&self, value: &str) -> Result<String, OptionValueError> {
        let value = if value == "<empty>" { "" } else { value };
        let wrong = |expected: String| OptionValueError {
            name: self.name.clone(),
            expected,
            found: value.to_owned(),
        };
        match &self.kind {
            OptionKind::Check { .. } => match value {
                "true" | "false" => Ok(value.to_owned()),
                _ => Err(wrong("true or false".into())),
            },
            OptionKind::Spin { min, max, .. } => value
                .parse()
                .ok()
                .filter(|number: &i64| (min..=max).contains(&number))
                .map(|number| number.to_string())
                .ok_or_else(|| wrong(format!("a whole number from {min} to {max}"))),
            OptionKind::Combo { choices, .. } => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(value))
                .cloned()
                .ok_or_else(|| wrong(format!("one of {}", choices.join(", ")))),
            OptionKind::Button => match value {
                "" => Ok(String::new()),
                _ => Err(wrong("no value".into())),
            },
            OptionKind::String { .. } => Ok(value.to_owned()),
        }
    }
}

impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } if default.is_empty() => f.write_str("string default"),
            OptionKind::String { default } => write!(f, "string default {default}"),
        }
    }
}

/// The name in the words of a declaration, and the words after `type`.
fn name_and_rest<'w, 'l>(words: &'w [&'l str]) -> Option<(String, &'w [&'l str])> {
    let ["option", "name", rest @ ..] = words else { return None };
    let end = rest.iter().position(|&word| word == "type")?;
    (end > 0).then(|| (rest[..end].join(" "), &rest[end + 1..]))
}

impl FromStr for OptionSpec {
    type Err = OptionSpecError;

    fn from_str(line: &str) -> Result<OptionSpec, OptionSpecError> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (name, rest) = name_and_rest(&words).ok_or(OptionSpecError::Form)?;
        let Some((&kind, fields)) = rest.split_first() else { return Err(OptionSpecError::Form) };
        // The words between a keyword and the next keyword.
        let field = |keyword: &str| {
            let at = fields.iter().position(|&word| word == keyword)?;
            let after = &fields[at + 1..];
            let end = after.iter().position(|word| ["min", "max", "var", "default"].contains(word));
            Some(after[..end.unwrap_or(after.len())].join(" "))
        };
        let number = |word: &'static str, missing: i64| match field(word) {
            None => Ok(missing),
            Some(text) => match words::number(text.strip_prefix('-').unwrap_or(&text)) {
                Some(_) => Ok(text.parse().unwrap_or(if text.starts_with('-') {
                    i64::MIN
                } else {
                    i64::MAX
                })),
                None => {
                    let (kind, expected) = ("spin", "a whole number");
                    Err(OptionSpecError::Value { kind, word, expected, found: text })
                }
            },
        };
        let kind = match kind {
            "check" => match field("default").as_deref() {
                Some("true") => OptionKind::Check { default: true },
                Some("false") | None => OptionKind::Check { default: false },
                Some(found) => {
                    let (kind, word, expected) = ("check", "default", "true or false");
                    let found = found.to_owned();
                    return Err(OptionSpecError::Value { kind, word, expected, found });
                }
            },
            "spin" => OptionKind::Spin {
                default: number("default", 0)?,
                min: number("min", i64::MIN)?,
                max: number("max", i64::MAX)?,
            },
            "combo" => {
                let choices = fields.split(|&word| word == "var").skip(1);
                OptionKind::Combo {
                    default: field("default").unwrap_or_default(),
                    choices: choices.map(|words| words.join(" ")).collect(),
                }
            }
            "button" => OptionKind::Button,
            "string" => {
                // The text may contain keywords, so its default is the rest of the line.
                let at = fields.iter().position(|&word| word == "default");
                let default = at.map_or(String::new(), |at| fields[at + 1..].join(" "));
                let default = if default == "<empty>" { String::new() } else { default };
                OptionKind::String { default }
            }
            other => return Err(OptionSpecError::Kind(other.to_owned())),
        };
        Ok(OptionSpec { name, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_a_printed_option_returns_the_same_line() {
        for line in [
            "option name Rules type string default",
            "option name EndgameTables type string default some where",
            "option name Hash type spin default 16 min 1 max 4096",
            "option name Contempt type spin default -5 min -100 max 100",
            "option name Search type combo default full var full var plain",
            "option name Clear Hash type button",
            "option name Quiescence type check default true",
        ] {
            assert_eq!(line.parse::<OptionSpec>().expect(line).to_string(), line);
        }
    }

    #[test]
    fn each_invalid_line_is_rejected_with_its_reason() {
        let why = |line: &str| line.parse::<OptionSpec>().unwrap_err();
        for line in ["option", "option name type spin", "option name A type", "option A type spin"]
        {
            assert_eq!(why(line), OptionSpecError::Form, "{line}");
        }
        for (line, reason) in [
            ("option name A type slider", "`slider` is not a type of option"),
            ("option name A type check default True", "a check is true or false, not `True`"),
            (
                "option name A type spin default 0.5",
                "default of a spin is a whole number, not `0.5`",
            ),
            ("option name A type spin default 1 min 0 max 1e6", "the max of a spin"),
            ("option name A type spin default", "not ``"),
        ] {
            assert!(why(line).to_string().contains(reason), "{line}: {}", why(line));
        }
    }

    #[test]
    fn an_option_accepts_only_values_of_its_declaration() {
        let combo = OptionSpec::combo("Search", "full", &["full", "plain"]);
        assert_eq!(combo.check("Plain"), Ok("plain".into()));
        assert!(combo.check("fancy").unwrap_err().to_string().contains("full, plain"));
        assert_eq!(OptionSpec::string("Rules", "").check("<empty>"), Ok(String::new()));
        assert!(OptionSpec::switch("Log", true).check("yes").is_err());
    }
}
