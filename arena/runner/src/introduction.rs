//! The reports of engines about themselves.

use fanorona_engine::Engine;

/// An engine's report about itself at its start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Introduction {
    /// Its name; empty if it reports none.
    pub identity: String,
    /// Its author; empty if it reports none.
    pub author: String,
    /// Its remarks on the options it was given.
    pub remarks: Vec<String>,
}

impl Introduction {
    /// Returns the report of a started engine.
    pub(super) fn new(engine: &Engine) -> Introduction {
        Introduction {
            identity: engine.identity().to_owned(),
            author: engine.author().to_owned(),
            remarks: engine.remarks().to_vec(),
        }
    }
}
