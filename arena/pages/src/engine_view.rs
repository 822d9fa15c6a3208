//! Engines as the pages show them: their names, and the options that a page may set.

use fanorona_protocol::messages::{OptionKind, OptionSpec};
use fanorona_tournament::analysis::KNOWS_VALUES;
use serde::Serialize;

use super::skill;

/// The most memory in MiB that a page may give an engine by its option `Hash`.
const MAX_HASH: i64 = 1024;

/// An engine that a page may start.
#[derive(Clone, Debug, Serialize)]
pub struct EngineView {
    name: String,
    identity: String,
    options: Vec<OptionView>,
    multipv: bool,
    /// Whether it answers `query value`.
    values: bool,
    skill: Option<&'static [skill::Level]>,
    /// Why it cannot be started.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<String>,
}

impl EngineView {
    /// Describes an engine by what it says of itself; `processors` are those of its machine.
    pub fn new(
        name: &str,
        identity: &str,
        options: &[OptionSpec],
        processors: usize,
    ) -> EngineView {
        let has = |name: &str| options.iter().any(|option| option.is_named(name));
        EngineView {
            name: name.to_owned(),
            identity: identity.to_owned(),
            options: options.iter().filter_map(|spec| OptionView::new(spec, processors)).collect(),
            multipv: has("MultiPV"),
            values: has(KNOWS_VALUES),
            skill: (has("Skill") && identity.contains("bot-alphabeta")).then_some(skill::LEVELS),
            broken: None,
        }
    }

    /// Why it cannot be started.
    pub fn trouble(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// An engine that cannot be started.
    pub fn broken(name: &str, why: &str) -> EngineView {
        let engine = EngineView::new(name, "", &[], 1);
        EngineView { broken: Some(why.to_owned()), ..engine }
    }
}

/// An option as a page shows it.
#[derive(Clone, Debug, Serialize)]
pub struct OptionView {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    default: String,
    min: Option<i64>,
    /// The largest value that a page may set.
    pub max: Option<i64>,
    values: Vec<String>,
}

impl OptionView {
    /// Describes an option; `None` for options that a page may not set.
    pub fn new(spec: &OptionSpec, processors: usize) -> Option<OptionView> {
        let (mut min, mut max, mut values) = (None, None, Vec::new());
        let (kind, default) = match &spec.kind {
            OptionKind::Check { default } => ("check", default.to_string()),
            OptionKind::Spin { default, min: low, max: high } => {
                let most = match spec.name.to_ascii_lowercase().as_str() {
                    "hash" => MAX_HASH,
                    "threads" => processors as i64,
                    _ => i64::MAX,
                };
                (min, max) = (Some(*low), Some(most.min(*high)));
                ("spin", default.to_string())
            }
            OptionKind::Combo { default, choices } => {
                values.clone_from(choices);
                ("combo", default.clone())
            }
            _ => return None,
        };
        Some(OptionView { name: spec.name.clone(), kind, default, min, max, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::messages::Reply;
    use serde_json::json;

    #[test]
    fn an_engine_has_the_options_that_a_page_may_set() {
        let lines = [
            "option name Hash type spin default 16 min 1 max 65536",
            "option name Threads type spin default 1 min 1 max 64",
            "option name Skill type spin default 20 min 0 max 20",
            "option name Book type string default <empty>",
        ];
        let specs = lines.map(|line| match line.parse() {
            Ok(Reply::Option(spec)) => spec,
            other => panic!("{other:?}"),
        });
        let view = EngineView::new("bot-alphabeta", "bot-alphabeta 0.1.0", &specs, 1);
        let view = serde_json::to_value(view).unwrap();
        let options = view["options"].as_array().unwrap();
        assert_eq!(options.len(), 3);
        assert_eq!((&options[0]["max"], &options[1]["max"]), (&json!(1024), &json!(1)));
        assert_eq!((&view["multipv"], &view["values"]), (&json!(false), &json!(false)));
        assert!(view["skill"].is_array() && view["broken"].is_null());
    }
}
