//! The restrictions of the sandbox that the system enforces: none, because there is no sandbox.

use std::sync::Arc;
use std::time::Duration;

use super::supervisors::Supervisors;
use crate::failure::StartError;
use fanorona_tournament::machine::enforced::Enforced;

/// The restrictions of engines, which are none.
pub async fn probe(_: &Arc<Supervisors>, _: Duration) -> Result<Enforced, StartError> {
    Ok(Enforced::default())
}
