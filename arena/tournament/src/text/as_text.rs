//! Serialises values in JSON in their usual text form.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer, de};

pub(crate) fn serialize<T: Display, S: Serializer>(value: &T, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(value)
}

pub(crate) fn deserialize<'de, T, D>(input: D) -> Result<T, D::Error>
where
    T: FromStr,
    T::Err: Display,
    D: Deserializer<'de>,
{
    String::deserialize(input)?.parse().map_err(de::Error::custom)
}

/// The same for optional values; use with `default` and `skip_serializing_if = "Option::is_none"`.
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

    /// Reads a value from text.
    pub fn deserialize<'de, T, D>(input: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr,
        T::Err: Display,
        D: Deserializer<'de>,
    {
        super::deserialize(input).map(Some)
    }
}
