//! Config errors. Reading a config collects all of them, each with its place in the text.

use std::fmt;
use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use crate::text::plural::counted;
use crate::text::safe_text;

/// One error in a config.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The bytes of the text that the error is about. `None` if it is not about a place in the
    /// text, such as a missing table.
    pub span: Option<Range<usize>>,
    /// The problem there.
    pub problem: Problem,
}

impl ConfigError {
    /// The error of a text that is not TOML.
    pub(super) fn from_syntax(error: &toml::de::Error) -> ConfigError {
        let problem = Problem::Syntax(error.message().trim_end().replace('\n', ", "));
        ConfigError { span: error.span(), problem }
    }
}

/// The problems a config can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The text is not valid TOML.
    #[error("not valid TOML: {0}")]
    Syntax(String),
    /// The table has no such key.
    #[error("unknown key `{key}`{}", within(table))]
    UnknownKey {
        /// The key as written.
        key: String,
        /// The table that contains it; empty at the top level.
        table: String,
        /// The valid keys of that table.
        known: Vec<&'static str>,
    },
    /// The same key is set twice, once with dashes and once with underscores.
    #[error("`{key}` is given twice{}", within(table))]
    Twice {
        /// The second spelling of the key.
        key: String,
        /// The table that contains it.
        table: String,
    },
    /// A required key is missing.
    #[error("`{key}` is missing{}", within(table))]
    Missing {
        /// The key.
        key: &'static str,
        /// The table it belongs in.
        table: String,
        /// The expected value.
        expected: String,
    },
    /// The value has the wrong type.
    #[error("`{key}` is {found}, expected {expected}")]
    WrongType {
        /// The key.
        key: String,
        /// The type of the value.
        found: &'static str,
        /// The expected value.
        expected: String,
    },
    /// The value has the right type, but it is not one of the possible values.
    #[error("`{key}` is {found}, expected {expected}")]
    WrongValue {
        /// The key.
        key: String,
        /// The value as written.
        found: String,
        /// The expected value.
        expected: String,
        /// The possible words; empty if the value is not a word.
        words: Vec<&'static str>,
    },
    /// The value is invalid for the given reason.
    #[error("`{key}`: {reason}")]
    Refused {
        /// The key.
        key: String,
        /// The reason.
        reason: String,
    },
    /// Two values contradict each other.
    #[error("{what}")]
    Conflict {
        /// The contradiction.
        what: String,
        /// The change that resolves it.
        help: String,
    },
}

/// The suffix ` in [rules]`, or nothing at the top level.
fn within(table: &str) -> String {
    if table.is_empty() { String::new() } else { format!(" in {table}") }
}

impl Problem {
    /// Returns advice on how to fix the problem, if the message gives none.
    pub fn help(&self) -> Option<String> {
        match self {
            Problem::UnknownKey { key, known, .. } => Some(match nearest(key, known) {
                Some(known) => format!("did you mean `{known}`?"),
                None if known.is_empty() => "remove it".to_owned(),
                None => format!("valid keys: {}", known.join(", ")),
            }),
            Problem::WrongValue { found, words, .. } => {
                let word = nearest(found.trim_matches('"'), words)?;
                Some(format!("did you mean \"{word}\"?"))
            }
            Problem::Missing { expected, .. } => Some(format!("add {expected}")),
            Problem::Conflict { help, .. } => Some(help.clone()),
            Problem::Twice { .. } => Some("keep one of them".to_owned()),
            Problem::Syntax(_) | Problem::WrongType { .. } | Problem::Refused { .. } => None,
        }
    }
}

/// The candidate most similar to a word, if one is similar enough.
pub fn nearest<'k>(word: &str, candidates: &[&'k str]) -> Option<&'k str> {
    let word = word.to_lowercase().replace('_', "-");
    let distance = |candidate: &str| {
        strsim::damerau_levenshtein(&word, &candidate.to_lowercase().replace('_', "-"))
    };
    let nearest = candidates.iter().copied().min_by_key(|candidate| distance(candidate))?;
    // One typo in a short word, and one more for every four letters.
    if distance(nearest) <= 1 + word.chars().count() / 4 {
        return Some(nearest);
    }
    let mut begun = candidates.iter().copied().filter(|candidate| candidate.starts_with(&word));
    begun.next().filter(|_| word.len() >= 3 && begun.next().is_none())
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&safe_text::lines(&self.problem.to_string()))
    }
}

