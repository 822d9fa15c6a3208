//! The restrictions of the sandbox that this machine enforces.

use std::sync::Arc;
use std::time::Duration;

use super::supervisors::Supervisors;
use crate::failure::StartError;
use fanorona_tournament::machine::enforced::{Enforced, Enforcement};

/// The restrictions: there is no sandbox, but an engine's job ends with the arena. This cannot fail.
pub async fn probe(_: &Arc<Supervisors>, _: Duration) -> Result<Enforced, StartError> {
    Ok(Enforced { namespace: Enforcement::Enforced, ..Enforced::default() })
}
