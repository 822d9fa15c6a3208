//! Serialises values as their usual text.

use std::fmt::Display;

use serde::Serializer;

pub(super) fn serialize<T: Display, S: Serializer>(value: &T, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(value)
}

/// The same for optional values.
pub(super) mod optional {
    use super::*;

    pub(in crate::analysis) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => out.collect_str(value),
            None => out.serialize_none(),
        }
    }
}
