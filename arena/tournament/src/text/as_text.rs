//! Serialises values in JSON in their usual text form.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer, de};

/// Writes a value as text.
pub fn serialize<T: Display, S: Serializer>(value: &T, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(value)
}

/// Reads a value from text.
pub fn deserialize<'de, T, D>(input: D) -> Result<T, D::Error>
where
    T: FromStr,
    T::Err: Display,
    D: Deserializer<'de>,
{
    String::deserialize(input)?.parse().map_err(de::Error::custom)
}

/// Whether a field has its default, and so may be left out.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The same for optional values; use with `default`.
pub mod optional {
    use super::*;

    /// Writes a value as text.
    pub fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => out.collect_str(value),
            None => out.serialize_none(),
        }
    }

    /// Reads a value from text, or from `null`.
    pub fn deserialize<'de, T, D>(input: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr,
        T::Err: Display,
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(input)?;
        text.map(|text| text.parse().map_err(de::Error::custom)).transpose()
    }
}