impl std::error::Error for ConfigError {}

impl Diagnostic for ConfigError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = safe_text::lines(&self.problem.help()?).into_owned();
        Some(Box::new(help))
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.span.clone()?;
        Some(Box::new(std::iter::once(LabeledSpan::new_primary_with_span(None, span))))
    }
}

/// All errors of a config, in the order of its text. There is at least one.
///
/// Displayed as text, it has one line per error, each with file and line:
///
/// ```
/// use std::path::Path;
/// use fanorona_tournament::config::{Overrides, parse};
///
/// let text = "round = 3\nlimit = \"fast\"\n";
/// let errors = parse("x.toml", text, Path::new(""), &Overrides::default()).unwrap_err();
/// assert_eq!(
///     errors.to_string(),
///     "x.toml:1: unknown key `round`: did you mean `rounds`?\n\
///      x.toml:2: `limit`: `fast` is not a duration: expected a number and a unit (ms, s, m or h), \
///      like 30ms or 1.5s\n\
///      x.toml: `[[engine]]` is missing: add an [[engine]] table with name and command for each \
///      of at least two engines"
/// );
/// ```
///
/// A [`ConfigReport`] shows each error with the lines it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigErrors {
    /// The text and its file name, both with unsafe characters replaced.
    source: NamedSource<String>,
    /// At least one, in the order of the text.
    pub errors: Vec<ConfigError>,
}

impl ConfigErrors {
    pub(super) fn new(name: &str, text: &str, mut errors: Vec<ConfigError>) -> ConfigErrors {
        errors.sort_by_key(|error| error.span.as_ref().map_or(usize::MAX, |span| span.start));
        let source = NamedSource::new(safe_text::line(name), safe_text::masked(text));
        ConfigErrors { source, errors }
    }

    /// The file name shown in errors.
    pub(crate) fn source_name(&self) -> &str {
        self.source.name()
    }

    /// The text of the file.
    pub(crate) fn source_text(&self) -> &str {
        self.source.inner()
    }

    /// The line number of an error, from 1.
    pub fn line(&self, error: &ConfigError) -> Option<usize> {
        let start = error.span.as_ref()?.start;
        let before = self.source_text().bytes().take(start);
        Some(1 + before.filter(|&byte| byte == b'\n').count())
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{}:", self.source_name())?;
            if let Some(line) = self.line(error) {
                write!(f, "{line}:")?;
            }
            write!(f, " {error}")?;
            if let Some(help) = error.problem.help() {
                write!(f, ": {}", safe_text::lines(&help))?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for ConfigErrors {}

/// The same errors, displayed with the lines they are about by one of miette's handlers:
/// `miette::Report::new(ConfigReport(errors))`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} has {}", .0.source_name(), counted(.0.errors.len(), "error", "errors"))]
pub struct ConfigReport(pub ConfigErrors);

impl Diagnostic for ConfigReport {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.0.source)
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.0.errors.iter().map(|error| error as &dyn Diagnostic)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_similar() {
        let known = ["rounds", "seed", "vela-starved", "max-plies"];
        assert_eq!(nearest("round", &known), Some("rounds"));
        assert_eq!(nearest("Rounds", &known), Some("rounds"));
        assert_eq!(nearest("sede", &known), Some("seed"));
        assert_eq!(nearest("vela_starve", &known), Some("vela-starved"));
        assert_eq!(nearest("maxplies", &known), Some("max-plies"));
        assert_eq!(nearest("vela", &known), Some("vela-starved"));
        assert_eq!(nearest("threads", &known), None);
        assert_eq!(nearest("x", &[]), None);
    }
}
