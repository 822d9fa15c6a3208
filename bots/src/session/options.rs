//! The options of a session and of its bot.

use std::time::Duration;

use fanorona_protocol::messages::{OptionKind, OptionSpec};
use fanorona_protocol::rules::Ruleset;

use crate::bot::Bot;

/// The default of `MoveOverhead`: milliseconds left unused on every move.
const MOVE_OVERHEAD: i64 = 5;

/// All declared options, and the values of those that the session itself uses.
pub(super) struct Options {
    specs: Vec<OptionSpec>,
    pub(super) rules: Ruleset,
    pub(super) move_overhead: Duration,
    /// Whether answers name the reply that the bot expects.
    pub(super) ponder: bool,
    #[cfg(feature = "tune")]
    pub(super) node_clock: super::node_clock::NodeClock,
}

impl Options {
    pub(super) fn new(bot: &dyn Bot) -> Options {
        let mut specs = bot.options();
        specs.push(OptionSpec::spin("MoveOverhead", MOVE_OVERHEAD, 0, 60_000));
        specs.push(OptionSpec::string("Rules", ""));
        if bot.ponders() {
            specs.push(OptionSpec::switch("Ponder", false));
        }
        #[cfg(feature = "tune")]
        specs.push(OptionSpec::spin("NodesPerMillisecond", 0, 0, 1_000_000));
        Options {
            specs,
            rules: Ruleset::default(),
            move_overhead: Duration::from_millis(MOVE_OVERHEAD as u64),
            ponder: false,
            #[cfg(feature = "tune")]
            node_clock: super::node_clock::NodeClock::default(),
        }
    }

    pub(super) fn specs(&self) -> &[OptionSpec] {
        &self.specs
    }

    /// Sets an option. Returns name and value if the option belongs to the bot. After an error
    /// message nothing has changed.
    pub(super) fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<Option<(String, String)>, String> {
        let Some(spec) = self.specs.iter().find(|spec| spec.is_named(name)) else {
            return Err(format!("unknown option `{name}`: ignored"));
        };
        let value = match (value, &spec.kind) {
            (Some(value), _) => value,
            (None, OptionKind::Button | OptionKind::String { .. }) => "",
            (None, _) => return Err(format!("option {} needs a value", spec.name)),
        };
        let value = spec.check(value).map_err(|error| error.to_string())?;
        match spec.name.as_str() {
            "Rules" => {
                self.rules = value
                    .parse()
                    .map_err(|error| format!("option Rules keeps its value: {error}"))?;
                Ok(None)
            }
            "MoveOverhead" => {
                let milliseconds = value.parse().expect("a spin is a number");
                self.move_overhead = Duration::from_millis(milliseconds);
                Ok(None)
            }
            "Ponder" => {
                self.ponder = value == "true";
                Ok(None)
            }
            #[cfg(feature = "tune")]
            "NodesPerMillisecond" => {
                self.node_clock.set_rate(value.parse().expect("a spin is a number"));
                Ok(None)
            }
            name => Ok(Some((name.to_owned(), value))),
        }
    }
}
