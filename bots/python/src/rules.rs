//! The rule switches and limits of a game.

use fanorona_protocol::rules::{Ruleset, VelaStarter};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::values::{parsed, value_error};

/// The rules of a game. By default every switch is off and every limit has its usual value.
#[pyclass(frozen, eq, hash, from_py_object, module = "fanorona")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Rules(pub(crate) Ruleset);

/// Rules or their text, where a function takes either.
#[derive(FromPyObject)]
pub(crate) enum RulesLike {
    /// Rules.
    Rules(Rules),
    /// Their text.
    Text(String),
}

impl RulesLike {
    /// The rules; those of `default` if none are given.
    pub(crate) fn or(given: Option<RulesLike>, default: Ruleset) -> PyResult<Ruleset> {
        match given {
            None => Ok(default),
            Some(RulesLike::Rules(rules)) => Ok(rules.0),
            Some(RulesLike::Text(text)) => parsed(&text),
        }
    }
}

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (
        rules = None,
        *,
        forced_continuation = None,
        single_first_capture = None,
        blocked_is_draw = None,
        vela_starved = None,
        vela_must_offer = None,
        vela_starter = None,
        repetition = None,
        quiet = None,
        max_plies = None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "one for each rule")]
    fn new(
        rules: Option<RulesLike>,
        forced_continuation: Option<bool>,
        single_first_capture: Option<bool>,
        blocked_is_draw: Option<bool>,
        vela_starved: Option<String>,
        vela_must_offer: Option<bool>,
        vela_starter: Option<String>,
        repetition: Option<u32>,
        quiet: Option<u32>,
        max_plies: Option<u32>,
    ) -> PyResult<Rules> {
        let mut rules = RulesLike::or(rules, Ruleset::default())?;
        let text = |value: Option<bool>| value.map(|value| value.to_string());
        let number = |value: Option<u32>| value.map(|value| value.to_string());
        let given = [
            ("forced-continuation", text(forced_continuation)),
            ("single-first-capture", text(single_first_capture)),
            ("blocked-is-draw", text(blocked_is_draw)),
            ("vela-starved", vela_starved),
            ("vela-must-offer", text(vela_must_offer)),
            ("vela-starter", vela_starter),
            ("repetition", number(repetition)),
            ("quiet", number(quiet)),
            ("max-plies", number(max_plies)),
        ];
        for (name, value) in given {
            if let Some(value) = value {
                rules.set(&format!("{name}={value}")).map_err(value_error)?;
            }
        }
        Ok(Rules(rules))
    }

    /// Whether a capturing stone must continue while it can.
    #[getter]
    fn forced_continuation(&self) -> bool {
        self.0.forced_continuation
    }

    /// Whether each side's first capturing move has one step only.
    #[getter]
    fn single_first_capture(&self) -> bool {
        self.0.single_first_capture
    }

    /// Whether a side without a move draws instead of losing.
    #[getter]
    fn blocked_is_draw(&self) -> bool {
        self.0.blocked_is_draw
    }

    /// The fate of a debtor with nothing to capture: `creditor-loses`, `debtor-loses` or `paika`.
    #[getter]
    fn vela_starved(&self) -> &'static str {
        use fanorona_protocol::rules::VelaStarved::{CreditorLoses, DebtorLoses, Paika};
        match self.0.vela_starved {
            CreditorLoses => "creditor-loses",
            DebtorLoses => "debtor-loses",
            Paika => "paika",
        }
    }

    /// Whether the creditor must leave the debtor a capture if it can.
    #[getter]
    fn vela_must_offer(&self) -> bool {
        self.0.vela_must_offer
    }

    /// The player with White in a vela: `debtor` or `creditor`.
    #[getter]
    fn vela_starter(&self) -> &'static str {
        match self.0.vela_starter {
            VelaStarter::Debtor => "debtor",
            VelaStarter::Creditor => "creditor",
        }
    }

    /// The occurrence of a position that is a draw; 0 for never.
    #[getter]
    fn repetition(&self) -> u32 {
        self.0.repetition
    }

    /// The number of plies without a capture that is a draw; 0 for never.
    #[getter]
    fn quiet(&self) -> u32 {
        self.0.quiet
    }

    /// The number of plies of a game that is a draw; 0 for never.
    #[getter]
    fn max_plies(&self) -> u32 {
        self.0.max_plies
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Rules('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Rules>(), (self.0.to_string(),))
    }
}
