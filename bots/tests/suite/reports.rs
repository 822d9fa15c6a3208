//! The reports of a bot while it chooses.

use fanorona_bots::bot::Observer;
use fanorona_protocol::messages::Info;

/// Collects the reports.
#[derive(Default)]
pub(crate) struct Reports(pub(crate) Vec<Info>);

impl Observer for Reports {
    fn info(&mut self, info: Info) {
        self.0.push(info);
    }
}
