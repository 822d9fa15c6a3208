//! The options an engine declares.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use core::fmt;
use core::str::FromStr;

use super::words;

/// What values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the kinds are UCI's")]
pub enum OptionKind {
    Check { default: bool },
    Spin { default: i64, min: i64, max: i64 },
    Combo { default: String, choices: Vec<String> },
    Button,
    String { default: String },
}

/// One option an engine declares: `option name N type T …`, as in UCI.
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
    /// Its name; compared without regard to case.
    pub name: String,
    /// Its values.
    pub kind: OptionKind,
}

/// Why a line declares no option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionSpecError {
    /// Not of the form `option name N type T`.
    #[error("`{0}` is not of the form option name N type T")]
    Form(String),
    /// A type UCI does not have.
    #[error("`{0}` is no type of option: expected check, spin, combo, button or string")]
    Kind(String),
    /// A spin without numbers, a check without true or false.
    #[error("option {name}: {word} is `{found}`")]
    Value {
        /// The option.
        name: String,
        /// The word before the value.
        word: &'static str,
        /// What stood there.
        found: String,
    },
}

/// Why an option does not take a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} takes {expected}, not `{found}`")]
pub struct OptionValueError {
    /// The option.
    pub name: String,
    /// Its values.
    pub expected: String,
    /// What was given.
    pub found: String,
}

impl OptionSpec {
    /// An option of numbers.
    pub fn spin(name: &str, default: i64, min: i64, max: i64) -> OptionSpec {
        OptionSpec { name: name.to_owned(), kind: OptionKind::Spin { default, min, max } }
    }

    /// An option that is on or off.
    pub fn switch(name: &str, default: bool) -> OptionSpec {
        OptionSpec { name: name.to_owned(), kind: OptionKind::Check { default } }
    }

    /// An option of any text.
    pub fn string(name: &str, default: &str) -> OptionSpec {
        OptionSpec {
            name: name.to_owned(),
            kind: OptionKind::String { default: default.to_owned() },
        }
    }

    /// An option with a choice of words.
    pub fn combo(name: &str, default: &str, choices: &[&str]) -> OptionSpec {
        OptionSpec {
            name: name.to_owned(),
            kind: OptionKind::Combo {
                default: default.to_owned(),
                choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
            },
        }
    }

    /// Whether this is the option of that name.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value in its plain form if the option takes it: `<empty>` is the empty text, a choice is
    /// spelled as declared.
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

impl FromStr for OptionSpec {
    type Err = OptionSpecError;

    fn from_str(line: &str) -> Result<OptionSpec, OptionSpecError> {
        let form = || OptionSpecError::Form(line.to_owned());
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let ["option", "name", rest @ ..] = &words[..] else { return Err(form()) };
        let end = rest.iter().position(|&word| word == "type").ok_or_else(form)?;
        let name = rest[..end].join(" ");
        let Some((&kind, fields)) = rest[end + 1..].split_first() else { return Err(form()) };
        if name.is_empty() {
            return Err(form());
        }
        // What follows a keyword up to the next one.
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
                None => Err(OptionSpecError::Value { name: name.clone(), word, found: text }),
            },
        };
        let kind = match kind {
            "check" => match field("default").as_deref() {
                Some("true") => OptionKind::Check { default: true },
                Some("false") | None => OptionKind::Check { default: false },
                Some(found) => {
                    let found = found.to_owned();
                    return Err(OptionSpecError::Value { name, word: "default", found });
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
                // A text may hold any word, so its default is the rest of the line.
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
    fn options_are_read_as_they_are_written() {
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
    fn what_is_no_option_is_told_why() {
        let why = |line: &str| line.parse::<OptionSpec>().unwrap_err();
        assert!(matches!(why("option"), OptionSpecError::Form(_)));
        assert!(matches!(why("option name type spin"), OptionSpecError::Form(_)));
        assert!(matches!(why("option name A type"), OptionSpecError::Form(_)));
        assert!(matches!(why("option name A type slider"), OptionSpecError::Kind(_)));
        assert!(matches!(why("option name A type spin default x"), OptionSpecError::Value { .. }));
    }

    #[test]
    fn values_are_checked() {
        let combo = OptionSpec::combo("Search", "full", &["full", "plain"]);
        assert_eq!(combo.check("Plain"), Ok("plain".into()));
        assert!(combo.check("fancy").unwrap_err().to_string().contains("full, plain"));
        assert_eq!(OptionSpec::string("Rules", "").check("<empty>"), Ok(String::new()));
        assert!(OptionSpec::switch("Log", true).check("yes").is_err());
    }
}
