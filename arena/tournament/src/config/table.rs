//! Reads one table of a config. Every getter records errors and continues.

use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};

use strum::VariantArray;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, Problem};

/// The errors found so far.
#[derive(Debug, Default)]
pub(super) struct Errors(RefCell<Vec<ConfigError>>);

impl Errors {
    pub(super) fn add(&self, span: impl Into<Option<Range<usize>>>, problem: Problem) {
        self.0.borrow_mut().push(ConfigError { span: span.into(), problem });
    }

    pub(super) fn into_inner(self) -> Vec<ConfigError> {
        self.0.into_inner()
    }
}

/// A table being read. Dashes and underscores in keys are equivalent.
///
/// A getter returns `None` if the key is missing, and also if its value is wrong; in that case it
/// records the error. [`Table::finish`] reports every key that no getter asked for.
pub(super) struct Table<'c> {
    /// The name shown in errors, like `[rules]`; empty at the top level.
    name: String,
    span: Option<Range<usize>>,
    entries: Vec<Entry<'c>>,
    known: Vec<&'static str>,
    errors: &'c Errors,
}

struct Entry<'c> {
    key: &'c str,
    key_span: Range<usize>,
    value: &'c Spanned<DeValue<'c>>,
    taken: bool,
}

impl<'c> Table<'c> {
    /// Starts reading a table. `span` is its place in the text, `None` for a table that is not in
    /// the text.
    pub(super) fn new(
        name: impl Into<String>,
        span: Option<Range<usize>>,
        table: &'c DeTable<'c>,
        errors: &'c Errors,
    ) -> Table<'c> {
        let mut entries: Vec<Entry> = table
            .iter()
            .map(|(key, value)| Entry {
                key: key.get_ref(),
                key_span: key.span(),
                value,
                taken: false,
            })
            .collect();
        entries.sort_by_key(|entry| entry.key_span.start);
        Table { name: name.into(), span, entries, known: Vec::new(), errors }
    }

    /// The value of a key, of any type.
    pub(super) fn take(&mut self, key: &'static str) -> Option<&'c Spanned<DeValue<'c>>> {
        self.known.push(key);
        let mut found = None;
        for entry in &mut self.entries {
            if !same_key(entry.key, key) {
                continue;
            }
            entry.taken = true;
            if found.is_some() {
                let twice = Problem::Twice { key: entry.key.into(), table: self.name.clone() };
                self.errors.add(entry.key_span.clone(), twice);
            } else {
                found = Some(entry.value);
            }
        }
        found
    }

    /// The place of a key's value, or of the table if the key is missing.
    pub(super) fn span_of(&self, key: &str) -> Option<Range<usize>> {
        let entry = self.entries.iter().find(|entry| same_key(entry.key, key));
        entry.map(|entry| entry.value.span()).or(self.span.clone())
    }

    /// Whether a key is present, with a valid value or not.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| same_key(entry.key, key))
    }

    /// Records that a key's value is invalid.
    pub(super) fn refuse(&self, key: &str, reason: impl ToString) {
        let problem = Problem::Refused { key: key.into(), reason: reason.to_string() };
        self.errors.add(self.span_of(key), problem);
    }

    /// The same with a given place in the text.
    pub(super) fn refuse_at(&self, span: Range<usize>, key: &str, reason: impl ToString) {
        let problem = Problem::Refused { key: key.into(), reason: reason.to_string() };
        self.errors.add(span, problem);
    }

    /// Records that a required key is missing.
    pub(super) fn missing(&self, key: &'static str, expected: &str) {
        let (table, expected) = (self.name.clone(), expected.to_owned());
        self.errors.add(self.span.clone(), Problem::Missing { key, table, expected });
    }

    /// Records that two values contradict each other, at the place of one of them.
    pub(super) fn conflict(&self, key: &str, what: impl ToString, help: impl ToString) {
        let problem = Problem::Conflict { what: what.to_string(), help: help.to_string() };
        self.errors.add(self.span_of(key), problem);
    }

    /// Records that a value has the wrong type.
    pub(super) fn wrong_type(&self, key: &str, value: &Spanned<DeValue<'_>>, expected: &str) {
        let problem = Problem::WrongType {
            key: key.into(),
            found: type_of(value.get_ref()),
            expected: expected.into(),
        };
        self.errors.add(value.span(), problem);
    }

    /// A string. `expected` describes it in errors, like ``a name, like "quick"``.
    pub(super) fn string(&mut self, key: &'static str, expected: &str) -> Option<String> {
        let value = self.take(key)?;
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.wrong_type(key, value, expected);
                None
            }
        }
    }

    /// A string that is parsed. The parser's error becomes the message.
    pub(super) fn parsed<T, E: ToString>(
        &mut self,
        key: &'static str,
        expected: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let text = self.string(key, expected)?;
        parse(&text).map_err(|error| self.refuse(key, error)).ok()
    }

    /// One of the variants of a type, given by its word.
    pub(super) fn choice<T: Copy + VariantArray + Into<&'static str>>(
        &mut self,
        key: &'static str,
    ) -> Option<T> {
        self.word(key, T::VARIANTS, T::into)
    }

    /// One of several choices, given by its word.
    pub(super) fn word<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[T],
        word: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        let value = self.take(key)?;
        self.word_of(key, value, choices, word)
    }

    /// One of several choices, given by its word in a value already taken.
    pub(super) fn word_of<T: Copy>(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        choices: &[T],
        word: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        let words: Vec<&'static str> = choices.iter().copied().map(word).collect();
        let quoted: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
        let expected = match &quoted[..] {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            _ => quoted.concat(),
        };
        let DeValue::String(text) = value.get_ref() else {
            self.wrong_type(key, value, &expected);
            return None;
        };
        let found = choices.iter().zip(&words).find(|(_, word)| *word == text);
        let found = found.map(|(&choice, _)| choice);
        if found.is_none() {
            let problem = Problem::WrongValue {
                key: key.into(),
                found: format!("{text:?}"),
                expected,
                words,
            };
            self.errors.add(value.span(), problem);
        }
        found
    }

    /// A whole number.
    pub(super) fn integer(&mut self, key: &'static str, range: RangeInclusive<u64>) -> Option<u64> {
        let value = self.take(key)?;
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let DeValue::Integer(number) = value.get_ref() else {
            self.wrong_type(key, value, &expected);
            return None;
        };
        let parsed = u64::from_str_radix(number.as_str(), number.radix()).ok();
        let parsed = parsed.filter(|number| range.contains(number));
        if parsed.is_none() {
            let (key, found) = (key.into(), number.to_string());
            let problem = Problem::WrongValue { key, found, expected, words: Vec::new() };
            self.errors.add(value.span(), problem);
        }
        parsed
    }

    /// A whole number that fits 32 bits.
    pub(super) fn small(&mut self, key: &'static str, range: RangeInclusive<u32>) -> Option<u32> {
        let range = u64::from(*range.start())..=u64::from(*range.end());
        self.integer(key, range).and_then(|number| u32::try_from(number).ok())
    }

    /// A number, with or without decimals.
    pub(super) fn number(&mut self, key: &'static str, expected: &str) -> Option<f64> {
        let value = self.take(key)?;
        let number = match value.get_ref() {
            DeValue::Integer(number) => {
                i64::from_str_radix(number.as_str(), number.radix()).ok().map(|n| n as f64)
            }
            DeValue::Float(number) => number.as_str().parse().ok(),
            _ => {
                self.wrong_type(key, value, expected);
                return None;
            }
        };
        let finite = number.filter(|number: &f64| number.is_finite());
        if finite.is_none() {
            self.refuse(key, format!("expected {expected}"));
        }
        finite
    }

    /// True or false.
    pub(super) fn boolean(&mut self, key: &'static str) -> Option<bool> {
        let value = self.take(key)?;
        if let DeValue::Boolean(on) = value.get_ref() {
            return Some(*on);
        }
        self.wrong_type(key, value, "true or false");
        None
    }

    /// The elements of an array.
    pub(super) fn array(
        &mut self,
        key: &'static str,
        expected: &str,
    ) -> Option<&'c [Spanned<DeValue<'c>>]> {
        let value = self.take(key)?;
        if let DeValue::Array(elements) = value.get_ref() {
            return Some(elements);
        }
        self.wrong_type(key, value, expected);
        None
    }

    /// An array of strings; `expected` describes it in errors.
    pub(super) fn strings(&mut self, key: &'static str, expected: &str) -> Option<Vec<String>> {
        let mut strings = Vec::new();
        for element in self.array(key, expected)? {
            match element.get_ref() {
                DeValue::String(text) => strings.push(text.to_string()),
                _ => self.wrong_type(key, element, expected),
            }
        }
        Some(strings)
    }

    /// The keys and values of a table with user-defined keys, in the order of the text.
    pub(super) fn pairs(&mut self, key: &'static str, expected: &str) -> Option<Vec<Pair<'c>>> {
        let value = self.take(key)?;
        let DeValue::Table(table) = value.get_ref() else {
            self.wrong_type(key, value, expected);
            return None;
        };
        let mut pairs: Vec<Pair> = table
            .iter()
            .map(|(key, value)| Pair { key: key.get_ref(), span: key.span(), value })
            .collect();
        pairs.sort_by_key(|pair| pair.span.start);
        Some(pairs)
    }

    /// A table inside this one. A missing table is read as an empty one, so that defaults are set
    /// in one place.
    pub(super) fn table(&mut self, key: &'static str, empty: &'c DeTable<'c>) -> Table<'c> {
        let name = format!("[{key}]");
        let errors = self.errors;
        match self.take(key) {
            None => Table::new(name, None, empty, errors),
            Some(value) => match value.get_ref() {
                DeValue::Table(table) => Table::new(name, Some(value.span()), table, errors),
                _ => {
                    self.wrong_type(key, value, &format!("a table, {name}"));
                    Table::new(name, Some(value.span()), empty, errors)
                }
            },
        }
    }

    /// Reports every key that no getter asked for.
    pub(super) fn finish(self) {
        for entry in self.entries.iter().filter(|entry| !entry.taken) {
            let problem = Problem::UnknownKey {
                key: entry.key.into(),
                table: self.name.clone(),
                known: self.known.clone(),
            };
            self.errors.add(entry.key_span.clone(), problem);
        }
    }
}

/// One entry of a table with user-defined keys.
pub(super) struct Pair<'c> {
    pub(super) key: &'c str,
    pub(super) span: Range<usize>,
    pub(super) value: &'c Spanned<DeValue<'c>>,
}

impl Pair<'_> {
    /// A string, integer, boolean or float as text.
    pub(super) fn text(&self) -> Option<String> {
        match self.value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) => {
                let value = i64::from_str_radix(number.as_str(), number.radix()).ok();
                value.map(|value| value.to_string())
            }
            DeValue::Boolean(on) => Some(on.to_string()),
            DeValue::Float(number) => Some(number.as_str().to_owned()),
            DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
        }
    }
}

fn same_key(written: &str, key: &str) -> bool {
    let dashed = |byte: u8| if byte == b'_' { b'-' } else { byte };
    written.bytes().map(dashed).eq(key.bytes().map(dashed))
}

fn type_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with decimals",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
