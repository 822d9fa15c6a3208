//! Values with a notation of their own, as they stand in a config.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::ser::{Serialize, SerializeMap, Serializer};

use fanorona_protocol::messages::Dialect;
use fanorona_protocol::rules::{RuleValue, Ruleset, SessionRules};
use fanorona_ratings::sprt::Sprt;

use super::duration::Written;

/// A value or `false`.
pub(super) fn or_false<T: Serialize, S: Serializer>(
    value: &Option<T>,
    out: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => value.serialize(out),
        None => out.serialize_bool(false),
    }
}

pub(super) fn time<S: Serializer>(time: &Duration, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(&Written(*time))
}

pub(super) fn as_path<S: Serializer>(path: &Path, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(&path.display())
}

pub(super) fn optional_path<S: Serializer>(
    dir: &Option<PathBuf>,
    out: S,
) -> Result<S::Ok, S::Error> {
    as_path(dir.as_deref().unwrap_or(Path::new("")), out)
}

pub(super) fn paths<S: Serializer>(paths: &[PathBuf], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
}

/// A table in the given order, which for options is the order they are sent in.
pub(super) fn pairs<S: Serializer>(pairs: &[(String, String)], out: S) -> Result<S::Ok, S::Error> {
    out.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}

#[allow(clippy::trivially_copy_pass_by_ref)]
pub(super) fn dialect<S: Serializer>(dialect: &Dialect, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(dialect.handshake())
}

pub(super) fn sprt<S: Serializer>(sprt: &Option<Sprt>, out: S) -> Result<S::Ok, S::Error> {
    sprt.as_ref().map(Sprt::options).serialize(out)
}

pub(super) fn rules<S: Serializer>(rules: &Ruleset, out: S) -> Result<S::Ok, S::Error> {
    let mut table = out.serialize_map(None)?;
    for (name, value) in rules.values() {
        match value {
            RuleValue::Switch(on) => table.serialize_entry(name, &on)?,
            RuleValue::Word(word) => table.serialize_entry(name, word)?,
            RuleValue::Limit(limit) => table.serialize_entry(name, &limit)?,
        }
    }
    table.end()
}

pub(super) fn session<S: Serializer>(rules: &SessionRules, out: S) -> Result<S::Ok, S::Error> {
    let SessionRules { sets, vela_attempts, replays } = *rules;
    out.collect_map([("sets", sets), ("vela_attempts", vela_attempts), ("replays", replays)])
}
